//! A client of `graphql-transport-ws`.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a test waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Connects and signs in.
    pub async fn connect(url: &str, token: Option<&str>) -> Self {
        Self::try_connect(url, token).await.expect("the socket opens")
    }

    /// The same with a server that may not be there.
    pub async fn try_connect(url: &str, token: Option<&str>) -> Option<Self> {
        let mut request = url.replacen("http", "ws", 1).into_client_request().expect("a request");
        request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().expect("a header"));
        let (stream, _) = tokio_tungstenite::connect_async(request).await.ok()?;
        let mut socket = Self { stream };
        let payload = token.map_or(json!({}), |token| json!({"authorization": format!("Bearer {token}")}));
        let init = Message::text(json!({"type": "connection_init", "payload": payload}).to_string());
        socket.stream.send(init).await.ok()?;
        let ack = socket.message().await?;
        assert_eq!(ack["type"], "connection_ack");
        Some(socket)
    }

    /// Starts an operation.
    pub async fn subscribe(&mut self, id: &str, query: &str, variables: Value) {
        self.send(json!({"id": id, "type": "subscribe", "payload": {"query": query, "variables": variables}})).await;
    }

    /// Sends a message.
    pub async fn send(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.expect("the message is sent");
    }

    /// The next message of the protocol; none when the socket closes.
    pub async fn message(&mut self) -> Option<Value> {
        // For all of it: the server's pings must not renew a test's patience.
        tokio::time::timeout(PATIENCE, self.whenever()).await.expect("a message comes in time")
    }

    /// The same, however long it takes.
    pub async fn whenever(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message["type"] == "ping" {
                        self.send(json!({"type": "pong"})).await;
                    } else {
                        return Some(message);
                    }
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The data of the next event.
    #[track_caller]
    pub fn event(&mut self) -> impl Future<Output = Value> + '_ {
        let caller = std::panic::Location::caller();
        async move {
            let message = self.message().await.unwrap_or_else(|| panic!("the socket closed, waited for at {caller}"));
            assert_eq!(message["type"], "next", "at {caller}: {message:#}");
            assert_eq!(message["payload"].get("errors"), None, "at {caller}: {message:#}");
            message["payload"]["data"].clone()
        }
    }

    /// Reads events until one satisfies `wanted`, and returns it.
    pub async fn until(&mut self, mut wanted: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let event = self.event().await;
            if wanted(&event) {
                return event;
            }
        }
    }

    /// Whether nothing comes for this long.
    pub async fn is_quiet_for(&mut self, duration: Duration) -> bool {
        tokio::time::timeout(duration, self.stream.next()).await.is_err()
    }
}
