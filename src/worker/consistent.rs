//! Reads a set of tables inside one consistent snapshot.
//!
//! Always holds: one connection holds the snapshot open and every reader imports it, so all tables are of
//! the same instant; tables are begun in their order; a table that fails costs its reader's connection and
//! no other table; a snapshot that is lost cannot be had again, so what was not read then fails with the
//! reason. Not here: which tables (`snapshot.rs`), one table (`table.rs`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _, SqlSafeStr as _};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

use super::backoff::Backoff;
use super::board::Task;
use super::postgres::{Postgres, Refusal};
use super::snapshot::{READERS, Source};
use super::table::{self, Copied};
use crate::core::lock::lock;

/// How long a server that is not there yet is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The holder speaks now and then, so that nothing on the way takes it for dead.
const KEEPALIVE: Duration = Duration::from_secs(30);
const GOODBYE: Duration = Duration::from_secs(5);

const BEGIN: &str = "begin transaction isolation level repeatable read, read only";
const EXPORT: &str = "select pg_export_snapshot()";
const TERMINATE: &str = "select pg_terminate_backend($1)";

/// A connection inside the snapshot.
pub(super) struct Reader {
    pub(super) connection: PgConnection,
    /// The server process behind it.
    pub(super) backend: i32,
}

/// What the readers of a set share.
struct Set {
    source: Arc<Source>,
    snapshot: String,
    queue: Mutex<VecDeque<Arc<Task>>>,
    /// Why the last reader that could not open a connection could not.
    refused: Mutex<Option<String>>,
    /// Server processes whose work nobody waits for any more.
    orphans: mpsc::Sender<i32>,
}

impl Set {
    fn next(&self) -> Option<Arc<Task>> {
        lock(&self.queue).pop_front()
    }

    /// Gives a table back for want of a connection.
    fn leave(&self, task: Arc<Task>, refusal: &Refusal) {
        *lock(&self.refused) = Some(refusal.to_string());
        lock(&self.queue).push_front(task);
    }

    /// Ends what was given back when no other reader was left to take it.
    fn give_up(&self) {
        let reason = lock(&self.refused).take();
        let reason = reason.unwrap_or_else(|| "no reader was left for this table; sync it again".to_owned());
        while let Some(task) = self.next() {
            self.source.board.end(&task, Err(reason.clone()));
        }
    }
}

/// Reads all tables; each ends on the board.
pub(super) async fn read(source: Arc<Source>, tables: Vec<Arc<Task>>) {
    let Ok(first) = Arc::clone(&source.readers).acquire_owned().await else { return };
    let (mut holder, snapshot) = match hold(&source.server, &tables).await {
        Ok(held) => held,
        Err(refusal) => {
            for task in tables {
                source.board.end(&task, Err(refusal.to_string()));
            }
            return;
        }
    };
    let count = tables.len();
    let (orphans, mut orphaned) = mpsc::channel(READERS);
    let readers = Arc::clone(&source.readers);
    let set = Arc::new(Set { source, snapshot, queue: Mutex::new(tables.into()), refused: Mutex::default(), orphans });
    let mut running = JoinSet::new();
    running.spawn(run(Arc::clone(&set), first, true));
    for _ in 1..READERS.min(count) {
        if let Ok(permit) = Arc::clone(&readers).try_acquire_owned() {
            running.spawn(run(Arc::clone(&set), permit, false));
        }
    }
    let mut alive = interval(KEEPALIVE);
    loop {
        tokio::select! {
            ended = running.join_next() => match ended {
                None => break,
                Some(Ok(())) => {}
                Some(Err(error)) => tracing::error!(reason = %error, "a reader broke off"),
            },
            Some(backend) = orphaned.recv() => terminate(&mut holder, backend).await,
            _ = alive.tick() => if let Ok(Err(error)) = timeout(GOODBYE, holder.ping()).await {
                tracing::warn!(reason = %Refusal::of(&error), "the connection that holds the snapshot is lost");
            },
        }
    }
    set.give_up();
    while let Ok(backend) = orphaned.try_recv() {
        terminate(&mut holder, backend).await;
    }
    let _ = timeout(GOODBYE, holder.close()).await;
}

