//! The body of a request, read whole.
//!
//! Always holds: it is read up to a limit and by a deadline, and one that breaks off is told apart from one that is too large.

use std::time::Duration;

use axum::body::Body;
use futures_util::TryStreamExt as _;
use tokio::time::timeout;

/// Why a body was not read.
pub(crate) enum Unread {
    /// It has more bytes than are read.
    TooLarge,
    /// It took too long.
    TooSlow,
    /// It ended before its end, or what says how long its parts are cannot be read.
    BrokenOff,
}

/// Reads at most `limit` bytes within `patience`.
///
/// # Errors
/// Why that could not be.
pub(crate) async fn read(body: Body, limit: usize, patience: Duration) -> Result<Vec<u8>, Unread> {
    let mut parts = body.into_data_stream();
    let whole = async {
        let mut bytes = Vec::new();
        while let Some(part) = parts.try_next().await.map_err(|_broken| Unread::BrokenOff)? {
            if part.len() > limit.saturating_sub(bytes.len()) {
                return Err(Unread::TooLarge);
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    };
    timeout(patience, whole).await.unwrap_or(Err(Unread::TooSlow))
}
