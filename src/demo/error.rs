//! What can keep the demo from being made.
//!
//! Always holds: the text says which step failed and why, without a secret.

use crate::core::error::Error;
use crate::embedded::EmbeddedError;

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// The private cluster refused.
    #[error(transparent)]
    Cluster(#[from] EmbeddedError),
    /// The databases of the demo could not be made.
    #[error("the databases of the demo cannot be made: {0}")]
    Database(#[from] sqlx::Error),
    /// The organisation could not be laid out.
    #[error("the demo organisation cannot be laid out: {0}")]
    Organisation(String),
    /// The API did not answer.
    #[error("the API does not answer the demo: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// The API refused.
    #[error("the API refused to start the demo: {0}")]
    Refused(String),
}

impl From<Error> for DemoError {
    fn from(error: Error) -> Self {
        error.log();
        Self::Organisation(error.message().to_owned())
    }
}