/// Opens the transaction whose snapshot all readers share.
async fn hold(server: &Postgres, tables: &[Arc<Task>]) -> Result<(PgConnection, String), Refusal> {
    let deadline = Instant::now() + PATIENCE;
    let mut backoff = Backoff::new();
    loop {
        let refusal = match export(server).await {
            Ok(held) => return Ok(held),
            Err(refusal) => refusal,
        };
        let wait = backoff.next();
        let pointless = tables.iter().all(|task| task.cancel.is_cancelled());
        if !refusal.passing || pointless || Instant::now() + wait > deadline {
            return Err(refusal);
        }
        tracing::warn!(reason = %refusal, wait = ?wait, "the snapshot cannot begin yet");
        sleep(wait).await;
    }
}

async fn export(server: &Postgres) -> Result<(PgConnection, String), Refusal> {
    let mut connection = server.connect().await?;
    let taken = async {
        connection.execute(BEGIN).await?;
        sqlx::query_scalar::<_, String>(EXPORT).fetch_one(&mut connection).await
    };
    let snapshot = taken.await.map_err(|error| Refusal::of(&error))?;
    // It goes into a statement that takes no parameters.
    if snapshot.is_empty() || !snapshot.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
        return Err(Refusal::words("the server named its snapshot in an unknown form"));
    }
    Ok((connection, snapshot))
}

async fn import(server: &Postgres, snapshot: &str) -> Result<Reader, Refusal> {
    let mut connection = server.connect().await?;
    let statement = format!("set transaction snapshot '{snapshot}'");
    let taken = async {
        connection.execute(BEGIN).await?;
        connection.execute(sqlx::AssertSqlSafe(statement).into_sql_str()).await?;
        sqlx::query_scalar::<_, i32>("select pg_backend_pid()").fetch_one(&mut connection).await
    };
    let backend = taken.await.map_err(|error| Refusal::of(&error))?;
    Ok(Reader { connection, backend })
}

/// Takes tables from the queue until there is none. Only the leading reader fails a table for want of a
/// connection: the others leave it to those that have one; what nobody takes any more is given up in the end.
async fn run(set: Arc<Set>, _permit: OwnedSemaphorePermit, leading: bool) {
    let mut idle = None;
    loop {
        let Some(task) = set.next() else { break };
        let board = &set.source.board;
        if task.cancel.is_cancelled() {
            board.end(&task, Ok(()));
            continue;
        }
        let opened = match idle.take() {
            Some(reader) => Ok(reader),
            None => import(&set.source.server, &set.snapshot).await,
        };
        let mut reader = match opened {
            Ok(reader) => reader,
            Err(refusal) if leading => {
                board.end(&task, Err(refusal.to_string()));
                continue;
            }
            Err(refusal) => {
                tracing::warn!(reason = %refusal, "one reader less");
                set.leave(task, &refusal);
                break;
            }
        };
        task.begin();
        match table::copy(&mut reader, &task, &set.source.sink).await {
            Copied::Whole => {
                board.end(&task, Ok(()));
                idle = Some(reader);
            }
            Copied::Failed(reason) => board.end(&task, Err(reason)),
            Copied::Stopped => {
                // A closed connection alone would leave the server waiting for a lock, or working on.
                let _ = set.orphans.try_send(reader.backend);
                board.end(&task, Ok(()));
            }
        }
    }
    if let Some(reader) = idle {
        let _ = timeout(GOODBYE, reader.connection.close()).await;
    }
}

async fn terminate(holder: &mut PgConnection, backend: i32) {
    let ended = timeout(GOODBYE, sqlx::query(TERMINATE).bind(backend).execute(holder)).await;
    if let Ok(Err(error)) = ended {
        tracing::debug!(reason = %Refusal::of(&error), "a stopped reader's server process could not be ended");
    }
}
