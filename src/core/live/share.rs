//! One execution for many: who shares it, and whom each of its answers is for.
//!
//! Always holds: whoever shares an execution may see exactly what it may see; each is told the present state as of a
//! snapshot of their own, and after it every answer to an event which that snapshot had not seen. An answer is
//! made once; what a member keeps of it is a pointer. Not here: how it is executed (`follow.rs`, and the server), who
//! may share (`server/shared/`).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use metrics::counter;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::core::error::Code;
use crate::core::live::follow::Snapshot;
use crate::core::live::queue::{End, Queue, Signal};
use crate::core::lock::lock;
use crate::core::metric;

/// The most answers of a present state that are left together.
const TOGETHER: usize = 64;

/// Answers that are left together.
type Batch = Arc<[Arc<EncodedResponse>]>;

/// What is known of an object that was told: whatever its source wants to remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenVersion(pub u8, pub i64);

/// The objects that an execution has told of and not taken back.
pub type SeenObjects = HashMap<Uuid, SeenVersion>;

/// One answer, as it is sent.
#[derive(Debug)]
pub struct EncodedResponse {
    /// The answer in JSON.
    pub answer: String,
    /// Its errors in JSON, when the operation was not executed.
    pub refused: Option<String>,
    /// The code of its first error, where it has any.
    pub code: Option<Code>,
    /// The request id that its errors carry, where it has any.
    pub request: Option<String>,
    /// Nothing comes after it.
    pub last: bool,
    /// No later present state says it.
    pub lasts: bool,
}

/// What was told before.
#[derive(Clone, Default)]
pub struct ResumeState {
    /// Which objects.
    pub told: Arc<SeenObjects>,
    /// Some of what came after that was left out.
    pub lost: bool,
}

/// One who is told what an execution answers.
pub struct Member {
    key: u64,
    pub(crate) queue: Queue<Arc<EncodedResponse>>,
    place: Mutex<Standing>,
    /// What they may see has to be asked again.
    stale: AtomicBool,
    /// They were not told something that does not last.
    lost: AtomicBool,
    /// They were told the present state here or elsewhere, be it that there is nothing.
    begun: AtomicBool,
}

/// Where a member stands in the stream of answers.
#[derive(Default)]
struct Standing {
    /// As of when they were told the present state.
    since: Option<Arc<Snapshot>>,
    /// What they were told elsewhere, before they came here.
    before: Option<ResumeState>,
    /// Objects of which an answer was left out because their present state had it.
    left_out: HashSet<Uuid>,
    /// Which of the execution's beginnings they came in after.
    beginning: u64,
}

impl Standing {
    /// All members were sent back to the present state after this one had been told it, and it has not read it again yet.
    fn lags(&self, beginnings: u64) -> bool {
        self.since.is_some() && self.beginning < beginnings
    }
}

/// What there is for a member.
pub enum Next {
    /// An answer.
    EncodedResponse(Arc<EncodedResponse>),
    /// The present state takes the place of what they missed, or of what they may not see any more: what they may see has to
    /// be asked again.
    Anew,
    /// They do not read at all, and are told nothing more.
    Cut,
    /// The execution has ended.
    Over,
}

impl Member {
    /// One for whom so many bytes of answers to events may wait.
    pub(crate) fn new(key: u64, room: usize) -> Self {
        let (stale, lost, begun) = (AtomicBool::default(), AtomicBool::default(), AtomicBool::default());
        Self { key, queue: Queue::of(room), place: Mutex::default(), stale, lost, begun }
    }

    /// What comes next.
    pub async fn next(&self) -> Next {
        loop {
            let signal = self.queue.next(1).await;
            self.note_signs();
            match signal {
                Ok(Signal::Items(items)) => {
                    let Some(said) = items.first().and_then(|(batch, number)| batch.get(*number)) else { continue };
                    if said.lasts || !self.stale.load(Ordering::Relaxed) {
                        return Next::EncodedResponse(Arc::clone(said));
                    }
                    // What was handed out has become stale meanwhile.
                    self.lost.store(true, Ordering::Relaxed);
                }
                Ok(Signal::Again) => return Next::Anew,
                Err(End::Cut) => return Next::Cut,
                Err(End::Over) => return Next::Over,
            }
        }
    }

    /// Leaves answers for them, which are all of one kind; whether they still read.
    fn take(&self, batch: &Batch) -> bool {
        let lasting = batch.iter().any(|said| said.lasts);
        let weight = batch.iter().map(|said| said.answer.len()).sum();
        let reads = if lasting { self.queue.push_lasting(batch) } else { self.queue.push_heavy(batch, weight) };
        count_unless(reads);
        reads
    }

