//! Brings a database to the schema of this binary.
//!
//! Always holds: one migration at a time, however many replicas start at once; a wait for somebody else's lock
//! ends, and then says who holds it; a database newer than this binary is left alone. Locks are asked for again
//! and again instead of waited for: who waits for a table's lock holds up all who come after, readers too, and a session
//! that waits inside a statement holds a snapshot, which would stop another's `create index concurrently` for ever.
//! Not here: the migrations (`migrations/`).

use std::time::Duration;

use sqlx::migrate::{MigrateError as Fault, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::time::{Instant, sleep};

use crate::core::db;

pub use crate::core::migrate_error::{MigrateError, Session};

/// The migrations, in the binary.
static MIGRATOR: Migrator = {
    let mut migrator = sqlx::migrate!("./migrations");
    migrator.locking = false;
    migrator
};

/// The advisory lock that a migrating session holds.
const LOCK: i64 = 0x7075_6d70;
/// How often the lock of migrations is asked for, and who is in the way.
const PAUSE: Duration = Duration::from_millis(200);
/// How long a statement waits for a lock, and with it everybody who comes after.
const LOCK_WAIT: Duration = Duration::from_secs(1);
/// How long those go first before it is asked for again.
const YIELD: Duration = Duration::from_secs(1);
/// The oldest PostgreSQL that will do, as `server_version_num`.
const OLDEST_SERVER: i32 = 140_000;

/// The encoding of a database that takes every text.
const ENCODING: &str = "UTF8";

const SERVER: &str = "select current_setting('server_version_num')::int4, current_setting('server_encoding')";

const TRY_LOCK: &str = "select pg_try_advisory_lock($1)";

const HOLDER: &str = "
select a.pid, a.usename::text as usename, a.application_name, a.state, extract(epoch from now() - a.xact_start)::int8 as seconds
from pg_locks l
join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
  and l.granted
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid = ($1 >> 32)::int8::oid
  and l.objid = ($1 & 4294967295)::int8::oid
  and l.objsubid = 1";

const BLOCKERS: &str = "
select a.pid, a.usename::text as usename, a.application_name, a.state, extract(epoch from now() - a.xact_start)::int8 as seconds
from unnest(pg_blocking_pids($1)) as blocker (pid)
join pg_stat_activity a on a.pid = blocker.pid
order by a.xact_start";

const DONE: &str = "select version from _sqlx_migrations where success order by version";

/// What a migration did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was applied now: number and name.
    pub applied: Vec<(i64, String)>,
    /// The number of the last migration that the database has.
    pub version: i64,
}

/// Applies what the database lacks; waits at most so long for each lock that somebody else holds.
///
/// # Errors
/// When the database cannot be reached, is newer than this binary or was changed by hand, when a lock was not to be
/// had in time, and when a migration fails.
pub async fn migrate(options: &PgConnectOptions, wait: Duration) -> Result<Report, MigrateError> {
    let options = options.clone().disable_statement_logging().application_name("pumphouse migrate");
    let mut connection = connect(&options, wait).await?;
    check_server(&mut connection).await?;
    lock(&mut connection, wait).await?;
    let report = run(&mut connection, &options, wait).await?;
    // Closing gives the lock back; the session's end does too, should the goodbye get lost.
    let _ = connection.close().await;
    Ok(report)
}

/// The numbers of the migrations in this binary.
#[must_use]
pub fn known() -> Vec<i64> {
    MIGRATOR.iter().map(|migration| migration.version).collect()
}

/// Looks whether a database has the schema of this binary, and changes nothing: also one that takes no changes will do.
///
/// # Errors
/// When it cannot be reached, and when it is older or newer than this binary or not ours.
pub async fn check(options: &PgConnectOptions, wait: Duration) -> Result<(), MigrateError> {
    let options = options.clone().disable_statement_logging().application_name("pumphouse");
    let mut connection = connect(&options, wait).await?;
    check_server(&mut connection).await?;
    let (done, known) = (done(&mut connection).await?, known());
    let _ = connection.close().await;
    if let Some(&found) = done.iter().rev().find(|version| !known.contains(version)) {
        return Err(not_ours(found));
    }
    if known.iter().all(|version| done.contains(version)) {
        return Ok(());
    }
    Err(MigrateError::Behind { found: done.last().copied(), needed: newest() })
}

/// The newest migration of this binary.
fn newest() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// The database has a migration that this binary has not.
fn not_ours(found: i64) -> MigrateError {
    let known = newest();
    if found > known { MigrateError::Newer { found, known } } else { MigrateError::Unknown(found) }
}

async fn connect(options: &PgConnectOptions, wait: Duration) -> Result<PgConnection, MigrateError> {
    let session = [
        ("lock_timeout", wait.min(LOCK_WAIT).as_millis().to_string()),
        ("statement_timeout", "0".to_owned()),
        ("client_min_messages", "warning".to_owned()),
        // Not by the role's name: one called `pumphouse` would look for its migrations in the schema of that name.
        ("search_path", "public".to_owned()),
    ];
    db::connect(options, &session, wait).await.map_err(MigrateError::not_connected)
}

async fn check_server(connection: &mut PgConnection) -> Result<(), MigrateError> {
    let (found, encoding): (i32, String) = sqlx::query_as(SERVER).fetch_one(connection).await?;
    if found < OLDEST_SERVER {
        return Err(MigrateError::OldServer { found: found / 10_000, needed: OLDEST_SERVER / 10_000 });
    }
    if encoding == ENCODING { Ok(()) } else { Err(MigrateError::OtherEncoding(encoding)) }
}

