//! The comparison: what is read back against what was done.
//!
//! Always holds: everything is read by the same queries as people's screens use; a worker whose story parted from the
//! API's is compared by its counts alone, as those stay true.

use chrono::{DateTime, Days, NaiveTime, Utc};

use super::actor::{Actor, Done};
use super::batch::Sums;
use super::client::Doors;
use super::error::{Derailed, FleetError};
use super::graph::{
    ReadConsumption, ReadEnv, ReadProduction, ReadRun, ReadWorker, read_consumption, read_env, read_production, read_run, read_worker,
};
use super::ledger::{Difference, Ledger};
use super::life::State;
use super::run::{End, Run};
use super::setup::{Duty, Ground};

/// Whole days around the fleet's life, so that what was counted lies in them whatever the clocks say.
#[derive(Clone)]
pub(super) struct Window {
    from: String,
    to: String,
}

impl Window {
    /// From midnight before the fleet began to two days after it has lived so many seconds.
    pub(super) fn around(began: DateTime<Utc>, seconds: u64) -> Self {
        let midnight = began.date_naive().and_time(NaiveTime::MIN).and_utc();
        let days = Days::new(2 + seconds / 86_400);
        let to = midnight.checked_add_days(days).unwrap_or(DateTime::<Utc>::MAX_UTC);
        Self { from: midnight.to_rfc3339(), to: to.to_rfc3339() }
    }
}

impl Actor<'_> {
    /// Compares all that this worker did.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) async fn check(&self, window: &Window) -> Result<(), FleetError> {
        self.settled(self.check_sums(window).await)?;
        if self.derailed {
            return Ok(());
        }
        self.settled(self.check_life().await)?;
        for run in &self.runs {
            match self.differences_of(run).await {
                Ok(found) => {
                    for difference in found {
                        self.stage.ledger.differs(difference);
                    }
                }
                Err(derailed) => self.settled(Err(derailed))?,
            }
        }
        Ok(())
    }

    fn settled(&self, done: Done) -> Result<(), FleetError> {
        match done {
            Ok(()) => Ok(()),
            Err(Derailed::Lie(difference)) => {
                self.stage.ledger.differs(*difference);
                Ok(())
            }
            Err(Derailed::Failed(error)) => Err(error),
        }
    }

    fn compare(&self, what: &str, done: impl ToString, read: impl ToString) {
        self.stage.ledger.compare(&self.post.name, what, done, read);
    }

    async fn check_life(&self) -> Done {
        let asked = read_worker::Variables { id: self.post.worker.clone() };
        let worker = self.stage.doors.read::<ReadWorker>(asked).await.map_err(|error| self.failed("worker", error))?.worker;
        let worker = worker.ok_or_else(|| self.lie("the worker", "there", "gone"))?;
        self.compare("the state", format!("{:?}", self.life.state.sent()), format!("{:?}", worker.state));
        self.compare("the generation", &self.life.generation, worker.launch_generation.unwrap_or_default());
        self.compare("the number of transitions", self.life.taken, worker.transitions.total_count);
        // The latest first; what was read beyond those remembered is older.
        for (step, read) in self.life.steps.iter().rev().zip(&worker.transitions.nodes) {
            let done = (step.from.map(State::sent), step.to.sent(), Some(step.generation.clone()));
            let read = (read.from_state.clone(), read.to_state.clone(), read.launch_generation.clone());
            self.compare("a transition", format!("{done:?}"), format!("{read:?}"));
        }
        Ok(())
    }

    async fn check_sums(&self, Window { from, to }: &Window) -> Done {
        let Sums(sums) = self.sums;
        let (from, to) = (from.clone(), to.clone());
        match &self.post.duty {
            Duty::Produce { datamodel, .. } => {
                let asked = read_production::Variables { id: datamodel.clone(), from, to };
                let read = self.stage.doors.read::<ReadProduction>(asked).await.map_err(|error| self.failed("production", error))?;
                let read = read.datamodel.ok_or_else(|| self.lie("the datamodel", "there", "gone"))?.production.summary;
                let total = self.sums.total();
                let names = ["creates", "updates", "deletes", "reads"];
                for ((name, done), read) in names.into_iter().zip(sums).zip([read.creates, read.updates, read.deletes, read.reads]) {
                    self.compare(&format!("production: {name}"), done, read);
                }
                self.compare("production: total", total, read.total);
            }
            Duty::Consume { subscription } => {
                let asked = read_consumption::Variables { id: subscription.clone(), from, to };
                let read = self.stage.doors.read::<ReadConsumption>(asked).await.map_err(|error| self.failed("consumption", error))?;
                let read = read.pipeline_subscription.ok_or_else(|| self.lie("the subscription", "there", "gone"))?.consumption.summary;
                let names = ["consumed", "delivered", "errors"];
                for ((name, done), read) in names.into_iter().zip(sums).zip([read.consumed, read.delivered, read.errors]) {
                    self.compare(&format!("consumption: {name}"), done, read);
                }
            }
        }
        Ok(())
    }

    /// Where a run as it is read is not as it has to be.
    pub(super) async fn differences_of(&self, run: &Run) -> Done<Vec<Difference>> {
        let asked = read_run::Variables { id: run.id.clone() };
        let read = self.stage.doors.read::<ReadRun>(asked).await.map_err(|error| self.failed("syncRun", error))?.sync_run;
        let read = read.ok_or_else(|| self.lie("a sync run", "there", "gone"))?;
        let place = &self.post.name;
        let mut found = Vec::new();
        let mut compare = |what: &str, done: String, read: String| {
            self.stage.ledger.count("comparisons");
            if done != read {
                found.push(Difference::new(place, format!("sync run {}: {what}", run.id), done, read));
            }
        };
        let status = match run.end {
            Some(End::Done) => "DONE",
            Some(End::Cancelled) => "CANCELLED",
            None => "SYNCING",
        };
        compare("status", status.to_owned(), format!("{:?}", read.status));
        let word = |outcome: Option<String>| outcome.unwrap_or_else(|| "none".to_owned());
        compare("outcome", word(run.outcome().map(str::to_owned)), word(read.outcome.map(|outcome| format!("{outcome:?}"))));
        for (at, table) in run.tables.iter().enumerate() {
            let now = read.sync_tables.nodes.iter().find(|now| now.id == table.id);
            let fits = now.is_some_and(|now| table.may_be(&now.status, now.rows_ingested, run.end));
            let story = table.story(run.end);
            let told = now.map_or_else(|| "gone".to_owned(), |now| format!("{:?}, {} rows", now.status, now.rows_ingested));
            compare(&format!("table {at}"), story.clone(), if fits { story } else { told });
        }
        Ok(found)
    }
}

