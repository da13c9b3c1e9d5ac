//! The one listening connection of the process.
//!
//! Always holds: after every loss, and every doubt, the hub is told that notices may have been missed,
//! and only once LISTEN is in place again. A connection that hears nothing, not even what we send
//! ourselves, is rebuilt; one that never did is no place to listen at, and changes are looked for
//! instead (`poll.rs`). Sending it never keeps us from listening.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics::gauge;
use sqlx::Row as _;
use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::core::db::Db;
use crate::core::id::Id;
use crate::core::live::{CHANNEL, Change, notice, poll};
use crate::core::lock::lock;
use crate::core::metric;
use crate::core::sql::Sql;

/// How often a notice is sent to ourselves.
const ECHO_EVERY: Duration = Duration::from_secs(3);
/// How long after it was sent it may stay unheard until the connection is taken for dead.
const SILENCE: Duration = Duration::from_secs(5);
/// How long nothing may be heard when it could not even be sent.
const LONGEST_SILENCE: Duration = Duration::from_secs(20);
/// How long the connection may be away until nobody new is told that they will hear of changes: longer than it takes to
/// connect for the first time, or again after a loss.
const AWAY: Duration = Duration::from_secs(3);
/// The share of PostgreSQL's queue of notices beyond which operators are warned.
const FILLING: f64 = 0.25;
/// Pauses between tries to connect.
const BACK_OFF: [Duration; 5] =
    [Duration::from_millis(50), Duration::from_millis(200), Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2)];

/// What the listener tells the hub.
#[derive(Debug)]
pub(crate) enum ListenerMessage {
    /// These rows changed.
    Changes(Vec<Change>),
    /// Notices may have been missed; LISTEN is in place.
    MayHaveMissed,
}

/// How often it is tried whether LISTEN works by now, where it did not.
#[derive(Clone, Copy, Debug)]
pub struct ListenRetry(pub Duration);

impl Default for ListenRetry {
    fn default() -> Self {
        Self(Duration::from_mins(1))
    }
}

/// Whether the listening connection is in place, and which one it is: odd numbers are connections, even ones the
/// times between them.
#[derive(Clone, Debug)]
pub struct Listening {
    number: Arc<AtomicU64>,
    polls: Arc<AtomicBool>,
    /// When it last came or went.
    turned: Arc<Mutex<Instant>>,
    retry: ListenRetry,
}

impl Listening {
    pub(crate) fn new(retry: ListenRetry) -> Self {
        Self { number: Arc::default(), polls: Arc::default(), turned: Arc::new(Mutex::new(Instant::now())), retry }
    }

    pub(crate) const fn retry(&self) -> ListenRetry {
        self.retry
    }

    /// Changes are looked for, as LISTEN does not work here.
    #[must_use]
    pub fn polls(&self) -> bool {
        self.polls.load(Ordering::Acquire)
    }

    fn set_polls(&self, polls: bool) {
        self.polls.store(polls, Ordering::Release);
        self.measure();
    }

    /// Tells operators.
    pub(crate) fn measure(&self) {
        gauge!(metric::POLLING).set(if self.polls() { 1.0 } else { 0.0 });
        gauge!(metric::LISTENING).set(if self.is_up() && !self.polls() { 1.0 } else { 0.0 });
    }

    /// Changes arrive now, be it because they are looked for.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.connection().is_some()
    }

    /// It has been away for longer than a new connection takes: nobody knows when changes will be heard of again.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        !self.is_up() && lock(&self.turned).elapsed() > AWAY
    }

    /// The number of the connection that is in place; what was known under another may have changed unheard.
    #[must_use]
    pub fn connection(&self) -> Option<u64> {
        Some(self.number.load(Ordering::Acquire)).filter(|number| number % 2 == 1)
    }

    /// Only the one task that listens calls this.
    pub(crate) fn set(&self, up: bool) {
        if self.is_up() != up {
            *lock(&self.turned) = Instant::now();
            self.number.fetch_add(1, Ordering::Release);
        }
        self.measure();
    }
}

/// Listens until `stop` is cancelled.
pub(crate) async fn listen(db: Db, heard: mpsc::Sender<ListenerMessage>, listening: Listening, stop: CancellationToken) {
    let mut failures = 0_usize;
    let _down = Down(&listening);
    while !stop.is_cancelled() {
        let ended = tokio::select! {
            () = stop.cancelled() => break,
            ended = once(&db, &heard, &listening) => ended,
        };
        let was_up = listening.is_up();
        listening.set(false);
        if matches!(ended, Err(Lost::Deaf)) {
            tracing::warn!(
                "LISTEN does not work through this connection, as behind a pooler in transaction mode; changes are looked for four \
                 times a second instead. Give the server a connection of its own to PostgreSQL."
            );
            listening.set_polls(true);
            let _stopped = stop.run_until_cancelled(poll::poll(&db, &heard, &listening)).await;
            listening.set(false);
            listening.set_polls(false);
            continue;
        }
        failures = if was_up { 0 } else { failures + 1 };
        match ended {
            Err(error) if failures <= 1 => tracing::warn!(%error, "the listening connection was lost; connecting again"),
            Err(error) => tracing::debug!(%error, "the listening connection is not back yet"),
            Ok(()) => break,
        }
        let pause = BACK_OFF.get(failures).or(BACK_OFF.last()).copied().unwrap_or_default();
        let _stopped = stop.run_until_cancelled(tokio::time::sleep(pause)).await;
    }
}

