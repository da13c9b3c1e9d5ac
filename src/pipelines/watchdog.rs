//! The watchdog: what becomes of workers that do not report (domain.md section 2).
//!
//! Always holds: it decides on the row as locked, so it never overwrites a report that committed
//! first; nothing but a stop timeout, a launch timeout and the announced health is changed by silence; what it gives up is
//! in the audit log.

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::Row as _;

use crate::core::audit::{self, About, Actor};
use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::{Job, LeaderContext, REPORTS_COULD_ARRIVE};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::pipelines::worker_runtime as runtime;
use crate::pipelines::{PRESENT, Worker, WorkerState, WorkerTimings, connector_on, push_health};

/// The job that watches workers.
pub struct Watchdog {
    /// When silence means something.
    pub timings: WorkerTimings,
}

impl Job for Watchdog {
    fn name(&self) -> &'static str {
        "watchdog"
    }

    fn every(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            // One that fails keeps no other from its work.
            let outcomes = [self.unconfirmed_stops(system).await, self.failed_launches(system).await, self.crossings(system).await];
            outcomes.into_iter().collect()
        })
    }
}

/// A stop that was not confirmed in time.
const OVERDUE_STOP: &str = "select w.id from worker w where w.state = 'STOPPING' and w.stop_requested_at < clock_timestamp() - ";
/// A launch from which nothing was heard, in time that we could have heard it; more follows.
const OVERDUE_LAUNCH: &str = "select w.id from worker w join pumphouse.worker_launch l on l.worker_id = w.id cross join pumphouse.leader h
where w.state = 'BUILDING' and w.last_heartbeat_at is null and ";

impl Watchdog {
    async fn unconfirmed_stops(&self, system: &LeaderContext) -> Result<()> {
        self.rotate_overdue(system, OVERDUE_STOP.to_owned(), self.timings.stop_timeout, WorkerState::Paused, "stop not confirmed").await
    }

    async fn failed_launches(&self, system: &LeaderContext) -> Result<()> {
        let overdue = format!("{OVERDUE_LAUNCH}{REPORTS_COULD_ARRIVE} and greatest(l.asked_at, h.hearing_since) < clock_timestamp() - ");
        self.rotate_overdue(system, overdue, self.timings.launch_timeout, WorkerState::Error, "launch timed out").await
    }

    async fn rotate_overdue(
        &self,
        system: &LeaderContext,
        overdue: String,
        limit: Duration,
        state: WorkerState,
        reason: &str,
    ) -> Result<()> {
        let rows = system.db().rows(Sql::new(&overdue).value(limit).text(" order by w.id")).await?;
        let mut outcome = Ok(());
        for row in rows {
            let id: Id<Worker> = row.try_get(0)?;
            // Asked again under the lock: a report may have come first.
            let still = Sql::new(&overdue).value(limit).with(" and w.id = ", id);
            outcome = rotate_if(system, id, still, state, reason).await.and(outcome);
        }
        outcome
    }

    /// Announces every health that time alone has changed. A row that a report holds is left for the next
    /// round, and one whose report has just committed is judged as it is now.
    async fn crossings(&self, system: &LeaderContext) -> Result<()> {
        let mut sql = Sql::new("with crossed as (select t.id, ");
        push_health(&mut sql, &self.timings, PRESENT);
        sql.push(
            " as health from worker t join pumphouse.worker_launch l on l.worker_id = t.id cross join pumphouse.leader h
            where (t.state in ('BUILDING', 'LIVE', 'STOPPING') or l.announced_health <> 'INACTIVE') and l.announced_health <> ",
        );
        push_health(&mut sql, &self.timings, PRESENT);
        let sql = sql.text(
            " order by t.id for no key update of t, l skip locked)
            update pumphouse.worker_launch l set announced_health = crossed.health from crossed where l.worker_id = crossed.id",
        );
        let mut transaction = system.begin().await?;
        rows_on(&mut transaction, sql).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Rotates the worker if, with its row locked, this still finds it.
async fn rotate_if(system: &LeaderContext, id: Id<Worker>, still: Sql, state: WorkerState, reason: &str) -> Result<()> {
    let mut transaction = system.begin().await?;
    let Some(worker) = runtime::lock(&mut transaction, id).await? else { return Ok(()) };
    if rows_on(&mut transaction, still).await?.is_empty() {
        return Ok(());
    }
    runtime::rotate(&mut transaction, &worker, state, reason).await?;
    let (name, owner) = connector_on(&mut transaction, worker.connector).await?;
    let about = About::row(worker.id).name(name.as_deref()).owner(owner).fields(&["state"]);
    audit::record(&mut transaction, &Actor::System("watchdog".to_owned()), Verb::Stop, about, None).await?;
    Ok(transaction.commit().await?)
}
