//! What workers report of themselves (domain.md section 2).
//!
//! Always holds: a report of another generation than the present one changes nothing and is no sign of life; whatever is
//! answered says what to do next. Not here: what a report does to the state (`pipelines/worker_runtime.rs`).

use async_graphql::{ComplexObject, Context, InputObject, Object, SimpleObject};

use crate::core::entity::{Entity as _, columns};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::write::{Mutation, Write, write};
use crate::operations::directives::{WorkerInstruction, instruction_now};
use crate::pipelines::heartbeat::beat;
use crate::pipelines::worker_runtime::{self as runtime, Directive, Generation, Refusal, Reported};
use crate::pipelines::{Reporter, Worker, WorkerState};

/// The mutation by which workers report their state.
#[derive(Default)]
pub struct WorkerReportMutation;

/// What a worker says of itself.
#[derive(InputObject, Clone)]
pub struct ReportWorkerInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that reports; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// What it is doing. A report of the state it is in already is a heartbeat.
    pub state: WorkerState,
    /// Why, such as the error that stopped it, of any length. The first 10,000 characters are kept; where more was cut off, the
    /// last of them is `…`.
    pub reason: Option<String>,
    /// What the worker's own clock says. It is shown how far that is off (`worker.clockSkewSeconds`), and never used: all times
    /// that count are the server's.
    pub sent_at: Option<Time>,
}

/// What came of a report.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct ReportWorkerPayload {
    /// Whether the report was taken. A heartbeat counts even when the report is refused, unless nothing should run.
    pub accepted: bool,
    /// Why it was not taken; null when it was.
    pub refusal: Option<Refusal>,
    /// What the worker has to do now, in one word.
    pub directive: Directive,
    /// Who is answered.
    #[graphql(skip)]
    who: (Id<Worker>, Id<Generation>),
    /// The worker, where it was read with the report.
    #[graphql(skip)]
    heard: Option<Worker>,
}

#[ComplexObject]
impl ReportWorkerPayload {
    /// The worker as it is now; null when it no longer exists.
    async fn worker(&self, ctx: &Context<'_>) -> Result<Option<Worker>> {
        if let Some(heard) = &self.heard {
            return Ok(Some(heard.clone()));
        }
        let read = Read::of(ctx)?;
        let sql = Sql::new("select ").text(&columns::<Worker>()).with(" from worker t where t.id = ", self.who.0);
        let rows = read.loaders().alone(read.db().rows(sql)).await?;
        Ok(rows.first().map(|row| Worker::from_row(row, 0)).transpose()?)
    }

    /// All that the worker has to do now, as `workerDirectives` would say it: for workers that hold no socket.
    async fn instruction(&self, ctx: &Context<'_>) -> Result<WorkerInstruction> {
        instruction_now(ctx, self.who).await
    }
}

#[Object]
impl WorkerReportMutation {
    /// Takes a worker's report of what it does; only the worker itself, or a service account whose grant says
    /// `worker: true`, may send it.
    async fn report_worker(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the worker says of itself.")] input: ReportWorkerInput,
    ) -> Result<ReportWorkerPayload> {
        let who = (input.worker_id, input.launch_generation);
        if let Some(heard) = beat(ctx, who, input.state, input.sent_at.map(|Time(at)| at)).await? {
            return Ok(ReportWorkerPayload { accepted: true, refusal: None, directive: Directive::Run, who, heard: Some(heard) });
        }
        write(ctx, input).await
    }
}

impl Mutation for ReportWorkerInput {
    type Proof = Reporter;
    type Answer = ReportWorkerPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Reporter> {
        Reporter::repeated(w, (self.worker_id, self.launch_generation), false).await
    }

    async fn apply(self, w: &mut Write, reporter: Reporter) -> Result<ReportWorkerPayload> {
        let who = (self.worker_id, self.launch_generation);
        let before = match reporter.current(self.launch_generation) {
            Ok(before) => before,
            Err(refusal) => {
                return Ok(ReportWorkerPayload {
                    accepted: false,
                    refusal: Some(refusal),
                    directive: refusal.directive(),
                    who,
                    heard: None,
                });
            }
        };
        if let Some(Time(sent_at)) = self.sent_at {
            runtime::note_clock(w.connection(), before, sent_at).await?;
        }
        let Reported { refusal, directive, changed } = runtime::report(w.connection(), before, self.state, self.reason.as_deref()).await?;
        if changed {
            // The next heartbeat makes good for a lost one; a change of state is said once.
            w.insist().await?;
        }
        Ok(ReportWorkerPayload { accepted: refusal.is_none(), refusal, directive, who, heard: None })
    }
}
