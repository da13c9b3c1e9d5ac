//! The transports: HTTP and WebSocket in, GraphQL executions out.
//!
//! Always holds: nothing here knows an entity; every request has an id, a caller and its own loaders.
//! Not here: what the graph answers.

mod auth;
mod engine;
mod http;
mod probes;
mod socket;

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::access::TokenLifetime;
use crate::access::token::TokenKey;
use crate::core::db::Db;
use crate::core::live::Hub;
use crate::core::secret::KeyRing;
use crate::graph::Graph;
use crate::pipelines::WorkerTimings;

pub use engine::Engine;

/// What the transports need to know.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Whether `/playground` is served.
    pub playground: bool,
    /// Whether the schema may be asked for its own description.
    pub introspection: bool,
    /// The largest body of a request, in bytes.
    pub body_limit: usize,
    /// How long a request may take.
    pub request_timeout: Duration,
    /// How often a socket is pinged.
    pub ping_interval: Duration,
}

/// Everything that a request is answered from.
#[derive(Clone)]
pub struct App {
    /// The schema.
    pub graph: Graph,
    /// The database.
    pub db: Db,
    /// The key of tokens.
    pub token_key: TokenKey,
    /// How long tokens of a login live.
    pub token_lifetime: TokenLifetime,
    /// The keys of configurations.
    pub keys: KeyRing,
    /// The live changes.
    pub hub: Hub,
    /// When the silence of a worker means something.
    pub workers: WorkerTimings,
    /// The settings of the transports.
    pub settings: ServerSettings,
}

/// A server that accepts connections.
pub struct Server {
    listener: TcpListener,
    app: App,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// When the address is taken or not ours.
    pub async fn bind(app: App) -> std::io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(app.settings.listen).await?, app })
    }

    /// The address in use; the port is chosen by the system when 0 was asked for.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is cancelled, then lets requests under way finish.
    ///
    /// # Errors
    /// When the listening socket fails.
    pub async fn run(self, stop: CancellationToken) -> std::io::Result<()> {
        let router = router(self.app, stop.clone());
        axum::serve(self.listener, router.into_make_service_with_connect_info::<SocketAddr>())
            .with_graceful_shutdown(stop.cancelled_owned())
            .await
    }
}

fn router(app: App, stop: CancellationToken) -> Router {
    let engine = Engine::new(app, stop);
    Router::new()
        .route("/graphql", get(socket::upgrade).post(http::post))
        .route("/schema.graphql", get(http::sdl))
        .route("/livez", get(probes::livez))
        .route("/readyz", get(probes::readyz))
        .route("/metrics", get(probes::metrics))
        .with_state(engine)
}
