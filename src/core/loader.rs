//! One batch per edge and depth.
//!
//! Always holds: a load only notes its key; when the request can do nothing more without SQL and no
//! statement is under way, every loader sends one statement, all of them in the request's own task.
//! Nothing is timed, spawned or guessed, so the number of statements is exact, and dropping the
//! request drops its statements. Crate `dataloader` removes duplicate keys and
//! bounds a batch; its own waiting by counted yields is not used, as it cannot know when a request
//! is quiet. Not here: what the statements say.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Debug;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use dataloader::non_cached;
use futures_channel::oneshot;
use futures_util::future::{self, BoxFuture, FutureExt as _};
use futures_util::stream::{FuturesUnordered, Stream, StreamExt as _};
use futures_util::task::AtomicWaker;
use metrics::histogram;

use crate::core::error::{Error, Result};
use crate::core::lock::lock;
use crate::core::metric;

/// The most keys that one statement is given.
const LARGEST_BATCH: usize = 10_000;
/// How long a request computes before other tasks get their turn, and its deadline a chance to end it.
const TURN: Duration = Duration::from_millis(10);

type Loaded<V> = Result<Option<V>>;
type Fetch<K, V> = Box<dyn Fn(Vec<K>, u64) -> BoxFuture<'static, Result<HashMap<K, V>>> + Send + Sync>;
type Start = Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>;

/// The loaders of one request.
#[derive(Clone, Default)]
pub struct Loaders(Arc<Shared>);

#[derive(Default)]
struct Shared {
    slots: Mutex<HashMap<String, Arc<dyn Any + Send + Sync>>>,
    waiting: Mutex<Vec<Start>>,
    /// Statements that resolvers run themselves, outside a batch.
    busy: AtomicUsize,
    /// When the request was given its present turn.
    turn: Mutex<Option<Instant>>,
}

/// What a batch can be keyed by.
pub trait Key: Eq + Hash + Clone + Debug + Send + Sync + 'static {}
impl<K: Eq + Hash + Clone + Debug + Send + Sync + 'static> Key for K {}

/// What a batch can answer.
pub trait Value: Clone + Send + Sync + 'static {}
impl<V: Clone + Send + Sync + 'static> Value for V {}

struct Slot<K: Key, V: Value> {
    loader: non_cached::Loader<K, Loaded<V>, Batch<K, V>>,
    /// The bits of the columns that the running batch reads; a slot runs one batch at a time.
    wanted: Arc<AtomicU64>,
    round: Mutex<Option<Round<K, V>>>,
}

struct Round<K, V> {
    keys: Vec<K>,
    wanted: u64,
    answers: Answers<K, V>,
}

/// Not a channel of tokio's: those spend the task's budget and then pretend to wait, which would
/// look like a quiet request.
type Answers<K, V> = future::Shared<oneshot::Receiver<Arc<HashMap<K, Loaded<V>>>>>;

struct Batch<K, V> {
    fetch: Fetch<K, V>,
    wanted: Arc<AtomicU64>,
}

/// What a batch has answered; none when it was lost, which must not look as if there were no rows.
pub struct Found<K, V>(Option<Arc<HashMap<K, Loaded<V>>>>);

impl<K: Key, V: Value> Found<K, V> {
    /// The value of a key.
    ///
    /// # Errors
    /// What the batch's statement answered.
    pub fn get(&self, key: &K) -> Result<Option<&V>> {
        let found = self.0.as_ref().ok_or_else(|| Error::invariant("a batch was lost"))?;
        match found.get(key) {
            Some(Ok(value)) => Ok(value.as_ref()),
            Some(Err(error)) => Err(error.clone()),
            None => Ok(None),
        }
    }
}

impl<K: Key, V: Value> dataloader::BatchFn<K, Loaded<V>> for Batch<K, V> {
    async fn load(&mut self, keys: &[K]) -> HashMap<K, Loaded<V>> {
        match (self.fetch)(keys.to_vec(), self.wanted.load(Ordering::Relaxed)).await {
            Ok(mut found) => keys.iter().map(|key| (key.clone(), Ok(found.remove(key)))).collect(),
            Err(error) => keys.iter().map(|key| (key.clone(), Err(error.clone()))).collect(),
        }
    }
}

