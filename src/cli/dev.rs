//! `pumphouse dev`: everything on this machine, with a PostgreSQL of its own.
//!
//! Always holds: nothing is left running when it ends, however it ends; what it keeps is in the data
//! directory.

use std::str::FromStr as _;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sqlx::postgres::PgConnectOptions;

use super::output::{Failure, print};
use super::run::{Stop, block_on_threads, sealing_key_fits, welcome};
use super::{launcher, replica};
use crate::access::token::TokenKey;
use crate::access::{signs_in, superuser_token};
use crate::config::{Config, Flags, Keys, Purpose, kept};
use crate::core::db::Db;
use crate::core::migrate;
use crate::core::secret::{KeyRing, Secret};
use crate::demo;
use crate::embedded::{Cluster, Options};
use crate::pipelines::rotation;
use crate::service::Service;
use crate::telemetry;

/// The database of the product in the private cluster.
const DATABASE: &str = "pumphouse";
/// Rows a second and table that the demo's workers read, so that there is something to watch.
const DEMO_PACE: u32 = 3_000;
/// How long the demo may take to begin.
const BEGIN_WITHIN: Duration = Duration::from_mins(1);
/// How long a lock on the fresh database is waited for.
const MIGRATION_WAIT: Duration = Duration::from_secs(30);

/// Run everything on this machine: a private PostgreSQL, the server, workers and a demo organisation.
#[derive(Args)]
#[command(after_help = "Everything is kept in the data directory, `.pumphouse` unless --data-dir says otherwise; to begin anew, delete it.

Examples:
  pumphouse dev
  pumphouse dev --no-demo --listen 127.0.0.1:9000
  pumphouse dev --data-dir /tmp/pumphouse")]
pub(super) struct Arguments {
    /// Leave the organisation empty.
    #[arg(long)]
    no_demo: bool,
    #[command(flatten)]
    flags: Flags,
}

/// What `dev` goes by.
struct Dev {
    config: Config,
    demo: bool,
    progress: ProgressBar,
}

/// Runs until told to stop.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags, Purpose::Dev)?;
    let _watched = telemetry::watch(&config.telemetry).map_err(Failure::failed)?;
    let progress = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}").map_err(Failure::failed)?);
    let dev = Dev { config, demo: !arguments.no_demo, progress };
    block_on_threads(dev.config.server.threads, async move {
        let mut stop = Stop::listen()?;
        dev.progress.enable_steady_tick(Duration::from_millis(100));
        dev.step("starting PostgreSQL");
        let options = Options { data_dir: dev.config.storage.data_dir.clone(), durable: true, tcp_port: None };
        let Some(cluster) = stop.unless_asked(Cluster::start(options)).await else { return Ok(()) };
        let cluster = cluster.map_err(Failure::failed)?;
        let ended = dev.in_cluster(&cluster, &mut stop).await;
        dev.progress.finish_and_clear();
        cluster.stop().await.map_err(Failure::failed)?;
        ended
    })
}

impl Dev {
    fn step(&self, what: &'static str) {
        self.progress.set_message(what);
        tracing::debug!("{what}");
    }

    async fn in_cluster(&self, cluster: &Cluster, stop: &mut Stop) -> Result<(), Failure> {
        let data_dir = &self.config.storage.data_dir;
        let password = kept::admin_password(&self.config.auth, data_dir)?;
        let Some(started) = stop.unless_asked(Box::pin(self.start(cluster, &password))).await else { return Ok(()) };
        let service = started?;
        let works = signs_in(service.db(), &self.config.auth.admin_email, &password).await?;
        self.progress.finish_and_clear();
        self.announce(&service, works.then_some(&password))?;
        let ended = tokio::select! {
            () = stop.asked() => Ok(()),
            // Nobody else brings it back, and a server without it answers nothing but that.
            error = cluster.ended() => Err(Failure::failed(error)),
        };
        tracing::debug!("stopping");
        service.stop().await;
        ended
    }

