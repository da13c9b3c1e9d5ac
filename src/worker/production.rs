//! Tells the API what the source has produced.
//!
//! Always holds: what was handed over of a snapshot is told once, under the snapshot's name, and tried until the API has taken
//! it. What a worker was killed before telling stays untold. Not here: the rows.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;

use super::api::ApiError;
use super::backoff::Backoff;
use super::counts::report_production;
use super::error::WorkerError;
use super::shared::Shared;

/// Rows that were handed over.
#[derive(Clone)]
pub(super) struct Produced {
    pub(super) topic: String,
    pub(super) snapshot: String,
    pub(super) rows: u64,
    /// When reading them began, in milliseconds since 1970, and how long it took.
    pub(super) at: i64,
    pub(super) took: Duration,
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
            self.untold.lock().unwrap_or_else(PoisonError::into_inner).push(produced);
            self.added.notify_one();
        }
    }

    fn first(&self) -> Option<Produced> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).first().cloned()
    }

    fn told(&self, snapshot: &str) {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).retain(|produced| produced.snapshot != snapshot);
    }

    /// Tells the API until the worker ends.
    pub(super) async fn tell(&self, shared: &Shared) -> Result<(), WorkerError> {
        let mut backoff = Backoff::new();
        loop {
            let Some(produced) = self.first() else {
                self.added.notified().await;
                continue;
            };
            match shared.api.report_production(&shared.who, produced.snapshot.clone(), vec![produced.row()]).await {
                Ok(answer) => {
                    backoff.reset();
                    self.told(&produced.snapshot);
                    shared.obey(&answer.directive);
                }
                Err(error) => {
                    let passing = matches!(error, ApiError::Transient(_));
                    shared.judge("the report of what was produced", error)?;
                    if passing {
                        sleep(backoff.next()).await;
                    } else {
                        self.told(&produced.snapshot);
                    }
                }
            }
        }
    }
}

impl Produced {
    fn row(&self) -> report_production::ProductionRowInput {
        let rows = i64::try_from(self.rows).unwrap_or(i64::MAX);
        let took = i64::try_from(self.took.as_millis()).unwrap_or(i64::MAX);
        let events = report_production::ProductionEventsInput { total: None, r: Some(rows), c: None, u: None, d: None };
        report_production::ProductionRowInput { topic: self.topic.clone(), from_ts: self.at, to_ts: self.at.saturating_add(took), events }
    }
}
