//! How a fleet can fail without having found a difference, and how one of its workers leaves its way.

use super::ledger::Difference;
use crate::worker::WorkerError;
use crate::worker::api::ApiError;

/// Why a fleet could not do or compare what it was meant to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Settings(String),
    /// The HTTP client could not be built.
    #[error(transparent)]
    Client(#[from] WorkerError),
    /// None of the addresses answered for too long.
    #[error("the API did not answer {what} for {seconds} s, so nothing can be compared: {reason}; check --url and that the API runs")]
    Unreachable {
        /// What was asked.
        what: &'static str,
        /// How long it was tried.
        seconds: u64,
        /// What happened at the last attempt.
        reason: String,
    },
    /// The API would not let the fleet begin.
    #[error("the API refused {what}: {reason}; the fleet signs in as a superuser")]
    Refused {
        /// What was asked for.
        what: &'static str,
        /// The refusal in words.
        reason: String,
    },
    /// An answer without what it must hold.
    #[error("the answer to {0} lacks what the fleet needs; is the user a superuser?")]
    Incomplete(&'static str),
}

impl FleetError {
    /// A call whose failure ends the fleet.
    pub(super) fn of(what: &'static str, error: ApiError) -> Self {
        match error {
            ApiError::Transient(reason) => Self::Unreachable { what, seconds: super::client::PATIENCE.as_secs(), reason },
            other => Self::Refused { what, reason: other.to_string() },
        }
    }
}

/// Why a simulated worker does not go on.
#[derive(Debug)]
pub(super) enum Derailed {
    /// The API did what it must not: from here on the two tell different stories.
    Lie(Box<Difference>),
    /// The whole fleet has to end.
    Failed(FleetError),
}

impl From<Difference> for Derailed {
    fn from(difference: Difference) -> Self {
        Self::Lie(Box::new(difference))
    }
}
