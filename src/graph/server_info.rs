//! `serverInfo`: what anyone may know about the server, signed in or not.

use async_graphql::{Context, Object, SimpleObject};

use crate::core::error::Result;
use crate::core::read::context_data;

/// What anyone may know about the server.
#[derive(SimpleObject)]
pub struct ServerInfo {
    /// The version of Pumphouse that runs here.
    version: &'static str,
    /// Where a browser begins to sign in by OpenID Connect, with the page to end at in `?return_to=`; null when
    /// that is not set up.
    oidc_sign_in: Option<&'static str>,
}

/// Whether this server offers sign-in by OpenID Connect.
#[derive(Clone, Copy, Debug)]
pub struct OidcOffered(pub bool);

/// The root `serverInfo`.
#[derive(Default)]
pub struct ServerInfoQuery;

#[Object]
impl ServerInfoQuery {
    /// What anyone may know about the server; needs no sign-in.
    async fn server_info(&self, ctx: &Context<'_>) -> Result<ServerInfo> {
        let OidcOffered(offered) = context_data(ctx)?;
        Ok(ServerInfo { version: env!("CARGO_PKG_VERSION"), oidc_sign_in: offered.then_some("/auth/oidc") })
    }
}
