//! Tells the API what the source has produced.
//!
//! Always holds: each segment is told once, under a name of its own, as soon as it is handed over, and tried until the API has
//! taken it. What a worker was killed before telling stays untold. Not here: the rows.

use std::sync::Mutex;

use tokio::sync::Notify;
use tokio::time::sleep;

use super::api::ApiError;
use super::backoff::Backoff;
use super::counts::report_production;
use super::error::WorkerError;
use super::shared::Shared;
use crate::core::lock::lock;

/// A segment that was handed over.
#[derive(Clone)]
pub(super) struct Produced {
    /// The name under which it counts.
    pub(super) batch: String,
    pub(super) topic: String,
    pub(super) rows: u64,
    /// When it was read, in milliseconds since 1970.
    pub(super) from: i64,
    pub(super) to: i64,
}

/// What is still to be told.
#[derive(Default)]
pub(super) struct Production {
    untold: Mutex<Vec<Produced>>,
    added: Notify,
}

impl Production {
    /// Notes what was produced.
    pub(super) fn add(&self, produced: Produced) {
        if produced.rows > 0 {
            lock(&self.untold).push(produced);
            self.added.notify_one();
        }
    }

    fn first(&self) -> Option<Produced> {
        lock(&self.untold).first().cloned()
    }

    fn told(&self, batch: &str) {
        lock(&self.untold).retain(|produced| produced.batch != batch);
    }

    /// Tells the API until the worker ends.
    pub(super) async fn tell(&self, shared: &Shared) -> Result<(), WorkerError> {
        let mut backoff = Backoff::new();
        loop {
            let Some(produced) = self.first() else {
                self.added.notified().await;
                continue;
            };
            let settled = match shared.api.report_production(&shared.who, produced.batch.clone(), vec![produced.row()]).await {
                Ok(answer) => {
                    shared.obey(&answer.directive);
                    answer.accepted
                }
                Err(error) => {
                    // What was refused for good would be refused again.
                    let refused = matches!(error, ApiError::Refused { .. });
                    shared.judge("the report of what was produced", error)?;
                    refused
                }
            };
            if settled {
                backoff.reset();
                self.told(&produced.batch);
            } else {
                sleep(backoff.next()).await;
            }
        }
    }
}

impl Produced {
    fn row(&self) -> report_production::ProductionRowInput {
        let rows = i64::try_from(self.rows).unwrap_or(i64::MAX);
        let events = report_production::ProductionEventsInput { total: None, r: Some(rows), c: None, u: None, d: None };
        report_production::ProductionRowInput { topic: self.topic.clone(), from_ts: self.from, to_ts: self.to, events }
    }
}
