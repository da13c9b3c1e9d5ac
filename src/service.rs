//! One replica: everything that runs together in a process that serves.
//!
//! Always holds: what starts here ends here; a replica that is told to stop lets requests under way
//! finish. Not here: where the settings come from (`config.rs`).

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::access::TokenLifetime;
use crate::access::token::TokenKey;
use crate::core::db::{Db, DbSettings};
use crate::core::live::{Feed, Hub};
use crate::core::secret::KeyRing;
use crate::core::task::spawn;
use crate::graph;
use crate::pipelines::{WorkerFeed, WorkerTimings};
use crate::server::{App, Server, ServerSettings, limits};

/// What a replica needs to know.
#[derive(Clone)]
pub struct ServiceSettings {
    /// How to reach the database.
    pub db: DbSettings,
    /// How to serve.
    pub server: ServerSettings,
    /// The key of tokens.
    pub token_key: TokenKey,
    /// How long the tokens of a login live.
    pub token_lifetime: TokenLifetime,
    /// The keys of configurations.
    pub keys: KeyRing,
    /// When the silence of a worker means something.
    pub workers: WorkerTimings,
}

/// A replica that serves.
pub struct Service {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    db: Db,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Service {
    /// Takes the address and starts serving; the database must have been migrated.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub async fn start(settings: ServiceSettings) -> std::io::Result<Self> {
        let stop = CancellationToken::new();
        let db = Db::new(&settings.db);
        let feeds: Vec<Arc<dyn Feed>> = vec![Arc::new(WorkerFeed { timings: settings.workers })];
        let app = App {
            graph: limits::bound(graph::builder()).finish(),
            db: db.clone(),
            hub: Hub::start(db.clone(), feeds, &stop),
            token_key: settings.token_key,
            token_lifetime: settings.token_lifetime,
            keys: settings.keys,
            workers: settings.workers,
            settings: settings.server,
        };
        let server = Server::bind(app).await?;
        let (address, metrics_address) = (server.address()?, server.metrics_address()?);
        let stopping = stop.clone();
        let serving = spawn("server", server.run(stopping));
        Ok(Self { address, metrics_address, db, stop, serving })
    }

    /// Where it serves.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves probes and metrics, when they have an address of their own.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// The database it serves from.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Lets requests under way finish, then ends.
    pub async fn stop(self) {
        self.stop.cancel();
        let _ended = self.serving.await;
        self.db.close().await;
    }
}
