//! A client that costs little beside what it measures: requests are bytes, answers are looked through.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// One connection.
pub struct Client(BufReader<TcpStream>);

/// The bytes of a request.
pub fn request(token: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let head = "POST /graphql HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\naccept: application/json";
    format!("{head}\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

impl Client {
    /// Connects to an address.
    pub async fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Self(BufReader::new(stream))
    }

    /// Sends a report, which must be taken.
    pub async fn report(&mut self, request: &[u8]) {
        let stream = &mut self.0;
        stream.write_all(request).await.expect("it is sent");
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            assert!(stream.read_line(&mut line).await.expect("an answer") > 0, "the server has closed the connection");
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.expect("a body");
        let body = String::from_utf8(body).expect("text");
        assert!(body.contains("\"accepted\":true"), "{body}");
    }
}
