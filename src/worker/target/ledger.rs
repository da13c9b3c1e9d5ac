//! How far each subscription is, kept in the database that it is delivered into: schema `pumphouse_delivery`.
//!
//! `progress` has a row for each subscription: the position of the last segment that was taken, the snapshot that is being
//! staged, the table that holds its rows, and the backfill for which it began anew. `report` has what the API has not yet been
//! told. Always holds: both change in the transaction that delivers, under the lock of the subscription's row, so two workers
//! never deliver the same. Not here: the staging tables, which lie beside them (`stage.rs`).

use sqlx::postgres::PgConnection;
use sqlx::types::Json;
use sqlx::{Executor as _, FromRow};

use super::error::DeliveryError;
use super::shape::Fields;
use super::wanted::Subscription;

/// Made once in a database, whoever comes first.
const MAKE: &str = "
select pg_advisory_xact_lock(hashtext('pumphouse_delivery'));
create schema if not exists pumphouse_delivery;
comment on schema pumphouse_delivery is 'How far Pumphouse''s workers have delivered into this database.';
create table if not exists pumphouse_delivery.progress (
  subscription_id uuid primary key,
  topic text not null,
  target_table text not null,
  position bigint not null default 0,
  snapshot text,
  segment integer not null default 0,
  fields jsonb not null default '{}',
  table_id oid,
  begun_for uuid,
  delivered_for uuid,
  updated_at timestamptz not null default clock_timestamp()
);
create table if not exists pumphouse_delivery.report (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null,
  number bigint generated always as identity,
  began_at bigint not null,
  ended_at bigint not null,
  consumed bigint not null,
  delivered bigint not null,
  errors bigint not null,
  lag bigint not null
);";

/// How far a subscription is.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Progress {
    /// The position of the last segment that was taken; 0 before the first.
    pub(super) position: i64,
    /// The snapshot that is being staged.
    pub(super) snapshot: Option<String>,
    /// Which segment of it was the last.
    pub(super) segment: i32,
    /// The fields that its transforms have made so far.
    pub(super) fields: Json<Fields>,
    /// The table that holds its rows.
    pub(super) table_id: Option<i64>,
    /// The backfill for which it has begun anew.
    pub(super) begun_for: Option<String>,
    /// The backfill for which everything was delivered again.
    pub(super) delivered_for: Option<String>,
}

const READ: &str = "select position, snapshot, segment, fields, table_id::bigint, begun_for::text, delivered_for::text
from pumphouse_delivery.progress where subscription_id = $1::uuid for update";

/// Another source or another table is another delivery, from the start.
const OPEN: &str = "insert into pumphouse_delivery.progress as p (subscription_id, topic, target_table) values ($1::uuid, $2, $3)
on conflict (subscription_id) do update set topic = excluded.topic, target_table = excluded.target_table, position = 0,
  snapshot = null, segment = 0, fields = '{}', updated_at = clock_timestamp()
where (p.topic, p.target_table) is distinct from (excluded.topic, excluded.target_table)";

/// Makes sure that the tables and the subscription's row are there.
pub(super) async fn open(connection: &mut PgConnection, subscription: &Subscription) -> Result<(), DeliveryError> {
    let there: bool = sqlx::query_scalar("select to_regclass('pumphouse_delivery.report') is not null").fetch_one(&mut *connection).await?;
    if !there {
        // Several statements in one message are one transaction.
        connection.execute(MAKE).await?;
    }
    let source = format!("{} {}", subscription.topic(), subscription.source_table.as_deref().unwrap_or_default());
    sqlx::query(OPEN).bind(&subscription.id).bind(source).bind(&subscription.target_table).execute(connection).await?;
    Ok(())
}

/// Reads and locks the row.
pub(super) async fn lock(connection: &mut PgConnection, subscription: &str) -> Result<Progress, DeliveryError> {
    Ok(sqlx::query_as(READ).bind(subscription).fetch_one(connection).await?)
}

/// Begins anew for a backfill, unless that was done for this one.
pub(super) async fn begin_for(connection: &mut PgConnection, subscription: &str, backfill: &str) -> Result<bool, DeliveryError> {
    let sql = "update pumphouse_delivery.progress set begun_for = $2::uuid, position = 0, snapshot = null, segment = 0, fields = '{}',
      updated_at = clock_timestamp() where subscription_id = $1::uuid and begun_for is distinct from $2::uuid";
    Ok(sqlx::query(sql).bind(subscription).bind(backfill).execute(connection).await?.rows_affected() > 0)
}

/// Writes how far the subscription is now.
pub(super) async fn advance(connection: &mut PgConnection, subscription: &str, progress: &Progress) -> Result<(), DeliveryError> {
    let sql = "update pumphouse_delivery.progress set position = $2, snapshot = $3, segment = $4, fields = $5, table_id = $6::bigint::oid,
      delivered_for = $7::uuid, updated_at = clock_timestamp() where subscription_id = $1::uuid";
    sqlx::query(sql)
        .bind(subscription)
        .bind(progress.position)
        .bind(&progress.snapshot)
        .bind(progress.segment)
        .bind(&progress.fields)
        .bind(progress.table_id)
        .bind(&progress.delivered_for)
        .execute(connection)
        .await?;
    Ok(())
}

/// Says that a table holds this subscription's rows from now on, and no other's.
pub(super) async fn take_over(connection: &mut PgConnection, subscription: &str, table: i64) -> Result<(), DeliveryError> {
    let sql = "update pumphouse_delivery.progress set table_id = null where table_id = $2::bigint::oid and subscription_id <> $1::uuid";
    sqlx::query(sql).bind(subscription).bind(table).execute(connection).await?;
    Ok(())
}
