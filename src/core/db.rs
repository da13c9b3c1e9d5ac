//! The only owner of the connection pool.
//!
//! Always holds: every statement of the graph runs through [`Db::rows`] or a transaction begun here,
//! under the timeouts of the settings, and is counted; whoever is given up at whatever moment leaves no
//! transaction open behind. Not here: what the statements say.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use metrics::{counter, histogram};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, Postgres, Row as _, SqlSafeStr as _, Transaction};
use tracing::{Instrument as _, Span};

use crate::core::error::{Error, Result};
use crate::core::metric;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::task::spawn;
use crate::core::work::Keyed;

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

/// The database, as every part of the program reaches it.
#[derive(Clone, Debug)]
pub struct Db {
    pool: PgPool,
    options: Arc<PgConnectOptions>,
    statements: Arc<AtomicU64>,
    keyed: Option<Keyed>,
}

impl Db {
    /// A pool that connects when it is first used.
    #[must_use]
    pub fn new(settings: &DbSettings) -> Self {
        let millis = |duration: Duration| format!("{}", duration.as_millis());
        let options = settings.options.clone().log_statements(tracing::log::LevelFilter::Trace).options([
            ("timezone", "UTC".to_owned()),
            // Not by the role's name: one called `pumphouse` would find the schema of that name first.
            ("search_path", "public".to_owned()),
            ("statement_timeout", millis(settings.statement_timeout)),
            ("lock_timeout", millis(settings.lock_timeout)),
            ("idle_in_transaction_session_timeout", "60000".to_owned()),
            // Statements here are short; what the compiler costs, up to half a second each, they never earn back.
            ("jit", "off".to_owned()),
            ("application_name", "pumphouse".to_owned()),
        ]);
        let pool = PgPoolOptions::new()
            .max_connections(settings.pool_size)
            .acquire_timeout(settings.acquire_timeout)
            .idle_timeout(Duration::from_mins(10))
            // A ping before every use costs a round trip; one after a pause finds what a restart cut.
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move { Ok(meta.idle_for < Duration::from_secs(1) || connection.ping().await.is_ok()) })
            })
            .connect_lazy_with(options.clone());
        Self { pool, options: Arc::new(options), statements: Arc::default(), keyed: None }
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
        if let Some(keyed) = &self.keyed {
            return Ok(query.fetch_all(&mut *keyed.connection().await).instrument(span).await?);
        }
        let mut connection = self.connection().await?;
        Ok(query.fetch_all(&mut *connection).instrument(span).await?)
    }

    /// As [`Db::rows`], for a statement that takes longer to plan than to run, as one over many partitions does: by a plan that
    /// each connection makes once, whatever the values.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses the statement.
    pub(crate) async fn rows_by_kept_plan(&self, sql: Sql) -> Result<Vec<PgRow>> {
        if self.keyed.is_some() {
            return self.rows(sql).await;
        }
        let mut transaction = self.begin_with(BEGIN_WITH_KEPT_PLANS).await?;
        self.note_statement();
        let rows = rows_on(&mut transaction, sql).await?;
        transaction.commit().await?;
        Ok(rows)
    }

    /// A connection of the pool; whatever keeps it away, a refusal of the database too, is `UNAVAILABLE`.
    async fn connection(&self) -> Result<PoolConnection<Postgres>> {
        let asked = Instant::now();
        #[expect(clippy::disallowed_methods, reason = "the one place where connections are taken")]
        let connection = self.pool.acquire().await;
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

    /// Begins a transaction; it rolls back unless committed.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin(&self) -> Result<Transaction<'static, Postgres>> {
        self.begin_with(BEGIN).await
    }

    async fn begin_with(&self, statement: &'static str) -> Result<Transaction<'static, Postgres>> {
        let begin = Transaction::begin(self.connection().await?, Some(statement.into_sql_str()));
        Beginning(Some(begin)).await.map_err(Error::unreachable)
    }

    /// A handle whose every statement runs in this one transaction, for an operation with an idempotency key.
    #[must_use]
    pub(crate) fn keyed(&self, keyed: &Keyed) -> Self {
        Self { keyed: Some(keyed.clone()), ..self.clone() }
    }

    /// The transaction that every statement runs in, if there is one.
    pub(crate) fn key(&self) -> Option<&Keyed> {
        self.keyed.as_ref()
    }

    /// Begins a transaction whose statements all see the database as of one instant, and change nothing.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin_reading(&self) -> Result<Transaction<'static, Postgres>> {
        self.begin_with(BEGIN_READING).await
    }

    /// A connection of its own outside the pool, for the listener and the leader's lock.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn connect(&self) -> Result<PgConnection> {
        self.options.connect().await.map_err(Error::unreachable)
    }

    /// A pool of one connection for a listener, made from the same options.
    pub(crate) fn listener_pool(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(Duration::from_secs(5))
            .max_lifetime(None)
            .idle_timeout(None)
            .connect_lazy_with((*self.options).clone())
    }

    /// A mutation was given a statement in its transaction.
    pub(crate) fn note_statement(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// How many statements were given to [`Db::rows`] of this handle and its clones, and to mutations.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Open and idle connections, for the metrics.
    #[must_use]
    pub fn pool_state(&self) -> (u32, usize) {
        (self.pool.size(), self.pool.num_idle())
    }

    /// Closes every connection once its work is done.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

const BEGIN: &str = "begin";
const BEGIN_WITH_KEPT_PLANS: &str = "begin read only; set local plan_cache_mode = force_generic_plan";
const BEGIN_READING: &str = "begin isolation level repeatable read read only";

/// A BEGIN that is under way. sqlx knows of a transaction only once PostgreSQL has answered: given up before that, its
/// connection would go back to the pool in a transaction that nobody ends. So it is waited for, then rolled back.
struct Beginning(Option<BoxFuture<'static, sqlx::Result<Transaction<'static, Postgres>>>>);

impl Future for Beginning {
    type Output = sqlx::Result<Transaction<'static, Postgres>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(begin) = &mut self.0 else { return Poll::Pending };
        let begun = begin.as_mut().poll(cx);
        if begun.is_ready() {
            self.0 = None;
        }
        begun
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        if let Some(begin) = self.0.take() {
            spawn("db.given_up", async move { drop(begin.await) });
        }
    }
}

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
