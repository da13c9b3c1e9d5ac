//! The heartbeat: the present state at each interval, and at once when it changes.
//!
//! Always holds: one report is under way at a time, so none overtakes another; an API that does not answer
//! is tried for ever; the first report waits for the first check, but for an interval at most.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::api::ApiError;
use super::backoff::Backoff;
use super::error::WorkerError;
use super::shared::Shared;

/// Reports until the worker ends.
pub(super) async fn beat(shared: &Shared, interval: Duration) -> Result<(), WorkerError> {
    let mut condition = shared.condition.subscribe();
    let mut backoff = Backoff::new();
    let _ = timeout(interval, condition.changed()).await;
    loop {
        let present = condition.borrow_and_update().clone();
        let wait = match shared.api.report_worker(&shared.who, present.state, present.reason).await {
            Ok(answer) => {
                backoff.reset();
                if !answer.accepted {
                    tracing::debug!(directive = ?answer.directive, "the report was not accepted");
                }
                shared.obey(&answer.directive);
                interval
            }
            Err(error) => {
                let wait = if matches!(error, ApiError::Transient(_)) { backoff.next() } else { interval };
                shared.judge("the worker's report", error)?;
                wait
            }
        };
        tokio::select! {
            () = sleep(wait) => {}
            changed = condition.changed() => if changed.is_err() { return Ok(()) },
        }
    }
}
