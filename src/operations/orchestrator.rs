//! The orchestrator: drives every sync run one step at a time, and ends those that have stalled for
//! too long (domain.md section 5).
//!
//! Always holds: it decides on rows as locked; what it does twice changes nothing the second time.

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, Row as _};

use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::{Job, System};
use crate::core::sql::Sql;
use crate::operations::sync_queue::{self as queue, Cause};
use crate::operations::{StalledReason, SyncRun};
use crate::pipelines::worker_runtime::{self as runtime, Locked};
use crate::pipelines::{Connector, PRESENT, WorkerState, WorkerTimings, push_health};

/// When a run without progress counts as stalled, and when it is given up.
#[derive(Clone, Copy, Debug)]
pub struct StallTimings {
    /// Time without progress after which a run is stalled.
    pub stall_after: Duration,
    /// Time after which a stalled run is ended.
    pub abandon_after: Duration,
}

impl Default for StallTimings {
    fn default() -> Self {
        Self { stall_after: Duration::from_mins(1), abandon_after: Duration::from_mins(30) }
    }
}

/// The job that drives sync runs.
pub struct Orchestrator {
    /// When a run counts as stalled.
    pub stalls: StallTimings,
    /// When a worker counts as silent.
    pub workers: WorkerTimings,
}

impl Job for Orchestrator {
    fn name(&self) -> &'static str {
        "orchestrator"
    }

    fn every(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn nudged_by(&self) -> &'static [&'static str] {
        &["worker", "sync_run", "sync_table"]
    }

    fn run<'a>(&'a self, system: &'a System) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let runs = system.db().rows(Sql::new("select id, connector_id from sync_run where status = 'SYNCING' order by id")).await?;
            let mut outcome = Ok(());
            for row in runs {
                // A run that is in trouble keeps no other waiting.
                outcome = self.step(system, row.try_get(0)?, row.try_get(1)?).await.and(outcome);
            }
            outcome
        })
    }
}

impl Orchestrator {
    async fn step(&self, system: &System, run: Id<SyncRun>, connector: Id<Connector>) -> Result<()> {
        let mut transaction = system.begin().await?;
        self.drive(&mut transaction, run, connector).await?;
        Ok(transaction.commit().await?)
    }

    async fn drive(&self, connection: &mut PgConnection, run: Id<SyncRun>, connector: Id<Connector>) -> Result<()> {
        let Some(worker) = runtime::lock_of_connector(connection, connector).await? else { return Ok(()) };
        if !queue::lock_running(connection, run).await? || queue::finish_if_complete(connection, run).await? {
            return Ok(());
        }
        if worker.state == WorkerState::Live {
            queue::adopt(connection, run, worker.generation).await?;
            queue::begin_next_step(connection, run, worker.generation).await?;
        }
        if self.is_abandoned(connection, run).await? {
            let reason =
                format!("abandoned: no progress for {} minutes", (self.stalls.stall_after + self.stalls.abandon_after).as_secs() / 60);
            return queue::cancel(connection, run, Cause::Abandoned, &reason, None).await;
        }
        self.note_stall(connection, run, &worker).await
    }

    async fn is_abandoned(&self, connection: &mut PgConnection, run: Id<SyncRun>) -> Result<bool> {
        let sql = Sql::new("select 1 from sync_run where id = ")
            .with("", run)
            .with(" and stalled_since < clock_timestamp() - ", self.stalls.abandon_after);
        Ok(!rows_on(connection, sql).await?.is_empty())
    }

    /// Notes a stall, and why while it lasts; later rounds never move its beginning.
    async fn note_stall(&self, connection: &mut PgConnection, run: Id<SyncRun>, worker: &Locked) -> Result<()> {
        let mut sql = Sql::new("update sync_run r set stalled_since = coalesce(r.stalled_since, clock_timestamp()), stalled_reason = why.reason")
            .text(" from worker t join pumphouse.worker_launch l on l.worker_id = t.id cross join pumphouse.leader h cross join lateral (select case when ")
            .with("", worker.state != WorkerState::Live)
            .with(" then ", StalledReason::WorkerNotLive)
            .text(" when ");
        push_health(&mut sql, &self.workers, PRESENT);
        let sql = sql
            .with(" = 'UNRESPONSIVE' then ", StalledReason::WorkerUnresponsive)
            .with(" else ", StalledReason::NoProgress)
            .with(" end) why(reason) where t.id = ", worker.id)
            .with(" and r.id = ", run)
            .text(" and case when r.stalled_since is not null then r.stalled_reason is distinct from why.reason")
            .text(" else greatest(r.created_at, h.hearing_since, (select max(p.last_progress_at) from sync_table s join pumphouse.sync_table_progress p on p.sync_table_id = s.id where s.sync_run_id = r.id))")
            .with(" < clock_timestamp() - ", self.stalls.stall_after)
            .text(" end");
        rows_on(connection, sql).await?;
        Ok(())
    }
}
