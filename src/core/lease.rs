//! Connections on loan from the pool, and transactions on them.
//!
//! Always holds: whoever is given up at whatever moment leaves no transaction open behind; a connection goes back to the
//! pool only if it answers in time. One that was cut off without a word, by a firewall or the end of a host, would else
//! keep its place until the system gives up on it, a quarter of an hour later. Not here: how connections are had (`db.rs`).

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Connection as _, Executor as _, PgConnection, Postgres};
use tokio::time::{Instant, timeout};

use crate::core::task;

/// A connection that has rested for less is taken to live.
const BRIEF: Duration = Duration::from_secs(1);
/// How long one that is asked whether it lives may take to say so, at most.
const PING: Duration = Duration::from_secs(2);

/// When a connection of the pool last did not answer: all that rest since before then are taken for dead as well, for
/// else as many requests would wait for one each.
#[derive(Debug)]
pub(crate) struct Doubt {
    last: Mutex<Option<Instant>>,
    patience: Duration,
}

impl Doubt {
    /// Whoever asks waits for so long; there must be time left to connect anew.
    pub(crate) fn new(waits: Duration) -> Self {
        Self { last: Mutex::default(), patience: PING.min(waits / 2) }
    }

    /// Whether a connection that has rested for so long still answers.
    pub(crate) async fn lives(&self, connection: &mut PgConnection, rested: Duration) -> bool {
        if rested < BRIEF {
            return true;
        }
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < rested) {
            return false;
        }
        let answer = timeout(self.patience, connection.ping()).await;
        if answer.is_err() {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        matches!(answer, Ok(Ok(())))
    }
}

/// A connection that goes back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    connection: Option<PoolConnection<Postgres>>,
    /// How long it may take to answer on its way back.
    patience: Duration,
    /// A transaction may be open on it.
    open: bool,
}

/// A transaction; it rolls back unless committed.
#[derive(Debug)]
pub struct Transaction(Lease);

impl Lease {
    pub(crate) const fn new(connection: PoolConnection<Postgres>, patience: Duration) -> Self {
        Self { connection: Some(connection), patience, open: false }
    }

    /// Begins a transaction with this statement.
    pub(crate) async fn begin(mut self, statement: &'static str) -> sqlx::Result<Transaction> {
        // From here on: PostgreSQL may have begun before its answer is there, or is waited for no more.
        self.open = true;
        self.execute(statement).await?;
        Ok(Transaction(self))
    }

    async fn end(mut self, statement: &'static str) -> sqlx::Result<()> {
        let ended = self.execute(statement).await;
        // Also a refused commit ends the transaction.
        self.open = !matches!(ended, Ok(_) | Err(sqlx::Error::Database(_)));
        ended.map(|_| ())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            task::spawn_light(give_back(connection, self.open, self.patience));
        }
    }
}

/// Puts a connection back, at rest; closes it when it does not answer.
async fn give_back(mut connection: PoolConnection<Postgres>, open: bool, patience: Duration) {
    if open && !matches!(timeout(patience, connection.execute("rollback")).await, Ok(Ok(_))) {
        drop(connection.detach());
        return;
    }
    // The pool asks whether it lives; given up, it is closed.
    let _closed = timeout(patience, connection.return_to_pool()).await;
}

#[expect(clippy::expect_used, reason = "it is taken by drop alone")]
impl Deref for Lease {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect("a connection")
    }
}

#[expect(clippy::expect_used, reason = "it is taken by drop alone")]
impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("a connection")
    }
}

impl Transaction {
    /// Keeps what was done.
    ///
    /// # Errors
    /// When the database refuses it or cannot be reached; in the latter case it may have been kept all the same.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.0.end("commit").await
    }

    /// Undoes what was done, and waits for it.
    ///
    /// # Errors
    /// When the database cannot be reached; then it is undone by itself.
    pub async fn rollback(self) -> sqlx::Result<()> {
        self.0.end("rollback").await
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}
