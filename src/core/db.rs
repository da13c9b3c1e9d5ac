//! The one door to the database; connections are lent by `lease.rs`.
//!
//! Always holds: every statement of the graph runs through [`Db::rows`] or a transaction begun here,
//! under the timeouts of the settings, and is counted; nobody waits much longer for the database than it may take for an
//! answer, also when it is cut off without a word. Not here: what the statements say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use metrics::{counter, histogram};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection, Postgres, Row as _};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tracing::{Instrument as _, Span};
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::lease::{ConnectionHealth, ConnectionLender, Lease};
use crate::core::metric;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::work::SharedTransaction;
use crate::core::write_limiter::WriteLimiter;

pub use crate::core::lease::Transaction;

/// What an answer may take on its way, beyond what a statement may take.
const ON_THE_WAY: Duration = Duration::from_secs(2);
/// A transaction may be silent for this long, however short statements are kept: it also waits for a processor.
const SHORTEST_SILENCE: Duration = Duration::from_secs(10);
/// The statements that a connection keeps prepared: each selection of columns makes one.
const STATEMENTS: usize = 400;
/// How long a closing pool may wait for what is still under way.
const CLOSING: Duration = Duration::from_secs(2);

/// How the pool talks to PostgreSQL.
#[derive(Clone, Debug)]
pub struct DbSettings {
    /// Where and as whom; every connection of the process, the listener's too, is made from it.
    pub options: PgConnectOptions,
    /// Most connections of requests at a time.
    pub pool_size: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// `statement_timeout` of every connection.
    pub statement_timeout: Duration,
    /// `lock_timeout` of every connection.
    pub lock_timeout: Duration,
}

