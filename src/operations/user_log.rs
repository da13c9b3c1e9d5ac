//! The audit log: who did what, and to whom.
//!
//! Always holds: entries are only added; the email of who acted outlives the user. They are read from where entry and
//! details stand together (`migrations/0025`). Not here: writing them, which every mutation does in its own transaction.

use std::collections::HashMap;

use async_graphql::Context;
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::{Env, Team, User};
use crate::choice;
use crate::core::entity::{Entity as _, computed, to_one};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope::Scope;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::entity;

choice! {
    /// What kind of identity acted.
    UserType {
        /// A person.
        RealUser = "real_user",
        /// A service account.
        Service = "service",
        /// The system itself.
        System = "system",
    }
}

/// One's own, and those of an env or a team that one administers (domain.md section 1).
const SCOPE: Scope = Scope::Sees(&Scope::EachOf(&[Scope::CurrentUser("user_id"), Scope::Administered { team: "team_id", env: "env_id" }]));

/// Whatever an entry is about: a row of any entity, which may be gone.
#[derive(Clone, Copy, Debug)]
pub enum Anything {}

entity! {
    /// One entry of the audit log: who did what, and about whom. Everyone sees their own entries; admins
    /// see those of their env or team.
    UserLog in "pumphouse.audit_entry";
    scope: SCOPE;
    order: "timestamp" Desc;
    announced: false;
    columns {
        /// When it was done.
        timestamp: DateTime<Utc> [order, range];
        /// What kind of identity acted.
        user_type: UserType [filter];
        /// What was done.
        action: Verb [filter];
        /// Who acted, while that user exists; null does not mean the system, see `userType`.
        user_id: Option<Id<User>> [filter];
        /// The email, at that time, of who acted: the author of record.
        user_email: Option<String> [filter, email];
        /// Whom it was about, when that was another user who still exists.
        target_user_id: Option<Id<User>> [filter];
        /// The name of the job, worker or command that acted; null when a user did.
        actor_name: Option<String> [filter];
        /// The type in the graph of what it was about, such as `Connector`.
        entity_type: String [filter];
        /// The id of what it was about, which may be gone; null when that is not known.
        entity_id: Option<Id<Anything>> [filter];
        /// The name, at that time, of what it was about; null when it has none.
        entity_name: Option<String>;
        /// The env that it happened in, at that time; null when in none.
        env_id: Option<Id<Env>> [filter];
        /// The team that owned what it was about, at that time; null when none did.
        team_id: Option<Id<Team>> [filter];
        /// The id of the request, as its answer and the server's log have it; null when no request was behind it.
        request_id: Option<String> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>>;
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {
        to_one::<UserLog, User>("user", "id", "user_id", "Who acted; null when that user is gone.");
        to_one::<UserLog, User>("targetUser", "id", "target_user_id", "Whom it was about; null when it was about nobody else or that user is gone.");
        to_one::<UserLog, Env>("env", "id", "env_id", "The env that it happened in; null when in none, or it is gone.");
        to_one::<UserLog, Team>("team", "id", "team_id", "The team that owned what it was about; null when none did, or it is gone.");
        computed::<UserLog, Vec<String>>("changedFields", |row, ctx| Box::pin(changed_fields(row, ctx)), "The names of the fields that changed, never their values.");
    }
}

async fn changed_fields(entry: &UserLog, ctx: &Context<'_>) -> Result<Vec<String>> {
    let read = Read::of(ctx)?;
    let found: Option<Vec<String>> = read
        .batch("changed fields", entry.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let sql = Sql::new("select id, changed_fields from ").text(UserLog::TABLE).with(" where id = any(", ids).text(")");
            let rows = read.db().rows(sql).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<HashMap<_, _>>>()
        })
        .await?;
    Ok(found.unwrap_or_default())
}
