//! The transaction in which the organisation appears, and how its rows are written.
//!
//! Always holds: a row is given by column names and checked by the database; what has times was made some
//! weeks ago, one thing after another; every thing made has an audit row. Not here: what is written.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use sqlx::postgres::{PgConnection, PgRow};
use uuid::Uuid;

use crate::core::audit::{self, About, Actor};
use crate::core::db::rows_on;
use crate::core::entity::Entity;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;

/// How long ago the organisation began.
const AGE: Duration = Duration::days(60);
/// The time between one thing that was made and the next.
const PACE: Duration = Duration::minutes(11);

/// The organisation while it is being written.
pub(super) struct Layout<'a> {
    connection: &'a mut PgConnection,
    keys: &'a KeyRing,
    now: DateTime<Utc>,
    latest: DateTime<Utc>,
}

impl<'a> Layout<'a> {
    /// A layout whose present is `now`, the database's time.
    pub(super) fn new(connection: &'a mut PgConnection, keys: &'a KeyRing, now: DateTime<Utc>) -> Self {
        Self { connection, keys, now, latest: now - AGE }
    }

    /// The database's time when this began.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Seals a configuration for the row with this id, as the JSON that is stored.
    pub(super) fn seal(&self, row: Uuid, configuration: &Value) -> Result<Value> {
        serde_json::from_str(&self.keys.seal(row, &configuration.to_string())?).map_err(Error::internal)
    }

    /// Runs a statement.
    pub(super) async fn run(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        rows_on(self.connection, sql).await
    }

    /// Writes rows, given as objects with the same column names each.
    pub(super) async fn write(&mut self, table: &str, rows: Vec<Value>) -> Result<()> {
        let Some(Value::Object(first)) = rows.first() else { return Ok(()) };
        let columns: Vec<String> = first.keys().map(|name| format!("\"{name}\"")).collect();
        let columns = columns.join(", ");
        let sql = Sql::new(&format!("insert into {table} ({columns}) select {columns} from json_populate_recordset(null::{table}, "))
            .value(Value::Array(rows).to_string())
            .text("::json)");
        self.run(sql).await?;
        Ok(())
    }

    /// Makes a row of an entity and answers its id, which is new unless the row names one.
    pub(super) async fn add<E: Entity>(&mut self, row: Value) -> Result<Uuid> {
        self.latest += PACE;
        let made = self.latest.to_rfc3339();
        let mut whole = json!({"id": fresh::<E>(), "created_at": made, "updated_at": made});
        let id = match (&mut whole, row) {
            (Value::Object(whole), Value::Object(row)) => {
                whole.extend(row);
                whole.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok())
            }
            _ => None,
        };
        let id = id.ok_or_else(|| Error::invariant("a row of the demo is no object"))?;
        self.write(E::TABLE, vec![whole]).await?;
        Ok(id)
    }

    /// When the newest row was made.
    pub(super) fn latest(&self) -> DateTime<Utc> {
        self.latest
    }

    /// The audit row of something that was made.
    pub(super) async fn record<E: Entity>(&mut self, id: Uuid, name: &str, owner: Owner) -> Result<()> {
        let about = About::row::<E>(id.into()).name(Some(name)).owner(owner);
        audit::record(self.connection, &Actor::System("demo".to_owned()), Verb::Create, about, None).await
    }
}

/// An id for a row of `E`.
pub(super) fn fresh<E>() -> Uuid {
    Id::<E>::random().uuid()
}