/// Compares the sums of the whole env with those of its workers.
///
/// # Errors
/// When they cannot be read.
pub(super) async fn check_env(
    doors: &Doors<'_>,
    ledger: &Ledger,
    ground: &Ground,
    window: &Window,
    actors: &[Actor<'_>],
) -> Result<(), FleetError> {
    let Window { from, to } = window.clone();
    let asked = read_env::Variables { id: ground.env.clone(), from, to };
    let read = doors.read::<ReadEnv>(asked).await.map_err(|error| FleetError::of("the env's throughput", error))?;
    let read = read.env.ok_or(FleetError::Incomplete("the env's throughput"))?.throughput.summary;
    let (mut produced, mut consumed) = (Sums::default(), Sums::default());
    for actor in actors {
        match actor.post.duty {
            Duty::Produce { .. } => produced.add(actor.sums),
            Duty::Consume { .. } => consumed.add(actor.sums),
        }
    }
    let Sums([records, delivered, errors, _]) = consumed;
    let all = [("events", produced.total(), read.total), ("consumed", records, read.consumed)];
    for (what, done, read) in all.into_iter().chain([("delivered", delivered, read.delivered), ("errors", errors, read.errors)]) {
        ledger.compare("the env", &format!("throughput: {what}"), done, read);
        ledger.add(
            match what {
                "events" => "change events in all",
                "consumed" => "records read in all",
                "delivered" => "records delivered in all",
                _ => "records in error in all",
            },
            u64::try_from(done).unwrap_or_default(),
        );
    }
    Ok(())
}
