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

/// Does work to its end also when whoever waits for it goes away; none when it has panicked.
pub async fn to_the_end<T: Send + 'static>(name: &'static str, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
    let (tell, told) = futures_channel::oneshot::channel();
    spawn(name, async move {
        // Nobody may be there to hear it any more.
        let _unheard = tell.send(work.await);
    });
    told.await.ok()
}
