//! An execution's stream: the present state for everybody who comes, then every later change, without gap or overlap.
//!
//! Always holds: the queue is opened before the present state is read, and after it a member gets every event whose
//! transaction the snapshot of it did not include, and no other. What the viewer may not see is not passed on;
//! what was told and is gone or out of sight is taken back. The viewer's rights never change here: whose do shares
//! another execution. A database that is away, for however long, ends no stream that has begun, whether anything was told in it or not. Not
//! here: who shares the execution (`share.rs`).

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::Context;
use futures_util::Stream;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::live::hub::{EventPayload, Hub, LiveEvent, Topic};
use crate::core::live::queue::{End, Signal};
use crate::core::live::share::{Audience, Member, OfEvent, ResumeState, SeenBy, SeenObjects, SeenVersion, Share};
use crate::core::live::subscribers::Subscription;
use crate::core::read::Read;
use crate::core::viewer::{Owner, Viewer};

/// Pauses between tries to read the present state again, the last of them for as long as it takes.
const BACK_OFF: [Duration; 6] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];
/// The most events that are looked at together.
const TOGETHER: usize = 500;

/// The tries of a stream to ask a database that is away for a moment: as many as it takes, as a client that is told of the end
/// does not come back.
#[derive(Default)]
pub struct Tries(usize);

impl Tries {
    /// How long to wait for the next one.
    pub fn pause(&mut self) -> Duration {
        let pause = BACK_OFF.get(self.0).or(BACK_OFF.last()).copied().unwrap_or_default();
        self.0 = self.0.saturating_add(1);
        pause
    }
}

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

    /// Transactions before this one had all ended.
    pub(crate) const fn before(&self) -> u64 {
        self.before
    }

    /// Transactions from this one on had not begun.
    pub(crate) const fn end(&self) -> u64 {
        self.end
    }

    /// Whether the transaction's work was visible.
    #[must_use]
    pub fn saw(&self, transaction: u64) -> bool {
        transaction < self.before || (transaction < self.end && !self.running.contains(&transaction))
    }

    /// Whether the work of all of them was visible.
    pub(crate) fn saw_all(&self, transactions: &[u64]) -> bool {
        transactions.iter().all(|transaction| self.saw(*transaction))
    }
}

/// The present state of all that is matched, as one statement saw it.
pub struct Present<I> {
    /// What the statement saw.
    pub snapshot: Snapshot,
    /// The objects that are matched.
    pub told: SeenObjects,
    /// What whoever comes is told.
    pub items: Vec<I>,
}

/// What an event means.
pub struct EventUpdate<I> {
    /// The object that it is about.
    pub object: Uuid,
    /// What to remember of the object; none when it need never be taken back.
    pub mark: Option<SeenVersion>,
    /// It equals the event about this object before it, and is sent only to members who did not get that one.
    pub repeats: bool,
    /// It takes the object back.
    pub removal: bool,
    /// What is pushed.
    pub item: I,
}

impl<I> EventUpdate<I> {
    /// That this is so now.
    pub const fn of(object: Uuid, item: I) -> Self {
        Self { object, mark: Some(SeenVersion(0, 0)), repeats: false, removal: false, item }
    }
}

/// What a live field pushes and how.
pub trait Source: Send + Sized + 'static {
    /// What is pushed.
    type Item: Clone + Send + Sync + 'static;
    /// The topic followed.
    const TOPIC: Topic;
    /// What it pushes hangs on what one subscriber was told before, so nobody shares it.
    const ALONE: bool = false;

    /// The only objects whose events can match; none when any can. With it a change is no work for those whom it does not concern.
    fn only(&self) -> Option<Vec<Uuid>> {
        None
    }

    /// Rows that what matches hangs on: when one of them changes, the present state is read again.
    fn hangs_on(&self) -> Vec<Uuid> {
        Vec::new()
    }

    /// The present state, where this was told already.
    fn present(&mut self, db: &Db, viewer: &Viewer, told: &SeenObjects) -> impl Future<Output = Result<Present<Self::Item>>> + Send;

    /// What those are told of the present state who were told something before: what is gone, then all of it.
    fn difference(
        &mut self,
        _db: &Db,
        _viewer: &Viewer,
        before: &ResumeState,
        now: &Present<Self::Item>,
    ) -> impl Future<Output = Result<Vec<Self::Item>>> + Send {
        let gone = before.told.keys().filter(|object| !now.told.contains_key(*object));
        let items = gone.filter_map(|object| self.removal(*object)).chain(now.items.iter().cloned()).collect();
        async move { Ok(items) }
    }

    /// Whether the viewer may see what these own.
    fn sees(&self, viewer: &Viewer, owners: &[Owner]) -> bool {
        viewer.sees(owners)
    }

    /// Reads what [`Source::event`] will need to know of these events.
    fn prepare(
        &mut self,
        _db: &Db,
        _viewer: &Viewer,
        _told: &SeenObjects,
        _events: &[&LiveEvent],
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// What an event means here, where this was told; none when it does not match.
    fn event(&mut self, told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<Self::Item>>;

    /// What to remember of an object when only some were told what has this mark.
    fn unsure(mark: SeenVersion) -> SeenVersion {
        mark
    }

    /// That an object is gone or out of sight.
    fn removal(&self, _object: Uuid) -> Option<Self::Item> {
        None
    }
}

/// Members who know the same.
struct Alike {
    before: Option<ResumeState>,
    members: Vec<Arc<Member>>,
}

/// Those who are still to be told the present state, which could not be read for them.
#[derive(Default)]
struct Owed {
    /// Who has come.
    members: Vec<Arc<Member>>,
    /// Whoever was told it before.
    again: bool,
    /// When to try next; none when it is owed to nobody.
    due: Option<Instant>,
    tries: Tries,
}

impl Owed {
    async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }
}

