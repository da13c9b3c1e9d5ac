//! Who follows what, and whose rights are minded.
//!
//! Always holds: whoever is told something is found by topic, row or user; nobody waits for anybody who reads slowly;
//! who has gone leaves nothing behind. Not here: what is unread (`queue.rs`), who shares an execution (`share.rs`).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use uuid::Uuid;

use crate::core::live::hub::{LiveEvent, Topic};
use crate::core::live::queue::{End, Queue};
use crate::core::live::share::Member;
use crate::core::lock::lock;

/// The subscribers of a process.
#[derive(Clone, Default)]
pub(crate) struct Subscribers(Arc<Mutex<Index>>);

#[derive(Default)]
struct Index {
    /// Executions, by the topic that they follow.
    by_topic: HashMap<Topic, Followers>,
    /// Executions whose matches hang on a row, by the row.
    by_row: HashMap<Uuid, HashMap<u64, Arc<Queue<LiveEvent>>>>,
    /// Whoever is told what executions answer, by user; none for workers and for who is not signed in.
    by_user: HashMap<Option<Uuid>, HashMap<u64, Arc<Member>>>,
    /// Never used twice: one who was cut off leaves later, and must not take another's place along.
    next_key: u64,
    ended: bool,
}

/// Who follows a topic.
#[derive(Default)]
struct Followers {
    all: HashMap<u64, Arc<Queue<LiveEvent>>>,
    /// Those who are told of some objects alone.
    by_object: HashMap<Uuid, HashMap<u64, Arc<Queue<LiveEvent>>>>,
}

impl Followers {
    fn are_none(&self) -> bool {
        self.all.is_empty() && self.by_object.is_empty()
    }

    fn queues(&self) -> impl Iterator<Item = &Arc<Queue<LiveEvent>>> {
        self.all.values().chain(self.by_object.values().flat_map(HashMap::values))
    }

    fn tell(&mut self, events: &Arc<[LiveEvent]>) {
        self.all.retain(|_, queue| queue.push(events));
        for event in events.iter() {
            if let Some(concerned) = self.by_object.get_mut(&event.about) {
                let alone: Arc<[LiveEvent]> = Arc::new([event.clone()]);
                concerned.retain(|_, queue| queue.push(&alone));
            }
        }
    }
}

/// An execution's end of its queue.
pub(crate) struct Subscription {
    key: u64,
    topic: Topic,
    only: Option<Vec<Uuid>>,
    rows: Vec<Uuid>,
    subscribers: Subscribers,
    pub(crate) queue: Arc<Queue<LiveEvent>>,
}

/// The place of one who is told; their rights are minded for as long as it is held.
pub struct Place {
    key: u64,
    user: Option<Uuid>,
    subscribers: Subscribers,
    member: Arc<Member>,
}

impl Place {
    /// Who it is of.
    #[must_use]
    pub fn member(&self) -> &Arc<Member> {
        &self.member
    }
}

impl Subscribers {
    /// Opens the queue of an execution that is told of these objects, or of all, and whose matches hang on these rows.
    pub(crate) fn open(&self, topic: Topic, only: Option<Vec<Uuid>>, rows: Vec<Uuid>) -> Subscription {
        let queue = Arc::<Queue<LiveEvent>>::default();
        let mut index = self.lock();
        let key = index.key();
        if index.ended {
            queue.end(End::Over);
        } else {
            let followers = index.by_topic.entry(topic).or_default();
            match &only {
                None => drop(followers.all.insert(key, Arc::clone(&queue))),
                Some(objects) => {
                    for object in objects {
                        followers.by_object.entry(*object).or_default().insert(key, Arc::clone(&queue));
                    }
                }
            }
            for row in &rows {
                index.by_row.entry(*row).or_default().insert(key, Arc::clone(&queue));
            }
        }
        drop(index);
        Subscription { key, topic, only, rows, subscribers: self.clone(), queue }
    }

