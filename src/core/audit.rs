//! The audit trail: one row of `user_log` and one of details for everything that changed something.
//!
//! Always holds: the row is written in the transaction of the change and says who, what and about
//! what, never values (domain.md section 5).

use sqlx::PgConnection;
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::entity::Entity;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::{Identity, Owner, Viewer};
use crate::core::write::Write;

/// Who acted.
#[derive(Clone, Debug)]
pub enum Actor {
    /// A user or a service account.
    User {
        /// The user's id.
        id: Uuid,
        /// Their email as it stands now.
        email: String,
        /// Whether a service account acted.
        service: bool,
    },
    /// Nobody known, under an email that was given.
    Claimed(String),
    /// A job or a worker, by name.
    System(String),
}

impl Actor {
    /// The viewer as who acts.
    #[must_use]
    pub fn of(viewer: &Viewer) -> Self {
        match viewer.identity() {
            Identity::User { id, email, service_account } => {
                Self::User { id: *id, email: email.clone(), service: service_account.is_some() }
            }
            Identity::Worker { id, .. } => Self::System(format!("worker {id}")),
        }
    }

    /// The name of a job or a worker.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::System(name) => Some(name),
            Self::User { .. } | Self::Claimed(_) => None,
        }
    }

    /// The email of record, where there is one.
    #[must_use]
    pub fn email(&self) -> Option<&str> {
        match self {
            Self::User { email, .. } | Self::Claimed(email) => Some(email),
            Self::System(_) => None,
        }
    }

    /// The user's id, where there is one.
    #[must_use]
    pub fn user_id(&self) -> Option<Uuid> {
        match self {
            Self::User { id, .. } => Some(*id),
            Self::Claimed(_) | Self::System(_) => None,
        }
    }
}

/// What was acted on.
#[derive(Clone, Debug)]
pub struct About<'a> {
    /// The entity's name in the graph.
    pub entity: &'static str,
    /// Its id.
    pub id: Option<Uuid>,
    /// Its name, where it has one.
    pub name: Option<&'a str>,
    /// Who owns it.
    pub owner: Owner,
    /// The names of the fields that changed.
    pub fields: &'a [&'a str],
    /// The user that it is about, such as the member that was added.
    pub target: Option<Uuid>,
}

impl<'a> About<'a> {
    /// A row of `E`, owned by nobody unless told otherwise.
    #[must_use]
    pub fn row<E: Entity>(id: Id<E>) -> Self {
        Self { entity: E::NAME, id: Some(id.uuid()), name: None, owner: Owner::NONE, fields: &[], target: None }
    }

    /// Its name.
    #[must_use]
    pub fn name(self, name: Option<&'a str>) -> Self {
        Self { name, ..self }
    }

    /// Who owns it.
    #[must_use]
    pub fn owner(self, owner: Owner) -> Self {
        Self { owner, ..self }
    }

    /// The names of the fields that changed.
    #[must_use]
    pub fn fields(self, fields: &'a [&'a str]) -> Self {
        Self { fields, ..self }
    }

    /// The user that it is about.
    #[must_use]
    pub fn target(self, user: Uuid) -> Self {
        Self { target: Some(user), ..self }
    }
}

impl Write {
    /// Who acts, for the audit.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::of(self.viewer())
    }

    /// Writes the audit row of this mutation.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn record(&mut self, verb: Verb, about: About<'_>) -> Result<()> {
        let actor = self.actor();
        let request = self.request().map(str::to_owned);
        record(self.connection(), &actor, verb, about, request.as_deref()).await
    }
}

/// Writes an audit row on a connection, for jobs and for what happens before anyone is signed in.
///
/// # Errors
/// When the database refuses it.
pub async fn record(connection: &mut PgConnection, actor: &Actor, verb: Verb, about: About<'_>, request: Option<&str>) -> Result<()> {
    enum LogRow {}
    let id = Id::<LogRow>::random();
    let user_type = match actor {
        Actor::User { service: true, .. } => "service",
        Actor::User { .. } | Actor::Claimed(_) => "real_user",
        Actor::System(_) => "system",
    };
    let fields: Vec<String> = about.fields.iter().map(|field| (*field).to_owned()).collect();
    let sql = Sql::new("with log as (insert into user_log (id, timestamp, user_type, action, user_id, user_email, target_user_id) values (")
        .value(id)
        .with(", clock_timestamp(), ", user_type)
        .with(", ", verb.stored())
        .with(", ", actor.user_id())
        .with(", ", actor.email().map(str::to_owned))
        .with(", ", about.target)
        .text(") returning *) insert into pumphouse.audit_detail (user_log_id, timestamp, user_type, action, user_id, user_email, target_user_id,")
        .text(" actor_name, entity_type, entity_id, entity_name, env_id, team_id, changed_fields, request_id)")
        .text(" select id, timestamp, user_type, action, user_id, user_email, target_user_id, ")
        .value(actor.name().map(str::to_owned))
        .with(", ", about.entity)
        .with(", ", about.id)
        .with(", ", about.name.map(str::to_owned))
        .with(", ", about.owner.env)
        .with(", ", about.owner.team)
        .with(", ", fields)
        .with(", ", request.map(str::to_owned))
        .text(" from log");
    rows_on(connection, sql).await?;
    Ok(())
}
