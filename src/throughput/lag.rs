//! How far a subscription is behind: a gauge, never summed.

use std::collections::HashMap;

use async_graphql::Context;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::error::Result;
use crate::core::read::Read;
use crate::core::scalars::BigInt;
use crate::core::sql::Sql;
use crate::pipelines::PipelineSubscription;

/// The latest lag that was measured within five minutes; by the database's clock, as a worker's may be wrong.
pub(crate) async fn of_subscription(row: &PipelineSubscription, ctx: &Context<'_>) -> Result<Option<BigInt>> {
    let read = Read::of(ctx)?;
    let lag: Option<i64> = read
        .batch("consumer lag", row.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let sql = Sql::new("select k.id, m.consumer_lag from unnest(").value(ids).text(
                "::uuid[]) k(id) cross join lateral (select l.consumer_lag from consumption_metric l
                        where l.subscription_id = k.id and l.created_at > now() - interval '5 minutes' and l.consumer_lag is not null
                        order by l.created_at desc, l.to_ts desc limit 1) m",
            );
            let rows = read.db().rows(sql).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<HashMap<_, _>>>()
        })
        .await?;
    Ok(lag.map(BigInt))
}
