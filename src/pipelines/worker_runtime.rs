//! Every runtime write to a worker: starts, stops and reports, under the lock of its row.
//!
//! Always holds: the state table decides; a superseded generation changes nothing; never are two
//! generations meant to run at once; whoever moves a worker to PAUSED starts it in that same
//! transaction when a restart was wished for (domain.md section 2). Not here: who may ask.

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::redact_text::redact_text;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::write::Write;
use crate::pipelines::worker_states::{self, Effect, Start};
use crate::pipelines::{Connector, Worker, WorkerState};
use async_graphql::Enum;

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 10_000;
/// A clock is noted anew when it is off by so much more or less, in milliseconds: reports do not all travel alike.
pub(crate) const SKEW_STEP: i64 = 1_000;

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

/// Why a report is not taken: the same word for the same refusal, whatever is reported.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
#[graphql(name = "ReportRefusal")]
pub enum Refusal {
    /// Another generation of the worker has taken over: end at once.
    Superseded,
    /// The worker does not exist any more: end at once.
    Gone,
    /// Nothing should run: end at once.
    Paused,
    /// A stop was asked for, so it cannot be what it reports: finish, report PAUSED and end.
    Stopping,
    /// What it is about is not wanted of this worker any more: go on.
    Withdrawn,
}

impl Refusal {
    /// The word for it outside the graph, where it is the same.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Superseded => "SUPERSEDED",
            Self::Gone => "GONE",
            Self::Paused => "PAUSED",
            Self::Stopping => "STOPPING",
            Self::Withdrawn => "WITHDRAWN",
        }
    }

    /// What whoever is refused has to do.
    pub(crate) const fn directive(self) -> Directive {
        match self {
            Self::Superseded | Self::Gone | Self::Paused => Directive::Exit,
            Self::Stopping => Directive::Stop,
            Self::Withdrawn => Directive::Run,
        }
    }
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
    clock_skew: Option<i64>,
    /// When it was locked, by the database's clock; for counts, when they come in.
    pub(crate) at: DateTime<Utc>,
    /// Whether it was heard within the last second, so that another sign of life says nothing new.
    pub(crate) just_heard: bool,
}

/// What came of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) refusal: Option<Refusal>,
    pub(crate) directive: Directive,
    /// Whether the worker is in another state for it.
    pub(crate) changed: bool,
}

/// The columns of a [`Locked`] but for its time, which follows; of a worker `t` and its launch `l`.
const COLUMNS: &str = "select t.id, t.connector_id, t.state, t.launch_generation, l.restart_wanted, l.announced_health = 'HEALTHY', l.clock_skew_ms, coalesce(t.last_heartbeat_at > statement_timestamp() - interval '1 second', false), ";
/// The time of a [`Locked`].
const NOW: &str = "statement_timestamp()";
/// The place of a column after them.
pub(crate) const FURTHER: usize = 9;
/// Where they come from; a condition follows.
const FROM: &str = "worker t join pumphouse.worker_launch l on l.worker_id = t.id where ";
/// Both rows: whoever waited for the lock must see the launch as it is then, not as it was before the wait.
pub(crate) const FOR_CHANGE: &str = " for no key update of t, l";

impl Locked {
    /// The beginning of a statement that locks [`FOR_CHANGE`], with this column after those of a [`Locked`]; a condition follows.
    pub(crate) fn select(further: Sql) -> Sql {
        further.before(", ").before(NOW).before(COLUMNS).text(" from ").text(FROM)
    }

    /// Reads a row of such a statement.
    pub(crate) fn of_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get(0)?,
            connector: row.try_get(1)?,
            state: row.try_get(2)?,
            generation: row.try_get(3)?,
            restart_wanted: row.try_get(4)?,
            announced_healthy: row.try_get(5)?,
            clock_skew: row.try_get(6)?,
            just_heard: row.try_get(7)?,
            at: row.try_get::<Time, _>(8)?.0,
        })
    }
}

/// Locks the worker with this id.
pub(crate) async fn lock(connection: &mut PgConnection, id: Id<Worker>) -> Result<Option<Locked>> {
    lock_where(connection, Sql::new("t.id = ").value(id)).await
}

/// Locks the worker of this connector.
pub(crate) async fn lock_of_connector(connection: &mut PgConnection, connector: Id<Connector>) -> Result<Option<Locked>> {
    lock_where(connection, Sql::new("t.connector_id = ").value(connector)).await
}

