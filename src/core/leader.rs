//! Leadership: of any number of replicas, one runs the jobs.
//!
//! Always holds: the leader holds a session lock on a connection of its own, and gives up when that
//! connection is slow or gone; a job's transaction re-checks the epoch, so a leader that was cut off
//! and does not know it yet changes nothing (domain.md section 5). Every job is safe to run twice.
//! Not here: what the jobs do.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use metrics::{counter, gauge, histogram};
use sqlx::{PgConnection, Row as _};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::core::db::{Db, Transaction, rows_on};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::live::{Change, Feed, LiveEvent};
use crate::core::metric;
use crate::core::sql::Sql;
use crate::core::task::supervise;

/// The advisory lock that the leader holds.
const LOCK: i64 = 0x7075_6d70_686f_7573;
/// How often the leader proves its connection.
const PING_EVERY: Duration = Duration::from_secs(2);
/// A ping slower than this ends the leadership.
const SLOWEST_PING: Duration = Duration::from_secs(4);
/// How often the others ask for the lock.
const ASK_EVERY: Duration = Duration::from_secs(1);
/// The server ends a leader's session that is silent for so long, and with it the lock.
const IDLE_LIMIT: &str = "set idle_session_timeout = '8s'";
/// Rows that are deleted in one transaction.
const BATCH: i64 = 1_000;
/// SQL: reports are heard, as far as the leader's row `h` says: without a break while leaders follow each other within this time.
pub(crate) const REPORTS_COULD_ARRIVE: &str = "h.heard_at > clock_timestamp() - interval '10 seconds'";

/// Work that the leader does again and again.
pub trait Job: Send + Sync + 'static {
    /// Its name in metrics and logs.
    fn name(&self) -> &'static str;
    /// How often it runs when nothing nudges it.
    fn every(&self) -> Duration;
    /// The tables whose changes nudge it.
    fn nudged_by(&self) -> &'static [&'static str] {
        &[]
    }
    /// Runs it once; the same again does no harm.
    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>>;
}

/// The handle of jobs: the database as long as this leadership lasts.
#[derive(Clone)]
pub struct LeaderContext {
    db: Db,
    epoch: i64,
}

impl LeaderContext {
    /// Begins a transaction that commits only under this leadership.
    ///
    /// # Errors
    /// When another replica leads by now, or the database cannot be reached.
    pub async fn begin(&self) -> Result<Transaction> {
        let mut transaction = self.db.begin().await?;
        // Held until the end: taking over waits for it, pings do not. A leader that was cut off in a transaction must
        // not be waited for longer than for its lock.
        let sql =
            Sql::new("select epoch, set_config('idle_in_transaction_session_timeout', '5s', true) from pumphouse.leader for key share");
        let rows = rows_on(&mut transaction, sql).await?;
        let epoch: i64 = rows.first().map_or(Ok(-1), |row| row.try_get(0))?;
        if epoch != self.epoch {
            return Err(Error::unavailable("Another replica leads by now."));
        }
        Ok(transaction)
    }

    /// Deletes whatever a statement finds, a transaction a batch: given the most rows to delete, it returns one for each.
    ///
    /// # Errors
    /// As [`LeaderContext::begin`], and what the statement answers.
    pub async fn delete_in_batches(&self, delete: impl Fn(i64) -> Sql + Send + Sync) -> Result<()> {
        loop {
            let mut transaction = self.begin().await?;
            let deleted = rows_on(&mut transaction, delete(BATCH)).await?.len();
            transaction.commit().await?;
            if i64::try_from(deleted).is_ok_and(|deleted| deleted < BATCH) {
                return Ok(());
            }
        }
    }

    /// Which leadership this is: each has a higher number than the last.
    #[must_use]
    pub const fn epoch(&self) -> i64 {
        self.epoch
    }

    /// The database, for looking around before a transaction decides.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.db
    }
}

/// Wakes the jobs that changes concern.
#[derive(Clone)]
pub struct JobTriggers(Arc<Vec<(Arc<dyn Job>, Arc<Notify>)>>);

/// The feed that turns changes into nudges.
struct NudgeFeed {
    tables: &'static [&'static str],
    notify: Arc<Notify>,
}

impl Feed for NudgeFeed {
    fn tables(&self) -> &'static [&'static str] {
        self.tables
    }

    fn read<'a>(&'a self, _db: &'a Db, _changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        self.notify.notify_one();
        Box::pin(async { Ok(Vec::new()) })
    }
}

impl JobTriggers {
    /// The jobs of a replica.
    #[must_use]
    pub fn new(jobs: Vec<Arc<dyn Job>>) -> Self {
        Self(Arc::new(jobs.into_iter().map(|job| (job, Arc::default())).collect()))
    }

