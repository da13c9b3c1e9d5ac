//! The least that a live server can do: what the database announces of workers is handed on as it is, the same bytes to every
//! socket, over graphql-transport-ws.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bench_load::{Failure, Outcome};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, NoTls};
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

type Sender = mpsc::UnboundedSender<Utf8Bytes>;

/// Who follows one worker, and who follows all.
#[derive(Default)]
struct Followers {
    one: HashMap<String, Vec<Sender>>,
    all: Vec<Sender>,
}

type Shared = Arc<Mutex<Followers>>;

pub async fn serve(port: String, database: String) -> Outcome<()> {
    let followers = Shared::default();
    tokio::spawn(listen(database, Arc::clone(&followers)));
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(socket(stream, Arc::clone(&followers)));
    }
}

async fn listen(database: String, followers: Shared) -> Outcome<()> {
    let (client, mut connection) = tokio_postgres::connect(&database, NoTls).await?;
    let (sender, mut notices) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = std::future::poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notice) = message {
                let _ = sender.send(notice);
            }
        }
    });
    client.batch_execute("LISTEN worker_changed").await?;
    while let Some(notice) = notices.recv().await {
        let frame = format!("{{\"id\":\"1\",\"type\":\"next\",\"payload\":{{\"data\":{{\"workerChanged\":{}}}}}}}", notice.payload());
        let (frame, worker) = (Utf8Bytes::from(frame), serde_json::from_str::<Value>(notice.payload())?);
        let mut followers = followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.all.retain(|sender| sender.send(frame.clone()).is_ok());
        if let Some(one) = followers.one.get_mut(worker["id"].as_str().unwrap_or("")) {
            one.retain(|sender| sender.send(frame.clone()).is_ok());
        }
    }
    Ok(())
}

#[expect(clippy::result_large_err, reason = "the library's own type")]
fn accept(_: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
    response.headers_mut().insert("Sec-WebSocket-Protocol", hyper::header::HeaderValue::from_static("graphql-transport-ws"));
    Ok(response)
}

async fn socket(stream: TcpStream, followers: Shared) -> Outcome<()> {
    let (mut write, mut read) = tokio_tungstenite::accept_hdr_async(stream, accept).await?.split();
    let (sender, mut frames) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            frame = frames.recv() => write.send(Message::Text(frame.ok_or("nobody sends any more")?)).await?,
            message = read.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text)?;
                    match message["type"].as_str() {
                        Some("connection_init") => write.send(Message::text(r#"{"type":"connection_ack"}"#)).await?,
                        Some("subscribe") => follow(&followers, &message, &sender),
                        _ => {}
                    }
                }
                Some(Ok(_)) => {}
                _ => return Err(Failure::from("the client has gone")),
            },
        }
    }
}

fn follow(followers: &Shared, message: &Value, sender: &Sender) {
    let mut followers = followers.lock().unwrap_or_else(PoisonError::into_inner);
    match message["payload"]["variables"]["id"].as_str() {
        Some(id) => followers.one.entry(id.to_owned()).or_default().push(sender.clone()),
        None => followers.all.push(sender.clone()),
    }
}