/// Why a connection is given up.
#[derive(Debug, thiserror::Error)]
enum Lost {
    /// It was lost, or could not be had.
    #[error(transparent)]
    Connection(#[from] sqlx::Error),
    /// Not even what we say ourselves was ever heard on it.
    #[error("nothing is heard on it")]
    Deaf,
}

/// However listening ends, by a panic too, it is not in place after that.
struct Down<'a>(&'a Listening);

impl Drop for Down<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// A pool that takes nothing back: the listener goes after this, and its connection is closed instead of being tried
/// first, with a warning when the server is down already.
pub(crate) struct Closed(pub(crate) PgPool);

impl Drop for Closed {
    fn drop(&mut self) {
        // It is closed from the call on; nobody needs to wait for the connection.
        drop(self.0.close());
    }
}

/// One connection, until it is lost; `Ok` when nobody listens to us any more.
async fn once(db: &Db, heard: &mpsc::Sender<ListenerMessage>, listening: &Listening) -> Result<(), Lost> {
    enum Echo {}
    // Each process hears its own echo only.
    let echo = format!("{CHANNEL}_echo_{}", Id::<Echo>::random().uuid().simple());
    let pool = db.listener_pool();
    let mut listener = PgListener::connect_with(&pool).await?;
    let _closed = Closed(pool);
    let listens = tokio::time::timeout(SILENCE, listener.listen_all([CHANNEL, &echo])).await;
    listens.unwrap_or(Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))?;
    listening.set(true);
    if heard.send(ListenerMessage::MayHaveMissed).await.is_err() {
        return Ok(());
    }
    // Echoes have numbers: one may be heard before its sending is known to have gone well.
    let (mut sent, mut returned) = (1_u64, 0);
    let mut sending = std::pin::pin!(send_echo(db, &echo, sent, Duration::ZERO));
    let mut dead_at = Instant::now() + LONGEST_SILENCE;
    let (mut said, mut deaf) = (false, true);
    loop {
        tokio::select! {
            notification = listener.try_recv() => {
                // None: the connection was lost and made anew, and what was sent meanwhile is gone.
                let notification = notification?.ok_or(sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into()))?;
                deaf = false;
                dead_at = Instant::now() + LONGEST_SILENCE;
                if notification.channel() != CHANNEL {
                    returned = notification.payload().parse().unwrap_or(returned);
                    continue;
                }
                let message = match notice::read(notification.payload()) {
                    Some(changes) => ListenerMessage::Changes(changes),
                    // Somebody else's words on our channel prove nothing lost, but nothing proves the contrary.
                    None => ListenerMessage::MayHaveMissed,
                };
                if heard.send(message).await.is_err() {
                    return Ok(());
                }
            }
            went_well = &mut sending => {
                said |= went_well;
                if went_well && returned < sent {
                    dead_at = dead_at.min(Instant::now() + SILENCE);
                }
                sent += 1;
                sending.set(send_echo(db, &echo, sent, ECHO_EVERY));
            }
            () = sleep_until(dead_at), if said && deaf => return Err(Lost::Deaf),
            () = sleep_until(dead_at), if !(said && deaf) => return Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()).into()),
        }
    }
}

/// Sends ourselves a notice after a pause; answers whether that went well. Looks how full PostgreSQL's queue of notices is:
/// whoever listens in a transaction that does not end fills it for everybody, and once it is full no writer can commit.
async fn send_echo(db: &Db, channel: &str, number: u64, pause: Duration) -> bool {
    tokio::time::sleep(pause).await;
    let sql = Sql::new("select pg_notification_queue_usage(), pg_notify(").value(channel.to_owned()).with(", ", number.to_string());
    let Ok(rows) = db.rows(sql.text(")")).await else { return false };
    if let Some(used) = rows.first().and_then(|row| row.try_get::<f64, _>(0).ok()) {
        gauge!(metric::NOTIFY_QUEUE).set(used);
        if used > FILLING {
            tracing::warn!(used, "PostgreSQL's queue of notices fills up: some session listens and does not end its transaction");
        }
    }
    true
}
