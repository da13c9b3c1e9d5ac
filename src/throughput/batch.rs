//! What both reports of throughput have in common: the batch, who reports it, and when it counts.
//!
//! Always holds: a batch is applied once, however often it is sent; a superseded generation adds nothing;
//! rows count for the day in which they come in by the database's clock, and that day stays open until the
//! transaction ends (domain.md section 4). Not here: the rows.

use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::violations::Violations;
use crate::core::write::Write;
use crate::pipelines::worker_runtime::{self as runtime, Directive, Generation, Refusal};
use crate::pipelines::{Connector, Reporter, Worker, WorkerState};
use chrono::{DateTime, Utc};

/// The most rows of one report.
const MOST_ROWS: usize = 5_000;
/// The longest id of a batch, in characters.
const LONGEST_ID: usize = 200;
/// The longest interval of a row.
const LONGEST_SPAN_MS: i64 = 24 * 3_600_000;
/// How far the clock of a worker may be ahead.
const FURTHEST_AHEAD_MS: i64 = 3_600_000;

/// What is reported; ids of batches of different kinds are different ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Production,
    Consumption,
}

impl Kind {
    /// Its spelling in the database.
    pub(crate) const fn stored(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Consumption => "consumption",
        }
    }
}

/// One report, but for its rows.
#[derive(Clone, Copy)]
pub(crate) struct Batch<'a> {
    pub(crate) kind: Kind,
    pub(crate) worker: Id<Worker>,
    pub(crate) generation: Id<Generation>,
    pub(crate) id: &'a str,
    pub(crate) rows: usize,
}

/// What came of a report.
pub(crate) struct Outcome {
    pub(crate) refusal: Option<Refusal>,
    pub(crate) repeated: bool,
    pub(crate) directive: Directive,
}

/// A batch that has to be applied.
pub(crate) struct Fresh {
    pub(crate) connector: Id<Connector>,
    pub(crate) at: DateTime<Utc>,
    directive: Directive,
}

impl Fresh {
    /// What comes of it once it is applied.
    pub(crate) const fn applied(&self) -> Outcome {
        Outcome { refusal: None, repeated: false, directive: self.directive }
    }
}

/// Whether a batch has to be applied.
pub(crate) enum Begun {
    Fresh(Fresh),
    /// It was applied before, or its generation does not count any more.
    Settled(Outcome),
}

impl Batch<'_> {
    /// Asks whether the viewer may report, holding the day open and the worker locked.
    ///
    /// # Errors
    /// `VALIDATION` for a batch without a proper id or number of rows; else as [`Reporter::of`].
    pub(crate) async fn authorize(self, w: &mut Write) -> Result<Reporter> {
        let mut violations = Violations::default();
        if self.id.is_empty() || self.id.chars().count() > LONGEST_ID || self.id.chars().any(char::is_control) {
            violations.add("batchId", format!("It has 1 to {LONGEST_ID} characters, none of them a control character."));
        }
        if self.rows == 0 || self.rows > MOST_ROWS {
            violations.add("rows", format!("A report has 1 to {MOST_ROWS} rows."));
        }
        violations.none()?;
        Reporter::repeated(w, (self.worker, self.generation), true).await
    }

    /// Claims the batch's id and notes the sign of life.
    ///
    /// # Errors
    /// When the database refuses.
    pub(crate) async fn begin(self, w: &mut Write, reporter: &Reporter) -> Result<Begun> {
        let worker = match reporter.current(self.generation) {
            Ok(worker) => worker,
            Err(refusal) => {
                return Ok(Begun::Settled(Outcome { refusal: Some(refusal), repeated: false, directive: refusal.directive() }));
            }
        };
        // The last counts of a worker that has just stopped are true all the same; it only is no sign of life.
        let lives = worker.state != WorkerState::Paused;
        if lives {
            runtime::end_silence(w.connection(), worker).await?;
        }
        let claim = Sql::new("with beat as (update worker set last_heartbeat_at = clock_timestamp() where id = ")
            .value(worker.id)
            .with(" and ", lives && !worker.just_heard)
            .text(") insert into pumphouse.metric_batch (worker_id, kind, batch_id, at) values (")
            .value(worker.id)
            .with(", ", self.kind.stored())
            .with(", ", self.id.to_owned())
            .with(", ", worker.at)
            .text(") on conflict do nothing returning 1");
        let directive = runtime::directive(worker.state);
        if w.rows(claim).await?.is_empty() {
            return Ok(Begun::Settled(Outcome { refusal: None, repeated: true, directive }));
        }
        Ok(Begun::Fresh(Fresh { connector: worker.connector, at: worker.at, directive }))
    }
}

/// Notes what is wrong with the interval of a row.
pub(crate) fn check_interval(violations: &mut Violations, row: usize, from: i64, to: i64, now: DateTime<Utc>) {
    if from < 0 {
        violations.add(format!("rows.{row}.fromTs"), "It is 0 or more, in milliseconds since 1970.");
    } else if to < from {
        violations.add(format!("rows.{row}.toTs"), "It lies before fromTs.");
    } else if to - from > LONGEST_SPAN_MS {
        violations.add(format!("rows.{row}.toTs"), "An interval has at most 24 hours.");
    }
    for (field, time) in [("fromTs", from), ("toTs", to)] {
        if time > now.timestamp_millis().saturating_add(FURTHEST_AHEAD_MS) {
            violations.add(format!("rows.{row}.{field}"), "It lies more than an hour ahead of the server's clock.");
        }
    }
}

/// Notes a count below 0.
pub(crate) fn check_count(violations: &mut Violations, row: usize, field: &str, count: i64) {
    if count < 0 {
        violations.add(format!("rows.{row}.{field}"), "It is 0 or more.");
    }
}
