//! Every runtime write to a worker: starts, stops and reports, under the lock of its row.
//!
//! Always holds: the state table decides; a superseded generation changes nothing; never are two
//! generations meant to run at once; whoever moves a worker to PAUSED starts it in that same
//! transaction when a restart was wished for (domain.md section 2). Not here: who may ask.

use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::pipelines::worker_states::{self, Effect, Start};
use crate::pipelines::{Connector, Worker, WorkerState};
use async_graphql::Enum;

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 10_000;

/// One launch of a worker; its id is what tells the process that is meant to run from all others.
#[derive(Clone, Copy, Debug)]
pub enum Generation {}

/// What a worker is told to do.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
#[graphql(name = "WorkerDirective")]
pub enum Directive {
    /// Go on; no snapshot is wanted.
    Run,
    /// Finish, report PAUSED and end.
    Stop,
    /// End at once: another generation has taken over, or nothing should run.
    Exit,
    /// Read exactly the listed tables now.
    Snapshot,
    /// Deliver everything of the subscription again from the start, then confirm it with `confirmBackfill`.
    Backfill,
}

/// A worker whose row is locked.
#[derive(Clone, Debug)]
pub(crate) struct Locked {
    pub(crate) id: Id<Worker>,
    pub(crate) connector: Id<Connector>,
    pub(crate) state: WorkerState,
    pub(crate) generation: Uuid,
    restart_wanted: bool,
    announced_healthy: bool,
}

/// What came of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) accepted: bool,
    pub(crate) directive: Directive,
}

const LOCK: &str = "
select w.id, w.connector_id, w.state, w.launch_generation, l.restart_wanted, l.announced_health = 'HEALTHY'
from worker w
join pumphouse.worker_launch l on l.worker_id = w.id
where ";

/// Locks the worker with this id.
pub(crate) async fn lock(connection: &mut PgConnection, id: Id<Worker>) -> Result<Option<Locked>> {
    lock_where(connection, Sql::new(LOCK).with("w.id = ", id)).await
}

/// Locks the worker of this connector.
pub(crate) async fn lock_of_connector(connection: &mut PgConnection, connector: Id<Connector>) -> Result<Option<Locked>> {
    lock_where(connection, Sql::new(LOCK).with("w.connector_id = ", connector)).await
}

async fn lock_where(connection: &mut PgConnection, sql: Sql) -> Result<Option<Locked>> {
    // Both rows: whoever waited for the lock must see the launch as it is then, not as it was before the wait.
    let rows = rows_on(connection, sql.text(" for no key update of w, l")).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(Locked {
        id: row.try_get(0)?,
        connector: row.try_get(1)?,
        state: row.try_get(2)?,
        generation: row.try_get(3)?,
        restart_wanted: row.try_get(4)?,
        announced_healthy: row.try_get(5)?,
    }))
}

/// Starts a worker that does not run; answers whether that changed anything.
pub(crate) async fn start(connection: &mut PgConnection, worker: &Locked) -> Result<bool> {
    match worker_states::start(worker.state) {
        Start::Already => Ok(false),
        Start::Conflict => Err(Error::conflict("The worker is still stopping; start it once it is PAUSED.").field("workerId")),
        Start::Launch => launch(connection, worker.id).await.map(|()| true),
    }
}

