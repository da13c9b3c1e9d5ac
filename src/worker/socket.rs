//! The frames of `graphql-transport-ws`, as far as one subscription needs them.
//!
//! Always holds: the socket is opened by the API's own HTTP client, so both trust the same certificates and
//! the token has one way out; messages are bounded. Not here: what an instruction means (`directives.rs`).

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use graphql_client::GraphQLQuery as _;
use reqwest::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE};
use reqwest::{StatusCode, Upgraded};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::api::{Api, Identity, WorkerDirectives, unreachable, worker_directives};

const PROTOCOL: &str = "graphql-transport-ws";
const OPEN_TIMEOUT: Duration = Duration::from_secs(20);
/// After this much silence the worker asks; after as much again the connection counts as dead.
const SILENCE: Duration = Duration::from_secs(15);
/// A step has at most 20 tables; this is room for thousands.
const MOST_BYTES: usize = 4 * 1024 * 1024;
const SUBSCRIPTION: &str = "1";

/// Why a socket ended.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct SocketError(String);

#[derive(Deserialize)]
struct Frame {
    #[serde(rename = "type")]
    kind: String,
    payload: Option<Value>,
}

/// An open subscription to the worker's instructions.
pub(super) struct Socket {
    stream: WebSocketStream<Upgraded>,
}

impl Socket {
    /// Connects, introduces the worker and subscribes.
    pub(super) async fn open(api: &Api, who: &Identity) -> Result<Self, SocketError> {
        timeout(OPEN_TIMEOUT, Self::subscribe(api, who)).await.map_err(|_| SocketError("the socket did not open in time".to_owned()))?
    }

    async fn subscribe(api: &Api, who: &Identity) -> Result<Self, SocketError> {
        let mut socket = Self { stream: upgrade(api).await? };
        socket.send(&json!({"type": "connection_init", "payload": {"authorization": api.authorization()}})).await?;
        loop {
            let frame = socket.frame().await?;
            match frame.kind.as_str() {
                "connection_ack" => break,
                "ping" => socket.send(&json!({"type": "pong"})).await?,
                kind => return Err(SocketError(format!("the API answered {kind} instead of connection_ack"))),
            }
        }
        let variables = worker_directives::Variables { worker_id: who.worker_id.clone(), launch_generation: who.launch_generation.clone() };
        let payload = WorkerDirectives::build_query(variables);
        socket.send(&json!({"id": SUBSCRIPTION, "type": "subscribe", "payload": payload})).await?;
        Ok(socket)
    }

    /// The next instruction; an error is the end of this socket.
    pub(super) async fn next(&mut self) -> Result<worker_directives::WorkerDirectivesWorkerDirectives, SocketError> {
        loop {
            let frame = if let Ok(frame) = timeout(SILENCE, self.frame()).await {
                frame?
            } else {
                self.send(&json!({"type": "ping"})).await?;
                timeout(SILENCE, self.frame()).await.map_err(|_| SocketError("the socket went silent".to_owned()))??
            };
            let payload = frame.payload.unwrap_or(Value::Null);
            match frame.kind.as_str() {
                "ping" => self.send(&json!({"type": "pong"})).await?,
                "next" => return instruction(payload),
                "error" => return Err(SocketError(format!("the subscription was refused: {}", words(&payload)))),
                "complete" => return Err(SocketError("the subscription was ended".to_owned())),
                _ => {}
            }
        }
    }

    async fn send(&mut self, frame: &Value) -> Result<(), SocketError> {
        let message = Message::text(frame.to_string());
        timeout(SILENCE, self.stream.send(message))
            .await
            .map_err(|_| SocketError("the socket does not take messages".to_owned()))?
            .map_err(|error| SocketError(error.to_string()))
    }

    async fn frame(&mut self) -> Result<Frame, SocketError> {
        loop {
            let message = self.stream.next().await.ok_or_else(|| SocketError("the socket was closed".to_owned()))?;
            match message.map_err(|error| SocketError(error.to_string()))? {
                Message::Text(text) => {
                    return serde_json::from_str(&text).map_err(|error| SocketError(format!("not a frame: {error}")));
                }
                Message::Close(Some(frame)) => {
                    return Err(SocketError(format!("the socket was closed: {} {}", u16::from(frame.code), frame.reason)));
                }
                _ => {}
            }
        }
    }
}

/// Turns an HTTP request of the API's client into a socket.
async fn upgrade(api: &Api) -> Result<WebSocketStream<Upgraded>, SocketError> {
    let key = generate_key();
    let request = api
        .get("graphql")
        .map_err(|error| SocketError(error.to_string()))?
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, &key)
        .header(SEC_WEBSOCKET_PROTOCOL, PROTOCOL);
    let answer = request.send().await.map_err(|error| SocketError(unreachable(&error).to_string()))?;
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(SocketError(format!("the API answered {} instead of opening a socket", answer.status())));
    }
    let says = |name, expected: &str| answer.headers().get(name).is_some_and(|value| value.as_bytes() == expected.as_bytes());
    if !says(SEC_WEBSOCKET_ACCEPT, &derive_accept_key(key.as_bytes())) || !says(SEC_WEBSOCKET_PROTOCOL, PROTOCOL) {
        return Err(SocketError(format!("what answered does not speak {PROTOCOL}")));
    }
    let upgraded = answer.upgrade().await.map_err(|error| SocketError(unreachable(&error).to_string()))?;
    let config = WebSocketConfig::default().read_buffer_size(4096).max_message_size(Some(MOST_BYTES)).max_frame_size(Some(MOST_BYTES));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
}

fn instruction(payload: Value) -> Result<worker_directives::WorkerDirectivesWorkerDirectives, SocketError> {
    let answer: graphql_client::Response<worker_directives::ResponseData> =
        serde_json::from_value(payload).map_err(|error| SocketError(format!("not an instruction: {error}")))?;
    match answer {
        graphql_client::Response { errors: Some(errors), .. } => {
            let message = errors.into_iter().next().map(|error| error.message).unwrap_or_default();
            Err(SocketError(format!("the subscription failed: {message}")))
        }
        graphql_client::Response { data: Some(data), .. } => Ok(data.worker_directives),
        graphql_client::Response { .. } => Err(SocketError("an instruction without data".to_owned())),
    }
}

/// The first message of an `error` frame.
fn words(payload: &Value) -> &str {
    payload.get(0).and_then(|error| error.get("message")).and_then(Value::as_str).unwrap_or("no reason given")
}