async fn lock_where(connection: &mut PgConnection, condition: Sql) -> Result<Option<Locked>> {
    let sql = condition.before(&format!("{COLUMNS}{NOW} from {FROM}")).text(FOR_CHANGE);
    Ok(rows_on(connection, sql).await?.first().map(Locked::of_row).transpose()?)
}

/// Locks the worker that reports what it sends again until it is answered: the commit need not wait for the disk. What it
/// has counted comes in before its row is locked, as the order of locks has it.
pub(crate) async fn lock_reporting(w: &mut Write, id: Id<Worker>, counts: bool) -> Result<Option<Locked>> {
    let (at, first) = if counts { ("r.at", "pumphouse.ingestion_time() r(at) cross join ") } else { (NOW, "") };
    let sql = Sql::new(&format!("{COLUMNS}{at}, {} from {first}{FROM}t.id = ", w.without_waiting())).value(id).text(FOR_CHANGE);
    Ok(w.rows(sql).await?.first().map(Locked::of_row).transpose()?)
}

/// A reason as it is kept: without secrets, cut where it is too long, without what PostgreSQL's text cannot hold. An error
/// must not go unreported for the length or the letters of its words.
pub(crate) fn kept(reason: &str) -> String {
    let reason = redact_text(reason);
    let mut kept: String =
        reason.chars().take(LONGEST_REASON).map(|letter| if letter == '\0' { char::REPLACEMENT_CHARACTER } else { letter }).collect();
    if reason.chars().nth(LONGEST_REASON).is_some() {
        kept.pop();
        kept.push('…');
    }
    kept
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
    let set = Sql::new("generation = ")
        .value(generation)
        .text(", asked_at = clock_timestamp(), launched_at = null, launched_by = null, first_report_at = null, booted_revision = null")
        .text(", restart_wanted = false, restart_wanted_by = null, attempts = 0, clock_skew_ms = null, announced_health = 'STARTING'");
    set_launch(connection, id, set).await?;
    let sql = Sql::new("update worker set state = 'BUILDING', reason = null, stop_requested_at = null, last_heartbeat_at = null")
        .with(", launch_generation = ", generation)
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
    let sql =
        Sql::new("update worker set state = 'STOPPING', reason = null, stop_requested_at = clock_timestamp() where id = ").value(worker.id);
    rows_on(connection, sql).await?;
    Ok(true)
}

/// Restarts a worker: at once when it does not run, else once it has stopped; answers whether that changed anything.
pub(crate) async fn restart(connection: &mut PgConnection, worker: &Locked, by: Option<String>) -> Result<bool> {
    match worker.state {
        WorkerState::Paused => launch(connection, worker.id).await.map(|()| true),
        WorkerState::Stopping if worker.restart_wanted => Ok(false),
        _ => {
            stop(connection, worker).await?;
            wish_restart(connection, worker.id, Some(by)).await.map(|()| true)
        }
    }
}

