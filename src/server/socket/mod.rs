//! GraphQL over WebSocket, by the protocol `graphql-transport-ws`.
//!
//! Always holds: every breach of the protocol has the close code that the protocol gives it; a socket
//! lives only while its client answers pings, reads what it asked for and has a session that counts;
//! nothing outlives the socket. Reading and sending are two futures of one task, operations have their
//! own. Not here: the words (`protocol.rs`), the bounds on what waits (`outbox.rs`).

mod operations;
mod outbox;
mod protocol;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use futures_util::stream::SplitStream;
use futures_util::{SinkExt as _, StreamExt as _};
use metrics::counter;
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::core::error::{Code, Error};
use crate::core::metric;
use crate::server::answer::Answer;
use crate::server::auth::{ClientIdentity, PresentedToken};
use crate::server::connection::Progress;
use crate::server::engine::{Engine, Operation, new_request_id};
use crate::server::sessions::Seat;
use crate::server::{origin, payload};
use operations::{Operations, refuse};
use outbox::{Outbox, Sink, outbox};
use protocol::{Close, ControlMessage, Incoming, Notice};

/// What each socket reads into, and puts together before it writes: the library's own are 128 KiB, and whoever was once sent as
/// much keeps that.
const BUFFER: usize = 4 * 1024;
/// The bytes of the key by which a client knows that its handshake was read (RFC 6455).
const KEY: usize = 16;
/// How long the other side has to take the close frame and close its end.
const LINGER: Duration = Duration::from_secs(2);
/// How long queries and mutations under way may take when the server stops.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// The notice before a socket is closed because the server stops; what is under way may take until then.
const STOPPING: &str = "The server stops; this socket closes in a moment. Connect again.";

/// The version of the protocol below that is spoken here (RFC 6455).
const VERSION: &str = "13";

/// Whether a request asks for a socket. Some clients offer newer versions of HTTP or of TLS in the same header, which is theirs to
/// offer and ours to pass over (RFC 9110 section 7.8).
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    let offers = headers.get_all(UPGRADE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    offers.map(str::trim).any(|offer| offer.eq_ignore_ascii_case("websocket"))
}

/// Takes a socket.
pub(crate) fn upgrade(engine: Engine, request: &Request, upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>) -> Response {
    let headers = request.headers();
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(WebSocketUpgradeRejection::InvalidWebSocketVersionHeader(_)) => {
            let spoken = [(UPGRADE, "websocket"), (CONNECTION, "upgrade"), (SEC_WEBSOCKET_VERSION, VERSION)];
            return (StatusCode::UPGRADE_REQUIRED, spoken, "Sockets here are of version 13 of the protocol.\n").into_response();
        }
        Err(rejection) => return rejection.into_response(),
    };
    let key = headers.get(SEC_WEBSOCKET_KEY).and_then(|key| BASE64_STANDARD.decode(key).ok());
    if key.is_none_or(|key| key.len() != KEY) {
        return (StatusCode::BAD_REQUEST, "Sec-WebSocket-Key must be 16 bytes in base64.\n").into_response();
    }
    if !origin::may_connect(headers, &engine.app.settings.allowed_origins) {
        return (StatusCode::FORBIDDEN, "Pages of this origin may not connect; the server's operator can allow it.\n").into_response();
    }
    let asker = ClientIdentity::of(&engine.app.token_key, &engine.app.settings, headers, request.extensions());
    let progress = request.extensions().get::<Progress>().cloned().unwrap_or_default();
    let limit = engine.app.settings.body_limit;
    let upgrade = upgrade.read_buffer_size(BUFFER).write_buffer_size(BUFFER).max_message_size(limit).max_frame_size(limit);
    let upgrade = upgrade.protocols([protocol::NAME]);
    let speaks_it = upgrade.selected_protocol().is_some();
    let open = engine.open.token();
    let mut response = upgrade.on_upgrade(move |socket| async move {
        let _open = open;
        let _counted = engine.counts.socket();
        serve(engine, socket, asker, speaks_it, progress).await;
    });
    // With the request's spelling of names, which hyper keeps there: gql of Python finds `Sec-WebSocket-Protocol` in no other.
    response.extensions_mut().extend(request.extensions().clone());
    response
}

