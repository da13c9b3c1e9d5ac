//! Which request is under way, for whoever writes a line in the log.
//!
//! Always holds: the id goes wherever the request's own task goes, without being handed on; outside of a request there is
//! none. Not here: where ids come from (`server/http.rs`).

use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _};

/// The id of a request, for logs and the audit.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

tokio::task_local! {
    static CURRENT: RequestId;
}

/// Does work for this request.
pub fn within<F: Future>(id: RequestId, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(id, work)
}

/// Follows a stream for this request.
pub fn follow<S: Stream + Unpin>(id: RequestId, mut stream: S) -> impl Stream<Item = S::Item> + use<S> {
    futures_util::stream::poll_fn(move |cx: &mut Context<'_>| -> Poll<Option<S::Item>> {
        CURRENT.sync_scope(id.clone(), || stream.poll_next_unpin(cx))
    })
}

/// The request under way, if there is one.
pub(crate) fn current() -> Option<RequestId> {
    CURRENT.try_with(Clone::clone).ok()
}