    /// Minds the rights of one who will be told something, of this user if it is one, and for whom so many bytes may wait.
    pub(crate) fn enter(&self, user: Option<Uuid>, room: usize) -> Place {
        let mut index = self.lock();
        let key = index.key();
        let member = Arc::new(Member::new(key, room));
        if index.ended {
            member.queue.end(End::Over);
        } else {
            index.by_user.entry(user).or_default().insert(key, Arc::clone(&member));
        }
        drop(index);
        Place { key, user, subscribers: self.clone(), member }
    }

    /// Whether nothing will come any more.
    pub(crate) fn have_ended(&self) -> bool {
        self.lock().ended
    }

    /// Whether anybody follows the topic.
    pub(crate) fn follow(&self, topic: Topic) -> bool {
        self.lock().by_topic.get(topic).is_some_and(|followers| !followers.are_none())
    }

    /// Hands events to the executions that follow their topics.
    pub(crate) fn tell(&self, mut events: Vec<LiveEvent>) {
        let mut index = self.lock();
        while let Some(topic) = events.first().map(|event| event.topic) {
            let (of_topic, others): (Vec<_>, Vec<_>) = events.into_iter().partition(|event| event.topic == topic);
            events = others;
            if let Some(followers) = index.by_topic.get_mut(topic) {
                followers.tell(&of_topic.into());
            }
        }
    }

    /// Executions whose matches hang on this row read the present state again.
    pub(crate) fn row_changed(&self, row: Uuid) {
        self.lock().by_row.get(&row).into_iter().flat_map(HashMap::values).for_each(|queue| queue.again());
    }

    /// These users are told nothing more before their rights were looked at anew.
    pub(crate) fn rights_changed(&self, users: &HashSet<Uuid>) {
        let index = self.lock();
        let concerned = users.iter().filter_map(|user| index.by_user.get(&Some(*user))).flat_map(HashMap::values);
        concerned.for_each(|member| member.queue.start_over(true));
    }

    /// Every execution reads the present state after what is unread.
    pub(crate) fn moved(&self) {
        self.lock().executions().for_each(|queue| queue.again());
    }

    /// Everybody is told the present state before anything else, under the rights of then.
    pub(crate) fn start_over(&self) {
        let index = self.lock();
        index.executions().for_each(|queue| queue.start_over(false));
        index.members().for_each(|member| member.queue.start_over(true));
    }

    /// Nothing will come any more: every stream ends.
    pub(crate) fn end(&self) {
        let mut index = self.lock();
        index.ended = true;
        index.executions().for_each(|queue| queue.end(End::Over));
        index.members().for_each(|member| member.queue.end(End::Over));
        index.by_topic.clear();
        index.by_row.clear();
        index.by_user.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Index> {
        lock(&self.0)
    }
}

impl Index {
    fn key(&mut self) -> u64 {
        self.next_key += 1;
        self.next_key
    }

    fn executions(&self) -> impl Iterator<Item = &Arc<Queue<LiveEvent>>> {
        self.by_topic.values().flat_map(Followers::queues)
    }

    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.by_user.values().flat_map(HashMap::values)
    }
}

/// Takes one out of a map of maps; an inner one that is empty goes with it.
fn take<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, HashMap<u64, V>>, outer: K, key: u64) {
    if let Entry::Occupied(mut inner) = map.entry(outer) {
        inner.get_mut().remove(&key);
        if inner.get().is_empty() {
            inner.remove();
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut index = self.subscribers.lock();
        if let Some(followers) = index.by_topic.get_mut(self.topic) {
            followers.all.remove(&self.key);
            for object in self.only.iter().flatten() {
                take(&mut followers.by_object, *object, self.key);
            }
        }
        for row in &self.rows {
            take(&mut index.by_row, *row, self.key);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        take(&mut self.subscribers.lock().by_user, self.user, self.key);
    }
}
