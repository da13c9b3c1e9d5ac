//! How a worker can fail. An obeyed directive is no failure: `run` then answers `Ok`.
//!
//! Always holds: no text here can hold a token, a password or a configuration's value.

use std::io;

/// Why a worker ended without being told to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The settings are not usable; every mistake is listed.
    #[error("the worker's settings are not usable: {}", .0.join("; "))]
    Settings(Vec<String>),
    /// The HTTP client could not be built.
    #[error("the HTTP client cannot be built: {0}")]
    Client(String),
    /// The process cannot listen for its signals.
    #[error("the worker cannot listen for signals: {0}")]
    Signals(#[source] io::Error),
    /// The API did not answer while the worker booted.
    #[error("the API at {url} did not answer for {seconds} s: {reason}")]
    Unreachable {
        /// Where the API was looked for.
        url: String,
        /// How long it was tried.
        seconds: u64,
        /// What happened at the last attempt.
        reason: String,
    },
    /// The API answered that it will not serve this worker.
    #[error("the API refused {what}: {message} ({code})")]
    Refused {
        /// What was asked for.
        what: &'static str,
        /// The code of the refusal.
        code: String,
        /// The refusal in words.
        message: String,
    },
    /// The API does not take the token, from the first request on.
    #[error(
        "the API does not take the token: {0} Check PUMPHOUSE_WORKER_TOKEN, whether it was revoked or has expired, and whether \
         PUMPHOUSE_URL is the API that issued it; `issueWorkerToken` makes another"
    )]
    NoToken(String),
    /// The worker stopped, but could not say so.
    #[error("the worker stopped but could not report PAUSED: {0}")]
    StopNotReported(String),
    /// A part of the worker ended by itself.
    #[error("a part of the worker ended by itself: {0}")]
    Broken(String),
}
