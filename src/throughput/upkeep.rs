//! What the leader does for throughput, hourly and when it begins to lead: partitions, rollup, retention.
//!
//! Always holds: raw rows go only once their day is summed up; without a partition of its own a day's rows lie in the
//! default one, so that reports never fail for want of one; every step may be repeated. Not here: the sums (`rollup.rs`).

use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::leader::{Job, LeaderContext};
use crate::core::sql::Sql;
use crate::throughput::rollup::roll_up;

/// How long it is remembered that a batch was applied.
const BATCHES_KEPT: &str = "24 hours";
/// Partitions are made for yesterday, for what is late, to a week from now.
const MAKE: &str = "select pumphouse.ensure_metric_partitions(1, 7)";
/// Whoever waits for the lock of a table keeps all others waiting behind; it can be had an hour later as well.
pub(crate) const IMPATIENCE: &str = "set local lock_timeout = '1s'";

/// The job that keeps the metrics in order.
#[derive(Clone, Copy, Debug)]
pub struct Upkeep {
    /// How long raw rows are kept.
    pub retention: Duration,
}

impl Job for Upkeep {
    fn name(&self) -> &'static str {
        "throughput"
    }

    fn every(&self) -> Duration {
        Duration::from_hours(1)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            // One that fails keeps no other from its work.
            let outcomes = [
                on_tables(system, Sql::new(MAKE)).await,
                roll_up(system).await,
                on_tables(system, self.drop_expired()).await,
                forget_batches(system).await,
            ];
            outcomes.into_iter().collect()
        })
    }
}

impl Upkeep {
    /// Drops whole days: of what is older than the retention, what is summed up.
    fn drop_expired(&self) -> Sql {
        Sql::new("select pumphouse.drop_metric_days(d.last) from (select least(w.day, ((clock_timestamp() - ")
            .value(self.retention)
            .text("::interval) at time zone 'UTC')::date - 1) as last from pumphouse.job_watermark w where w.job = 'rollup') d")
            .text(" where d.last > coalesce((select day from pumphouse.job_watermark where job = 'retention'), '-infinity')")
    }
}

/// Makes or drops partitions.
async fn on_tables(system: &LeaderContext, sql: Sql) -> Result<()> {
    let mut transaction = system.begin().await?;
    rows_on(&mut transaction, Sql::new(IMPATIENCE)).await?;
    rows_on(&mut transaction, sql).await?;
    Ok(transaction.commit().await?)
}

async fn forget_batches(system: &LeaderContext) -> Result<()> {
    let delete = format!(
        "delete from pumphouse.metric_batch where (worker_id, kind, batch_id) in (select worker_id, kind, batch_id
         from pumphouse.metric_batch where at < clock_timestamp() - interval '{BATCHES_KEPT}' order by at limit "
    );
    system.delete_in_batches(|most| Sql::new(&delete).value(most).text(" for update skip locked) returning 1")).await
}