async fn lock(connection: &mut PgConnection, wait: Duration) -> Result<(), MigrateError> {
    let give_up = Instant::now() + wait;
    let mut told = false;
    loop {
        let ours: bool = sqlx::query_scalar(TRY_LOCK).bind(LOCK).fetch_one(&mut *connection).await?;
        if ours {
            return Ok(());
        }
        if Instant::now() >= give_up {
            let holder = sqlx::query_as(HOLDER).bind(LOCK).fetch_optional(connection).await?;
            return Err(MigrateError::Busy { waited: wait, holder });
        }
        if !told {
            tracing::info!("another pumphouse migrates this database; waiting for it to end");
            told = true;
        }
        sleep(PAUSE).await;
    }
}

/// Runs the migrations while a second connection looks at who is in the way.
async fn run(connection: &mut PgConnection, options: &PgConnectOptions, wait: Duration) -> Result<Report, MigrateError> {
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *connection).await?;
    let mut blockers: Vec<Session> = Vec::new();
    let outcome = tokio::select! {
        biased;
        outcome = patiently(connection, wait) => outcome,
        never = watch(options, wait, pid, &mut blockers) => match never {},
    };
    outcome.map_err(|fault| explain(fault, wait, blockers))
}

/// Runs the migrations, again and again while a lock is not to be had. Each is a transaction, so one that gave up left nothing.
async fn patiently(connection: &mut PgConnection, wait: Duration) -> Result<Report, Fault> {
    let mut before = None;
    // What waited last, and since when: each migration may wait as long as the first.
    let mut last: Option<(Waiting, Instant)> = None;
    loop {
        let begun = Instant::now();
        let fault = match attempt(connection, &mut before).await {
            Ok(report) => return Ok(report),
            Err(fault) => fault,
        };
        let Some(waiting) = Waiting::of(&fault) else { return Err(fault) };
        let since = last.filter(|(last, _)| *last == waiting).map_or(begun, |(_, since)| since);
        if since.elapsed() >= wait {
            return Err(fault);
        }
        last = Some((waiting, since));
        sleep(YIELD.min(wait.saturating_sub(since.elapsed()))).await;
    }
}

/// Runs what is missing since `before`, which the first attempt reads.
async fn attempt(connection: &mut PgConnection, before: &mut Option<Vec<i64>>) -> Result<Report, Fault> {
    let before = match before {
        Some(before) => before,
        None => before.insert(done(connection).await?),
    };
    MIGRATOR.run_direct(None, connection, false).await?;
    let after = done(connection).await?;
    let fresh = MIGRATOR.iter().filter(|migration| !before.contains(&migration.version));
    Ok(Report {
        applied: fresh.map(|migration| (migration.version, migration.description.clone().into_owned())).collect(),
        version: after.last().copied().unwrap_or_default(),
    })
}

/// Keeps the last answer to "who is in the way" while somebody is; without a connection it says nothing.
async fn watch(options: &PgConnectOptions, wait: Duration, pid: i32, blockers: &mut Vec<Session>) -> std::convert::Infallible {
    // Most migrations are over before a second connection is worth it.
    sleep(PAUSE).await;
    let mut connection = connect(options, wait).await.ok();
    loop {
        if let Some(connection) = &mut connection
            && let Ok(found) = sqlx::query_as(BLOCKERS).bind(pid).fetch_all(connection).await
            && !found.is_empty()
        {
            *blockers = found;
        }
        sleep(PAUSE).await;
    }
}

async fn done(connection: &mut PgConnection) -> Result<Vec<i64>, sqlx::Error> {
    let exists: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null").fetch_one(&mut *connection).await?;
    if exists { sqlx::query_scalar(DONE).fetch_all(connection).await } else { Ok(Vec::new()) }
}

fn explain(fault: Fault, waited: Duration, by: Vec<Session>) -> MigrateError {
    if let Some(waiting) = Waiting::of(&fault) {
        return MigrateError::Blocked { version: waiting.version(), waited, by };
    }
    match fault {
        Fault::VersionMissing(version) => not_ours(version),
        Fault::VersionMismatch(version) => MigrateError::Edited(version),
        Fault::Dirty(version) => MigrateError::Unfinished(version),
        Fault::ExecuteMigration(error, version) => MigrateError::Failed { version, error },
        Fault::Execute(error) => MigrateError::Database(error),
        other => MigrateError::Database(sqlx::Error::Migrate(Box::new(other))),
    }
}

/// What did not get a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Migration(i64),
    /// What is noted of migrations, in `_sqlx_migrations`.
    Notes,
}

impl Waiting {
    fn of(fault: &Fault) -> Option<Self> {
        let (error, waiting) = match fault {
            Fault::ExecuteMigration(error, version) => (error, Self::Migration(*version)),
            Fault::Execute(error) => (error, Self::Notes),
            _ => return None,
        };
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        code.is_some_and(|code| code == "55P03").then_some(waiting)
    }

    const fn version(self) -> Option<i64> {
        match self {
            Self::Migration(version) => Some(version),
            Self::Notes => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that is none would leave a half of itself when it does not get a lock.
    #[test]
    fn every_migration_is_a_transaction() {
        assert!(MIGRATOR.iter().all(|migration| !migration.no_tx));
    }

    /// The macro is not told of a new file; a build that missed one would leave it out.
    #[test]
    fn every_file_is_in_the_binary() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut versions: Vec<i64> = names.filter_map(|name| name.split_once('_')?.0.parse().ok()).collect();
        versions.sort_unstable();
        assert_eq!(known(), versions, "`touch src/core/migrate.rs` and build again");
    }
}
