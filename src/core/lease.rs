//! Connections on loan from the pool, and transactions on them.
//!
//! Always holds: whoever is given up at whatever moment leaves no transaction open behind; a connection goes back to the
//! pool only if it answers in time. One that was cut off without a word, by a firewall or the end of a host, would else
//! keep its place until the system gives up on it, a quarter of an hour later. One whose work was done to its end goes to the
//! next who asks instead: the pool asks each whether it lives, which is a round trip for every statement. The last to come
//! back is the first to go, as few that are busy are quicker than many. Not here: what the statements are (`db.rs`).

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Connection as _, Executor as _, PgConnection, PgPool, Postgres};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::core::lock::lock;
use crate::core::task;

/// A connection that has rested for less is taken to live.
const BRIEF: Duration = Duration::from_secs(1);
/// How long one that is asked whether it lives may take to say so, at most.
const PING: Duration = Duration::from_secs(2);

/// One that has rested for longer, or was made longer ago, goes to the pool, which closes those that are not needed.
const LONG: Duration = Duration::from_mins(10);

/// When a connection of the pool last did not answer its ping, or took no changes. Those that have rested since before then are closed unasked;
/// otherwise each of them would cost some request the same wait.
#[derive(Debug)]
pub(crate) struct ConnectionHealth {
    last: Mutex<Option<Instant>>,
    patience: Duration,
}

impl ConnectionHealth {
    /// Whoever asks waits for so long; there must be time left to connect anew.
    pub(crate) fn new(waits: Duration) -> Self {
        Self { last: Mutex::default(), patience: PING.min(waits / 2) }
    }

    /// Every connection that rests is to be closed unasked.
    fn all(&self) {
        *lock(&self.last) = Some(Instant::now());
    }

    /// Whether a connection that has rested for so long still answers.
    pub(crate) async fn lives(&self, connection: &mut PgConnection, rested: Duration) -> bool {
        let last = *lock(&self.last);
        if last.is_some_and(|last| last.elapsed() < rested) {
            return false;
        }
        if rested < BRIEF {
            return true;
        }
        let answer = timeout(self.patience, connection.ping()).await;
        if answer.is_err() {
            self.all();
        }
        matches!(answer, Ok(Ok(())))
    }
}

/// Who lends the connections of a pool.
#[derive(Debug)]
pub(crate) struct ConnectionLender {
    pool: PgPool,
    /// As many as the pool has: whoever has one of them finds a connection at rest, or the pool has room for one.
    places: Arc<Semaphore>,
    resting: Mutex<Vec<Resting>>,
    doubt: Arc<ConnectionHealth>,
    /// How long a connection is waited for.
    waits: Duration,
    /// How long one may take to answer on its way back.
    patience: Duration,
}

/// A connection whose work was done to its end.
#[derive(Debug)]
struct Resting {
    connection: PoolConnection<Postgres>,
    made: Instant,
    since: Instant,
}

/// A connection that goes back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    connection: Option<PoolConnection<Postgres>>,
    made: Instant,
    lender: Arc<ConnectionLender>,
    place: Option<OwnedSemaphorePermit>,
    /// A transaction may be open on it.
    open: bool,
    /// Its work was done to its end.
    done: bool,
}

/// A transaction; it rolls back unless committed.
#[derive(Debug)]
pub struct Transaction(Lease);

impl ConnectionLender {
    pub(crate) fn new(pool: PgPool, doubt: Arc<ConnectionHealth>, waits: Duration, patience: Duration) -> Self {
        let places = usize::try_from(pool.options().get_max_connections()).unwrap_or(1);
        Self { pool, places: Arc::new(Semaphore::new(places)), resting: Mutex::default(), doubt, waits, patience }
    }

