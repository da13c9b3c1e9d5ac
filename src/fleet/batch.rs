//! What a simulated worker counts: batches of production or consumption, new, repeated and late.
//!
//! Always holds: a batch is added to the sums when the API has acknowledged it, and once; it is sent until it is answered,
//! before the worker does anything else, so none is in doubt.

use super::BATCHES;
use super::actor::{Actor, Done};
use super::graph::{ReportConsumed, ReportProduced, report_consumed, report_produced};
use super::setup::Duty;
use crate::core::secret::Secret;
use crate::worker::api::ApiError;

const MOST_ROWS: u32 = 5;

/// Creates, updates, deletes and reads; or consumed, delivered and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(pub(super) [i64; 4]);

impl Sums {
    pub(super) fn add(&mut self, more: Self) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum += more;
        }
    }

    pub(super) fn total(self) -> i64 {
        self.0.iter().sum()
    }
}

/// One report of counts.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    id: String,
    /// From, to, and what was counted.
    rows: Vec<(i64, i64, Sums)>,
}

/// Whether a batch was taken, whether as one that had been before, and whether it was sent more than once.
struct Taken {
    accepted: bool,
    known: bool,
    repeated: bool,
}

impl Actor<'_> {
    fn now(&self) -> i64 {
        let passed = self.stage.began.elapsed().as_millis();
        self.stage.epoch.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
    }

    fn new_batch(&mut self) -> Batch {
        let now = self.now();
        let rows = 1 + self.dice.below(MOST_ROWS);
        let rows = (0..rows).map(|_| {
            let from = now - self.dice.count(2_000);
            let mut count = || self.dice.count(100);
            let sums = match self.post.duty {
                Duty::Produce { .. } => [count(), count(), count(), count()],
                Duty::Consume { .. } => {
                    let (delivered, errors) = (count(), count() / 50);
                    [delivered + errors, delivered, errors, 0]
                }
            };
            (from, now, Sums(sums))
        });
        let rows = rows.collect();
        self.batches += 1;
        Batch { id: format!("{}-{}", self.life.generation, self.batches), rows }
    }

    async fn send(&self, batch: &Batch, token: &Secret<String>, generation: &str) -> Result<Taken, ApiError> {
        let (worker_id, generation, batch_id) = (self.post.worker.clone(), generation.to_owned(), batch.id.clone());
        match &self.post.duty {
            Duty::Produce { topic, .. } => {
                let row = |&(from_ts, to_ts, Sums([c, u, d, r])): &(i64, i64, Sums)| {
                    let events = report_produced::ProductionEventsInput { total: None, r: Some(r), c: Some(c), u: Some(u), d: Some(d) };
                    report_produced::ProductionRowInput { topic: topic.clone(), from_ts, to_ts, events }
                };
                let rows = batch.rows.iter().map(row).collect();
                let told = report_produced::Variables { worker_id, generation, batch_id, rows };
                let answer = self.stage.doors.work::<ReportProduced>(token, told).await?;
                let said = answer.data.report_production;
                Ok(Taken { accepted: said.accepted, known: said.repeated, repeated: answer.repeated })
            }
            Duty::Consume { subscription } => {
                let row =
                    |&(from_ts, to_ts, Sums([consumed, delivered, errors, _])): &(i64, i64, Sums)| report_consumed::ConsumptionRowInput {
                        subscription_id: subscription.clone(),
                        topic: None,
                        from_ts,
                        to_ts,
                        consumed_count: consumed,
                        delivered_count: delivered,
                        error_count: Some(errors),
                        consumer_lag: Some(errors),
                    };
                let rows = batch.rows.iter().map(row).collect();
                let told = report_consumed::Variables { worker_id, generation, batch_id, rows };
                let answer = self.stage.doors.work::<ReportConsumed>(token, told).await?;
                let said = answer.data.report_consumption;
                Ok(Taken { accepted: said.accepted, known: said.repeated, repeated: answer.repeated })
            }
        }
    }

    /// Counts something, in the name of the present generation.
    pub(super) async fn count(&mut self) -> Done {
        let batch = self.new_batch();
        let taken = self.send(&batch, &self.token, &self.life.generation).await.map_err(|error| self.failed("a batch", error))?;
        if !taken.accepted || (taken.known && !taken.repeated) {
            let read = if taken.accepted { "known already" } else { "not taken" };
            return Err(self.lie("a new batch", "added", read));
        }
        for (_, _, sums) in &batch.rows {
            self.sums.add(*sums);
        }
        self.stage.ledger.count(BATCHES);
        self.last = Some(batch);
        Ok(())
    }

    /// Sends the last batch again; it must add nothing.
    pub(super) async fn repeat(&mut self) -> Done {
        let Some(batch) = self.last.clone() else { return Ok(()) };
        let taken = self.send(&batch, &self.token, &self.life.generation).await.map_err(|error| self.failed("a repeated batch", error))?;
        self.stage.ledger.count("batches sent twice");
        if taken.accepted && taken.known {
            Ok(())
        } else {
            Err(self.lie("a batch sent twice", "known already", "added again, or not taken"))
        }
    }

    /// A batch of the former generation comes late; it must add nothing.
    pub(super) async fn count_late(&mut self) -> Done {
        let batch = self.new_batch();
        let Some(former) = &self.former else { return Ok(()) };
        let sent = self.send(&batch, &former.token, &former.generation).await;
        self.refused("a late batch", sent.map(|taken| taken.accepted))
    }

    /// What a superseded generation says must be refused.
    pub(super) fn refused(&self, what: &'static str, answer: Result<bool, ApiError>) -> Done {
        match answer {
            Ok(true) => Err(self.lie(what, "refused: its generation is superseded", "taken")),
            Err(error @ ApiError::Transient(_)) => Err(self.failed(what, error)),
            Ok(false) | Err(_) => {
                self.stage.ledger.count("late reports refused, as they have to be");
                Ok(())
            }
        }
    }
}
