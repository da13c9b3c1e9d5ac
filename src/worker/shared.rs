//! What the parts of a running worker share: who it is, how it is, what it was told.
//!
//! Always holds: only the newest of each is kept, so nothing here grows; a verdict is never taken back,
//! and EXIT outweighs STOP.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use super::api::{Api, ApiError, Identity, WorkerDirective, WorkerState};
use super::error::WorkerError;

/// How the worker is, as it reports it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) state: WorkerState,
    pub(super) reason: Option<String>,
}

/// The order that ends a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// Finish and report PAUSED.
    Stop,
    /// End at once, without a report.
    Exit,
}

/// A table that is to be snapshotted now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) id: String,
    pub(super) run_id: String,
    pub(super) name: String,
}

/// A subscription that is to be delivered again from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Backfill {
    pub(super) id: String,
    pub(super) subscription: String,
}

/// The parts' common ground.
pub(super) struct Shared {
    pub(super) api: Api,
    pub(super) who: Identity,
    pub(super) condition: watch::Sender<Condition>,
    /// The tables of the newest instruction; none when no snapshot is wanted.
    pub(super) wanted: watch::Sender<Arc<[Wanted]>>,
    /// The backfill of the newest instruction.
    pub(super) backfill: watch::Sender<Option<Backfill>>,
    /// The mark of what there is to deliver, of the newest instruction.
    pub(super) deliveries: watch::Sender<Option<String>>,
    /// Why subscriptions cannot be delivered, by their id.
    pub(super) violations: watch::Sender<BTreeMap<String, String>>,
    pub(super) verdict: watch::Sender<Option<Verdict>>,
}

impl Shared {
    pub(super) fn new(api: Api, who: Identity) -> Self {
        Self {
            api,
            who,
            condition: watch::Sender::new(Condition { state: WorkerState::BUILDING, reason: None }),
            wanted: watch::Sender::new(Arc::from([])),
            backfill: watch::Sender::default(),
            deliveries: watch::Sender::default(),
            violations: watch::Sender::default(),
            verdict: watch::Sender::new(None),
        }
    }

    /// Notes why a subscription cannot be delivered, or that it can; answers whether that is new.
    pub(super) fn set_fault(&self, subscription: &str, fault: Option<String>) -> bool {
        self.violations.send_if_modified(|violations| {
            let before = violations.get(subscription).cloned();
            let changed = before != fault;
            match fault {
                Some(fault) => _ = violations.insert(subscription.to_owned(), fault),
                None => _ = violations.remove(subscription),
            }
            changed
        })
    }

    /// Changes how the worker is; the heartbeat reports it at once.
    pub(super) fn set_condition(&self, state: WorkerState, reason: Option<String>) {
        let next = Condition { state, reason };
        self.condition.send_if_modified(|present| {
            let changed = *present != next;
            *present = next;
            changed
        });
    }

    /// Obeys the directive of an answer or an instruction, as far as it ends the worker.
    pub(super) fn obey(&self, directive: &WorkerDirective) {
        match directive {
            WorkerDirective::STOP => self.end(Verdict::Stop),
            WorkerDirective::EXIT => self.end(Verdict::Exit),
            _ => {}
        }
    }

    /// Passes a verdict.
    pub(super) fn end(&self, verdict: Verdict) {
        self.verdict.send_if_modified(|present| {
            let heavier = *present < Some(verdict);
            if heavier {
                *present = Some(verdict);
            }
            heavier
        });
    }

    /// What a report that failed means: wait and try again, or a reason to end.
    pub(super) fn judge(&self, what: &'static str, error: ApiError) -> Result<(), WorkerError> {
        match error {
            ApiError::Transient(reason) => {
                tracing::warn!(%reason, "{what} did not reach the API; trying again");
                Ok(())
            }
            ApiError::Superseded(reason) => {
                tracing::info!(%reason, "this worker is superseded or revoked");
                self.end(Verdict::Exit);
                Ok(())
            }
            ApiError::Refused { code, message } if code == "FORBIDDEN" => Err(WorkerError::Refused { what, code, message }),
            ApiError::Refused { code, message } => {
                tracing::error!(%code, %message, "{what} was refused");
                Ok(())
            }
        }
    }
}
