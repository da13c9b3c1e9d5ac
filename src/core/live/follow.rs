//! A subscriber's stream: the present state, then every later change, without gap or overlap.
//!
//! Always holds: the queue is opened before the present state is read, and an event is dropped exactly
//! when the snapshot of that state already saw its transactions. What the viewer may not see is not
//! passed on; when their rights change, the present state is sent again under the new ones, and what is
//! selected below it is read under the new ones. A database that is away for a moment ends no stream
//! that has begun.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Duration;

use async_graphql::Context;
use futures_util::Stream;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::{Code, Error, Result};
use crate::core::live::hub::{Hub, Published, Topic};
use crate::core::live::queue::{End, Signal};
use crate::core::live::subscribers::Subscription;
use crate::core::read::Read;
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

/// What a live field pushes and how.
pub trait Source: Send + Sized + 'static {
    /// What is pushed.
    type Item: Send + 'static;
    /// The topic followed.
    const TOPIC: Topic;

    /// Rows that what matches hangs on: when one of them changes, the present state is read again.
    fn hangs_on(&self) -> Vec<Uuid> {
        Vec::new()
    }

    /// The present state of all that is matched, as one statement saw it.
    fn present(&mut self, db: &Db, viewer: &Viewer) -> impl Future<Output = Result<(Snapshot, Vec<Self::Item>)>> + Send;

    /// Whether the viewer may see what these own.
    fn sees(&self, viewer: &Viewer, owners: &[Owner]) -> bool {
        viewer.sees(owners)
    }

    /// What an event means to this subscriber; none when it does not match.
    fn event(&mut self, event: &Published) -> Option<Self::Item>;
}

struct Following<S: Source> {
    source: S,
    hub: Hub,
    read: Read,
    subscription: Subscription,
    snapshot: Option<Snapshot>,
    ready: VecDeque<S::Item>,
    /// The present state was read once.
    begun: bool,
    ended: bool,
}

/// Follows a source as the viewer of this request.
///
/// # Errors
/// When nobody is signed in, or nothing is live here.
pub fn follow<S: Source>(ctx: &Context<'_>, source: S) -> Result<impl Stream<Item = Result<S::Item>> + Send + use<S>> {
    let (hub, read) = (Hub::of(ctx)?.clone(), Read::of(ctx)?);
    let subscription = hub.subscribe(S::TOPIC, read.viewer().user_id(), source.hangs_on());
    let start = Following { source, hub, read, subscription, snapshot: None, ready: VecDeque::new(), begun: false, ended: false };
    Ok(futures_util::stream::unfold(start, |mut following| async move {
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
    }))
}

impl<S: Source> Following<S> {
    async fn next(&mut self) -> Result<Option<S::Item>> {
        loop {
            if self.subscription.queue.take_stale() {
                self.ready.clear();
                self.snapshot = None;
            }
            if let Some(item) = self.ready.pop_front() {
                return Ok(Some(item));
            }
            let Some(snapshot) = &self.snapshot else {
                self.read_again().await?;
                continue;
            };
            match self.subscription.queue.next().await {
                Ok(Signal::Event(batch, number)) => {
                    if let Some(event) = batch.get(number)
                        && !event.transactions.iter().all(|transaction| snapshot.saw(*transaction))
                        && self.source.sees(self.read.viewer(), &event.owners)
                        && let Some(item) = self.source.event(event)
                    {
                        return Ok(Some(item));
                    }
                }
                Ok(Signal::Again) => self.snapshot = None,
                Err(End::Cut) => {
                    return Err(Error::unavailable("The client does not read fast enough; subscribe again for the present state."));
                }
                Err(End::Over) => return Ok(None),
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

    /// Under the rights of now, also the first time: they may have changed since the request was let in.
    async fn read_present(&mut self) -> Result<()> {
        self.read.renew(self.hub.viewers()).await?;
        let db = self.read.db();
        let (snapshot, items) = db.patient(self.source.present(db, self.read.viewer())).await?;
        self.snapshot = Some(snapshot);
        self.ready = items.into();
        self.begun = true;
        Ok(())
    }
}