    /// Leaves answers of a present state for them, which is there once and may be large.
    fn take_present(&self, batch: &Batch) {
        count_unless(self.queue.push(batch));
    }

    fn note_signs(&self) {
        let (stale, lost) = self.queue.take_signs();
        self.stale.fetch_or(stale, Ordering::Relaxed);
        self.lost.fetch_or(lost, Ordering::Relaxed);
    }

    /// They were told the present state as of this snapshot.
    fn joins(&self, snapshot: &Arc<Snapshot>, beginning: u64) {
        self.begin();
        let mut place = self.place();
        place.since = Some(Arc::clone(snapshot));
        place.beginning = beginning;
        place.left_out.clear();
        place.before = None;
    }

    /// Their stream has begun: it outlives a database that is away.
    pub fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    /// Whether their stream has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// Whether they were told the present state here.
    #[must_use]
    pub fn has_joined(&self) -> bool {
        self.place().since.is_some()
    }

    /// What they were told before they came.
    pub(crate) fn before(&self) -> Option<ResumeState> {
        self.place().before.clone()
    }

    /// Whether the answer to an event is for them.
    fn wants(&self, event: &OfEvent) -> bool {
        let mut place = self.place();
        let Some(since) = &place.since else { return false };
        if since.saw_all(&event.transactions) {
            if !event.repeats {
                place.left_out.insert(event.object);
            }
            return false;
        }
        // What only repeats the one before is for those who were not told that one.
        place.left_out.remove(&event.object) || !event.repeats
    }

    fn place(&self) -> MutexGuard<'_, Standing> {
        lock(&self.place)
    }
}

/// Counts a reader that has been cut off.
fn count_unless(reads: bool) {
    if !reads {
        counter!(metric::SLOW_READERS).increment(1);
    }
}

/// Who had an event in their present state, of those who were told that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeenBy {
    Nobody,
    Some,
    Everybody,
}

/// The answer to an event, whom it is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfEvent {
    pub(crate) object: Uuid,
    pub(crate) transactions: Vec<u64>,
    /// It says what the one before had said.
    pub(crate) repeats: bool,
    /// No later present state says it.
    pub(crate) lasts: bool,
}

/// Whom an answer is for.
#[derive(Clone)]
pub(crate) enum Audience {
    /// These, as a part of their present state.
    These(Arc<[Arc<Member>]>),
    /// Everybody whose present state did not have it.
    Everybody(OfEvent),
}

/// One execution and its members.
#[derive(Default)]
pub struct Share {
    inner: Mutex<Inner>,
    /// Somebody waits to be told the present state.
    came: Notify,
    followed: AtomicBool,
}

#[derive(Default)]
struct Inner {
    here: HashMap<u64, Arc<Member>>,
    waiting: Vec<Arc<Member>>,
    /// Whom the answer under way is for; before there is one, whoever is here.
    whom: Option<(Audience, bool)>,
    /// Of a present state: its members, and what is not left for them yet.
    gathered: Option<(Arc<[Arc<Member>]>, Vec<Arc<EncodedResponse>>)>,
    told: Arc<SeenObjects>,
    /// Transactions from this id on are newer than every member's first snapshot.
    unseen_from: u64,
    /// How often all members were sent back to read the present state again.
    beginnings: u64,
    /// What they had been told when that last happened.
    until_then: Arc<SeenObjects>,
    closed: bool,
}

impl Inner {
    fn gather(&mut self, members: &Arc<[Arc<Member>]>, said: Arc<EncodedResponse>) {
        if self.gathered.as_ref().is_some_and(|(before, _)| !Arc::ptr_eq(before, members)) {
            self.flush();
        }
        let (_, answers) = self.gathered.get_or_insert_with(|| (Arc::clone(members), Vec::new()));
        answers.push(said);
        if answers.len() >= TOGETHER {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if let Some((members, answers)) = self.gathered.take() {
            let batch: Batch = answers.into();
            for member in members.iter() {
                member.take_present(&batch);
            }
        }
    }
}

impl Share {
    /// Lets somebody in, who was told this elsewhere; false when it has ended.
    pub fn enter(&self, member: &Arc<Member>, before: Option<ResumeState>) -> bool {
        let mut inner = self.lock();
        if inner.closed {
            return false;
        }
        member.place().before = before;
        inner.here.insert(member.key, Arc::clone(member));
        inner.waiting.push(Arc::clone(member));
        drop(inner);
        self.came.notify_one();
        true
    }

