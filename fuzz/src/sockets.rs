//! A client of WebSocket that says what it is told to, over a connection in memory.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tower::ServiceExt as _;

use crate::server::within;

const HANDSHAKE: &[u8] =
    b"GET /graphql HTTP/1.1\r\nHost: fuzz\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";
/// What is said last, to hear when all before it was read.
const LAST: &str = r#"{"type":"ping","payload":{"last":"of all"}}"#;
/// How long a conversation may take.
const LONGEST: Duration = Duration::from_secs(10);
/// What fits into the connection; more than a conversation has.
const ROOM: usize = 1 << 20;

/// What a client sends.
pub(crate) enum Sent<'a> {
    Text(&'a [u8]),
    Binary(&'a [u8]),
    Ping(&'a [u8]),
    /// Bytes in the place of a frame.
    Raw(&'a [u8]),
}

/// What it hears.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) texts: Vec<String>,
    /// The code of the close frame; none when it stayed open.
    pub(crate) close: Option<u16>,
    pub(crate) reason: String,
    /// The last message was answered.
    answered: bool,
}

/// Sends everything, and listens until all of it was read or the socket is closed.
pub(crate) fn converse(sent: &[Sent<'_>]) -> Heard {
    let mut bytes = HANDSHAKE.to_vec();
    for message in sent {
        match message {
            Sent::Text(payload) => frame(&mut bytes, 0x1, payload),
            Sent::Binary(payload) => frame(&mut bytes, 0x2, payload),
            Sent::Ping(payload) => frame(&mut bytes, 0x9, payload),
            Sent::Raw(raw) => bytes.extend_from_slice(raw),
        }
    }
    let raw = sent.iter().any(|message| matches!(message, Sent::Raw(_)));
    if !raw {
        frame(&mut bytes, 0x1, LAST.as_bytes());
    }
    within(async |router| {
        let (mut client, server) = duplex(ROOM);
        let serving = tokio::spawn(serve(router, server));
        client.write_all(&bytes).await.unwrap();
        let heard = tokio::time::timeout(LONGEST, listen(&mut client, raw)).await.expect("neither answered nor closed");
        drop(client);
        tokio::time::timeout(LONGEST, serving).await.expect("outlives its client").expect("panicked");
        assert!(raw || heard.answered || heard.close.is_some(), "closed without a word");
        heard
    })
}

async fn serve(router: Router, stream: DuplexStream) {
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {})) }
    });
    let _ended = http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades().await;
}

/// A frame of a client, with a mask that changes nothing.
fn frame(bytes: &mut Vec<u8>, code: u8, payload: &[u8]) {
    const MASKED: u8 = 0x80;
    bytes.push(0x80 | code);
    match u8::try_from(payload.len()) {
        Ok(short @ ..126) => bytes.push(MASKED | short),
        _ => {
            bytes.push(MASKED | 126);
            bytes.extend(u16::try_from(payload.len()).unwrap().to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
}

/// With `last` nothing more is said once the socket is open.
async fn listen(client: &mut DuplexStream, last: bool) -> Heard {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    if last {
        client.shutdown().await.unwrap();
    }
    let mut heard = Heard::default();
    while let Ok((code, payload)) = next(client).await {
        match code {
            0x1 => {
                let text = String::from_utf8(payload).unwrap();
                let answers = text.starts_with(r#"{"type":"pong""#) && text.contains(r#"{"last":"of all"}"#);
                heard.texts.push(text);
                if answers {
                    heard.answered = true;
                    return heard;
                }
            }
            0x8 => {
                let (code, reason) = payload.split_at(payload.len().min(2));
                heard.close = code.try_into().ok().map(u16::from_be_bytes);
                heard.reason = String::from_utf8(reason.to_vec()).unwrap();
                assert!(payload.len() <= 125);
                return heard;
            }
            0x9 | 0xA => {}
            _ => panic!("a frame of kind {code}"),
        }
    }
    heard
}

async fn next(client: &mut DuplexStream) -> std::io::Result<(u8, Vec<u8>)> {
    let first = client.read_u8().await?;
    let length = match client.read_u8().await? {
        126 => client.read_u16().await?.into(),
        127 => client.read_u64().await?,
        short => short.into(),
    };
    assert!(first & 0xF0 == 0x80, "a fragment, or reserved bits");
    let mut payload = vec![0; usize::try_from(length).unwrap()];
    client.read_exact(&mut payload).await?;
    Ok((first & 0x0F, payload))
}
