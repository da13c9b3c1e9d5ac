//! What waits to be sent on one socket.
//!
//! Always holds: it is bounded in bytes, and who has no room waits in turn, so that no operation
//! starves another; a message of an operation that the client has completed is never sent; a client
//! that takes not a byte for as long as the patience lasts is cut off. Not here: what is sent.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use futures_util::SinkExt as _;
use futures_util::stream::SplitSink;
use metrics::counter;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::core::live::EncodedResponse;
use crate::core::metric;
use crate::server::connection::Progress;
use crate::server::socket::protocol::{Close, TAIL};

/// What a message costs beside its text.
const OVERHEAD: usize = 128;

/// The sending half of a socket.
pub(crate) type Sink = SplitSink<WebSocket, Message>;

/// Where messages are left.
#[derive(Clone)]
pub(crate) struct Outbox {
    /// Boxed: a queue holds room for 32 items from the start, which an idle socket need not pay for in full.
    queue: mpsc::UnboundedSender<Box<Item>>,
    room: Arc<Semaphore>,
    bound: usize,
}

/// Takes messages from the outbox to the socket.
pub(crate) struct Sender {
    queue: mpsc::UnboundedReceiver<Box<Item>>,
    room: Arc<Semaphore>,
    patience: Duration,
    progress: Progress,
}

enum Item {
    Frame {
        message: Message,
        cost: usize,
        of: Option<CancellationToken>,
    },
    /// An answer that others are sent too, with what comes before it in the message.
    EncodedResponse {
        head: Arc<str>,
        said: Arc<EncodedResponse>,
        cost: usize,
        of: CancellationToken,
    },
    Close(Close),
}

/// An outbox of so many bytes.
pub(crate) fn outbox(bound: usize, patience: Duration, progress: Progress) -> (Outbox, Sender) {
    let bound = bound.clamp(OVERHEAD, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
    let (sender, receiver) = mpsc::unbounded_channel();
    let room = Arc::new(Semaphore::new(bound));
    (Outbox { queue: sender, room: Arc::clone(&room), bound }, Sender { queue: receiver, room, patience, progress })
}

impl Outbox {
    /// Leaves a message, once there is room; `of` is cancelled when it may no longer be sent.
    pub(crate) async fn send(&self, text: String, of: Option<&CancellationToken>) {
        let cost = (text.len() + OVERHEAD).min(self.bound);
        let Ok(room) = self.room.acquire_many(u32::try_from(cost).unwrap_or(u32::MAX)).await else { return };
        room.forget();
        self.push(Item::Frame { message: Message::Text(text.into()), cost, of: of.cloned() });
    }

    /// Leaves an answer that others are sent too, once there is room.
    pub(crate) async fn send_said(&self, head: &Arc<str>, said: Arc<EncodedResponse>, of: &CancellationToken) {
        let cost = (head.len() + said.answer.len() + OVERHEAD).min(self.bound);
        let Ok(room) = self.room.acquire_many(u32::try_from(cost).unwrap_or(u32::MAX)).await else { return };
        room.forget();
        self.push(Item::EncodedResponse { head: Arc::clone(head), said, cost, of: of.clone() });
    }

    /// Leaves a ping; one in each interval needs no room.
    pub(crate) fn ping(&self) {
        self.push(Item::Frame { message: Message::Ping(axum::body::Bytes::new()), cost: 0, of: None });
    }

    /// Closes the socket when all that was left before is sent.
    pub(crate) fn close(&self, close: Close) {
        self.push(Item::Close(close));
    }

    fn push(&self, item: Item) {
        // The sender goes only when the socket does.
        let _gone = self.queue.send(Box::new(item));
    }
}

impl Sender {
    /// Sends until the socket is to be closed, and says why.
    pub(crate) async fn run(mut self, sink: &mut Sink) -> Close {
        while let Some(item) = self.queue.recv().await {
            let mut next = Some(item);
            let mut taken = 0;
            let mut close = None;
            while let Some(item) = next.take() {
                match *item {
                    Item::Frame { cost, of: Some(of), .. } | Item::EncodedResponse { cost, of, .. } if of.is_cancelled() => taken += cost,
                    Item::EncodedResponse { head, said, cost, .. } => {
                        taken += cost;
                        let message = Message::Text([&*head, &said.answer, TAIL].concat().into());
                        if let Err(close) = self.patiently(sink.feed(message)).await {
                            return close;
                        }
                    }
                    Item::Frame { message, cost, .. } => {
                        taken += cost;
                        if let Err(close) = self.patiently(sink.feed(message)).await {
                            return close;
                        }
                    }
                    Item::Close(reason) => {
                        close = Some(reason);
                        break;
                    }
                }
                next = self.queue.try_recv().ok();
            }
            if let Err(close) = self.patiently(sink.flush()).await {
                return close;
            }
            self.room.add_permits(taken);
            if let Some(close) = close {
                return close;
            }
        }
        Close::Gone
    }

    /// Waits for the sink for as long as the client takes anything at all.
    async fn patiently(&self, sending: impl Future<Output = Result<(), axum::Error>>) -> Result<(), Close> {
        tokio::pin!(sending);
        loop {
            let before = self.progress.written();
            match tokio::time::timeout(self.patience, &mut sending).await {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(_)) => return Err(Close::Gone),
                Err(_elapsed) if self.progress.written() != before => {}
                Err(_elapsed) => {
                    counter!(metric::SLOW_READERS).increment(1);
                    return Err(Close::SlowReader);
                }
            }
        }
    }
}
