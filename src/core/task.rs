//! Spawning: every task has a name, and a panic in one is logged.
//!
//! Always holds: what the server cannot do without is begun again when it panics.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use metrics::counter;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::core::metric;

/// The pause before a task that has panicked is begun again; it doubles while panics follow each other.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause; who has run for longer begins with the first one again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Runs a future as a task of its own.
pub fn spawn<F>(name: &'static str, future: F) -> JoinHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks are spawned")]
    let work = tokio::spawn(future.instrument(tracing::info_span!("task", task = name)));
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks are spawned")]
    let watch = tokio::spawn(async move {
        if let Err(error) = work.await
            && error.is_panic()
        {
            counter!(metric::PANICS, "task" => name).increment(1);
            tracing::error!(task = name, "a task of the server has panicked");
        }
    });
    watch
}

/// Runs a future beside whoever is done with it, without the means to tell of a panic: for what every request has.
pub(crate) fn spawn_light(future: impl Future<Output = ()> + Send + 'static) {
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks are spawned")]
    let _detached = tokio::spawn(future);
}

/// Does work to its end also when whoever waits for it goes away; none when it has panicked.
pub async fn to_the_end<T: Send + 'static>(name: &'static str, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
    let (tell, told) = futures_channel::oneshot::channel();
    spawn(name, async move {
        // Nobody may be there to hear it any more.
        let _unheard = tell.send(work.await);
    });
    told.await.ok()
}

/// Runs what `begin` makes as a task of its own, and begins it again when it panics, until it ends or `stop` is cancelled.
pub fn supervise<F>(name: &'static str, stop: CancellationToken, begin: impl Fn() -> F + Send + Sync + 'static) -> JoinHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    spawn(name, async move {
        let mut pause = FIRST_PAUSE;
        loop {
            let begun = Instant::now();
            if AssertUnwindSafe(async { begin().await }).catch_unwind().await.is_ok() {
                return;
            }
            if begun.elapsed() > LONGEST_PAUSE {
                pause = FIRST_PAUSE;
            }
            counter!(metric::PANICS, "task" => name).increment(1);
            tracing::error!(task = name, ?pause, "a task of the server has panicked; it is begun again");
            if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn what_panics_is_begun_again_until_it_ends_by_itself() {
        let begun = Arc::new(AtomicU32::new(0));
        let times = Arc::clone(&begun);
        let work = supervise("test", CancellationToken::new(), move || {
            let time = times.fetch_add(1, Ordering::Relaxed);
            async move { assert!(time >= 2, "again") }
        });
        work.await.expect("it ends");
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn what_panics_is_not_begun_again_once_it_is_to_stop() {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let work = supervise("test", stop, move || {
            stopped.cancel();
            async { panic!("at once") }
        });
        work.await.expect("it ends");
    }
}