/// Puts a new generation in place, to be launched.
pub(crate) async fn launch(connection: &mut PgConnection, id: Id<Worker>) -> Result<()> {
    let generation = Id::<Generation>::random().uuid();
    let sql = Sql::new("with quiet as (select set_config('pumphouse.quiet_health', 'on', true)), launch as (update pumphouse.worker_launch set generation = ")
        .with("", generation)
        .text(", asked_at = clock_timestamp(), launched_at = null, launched_by = null, first_report_at = null, booted_revision = null")
        .text(", restart_wanted = false, restart_wanted_by = null, attempts = 0, announced_health = 'STARTING' from quiet")
        .with(" where worker_id = ", id)
        .text(") update worker set state = 'BUILDING', reason = null, stop_requested_at = null, last_heartbeat_at = null, launch_generation = ")
        .with("", generation)
        .with(" where id = ", id);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Asks a worker to stop, and forgets a wish for a restart; answers whether that changed anything.
pub(crate) async fn stop(connection: &mut PgConnection, worker: &Locked) -> Result<bool> {
    if worker.restart_wanted {
        wish_restart(connection, worker.id, None).await?;
    }
    if !worker_states::stops(worker.state) {
        return Ok(worker.restart_wanted);
    }
    let sql = Sql::new("update worker set state = 'STOPPING', reason = null, stop_requested_at = clock_timestamp() where id = ")
        .with("", worker.id);
    rows_on(connection, sql).await?;
    Ok(true)
}

/// Restarts a worker: at once when it does not run, else once it has stopped.
pub(crate) async fn restart(connection: &mut PgConnection, worker: &Locked, by: Option<String>) -> Result<()> {
    if worker.state == WorkerState::Paused {
        return launch(connection, worker.id).await;
    }
    stop(connection, worker).await?;
    wish_restart(connection, worker.id, Some(by)).await
}

#[expect(clippy::option_option, reason = "no wish, or a wish whose author may be unknown")]
async fn wish_restart(connection: &mut PgConnection, id: Id<Worker>, wish: Option<Option<String>>) -> Result<()> {
    let sql = Sql::new("update pumphouse.worker_launch set restart_wanted = ")
        .with("", wish.is_some())
        .with(", restart_wanted_by = ", wish.flatten())
        .with(" where worker_id = ", id);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Takes a report of what the worker does.
///
/// # Errors
/// `VALIDATION` for a report of STOPPING.
pub(crate) async fn report(
    connection: &mut PgConnection,
    worker: &Locked,
    generation: Uuid,
    state: WorkerState,
    reason: Option<&str>,
) -> Result<Reported> {
    if generation != worker.generation {
        return Ok(Reported { accepted: false, directive: Directive::Exit });
    }
    let Some(effect) = worker_states::report(worker.state, state) else {
        return Err(Error::validation("STOPPING is asked of a worker, not reported by it.").field("state"));
    };
    let reason = reason.map(|reason| reason.chars().take(LONGEST_REASON).collect::<String>());
    match effect {
        Effect::Ignored => {}
        Effect::Refused => heartbeat(connection, worker, None).await?,
        Effect::Heartbeat => heartbeat(connection, worker, reason.filter(|_| state == WorkerState::Error)).await?,
        Effect::To(WorkerState::Paused) => pause(connection, worker, None, true).await?,
        Effect::PausedKeepingReason => pause(connection, worker, reason, true).await?,
        Effect::To(next) => enter(connection, worker, next, reason.filter(|_| next == WorkerState::Error)).await?,
    }
    let (accepted, now) = match effect {
        Effect::To(next) => (true, next),
        Effect::PausedKeepingReason => (true, WorkerState::Paused),
        Effect::Heartbeat => (true, worker.state),
        Effect::Refused => (false, worker.state),
        Effect::Ignored => (state == WorkerState::Paused, worker.state),
    };
    Ok(Reported { accepted, directive: directive(now) })
}

/// What the current generation of a worker in this state is told.
pub(crate) const fn directive(state: WorkerState) -> Directive {
    match state {
        WorkerState::Stopping => Directive::Stop,
        WorkerState::Paused => Directive::Exit,
        WorkerState::Building | WorkerState::Live | WorkerState::Error => Directive::Run,
    }
}

/// Notes a sign of life; silent unless it ends a silence or brings a new reason.
pub(crate) async fn heartbeat(connection: &mut PgConnection, worker: &Locked, reason: Option<String>) -> Result<()> {
    let sql = Sql::new("update worker set last_heartbeat_at = clock_timestamp(), reason = coalesce(")
        .with("", reason)
        .with(", reason) where id = ", worker.id);
    rows_on(connection, sql).await?;
    let ends_silence = !worker.announced_healthy && worker.state != WorkerState::Error;
    if ends_silence {
        let sql = Sql::new(
            "update pumphouse.worker_launch set first_report_at = coalesce(first_report_at, clock_timestamp()), announced_health = 'HEALTHY' where worker_id = ",
        );
        rows_on(connection, sql.with("", worker.id)).await?;
    }
    Ok(())
}

/// Goes to BUILDING, LIVE or ERROR by a report.
async fn enter(connection: &mut PgConnection, worker: &Locked, state: WorkerState, reason: Option<String>) -> Result<()> {
    let health = if state == WorkerState::Error { "INACTIVE" } else { "HEALTHY" };
    quiet_health(connection, worker.id, health, true).await?;
    let sql = Sql::new("update worker set state = ")
        .with("", state)
        .with(", reason = ", reason)
        .text(", stop_requested_at = null, last_heartbeat_at = clock_timestamp()")
        .with(" where id = ", worker.id);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Goes to PAUSED, and on to BUILDING at once when a restart is wished for.
pub(crate) async fn pause(connection: &mut PgConnection, worker: &Locked, reason: Option<String>, reported: bool) -> Result<()> {
    quiet_health(connection, worker.id, "INACTIVE", reported).await?;
    let sql = Sql::new("update worker set state = 'PAUSED', reason = ")
        .with("", reason)
        .with(", stop_requested_at = null, last_heartbeat_at = case when ", reported)
        .text(" then clock_timestamp() else last_heartbeat_at end")
        .with(" where id = ", worker.id);
    rows_on(connection, sql).await?;
    if worker.restart_wanted {
        launch(connection, worker.id).await?;
    }
    Ok(())
}

/// Ends a generation that did not do what it was told: nothing it says counts any more.
pub(crate) async fn rotate(connection: &mut PgConnection, worker: &Locked, state: WorkerState, reason: &str) -> Result<()> {
    let generation = Id::<Generation>::random().uuid();
    let sql = Sql::new("with quiet as (select set_config('pumphouse.quiet_health', 'on', true)), launch as (update pumphouse.worker_launch set announced_health = 'INACTIVE', generation = ")
        .with("", generation)
        .with(" from quiet where worker_id = ", worker.id)
        .text(") update worker set stop_requested_at = null, launch_generation = ")
        .with("", generation)
        .with(", state = ", state)
        .with(", reason = ", reason.to_owned())
        .with(" where id = ", worker.id);
    rows_on(connection, sql).await?;
    if worker.restart_wanted && state == WorkerState::Paused {
        launch(connection, worker.id).await?;
    }
    Ok(())
}

/// Sets the health that a change of state brings along without a notice of its own.
async fn quiet_health(connection: &mut PgConnection, id: Id<Worker>, health: &'static str, reported: bool) -> Result<()> {
    let sql = Sql::new(
        "with quiet as (select set_config('pumphouse.quiet_health', 'on', true)) update pumphouse.worker_launch set announced_health = ",
    )
    .with("", health)
    .with(", first_report_at = case when ", reported)
    .text(" then coalesce(first_report_at, clock_timestamp()) else first_report_at end from quiet")
    .with(" where worker_id = ", id);
    rows_on(connection, sql).await?;
    Ok(())
}