    async fn start(&self, cluster: &Cluster, password: &Secret<String>) -> Result<Service, Failure> {
        self.step("migrating the database");
        cluster.ensure_database(DATABASE).await.map_err(Failure::failed)?;
        let database = PgConnectOptions::from_str(&cluster.url(DATABASE)).map_err(Failure::failed)?;
        migrate::migrate(&database, MIGRATION_WAIT).await.map_err(Failure::failed)?;
        let keys = self.keys(&database).await?;
        let mut settings = replica::settings(&self.config, database, keys);
        settings.launcher = launcher::of(&self.config)?;
        settings.server.trusted_documents = replica::trusted_documents(&self.config)?;
        if let Some(launcher) = settings.launcher.as_mut() {
            // The data directory is ours alone, and so are its workers.
            launcher.silence = None;
            if self.demo {
                launcher.environment.push(("PUMPHOUSE_ROWS_PER_SECOND".to_owned(), DEMO_PACE.to_string()));
            }
        }
        let (keys, token_key) = (settings.keys.clone(), settings.token_key.clone());
        self.step("starting the server");
        let bound = Service::bind(settings).await.map_err(|error| launcher::not_listening(&self.config, error))?;
        // Whoever signs in finds the first superuser.
        welcome(bound.db(), &self.config, password).await?;
        let service = bound.serve();
        if self.demo {
            self.lay_out(cluster, &service, &keys, password).await?;
            self.begin(&service, &token_key).await?;
        }
        Ok(service)
    }

    /// The keys; new ones only where nothing is sealed yet, since what is sealed could never be opened again.
    async fn keys(&self, database: &PgConnectOptions) -> Result<Keys, Failure> {
        let (auth, data_dir) = (&self.config.auth, &self.config.storage.data_dir);
        let db = Db::new(&self.config.database.pool(database.clone()));
        let gone = auth.encryption_keys.is_none() && !data_dir.join(kept::ENCRYPTION_KEYS).exists();
        if gone && rotation::has_sealed(&db).await? {
            return Err(Failure::Usage(format!(
                "{} is gone, and the database holds configurations that only its keys open; put the file back, or begin anew by \
                 deleting {}",
                data_dir.join(kept::ENCRYPTION_KEYS).display(),
                data_dir.display()
            )));
        }
        let keys = kept::keys(auth, data_dir)?;
        sealing_key_fits(&db, &keys.encryption).await?;
        db.close().await;
        Ok(keys)
    }

    /// Starts the demo's workers and a snapshot, unless an earlier start did. The demo that cannot begin is no reason
    /// not to serve.
    async fn begin(&self, service: &Service, key: &TokenKey) -> Result<(), Failure> {
        self.step("starting the demo's workers and a snapshot");
        if let Some(token) = superuser_token(service.db(), key, BEGIN_WITHIN).await?
            && let Err(error) = demo::begin(service.address(), &token.text).await
        {
            tracing::warn!(%error, "the demo's workers and its snapshot were not all started; the next start tries again");
        }
        Ok(())
    }

    /// Lays out the demo organisation on the first start.
    async fn lay_out(&self, cluster: &Cluster, service: &Service, keys: &KeyRing, password: &Secret<String>) -> Result<(), Failure> {
        self.step("laying out the demo organisation");
        let shop = demo::shop(cluster).await.map_err(Failure::failed)?;
        let warehouse = demo::warehouse(cluster).await.map_err(Failure::failed)?;
        demo::lay_out(service.db(), keys, &shop, &warehouse, password).await.map(drop).map_err(Failure::failed)
    }

    /// Prints where it serves, and how to sign in: only what works.
    fn announce(&self, service: &Service, password: Option<&Secret<String>>) -> Result<(), Failure> {
        let base = format!("http://{}", service.address());
        let (bold, plain) = if std::io::IsTerminal::is_terminal(&std::io::stdout()) { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
        let email = &self.config.auth.admin_email;
        let sign_in = match password {
            Some(password) => format!("{email}  {}", password.reveal()),
            None => format!(
                "as before; {email} with the password of the settings or of {} does not sign in (they count for the first start only)",
                self.config.storage.data_dir.join(kept::ADMIN_PASSWORD).display()
            ),
        };
        let page = if self.config.server.playground { format!("{bold}Playground{plain}  {base}/playground\n") } else { String::new() };
        print(format!("{page}{bold}GraphQL{plain}     {base}/graphql\n{bold}Sign in{plain}     {sign_in}\n"))
    }
}
