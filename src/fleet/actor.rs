//! One simulated worker, and the operator who starts and stops it.
//!
//! Always holds: it does one thing after the other, so its story (`life.rs`, `run.rs`, the sums) has one order; what the
//! API answers is compared at once, but for requests that were sent twice, whose first attempt may have had its effect.
//! Not here: what it does when (`days.rs`), its snapshots (`tables.rs`) and counts (`batch.rs`).

use std::collections::VecDeque;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::batch::{Batch, Sums};
use super::client::Doors;
use super::dice::Dice;
use super::error::{Derailed, FleetError};
use super::graph::{
    IssueToken, ReadWorker, ReportState, Restart, Start, Stop, issue_token, read_worker, report_state, restart, start, stop,
};
use super::ledger::{Difference, Ledger};
use super::life::{Life, State};
use super::run::Run;
use super::setup::Post;
use super::{REPORTS, Settings};
use crate::core::secret::Secret;
use crate::worker::api::{ApiError, WorkerDirective};

pub(super) type Done<T = ()> = Result<T, Derailed>;

/// What all workers of a fleet share.
pub(super) struct Stage<'a> {
    pub(super) doors: &'a Doors<'a>,
    pub(super) ledger: &'a Ledger,
    pub(super) settings: &'a Settings,
    /// The time of the server's clock at which `began` was, in milliseconds since 1970.
    pub(super) epoch: i64,
    pub(super) began: Instant,
    /// Cancelled when everybody is to come to an end.
    pub(super) over: CancellationToken,
}

/// A generation that was superseded, and its token.
pub(super) struct Former {
    pub(super) generation: String,
    pub(super) token: Secret<String>,
}

/// A simulated worker.
pub(super) struct Actor<'a> {
    pub(super) stage: &'a Stage<'a>,
    pub(super) post: Post,
    /// Its number in the fleet.
    pub(super) which: u32,
    pub(super) life: Life,
    pub(super) token: Secret<String>,
    pub(super) former: Option<Former>,
    /// The newest; the last one may be under way.
    pub(super) runs: VecDeque<Run>,
    pub(super) sums: Sums,
    pub(super) batches: u64,
    pub(super) last: Option<Batch>,
    pub(super) dice: Dice,
    /// Whether its story and the API's parted.
    pub(super) derailed: bool,
}

impl<'a> Actor<'a> {
    /// Takes up the post, whose worker was just made.
    pub(super) async fn new(stage: &'a Stage<'a>, post: Post, which: u32) -> Result<Self, FleetError> {
        let worker = stage.doors.read::<ReadWorker>(read_worker::Variables { id: post.worker.clone() }).await;
        let worker = worker.map_err(|error| FleetError::of("a new worker", error))?.worker.ok_or(FleetError::Incomplete("a new worker"))?;
        let generation = worker.launch_generation.ok_or(FleetError::Incomplete("a new worker"))?;
        let dice = Dice::new(stage.settings.seed, u64::from(which));
        let (life, token) = (Life::new(generation), Secret::new(String::new()));
        let (runs, sums) = (VecDeque::new(), Sums::default());
        Ok(Self { stage, post, which, life, token, former: None, runs, sums, batches: 0, last: None, dice, derailed: false })
    }

    /// A difference that parts the two stories.
    pub(super) fn lie(&self, what: &str, done: impl ToString, read: impl ToString) -> Derailed {
        Difference::new(&self.post.name, what, done, read).into()
    }

    /// What a call that failed means: what the fleet asks for is always allowed.
    pub(super) fn failed(&self, what: &'static str, error: ApiError) -> Derailed {
        match error {
            ApiError::Transient(_) => Derailed::Failed(FleetError::of(what, error)),
            refused => self.lie(what, "done", format!("refused: {refused}")),
        }
    }

    fn expect_state(&self, what: &str, read: &crate::worker::api::WorkerState) -> Done {
        if *read == self.life.state.sent() {
            Ok(())
        } else {
            Err(self.lie(what, format!("{:?}", self.life.state.sent()), format!("{read:?}")))
        }
    }

