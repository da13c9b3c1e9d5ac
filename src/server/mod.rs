//! The transports: HTTP, server-sent events and WebSocket in, GraphQL executions out.
//!
//! Always holds: nothing here knows an entity but for four things: `/metrics` counts workers, `bootstrap.rs` answers them,
//! `cost.rs` asks how many points a series has, and `limits.rs` and `keyed.rs` know the fields that check passwords. Every
//! request has an id, a caller and its own loaders; whatever is open ends when the server stops. Not here: what the graph
//! answers.

mod accept;
mod account;
mod answer;
mod auth;
mod body;
mod bootstrap;
mod client;
mod connection;
mod cost;
mod counts;
mod documents;
mod engine;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzz;
mod http;
mod keyed;
mod limits;
mod measure;
mod media;
mod oidc;
mod origin;
mod parsed;
mod payload;
mod playground;
mod probes;
mod rate;
mod rules;
mod sessions;
mod settings;
mod shared;
mod socket;
mod sse;
mod tokens;
mod trace;
mod variables;

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version};
use axum::response::Redirect;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::access::oidc::{CALLBACK, Oidc};
use crate::access::token::TokenKey;
use crate::access::{SignInLimits, TokenLifetime};
use crate::core::db::Db;
use crate::core::live::Hub;
use crate::core::metric;
use crate::core::secret::KeyRing;
use crate::core::task::supervise;
use crate::core::write::LicenseEnforced;
use crate::operations::Steps;
use crate::pipelines::{Prober, WorkerTimings};
use engine::Engine;

pub use client::ProxyHeader;
pub use documents::{NotTrusted, TrustedDocuments};
pub use limits::Limits;
pub use rate::RateLimits;
pub use settings::{Introspection, ServerSettings};

/// Everything that a request is answered from.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub db: Db,
    /// The key of tokens.
    pub token_key: TokenKey,
    /// How long tokens of a login live.
    pub token_lifetime: TokenLifetime,
    /// How often signing in may fail.
    pub sign_in: SignInLimits,
    /// The keys of configurations.
    pub keys: KeyRing,
    /// The provider of identities, when there is one.
    pub oidc: Option<Oidc>,
    /// The live changes.
    pub hub: Hub,
    /// When the silence of a worker means something.
    pub workers: WorkerTimings,
    /// How the tables of a sync are put together.
    pub steps: Steps,
    /// Who tests connections.
    pub prober: Prober,
    /// Whether writes need an active licence.
    pub license: LicenseEnforced,
    /// The settings of the transports.
    pub settings: ServerSettings,
}

/// Why the server does not listen, and where.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {cause}")]
pub struct NotListening {
    /// The address that cannot be had.
    pub address: SocketAddr,
    /// What the system said.
    #[source]
    pub cause: io::Error,
}

/// A server that accepts connections.
pub struct Server {
    listener: TcpListener,
    metrics: Option<TcpListener>,
    app: App,
}

impl Server {
    /// Takes the addresses.
    ///
    /// # Errors
    /// When an address is taken or not ours.
    pub async fn bind(app: App) -> Result<Self, NotListening> {
        // From here on things are counted.
        metric::recorder();
        let listener = listen(app.settings.listen).await?;
        let metrics = match app.settings.metrics_listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        Ok(Self { listener, metrics, app })
    }

