//! The people of the demo: who they are, what each may see, and what they ask of each other.
//!
//! Always holds: whoever is listed is written; every env and team has an admin.
//! Not here: the envs and teams themselves (`organisation.rs`).

use std::collections::HashMap;

use serde_json::json;
use sqlx::Row as _;
use uuid::Uuid;

use super::layout::{Layout, fresh};
use super::organisation::Places;
use crate::access::{EnvMember, EnvRequest, ServiceAccount, TeamMember, TeamRequest, User};
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::sql::Sql;
use crate::core::viewer::Owner;

/// Somebody to sign in as; all of them have the demo's one password.
#[derive(Clone, Copy, Debug)]
pub struct DemoUser {
    /// The email to sign in with.
    pub email: &'static str,
    /// Who this is and what they may see and do, in one sentence.
    pub what: &'static str,
    /// The env they belong to, and as what.
    env: Option<(&'static str, &'static str)>,
    /// The team they belong to, and whether as an admin.
    team: Option<(&'static str, bool)>,
}

pub(super) const COMMERCE_ADMIN: &str = "commerce-admin@example.com";
pub(super) const COMMERCE_MEMBER: &str = "commerce-member@example.com";
const FINANCE_MEMBER: &str = "finance-member@example.com";
const ENV_READER: &str = "env-reader@example.com";
const NEWCOMER: &str = "newcomer@example.com";
const BOT: &str = "deploy-bot@example.com";

const USERS: &[DemoUser] = &[
    DemoUser {
        email: "env-admin@example.com",
        what: "Admin of env production: sees and changes everything in it, decides on its members and teams.",
        env: Some(("production", "admin")),
        team: None,
    },
    DemoUser {
        email: "env-member@example.com",
        what: "Member of env production without a team: sees the env and its members, and may create a team.",
        env: Some(("production", "member")),
        team: None,
    },
    DemoUser {
        email: ENV_READER,
        what: "Reader of env production: sees everything in it, changes nothing.",
        env: Some(("production", "reader")),
        team: None,
    },
    DemoUser {
        email: COMMERCE_ADMIN,
        what: "Admin of team commerce: sees and changes what the team owns, decides on its members, sees service account deploy-bot.",
        env: Some(("production", "member")),
        team: Some(("commerce", true)),
    },
    DemoUser {
        email: COMMERCE_MEMBER,
        what: "Member of team commerce: sees and changes what the team owns, starts its workers and syncs; of the env the name only.",
        env: None,
        team: Some(("commerce", false)),
    },
    DemoUser {
        email: "finance-admin@example.com",
        what: "Admin of team finance: sees and changes what that team owns, and nothing of commerce.",
        env: None,
        team: Some(("finance", true)),
    },
    DemoUser {
        email: FINANCE_MEMBER,
        what: "Member of team finance: sees and changes what that team owns; is invited to commerce.",
        env: None,
        team: Some(("finance", false)),
    },
    DemoUser {
        email: "staging-admin@example.com",
        what: "Admin of env staging and of its team experiments: nothing of production exists for them.",
        env: Some(("staging", "admin")),
        team: Some(("experiments", true)),
    },
    DemoUser { email: NEWCOMER, what: "Belongs to nothing and sees nothing; has asked to join commerce.", env: None, team: None },
];

/// The users of the demo and what each may see; the superuser, who sees everything, is `dev`'s own.
#[must_use]
pub fn users() -> &'static [DemoUser] {
    USERS
}

/// The users that were written, by email.
pub(super) struct People(HashMap<&'static str, Uuid>);

impl People {
    /// The id of the user with this email.
    pub(super) fn id(&self, email: &str) -> Result<Uuid> {
        self.0.get(email).copied().ok_or_else(|| Error::no_such(User::NAME))
    }
}

/// Writes the users with their memberships, the service account, and the requests between them.
pub(super) async fn write(layout: &mut Layout<'_>, places: &Places, hash: &str) -> Result<People> {
    let mut people = People(HashMap::new());
    for user in USERS {
        let env = user.env.or_else(|| user.team.and_then(|(team, _)| places.env_of(team)).map(|env| (env, "")));
        let active = env.map(|(env, _)| places.env(env)).transpose()?;
        let id = write_user(layout, user.email, Some(hash), active).await?;
        people.0.insert(user.email, id);
        if let Some((env, role)) = user.env {
            let row = json!({"timestamp": layout.latest(), "role": role, "user_id": id, "env_id": places.env(env)?});
            layout.add::<EnvMember>(row).await?;
        }
        if let Some((team, admin)) = user.team {
            join(layout, id, places.team(team)?, admin).await?;
        }
    }
    let account = write_bot(layout, places.team("commerce")?).await?;
    tracing::debug!(service_account.id = %account, "the service account of the demo");
    write_requests(layout, places, &people).await?;
    Ok(people)
}

/// A user; one who is there already, such as the first superuser, stays as they are.
async fn write_user(layout: &mut Layout<'_>, email: &str, hash: Option<&str>, env: Option<Uuid>) -> Result<Uuid> {
    let there = layout.run(Sql::new("select id from \"user\" where email = ").value(email.to_owned())).await?;
    if let Some(row) = there.first() {
        return Ok(row.try_get(0)?);
    }
    let row = json!({
        "email": email, "hashed_password": hash, "is_active": true, "is_superuser": false, "is_verified": true,
        "version": 1, "active_env_id": env,
    });
    let id = layout.add::<User>(row).await?;
    layout.record::<User>(id, email, Owner { team: None, env: None }).await?;
    Ok(id)
}

async fn join(layout: &mut Layout<'_>, user: Uuid, team: Owner, admin: bool) -> Result<()> {
    let row = json!({"timestamp": layout.latest(), "admin": admin, "user_id": user, "team_id": team.team});
    layout.add::<TeamMember>(row).await?;
    Ok(())
}

/// A machine that deploys for the commerce team: it may do what a member may.
async fn write_bot(layout: &mut Layout<'_>, team: Owner) -> Result<Uuid> {
    enum Grant {}
    let user = write_user(layout, BOT, None, team.env).await?;
    let account = layout.add::<ServiceAccount>(json!({"name": "deploy-bot", "user_id": user})).await?;
    let grant = json!({
        "id": fresh::<Grant>(), "service_account_id": account, "team_id": team.team, "admin": false, "worker": false,
        "created_at": layout.latest(),
    });
    layout.write("pumphouse.service_account_grant", vec![grant]).await?;
    join(layout, user, team, false).await?;
    layout.record::<ServiceAccount>(account, "deploy-bot", team).await?;
    Ok(account)
}

/// One request that was accepted, one to join and one invitation that wait for an answer.
async fn write_requests(layout: &mut Layout<'_>, places: &Places, people: &People) -> Result<()> {
    let (reader, production) = (people.id(ENV_READER)?, places.env("production")?);
    let accepted = json!({"role": "reader", "env_id": production, "from_user_id": reader, "to_user_id": reader, "status": "ACCEPTED"});
    layout.add::<EnvRequest>(accepted).await?;
    let team = places.team("commerce")?.team;
    for (from, to) in [(NEWCOMER, NEWCOMER), (COMMERCE_ADMIN, FINANCE_MEMBER)] {
        let (from, to) = (people.id(from)?, people.id(to)?);
        let row = json!({"admin": false, "team_id": team, "from_user_id": from, "to_user_id": to, "status": "PENDING"});
        layout.add::<TeamRequest>(row).await?;
    }
    Ok(())
}
