//! The organisation as a whole: the order in which its parts are written, its envs and teams.
//!
//! Always holds: all of it in one transaction, and only into a database without any env. Not here: the
//! people (`people.rs`), what they run (`connectors.rs`, `flows.rs`) and what has been (`history.rs` and on).

use std::collections::HashMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::connectors::{self, Databases};
use super::databases::DatabaseAccess;
use super::error::DemoError;
use super::layout::{Layout, fresh};
use super::{flows, history, people, schemas, throughput};
use crate::access::{Env, Team};
use crate::core::canonical::hex;
use crate::core::db::{Db, rows_on};
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::password;
use crate::core::secret::{KeyRing, Secret};
use crate::core::sql::Sql;
use crate::core::viewer::Owner;

/// A lock of the database that no other layout holds at the same time.
const LOCK: i64 = 0x0070_756d_7064_656d;

/// Name, broker and days of retention of each env.
const ENVS: &[(&str, &str, i64)] =
    &[("production", "kafka.production.example.com:9093", 14), ("staging", "kafka.staging.example.com:9093", 3)];

/// Name, env and description of each team.
const TEAMS: &[(&str, &str, &str)] = &[
    ("commerce", "production", "Orders, customers and the catalogue of the shop"),
    ("finance", "production", "Payments and what the auditors ask for"),
    ("experiments", "staging", "What may become something"),
];

/// Lays out envs, teams, users, connectors, datamodels, pipelines, subscriptions and some history in one
/// transaction; answers whether it did. Where any env exists it does nothing.
///
/// # Errors
/// When the database refuses, or the password is too short.
pub async fn lay_out(
    db: &Db,
    keys: &KeyRing,
    shop: &DatabaseAccess,
    warehouse: &DatabaseAccess,
    password: &Secret<String>,
) -> Result<bool, DemoError> {
    if !db.rows(any_env()).await?.is_empty() {
        return Ok(false);
    }
    let hash = password::hash(password).await?;
    let now = db.now().await?;
    let mut transaction = db.begin().await?;
    rows_on(&mut transaction, Sql::new("select pg_advisory_xact_lock(").value(LOCK).text(")")).await?;
    if !rows_on(&mut transaction, any_env()).await?.is_empty() {
        return Ok(false);
    }
    let mut layout = Layout::new(&mut transaction, keys, now);
    write(&mut layout, Databases { shop, warehouse }, &hash).await?;
    transaction.commit().await?;
    Ok(true)
}

fn any_env() -> Sql {
    Sql::new("select 1 from env limit 1")
}

async fn write(layout: &mut Layout<'_>, databases: Databases<'_>, hash: &str) -> Result<()> {
    let places = write_places(layout).await?;
    let people = people::write(layout, &places, hash).await?;
    let connectors = connectors::write(layout, &places, databases).await?;
    let flows = flows::write(layout, &places, &connectors).await?;
    schemas::write(layout).await?;
    history::write(layout, &connectors, &people).await?;
    throughput::write(layout, &flows).await
}

/// The envs and teams that were written, by name.
pub(super) struct Places {
    envs: HashMap<&'static str, Uuid>,
    teams: HashMap<&'static str, Owner>,
}

impl Places {
    /// The id of an env.
    pub(super) fn env(&self, name: &str) -> Result<Uuid> {
        self.envs.get(name).copied().ok_or_else(|| Error::no_such(Env::NAME))
    }

    /// A team and its env, as the owner of what it will own.
    pub(super) fn team(&self, name: &str) -> Result<Owner> {
        self.teams.get(name).copied().ok_or_else(|| Error::no_such(Team::NAME))
    }

    /// The name of a team's env.
    pub(super) fn env_of(&self, team: &str) -> Option<&'static str> {
        let env = self.teams.get(team)?.env?;
        self.envs.iter().find(|(_, id)| **id == env).map(|(name, _)| *name)
    }
}

async fn write_places(layout: &mut Layout<'_>) -> Result<Places> {
    let mut places = Places { envs: HashMap::new(), teams: HashMap::new() };
    for (name, broker, days) in ENVS {
        let id = fresh::<Env>();
        let retention = json!({
            "bootstrapServers": broker,
            "retentionHours": days * 24,
            "saslMechanism": "SCRAM-SHA-512",
            "saslPassword": "a-kafkaesque-secret",
            "saslUsername": "pumphouse",
        });
        let sealed = layout.seal(id, &retention)?;
        let row = json!({"id": id, "name": name, "retention_configuration": sealed, "config_hash": hash(&retention)});
        layout.add::<Env>(row).await?;
        layout.record::<Env>(id, name, Owner { team: None, env: Some(id) }).await?;
        places.envs.insert(name, id);
    }
    for (name, env, description) in TEAMS {
        let env = places.env(env)?;
        let id = layout.add::<Team>(json!({"name": name, "description": description, "env_id": env})).await?;
        let owner = Owner { team: Some(id), env: Some(env) };
        layout.record::<Team>(id, name, owner).await?;
        places.teams.insert(name, owner);
    }
    Ok(places)
}

/// SHA-256 of a document whose keys are in order, in 64 hexadecimal digits.
pub(super) fn hash(document: &Value) -> String {
    hash_text(&document.to_string())
}

/// SHA-256 of a text, in 64 hexadecimal digits.
pub(super) fn hash_text(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}
