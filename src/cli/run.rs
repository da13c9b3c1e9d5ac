//! What `dev` and `serve` have in common: a replica that runs until it is told to stop.
//!
//! Always holds: the signals are heard before anything is started, so that nothing is left behind.

use std::future::Future;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::output::{Failure, note};
use crate::access::first_superuser;
use crate::config::Config;
use crate::core::db::Db;
use crate::core::migrate;
use crate::core::secret::{KeyRing, Secret};
use crate::pipelines::rotation::{self, Fit};
use crate::service::STACK;

/// Ctrl-C and SIGTERM.
pub(super) struct Stop {
    interrupt: Signal,
    terminate: Signal,
}

impl Stop {
    /// Hears the signals from now on.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(super) fn listen() -> Result<Self, Failure> {
        let hear = |kind| signal(kind).map_err(Failure::failed);
        Ok(Self { interrupt: hear(SignalKind::interrupt())?, terminate: hear(SignalKind::terminate())? })
    }

    /// Waits for one of them.
    pub(super) async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Does the work unless told to stop meanwhile; none then, and what was begun is dropped.
    pub(super) async fn unless_asked<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.asked() => None,
            done = work => Some(done),
        }
    }
}

/// Runs on as many threads as there are processors.
///
/// # Errors
/// When the threads cannot be had, and what the work answers.
pub(super) fn block_on(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    block_on_threads(None, work)
}

/// Runs on so many threads, or on as many as there are processors.
///
/// # Errors
/// When the threads cannot be had, and what the work answers.
pub(super) fn block_on_threads(threads: Option<usize>, work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = threads {
        runtime.worker_threads(threads);
    }
    runtime.thread_stack_size(STACK).enable_all().build().map_err(Failure::failed)?.block_on(work)
}

/// How long the database of a command is waited for.
const DATABASE_WAIT: Duration = Duration::from_secs(30);

/// The database of a command that changes something and needs nothing else, brought up to date; that it was is told.
///
/// # Errors
/// When it cannot be had.
pub(super) async fn database(config: &Config) -> Result<Db, Failure> {
    let url = config.database.url()?;
    let report = migrate::migrate(&url, DATABASE_WAIT).await.map_err(Failure::failed)?;
    if !report.applied.is_empty() {
        note(&format!("{} migrations were applied; the database is at migration {}", report.applied.len(), report.version));
    }
    Ok(Db::new(&config.database.pool(url)))
}

/// The database of a command that only looks, as it is.
///
/// # Errors
/// When it cannot be had, and when it has another schema than that of this binary.
pub(super) async fn database_as_it_is(config: &Config) -> Result<Db, Failure> {
    let url = config.database.url()?;
    migrate::check(&url, DATABASE_WAIT).await.map_err(Failure::failed)?;
    Ok(Db::new(&config.database.pool(url)))
}

/// Refuses a key that would seal under the id of another one; tells of others that do not open what they should.
///
/// # Errors
/// When none of the configurations that were tried opens with the key that seals.
pub(super) async fn sealing_key_fits(db: &Db, keys: &KeyRing) -> Result<(), Failure> {
    let fits = rotation::fits(db, keys).await?;
    for (place, id) in keys.ids().enumerate() {
        match (fits.get(id), place) {
            (Some(Fit::None), 0) => {
                return Err(Failure::Usage(format!(
                    "encryption key {id} does not open what was sealed with a key of that id: it is another key; check \
                     PUMPHOUSE_ENCRYPTION_KEYS (encryption_keys) and the database_url, and give a new key an id of its own"
                )));
            }
            (Some(Fit::None), _) => tracing::error!(key = id, "this encryption key does not open what was sealed with a key of its id"),
            (Some(Fit::Some), _) => {
                tracing::warn!(key = id, "some of what was sealed with a key of this id does not open with the one that is given");
            }
            (Some(Fit::All) | None, _) => {}
        }
    }
    Ok(())
}

/// Makes the first superuser when there is no user; answers whether one was made.
///
/// # Errors
/// When the database refuses.
pub(super) async fn welcome(db: &Db, config: &Config, password: &Secret<String>) -> Result<bool, Failure> {
    first_superuser(db, &config.auth.admin_email, password).await.map_err(Failure::from)
}
