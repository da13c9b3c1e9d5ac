//! Tells the API what a subscription has read and delivered.
//!
//! Always holds: what a transaction did is noted in it, told under a name of its own until the API has taken it, and forgotten only
//! then, so it counts once however often worker, API or database fail between. The lag is told once a minute besides.

use sqlx::postgres::PgConnection;

use crate::core::id::Id;
use crate::worker::api::{ApiError, own_clock_millis};
use crate::worker::columns::CLOCK;
use crate::worker::counts::report_consumption;
use crate::worker::shared::Shared;

use super::error::DeliveryError;
use super::exchange::Exchanged;

/// A note that the API has not been told yet.
#[derive(sqlx::FromRow)]
struct Note {
    id: String,
    began_at: i64,
    ended_at: i64,
    consumed: i64,
    delivered: i64,
    errors: i64,
    lag: i64,
}

/// Notes what a transaction did that began at this time, and how many rows wait after it.
pub(super) async fn note(
    connection: &mut PgConnection,
    subscription: &str,
    (began, lag): (i64, i64),
    (consumed, exchanged): (i64, &Exchanged),
) -> Result<(), DeliveryError> {
    let ended: i64 = sqlx::query_scalar(CLOCK).fetch_one(&mut *connection).await?;
    let sql = "insert into pumphouse_delivery.report (subscription_id, began_at, ended_at, consumed, delivered, errors, lag)
      values ($1::uuid, $2, $3, $4, $5, $6, $7)";
    sqlx::query(sql)
        .bind(subscription)
        .bind(began)
        .bind(ended.max(began))
        .bind(consumed)
        .bind(exchanged.delivered)
        .bind(exchanged.errors)
        .bind(lag)
        .execute(connection)
        .await?;
    Ok(())
}

/// Tells what was noted, in its order.
pub(super) async fn tell(connection: &mut PgConnection, shared: &Shared, subscription: &str) -> Result<(), DeliveryError> {
    let sql = "select id::text, began_at, ended_at, consumed, delivered, errors, lag from pumphouse_delivery.report
      where subscription_id = $1::uuid order by number";
    let notes: Vec<Note> = sqlx::query_as(sql).bind(subscription).fetch_all(&mut *connection).await?;
    for note in notes {
        report(shared, note.id.clone(), note.row(subscription)).await?;
        let told = "delete from pumphouse_delivery.report where id = $1::uuid";
        sqlx::query(told).bind(&note.id).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Tells how many rows wait.
pub(super) async fn tell_lag(shared: &Shared, subscription: &str, lag: i64) -> Result<(), DeliveryError> {
    enum Batch {}
    let now = own_clock_millis();
    let note = Note { id: Id::<Batch>::random().to_string(), began_at: now, ended_at: now, consumed: 0, delivered: 0, errors: 0, lag };
    report(shared, note.id.clone(), note.row(subscription)).await
}

async fn report(shared: &Shared, batch: String, row: report_consumption::ConsumptionRowInput) -> Result<(), DeliveryError> {
    match shared.api.report_consumption(&shared.who, batch, vec![row]).await {
        Ok(answer) => shared.obey(&answer.directive),
        // The same would be refused again: the subscription is gone, for one.
        Err(ApiError::Refused { code, message }) => tracing::error!(%code, %message, "the report of what was consumed was refused"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

impl Note {
    fn row(&self, subscription: &str) -> report_consumption::ConsumptionRowInput {
        report_consumption::ConsumptionRowInput {
            subscription_id: subscription.to_owned(),
            topic: None,
            from_ts: self.began_at,
            to_ts: self.ended_at,
            consumed_count: self.consumed,
            delivered_count: self.delivered,
            error_count: Some(self.errors),
            consumer_lag: Some(self.lag),
        }
    }
}
