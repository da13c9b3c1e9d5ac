//! Spawning: every task has a name, and a panic in one is logged.

use std::future::Future;

use tokio::task::JoinHandle;
use tracing::Instrument as _;

/// Runs a future as a task of its own.
pub fn spawn<F>(name: &'static str, future: F) -> JoinHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks are spawned")]
    let work = tokio::spawn(future.instrument(tracing::info_span!("task", name)));
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks are spawned")]
    let watch = tokio::spawn(async move {
        if let Err(error) = work.await
            && error.is_panic()
        {
            tracing::error!(task = name, "a task of the server has panicked");
        }
    });
    watch
}
