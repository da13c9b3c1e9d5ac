//! The hub: from changes to events, from events to the executions that follow them.
//!
//! Always holds: events of a topic reach every execution in one order, a batch at a time; whose rights have changed is
//! told nothing of any later event before those were looked at. Not here: who follows what (`subscribers.rs`).

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;
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
use crate::core::live::listener::{self, ListenRetry, ListenerMessage, Listening};
use crate::core::live::notice::{self, Change};
use crate::core::live::subscribers::{Place, Subscribers, Subscription};
use crate::core::metric;
use crate::core::task::supervise;
use crate::core::viewer::Owner;
use crate::core::viewers::Viewers;

/// Messages between listener and hub; beyond them PostgreSQL keeps what is to come.
const HEARD: usize = 1_024;
/// Tables whose rows decide what viewers see.
const RIGHTS: [&str; 4] = ["env_member", "team_member", "user", "service_account_user"];
/// Tables that others' rows have their owners from.
const OWNERS: [&str; 3] = ["connector", "pipeline", "team"];

/// What an execution follows.
pub type Topic = &'static str;

/// One event as everybody who follows its topic gets it.
#[derive(Clone)]
pub struct LiveEvent {
    /// The topic.
    pub topic: Topic,
    /// The object that it is about.
    pub about: Uuid,
    /// The transactions behind it.
    pub transactions: Vec<u64>,
    /// Who owns what it is about.
    pub owners: Vec<Owner>,
    /// What it says.
    pub said: EventPayload,
}

/// What an event says.
#[derive(Clone)]
pub enum EventPayload {
    /// Something of the type that the topic's feed makes.
    Body(Arc<dyn Any + Send + Sync>),
    /// What has this id is gone; whoever was told of it is told that.
    Gone(Uuid),
}

impl LiveEvent {
    /// That what the change is about is gone.
    #[must_use]
    pub fn gone(topic: Topic, change: &Change) -> Self {
        Self {
            topic,
            about: change.id,
            transactions: vec![change.transaction],
            owners: change.owners.clone(),
            said: EventPayload::Gone(change.id),
        }
    }

    /// What it says, when that is of this type.
    #[must_use]
    pub fn body<T: Any>(&self) -> Option<&T> {
        match &self.said {
            EventPayload::Body(body) => body.downcast_ref(),
            EventPayload::Gone(_) => None,
        }
    }
}

/// Reads from the database what changes mean, once for all subscribers.
pub trait Feed: Send + Sync + 'static {
    /// The tables whose changes it reads.
    fn tables(&self) -> &'static [&'static str];

    /// Changes within this time of each other are read together.
    fn window(&self) -> Duration {
        Duration::ZERO
    }

    /// The topic of its events: while nobody follows that, nothing is read. None for one that is to hear of every change.
    fn topic(&self) -> Option<Topic> {
        None
    }

    /// How often it looks for changes by itself: of what is written too often to be announced.
    fn looks(&self) -> Option<Duration> {
        None
    }

    /// The events that these changes are, in order; none are given when it is to look for itself.
    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>>;
}

/// The hub of a process.
#[derive(Clone)]
pub struct Hub(Arc<Shared>);

struct Shared {
    subscribers: Subscribers,
    listening: Listening,
    viewers: Viewers,
}

/// What changes mean beside the events that are read from them.
#[derive(Default)]
struct News {
    /// Notices may have been missed.
    missed: bool,
    /// Some rows came into sight of some subscribers and went out of that of others.
    moved: bool,
    /// The rights of these users may have changed.
    users: HashSet<Uuid>,
}

struct Lane {
    feed: Arc<dyn Feed>,
    waiting: Vec<Change>,
    due: Option<Instant>,
    last: Option<Instant>,
    /// When it looks for changes by itself.
    look: Option<Instant>,
}

impl Lane {
    fn new(feed: Arc<dyn Feed>) -> Self {
        let look = feed.looks().map(|_| Instant::now());
        Self { feed, waiting: Vec::new(), due: None, last: None, look }
    }

    /// Whether it is to look for changes now.
    fn looks(&mut self, now: Instant) -> bool {
        let Some(pace) = self.feed.looks().filter(|_| self.look.is_some_and(|look| look <= now)) else { return false };
        self.look = Some(now + pace);
        true
    }

    /// Whether anybody wants to know. Changes that nobody follows are not read: whoever comes later reads the present state, which
    /// holds them.
    fn is_followed(&self, subscribers: &Subscribers) -> bool {
        self.feed.topic().is_none_or(|topic| subscribers.follow(topic))
    }
}

impl Hub {
    /// Starts listening, and reading the changes that `feeds` know, until `stop` is cancelled.
    #[must_use]
    pub fn start(db: Db, feeds: Vec<Arc<dyn Feed>>, retry: ListenRetry, stop: &CancellationToken) -> Self {
        let listening = Listening::new(retry);
        let viewers = Viewers::new(listening.clone(), db.clone());
        let hub = Self(Arc::new(Shared { subscribers: Subscribers::default(), listening, viewers }));
        let (running, until) = (hub.clone(), stop.clone());
        supervise("live", stop.clone(), move || running.clone().run(db.clone(), feeds.clone(), until.clone()));
        hub
    }

