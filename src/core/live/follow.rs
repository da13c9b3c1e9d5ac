//! A subscriber's stream: the present state, then every later change, without gap or overlap.
//!
//! Always holds: the queue is opened before the present state is read, and an event is dropped exactly
//! when the snapshot of that state already saw its transactions. What the viewer may not see is not
//! passed on; when their rights change, the present state is sent again under the new ones. A database
//! that is away for a moment ends no stream that has begun.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Duration;

use futures_util::Stream;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::core::db::Db;
use crate::core::error::{Code, Error, Result};
use crate::core::live::hub::{Hub, Published, Signal, Subscription, Topic};
use crate::core::viewer::{Owner, Viewer};

/// Pauses between tries to read the present state again; after them the stream ends.
const BACK_OFF: [Duration; 8] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(16),
];

/// Which transactions a statement saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    before: u64,
    end: u64,
    running: Vec<u64>,
}

impl Snapshot {
    /// Reads PostgreSQL's text of a `pg_snapshot`: `xmin:xmax:running,...`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut parts = text.split(':');
        let mut number = || parts.next().and_then(|part| part.parse().ok());
        let (before, end) = (number().unwrap_or_default(), number().unwrap_or_default());
        let running = parts.next().unwrap_or_default().split(',').filter_map(|id| id.parse().ok()).collect();
        Self { before, end, running }
    }

    /// The one that a statement put into the first column of its rows, of which there is always one.
    pub(crate) fn of_rows(rows: &[PgRow]) -> sqlx::Result<Self> {
        rows.first().map_or(Ok(Self::default()), |row| row.try_get::<String, _>(0).map(|text| Self::parse(&text)))
    }

    /// Whether the transaction's work was visible.
    #[must_use]
    pub fn saw(&self, transaction: u64) -> bool {
        transaction < self.before || (transaction < self.end && !self.running.contains(&transaction))
    }
}

/// One item of a stream.
pub type Followed<T> = Result<T>;

/// What a live field pushes and how.
pub trait Source: Send + Sync + Sized + 'static {
    /// What is pushed.
    type Item: Send + 'static;
    /// The topic followed.
    const TOPIC: Topic;

    /// The present state of all that is matched, as one statement saw it.
    fn present(&self, db: &Db, viewer: &Viewer) -> impl Future<Output = Result<(Snapshot, Vec<Self::Item>)>> + Send;

    /// Whether the viewer may see what these own.
    fn sees(&self, viewer: &Viewer, owners: &[Owner]) -> bool {
        viewer.sees(owners)
    }

    /// What an event means to this subscriber; none when it does not match.
    fn event(&self, event: &Published) -> Option<Self::Item>;
}

struct Following<S: Source> {
    source: S,
    db: Db,
    viewer: Viewer,
    subscription: Subscription,
    snapshot: Option<Snapshot>,
    ready: VecDeque<S::Item>,
    rights_changed: bool,
    /// The present state was read once.
    begun: bool,
    ended: bool,
}

/// Follows a source as this viewer.
pub fn follow<S: Source>(hub: &Hub, db: Db, viewer: Viewer, source: S) -> impl Stream<Item = Followed<S::Item>> + Send + use<S> {
    let subscription = hub.subscribe(S::TOPIC);
    let start = Following {
        source,
        db,
        viewer,
        subscription,
        snapshot: None,
        ready: VecDeque::new(),
        rights_changed: false,
        begun: false,
        ended: false,
    };
    futures_util::stream::unfold(start, |mut following| async move {
        if following.ended {
            return None;
        }
        match following.next().await {
            Ok(Some(item)) => Some((Ok(item), following)),
            Ok(None) => None,
            Err(error) => {
                following.ended = true;
                Some((Err(error), following))
            }
        }
    })
}

impl<S: Source> Following<S> {
    async fn next(&mut self) -> Result<Option<S::Item>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Ok(Some(item));
            }
            let Some(snapshot) = &self.snapshot else {
                self.read_again().await?;
                continue;
            };
            match self.subscription.next().await {
                Some(Signal::Event(event)) => {
                    if !event.transactions.iter().all(|transaction| snapshot.saw(*transaction))
                        && self.source.sees(&self.viewer, &event.owners)
                        && let Some(item) = self.source.event(&event)
                    {
                        return Ok(Some(item));
                    }
                }
                Some(Signal::Resync) => self.snapshot = None,
                Some(Signal::Rights(user)) => {
                    if self.viewer.user_id() == Some(user) {
                        self.rights_changed = true;
                        self.snapshot = None;
                    }
                }
                None if self.subscription.was_cut() => {
                    return Err(Error::unavailable("The client does not read fast enough; subscribe again for the present state."));
                }
                None => return Ok(None),
            }
        }
    }

    /// Reads the present state; once the stream has begun, also after a database that was away.
    async fn read_again(&mut self) -> Result<()> {
        let mut pauses = BACK_OFF.iter();
        loop {
            let error = match self.read_present().await {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            match pauses.next() {
                Some(pause) if self.begun && matches!(error.code(), Code::Unavailable | Code::Timeout) => tokio::time::sleep(*pause).await,
                _ => return Err(error),
            }
        }
    }

    async fn read_present(&mut self) -> Result<()> {
        if self.rights_changed {
            let viewer = self.viewer.reload(&self.db).await?;
            self.viewer = viewer.ok_or_else(|| Error::unauthenticated("The session has ended; sign in again."))?;
            self.rights_changed = false;
        }
        let (snapshot, items) = self.source.present(&self.db, &self.viewer).await?;
        self.snapshot = Some(snapshot);
        self.ready = items.into();
        self.begun = true;
        Ok(())
    }
}
