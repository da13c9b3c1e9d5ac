//! The private cluster: made, started, reached, restarted, stopped.
//!
//! Always holds: a cluster appears under its name only when it is complete (made beside it, then
//! renamed). A `Cluster` that was returned took a connection. Every setting that matters is on the
//! server's command line, so no file of the cluster can change it.
//! Not here: users and schemas; there is one superuser, `pumphouse`, and what callers create.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use super::error::EmbeddedError;
use super::find::{self, Server};
use super::leftover;
use super::place::Place;
use super::runner::{Runner, Running};

/// How long a server may take until it is reachable.
const READY_SECONDS: u64 = 30;

/// How often to try.
const READY_LOOK: Duration = Duration::from_millis(10);

/// The port, which is a part of the socket's name also where nothing listens on TCP.
const PORT: u16 = 5432;

/// What kind of cluster to run, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the cluster (`postgres`), its log (`postgres.log`) and the lock (`lock`) lie; made if need be.
    pub data_dir: PathBuf,
    /// Whether data must survive a crash of the machine. Tests give that up for speed.
    pub durable: bool,
    /// Also listen on this port of 127.0.0.1, where *every user of this machine* then is superuser.
    pub tcp_port: Option<u16>,
}

/// A running private PostgreSQL. Dropping it asks the server to end and waits up to five seconds;
/// [`Cluster::stop`] is the better way.
#[derive(Debug)]
pub struct Cluster {
    // Before `place`, whose lock must be the last to go.
    running: Mutex<Option<Running>>,
    pid: AtomicU32,
    server: Server,
    runner: Runner,
    options: Options,
    place: Place,
}

impl Cluster {
    /// Starts the cluster of a data directory; makes it first if there is none.
    ///
    /// # Errors
    ///
    /// Any [`EmbeddedError`]; each says what to do.
    pub async fn start(options: Options) -> Result<Self, EmbeddedError> {
        Self::start_from(options, &find::usual_places()).await
    }

    /// [`Cluster::start`] with a server from one of these directories.
    ///
    /// # Errors
    ///
    /// As [`Cluster::start`].
    #[doc(hidden)]
    pub async fn start_from(options: Options, places: &[PathBuf]) -> Result<Self, EmbeddedError> {
        let place = Place::take(&options.data_dir)?;
        let made_by = place.made_by()?;
        let server = find::choose(places, &place.cluster, made_by)?;
        let runner = Runner::new(place.user, place.log.clone())?;
        let cluster = Self { running: Mutex::new(None), pid: AtomicU32::new(0), server, runner, options, place };
        if made_by.is_none() {
            cluster.make().await?;
        }
        cluster.restart().await?;
        Ok(cluster)
    }