struct Following<S: Source> {
    source: S,
    read: Read,
    share: Arc<Share>,
    subscription: Subscription,
    ready: VecDeque<(Audience, Result<S::Item>)>,
    /// Objects whose removal some members already know from their snapshot; the others still need the event.
    half_gone: HashSet<Uuid>,
    owed: Owed,
}

/// Follows a source as the viewer of this request.
///
/// # Errors
/// When nobody is signed in, or nothing is live here.
pub fn follow<S: Source>(ctx: &Context<'_>, source: S) -> Result<impl Stream<Item = Result<S::Item>> + Send + use<S>> {
    let (hub, read) = (Hub::of(ctx)?.clone(), Read::of(ctx)?);
    let share = ctx.data_opt::<Arc<Share>>().cloned().ok_or_else(|| Error::unavailable("Live changes are not served here."))?;
    if !share.follow() {
        return Err(Error::validation("A subscription has one root field; start another for the other."));
    }
    if S::ALONE {
        read.viewer().note_alone();
    }
    let subscription = hub.subscribe(S::TOPIC, source.only(), source.hangs_on());
    let (ready, half_gone, owed) = (VecDeque::new(), HashSet::new(), Owed::default());
    let start = Following { source, read, share, subscription, ready, half_gone, owed };
    Ok(futures_util::stream::unfold(start, |mut following| async move {
        let (whom, item) = following.next().await?;
        following.share.speak_to(whom, item.is_err());
        Some((item, following))
    }))
}

impl<S: Source> Following<S> {
    /// What is said next, and to whom; none when nothing will be.
    async fn next(&mut self) -> Option<(Audience, Result<S::Item>)> {
        loop {
            if self.subscription.queue.take_stale() {
                // Everybody comes again by themselves.
                self.ready.clear();
                self.half_gone.clear();
                self.owed = Owed::default();
                self.share.begin_anew();
            }
            let waiting = self.share.take_waiting();
            if !waiting.is_empty() {
                self.show(waiting, false).await;
            }
            if let Some(next) = self.ready.pop_front() {
                return Some(next);
            }
            let signal = tokio::select! {
                // What comes after the present state is told after it.
                signal = self.subscription.queue.next(TOGETHER), if !self.owed.again => signal,
                () = self.share.came() => continue,
                () = self.owed.due() => {
                    self.pay().await;
                    continue;
                }
            };
            if self.subscription.queue.is_stale() {
                continue;
            }
            match signal {
                Ok(Signal::Items(events)) => {
                    let events: Vec<&LiveEvent> = events.iter().filter_map(|(batch, number)| batch.get(*number)).collect();
                    self.take(&events).await;
                }
                Ok(Signal::Again) => self.show(self.share.joined(), true).await,
                Err(End::Cut | End::Over) => return None,
            }
        }
    }

    /// Notes what events mean. One that everybody's present state had is not looked at: what it is about is read as it is
    /// now, and what has become of it since is said by later events, to whoever was not told yet.
    async fn take(&mut self, events: &[&LiveEvent]) {
        let known = events.iter().map(|event| (*event, self.share.known(&event.transactions)));
        let (events, known): (Vec<&LiveEvent>, Vec<SeenBy>) = known.filter(|(_, known)| *known != SeenBy::Everybody).unzip();
        let db = self.read.db();
        if let Err(error) = db.with_deadline(self.source.prepare(db, self.read.viewer(), &self.share.told(), &events)).await {
            tracing::warn!(error = error.for_log(), "what has changed could not be read; the present state is read instead");
            self.subscription.queue.again();
            return;
        }
        let Self { source, share, read, ready, half_gone, .. } = self;
        for (event, known) in events.into_iter().zip(known) {
            share.with_told(|told, unsaid| {
                let meaning = match &event.said {
                    EventPayload::Gone(object) if told.contains_key(object) => {
                        source.removal(*object).map(|item| EventUpdate { object: *object, mark: None, repeats: false, removal: true, item })
                    }
                    EventPayload::Gone(_) => None,
                    EventPayload::Body(_) if !source.sees(read.viewer(), &event.owners) => None,
                    EventPayload::Body(_) => source.event(told, event),
                };
                let Some(EventUpdate { object, mark, mut repeats, removal, item }) = meaning else { return };
                unsaid.push_back((object, told.get(&object).copied()));
                let half_gone_before = half_gone.remove(&object);
                if let Some(mark) = mark {
                    told.insert(object, if known == SeenBy::Nobody { mark } else { S::unsure(mark) });
                } else {
                    repeats |= removal && half_gone_before;
                    if removal && known == SeenBy::Some {
                        half_gone.insert(object);
                    } else {
                        told.remove(&object);
                    }
                }
                let of = OfEvent { object, transactions: event.transactions.clone(), repeats, lasts: removal };
                ready.push_back((Audience::Everybody(of), Ok(item)));
            });
        }
    }

