//! The transports, as clients on the wire see them.

mod compression;
mod documents;
mod guards;
mod http;
mod introspection;
mod keys;
mod limits;
mod nesting;
mod playground;
mod probes;
mod rates;
mod raw;
mod sessions;
mod socket;
mod sse;
mod strangers;
mod validation;
mod wire;

use std::time::Duration;

use pumphouse::server::ServerSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Server, TestSettings};

/// A server with other settings of the transports.
async fn server(change: impl FnOnce(&mut ServerSettings)) -> Server {
    let mut test = TestSettings::default();
    change(&mut test.server);
    Server::start_with(test).await
}

/// What the connection says to these bytes, until it ends.
async fn talk(server: &Server, bytes: &str) -> String {
    let mut tcp = TcpStream::connect(server.service.address()).await.expect("the server listens");
    tcp.write_all(bytes.as_bytes()).await.expect("it is sent");
    let mut said = Vec::new();
    tokio::time::timeout(Duration::from_secs(10), tcp.read_to_end(&mut said)).await.expect("the connection ends").expect("the end");
    String::from_utf8(said).expect("text")
}
