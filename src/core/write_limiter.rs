//! Turns to write: so many of each viewer at a time; further ones wait in line, without a connection.
//!
//! Always holds: whoever waits for a lock of the database holds one of its connections, and nobody alone can hold so many that
//! none is left for others. A turn ends when it is dropped; each replica counts for itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::core::lock::lock;

/// How many lines are remembered before those that nobody stands in are forgotten.
const MANY: usize = 10_000;

/// The turns of all viewers.
#[derive(Clone, Debug)]
pub(crate) struct WriteLimiter {
    at_a_time: usize,
    lines: Arc<Mutex<HashMap<Uuid, Weak<Semaphore>>>>,
}

impl WriteLimiter {
    /// So many at a time of each viewer.
    pub(crate) fn new(at_a_time: usize) -> Self {
        Self { at_a_time, lines: Arc::default() }
    }

    /// Waits for a turn of this viewer. There is always one in the end, as nobody closes a line.
    pub(crate) async fn take(&self, viewer: Uuid) -> Option<OwnedSemaphorePermit> {
        self.line(viewer).acquire_owned().await.ok()
    }

    fn line(&self, viewer: Uuid) -> Arc<Semaphore> {
        let mut lines = lock(&self.lines);
        if let Some(line) = lines.get(&viewer).and_then(Weak::upgrade) {
            return line;
        }
        if lines.len() >= MANY {
            lines.retain(|_, line| line.strong_count() > 0);
        }
        let line = Arc::new(Semaphore::new(self.at_a_time));
        lines.insert(viewer, Arc::downgrade(&line));
        line
    }
}
