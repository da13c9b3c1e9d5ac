//! The transports, as clients on the wire see them.

mod http;
mod keys;
mod limits;
mod nesting;
mod playground;
mod probes;
mod raw;
mod sessions;
mod socket;
mod sse;
mod strangers;

use pumphouse::server::ServerSettings;

use crate::support::{Server, TestSettings};

/// A server with other settings of the transports.
async fn server(change: impl FnOnce(&mut ServerSettings)) -> Server {
    let mut test = TestSettings::default();
    change(&mut test.server);
    Server::start_with(test).await
}

/// Waits until what is asked for holds, for what nobody tells of.
pub async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let end = tokio::time::Instant::now() + crate::support::PATIENCE;
    while !holds().await {
        assert!(tokio::time::Instant::now() < end, "not in time: {what}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