async fn serve(engine: Engine, socket: WebSocket, asker: ClientIdentity, speaks_it: bool, progress: Progress) {
    let (mut sink, mut frames) = socket.split();
    let end = if speaks_it {
        let settings = &engine.app.settings;
        let (outbox, sender) = outbox(settings.socket_buffer, settings.write_timeout, progress);
        let mut connection = Connection::new(engine.clone(), outbox, asker);
        tokio::select! {
            end = connection.read(&mut frames) => end,
            end = sender.run(&mut sink) => end,
        }
    } else {
        Close::Subprotocol
    };
    tracing::debug!(?end, "a socket closes");
    counter!(metric::SOCKET_CLOSES, "code" => end.code().map_or_else(|| "none".to_owned(), |code| code.to_string())).increment(1);
    // Operations have ended here. The close frame goes out when the client takes it, and the client's
    // own is waited for: else what it has sent meanwhile would make the system throw ours away.
    // Who answers nothing has had two intervals already.
    let linger = if end == Close::Silent { Duration::ZERO } else { LINGER };
    let patience = async {
        tokio::time::sleep(linger).await;
        if end == Close::SlowReader {
            // What it has not read stands before the frame; when it reads on in time, it is told why.
            let _stopped = tokio::time::timeout(engine.app.settings.body_timeout, engine.stop.cancelled()).await;
        }
    };
    let told = async {
        match end.frame() {
            Some(frame) => sink.send(frame).await.is_ok(),
            None => true,
        }
    };
    let told = tokio::select! {
        biased;
        told = told => told,
        () = patience => false,
    };
    if told {
        let _in_time = tokio::time::timeout(linger, close(&mut sink, &mut frames)).await;
    }
}

async fn close(sink: &mut Sink, frames: &mut SplitStream<WebSocket>) {
    if sink.close().await.is_ok() {
        while let Some(Ok(_)) = frames.next().await {}
    }
}

/// The reading side of a socket.
struct Connection {
    engine: Engine,
    outbox: Outbox,
    operations: Operations,
    asker: ClientIdentity,
    /// `connection_ack` was sent.
    acknowledged: bool,
    /// The session of an acknowledged client that has a token.
    session: Option<Arc<Seat>>,
    pulse: Pulse,
}

/// When the next ping is due, and when silence has lasted too long.
struct Pulse {
    interval: Duration,
    next_ping: Instant,
    heard: Instant,
    init_by: Instant,
}

impl Connection {
    fn new(engine: Engine, outbox: Outbox, asker: ClientIdentity) -> Self {
        let settings = &engine.app.settings;
        let now = Instant::now();
        let pulse = Pulse {
            interval: settings.ping_interval,
            next_ping: now + settings.ping_interval,
            heard: now,
            init_by: now + settings.init_timeout,
        };
        let operations = Operations::new(engine.clone(), outbox.clone());
        Self { engine, outbox, operations, asker, acknowledged: false, session: None, pulse }
    }

    /// Reads until the socket is to be closed, and says why.
    async fn read(&mut self, frames: &mut SplitStream<WebSocket>) -> Close {
        loop {
            let session = self.session.clone();
            let over = async {
                match &session {
                    Some(session) => session.ended().await,
                    None => std::future::pending().await,
                }
            };
            let next = tokio::select! {
                frame = frames.next() => match frame {
                    Some(Ok(frame)) => {
                        self.pulse.heard = Instant::now();
                        self.take(frame).await
                    }
                    Some(Err(error)) => Err(Close::of_error(&error)),
                    None => Err(Close::Gone),
                },
                () = tokio::time::sleep_until(self.due()) => self.beat(),
                reason = over => Err(Close::Forbidden(reason)),
                () = self.engine.stop.cancelled() => return self.drain().await,
            };
            if let Err(close) = next {
                return close;
            }
        }
    }

    /// When [`Connection::beat`] has something to do.
    fn due(&self) -> Instant {
        let pulse = &self.pulse;
        let due = pulse.next_ping.min(pulse.heard + 2 * pulse.interval);
        if self.acknowledged { due } else { due.min(pulse.init_by) }
    }

