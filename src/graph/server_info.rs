//! `serverInfo`: what anyone may know about the server, signed in or not.

use async_graphql::{Object, SimpleObject};

/// What anyone may know about the server.
#[derive(SimpleObject)]
pub struct ServerInfo {
    /// The version of Pumphouse that runs here.
    version: &'static str,
}

/// The root `serverInfo`.
#[derive(Default)]
pub struct ServerInfoQuery;

#[Object]
impl ServerInfoQuery {
    /// What anyone may know about the server; needs no sign-in.
    async fn server_info(&self) -> ServerInfo {
        ServerInfo { version: env!("CARGO_PKG_VERSION") }
    }
}
