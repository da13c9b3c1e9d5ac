//! What one reader has not read yet: an execution its events, a subscriber its answers.
//!
//! Always holds: a batch is one item, shared by all who are told of it; what is unread is bounded, by number and by weight. A present state,
//! which weighs nothing here, is bounded by number alone.
//! Who falls further behind is given the present state instead, and is cut off when that is not asked for in time either.
//! Only what a later present state would not say, such as a removal, is kept for them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::core::lock::lock;

/// Items that may be unread.
const UNREAD: usize = 16_384;
/// A queue that was read to its end keeps room for so many items at most: there are many, and most are empty.
const MOST_ROOM: usize = 64;
/// How long who has fallen behind may read nothing at all.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a reader is told.
pub(crate) enum Signal<T> {
    /// What has these numbers in its batches, in order; never nothing.
    Items(Vec<(Arc<[T]>, usize)>),
    /// Read the present state again.
    Again,
}

/// The queue of one reader.
pub(crate) struct Queue<T> {
    waiting: Mutex<Waiting<T>>,
    changed: Notify,
    /// What may be unread by weight.
    room: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self::of(usize::MAX)
    }
}

struct Waiting<T> {
    items: VecDeque<Item<T>>,
    unread: usize,
    weight: usize,
    /// Items that were taken from the queue but not sent yet must be dropped.
    stale: bool,
    /// Something was left out that does not last.
    lost: bool,
    behind_since: Option<Instant>,
    ended: Option<End>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), unread: 0, weight: 0, stale: false, lost: false, behind_since: None, ended: None }
    }
}

enum Item<T> {
    /// A batch and how much of it was read; `lasting` when it must reach the reader even if the present state is read again,
    /// because that cannot show it: a removal.
    Batch {
        events: Arc<[T]>,
        next: usize,
        weight: usize,
        lasting: bool,
    },
    Again,
}

/// Why nothing comes any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The reader does not read.
    Cut,
    /// Whoever left things here has ended.
    Over,
}

impl<T> Queue<T> {
    /// One with so much room.
    pub(crate) fn of(room: usize) -> Self {
        Self { waiting: Mutex::new(Waiting::default()), changed: Notify::new(), room }
    }

    /// Leaves a batch; false when that shows that the reader does not read, which ends the queue.
    pub(crate) fn push(&self, events: &Arc<[T]>) -> bool {
        self.leave(events, 0, false)
    }

    /// Leaves a batch that weighs something.
    pub(crate) fn push_heavy(&self, events: &Arc<[T]>, weight: usize) -> bool {
        self.leave(events, weight, false)
    }

    /// Leaves a batch which a later present state would not say.
    pub(crate) fn push_lasting(&self, events: &Arc<[T]>) -> bool {
        self.leave(events, 0, true)
    }

    fn leave(&self, events: &Arc<[T]>, weight: usize, lasting: bool) -> bool {
        let mut waiting = self.lock();
        if waiting.ended.is_some() || events.is_empty() {
            return true;
        }
        if waiting.behind_since.is_some_and(|since| since.elapsed() > PATIENCE) {
            drop(waiting);
            self.end(End::Cut);
            return false;
        }
        if waiting.behind_since.is_some() && !lasting {
            // The present state, read after this, will hold what they say.
            waiting.lost = true;
            return true;
        }
        // One alone may weigh more than there is room.
        let too_heavy = weight > 0 && waiting.weight > 0 && waiting.weight.saturating_add(weight) > self.room;
        if waiting.behind_since.is_none() && (too_heavy || waiting.unread + events.len() > UNREAD) {
            waiting.replace(true);
            waiting.lost |= !lasting;
            waiting.behind_since = Some(Instant::now());
        }
        if waiting.behind_since.is_none() || lasting {
            waiting.unread += events.len();
            waiting.weight = waiting.weight.saturating_add(weight);
            let batch = Item::Batch { events: Arc::clone(events), next: 0, weight, lasting };
            match waiting.items.back() {
                // Before the present state, which is read when all before it is.
                Some(Item::Again) if lasting && waiting.behind_since.is_some() => {
                    let place = waiting.items.len().saturating_sub(1);
                    waiting.items.insert(place, batch);
                }
                _ => waiting.items.push_back(batch),
            }
        }
        drop(waiting);
        self.changed.notify_one();
        true
    }

