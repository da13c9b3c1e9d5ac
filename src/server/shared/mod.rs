//! One execution for many viewers: subscriptions that are alike are executed and written once.
//!
//! Always holds: those who share an execution ask for the same with the same variables and have the same rights, all of
//! them. An answer that hangs on who asks is sent to nobody but the one it was made for: when the first such answer
//! comes up it is thrown away, and from then on each user has an execution of their own. Whose rights change leaves, and
//! is told the present state where those with the new ones are. An execution ends with its last member. Not here: what
//! is kept for each (`core/live/share.rs`), how one of them watches (`member.rs`).

mod member;

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use async_graphql::{Request, Variables};
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::core::live::Share;
use crate::core::loader::Loaders;
use crate::core::lock::lock;
use crate::core::read::Caller;
use crate::core::request;
use crate::core::task::spawn;
use crate::core::viewer::{Identity, Personal, Rights, Viewer, Watch};
use crate::server::answer::Answer;
use crate::server::engine::{Engine, new_request_id, panicked};

pub(crate) use member::watch;

/// The most operations of which it is remembered that their answers are personal.
const MOST_REMEMBERED: usize = 10_000;

/// The executions of one server.
#[derive(Clone, Default)]
pub(crate) struct Groups(Arc<Shared>);

#[derive(Default)]
struct Shared {
    groups: Mutex<HashMap<Arc<Key>, Weak<Group>>>,
    /// Operations whose answers turned out to hang on who asks, by their hash: what was asked may be large, and two of one hash
    /// are taken for personal both, which is right for either.
    personal: Mutex<HashMap<u64, Personal>>,
    hasher: RandomState,
    next: AtomicU64,
}

/// What is asked for.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    document: String,
    operation: Option<String>,
    /// In JSON.
    variables: String,
}

/// Who share an execution.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    asked: Arc<Asked>,
    whose: Whose,
}

#[derive(PartialEq, Eq, Hash)]
enum Whose {
    /// Who is not signed in.
    Nobody,
    /// Every user, or every worker, with these rights.
    Rights { rights: Rights, user: bool },
    /// This caller, with these rights.
    One { rights: Rights, identity: Identity },
    /// One operation alone.
    Alone(u64),
}

/// One execution, for as long as it has members.
struct Group {
    key: Arc<Key>,
    share: Arc<Share>,
    groups: Groups,
    personal: Personal,
    _end: DropGuard,
}

impl Group {
    /// Its answers turned out to be more personal than it was made for.
    fn is_outdated(&self) -> bool {
        self.groups.noted(&self.key.asked) > self.personal
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut groups = self.groups.lock();
        // Another may have taken its place already.
        if groups.get(&self.key).is_some_and(|group| group.strong_count() == 0) {
            groups.remove(&self.key);
        }
    }
}

impl Asked {
    pub(crate) fn of(request: &Request) -> Self {
        let variables = serde_json::to_string(&request.variables).unwrap_or_default();
        Self { document: request.query.clone(), operation: request.operation_name.clone(), variables }
    }

    fn request(&self) -> Request {
        let variables: Variables = serde_json::from_str(&self.variables).unwrap_or_default();
        let request = Request::new(&self.document).variables(variables);
        match &self.operation {
            Some(name) => request.operation_name(name),
            None => request,
        }
    }
}

