//! The orchestrator: drives every sync run one step at a time, and ends those that have stalled for
//! too long (domain.md section 5).
//!
//! Always holds: it decides on rows as locked; what it does twice changes nothing the second time.

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, Row as _};

use crate::core::audit::{self, About, Actor};
use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::{Job, LeaderContext, REPORTS_COULD_ARRIVE};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::operations::sync_queue as queue;
use crate::operations::{StalledReason, SyncEndCause, SyncRun};
use crate::pipelines::worker_runtime as runtime;
use crate::pipelines::{Connector, PRESENT, WorkerState, WorkerTimings, connector_on, push_health};

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

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let runs = system.db().rows(self.waiting()).await?;
            let mut outcome = Ok(());
            for row in runs {
                // A run that is in trouble keeps no other waiting.
                outcome = self.step(system, row.try_get(0)?, row.try_get(1)?).await.and(outcome);
            }
            outcome
        })
    }
}

/// A run `r` that is under way, its tally `y`, the leader `h`, and the worker `t` with its launch `l`, if the connector has one.
const RUNNING: &str = " from sync_run r
join pumphouse.sync_run_tally y on y.sync_run_id = r.id
cross join pumphouse.leader h
left join (worker t join pumphouse.worker_launch l on l.worker_id = t.id) on t.connector_id = r.connector_id
where (case when r.status = 'SYNCING' then r.connector_id end) is not null";

impl Orchestrator {
    /// The runs that something is to be done about; most are just being read. Each is looked at again under its lock.
    fn waiting(&self) -> Sql {
        let mut sql = Sql::new("select r.id, r.connector_id").text(RUNNING).text(
            " and (y.ended = y.tables or t.state = 'LIVE' and (y.reading = 0 or exists (
            select 1 from sync_table s join pumphouse.sync_table_progress p on p.sync_table_id = s.id
            where s.sync_run_id = r.id and s.status = 'IN_PROGRESS' and p.generation is distinct from t.launch_generation)) or ",
        );
        self.push_overdue(&mut sql);
        sql.push(" or ");
        self.push_stalls(&mut sql);
        sql.text(") order by r.id")
    }

    async fn step(&self, system: &LeaderContext, run: Id<SyncRun>, connector: Id<Connector>) -> Result<()> {
        let mut transaction = system.begin().await?;
        self.drive(&mut transaction, run, connector).await?;
        Ok(transaction.commit().await?)
    }

    async fn drive(&self, connection: &mut PgConnection, run: Id<SyncRun>, connector: Id<Connector>) -> Result<()> {
        let worker = runtime::lock_of_connector(connection, connector).await?;
        if !queue::lock_running(connection, run).await? || queue::finish_if_complete(connection, run).await? {
            return Ok(());
        }
        if let Some(worker) = worker.filter(|worker| worker.state == WorkerState::Live) {
            queue::adopt(connection, run, worker.generation).await?;
            if queue::finish_if_complete(connection, run).await? {
                return Ok(());
            }
            queue::begin_next_step(connection, run, worker.generation).await?;
        }
        if self.is_abandoned(connection, run).await? {
            let seconds = (self.stalls.stall_after + self.stalls.abandon_after).as_secs();
            let time = if seconds < 120 { format!("{seconds} seconds") } else { format!("{} minutes", seconds / 60) };
            let reason = format!("abandoned: no progress for {time}");
            queue::cancel(connection, run, SyncEndCause::Abandoned, &reason, None).await?;
            let (name, owner) = connector_on(connection, connector).await?;
            let about = About::row(run).name(name.as_deref()).owner(owner).fields(&["status"]);
            return audit::record(connection, &Actor::System(self.name().to_owned()), Verb::Cancel, about, None).await;
        }
        self.note_stall(connection, run).await
    }

    async fn is_abandoned(&self, connection: &mut PgConnection, run: Id<SyncRun>) -> Result<bool> {
        let mut sql = Sql::new("select 1").text(RUNNING).with(" and r.id = ", run).text(" and ");
        self.push_overdue(&mut sql);
        Ok(!rows_on(connection, sql).await?.is_empty())
    }

    /// Notes a stall, and why while it lasts; later rounds never move its beginning.
    async fn note_stall(&self, connection: &mut PgConnection, run: Id<SyncRun>) -> Result<()> {
        let mut sql = Sql::new(
            "update sync_run set stalled_since = coalesce(stalled_since, clock_timestamp()), stalled_reason = d.reason from (select r.id, ",
        );
        self.push_reason(&mut sql);
        let mut sql = sql.text(" as reason").text(RUNNING).with(" and r.id = ", run).text(" and ");
        self.push_stalls(&mut sql);
        rows_on(connection, sql.text(") d where sync_run.id = d.id")).await?;
        Ok(())
    }

    /// Whether a run has been stalled for too long, in time that we could have heard of progress.
    fn push_overdue(&self, sql: &mut Sql) {
        sql.push(REPORTS_COULD_ARRIVE);
        sql.push(" and r.stalled_since is not null and greatest(r.stalled_since, h.hearing_since) < clock_timestamp() - ");
        sql.bind(self.stalls.abandon_after);
    }

    /// Whether a run has just come to be stalled, or is for another reason than was noted.
    fn push_stalls(&self, sql: &mut Sql) {
        sql.push("case when r.stalled_since is not null then r.stalled_reason is distinct from ");
        self.push_reason(sql);
        sql.push(" else ");
        sql.push(REPORTS_COULD_ARRIVE);
        sql.push(" and greatest(r.created_at, h.hearing_since, y.last_progress_at) < clock_timestamp() - ");
        sql.bind(self.stalls.stall_after);
        sql.push(" end");
    }

    /// Why a run makes no progress, if it makes none.
    fn push_reason(&self, sql: &mut Sql) {
        sql.push("case when t.state is distinct from 'LIVE' then ");
        sql.bind(StalledReason::WorkerNotLive);
        sql.push(" when ");
        push_health(sql, &self.workers, PRESENT);
        sql.push(" = 'UNRESPONSIVE' then ");
        sql.bind(StalledReason::WorkerUnresponsive);
        sql.push(" else ");
        sql.bind(StalledReason::NoProgress);
        sql.push(" end");
    }
}
