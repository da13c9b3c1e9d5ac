//! A client that may do anything on a socket, also what no client should.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::support::{PATIENCE, Server};

/// An open socket on which nothing was said yet.
pub struct Raw {
    pub stream: WebSocketStream<TcpStream>,
}

impl Raw {
    /// Opens a socket.
    pub async fn open(server: &Server) -> Self {
        Self::try_open(server, &[("Sec-WebSocket-Protocol", "graphql-transport-ws")]).await.expect("the socket opens")
    }

    /// Opens a socket with these headers; the status when it is refused.
    pub async fn try_open(server: &Server, headers: &[(&'static str, &str)]) -> Result<Self, u16> {
        let mut request = server.url("/graphql").replacen("http", "ws", 1).into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        let tcp = TcpStream::connect(server.service.address()).await.expect("the server listens");
        match client_async(request, tcp).await {
            Ok((stream, _)) => Ok(Self { stream }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens a socket and signs in.
    pub async fn ready(server: &Server, token: Option<&str>) -> Self {
        let mut socket = Self::open(server).await;
        let payload = token.map_or(json!({}), |token| json!({"authorization": format!("Bearer {token}")}));
        socket.say(json!({"type": "connection_init", "payload": payload})).await;
        assert_eq!(socket.hear().await, json!({"type": "connection_ack"}));
        socket
    }

    /// Sends a message.
    pub async fn say(&mut self, message: Value) {
        self.text(&message.to_string()).await;
    }

    /// Sends text.
    pub async fn text(&mut self, text: &str) {
        self.frame(Message::text(text)).await;
    }

    /// Sends a frame.
    pub async fn frame(&mut self, message: Message) {
        self.stream.send(message).await.expect("it is sent");
    }

    /// Starts an operation.
    pub async fn subscribe(&mut self, id: &str, query: &str) {
        self.say(json!({"id": id, "type": "subscribe", "payload": {"query": query}})).await;
    }

    /// The next frame that is no ping.
    pub async fn next(&mut self) -> Option<Result<Message, Error>> {
        loop {
            match tokio::time::timeout(PATIENCE, self.stream.next()).await.expect("something comes in time") {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                frame => return frame,
            }
        }
    }

    /// The next message.
    #[track_caller]
    pub fn hear(&mut self) -> impl Future<Output = Value> + '_ {
        let caller = std::panic::Location::caller();
        async move {
            match self.next().await {
                Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("JSON"),
                other => panic!("waited for a message at {caller}, got {other:?}"),
            }
        }
    }

    /// Reads on until the socket closes, and returns the code and reason.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            match self.next().await {
                Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => return (code.into(), reason.to_string()),
                Some(Ok(Message::Close(None)) | Err(_)) | None => return (0, "no close frame".to_owned()),
                Some(Ok(_)) => {}
            }
        }
    }

    /// Cuts the connection without a word.
    pub fn reset(self) {
        let tcp = self.stream.into_inner();
        tcp.set_zero_linger().expect("linger");
    }
}