impl Loaders {
    /// The value of one key, from the next batch of the loader named `slot`. `fetch` makes the
    /// function that answers a batch; only the first load of a slot calls it.
    ///
    /// # Errors
    /// What the batch's statement answered.
    pub async fn load<K: Key, V: Value>(&self, slot: &str, key: K, fetch: impl FnOnce() -> Fetch<K, V>) -> Loaded<V> {
        self.load_many(slot, vec![key.clone()], 0, fetch).await.get(&key).map(Option::<&V>::cloned)
    }

    /// The values of many keys, likewise. `wanted` says what they are to bring, a bit each; `fetch` is told what all want that
    /// wait together.
    pub async fn load_many<K: Key, V: Value>(
        &self,
        slot: &str,
        keys: Vec<K>,
        wanted: u64,
        fetch: impl FnOnce() -> Fetch<K, V>,
    ) -> Found<K, V> {
        if keys.is_empty() {
            return Found(Some(Arc::default()));
        }
        // The sender lives in the batch, which lives as long as the request.
        Found(self.register(slot, keys, wanted, fetch).await.ok())
    }

    fn register<K: Key, V: Value>(&self, name: &str, keys: Vec<K>, wanted: u64, fetch: impl FnOnce() -> Fetch<K, V>) -> Answers<K, V> {
        let slot = self.slot(name, fetch);
        let mut round = lock(&slot.round);
        if let Some(round) = round.as_mut() {
            round.keys.extend(keys);
            round.wanted |= wanted;
            return round.answers.clone();
        }
        let (sender, answers) = oneshot::channel();
        let answers = answers.shared();
        *round = Some(Round { keys, wanted, answers: answers.clone() });
        let of_batch = Arc::clone(&slot);
        lock(&self.0.waiting).push(Box::new(move || {
            Box::pin(async move {
                let (keys, wanted) = lock(&of_batch.round).take().map(|round| (round.keys, round.wanted)).unwrap_or_default();
                histogram!(metric::LOADER_BATCH).record(metric::real(keys.len()));
                of_batch.wanted.store(wanted, Ordering::Relaxed);
                // Without an answer the sender is dropped, and whoever waits hears that.
                if let Ok(found) = of_batch.loader.try_load_many(keys).await {
                    let _unheard = sender.send(Arc::new(found));
                }
            })
        }));
        answers
    }

    fn slot<K: Key, V: Value>(&self, name: &str, fetch: impl FnOnce() -> Fetch<K, V>) -> Arc<Slot<K, V>> {
        let mut slots = lock(&self.0.slots);
        if let Some(slot) = slots.get(name).and_then(|slot| Arc::clone(slot).downcast().ok()) {
            return slot;
        }
        let wanted = Arc::new(AtomicU64::new(0));
        let batch = Batch { fetch: fetch(), wanted: Arc::clone(&wanted) };
        let loader = non_cached::Loader::new(batch).with_max_batch_size(LARGEST_BATCH).with_yield_count(0);
        let slot = Arc::new(Slot { loader, wanted, round: Mutex::new(None) });
        slots.insert(name.to_owned(), Arc::clone(&slot) as Arc<dyn Any + Send + Sync>);
        slot
    }