/// What every session is set to.
type Session = Arc<[(&'static str, String)]>;

/// The options of a connection that poolers pass on too: PgBouncer refuses whoever brings more to the handshake.
fn plain(options: &PgConnectOptions) -> PgConnectOptions {
    options.clone().extra_float_digits(None)
}

/// A connection of its own whose session is set so.
///
/// # Errors
/// When the database cannot be reached in time or refuses a value.
pub(crate) async fn connect(options: &PgConnectOptions, session: &[(&'static str, String)], wait: Duration) -> sqlx::Result<PgConnection> {
    let connecting = async {
        let mut connection = plain(options).connect().await?;
        settle(&mut connection, session).await?;
        Ok(connection)
    };
    timeout(wait, connecting).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

async fn settle(connection: &mut PgConnection, session: &[(&'static str, String)]) -> sqlx::Result<()> {
    let (names, values): (Vec<&str>, Vec<&str>) = session.iter().map(|(name, value)| (*name, value.as_str())).unzip();
    let set = "select set_config(name, value, false) from unnest($1::text[], $2::text[]) session(name, value)";
    sqlx::query(set).persistent(false).bind(names).bind(values).execute(connection).await?;
    Ok(())
}

/// A pool whose connections are set so.
fn settled(session: &Session) -> PgPoolOptions {
    let session = Arc::clone(session);
    PgPoolOptions::new().after_connect(move |connection, _| {
        let session = Arc::clone(&session);
        Box::pin(async move { settle(connection, &session).await })
    })
}

/// The database, as every part of the program reaches it.
#[derive(Clone, Debug)]
pub struct Db {
    pool: PgPool,
    lender: Arc<ConnectionLender>,
    options: Arc<PgConnectOptions>,
    session: Session,
    /// How long an answer is waited for.
    patience: Duration,
    /// How long a connection is waited for.
    connecting: Duration,
    /// How many statements were given to this handle and its clones, for tests; the metric counts those of the whole process.
    statements: Arc<AtomicU64>,
    turns: WriteLimiter,
    keyed: Option<SharedTransaction>,
}

impl Db {
    /// A pool that connects when it is first used.
    #[must_use]
    pub fn new(settings: &DbSettings) -> Self {
        let millis = |duration: Duration| format!("{}", duration.as_millis());
        let options = plain(&settings.options)
            .log_statements(tracing::log::LevelFilter::Trace)
            .statement_cache_capacity(STATEMENTS)
            .application_name("pumphouse");
        let session: Session = Arc::new([
            ("timezone", "UTC".to_owned()),
            // Not by the role's name: one called `pumphouse` would find the schema of that name first.
            ("search_path", "public".to_owned()),
            ("statement_timeout", millis(settings.statement_timeout)),
            ("lock_timeout", millis(settings.lock_timeout)),
            // Who is cut off in a transaction keeps its locks, and its idempotency key, for no longer than this.
            ("idle_in_transaction_session_timeout", millis(settings.statement_timeout.max(SHORTEST_SILENCE))),
            // Statements here are short; what the compiler costs, up to half a second each, they never earn back.
            ("jit", "off".to_owned()),
        ]);
        let doubt = Arc::new(ConnectionHealth::new(settings.acquire_timeout));
        let asks = Arc::clone(&doubt);
        let pool = settled(&session)
            .max_connections(settings.pool_size)
            .acquire_timeout(settings.acquire_timeout)
            .idle_timeout(Duration::from_mins(10))
            // A ping before every use costs a round trip; one after a pause finds what a restart cut.
            .test_before_acquire(false)
            .before_acquire(move |connection, meta| {
                let doubt = Arc::clone(&asks);
                Box::pin(async move { Ok(doubt.lives(connection, meta.idle_for).await) })
            })
            .connect_lazy_with(options.clone());
        let turns = WriteLimiter::new(usize::try_from(settings.pool_size / 2).unwrap_or_default().max(1));
        let patience = settings.statement_timeout + ON_THE_WAY;
        Self {
            lender: Arc::new(ConnectionLender::new(pool.clone(), doubt, settings.acquire_timeout, patience)),
            pool,
            options: Arc::new(options),
            session,
            patience,
            connecting: settings.acquire_timeout,
            statements: Arc::default(),
            turns,
            keyed: None,
        }
    }

    /// Runs a statement and returns its rows.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses the statement.
    pub async fn rows(&self, sql: Sql) -> Result<Vec<PgRow>> {
        let span = span(&sql);
        let query = prepared(sql)?;
        count();
        self.note_statement();
        // Boxed: whoever waits for a statement would else be as large as all that it takes to run one.
        Box::pin(async {
            if let Some(keyed) = &self.keyed {
                return Ok(query.fetch_all(&mut *keyed.connection().await).instrument(span).await?);
            }
            let mut connection = self.connection().await?;
            let rows = self.with_deadline(async { Ok(query.fetch_all(&mut *connection).instrument(span).await?) }).await?;
            connection.done();
            Ok(rows)
        })
        .await
    }

    /// Waits for work of the database, but not for ever: what has cut it off may not tell.
    ///
    /// # Errors
    /// What the work answers; `UNAVAILABLE` when it took longer than any statement may.
    pub(crate) async fn with_deadline<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        timeout(self.patience, work).await.unwrap_or_else(|_elapsed| Err(Error::unreachable(sqlx::Error::PoolTimedOut)))
    }

    /// A connection of the pool; whatever keeps it away, a refusal of the database too, is `UNAVAILABLE`.
    async fn connection(&self) -> Result<Lease> {
        let asked = Instant::now();
        let connection = self.lender.lend().await;
        histogram!(metric::POOL_WAIT_SECONDS).record(asked.elapsed().as_secs_f64());
        connection.map_err(Error::unreachable)
    }

    /// The time that counts: the database's.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn now(&self) -> Result<DateTime<Utc>> {
        let rows = self.rows(Sql::new("select clock_timestamp()")).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        Ok(row.try_get::<Time, _>(0)?.0)
    }

    /// Waits until this viewer has fewer than half of the connections for what they write; comes before a transaction that may
    /// wait for locks. None is needed where an operation has taken it for its transaction.
    pub(crate) async fn turn(&self, viewer: Uuid) -> Option<OwnedSemaphorePermit> {
        if self.keyed.is_some() { None } else { self.turns.take(viewer).await }
    }

    /// Begins a transaction; it rolls back unless committed.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin(&self) -> Result<Transaction> {
        self.begin_with(BEGIN).await
    }

    async fn begin_with(&self, statement: &'static str) -> Result<Transaction> {
        let lease = self.connection().await?;
        self.with_deadline(async { lease.begin(statement).await.map_err(Error::unreachable) }).await
    }

    /// A handle whose every statement runs in this one transaction, for an operation with an idempotency key.
    #[must_use]
    pub(crate) fn keyed(&self, keyed: &SharedTransaction) -> Self {
        Self { keyed: Some(keyed.clone()), ..self.clone() }
    }

    /// The transaction that every statement runs in, if there is one.
    pub(crate) fn key(&self) -> Option<&SharedTransaction> {
        self.keyed.as_ref()
    }

    /// Begins a transaction whose statements all see the database as of one instant, and change nothing.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin_reading(&self) -> Result<Transaction> {
        self.begin_with(BEGIN_READING).await
    }

    /// A connection of its own outside the pool, for the listener and the leader's lock.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn connect(&self) -> Result<PgConnection> {
        connect(&self.options, &self.session, self.connecting).await.map_err(Error::unreachable)
    }

    /// A pool of one connection for a listener, made from the same options.
    pub(crate) fn listener_pool(&self) -> PgPool {
        settled(&self.session)
            .max_connections(1)
            .acquire_timeout(Duration::from_secs(5))
            .max_lifetime(None)
            .idle_timeout(None)
            .connect_lazy_with((*self.options).clone())
    }

    /// A statement was given to this handle, or to a mutation that works with it.
    pub(crate) fn note_statement(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// For tests: how many statements were given to [`Db::rows`] of this handle and its clones, and to mutations.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Open and idle connections, for the metrics.
    #[must_use]
    pub fn pool_state(&self) -> (u32, usize) {
        (self.pool.size(), self.pool.num_idle() + self.lender.at_rest())
    }

    /// Closes every connection once its work is done; one that does not answer is not waited for.
    pub async fn close(&self) {
        self.lender.close();
        let _done = timeout(CLOSING, self.pool.close()).await;
    }
}

const BEGIN: &str = "begin";
const BEGIN_READING: &str = "begin isolation level repeatable read read only";

/// Runs a statement inside a transaction or on a connection and returns its rows.
///
/// # Errors
/// When the database refuses the statement.
pub async fn rows_on(connection: &mut PgConnection, sql: Sql) -> Result<Vec<PgRow>> {
    let span = span(&sql);
    let query = prepared(sql)?;
    count();
    Ok(query.fetch_all(connection).instrument(span).await?)
}

/// The span of a statement, for traces; its text holds no values.
fn span(sql: &Sql) -> Span {
    tracing::debug_span!(
        target: metric::TRACE,
        "sql",
        otel.name = format!("sql {}", sql.verb()),
        otel.kind = "client",
        db.system.name = "postgresql",
        db.query.text = sql.excerpt(),
    )
}

fn prepared(sql: Sql) -> Result<sqlx::query::Query<'static, Postgres, PgArguments>> {
    let (text, arguments) = sql.into_parts()?;
    Ok(sqlx::query_with(AssertSqlSafe(text), arguments))
}

fn count() {
    counter!(metric::SQL_STATEMENTS).increment(1);
}
