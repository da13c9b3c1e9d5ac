//! What is open at the moment, counted by guards, so that no way of ending is forgotten.
//!
//! Always holds: a count returns to where it was when its guards are gone. Not here: telling the
//! counts to anybody (`measure.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The counts of one server.
#[derive(Clone, Default)]
pub(crate) struct Counts {
    sockets: Arc<AtomicUsize>,
    subscriptions: Arc<AtomicUsize>,
}

/// One open thing.
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Counts {
    /// Counts a WebSocket for as long as the guard lives.
    pub(crate) fn socket(&self) -> Counted {
        Counted::new(&self.sockets)
    }

    /// Counts a subscription for as long as the guard lives.
    pub(crate) fn subscription(&self) -> Counted {
        Counted::new(&self.subscriptions)
    }

    /// Open WebSockets and live subscriptions.
    pub(crate) fn now(&self) -> (usize, usize) {
        (self.sockets.load(Ordering::Relaxed), self.subscriptions.load(Ordering::Relaxed))
    }
}

impl Counted {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