    fn beat(&mut self) -> Result<(), Close> {
        let now = Instant::now();
        if !self.acknowledged && now >= self.pulse.init_by {
            return Err(Close::InitTimeout);
        }
        if now >= self.pulse.heard + 2 * self.pulse.interval {
            return Err(Close::Silent);
        }
        if now >= self.pulse.next_ping {
            self.pulse.next_ping = now + self.pulse.interval;
            self.outbox.ping();
        }
        Ok(())
    }

    /// Tells the client, and lets what is under way be answered; the sender closes the socket after that.
    async fn drain(&mut self) -> Close {
        if self.acknowledged {
            self.outbox.send(ControlMessage::Ping { payload: Notice { notice: STOPPING } }.text(), None).await;
        }
        self.operations.finish_requests(LAST_REQUESTS).await;
        self.outbox.close(Close::Stopping);
        std::future::pending().await
    }

    async fn take(&mut self, frame: Message) -> Result<(), Close> {
        let text = match frame {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(Close::Malformed("Messages are text.")),
            Message::Close(_) => return Err(Close::Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        let message = Incoming::read(&text).ok_or(Close::Malformed("This is no message of graphql-transport-ws."))?;
        match message {
            // Boxed: it happens once, and every idle socket would carry its size.
            Incoming::ConnectionInit { payload } => Box::pin(self.init(payload.unwrap_or_default())).await,
            Incoming::Subscribe { .. } | Incoming::Unreadable { .. } if !self.acknowledged => Err(Close::NotInitialised),
            Incoming::Subscribe { id, payload } => self.subscribe(id, payload).await,
            Incoming::Unreadable { id, why } => {
                self.check_id(&id)?;
                let refusal = Answer::refusal(Error::no_json("The payload", &why), &new_request_id());
                refuse(&self.outbox, &id, &refusal, None).await;
                Ok(())
            }
            Incoming::Complete { id } => {
                self.operations.complete(&id);
                Ok(())
            }
            Incoming::Ping { payload } => {
                self.outbox.send(ControlMessage::Pong { payload }.text(), None).await;
                Ok(())
            }
            Incoming::Pong { .. } => Ok(()),
        }
    }

    async fn init(&mut self, payload: Map<String, Value>) -> Result<(), Close> {
        if self.acknowledged {
            return Err(Close::InitAgain);
        }
        match payload.get("authorization").or_else(|| payload.get("Authorization")) {
            None | Some(Value::Null) => {}
            Some(Value::String(given)) => self.asker.presented = PresentedToken::read(&self.engine.app.token_key, Some(given)),
            Some(_) => self.asker.presented = PresentedToken::Garbage,
        }
        match self.engine.caller(&self.asker.presented).await {
            Ok(_caller) => {}
            Err(error) if error.code() == Code::Unauthenticated => {
                return Err(Close::Forbidden("The token is not valid, or no longer: sign in again, and send it as `Bearer ...`."));
            }
            Err(_) => return Err(Close::Unavailable),
        }
        if let Some(token) = self.asker.presented.token() {
            self.session = Some(self.engine.sessions.enter(token).ok_or(Close::Crowded)?);
        }
        self.acknowledged = true;
        self.outbox.send(ControlMessage::ConnectionAck.text(), None).await;
        Ok(())
    }

    fn check_id(&self, id: &str) -> Result<(), Close> {
        if id.is_empty() {
            return Err(Close::Malformed("`id` is empty."));
        }
        if self.operations.is_in_use(id) { Err(Close::Duplicate) } else { Ok(()) }
    }

    async fn subscribe(&mut self, id: String, payload: Map<String, Value>) -> Result<(), Close> {
        self.check_id(&id)?;
        let request = payload::read(Value::Object(payload)).map_err(Close::Malformed)?;
        let request_id = new_request_id();
        if !self.operations.have_room() {
            let limit = self.engine.app.settings.operation_limit;
            let message = format!("This socket has {limit} operations already; complete some first.");
            let details = serde_json::json!({"guard": "SOCKET_OPERATION_LIMIT", "limit": limit});
            let refusal = Answer::refusal(Error::rate_limited(message).details(details), &request_id);
            refuse(&self.outbox, &id, &refusal, None).await;
            return Ok(());
        }
        match Operation::read(&self.engine, request, &self.asker, request_id) {
            Ok(operation) => self.operations.start(id, operation, self.asker.presented.clone()),
            Err(answer) => refuse(&self.outbox, &id, &answer, None).await,
        }
        Ok(())
    }
}