    /// Lets a request that computes for long pause before it goes on. Whatever there can be many of waits here first.
    pub async fn yield_if_long(&self) {
        std::future::poll_fn(|cx| {
            if !self.turn_is_over() {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    fn turn_is_over(&self) -> bool {
        lock(&self.0.turn).is_some_and(|begun| begun.elapsed() > TURN)
    }

    /// Makes every loader anew when it is next asked.
    pub(crate) fn forget(&self) {
        let slots = std::mem::take(&mut *lock(&self.0.slots));
        drop(slots);
    }

    /// Runs a resolver's own statement; batches wait until it has answered.
    pub async fn alone<T>(&self, work: impl Future<Output = T>) -> T {
        struct Busy<'a>(&'a AtomicUsize);
        impl Drop for Busy<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
        self.0.busy.fetch_add(1, Ordering::Relaxed);
        let _busy = Busy(&self.0.busy);
        work.await
    }

    /// Drives an execution whose resolvers load through these loaders.
    pub fn drive<F: Future>(&self, execution: F) -> impl Future<Output = F::Output> {
        let mut driver = Driver::new(self.clone());
        let mut execution = Box::pin(execution);
        std::future::poll_fn(move |cx| driver.poll(cx, |cx| execution.as_mut().poll(cx)))
    }

    /// Drives a stream of executions, as a subscription is.
    pub fn drive_stream<S: Stream + Unpin>(&self, mut executions: S) -> impl Stream<Item = S::Item> + use<S> {
        let mut driver = Driver::new(self.clone());
        futures_util::stream::poll_fn(move |cx| driver.poll(cx, |cx| executions.poll_next_unpin(cx)))
    }
}

/// Polls a request until nothing in it can proceed, then lets every loader send one batch.
struct Driver {
    loaders: Loaders,
    batches: FuturesUnordered<BoxFuture<'static, ()>>,
    woken: Arc<Woken>,
}

#[derive(Default)]
struct Woken {
    flag: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.flag.swap(true, Ordering::AcqRel) {
            self.task.wake();
        }
    }
}

/// What a slot fetches with holds these loaders in turn: a request that has ended, or was dropped, takes its slots
/// along, or it would stay in memory for good.
impl Drop for Driver {
    fn drop(&mut self) {
        self.loaders.forget();
        let waiting = std::mem::take(&mut *lock(&self.loaders.0.waiting));
        drop(waiting);
    }
}

impl Driver {
    fn new(loaders: Loaders) -> Self {
        let woken = Arc::new(Woken::default());
        woken.flag.store(true, Ordering::Relaxed);
        Self { loaders, batches: FuturesUnordered::new(), woken }
    }

    fn poll<T>(&mut self, cx: &mut Context<'_>, mut request: impl FnMut(&mut Context<'_>) -> Poll<T>) -> Poll<T> {
        self.woken.task.register(cx.waker());
        let waker = Waker::from(Arc::clone(&self.woken));
        *lock(&self.loaders.0.turn) = Some(Instant::now());
        while !self.loaders.turn_is_over() {
            if self.woken.flag.swap(false, Ordering::AcqRel)
                && let Poll::Ready(answer) = request(&mut Context::from_waker(&waker))
            {
                // A stream is polled again after its item.
                self.woken.flag.store(true, Ordering::Release);
                return Poll::Ready(answer);
            }
            while let Poll::Ready(Some(())) = Pin::new(&mut self.batches).poll_next(cx) {}
            if self.woken.flag.load(Ordering::Acquire) {
                continue;
            }
            if !self.batches.is_empty() || self.loaders.0.busy.load(Ordering::Relaxed) > 0 {
                return Poll::Pending;
            }
            let ready = std::mem::take(&mut *lock(&self.loaders.0.waiting));
            if ready.is_empty() {
                return Poll::Pending;
            }
            self.batches.extend(ready.into_iter().map(|start| start()));
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load whose fetch holds the loaders, as every fetch of the graph does.
    async fn load(loaders: Loaders, witness: Arc<()>) -> Option<u32> {
        let held = (loaders.clone(), witness);
        let fetch = move || -> Fetch<u32, u32> {
            Box::new(move |keys, _wanted| {
                let held = held.clone();
                Box::pin(async move {
                    let _held = held;
                    Ok(keys.into_iter().map(|key| (key, key + 1)).collect())
                })
            })
        };
        loaders.load("next", 1, fetch).await.unwrap_or_default()
    }

    #[tokio::test]
    async fn a_request_that_has_ended_leaves_nothing_behind() {
        let (loaders, witness) = (Loaders::default(), Arc::new(()));
        let found = loaders.drive(load(loaders.clone(), Arc::clone(&witness))).await;
        assert_eq!(found, Some(2));
        drop(loaders);
        assert_eq!(Arc::strong_count(&witness), 1);
    }

    #[tokio::test]
    async fn a_request_that_is_dropped_leaves_nothing_behind() {
        let (loaders, witness) = (Loaders::default(), Arc::new(()));
        let (inside, seen) = (loaders.clone(), Arc::clone(&witness));
        let request = async move {
            load(inside, seen).await;
            std::future::pending::<()>().await;
        };
        let mut driven = Box::pin(loaders.drive(request));
        assert!(futures_util::poll!(&mut driven).is_pending());
        drop(driven);
        drop(loaders);
        assert_eq!(Arc::strong_count(&witness), 1);
    }
}
