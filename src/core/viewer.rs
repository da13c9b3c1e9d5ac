//! Who asks, and what their memberships let them see, change and administer (domain.md section 1).
//!
//! Always holds: a viewer is made from a verified token only, by the one statement below; it holds
//! memberships, never decisions. Not here: reading the token (`access/token.rs`).

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::Result;
use crate::core::sql::Sql;

/// How much a viewer may do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// Read it.
    See,
    /// Change it, as a member of its team does.
    Change,
    /// Change its settings, members and requests, as an admin does.
    Administer,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Viewer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    identity: Identity,
    token: Verified,
    superuser: bool,
    member_envs: Vec<Uuid>,
    officer_envs: Vec<Uuid>,
    admin_envs: Vec<Uuid>,
    member_teams: Vec<Uuid>,
    admin_teams: Vec<Uuid>,
}

/// The kind of caller behind a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A person or a service account: a row of `user`.
    User {
        /// The user's id.
        id: Uuid,
        /// The email as it stands now.
        email: String,
        /// The service account that the token was issued for.
        service_account: Option<Uuid>,
    },
    /// One generation of one worker; it sees nothing of the graph and may only report about itself.
    Worker {
        /// The worker's id.
        id: Uuid,
        /// The generation that the token was minted for.
        generation: Uuid,
    },
}

/// What a token must say for a viewer to be made from it; only `access/token.rs` makes one.
#[derive(Clone, Debug)]
pub struct Verified {
    pub(crate) token_id: Uuid,
    pub(crate) expires_at: DateTime<Utc>,
    pub(crate) subject: Subject,
}

/// Whom a verified token speaks for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    User { id: Uuid, epoch: i32, service_account: Option<Uuid> },
    Worker { id: Uuid, generation: Uuid },
}

const LOAD: &str = "
select u.email, u.is_superuser,
  array(select env_id from env_member where user_id = u.id) as member_envs,
  array(select env_id from env_member where user_id = u.id and role in ('admin', 'reader')) as officer_envs,
  array(select env_id from env_member where user_id = u.id and role = 'admin') as admin_envs,
  array(select team_id from team_member where user_id = u.id) as member_teams,
  array(select team_id from team_member where user_id = u.id and admin) as admin_teams
from \"user\" u
join pumphouse.credential c on c.user_id = u.id
where u.is_active
  and not exists (select 1 from pumphouse.revoked_token r where r.token_id = ";

impl Viewer {
    /// The viewer behind a verified token as the database knows them now; none when the user is gone
    /// or inactive, the token revoked, the password changed since, or the service account deleted.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn load(db: &Db, token: &Verified) -> Result<Option<Self>> {
        match token.subject {
            Subject::User { id, epoch, service_account } => {
                let sql = Sql::new(LOAD)
                    .with("", token.token_id)
                    .with(") and u.id = ", id)
                    .with(" and c.epoch = ", epoch)
                    .with(" and (", service_account)
                    .with(
                        "::uuid is null or exists (select 1 from service_account_user s where s.user_id = u.id and s.id = ",
                        service_account,
                    )
                    .with(")) and now() < ", token.expires_at);
                let Some(row) = db.rows(sql).await?.into_iter().next() else { return Ok(None) };
                Ok(Some(Self(Arc::new(Inner {
                    identity: Identity::User { id, email: row.try_get(0)?, service_account },
                    token: token.clone(),
                    superuser: row.try_get(1)?,
                    member_envs: row.try_get(2)?,
                    officer_envs: row.try_get(3)?,
                    admin_envs: row.try_get(4)?,
                    member_teams: row.try_get(5)?,
                    admin_teams: row.try_get(6)?,
                }))))
            }
            // A superseded generation is not refused here: it has to be told to exit.
            Subject::Worker { id, generation } if db.now().await? < token.expires_at => Ok(Some(Self(Arc::new(Inner {
                identity: Identity::Worker { id, generation },
                token: token.clone(),
                superuser: false,
                member_envs: Vec::new(),
                officer_envs: Vec::new(),
                admin_envs: Vec::new(),
                member_teams: Vec::new(),
                admin_teams: Vec::new(),
            })))),
            Subject::Worker { .. } => Ok(None),
        }
    }

    /// The same viewer as the database knows them now; none when the token has ended meanwhile.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn reload(&self, db: &Db) -> Result<Option<Self>> {
        Self::load(db, &self.0.token).await
    }

    /// Who it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// The user's id; none for a worker.
    #[must_use]
    pub fn user_id(&self) -> Option<Uuid> {
        match &self.0.identity {
            Identity::User { id, .. } => Some(*id),
            Identity::Worker { .. } => None,
        }
    }

    /// The token's own id, by which it is revoked.
    #[must_use]
    pub fn token_id(&self) -> Uuid {
        self.0.token.token_id
    }

    /// When the token ends.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.0.token.expires_at
    }

    /// Bypasses the env and team checks.
    #[must_use]
    pub fn is_superuser(&self) -> bool {
        self.0.superuser
    }

    pub(crate) fn is_member_anywhere(&self) -> bool {
        !self.0.member_envs.is_empty() || !self.0.member_teams.is_empty()
    }

    /// Envs they belong to in any role.
    pub(crate) fn member_envs(&self) -> &[Uuid] {
        &self.0.member_envs
    }

    /// Envs in which the right reaches everything that the teams own.
    pub(crate) fn envs(&self, right: Right) -> &[Uuid] {
        match right {
            Right::See => &self.0.officer_envs,
            Right::Change | Right::Administer => &self.0.admin_envs,
        }
    }

    /// Teams in which they have the right by their own membership.
    pub(crate) fn teams(&self, right: Right) -> &[Uuid] {
        match right {
            Right::See | Right::Change => &self.0.member_teams,
            Right::Administer => &self.0.admin_teams,
        }
    }

    /// The second reader of [`Scope`]: may they see what one of these (team, env) pairs owns?
    ///
    /// [`Scope`]: crate::core::scope::Scope
    #[must_use]
    pub fn sees(&self, owners: &[Owner]) -> bool {
        self.0.superuser
            || owners.iter().any(|owner| {
                owner.team.is_some_and(|team| self.0.member_teams.contains(&team))
                    || owner.env.is_some_and(|env| self.0.officer_envs.contains(&env))
            })
    }
}

/// The team that owns a row, and the team's env.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The owning team.
    pub team: Option<Uuid>,
    /// The env that the team lives in.
    pub env: Option<Uuid>,
}
