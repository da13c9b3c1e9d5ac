//! Why a subscription cannot be delivered at the moment.

use std::io;

use crate::worker::api::ApiError;
use crate::worker::postgres::Refusal;
use crate::worker::table_name::NameError;

/// What stopped a delivery; it is tried again.
#[derive(Debug, thiserror::Error)]
pub(super) enum DeliveryError {
    /// The database cannot be reached, which the worker's check reports.
    #[error("{0}")]
    Away(Refusal),
    /// The database refused something that delivering needs.
    #[error("{}", Refusal::of(.0))]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("the segments cannot be read: {0}")]
    Handover(#[from] io::Error),
    /// Somebody has to change something.
    #[error("{0}")]
    Unfit(String),
    #[error("{0}")]
    Api(#[from] ApiError),
}

impl DeliveryError {
    /// Whether it passes by itself, or is reported by somebody else.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Away(_) | Self::Api(_) => true,
            Self::Database(error) => Refusal::of(error).passing || !matches!(error, sqlx::Error::Database(_)),
            Self::Handover(error) => error.kind() == io::ErrorKind::NotFound,
            Self::Name(_) | Self::Unfit(_) => false,
        }
    }
}
