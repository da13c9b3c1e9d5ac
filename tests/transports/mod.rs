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

use pumphouse::server::ServerSettings;

use crate::support::{Server, TestSettings};

/// A server with other settings of the transports.
async fn server(change: impl FnOnce(&mut ServerSettings)) -> Server {
    let mut test = TestSettings::default();
    change(&mut test.server);
    Server::start_with(test).await
}
