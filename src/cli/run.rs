//! What `dev` and `serve` have in common: a replica that runs until it is told to stop.
//!
//! Always holds: the signals are heard before anything is started, so that nothing is left behind.

use std::future::Future;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::output::Failure;
use crate::access::first_superuser;
use crate::config::Config;
use crate::core::db::Db;
use crate::core::migrate;
use crate::core::secret::Secret;
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

/// The database of a command that needs nothing else, brought up to date.
///
/// # Errors
/// When it cannot be had.
pub(super) async fn database(config: &Config) -> Result<Db, Failure> {
    let url = config.database.url()?;
    migrate::migrate(&url, Duration::from_secs(30)).await.map_err(Failure::failed)?;
    Ok(Db::new(&config.database.pool(url)))
}

/// Makes the first superuser when there is no user; answers whether one was made.
///
/// # Errors
/// When the database refuses.
pub(super) async fn welcome(db: &Db, config: &Config, password: &Secret<String>) -> Result<bool, Failure> {
    first_superuser(db, &config.auth.admin_email, password).await.map_err(Failure::from)
}
