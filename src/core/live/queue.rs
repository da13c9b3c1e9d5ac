//! What one subscriber has not read yet.
//!
//! Always holds: a batch of events is one item, shared by all who are told of it; what is unread is bounded, in events.
//! Who falls further behind is given the present state instead, and is cut off when that is not asked for in time either.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::core::live::hub::Published;

/// Events that may be unread.
const UNREAD: usize = 16_384;
/// How long who has fallen behind may read nothing at all.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a subscriber is told.
pub(crate) enum Signal {
    /// The event with this number in a batch.
    Event(Arc<[Published]>, usize),
    /// Read the present state again.
    Again,
}

/// The queue between the hub and one subscriber.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    items: VecDeque<Item>,
    unread: usize,
    /// What was handed out and is not passed on yet must not be any more.
    stale: bool,
    behind_since: Option<Instant>,
    ended: Option<End>,
}

enum Item {
    Batch { events: Arc<[Published]>, next: usize },
    Again,
}

/// Why nothing comes any more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The subscriber does not read.
    Cut,
    /// The hub has ended.
    Over,
}

impl Queue {
    /// Leaves a batch; answers whether the subscriber is still there to read it.
    pub(crate) fn push(&self, events: &Arc<[Published]>) -> bool {
        let mut waiting = self.lock();
        if waiting.behind_since.is_some_and(|since| since.elapsed() > PATIENCE) {
            drop(waiting);
            self.end(End::Cut);
            return false;
        }
        if waiting.behind_since.is_some() || events.is_empty() {
            // The present state, read after this, will hold what they say.
            return true;
        }
        if waiting.unread + events.len() > UNREAD {
            waiting.replace();
            waiting.behind_since = Some(Instant::now());
        } else {
            waiting.unread += events.len();
            waiting.items.push_back(Item::Batch { events: Arc::clone(events), next: 0 });
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

    /// Nothing that was left or handed out before may be passed on: the present state is to be read first.
    pub(crate) fn start_over(&self) {
        let mut waiting = self.lock();
        waiting.stale = true;
        waiting.replace();
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

    /// The next signal, or why none will come any more.
    pub(crate) async fn next(&self) -> Result<Signal, End> {
        loop {
            let changed = self.changed.notified();
            {
                let mut waiting = self.lock();
                if let Some(signal) = waiting.take() {
                    return Ok(signal);
                }
                if let Some(end) = waiting.ended {
                    return Err(end);
                }
            }
            changed.await;
        }
    }

    /// No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// The present state instead of all that is unread.
    fn replace(&mut self) {
        self.items.clear();
        self.items.push_back(Item::Again);
        self.unread = 0;
    }

    fn take(&mut self) -> Option<Signal> {
        match self.items.front_mut()? {
            Item::Again => {
                self.items.pop_front();
                self.behind_since = None;
                Some(Signal::Again)
            }
            Item::Batch { events, next } => {
                let signal = Signal::Event(Arc::clone(events), *next);
                *next += 1;
                let read = *next >= events.len();
                self.unread = self.unread.saturating_sub(1);
                if read {
                    self.items.pop_front();
                }
                Some(signal)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(length: usize) -> Arc<[Published]> {
        let event = Published { topic: "t", transactions: Vec::new(), owners: Vec::new(), body: Arc::new(()) };
        vec![event; length].into()
    }

    /// What is handed out at once: events by their number, and "again" as none.
    async fn handed_out(queue: &Queue) -> Vec<Option<usize>> {
        let mut all = Vec::new();
        while let Some(Ok(signal)) = futures_util::FutureExt::now_or_never(queue.next()) {
            all.push(if let Signal::Event(_, number) = signal { Some(number) } else { None });
        }
        all
    }

    #[tokio::test]
    async fn batches_come_in_order_and_again_after_what_was_left_before() {
        let queue = Queue::default();
        assert!(queue.push(&batch(2)));
        queue.again();
        queue.again();
        assert!(queue.push(&batch(1)));
        assert_eq!(handed_out(&queue).await, [Some(0), Some(1), None, Some(0)]);
    }

    #[tokio::test]
    async fn what_is_stale_is_not_handed_out() {
        let queue = Queue::default();
        assert!(queue.push(&batch(2)));
        queue.start_over();
        assert!(queue.push(&batch(1)));
        assert!(queue.take_stale() && !queue.take_stale());
        assert_eq!(handed_out(&queue).await, [Some(0)]);
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
        assert!(matches!(queue.next().await, Err(End::Cut)));
    }
}
