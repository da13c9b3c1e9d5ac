//! Tells the API how far the tables are: at once when one begins or ends, every second while rows move.
//!
//! Always holds: one report is under way at a time and holds the newest numbers of all tables (up to 100 a
//! call), so a slow API makes reports fewer, never older; an API that does not answer is tried for ever.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::api::ApiError;
use super::backoff::Backoff;
use super::board::{Board, Report};
use super::error::WorkerError;
use super::shared::Shared;

const PACE: Duration = Duration::from_secs(1);
const MOST_TABLES: usize = 100;

/// Reports until the worker ends.
pub(super) async fn tell(shared: &Shared, board: &Board) -> Result<(), WorkerError> {
    let mut backoff = Backoff::new();
    loop {
        let Some(report) = board.report(MOST_TABLES) else {
            let _ = timeout(PACE, board.moved.notified()).await;
            continue;
        };
        match send(shared, board, report).await {
            Ok(()) => {
                backoff.reset();
                // The rows that moved meanwhile can wait; a table that began or ended does not.
                if !board.is_urgent() {
                    let _ = timeout(PACE, board.moved.notified()).await;
                }
            }
            Err(error) => {
                shared.judge("the progress of the tables", error)?;
                sleep(backoff.next()).await;
            }
        }
    }
}

async fn send(shared: &Shared, board: &Board, report: Report) -> Result<(), ApiError> {
    match deliver(shared, &report).await {
        // One table that is gone must not silence the others.
        Err(ApiError::Refused { code, .. }) if code != "FORBIDDEN" => {
            for single in report.one_by_one() {
                match deliver(shared, &single).await {
                    Err(ApiError::Refused { code, message }) if code != "FORBIDDEN" => {
                        tracing::error!(%code, %message, "the progress of a table was refused for good");
                    }
                    other => other?,
                }
                board.settle(single);
            }
            Ok(())
        }
        other => other.map(|()| board.settle(report)),
    }
}

async fn deliver(shared: &Shared, report: &Report) -> Result<(), ApiError> {
    let answer = shared.api.report_sync_progress(&shared.who, report.inputs.clone()).await?;
    if !answer.accepted {
        tracing::debug!(directive = ?answer.directive, "the progress was not accepted");
    }
    shared.obey(&answer.directive);
    Ok(())
}