    /// Listens and publishes. Both in one task: begun again after a panic of either, the listener tells that notices
    /// may have been missed, and every subscriber reads the present state.
    async fn run(self, db: Db, feeds: Vec<Arc<dyn Feed>>, stop: CancellationToken) {
        let (sender, receiver) = mpsc::channel(HEARD);
        let listening = self.0.listening.clone();
        tokio::join!(listener::listen(db.clone(), sender, listening, stop), self.publish(db, feeds, receiver));
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

    /// Whether changes have not arrived for a while, and none will for nobody knows how long.
    #[must_use]
    pub fn is_deaf(&self) -> bool {
        self.0.listening.is_gone()
    }

    /// Whether changes are looked for, as LISTEN does not work here.
    #[must_use]
    pub fn polls(&self) -> bool {
        self.0.listening.polls()
    }

    /// Tells operators how changes are heard of.
    pub(crate) fn measure(&self) {
        self.0.listening.measure();
    }

    /// Whether nothing will come any more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.subscribers.have_ended()
    }

    /// The viewers that this process knows, forgotten when a notice says so.
    #[must_use]
    pub fn viewers(&self) -> &Viewers {
        &self.0.viewers
    }

    async fn publish(self, db: Db, feeds: Vec<Arc<dyn Feed>>, mut heard: mpsc::Receiver<ListenerMessage>) {
        let mut lanes: Vec<Lane> = feeds.into_iter().map(Lane::new).collect();
        loop {
            let due = lanes.iter().flat_map(|lane| [lane.due, lane.look]).flatten().min();
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
            let mut news = News::default();
            while let Some(message) = next {
                self.take(message, &mut lanes, &mut news);
                next = heard.try_recv().ok();
            }
            self.announce(&news);
            self.flush(&db, &mut lanes).await;
        }
        // Nothing will come any more: let every stream end.
        self.0.subscribers.end();
    }

    /// Notes what was heard.
    fn take(&self, message: ListenerMessage, lanes: &mut [Lane], news: &mut News) {
        let ListenerMessage::Changes(changes) = message else {
            news.missed = true;
            return forget(lanes);
        };
        for change in changes {
            // An update tells the owners before and after.
            news.moved |= change.owners.len() > 1 && OWNERS.contains(&change.table.as_str());
            counter!(metric::EVENTS, "table" => change.table.clone()).increment(1);
            if RIGHTS.contains(&change.table.as_str()) {
                news.users.insert(change.user.unwrap_or(change.id));
            }
            self.0.subscribers.row_changed(change.id);
            for lane in lanes.iter_mut().filter(|lane| lane.feed.tables().contains(&change.table.as_str())) {
                lane.waiting.push(change.clone());
                let earliest = lane.last.map_or_else(Instant::now, |last| last + lane.feed.window());
                lane.due.get_or_insert(earliest);
            }
        }
    }

    /// Tells whom it concerns that more has changed than events say.
    fn announce(&self, news: &News) {
        if news.missed {
            self.resync();
        }
        if !news.users.is_empty() {
            self.0.viewers.forget();
            self.0.subscribers.rights_changed(&news.users);
        }
        if news.moved {
            self.0.subscribers.moved();
        }
    }

    async fn flush(&self, db: &Db, lanes: &mut [Lane]) {
        let now = Instant::now();
        for index in 0..lanes.len() {
            let Some(lane) = lanes.get_mut(index) else { continue };
            let told = lane.due.is_some_and(|due| due <= now);
            if !lane.looks(now) && !told {
                continue;
            }
            lane.due = None;
            lane.last = Some(now);
            let changes = std::mem::take(&mut lane.waiting);
            if !lane.is_followed(&self.0.subscribers) {
                continue;
            }
            let made: Vec<i64> = changes.iter().filter_map(|change| change.at).collect();
            match db.with_deadline(lane.feed.read(db, changes)).await {
                Ok(events) => {
                    self.0.subscribers.tell(events);
                    notice::measure(&made);
                }
                // What it did not find this time it finds the next time.
                Err(error) if !told => tracing::debug!(error = error.for_log(), "a feed could not look for changes; it looks again"),
                Err(error) => {
                    tracing::warn!(error = error.for_log(), "changes could not be read; subscribers read the present state again");
                    forget(lanes);
                    return self.resync();
                }
            }
        }
    }

    /// Everybody reads the present state again, under the rights of then.
    fn resync(&self) {
        counter!(metric::RESYNCS).increment(1);
        self.0.viewers.forget();
        self.0.subscribers.start_over();
    }

    /// Opens the queue of an execution that is told of these objects, or of all, and whose matches hang on these rows.
    pub(crate) fn subscribe(&self, topic: Topic, only: Option<Vec<Uuid>>, rows: Vec<Uuid>) -> Subscription {
        self.0.subscribers.open(topic, only, rows)
    }

    /// A place for one who will be told what an execution answers, of this user if it is one, and for whom so many bytes of
    /// that may wait. What they may is to be asked after this, so that no change of it is missed.
    #[must_use]
    pub fn enter(&self, user: Option<Uuid>, room: usize) -> Place {
        self.0.subscribers.enter(user, room)
    }
}

/// What waits to be read is not needed any more: the present state will hold it.
fn forget(lanes: &mut [Lane]) {
    for lane in lanes {
        lane.waiting.clear();
        lane.due = None;
    }
}