    /// Tells these the present state: those who have come, or, `again`, those who were told it before.
    async fn show(&mut self, members: Vec<Arc<Member>>, again: bool) {
        let began = Instant::now();
        let present = match self.read_present(&members).await {
            Ok(present) => present,
            Err(error) => return self.owe(members, again, error, began),
        };
        let (told, nobody) = (self.share.told(), members.is_empty());
        // By what they know already, which few or all have in common.
        let mut alike: HashMap<(usize, bool), Alike> = HashMap::new();
        let snapshot = Arc::new(present.snapshot.clone());
        for member in &members {
            let before = if again { Some(ResumeState { told: Arc::clone(&told), lost: false }) } else { member.before() };
            let known = before.as_ref().map_or((0, false), |before| (Arc::as_ptr(&before.told).addr(), before.lost));
            alike.entry(known).or_insert_with(|| Alike { before, members: Vec::new() }).members.push(Arc::clone(member));
        }
        let mut shown = false;
        for Alike { before, members } in alike.into_values() {
            let items = match &before {
                None => Ok(present.items.clone()),
                Some(before) => {
                    let db = self.read.db();
                    db.with_deadline(self.source.difference(db, self.read.viewer(), before, &present)).await
                }
            };
            match items {
                Ok(items) => {
                    shown = true;
                    self.share.join(&members, &snapshot, before.as_ref(), items.is_empty());
                    let (members, last): (Arc<[Arc<Member>]>, _) = (members.into(), items.len().saturating_sub(1));
                    let parts = items.into_iter().enumerate();
                    self.ready.extend(parts.map(|(at, item)| (Audience::These(Arc::clone(&members), at == last), Ok(item))));
                }
                Err(error) => self.owe(members, again, error, began),
            }
        }
        drop(told);
        if !shown && !nobody {
            return;
        }
        self.share.with_told(|told, _| {
            if again {
                *told = present.told;
                return;
            }
            // Of what was told before, the others have yet to be told what this statement saw.
            for (object, mark) in present.told {
                told.entry(object).and_modify(|before| *before = if *before == mark { mark } else { S::unsure(*before) }).or_insert(mark);
            }
        });
    }

    /// The present state could not be read for these. Whose stream has begun wait until it can be, when that may be soon; the
    /// others are told, as they would take silence for peace.
    fn owe(&mut self, members: Vec<Arc<Member>>, again: bool, error: Error, began: Instant) {
        let (stay, go): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| error.may_pass() && member.has_begun());
        if !stay.is_empty() {
            // A database that has no time is asked for a third of it at most.
            let pause = self.owed.tries.pause().max(2 * began.elapsed());
            tracing::debug!(error = error.for_log(), ?pause, "the present state could not be read; it is tried again");
            self.owed.due = Some(Instant::now() + pause);
            if again {
                self.owed.again = true;
            } else {
                self.owed.members.extend(stay);
            }
        }
        if !go.is_empty() {
            self.ready.push_back((Audience::These(go.into(), false), Err(error)));
        }
    }

    /// Tries again to tell the present state to those to whom it is owed.
    async fn pay(&mut self) {
        let Owed { members, again, tries, .. } = std::mem::take(&mut self.owed);
        self.owed.tries = tries;
        if !members.is_empty() {
            self.show(members, false).await;
        }
        if again {
            self.show(self.share.joined(), true).await;
        }
        if self.owed.due.is_none() {
            self.owed = Owed::default();
        }
    }

    async fn read_present(&mut self, members: &[Arc<Member>]) -> Result<Present<S::Item>> {
        let mut told = self.share.told();
        for before in members.iter().filter_map(|member| member.before()) {
            if !Arc::ptr_eq(&before.told, &told) && before.told.keys().any(|object| !told.contains_key(object)) {
                Arc::make_mut(&mut told).extend(before.told.iter().map(|(object, mark)| (*object, *mark)));
            }
        }
        let db = self.read.db();
        db.with_deadline(self.source.present(db, self.read.viewer(), &told)).await
    }
}
