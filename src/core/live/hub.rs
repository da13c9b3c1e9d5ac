//! The hub: from changes to events, from events to subscribers.
//!
//! Always holds: events of a topic reach every subscriber in one order; what a subscriber has not read
//! is bounded, and one who is too slow is cut off without disturbing the others.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_graphql::Context;
use futures_util::future::BoxFuture;
use metrics::counter;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::live::listener::{self, Heard, Listening};
use crate::core::live::notice::Change;
use crate::core::metric;
use crate::core::viewer::Owner;
use crate::core::viewers::Viewers;

/// Events that a subscriber may leave unread.
const UNREAD: usize = 4_096;
/// Messages between listener and hub; beyond them PostgreSQL keeps what is to come.
const HEARD: usize = 1_024;
/// Tables whose rows decide what viewers see.
const RIGHTS: [&str; 4] = ["env_member", "service_account_user", "team_member", "user"];
/// Tables that others' rows have their owners from.
const OWNERS: [&str; 3] = ["connector", "pipeline", "team"];

/// What a subscriber follows.
pub type Topic = &'static str;

/// One event as every subscriber of its topic gets it.
#[derive(Clone)]
pub struct Published {
    /// The topic.
    pub topic: Topic,
    /// The transactions behind it.
    pub transactions: Vec<u64>,
    /// Who owns what it is about.
    pub owners: Vec<Owner>,
    /// What it says, of the type that the topic's feed makes.
    pub body: Arc<dyn Any + Send + Sync>,
}

/// Reads from the database what changes mean, once for all subscribers.
pub trait Feed: Send + Sync + 'static {
    /// The tables whose changes it reads.
    fn tables(&self) -> &'static [&'static str];

    /// Changes within this time of each other are read together.
    fn window(&self) -> Duration {
        Duration::ZERO
    }

    /// The events that these changes are, in order.
    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<Published>>>;
}

/// What a subscriber is told.
#[derive(Clone)]
pub(crate) enum Signal {
    Event(Published),
    /// Read the present state again.
    Resync,
    /// The rights of this user may have changed.
    Rights(Uuid),
}

/// The hub of a process.
#[derive(Clone)]
pub struct Hub(Arc<Shared>);

#[derive(Default)]
struct Shared {
    subscribers: Mutex<HashMap<u64, Subscriber>>,
    /// Never used twice: one who was cut off leaves later, and must not take another's place along.
    next_key: AtomicU64,
    listening: Listening,
    viewers: Viewers,
}

struct Subscriber {
    topic: Topic,
    queue: mpsc::Sender<Signal>,
    cut: Arc<AtomicBool>,
}

/// A subscriber's end of its queue.
pub(crate) struct Subscription {
    key: u64,
    hub: Hub,
    queue: mpsc::Receiver<Signal>,
    cut: Arc<AtomicBool>,
}

struct Lane {
    feed: Arc<dyn Feed>,
    waiting: Vec<Change>,
    due: Option<Instant>,
    last: Option<Instant>,
}

impl Hub {
    /// Starts listening, and reading the changes that `feeds` know, until `stop` is cancelled.
    #[must_use]
    pub fn start(db: Db, feeds: Vec<Arc<dyn Feed>>, stop: &CancellationToken) -> Self {
        let listening = Listening::default();
        let viewers = Viewers::new(listening.clone());
        let hub = Self(Arc::new(Shared { listening, viewers, ..Shared::default() }));
        let (sender, receiver) = mpsc::channel(HEARD);
        crate::core::task::spawn("live.listener", listener::listen(db.clone(), sender, hub.0.listening.clone(), stop.clone()));
        crate::core::task::spawn("live.hub", hub.clone().publish(db, feeds, receiver));
        hub
    }

