//! The error table of a subscription: the rows that could not be delivered, each with the reason.
//!
//! Always holds: it has the rejected rows of the snapshot that the target's table has, no more; without one they are counted only.
//! Several subscriptions may share one. Not here: why a row is rejected (`shape.rs`, `exchange.rs`).

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::worker::table_name::quoted;

use super::error::DeliveryError;
use super::stage::Stage;
use super::wanted::Subscription;

/// Where rejected rows go.
pub(super) struct Rejects<'s> {
    subscription: &'s str,
    /// The table, unless they are counted only.
    table: Option<String>,
}

impl<'s> Rejects<'s> {
    /// Makes the error table if there should be one, and empties it of what this subscription rejected before.
    pub(super) async fn begin(connection: &mut PgConnection, subscription: &'s Subscription) -> Result<Self, DeliveryError> {
        let mut rejects = Self { subscription: &subscription.id, table: None };
        let Some(wanted) = &subscription.error_table else { return Ok(rejects) };
        if !wanted.own {
            let words = "its error table is of another connector, which this worker does not reach; name its own target";
            return Err(DeliveryError::Unfit(words.to_owned()));
        }
        let name = quoted(&wanted.name)?;
        let make = format!(
            "create table if not exists {name} (rejected_at timestamptz not null default clock_timestamp(), subscription_id uuid not null,
             topic text not null, reason text not null, record jsonb not null)"
        );
        connection.execute(AssertSqlSafe(make)).await?;
        let clear = AssertSqlSafe(format!("delete from {name} where subscription_id = $1::uuid"));
        sqlx::query(clear).bind(rejects.subscription).execute(connection).await?;
        rejects.table = Some(name);
        Ok(rejects)
    }

    /// Takes the staged row of this number.
    pub(super) async fn take(&self, connection: &mut PgConnection, stage: &Stage, from: (i64, &str, &str)) -> Result<(), DeliveryError> {
        let Some(table) = &self.table else { return Ok(()) };
        let sql = format!(
            "insert into {table} (subscription_id, topic, reason, record) select $1::uuid, $2, $3, {} from {} where n = $4",
            stage.record(),
            stage.name
        );
        let (row, topic, reason) = from;
        sqlx::query(AssertSqlSafe(sql)).bind(self.subscription).bind(topic).bind(reason).bind(row).execute(connection).await?;
        Ok(())
    }

    /// Takes the staged rows that transforms refused; answers how many there are.
    pub(super) async fn take_refused(&self, connection: &mut PgConnection, stage: &Stage, topic: &str) -> Result<i64, DeliveryError> {
        if !stage.is_shaped() {
            return Ok(0);
        }
        if let Some(table) = &self.table {
            let sql = format!(
                "insert into {table} (subscription_id, topic, reason, record) select $1::uuid, $2, reason, record from {} where reason is not null order by n",
                stage.name
            );
            sqlx::query(AssertSqlSafe(sql)).bind(self.subscription).bind(topic).execute(&mut *connection).await?;
        }
        let count = format!("select count(*) from {} where reason is not null", stage.name);
        Ok(sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(connection).await?)
    }
}