    /// Starts it if it does not run, and gives it the token of its generation.
    pub(super) async fn start(&mut self) -> Done {
        let asked = start::Variables { worker_id: self.post.worker.clone() };
        let worker = self.stage.doors.once::<Start>(asked).await.map_err(|error| self.failed("startWorker", error))?.start_worker.worker;
        let generation = worker.launch_generation.unwrap_or_default();
        let launched = matches!(self.life.state, State::Paused | State::Error);
        if launched == (generation == self.life.generation) {
            return Err(self.lie("the generation after startWorker", if launched { "a new one" } else { "the same" }, generation));
        }
        if launched {
            self.retire();
        }
        self.life.started(&generation);
        self.stage.ledger.count("starts");
        self.expect_state("the state after startWorker", &worker.state)?;
        self.identify(false).await
    }

    /// Asks it to stop.
    pub(super) async fn stop(&mut self) -> Done {
        let asked = stop::Variables { worker_id: self.post.worker.clone() };
        let worker = self.stage.doors.once::<Stop>(asked).await.map_err(|error| self.failed("stopWorker", error))?.stop_worker.worker;
        self.life.stopped();
        self.stage.ledger.count("stops");
        self.expect_state("the state after stopWorker", &worker.state)
    }

    /// Asks it to start anew; it runs.
    pub(super) async fn restart(&mut self) -> Done {
        let asked = restart::Variables { worker_id: self.post.worker.clone() };
        let worker = self.stage.doors.once::<Restart>(asked).await;
        let worker = worker.map_err(|error| self.failed("restartWorker", error))?.restart_worker.worker;
        self.life.restarted();
        self.stage.ledger.count("restarts");
        self.expect_state("the state after restartWorker", &worker.state)
    }

    /// The present generation becomes the former one.
    fn retire(&mut self) {
        let token = std::mem::replace(&mut self.token, Secret::new(String::new()));
        let generation = self.life.generation.clone();
        // One that never had a token cannot come late.
        if !token.reveal().is_empty() {
            self.former = Some(Former { generation, token });
        }
        if let Some(run) = self.runs.back_mut() {
            run.hand_over();
        }
    }

    /// Gets a token for the present generation, which is a new one after a restart.
    pub(super) async fn identify(&mut self, relaunched: bool) -> Done {
        let asked = issue_token::Variables { worker_id: self.post.worker.clone() };
        let issued = self.stage.doors.read::<IssueToken>(asked).await;
        let issued = issued.map_err(|error| self.failed("issueWorkerToken", error))?.issue_worker_token;
        if relaunched == (issued.launch_generation == self.life.generation) {
            let done = if relaunched { "a new one".to_owned() } else { self.life.generation.clone() };
            return Err(self.lie("the generation of issueWorkerToken", done, issued.launch_generation));
        }
        if relaunched {
            self.retire();
            self.life.learn(&issued.launch_generation);
        }
        self.token = Secret::new(issued.access_token);
        Ok(())
    }

    /// Reports a state; answers the tables that it is told to read.
    pub(super) async fn report(&mut self, state: State) -> Done<Vec<String>> {
        let awaited = self.life.awaits_restart();
        let due = self.life.report(state);
        let relaunched = awaited && !self.life.awaits_restart();
        let reason = (state == State::Error).then(|| "the simulation says so".to_owned());
        let generation = self.life.generation.clone();
        let told = report_state::Variables { worker_id: self.post.worker.clone(), generation, state: state.sent(), reason };
        let said = match self.stage.doors.work::<ReportState>(&self.token, told).await {
            // The answer to an earlier attempt was lost, and its effect was the end of this generation.
            Err(ApiError::Superseded(_)) if relaunched => None,
            Err(error) => return Err(self.failed("reportWorker", error)),
            Ok(answer) if answer.repeated => Some(answer.data.report_worker.instruction),
            Ok(answer) => {
                let said = answer.data.report_worker;
                let word = |refusal: Option<String>| refusal.unwrap_or_else(|| "taken".to_owned());
                let read = (word(said.refusal.map(|refusal| format!("{refusal:?}"))), said.accepted, said.directive);
                let done = (word(due.refusal.map(str::to_owned)), due.refusal.is_none(), due.directive);
                if read != done {
                    return Err(self.lie(&format!("the answer to a report of {state:?}"), format!("{done:?}"), format!("{read:?}")));
                }
                Some(said.instruction)
            }
        };
        self.stage.ledger.count(if due.refusal.is_none() { REPORTS } else { "reports of states refused, as they have to be" });
        if relaunched {
            self.identify(true).await?;
            return Ok(Vec::new());
        }
        let tables = said.filter(|instruction| instruction.directive == WorkerDirective::SNAPSHOT);
        Ok(tables.map(|instruction| instruction.tables.into_iter().map(|table| table.id).collect()).unwrap_or_default())
    }
}