    /// They want no more; answers what they had been told, where they were told anything.
    pub fn leave(&self, member: &Member) -> Option<ResumeState> {
        let mut inner = self.lock();
        inner.here.remove(&member.key);
        inner.waiting.retain(|waiting| waiting.key != member.key);
        let place = member.place();
        member.note_signs();
        let lost = member.lost.load(Ordering::Relaxed);
        match &place.since {
            None => place.before.clone(),
            Some(_) if place.lags(inner.beginnings) => Some(ResumeState { told: Arc::clone(&inner.until_then), lost }),
            Some(_) => Some(ResumeState { told: Arc::clone(&inner.told), lost }),
        }
    }

    /// Says an answer to whom it is for. Those of a present state are gathered, as there can be thousands.
    pub fn tell(&self, said: EncodedResponse) {
        let mut inner = self.lock();
        // What is answered before anything is followed is the end of it, for everybody.
        let (whom, last) = inner.whom.take().map_or((None, true), |(whom, last)| (Some(whom), last));
        let lasts = matches!(&whom, Some(Audience::Everybody(event)) if event.lasts);
        let said = Arc::new(EncodedResponse { last: last || said.last, lasts, ..said });
        if let Some(Audience::These(members)) = &whom {
            inner.gather(members, said);
            return;
        }
        inner.flush();
        let batch: Batch = Arc::new([said]);
        inner.here.retain(|_, member| match &whom {
            Some(Audience::Everybody(event)) if !member.wants(event) => true,
            _ => member.take(&batch),
        });
    }

    /// Leaves what was gathered; for when the next answer is to be waited for.
    pub fn flush(&self) {
        self.lock().flush();
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Nothing will be said any more, and nobody is let in.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.flush();
        inner.closed = true;
        inner.here.values().for_each(|member| member.queue.finish());
    }

    /// Whether this is the first field that follows something here; there can be no second.
    pub(crate) fn follow(&self) -> bool {
        !self.followed.swap(true, Ordering::Relaxed)
    }

    /// Waits until somebody waits.
    pub(crate) async fn came(&self) {
        self.came.notified().await;
    }

    /// Those who wait to be told the present state.
    pub(crate) fn take_waiting(&self) -> Vec<Arc<Member>> {
        std::mem::take(&mut self.lock().waiting)
    }

    /// These are told the present state as of this snapshot.
    pub(crate) fn join(&self, members: &[Arc<Member>], snapshot: &Arc<Snapshot>) {
        let mut inner = self.lock();
        inner.unseen_from = inner.unseen_from.max(snapshot.end());
        for member in members {
            member.joins(snapshot, inner.beginnings);
        }
    }

    /// Who had an event with these transactions in their present state.
    pub(crate) fn known(&self, transactions: &[u64]) -> SeenBy {
        let inner = self.lock();
        if transactions.iter().any(|transaction| *transaction >= inner.unseen_from) && inner.unseen_from > 0 {
            return SeenBy::Nobody;
        }
        let (mut some, mut all) = (false, true);
        for member in inner.here.values() {
            if let Some(since) = &member.place().since {
                let saw = since.saw_all(transactions);
                (some, all) = (some || saw, all && saw);
            }
        }
        match (some, all) {
            (_, true) => SeenBy::Everybody,
            (true, false) => SeenBy::Some,
            (false, false) => SeenBy::Nobody,
        }
    }

    /// Those who were told the present state.
    pub(crate) fn joined(&self) -> Vec<Arc<Member>> {
        self.lock().here.values().filter(|member| member.place().since.is_some()).cloned().collect()
    }

    /// Whom the answer is for that is made now, and whether it is the last one for them.
    pub(crate) fn speak_to(&self, whom: Audience, last: bool) {
        self.lock().whom = Some((whom, last));
    }

    /// What was told.
    pub(crate) fn told(&self) -> Arc<SeenObjects> {
        Arc::clone(&self.lock().told)
    }

    /// Changes what was told.
    pub(crate) fn with_told<T>(&self, change: impl FnOnce(&mut SeenObjects) -> T) -> T {
        change(Arc::make_mut(&mut self.lock().told))
    }

    /// Everybody will come again, having been told what was told until now.
    pub(crate) fn begin_anew(&self) {
        let mut inner = self.lock();
        let mut told = std::mem::take(&mut inner.told);
        // Those who have not come again since the last time know what was told before that.
        if inner.here.values().any(|member| member.place().lags(inner.beginnings)) {
            let all = Arc::make_mut(&mut told);
            for (object, mark) in inner.until_then.iter() {
                all.entry(*object).or_insert(*mark);
            }
        }
        inner.until_then = told;
        inner.beginnings += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }
}