    /// The feeds by which the hub nudges them.
    #[must_use]
    pub fn feeds(&self) -> Vec<Arc<dyn Feed>> {
        let feed = |(job, notify): &(Arc<dyn Job>, Arc<Notify>)| {
            Arc::new(NudgeFeed { tables: job.nudged_by(), notify: Arc::clone(notify) }) as Arc<dyn Feed>
        };
        self.0.iter().filter(|(job, _)| !job.nudged_by().is_empty()).map(feed).collect()
    }
}

/// Leads whenever it can, until `stop` is cancelled.
pub async fn lead(db: Db, jobs: JobTriggers, stop: CancellationToken) {
    enum Replica {}
    let holder = Id::<Replica>::random().to_string();
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => break,
            ended = term(&db, &jobs, &holder) => {
                if let Err(error) = ended {
                    tracing::debug!(error = error.for_log(), "not leading");
                }
            }
        }
        gauge!(metric::LEADER).set(0.0);
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(ASK_EVERY) => {}
        }
    }
    gauge!(metric::LEADER).set(0.0);
}

/// One connection: asks for the lock until it has it, then leads until the connection fails.
async fn term(db: &Db, jobs: &JobTriggers, holder: &str) -> Result<()> {
    let mut connection = db.connect().await?;
    with_deadline(rows_on(&mut connection, Sql::new(IDLE_LIMIT))).await?;
    loop {
        let rows = with_deadline(rows_on(&mut connection, Sql::new("select pg_try_advisory_lock(").value(LOCK).text(")"))).await?;
        if rows.first().map_or(Ok(false), |row| row.try_get(0))? {
            break;
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
    let epoch = with_deadline(take_over(&mut connection, holder)).await?;
    tracing::info!(epoch, "this replica leads");
    gauge!(metric::LEADER).set(1.0);
    let system = LeaderContext { db: db.clone(), epoch };
    let ended = CancellationToken::new();
    let running: Vec<_> = jobs
        .0
        .iter()
        .map(|(job, nudge)| {
            let (job, nudge, system, ended) = (Arc::clone(job), Arc::clone(nudge), system.clone(), ended.clone());
            let stop = ended.clone();
            supervise("job", stop, move || repeat(Arc::clone(&job), Arc::clone(&nudge), system.clone(), ended.clone()))
        })
        .collect();
    // The lock goes with the connection; the jobs must have ended their transactions, or fail them, before that matters.
    let _guard = ended.drop_guard();
    let lost = hold(&mut connection, epoch).await;
    drop(running);
    lost
}

async fn take_over(connection: &mut PgConnection, holder: &str) -> Result<i64> {
    let sql = Sql::new("with turn as (select only_row from pumphouse.leader for update) update pumphouse.leader h set epoch = epoch + 1, holder = ")
        .value(holder.to_owned())
        .text(", since = clock_timestamp(), hearing_since = case when ")
        .text(REPORTS_COULD_ARRIVE)
        .text(" then coalesce(hearing_since, clock_timestamp()) else clock_timestamp() end, heard_at = clock_timestamp() from turn returning h.epoch");
    let rows = rows_on(connection, sql).await?;
    Ok(rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?)
}

/// Pings until that fails or is slow.
async fn hold(connection: &mut PgConnection, epoch: i64) -> Result<()> {
    loop {
        tokio::time::sleep(PING_EVERY).await;
        // A clock that was set forward, and a machine that slept, leave time in which nothing could be heard.
        let sql = Sql::new("update pumphouse.leader h set hearing_since = case when ")
            .text(REPORTS_COULD_ARRIVE)
            .text(" then hearing_since else clock_timestamp() end, heard_at = clock_timestamp()")
            .with(" where epoch = ", epoch)
            .text(" returning 1");
        if with_deadline(rows_on(connection, sql)).await?.is_empty() {
            return Err(Error::unavailable("Another replica leads by now."));
        }
    }
}

async fn with_deadline<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(SLOWEST_PING, work).await.map_err(|_elapsed| Error::unavailable("The database answers too slowly to lead."))?
}

async fn repeat(job: Arc<dyn Job>, nudge: Arc<Notify>, system: LeaderContext, ended: CancellationToken) {
    let mut due = Instant::now();
    loop {
        tokio::select! {
            () = ended.cancelled() => return,
            () = tokio::time::sleep_until(due) => {}
            () = nudge.notified() => {}
        }
        let begun = Instant::now();
        due = begun + job.every();
        let span = tracing::debug_span!(target: metric::TRACE, "job", otel.name = format!("job {}", job.name()), job.name = job.name());
        let outcome = tokio::select! {
            () = ended.cancelled() => return,
            outcome = job.run(&system).instrument(span) => outcome,
        };
        histogram!(metric::JOB_SECONDS, "job" => job.name()).record(begun.elapsed().as_secs_f64());
        counter!(metric::JOB_RUNS, "job" => job.name(), "outcome" => if outcome.is_ok() { "ok" } else { "failed" }).increment(1);
        if let Err(error) = outcome {
            tracing::warn!(job = job.name(), error = error.for_log(), "a job has failed; it runs again");
        }
    }
}
