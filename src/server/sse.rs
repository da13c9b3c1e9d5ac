//! GraphQL over server-sent events, in distinct connections mode: one operation, one response.
//!
//! Always holds: a stream ends with `complete` when its operation has ended, and without it when the
//! server stops, so that the client comes back; a quiet stream carries a comment every ping interval;
//! a session that ends ends its streams with an error; one whose client takes nothing for as long as a socket's may is cut off. What
//! waits for it is bounded where it waits (`core/live/queue.rs`), as for sockets.

use std::sync::Arc;

use async_graphql::futures_util::stream::BoxStream;
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};

use crate::core::error::Error;
use crate::core::live::EncodedResponse;
use crate::core::refusals::CROWDED;
use crate::core::request::RequestId;
use crate::server::answer::Answer;
use crate::server::auth::PresentedToken;
use crate::server::connection::{Progress, Reading};
use crate::server::engine::{Engine, Operation};
use crate::server::media::EVENTS;
use crate::server::sessions::Seat;

/// Answers an operation with a stream.
///
/// # Errors
/// `RATE_LIMITED` when the token has as many sockets and streams as it may.
pub(crate) fn respond(engine: &Engine, operation: Operation, to: (PresentedToken, &Progress), id: RequestId) -> Result<Response, Error> {
    let (presented, progress) = to;
    let crowded = || Error::rate_limited(CROWDED);
    let seat = presented.token().map(|token| engine.sessions.enter(token).ok_or_else(crowded)).transpose()?;
    let headers = [(CONTENT_TYPE, EVENTS), (CACHE_CONTROL, "no-store"), (X_ACCEL_BUFFERING, "no")];
    let reads = progress.stream(engine.app.settings.write_timeout);
    let engine = engine.clone();
    let start = async move {
        let answers = engine.stream(operation, &presented).await;
        Streaming { engine, answers, seat, id, ended: false, _reads: reads }
    };
    // The first comment sends the headers on their way.
    let events = stream::iter([comment()]).chain(stream::once(start).flat_map(Streaming::events));
    Ok((headers, Body::from_stream(events.map(Ok::<_, std::convert::Infallible>))).into_response())
}

/// nginx buffers responses unless told not to.
const X_ACCEL_BUFFERING: axum::http::HeaderName = axum::http::HeaderName::from_static("x-accel-buffering");

struct Streaming {
    engine: Engine,
    answers: BoxStream<'static, Arc<EncodedResponse>>,
    seat: Option<Arc<Seat>>,
    id: RequestId,
    ended: bool,
    /// Its client has to read.
    _reads: Reading,
}

impl Streaming {
    fn events(self) -> impl Stream<Item = Bytes> + Send {
        stream::unfold(self, |mut streaming| async move {
            if streaming.ended {
                return None;
            }
            let event = streaming.next().await?;
            Some((event, streaming))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        let over = async {
            match &self.seat {
                Some(seat) => seat.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            reason = over => {
                self.ended = true;
                let answer = Answer::refusal(Error::unauthenticated(reason), &self.id);
                Some([next(&answer.said(&self.id)), complete()].concat().into())
            }
            () = self.engine.stop.cancelled() => Some(self.part()),
            () = tokio::time::sleep(self.engine.app.settings.ping_interval) => Some(comment()),
            answer = self.answers.next() => match answer {
                Some(answer) => Some(next(&answer)),
                // Every stream ends when the server stops; only the client may not take that for the end.
                None if self.engine.stop.is_cancelled() => Some(self.part()),
                None => {
                    self.ended = true;
                    Some(complete())
                }
            },
        }
    }

    /// The last word of a server that stops: no event, so that the client comes back.
    fn part(&mut self) -> Bytes {
        self.ended = true;
        Bytes::from_static(b": the server stops; connect again\n\n")
    }
}

fn comment() -> Bytes {
    Bytes::from_static(b":\n\n")
}

fn complete() -> Bytes {
    // The empty data line makes a browser dispatch it.
    Bytes::from_static(b"event: complete\ndata: \n\n")
}

fn next(said: &EncodedResponse) -> Bytes {
    // JSON text has no line breaks.
    ["event: next\ndata: ", &said.answer, "\n\n"].concat().into()
}
