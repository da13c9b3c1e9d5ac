//! The operations of one socket: a task for each.
//!
//! Always holds: an id means one operation at a time and is free once the client has completed it or
//! been told of its end; nothing of an operation is sent after that. All end when this is dropped,
//! however the socket ends. Not here: how they are executed (`engine.rs`).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::core::live::EncodedResponse;
use crate::core::task::spawn;
use crate::server::answer::Answer;
use crate::server::auth::PresentedToken;
use crate::server::engine::{Engine, Kind, Operation};
use crate::server::socket::outbox::Outbox;
use crate::server::socket::protocol::{ControlMessage, Outgoing};

/// Queries and mutations of one socket that run at a time; the others wait in turn. It bounds the answers
/// that a client who does not read can make the server hold.
const AT_A_TIME: usize = 16;

/// The operations of one socket.
pub(crate) struct Operations {
    engine: Engine,
    outbox: Outbox,
    running: HashMap<String, Running>,
    requests: Arc<Semaphore>,
    all: CancellationToken,
    _end: DropGuard,
}

struct Running {
    stop: CancellationToken,
    /// The client is about to be told of its end.
    ended: Arc<AtomicBool>,
}

/// One operation in its own task.
struct Task {
    engine: Engine,
    outbox: Outbox,
    requests: Arc<Semaphore>,
    id: String,
    stop: CancellationToken,
    ended: Arc<AtomicBool>,
}

impl Operations {
    pub(crate) fn new(engine: Engine, outbox: Outbox) -> Self {
        let all = CancellationToken::new();
        Self { engine, outbox, running: HashMap::new(), requests: Arc::new(Semaphore::new(AT_A_TIME)), _end: all.clone().drop_guard(), all }
    }

    /// Whether one more may be started. What has ended is forgotten only when there is need.
    pub(crate) fn have_room(&mut self) -> bool {
        let limit = self.engine.app.settings.operation_limit;
        if self.running.len() >= limit {
            self.running.retain(|_, running| !running.ended.load(Ordering::Acquire));
        }
        self.running.len() < limit
    }

    /// Whether the id means an operation.
    pub(crate) fn is_in_use(&self, id: &str) -> bool {
        self.running.get(id).is_some_and(|running| !running.ended.load(Ordering::Acquire))
    }

    /// Starts an operation.
    pub(crate) fn start(&mut self, id: String, operation: Operation, presented: PresentedToken) {
        let running = Running { stop: self.all.child_token(), ended: Arc::default() };
        let task = Task {
            engine: self.engine.clone(),
            outbox: self.outbox.clone(),
            requests: Arc::clone(&self.requests),
            id: id.clone(),
            stop: running.stop.clone(),
            ended: Arc::clone(&running.ended),
        };
        self.running.insert(id, running);
        spawn("socket.operation", async move {
            let stop = task.stop.clone();
            let _stopped = stop.run_until_cancelled(task.run(operation, presented)).await;
        });
    }

    /// The client wants no more of it.
    pub(crate) fn complete(&mut self, id: &str) {
        if let Some(running) = self.running.remove(id) {
            running.stop.cancel();
        }
    }

    /// Waits until no query or mutation runs, but not for long.
    pub(crate) async fn finish_requests(&self, within: Duration) {
        let all = u32::try_from(AT_A_TIME).unwrap_or(u32::MAX);
        let _in_time = tokio::time::timeout(within, self.requests.acquire_many(all)).await;
    }
}

impl Task {
    /// Boxed by kind: a subscription lasts, and would else carry the size of a query's execution for as long.
    fn run(self, operation: Operation, presented: PresentedToken) -> BoxFuture<'static, ()> {
        if operation.kind() == Kind::Subscription {
            let engine = self.engine.clone();
            let answers = async move { engine.stream(operation, &presented).await }.boxed();
            self.follow(answers).boxed()
        } else {
            self.answer(operation, presented).boxed()
        }
    }

    async fn follow(self, answers: BoxFuture<'static, BoxStream<'static, Arc<EncodedResponse>>>) {
        let mut answers = answers.await;
        let head = ControlMessage::next_head(&self.id);
        while let Some(said) = answers.next().await {
            if let Some(errors) = &said.refused {
                self.ended.store(true, Ordering::Release);
                return self.outbox.send(ControlMessage::error(&self.id, errors), Some(&self.stop)).await;
            }
            self.outbox.send_said(&head, said, &self.stop).await;
        }
        // Every stream ends when the server stops; a client that took it for the end would not come back.
        if !self.engine.stop.is_cancelled() {
            self.complete().await;
        }
    }

    async fn answer(self, operation: Operation, presented: PresentedToken) {
        let Ok(_turn) = self.requests.acquire().await else { return };
        let answer = self.engine.run(operation, &presented).await;
        if answer.is_request_error() {
            return self.refuse(&answer).await;
        }
        self.next(&answer).await;
        self.complete().await;
    }

    async fn next(&self, answer: &Answer) {
        self.outbox.send(Outgoing::Next { id: &self.id, payload: answer }.text(), Some(&self.stop)).await;
    }

    async fn complete(&self) {
        self.ended.store(true, Ordering::Release);
        self.outbox.send(ControlMessage::Complete { id: &self.id }.text(), Some(&self.stop)).await;
    }

    async fn refuse(&self, answer: &Answer) {
        self.ended.store(true, Ordering::Release);
        refuse(&self.outbox, &self.id, answer, Some(&self.stop)).await;
    }
}

/// Ends an operation with an `error` message.
pub(crate) async fn refuse(outbox: &Outbox, id: &str, answer: &Answer, of: Option<&CancellationToken>) {
    outbox.send(Outgoing::Error { id, payload: answer.errors() }.text(), of).await;
}