impl Groups {
    /// The execution that this viewer shares; it is begun when there is none.
    fn of(&self, engine: &Engine, asked: &Arc<Asked>, viewer: Option<&Viewer>) -> Arc<Group> {
        let personal = self.noted(asked);
        let whose = match (viewer, personal) {
            (None, _) => Whose::Nobody,
            (Some(_), Personal::Alone) => Whose::Alone(self.0.next.fetch_add(1, Ordering::Relaxed)),
            (Some(viewer), Personal::No) => Whose::Rights { rights: viewer.rights().clone(), user: viewer.is_user() },
            (Some(viewer), Personal::Yes) => Whose::One { rights: viewer.rights().clone(), identity: viewer.identity().clone() },
        };
        let key = Key { asked: Arc::clone(asked), whose };
        let mut groups = self.lock();
        let closed = match groups.get(&key).and_then(Weak::upgrade) {
            Some(group) if !group.share.is_closed() => return group,
            closed => closed,
        };
        let end = CancellationToken::new();
        let key = Arc::new(key);
        let share = Arc::<Share>::default();
        let execution =
            Execution { engine: engine.clone(), groups: self.clone(), asked: Arc::clone(asked), share: Arc::clone(&share), personal };
        let (viewer, until) = (viewer.cloned(), end.clone());
        spawn("subscription", async move {
            let _ended = Box::pin(until.run_until_cancelled(execution.run(viewer))).await;
        });
        let group = Arc::new(Group { key: Arc::clone(&key), share, groups: self.clone(), personal, _end: end.drop_guard() });
        groups.insert(key, Arc::downgrade(&group));
        drop(groups);
        // Its end asks for the lock.
        drop(closed);
        group
    }

    /// Remembers that the answers to an operation hang on who asks.
    fn note(&self, asked: &Asked, personal: Personal) {
        let hash = self.0.hasher.hash_one(asked);
        let mut known = self.personal();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(hash, personal);
    }

    /// What is remembered of an operation.
    fn noted(&self, asked: &Asked) -> Personal {
        let hash = self.0.hasher.hash_one(asked);
        self.personal().get(&hash).copied().unwrap_or_default()
    }

    /// How many executions there are.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<Key>, Weak<Group>>> {
        lock(&self.0.groups)
    }

    fn personal(&self) -> MutexGuard<'_, HashMap<u64, Personal>> {
        lock(&self.0.personal)
    }
}

/// One execution under way.
struct Execution {
    engine: Engine,
    groups: Groups,
    asked: Arc<Asked>,
    share: Arc<Share>,
    /// How personal its answers may be.
    personal: Personal,
}

/// However it ends, its members are told.
impl Drop for Execution {
    fn drop(&mut self) {
        self.share.close();
    }
}

impl Execution {
    async fn run(self, viewer: Option<Viewer>) {
        let watch = Arc::<Watch>::default();
        let caller = viewer.map_or(Caller::Nobody, |viewer| Caller::Known(viewer.watched(&watch)));
        let id = new_request_id();
        let loaders = Loaders::default();
        let request =
            self.engine.with_request_data(self.asked.request(), caller, &self.engine.app.db, &loaders, &id).data(Arc::clone(&self.share));
        let events = loaders.drive_stream(self.engine.graph.execute_stream(request)).boxed();
        let mut answers = AssertUnwindSafe(request::follow(id.clone(), events)).catch_unwind();
        while let Some(answer) = self.upcoming(&mut answers).await {
            let personal = watch.noted();
            if personal > self.personal {
                self.groups.note(&self.asked, personal);
                return;
            }
            let answer = match answer {
                Ok(response) => Answer::of(response, &id),
                Err(_panic) => Answer::refusal(panicked(), &id),
            };
            self.share.tell(answer.said(&id));
        }
        // Also when it ended without a word.
        let personal = watch.noted();
        if personal > self.personal {
            self.groups.note(&self.asked, personal);
        }
    }

    /// The next answer. Before it is waited for, nothing is kept back.
    async fn upcoming<T>(&self, answers: &mut (impl Stream<Item = T> + Unpin)) -> Option<T> {
        if let Some(ready) = answers.next().now_or_never() {
            return ready;
        }
        self.share.flush();
        answers.next().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p02_that_an_operation_is_personal_is_remembered_and_nothing_of_what_was_asked_is_kept() {
        let groups = Groups::default();
        let asked =
            |variables: &str| Arc::new(Asked { document: "subscription { a }".into(), operation: None, variables: variables.into() });
        let one = asked(&"x".repeat(1_000_000));
        groups.note(&one, Personal::Yes);
        assert_eq!(Arc::strong_count(&one), 1);
        assert!(groups.noted(&asked(&one.variables)) == Personal::Yes && groups.noted(&asked("x")) == Personal::No);
    }
}
