//! One replica: everything that runs together in a process that serves.
//!
//! Always holds: what starts here ends here; a replica that is told to stop lets requests under way
//! finish. Not here: where the settings come from (`config/`, `cli/replica.rs`).

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::access::oidc::{Oidc, OidcSettings};
use crate::access::token::TokenKey;
use crate::access::{RequestFeed, SignInLimits, TokenLifetime};
use crate::core::db::{Db, DbSettings};
use crate::core::leader::{Job, JobTriggers, lead};
use crate::core::live::{Feed, Hub, ListenRetry};
use crate::core::notice_queue::NoticeQueue;
use crate::core::secret::KeyRing;
use crate::core::task::{spawn, supervise};
use crate::core::viewers::Viewers;
use crate::core::write::LicenseEnforced;
use crate::graph;
use crate::launcher::{ProcessLauncher, ProcessSettings};
use crate::operations::{DirectiveFeed, Eviction, Orchestrator, StallTimings, Steps, SyncFeed};
use crate::pipelines::{PipelineFeed, ProbeSettings, Prober, TransitionRetention, Watchdog, WorkerFeed, WorkerTimings};
use crate::server::{App, NotListening, Server, ServerSettings};
use crate::throughput::{ThroughputFeed, Today, Upkeep};

/// Connections of the hub and the jobs, beside those of requests.
const OWN_CONNECTIONS: u32 = 4;

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
    /// How often signing in may fail.
    pub sign_in: SignInLimits,
    /// The keys of configurations.
    pub keys: KeyRing,
    /// The provider of identities, when there is one.
    pub oidc: Option<OidcSettings>,
    /// When the silence of a worker means something.
    pub workers: WorkerTimings,
    /// How often LISTEN is tried where it did not work.
    pub listen_retry: ListenRetry,
    /// When a sync without progress means something.
    pub stalls: StallTimings,
    /// How the tables of a sync are put together.
    pub steps: Steps,
    /// How the metrics are kept.
    pub throughput: Upkeep,
    /// What tests of connections are bounded by.
    pub probes: ProbeSettings,
    /// Whether writes need an active licence.
    pub license: LicenseEnforced,
    /// How workers are started as processes of this machine; somebody else starts them when absent.
    pub launcher: Option<ProcessSettings>,
    /// Whether the leader adds up what has come in today, as it does but in tests that look at what is not added up yet.
    pub adds_up_today: bool,
    /// Further jobs of the leader, by which tests look at it.
    pub jobs: Vec<Arc<dyn Job>>,
}

/// The stack of each thread. Fields inside each other are resolved inside each other: the deepest documents that
/// `query_depth` can be set to allow must fit, in a build without optimisation too.
pub const STACK: usize = 16 << 20;

/// A replica that serves.
pub struct Service {
    replica: Replica,
    serving: JoinHandle<()>,
}

/// A replica that has its address and answers nobody yet: whoever connects waits.
pub struct Bound {
    replica: Replica,
    server: Server,
}

/// What runs in a replica beside the server that answers: connections, jobs, live changes.
struct Replica {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    db: Db,
    viewers: Viewers,
    background: Db,
    stop: CancellationToken,
    leading: JoinHandle<()>,
}

impl Bound {
    /// The database it will serve from.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.replica.db
    }

    /// Begins to answer.
    #[must_use]
    pub fn serve(self) -> Service {
        let Self { replica, server } = self;
        let serving = spawn("server", server.run(replica.stop.clone()));
        Service { replica, serving }
    }
}

impl Service {
    /// Takes the address and starts serving; the database must have been migrated.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub async fn start(settings: ServiceSettings) -> Result<Self, NotListening> {
        Ok(Self::bind(settings).await?.serve())
    }

    /// Takes the address, and works as a replica but for answering.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub async fn bind(settings: ServiceSettings) -> Result<Bound, NotListening> {
        let stop = CancellationToken::new();
        let db = Db::new(&settings.db);
        // Requests that take every connection they may have must not keep events and jobs waiting; and what requests
        // cost can be told apart.
        let background = Db::new(&DbSettings { pool_size: OWN_CONNECTIONS, ..settings.db });
        let mut jobs: Vec<Arc<dyn Job>> = vec![
            Arc::new(Watchdog { timings: settings.workers }),
            Arc::new(Orchestrator { stalls: settings.stalls, workers: settings.workers }),
            Arc::new(Eviction),
            Arc::new(settings.throughput),
            Arc::new(TransitionRetention),
            Arc::new(NoticeQueue),
        ];
        if settings.adds_up_today {
            jobs.push(Arc::new(Today));
        }
        jobs.extend(settings.jobs);
        let known = Arc::new(OnceLock::new());
        if let Some(launcher) = settings.launcher {
            jobs.push(Arc::new(ProcessLauncher::new(launcher, settings.token_key.clone(), Arc::clone(&known))));
        }
        let jobs = JobTriggers::new(jobs);
        let mut feeds: Vec<Arc<dyn Feed>> = vec![
            Arc::new(WorkerFeed { timings: settings.workers }),
            Arc::new(SyncFeed),
            Arc::new(DirectiveFeed),
            Arc::new(ThroughputFeed::default()),
            Arc::new(PipelineFeed),
            Arc::new(RequestFeed),
            Arc::new(graph::EntityFeed),
        ];
        feeds.extend(jobs.feeds());
        let hub = Hub::start(background.clone(), feeds, settings.listen_retry, &stop);
        let viewers = hub.viewers().clone();
        let app = App {
            db: db.clone(),
            hub,
            token_key: settings.token_key,
            token_lifetime: settings.token_lifetime,
            sign_in: settings.sign_in,
            keys: settings.keys,
            oidc: settings.oidc.map(Oidc::new),
            workers: settings.workers,
            steps: settings.steps,
            prober: Prober::new(settings.probes),
            license: settings.license,
            settings: settings.server,
        };
        let server = Server::bind(app).await.inspect_err(|_| stop.cancel())?;
        let (address, metrics_address) = (server.address()?, server.metrics_address()?);
        known.get_or_init(|| address);
        let (of_jobs, until) = (background.clone(), stop.clone());
        let leading = supervise("leader", stop.clone(), move || lead(of_jobs.clone(), jobs.clone(), until.clone()));
        Ok(Bound { replica: Replica { address, metrics_address, db, viewers, background, stop, leading }, server })
    }

    /// Where it serves.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.replica.address
    }

    /// Where it serves probes and metrics, when they have an address of their own.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.replica.metrics_address
    }

    /// The database it serves from.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.replica.db
    }

    /// For tests: who was seen a moment ago.
    #[must_use]
    pub fn viewers(&self) -> &Viewers {
        &self.replica.viewers
    }

    /// Lets requests under way finish, then ends.
    pub async fn stop(self) {
        let Self { replica, serving } = self;
        replica.stop.cancel();
        let _ended = serving.await;
        let _ended = replica.leading.await;
        tokio::join!(replica.db.close(), replica.background.close());
    }
}