    /// Lends a connection that lives.
    ///
    /// # Errors
    /// When none is free in time, or none can be made.
    pub(crate) async fn lend(self: &Arc<Self>) -> sqlx::Result<Lease> {
        let place = timeout(self.waits, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|_elapsed| sqlx::Error::PoolTimedOut)?.map_err(|_closed| sqlx::Error::PoolClosed)?;
        let mut lease =
            Lease { connection: None, made: Instant::now(), lender: Arc::clone(self), place: Some(place), open: false, done: false };
        loop {
            let next = self.resting().pop();
            let Some(Resting { connection, made, since }) = next else { break };
            lease.made = made;
            if self.doubt.lives(lease.connection.insert(connection), since.elapsed()).await {
                return Ok(lease);
            }
            drop(lease.connection.take().map(PoolConnection::detach));
        }
        lease.made = Instant::now();
        #[expect(clippy::disallowed_methods, reason = "the one place where connections are taken")]
        let connection = Box::pin(self.pool.acquire()).await?;
        lease.connection = Some(connection);
        Ok(lease)
    }

    /// How many connections are at rest here.
    pub(crate) fn at_rest(&self) -> usize {
        self.resting().len()
    }

    /// Lends no more, and lets those at rest go.
    pub(crate) fn close(&self) {
        self.places.close();
        self.resting().clear();
    }

    /// Takes a connection to rest; one that the pool is to have instead is answered.
    fn rest(&self, connection: PoolConnection<Postgres>, made: Instant) -> Option<PoolConnection<Postgres>> {
        if made.elapsed() > LONG || self.places.is_closed() {
            return Some(connection);
        }
        let mut resting = self.resting();
        resting.push(Resting { connection, made, since: Instant::now() });
        let least_used = resting.first().is_some_and(|first| first.since.elapsed() > LONG);
        least_used.then(|| resting.remove(0).connection)
    }

    fn resting(&self) -> MutexGuard<'_, Vec<Resting>> {
        lock(&self.resting)
    }
}

impl Lease {
    /// Begins a transaction with this statement.
    pub(crate) async fn begin(mut self, statement: &'static str) -> sqlx::Result<Transaction> {
        // From here on: PostgreSQL may have begun before its answer is there, or is waited for no more.
        self.open = true;
        self.execute(statement).await?;
        Ok(Transaction(self))
    }

    /// Nothing is under way on it any more.
    pub(crate) fn done(mut self) {
        self.done = true;
    }

    async fn end(mut self, statement: &'static str) -> sqlx::Result<()> {
        let ended = self.execute(statement).await;
        // Also a refused commit ends the transaction.
        self.open = !matches!(ended, Ok(_) | Err(sqlx::Error::Database(_)));
        self.done = ended.is_ok();
        ended.map(|_| ())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let returned = if self.done { self.lender.rest(connection, self.made) } else { Some(connection) };
        if let Some(connection) = returned {
            let back =
                GivenUp { connection, open: self.open, made: self.made, lender: Arc::clone(&self.lender), _place: self.place.take() };
            task::spawn_light(back.give_back());
        }
    }
}

/// A connection whose work was not done to its end. Its place is free only once it is back.
struct GivenUp {
    connection: PoolConnection<Postgres>,
    open: bool,
    made: Instant,
    lender: Arc<ConnectionLender>,
    _place: Option<OwnedSemaphorePermit>,
}

impl GivenUp {
    /// Puts it back into the pool; closes it when it does not answer, or takes no changes.
    async fn give_back(mut self) {
        let patience = self.lender.patience;
        if self.open && !matches!(timeout(patience, self.connection.execute("rollback")).await, Ok(Ok(_))) {
            drop(self.connection.detach());
            return;
        }
        // A session stays as the database's settings were when it began, however long they are others; one that has just begun
        // is as they are.
        if self.made.elapsed() > BRIEF {
            let changes = sqlx::query_scalar("select not current_setting('transaction_read_only')::bool").fetch_one(&mut *self.connection);
            let changes = timeout(patience, changes).await;
            if !matches!(changes, Ok(Ok(true))) {
                if matches!(changes, Ok(Ok(false))) {
                    self.lender.doubt.all();
                }
                drop(self.connection.detach());
                return;
            }
        }
        // The pool asks whether it lives; given up, it is closed.
        let _closed = timeout(patience, self.connection.return_to_pool()).await;
    }
}

#[expect(clippy::expect_used, reason = "once lent, it is taken by drop alone")]
impl Deref for Lease {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect("a connection")
    }
}

#[expect(clippy::expect_used, reason = "once lent, it is taken by drop alone")]
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
