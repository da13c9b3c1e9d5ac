//! Whether the worker can do its work: LIVE when its database answers, ERROR with the reason when not, or when a subscription
//! cannot be delivered.
//!
//! Always holds: a failed check is repeated every few seconds and the worker is LIVE again when it works;
//! a table under way is its own proof, so nothing is checked meanwhile. Not here: reporting (`heartbeat.rs`).

use std::time::Duration;

use tokio::time::sleep;

use super::api::WorkerState;
use super::board::Board;
use super::postgres::Postgres;
use super::shared::Shared;

const AGAIN: Duration = Duration::from_secs(3);
const WHILE_LIVE: Duration = Duration::from_secs(30);

/// Checks until the worker ends.
pub(super) async fn keep(shared: &Shared, server: &Postgres, board: &Board) {
    let mut violations = shared.violations.subscribe();
    loop {
        violations.mark_unchanged();
        let wait = match server.check().await {
            Ok(()) => {
                match faulty(shared) {
                    None => shared.set_condition(WorkerState::LIVE, None),
                    Some(reason) => shared.set_condition(WorkerState::ERROR, Some(reason)),
                }
                WHILE_LIVE
            }
            Err(refusal) => {
                if !shared.condition.borrow().state.eq(&WorkerState::ERROR) {
                    tracing::error!(reason = %refusal, "the database cannot be used; trying again");
                }
                shared.set_condition(WorkerState::ERROR, Some(refusal.to_string()));
                AGAIN
            }
        };
        tokio::select! {
            () = sleep(wait) => {}
            _ = violations.changed() => {}
        }
        while !board.is_empty() {
            sleep(AGAIN).await;
        }
    }
}

/// Why subscriptions cannot be delivered, if any cannot.
fn faulty(shared: &Shared) -> Option<String> {
    let violations = shared.violations.borrow();
    (!violations.is_empty()).then(|| violations.values().cloned().collect::<Vec<_>>().join("; "))
}
