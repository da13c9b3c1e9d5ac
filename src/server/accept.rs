//! Taking connections, and letting them go when the server stops.
//!
//! Always holds: connections are bounded, over all and for each address; a head that drips, an idle
//! connection, a client that reads nothing and one that has vanished lose theirs; after `stop` nothing new is taken, what is
//! under way may finish, and the end comes within the drain time whoever hangs on. Not here: routes.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::HOST;
use axum::http::{Request, StatusCode, Version};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::core::keyed_limit::KeyedLimit;
use crate::core::task::spawn;
use crate::server::ServerSettings;
use crate::server::connection::Connection;

/// How long the end may take, all together.
const DRAIN: Duration = Duration::from_secs(8);
/// The largest head of a request.
const HEAD: usize = 64 * 1024;
/// A pause when the system has no more connections to give.
const EXHAUSTED: Duration = Duration::from_millis(100);

/// Serves `router` on `listener` until `stop` is cancelled and what is `open` has ended.
pub(crate) async fn serve(listener: TcpListener, router: Router, settings: &ServerSettings, stop: CancellationToken, open: TaskTracker) {
    let places = KeyedLimit::new(settings.connection_limit, settings.connections_per_address.unwrap_or(usize::MAX));
    let last = CancellationToken::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(settings.header_timeout).max_buf_size(HEAD).preserve_header_case(true);
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            taken = listener.accept() => match taken {
                Ok(taken) => taken,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(EXHAUSTED).await;
                    continue;
                }
            },
        };
        let Ok(place) = places.take(peer.ip()) else {
            refuse(&stream);
            continue;
        };
        let _slower = stream.set_nodelay(true);
        let_go_of_the_vanished(&stream, settings);
        // Sockets are cut by their own patience, with a close code, before the connection's ends.
        let (stream, progress) = Connection::new(stream, settings.body_timeout.max(settings.write_timeout * 2));
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(progress.clone());
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(peer));
            let router = router.clone();
            async move { Ok::<_, Infallible>(answer(router, request).await) }
        });
        let serving = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let (stop, last, open) = (stop.clone(), last.clone(), open.token());
        spawn("connection", async move {
            let (_place, _open) = (place, open);
            tokio::pin!(serving);
            let ended = last.run_until_cancelled(async {
                tokio::select! {
                    ended = serving.as_mut() => return ended,
                    () = stop.cancelled() => serving.as_mut().graceful_shutdown(),
                }
                serving.await
            });
            if let Some(Err(error)) = ended.await {
                tracing::debug!(%error, "a connection ended");
            }
        });
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(DRAIN, open.wait()).await.is_err() {
        tracing::warn!("not everything under way has ended in time; it is cut off");
    }
    last.cancel();
}

/// Ends a connection whose client acknowledges nothing any more, such as one whose cable was pulled; by itself the system tries
/// for a quarter of an hour. Streams of events say something every ping interval, so they find out. It counts clients too that
/// live and do not read, so it leaves them the time to be told why they are cut off.
#[cfg(target_os = "linux")]
fn let_go_of_the_vanished(stream: &TcpStream, settings: &ServerSettings) {
    let patience = (settings.body_timeout + settings.write_timeout * 2).max(settings.ping_interval * 2);
    let patience = u32::try_from(patience.as_millis()).unwrap_or(u32::MAX);
    if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(stream, patience) {
        tracing::debug!(%error, "a connection keeps the system's own patience");
    }
}

#[cfg(not(target_os = "linux"))]
fn let_go_of_the_vanished(_stream: &TcpStream, _settings: &ServerSettings) {}

async fn answer(router: Router, request: Request<Incoming>) -> Response {
    if !names_one_host(&request) {
        return (StatusCode::BAD_REQUEST, "A request names its host once.\n").into_response();
    }
    router.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {})
}

/// Whether a request has one `Host`, which only HTTP/1.0 may leave out (RFC 9112 section 3.2): a proxy in front could take
/// another of several.
fn names_one_host<B>(request: &Request<B>) -> bool {
    match request.headers().get_all(HOST).iter().count() {
        0 => request.version() < Version::HTTP_11,
        hosts => hosts == 1,
    }
}

/// Tells a client that there is no place, as far as it can be told without waiting.
fn refuse(stream: &TcpStream) {
    let _told = stream.try_write(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
}