    /// After what is unread, the present state is to be read again.
    pub(crate) fn again(&self) {
        let mut waiting = self.lock();
        if !matches!(waiting.items.back(), Some(Item::Again)) {
            waiting.items.push_back(Item::Again);
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Nothing that was left or handed out before may be passed on, or only what lasts: the present state is to be read first.
    pub(crate) fn start_over(&self, lasting_stays: bool) {
        let mut waiting = self.lock();
        waiting.stale = true;
        waiting.replace(lasting_stays);
        drop(waiting);
        self.changed.notify_one();
    }

    /// Nothing will come any more.
    pub(crate) fn end(&self, end: End) {
        let mut waiting = self.lock();
        waiting.items.clear();
        waiting.ended = Some(end);
        drop(waiting);
        self.changed.notify_one();
    }

    /// Nothing will come after what is unread.
    pub(crate) fn finish(&self) {
        self.lock().ended.get_or_insert(End::Over);
        self.changed.notify_one();
    }

    /// Whether what was handed out before has become stale meanwhile, which is still to be taken note of.
    pub(crate) fn is_stale(&self) -> bool {
        self.lock().stale
    }

    /// Whether what was handed out before has become stale meanwhile, and whether anything was left out that does not last.
    /// What lasts is still handed out, then that the present state is to be read.
    pub(crate) fn take_signs(&self) -> (bool, bool) {
        let mut waiting = self.lock();
        (std::mem::take(&mut waiting.stale), std::mem::take(&mut waiting.lost))
    }

    /// Whether what was handed out before has become stale meanwhile; the present state is to be read then.
    pub(crate) fn take_stale(&self) -> bool {
        let mut waiting = self.lock();
        let stale = std::mem::take(&mut waiting.stale);
        if stale && matches!(waiting.items.front(), Some(Item::Again)) {
            waiting.items.pop_front();
            waiting.behind_since = None;
        }
        stale
    }

    /// The next signal, with at most so many items, or why none will come any more.
    pub(crate) async fn next(&self, most: usize) -> Result<Signal<T>, End> {
        loop {
            let changed = self.changed.notified();
            {
                let mut waiting = self.lock();
                if let Some(signal) = waiting.take(most) {
                    return Ok(signal);
                }
                if let Some(end) = waiting.ended {
                    return Err(end);
                }
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        lock(&self.waiting)
    }
}

impl<T> Waiting<T> {
    /// The present state instead of what is unread; what lasts may be told before it.
    fn replace(&mut self, lasting_stays: bool) {
        let stays = |item: &Item<T>| lasting_stays && matches!(item, Item::Batch { lasting: true, .. });
        self.lost |= self.items.iter().any(|item| item.unread() > 0 && !stays(item));
        self.items.retain(stays);
        self.unread = self.items.iter().map(Item::unread).sum();
        self.weight = self.items.iter().map(Item::weight).sum();
        self.items.push_back(Item::Again);
    }

    fn take(&mut self, most: usize) -> Option<Signal<T>> {
        let mut taken = Vec::new();
        while taken.len() < most.max(1)
            && let Some(Item::Batch { events, next, weight, .. }) = self.items.front_mut()
        {
            taken.push((Arc::clone(events), *next));
            *next += 1;
            if *next >= events.len() {
                self.weight = self.weight.saturating_sub(*weight);
                self.items.pop_front();
            }
        }
        if self.items.is_empty() && self.items.capacity() > MOST_ROOM {
            self.items = VecDeque::new();
        }
        if !taken.is_empty() {
            self.unread = self.unread.saturating_sub(taken.len());
            return Some(Signal::Items(taken));
        }
        self.items.pop_front()?;
        self.behind_since = None;
        Some(Signal::Again)
    }
}

impl<T> Item<T> {
    fn unread(&self) -> usize {
        match self {
            Self::Batch { events, next, .. } => events.len().saturating_sub(*next),
            Self::Again => 0,
        }
    }

    fn weight(&self) -> usize {
        match self {
            Self::Batch { weight, .. } => *weight,
            Self::Again => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(length: usize) -> Arc<[()]> {
        vec![(); length].into()
    }

    /// What is handed out at once: items by their number, and "again" as none.
    async fn handed_out(queue: &Queue<()>) -> Vec<Option<usize>> {
        let mut all = Vec::new();
        while let Some(Ok(signal)) = futures_util::FutureExt::now_or_never(queue.next(3)) {
            match signal {
                Signal::Items(items) => all.extend(items.into_iter().map(|(_, number)| Some(number))),
                Signal::Again => all.push(None),
            }
        }
        all
    }

    #[tokio::test]
    async fn batches_come_in_order_and_again_after_what_was_left_before() {
        let queue = Queue::default();
        assert!(queue.push(&batch(2)));
        queue.again();
        queue.again();
        assert!(queue.push(&batch(5)));
        assert_eq!(handed_out(&queue).await, [Some(0), Some(1), None, Some(0), Some(1), Some(2), Some(3), Some(4)]);
    }

    #[tokio::test]
    async fn what_is_stale_is_not_handed_out() {
        let queue = Queue::default();
        assert!(queue.push(&batch(2)));
        queue.start_over(false);
        assert!(queue.push(&batch(1)));
        assert!(queue.take_stale() && !queue.take_stale());
        assert_eq!(handed_out(&queue).await, [Some(0)]);
    }

    #[tokio::test]
    async fn what_lasts_is_handed_out_when_it_is_stale_and_it_is_known_what_was_lost() {
        let queue = Queue::default();
        assert!(queue.push_lasting(&batch(1)));
        queue.start_over(true);
        assert_eq!(queue.take_signs(), (true, false));
        assert_eq!(handed_out(&queue).await, [Some(0), None]);
        assert!(queue.push(&batch(1)));
        queue.start_over(true);
        assert_eq!(queue.take_signs(), (true, true));
        assert_eq!(handed_out(&queue).await, [None]);
    }

    #[tokio::test]
    async fn who_falls_behind_gets_the_present_state_and_is_cut_off_when_that_is_not_read() {
        let queue = Queue::default();
        for _ in 0..4 {
            assert!(queue.push(&batch(UNREAD / 2 + 1)));
        }
        assert_eq!(handed_out(&queue).await, [None]);
        assert!(queue.push(&batch(1)));
        assert_eq!(handed_out(&queue).await, [Some(0)]);
        assert!(queue.push(&batch(UNREAD + 1)));
        assert!(queue.push(&batch(1)));
        queue.lock().behind_since = Instant::now().checked_sub(PATIENCE * 2);
        assert!(!queue.push(&batch(1)));
        assert!(matches!(queue.next(1).await, Err(End::Cut)));
    }

    #[tokio::test]
    async fn what_is_unread_is_bounded_by_weight_but_one_batch_may_weigh_anything() {
        let queue = Queue::of(100);
        assert!(queue.push_heavy(&batch(1), 1_000) && queue.push(&batch(1)));
        assert_eq!(handed_out(&queue).await, [Some(0), Some(0)]);
        assert!(queue.push_heavy(&batch(1), 60) && queue.push(&batch(1)) && queue.push_heavy(&batch(2), 41));
        assert_eq!(handed_out(&queue).await, [None]);
        assert!(queue.push_heavy(&batch(1), 60) && queue.push_heavy(&batch(2), 40));
        assert_eq!(handed_out(&queue).await, [Some(0), Some(0), Some(1)]);
    }

    #[tokio::test]
    async fn who_falls_behind_is_still_told_what_lasts_and_then_the_present_state() {
        let queue = Queue::default();
        assert!(queue.push(&batch(1)) && queue.push_lasting(&batch(2)));
        assert!(queue.push(&batch(UNREAD)));
        assert!(queue.push_lasting(&batch(1)) && queue.push(&batch(1)));
        assert_eq!(handed_out(&queue).await, [Some(0), Some(1), Some(0), None]);
        assert!(queue.push(&batch(1)));
        assert_eq!(handed_out(&queue).await, [Some(0)]);
    }

    #[tokio::test]
    async fn the_batch_that_there_is_no_room_for_counts_as_lost_though_all_before_it_lasts() {
        let queue = Queue::default();
        assert!(queue.push_lasting(&batch(UNREAD)));
        assert!(queue.push(&batch(1)));
        assert_eq!(queue.take_signs(), (false, true));
    }
}
