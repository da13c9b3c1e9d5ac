//! One execution for many: who shares it, and whom each of its answers is for.
//!
//! Always holds: whoever shares an execution may see exactly what it may see; each is told the present state as of a
//! snapshot of their own, and after it every answer to an event which that snapshot had not seen. An answer is
//! made once; what a member keeps of it is a pointer. Not here: how it is executed (`follow.rs`, and the server), who
//! may share (`server/shared/`).

use std::collections::{HashMap, HashSet, VecDeque};
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

/// Objects in the order of their events, each with what was known of it before.
pub(crate) type Unsaid = VecDeque<(Uuid, Option<SeenVersion>)>;

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
    /// It is the last one of a present state.
    pub completes: bool,
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
    /// What they were told elsewhere, before they came here; kept until they have received all of the present state here.
    before: Option<ResumeState>,
    /// Present states that they have not received to the end.
    incomplete: u32,
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
                        self.received(said);
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

    /// An answer was handed out.
    fn received(&self, said: &EncodedResponse) {
        if said.completes {
            let mut place = self.place();
            place.incomplete = place.incomplete.saturating_sub(1);
            if place.incomplete == 0 {
                place.before = None;
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

    /// They are told the present state as of this snapshot, who knew that before; `empty` when there is nothing new to them.
    fn joins(&self, snapshot: &Arc<Snapshot>, beginning: u64, before: Option<&ResumeState>, empty: bool) {
        self.begin();
        let mut place = self.place();
        place.since = Some(Arc::clone(snapshot));
        place.beginning = beginning;
        place.left_out.clear();
        if place.incomplete == 0 {
            place.before = before.filter(|_| !empty).cloned();
        }
        place.incomplete += u32::from(!empty);
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
    /// These, as a part of their present state; of which it is the last one or not.
    These(Arc<[Arc<Member>]>, bool),
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
    /// Objects that `told` knows by events of which the answers were not left for anybody yet, in their order, with what it knew before.
    unsaid: Unsaid,
    /// What those know who leave now, each worked out once: who know the same are told the rest together.
    leaving: Leaving,
    /// Transactions from this id on are newer than every member's first snapshot.
    unseen_from: u64,
    /// How often all members were sent back to read the present state again.
    beginnings: u64,
    /// What they had been told when that last happened.
    until_then: Arc<SeenObjects>,
    closed: bool,
}

#[derive(Default)]
struct Leaving {
    /// What was left for everybody.
    said: Option<Arc<SeenObjects>>,
    /// The same, what was known before, and both together.
    older: Option<[Arc<SeenObjects>; 3]>,
}

impl Inner {
    /// What `told` was before the events of which the answers are still to come.
    fn said(&mut self) -> Arc<SeenObjects> {
        let said = self.leaving.said.get_or_insert_with(|| {
            let mut told = Arc::clone(&self.told);
            for (object, before) in self.unsaid.iter().rev() {
                let told = Arc::make_mut(&mut told);
                match before {
                    Some(mark) => told.insert(*object, *mark),
                    None => told.remove(object),
                };
            }
            told
        });
        Arc::clone(said)
    }

    /// These objects, those of `older` as they were there.
    fn with_older(&mut self, told: Arc<SeenObjects>, older: &Arc<SeenObjects>) -> Arc<SeenObjects> {
        if let Some([one, other, both]) = &self.leaving.older
            && Arc::ptr_eq(one, &told)
            && Arc::ptr_eq(other, older)
        {
            return Arc::clone(both);
        }
        let mut both = Arc::clone(&told);
        for (object, mark) in older.iter() {
            if told.get(object) != Some(mark) {
                Arc::make_mut(&mut both).insert(*object, *mark);
            }
        }
        self.leaving.older = Some([told, Arc::clone(older), Arc::clone(&both)]);
        both
    }

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
        let told = match &place.since {
            None => return place.before.clone(),
            Some(_) if place.lags(inner.beginnings) => Arc::clone(&inner.until_then),
            Some(_) => inner.said(),
        };
        if place.incomplete == 0 {
            return Some(ResumeState { told, lost });
        }
        // Some of the present state has not reached them: of all that it was to change they know what they knew before.
        let told = match &place.before {
            Some(before) => inner.with_older(told, &before.told),
            None => told,
        };
        Some(ResumeState { told, lost: true })
    }

    /// Says an answer to whom it is for. Those of a present state are gathered, as there can be thousands.
    pub fn tell(&self, said: EncodedResponse) {
        let mut inner = self.lock();
        // What is answered before anything is followed is the end of it, for everybody.
        let (whom, last) = inner.whom.take().map_or((None, true), |(whom, last)| (Some(whom), last));
        let lasts = matches!(&whom, Some(Audience::Everybody(event)) if event.lasts);
        let completes = matches!(&whom, Some(Audience::These(_, true)));
        let said = Arc::new(EncodedResponse { last: last || said.last, lasts, completes, ..said });
        match &whom {
            Some(Audience::These(members, _)) => return inner.gather(members, said),
            Some(Audience::Everybody(_)) => {
                inner.unsaid.pop_front();
                inner.leaving = Leaving::default();
            }
            None => {}
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

    /// These are told the present state as of this snapshot, who knew that before; `empty` when there is nothing new to them.
    pub(crate) fn join(&self, members: &[Arc<Member>], snapshot: &Arc<Snapshot>, before: Option<&ResumeState>, empty: bool) {
        let mut inner = self.lock();
        inner.unseen_from = inner.unseen_from.max(snapshot.end());
        for member in members {
            member.joins(snapshot, inner.beginnings, before, empty);
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
    pub(crate) fn with_told<T>(&self, change: impl FnOnce(&mut SeenObjects, &mut Unsaid) -> T) -> T {
        let inner = &mut *self.lock();
        // What it was for those who leave is of another time, and would make a copy of it necessary.
        inner.leaving = Leaving::default();
        change(Arc::make_mut(&mut inner.told), &mut inner.unsaid)
    }

    /// Everybody will come again, having been told what was told until now.
    pub(crate) fn begin_anew(&self) {
        let mut inner = self.lock();
        let mut told = inner.said();
        inner.told = Arc::default();
        inner.unsaid.clear();
        inner.leaving = Leaving::default();
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