    /// The address of a database of this cluster, for sqlx and for psql.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        let mut name = String::new();
        for byte in database.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                name.push(char::from(byte));
            } else {
                // Writing to a `String` does not fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
        let (socket, port) = (self.place.socket.display(), self.port());
        format!("postgres:///{name}?host={socket}&port={port}&user=pumphouse&sslmode=disable")
    }

    /// Creates a database unless it exists.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Database`] when the server refuses.
    pub async fn ensure_database(&self, name: &str) -> Result<(), EmbeddedError> {
        let mut connection = self.connect().await?;
        // Until the connection closes: two creations of one name at once would fail in one of two ways.
        sqlx::raw_sql("select pg_advisory_lock(1)").execute(&mut connection).await?;
        let there: bool =
            sqlx::query_scalar("select exists (select from pg_database where datname = $1)").bind(name).fetch_one(&mut connection).await?;
        if !there {
            let create = format!("create database \"{}\"", name.replace('"', "\"\""));
            sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut connection).await?;
        }
        Ok(connection.close().await?)
    }

    /// The process of the server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid.load(Ordering::Relaxed)
    }

    /// The major version of the server.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.server.major()
    }

    /// Stops the server, if it still runs, and starts it again. Addresses stay the same.
    ///
    /// # Errors
    ///
    /// As [`Cluster::start`]; then no server runs until the next restart.
    pub async fn restart(&self) -> Result<(), EmbeddedError> {
        let mut running = self.running.lock().await;
        if let Some(old) = running.take() {
            old.process.stop().await?;
        }
        let new = self.launch().await?;
        self.pid.store(new.process.pid(), Ordering::Relaxed);
        *running = Some(new);
        Ok(())
    }

    /// Waits until the server ends without having been told to, or none runs after a restart that failed.
    pub async fn ended(&self) -> EmbeddedError {
        loop {
            let watch = match &*self.running.lock().await {
                Some(running) => running.process.watch(),
                None => return EmbeddedError::Ended { log: self.place.log.clone(), lines: String::new() },
            };
            watch.await;
            // A restart ends the server too, and has another in its place by the time it lets go of the lock.
            if let Some(running) = &*self.running.lock().await
                && !running.process.lives()
            {
                return running.ended();
            }
        }
    }

    /// Stops the server: connections are ended, the data are written.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::WillNotStop`] when it does not end, whatever it is sent.
    pub async fn stop(self) -> Result<(), EmbeddedError> {
        match self.running.into_inner() {
            Some(running) => running.process.stop().await,
            None => Ok(()),
        }
    }

    /// Makes the cluster, under its name only when it is complete. Its order of texts is that of their bytes; it knows the cases of all
    /// letters where the system does.
    async fn make(&self) -> Result<(), EmbeddedError> {
        let place = &self.place;
        if self.initialise(&["--locale=C", "--lc-ctype=C.UTF-8"]).await.is_err() {
            self.initialise(&["--no-locale"]).await?;
        }
        fs::rename(&place.unfinished, &place.cluster).map_err(EmbeddedError::unusable(&place.cluster))?;
        let parent = &self.options.data_dir;
        if self.options.durable {
            File::open(parent).and_then(|parent| parent.sync_all()).map_err(EmbeddedError::unusable(parent))?;
        }
        Ok(())
    }

    async fn initialise(&self, locale: &[&str]) -> Result<(), EmbeddedError> {
        self.place.make_unfinished()?;
        let durable = if self.options.durable { None } else { Some("--no-sync") };
        let words = ["--encoding=UTF8", "--auth=trust", "--username=pumphouse"].iter().chain(locale).copied().chain(durable);
        let words: Vec<String> = words.map(Into::into).collect();
        let mut initdb = self.runner.run(&self.server, "initdb", &self.place.unfinished, &words)?;
        if initdb.process.end().await { Ok(()) } else { Err(initdb.refused()) }
    }

    /// Starts the server and waits until it takes a connection.
    async fn launch(&self) -> Result<Running, EmbeddedError> {
        leftover::clear(&self.place).await?;
        self.place.make_socket()?;
        let mut server = self.runner.run(&self.server, "postgres", &self.place.cluster, &self.settings())?;
        let answered = async {
            while self.connect().await.is_err() {
                sleep(READY_LOOK).await;
            }
        };
        tokio::select! {
            _ = server.process.end() => Err(server.refused()),
            answered = timeout(Duration::from_secs(READY_SECONDS), answered) => match answered {
                Ok(()) => Ok(server),
                Err(_) => Err(server.not_ready(READY_SECONDS)),
            },
        }
    }

    /// The server's settings as arguments.
    fn settings(&self) -> Vec<String> {
        let listen = if self.options.tcp_port.is_some() { "127.0.0.1" } else { "" };
        let mut settings = vec![
            format!("cluster_name={}", self.place.name),
            format!("unix_socket_directories={}", self.place.socket.display()),
            format!("listen_addresses={listen}"),
            format!("port={}", self.port()),
            "max_connections=200".into(),
            "shared_buffers=128MB".into(),
            "timezone=UTC".into(),
            "log_timezone=UTC".into(),
        ];
        if !self.options.durable {
            // Its databases live for seconds: a worker a database a minute would clean up for nobody.
            settings.extend(["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"].map(Into::into));
        }
        settings.into_iter().flat_map(|setting| ["-c".into(), setting]).collect()
    }

    fn port(&self) -> u16 {
        self.options.tcp_port.unwrap_or(PORT)
    }

    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let options = PgConnectOptions::new_without_pgpass().socket(&self.place.socket).port(self.port());
        options.username("pumphouse").database("postgres").ssl_mode(PgSslMode::Disable).connect().await
    }
}