    /// The address in use; the port is chosen by the system when 0 was asked for.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> Result<SocketAddr, NotListening> {
        taken(&self.listener, self.app.settings.listen)
    }

    /// The address of metrics, when they have one of their own.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn metrics_address(&self) -> Result<Option<SocketAddr>, NotListening> {
        self.metrics.as_ref().zip(self.app.settings.metrics_listen).map(|(listener, asked)| taken(listener, asked)).transpose()
    }

    /// Serves until `stop` is cancelled, then lets what is under way finish; that takes less than ten seconds.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, metrics, app } = self;
        let settings = app.settings.clone();
        let engine = Engine::new(app, stop.clone());
        let counted = stop.clone();
        supervise("metrics.upkeep", stop.clone(), move || {
            let counted = counted.clone();
            async move {
                let _stopped = counted.run_until_cancelled(metric::keep()).await;
            }
        });
        let (sessions, db, watched) = (engine.sessions.clone(), engine.app.db.clone(), stop.clone());
        supervise("sessions", stop.clone(), move || sessions.clone().watch(db.clone(), watched.clone()));
        let open = engine.open.clone();
        let apart = metrics.map(|listener| (listener, probes(engine.clone())));
        let main = accept::serve(listener, router(engine, apart.is_none()), &settings, stop.clone(), open.clone());
        match apart {
            Some((listener, router)) => {
                tokio::join!(main, accept::serve(listener, router, &settings, stop, open));
            }
            None => main.await,
        }
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, NotListening> {
    TcpListener::bind(address).await.map_err(|cause| NotListening { address, cause })
}

/// The address that was taken where this one was asked for.
fn taken(listener: &TcpListener, asked: SocketAddr) -> Result<SocketAddr, NotListening> {
    listener.local_addr().map_err(|cause| NotListening { address: asked, cause })
}

fn router(engine: Engine, with_metrics: bool) -> Router {
    let settings = engine.app.settings.clone();
    let mut router = Router::new().route("/graphql", get(http::get).post(http::post));
    if settings.introspection != Introspection::Nobody {
        router = router.route("/schema.graphql", get(http::sdl));
    }
    if with_metrics {
        router = router.route("/metrics", get(probes::metrics));
    }
    if settings.compression {
        router = router.layer(compression());
    }
    if settings.playground {
        // Always compressed on the way: it is megabytes once, for people, and often without a proxy in front.
        let page = Router::new()
            .route("/", get(|| async { Redirect::temporary("playground") }))
            .route("/playground", get(playground::index))
            .route("/playground/", get(playground::index))
            .route("/playground/{*path}", get(playground::index))
            .route("/playground/assets/{*path}", get(playground::asset));
        router = router.merge(page.layer(CompressionLayer::new()));
    }
    // Below here nothing is compressed: a worker's configuration and the answers of a sign-in hold secrets.
    router = router
        .route("/worker/bootstrap", axum::routing::post(bootstrap::post))
        .route("/worker/deliveries", axum::routing::post(bootstrap::post_deliveries))
        .route("/auth/oidc", get(oidc::begin))
        .route(CALLBACK, get(oidc::finish))
        .route("/livez", get(probes::livez))
        .route("/readyz", get(probes::readyz));
    if let Some(cors) = origin::cors(&settings.allowed_origins) {
        router = router.layer(cors);
    }
    router.layer(no_sniff()).with_state(engine)
}

/// What an answer is marked with that must not be compressed.
#[derive(Clone, Copy)]
struct Uncompressed;

/// Compression for clients that ask. Not of streams, whose events must not wait for more; and not of what mutations answer,
/// the only answers with secrets in them: the length of what is compressed tells of its content, beside whatever
/// somebody else could have put there (BREACH).
fn compression() -> CompressionLayer<impl Predicate> {
    let may_be = |_: StatusCode, _: Version, _: &HeaderMap, marks: &Extensions| marks.get::<Uncompressed>().is_none();
    let when = SizeAbove::new(WORTH_IT).and(NotForContentType::SSE).and(may_be);
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(when)
}

/// The shortest answer, in bytes, whose compression saves anybody a packet.
const WORTH_IT: u16 = 1_400;

/// What an operator's port serves.
fn probes(engine: Engine) -> Router {
    Router::new()
        .route("/livez", get(probes::livez))
        .route("/readyz", get(probes::readyz))
        .route("/metrics", get(probes::metrics))
        .layer(no_sniff())
        .with_state(engine)
}

fn no_sniff() -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
}