    /// The hub of the process that answers this request.
    ///
    /// # Errors
    /// `UNAVAILABLE` when it has none.
    pub(crate) fn of<'a>(ctx: &Context<'a>) -> Result<&'a Self> {
        ctx.data_opt::<Self>().ok_or_else(|| Error::unavailable("Live changes are not served here."))
    }

    /// Whether changes arrive.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.0.listening.is_up()
    }

    /// The viewers that this process knows, forgotten when a notice says so.
    #[must_use]
    pub fn viewers(&self) -> &Viewers {
        &self.0.viewers
    }

    async fn publish(self, db: Db, feeds: Vec<Arc<dyn Feed>>, mut heard: mpsc::Receiver<Heard>) {
        let mut lanes: Vec<Lane> = feeds.into_iter().map(|feed| Lane { feed, waiting: Vec::new(), due: None, last: None }).collect();
        loop {
            let due = lanes.iter().filter_map(|lane| lane.due).min();
            let message = match due {
                None => heard.recv().await,
                Some(due) => match tokio::time::timeout_at(due, heard.recv()).await {
                    Ok(message) => message,
                    Err(_elapsed) => {
                        self.flush(&db, &mut lanes).await;
                        continue;
                    }
                },
            };
            let Some(message) = message else { break };
            let mut next = Some(message);
            let mut moved = false;
            while let Some(message) = next {
                moved |= self.take(message, &mut lanes);
                next = heard.try_recv().ok();
            }
            if moved {
                // Some rows came into sight of some subscribers and went out of that of others.
                self.tell(|_| true, &Signal::Resync);
            }
            self.flush(&db, &mut lanes).await;
        }
        // Nothing will come any more: let every stream end.
        self.lock().clear();
    }

    /// Notes what was heard; answers whether rows moved to other owners.
    fn take(&self, message: Heard, lanes: &mut [Lane]) -> bool {
        let changes = match message {
            Heard::Changes(changes) => changes,
            Heard::MayHaveMissed => {
                self.resync(lanes);
                return false;
            }
        };
        let mut moved = false;
        for change in changes {
            // An update tells the owners before and after.
            moved |= change.owners.len() > 1 && OWNERS.contains(&change.table.as_str());
            counter!(metric::EVENTS, "table" => change.table.clone()).increment(1);
            if RIGHTS.contains(&change.table.as_str()) {
                let user = change.user.unwrap_or(change.id);
                self.0.viewers.forget();
                self.tell(|_| true, &Signal::Rights(user));
            }
            for lane in lanes.iter_mut().filter(|lane| lane.feed.tables().contains(&change.table.as_str())) {
                lane.waiting.push(change.clone());
                let earliest = lane.last.map_or_else(Instant::now, |last| last + lane.feed.window());
                lane.due.get_or_insert(earliest);
            }
        }
        moved
    }

    async fn flush(&self, db: &Db, lanes: &mut [Lane]) {
        let now = Instant::now();
        for index in 0..lanes.len() {
            let Some(lane) = lanes.get_mut(index).filter(|lane| lane.due.is_some_and(|due| due <= now)) else { continue };
            lane.due = None;
            lane.last = Some(now);
            let changes = std::mem::take(&mut lane.waiting);
            match lane.feed.read(db, changes).await {
                Ok(events) => {
                    for event in events {
                        self.tell(|subscriber| subscriber.topic == event.topic, &Signal::Event(event.clone()));
                    }
                }
                Err(error) => {
                    tracing::warn!(error = error.message(), "changes could not be read; subscribers read the present state again");
                    self.resync(lanes);
                    return;
                }
            }
        }
    }

    fn resync(&self, lanes: &mut [Lane]) {
        counter!(metric::RESYNCS).increment(1);
        self.0.viewers.forget();
        for lane in lanes {
            lane.waiting.clear();
            lane.due = None;
        }
        self.tell(|_| true, &Signal::Resync);
    }

    fn tell(&self, whom: impl Fn(&Subscriber) -> bool, signal: &Signal) {
        self.lock().retain(|_, subscriber| {
            if !whom(subscriber) || subscriber.queue.try_send(signal.clone()).is_ok() {
                return true;
            }
            if !subscriber.queue.is_closed() {
                subscriber.cut.store(true, Ordering::Relaxed);
                counter!(metric::SLOW_READERS).increment(1);
            }
            false
        });
    }

    pub(crate) fn subscribe(&self, topic: Topic) -> Subscription {
        let (sender, queue) = mpsc::channel(UNREAD);
        let cut = Arc::new(AtomicBool::new(false));
        let key = self.0.next_key.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(key, Subscriber { topic, queue: sender, cut: Arc::clone(&cut) });
        Subscription { key, hub: self.clone(), queue, cut }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Subscriber>> {
        self.0.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    /// The next signal; none when the hub has ended or cut us off.
    pub(crate) async fn next(&mut self) -> Option<Signal> {
        self.queue.recv().await
    }

    /// We were cut off for not reading.
    pub(crate) fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.lock().remove(&self.key);
    }
}
