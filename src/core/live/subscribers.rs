//! Who follows what.
//!
//! Always holds: whoever is told something is found by topic, row or user; nobody waits for anybody who reads slowly;
//! who has gone leaves nothing behind. Not here: what is unread (`queue.rs`).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::counter;
use uuid::Uuid;

use crate::core::live::hub::{Published, Topic};
use crate::core::live::queue::{End, Queue};
use crate::core::metric;

/// The subscribers of a process.
#[derive(Clone, Default)]
pub(crate) struct Subscribers(Arc<Mutex<Index>>);

#[derive(Default)]
struct Index {
    by_topic: HashMap<Topic, HashMap<u64, Subscriber>>,
    /// Whose matches hang on a row, by the row.
    by_row: HashMap<Uuid, HashMap<u64, Arc<Queue>>>,
    /// Never used twice: one who was cut off leaves later, and must not take another's place along.
    next_key: u64,
}

struct Subscriber {
    user: Option<Uuid>,
    queue: Arc<Queue>,
}

/// A subscriber's end of its queue.
pub(crate) struct Subscription {
    key: u64,
    topic: Topic,
    rows: Vec<Uuid>,
    subscribers: Subscribers,
    pub(crate) queue: Arc<Queue>,
}

impl Subscribers {
    /// Opens the queue of a subscriber: of this user, if it is one, whose matches hang on these rows.
    pub(crate) fn open(&self, topic: Topic, user: Option<Uuid>, rows: Vec<Uuid>) -> Subscription {
        let queue = Arc::<Queue>::default();
        let mut index = self.lock();
        let key = index.next_key;
        index.next_key += 1;
        index.by_topic.entry(topic).or_default().insert(key, Subscriber { user, queue: Arc::clone(&queue) });
        for row in &rows {
            index.by_row.entry(*row).or_default().insert(key, Arc::clone(&queue));
        }
        drop(index);
        Subscription { key, topic, rows, subscribers: self.clone(), queue }
    }

    /// Whether anybody follows the topic.
    pub(crate) fn follow(&self, topic: Topic) -> bool {
        self.lock().by_topic.get(topic).is_some_and(|followers| !followers.is_empty())
    }

    /// Hands events to the subscribers of their topics.
    pub(crate) fn tell(&self, mut events: Vec<Published>) {
        let mut index = self.lock();
        while let Some(topic) = events.first().map(|event| event.topic) {
            let (of_topic, others): (Vec<_>, Vec<_>) = events.into_iter().partition(|event| event.topic == topic);
            events = others;
            let batch = of_topic.into();
            let Some(followers) = index.by_topic.get_mut(topic) else { continue };
            followers.retain(|_, subscriber| {
                let reads = subscriber.queue.push(&batch);
                if !reads {
                    counter!(metric::SLOW_READERS).increment(1);
                }
                reads
            });
        }
    }

    /// Those whose matches hang on this row read the present state again.
    pub(crate) fn row_changed(&self, row: Uuid) {
        self.lock().by_row.get(&row).into_iter().flat_map(HashMap::values).for_each(|queue| queue.again());
    }

    /// These users read the present state before anything else, and where rows have `moved` everybody else after what
    /// is unread.
    pub(crate) fn rights_changed(&self, users: &HashSet<Uuid>, moved: bool) {
        for subscriber in self.lock().everybody() {
            if subscriber.user.is_some_and(|user| users.contains(&user)) {
                subscriber.queue.start_over();
            } else if moved {
                subscriber.queue.again();
            }
        }
    }

    /// Everybody reads the present state before anything else.
    pub(crate) fn start_over(&self) {
        self.lock().everybody().for_each(|subscriber| subscriber.queue.start_over());
    }

    /// Nothing will come any more: every stream ends.
    pub(crate) fn end(&self) {
        let mut index = self.lock();
        index.everybody().for_each(|subscriber| subscriber.queue.end(End::Over));
        index.by_topic.clear();
        index.by_row.clear();
    }

    /// No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Index> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    fn everybody(&self) -> impl Iterator<Item = &Subscriber> {
        self.by_topic.values().flat_map(HashMap::values)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut index = self.subscribers.lock();
        if let Some(followers) = index.by_topic.get_mut(self.topic) {
            followers.remove(&self.key);
        }
        for row in &self.rows {
            if let Entry::Occupied(mut concerned) = index.by_row.entry(*row) {
                concerned.get_mut().remove(&self.key);
                if concerned.get().is_empty() {
                    concerned.remove();
                }
            }
        }
    }
}