#[expect(clippy::option_option, reason = "no wish, or a wish whose author may be unknown")]
async fn wish_restart(connection: &mut PgConnection, id: Id<Worker>, wish: Option<Option<String>>) -> Result<()> {
    let sql = Sql::new("update pumphouse.worker_launch set restart_wanted = ")
        .value(wish.is_some())
        .with(", restart_wanted_by = ", wish.flatten())
        .with(" where worker_id = ", id);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Takes a report of what the worker does; its generation is the present one.
///
/// # Errors
/// `VALIDATION` for a report of STOPPING.
pub(crate) async fn report(connection: &mut PgConnection, worker: &Locked, state: WorkerState, reason: Option<&str>) -> Result<Reported> {
    let Some(effect) = worker_states::report(worker.state, state) else {
        return Err(Error::validation("STOPPING is asked of a worker, not reported by it.").field("state"));
    };
    let reason = reason.map(kept);
    match effect {
        Effect::Ignored => {}
        Effect::Refused => heartbeat(connection, worker, None).await?,
        Effect::Heartbeat => heartbeat(connection, worker, reason.filter(|_| state == WorkerState::Error)).await?,
        Effect::To(WorkerState::Paused) => pause(connection, worker, None, true).await?,
        Effect::PausedKeepingReason => pause(connection, worker, reason, true).await?,
        Effect::To(next) => enter(connection, worker, next, reason.filter(|_| next == WorkerState::Error)).await?,
    }
    let refusal = match effect {
        Effect::Refused => Some(Refusal::Stopping),
        Effect::Ignored if state != WorkerState::Paused => Some(Refusal::Paused),
        _ => None,
    };
    let (now, changed) = match effect {
        Effect::To(next) => (next, true),
        Effect::PausedKeepingReason => (WorkerState::Paused, true),
        Effect::Heartbeat | Effect::Refused | Effect::Ignored => (worker.state, false),
    };
    Ok(Reported { refusal, directive: directive(now), changed })
}

/// Notes how far the worker's clock is ahead of ours. Nothing is ever decided by it.
pub(crate) async fn note_clock(connection: &mut PgConnection, worker: &Locked, sent_at: DateTime<Utc>) -> Result<()> {
    let skew = (sent_at - worker.at).num_milliseconds();
    if worker.clock_skew.is_some_and(|known| known.abs_diff(skew) < SKEW_STEP.unsigned_abs()) {
        return Ok(());
    }
    let sql = Sql::new("update pumphouse.worker_launch set clock_skew_ms = ").value(skew).with(" where worker_id = ", worker.id);
    rows_on(connection, sql).await?;
    Ok(())
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
    let mut sql = Sql::new("update worker set last_heartbeat_at = clock_timestamp()");
    // Triggers that look for changes are called for the columns that a statement names.
    if let Some(reason) = reason {
        sql = sql.with(", reason = ", reason);
    }
    rows_on(connection, sql.with(" where id = ", worker.id)).await?;
    end_silence(connection, worker).await
}

/// Notes that a worker is heard which was not known to be: the other half of a heartbeat.
pub(crate) async fn end_silence(connection: &mut PgConnection, worker: &Locked) -> Result<()> {
    if !worker.announced_healthy && worker.state != WorkerState::Error {
        let sql = Sql::new(
            "update pumphouse.worker_launch set first_report_at = coalesce(first_report_at, clock_timestamp()), announced_health = 'HEALTHY' where worker_id = ",
        );
        rows_on(connection, sql.value(worker.id)).await?;
    }
    Ok(())
}

/// Goes to BUILDING, LIVE or ERROR by a report.
async fn enter(connection: &mut PgConnection, worker: &Locked, state: WorkerState, reason: Option<String>) -> Result<()> {
    let health = if state == WorkerState::Error { "INACTIVE" } else { "HEALTHY" };
    set_launch(connection, worker.id, announced(health, true)).await?;
    let sql = Sql::new("update worker set state = ")
        .value(state)
        .with(", reason = ", reason)
        .text(", stop_requested_at = null, last_heartbeat_at = clock_timestamp()")
        .with(" where id = ", worker.id);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Goes to PAUSED, and on to BUILDING at once when a restart is wished for.
pub(crate) async fn pause(connection: &mut PgConnection, worker: &Locked, reason: Option<String>, reported: bool) -> Result<()> {
    set_launch(connection, worker.id, announced("INACTIVE", reported)).await?;
    let sql = Sql::new("update worker set state = 'PAUSED', reason = ")
        .value(reason)
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
    set_launch(connection, worker.id, announced("INACTIVE", false).with(", generation = ", generation)).await?;
    let sql = Sql::new("update worker set stop_requested_at = null, launch_generation = ")
        .value(generation)
        .with(", state = ", state)
        .with(", reason = ", reason.to_owned())
        .with(" where id = ", worker.id);
    rows_on(connection, sql).await?;
    if worker.restart_wanted && state == WorkerState::Paused {
        launch(connection, worker.id).await?;
    }
    Ok(())
}

/// The health that a change of state brings along, and that the worker was heard when it was.
fn announced(health: &'static str, reported: bool) -> Sql {
    let heard = if reported { ", first_report_at = coalesce(first_report_at, clock_timestamp())" } else { "" };
    Sql::new("announced_health = ").value(health).text(heard)
}

/// Changes what is known of a launch without a notice of its own: the change of the worker that it comes with says it.
async fn set_launch(connection: &mut PgConnection, id: Id<Worker>, set: Sql) -> Result<()> {
    let quietly = "with quiet as (select set_config('pumphouse.quiet_health', 'on', true)) update pumphouse.worker_launch set ";
    rows_on(connection, set.before(quietly).with(" from quiet where worker_id = ", id)).await?;
    Ok(())
}
