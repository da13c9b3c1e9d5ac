//! The mutations of workers: what people ask of them and what they report.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::core::audit::About;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::reporter::Reporter;
use crate::pipelines::worker_runtime::{self as runtime, Directive, Generation, Locked};
use crate::pipelines::{Connector, Worker, WorkerState};

/// The mutations of workers.
#[derive(Default)]
pub struct WorkerMutation;

/// Which worker to start.
#[derive(InputObject, Clone)]
pub struct StartWorkerInput {
    /// The worker.
    pub worker_id: Id<Worker>,
}

/// Which worker to stop.
#[derive(InputObject, Clone)]
pub struct StopWorkerInput {
    /// The worker.
    pub worker_id: Id<Worker>,
}

/// Which worker to restart.
#[derive(InputObject, Clone)]
pub struct RestartWorkerInput {
    /// The worker.
    pub worker_id: Id<Worker>,
}

/// The worker after the start was asked for.
#[derive(SimpleObject)]
pub struct StartWorkerPayload {
    /// The worker as it is now.
    pub worker: Worker,
}

/// The worker after the stop was asked for.
#[derive(SimpleObject)]
pub struct StopWorkerPayload {
    /// The worker as it is now.
    pub worker: Worker,
}

/// The worker after the restart was asked for.
#[derive(SimpleObject)]
pub struct RestartWorkerPayload {
    /// The worker as it is now.
    pub worker: Worker,
}

/// What a worker says of itself.
#[derive(InputObject, Clone)]
pub struct ReportWorkerInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that reports; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// What it is doing. A report of the state it is in already is a heartbeat.
    pub state: WorkerState,
    /// Why, such as the error that stopped it; at most 10,000 characters are kept.
    pub reason: Option<String>,
}

/// What came of a report.
#[derive(SimpleObject)]
pub struct ReportWorkerPayload {
    /// Whether the report was taken. A heartbeat counts even when the report is refused, unless nothing should run.
    pub accepted: bool,
    /// What the worker has to do now.
    pub directive: Directive,
    /// The worker as it is now; null when it no longer exists.
    pub worker: Option<Worker>,
}

#[Object]
impl WorkerMutation {
    /// Starts a worker that is PAUSED or in ERROR, under a new generation. One that is BUILDING or LIVE stays as it
    /// is; on one that is STOPPING, `CONFLICT`.
    async fn start_worker(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which worker to start.")] input: StartWorkerInput,
    ) -> Result<StartWorkerPayload> {
        let worker = write(ctx, input).await?;
        Ok(StartWorkerPayload { worker })
    }

    /// Asks a worker to stop. It is STOPPING until it confirms, or until the stop timeout. One that is STOPPING or
    /// PAUSED stays as it is. A wish for a restart is forgotten.
    async fn stop_worker(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which worker to stop.")] input: StopWorkerInput,
    ) -> Result<StopWorkerPayload> {
        let worker = write(ctx, input).await?;
        Ok(StopWorkerPayload { worker })
    }

    /// Stops a worker and starts it again as soon as it has stopped; at once when it is PAUSED.
    async fn restart_worker(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which worker to restart.")] input: RestartWorkerInput,
    ) -> Result<RestartWorkerPayload> {
        let worker = write(ctx, input).await?;
        Ok(RestartWorkerPayload { worker })
    }

    /// Takes a worker's report of what it does; only the worker itself, or a service account whose grant says
    /// `worker: true`, may send it.
    async fn report_worker(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the worker says of itself.")] input: ReportWorkerInput,
    ) -> Result<ReportWorkerPayload> {
        write(ctx, input).await
    }
}

impl Mutation for StartWorkerInput {
    type Proof = Held<Worker, Changeable>;
    type Answer = Worker;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.worker_id, "workerId").await
    }

    async fn apply(self, w: &mut Write, _held: Self::Proof) -> Result<Worker> {
        let worker = locked(w, self.worker_id).await?;
        if runtime::start(w.connection(), &worker).await? {
            record(w, Verb::Start, &worker).await?;
        }
        w.reread(self.worker_id).await
    }
}

impl Mutation for StopWorkerInput {
    type Proof = Held<Worker, Changeable>;
    type Answer = Worker;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.worker_id, "workerId").await
    }

    async fn apply(self, w: &mut Write, _held: Self::Proof) -> Result<Worker> {
        let worker = locked(w, self.worker_id).await?;
        if runtime::stop(w.connection(), &worker).await? {
            record(w, Verb::Stop, &worker).await?;
        }
        w.reread(self.worker_id).await
    }
}

impl Mutation for RestartWorkerInput {
    type Proof = Held<Worker, Changeable>;
    type Answer = Worker;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.worker_id, "workerId").await
    }

    async fn apply(self, w: &mut Write, _held: Self::Proof) -> Result<Worker> {
        let worker = locked(w, self.worker_id).await?;
        let by = w.actor().email().map(str::to_owned);
        runtime::restart(w.connection(), &worker, by).await?;
        record(w, Verb::Restart, &worker).await?;
        w.reread(self.worker_id).await
    }
}

impl Mutation for ReportWorkerInput {
    type Proof = Reporter;
    type Answer = ReportWorkerPayload;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Reporter> {
        Reporter::of(w, self.worker_id).await
    }

    async fn apply(self, w: &mut Write, Reporter(before): Reporter) -> Result<ReportWorkerPayload> {
        let Some(before) = before else {
            return Ok(ReportWorkerPayload { accepted: false, directive: Directive::Exit, worker: None });
        };
        let reported = runtime::report(w.connection(), &before, self.launch_generation.uuid(), self.state, self.reason.as_deref()).await?;
        let worker = w.reread(self.worker_id).await?;
        if worker.state == before.state {
            // The next heartbeat makes good for a lost one; a change of state is said once.
            w.tolerate_loss().await?;
        }
        Ok(ReportWorkerPayload { accepted: reported.accepted, directive: reported.directive, worker: Some(worker) })
    }
}

/// The worker with what its life is judged by.
async fn locked(w: &mut Write, id: Id<Worker>) -> Result<Locked> {
    runtime::lock(w.connection(), id).await?.ok_or_else(|| Error::not_found(Worker::NAME).field("workerId"))
}

/// Writes the audit row of a worker that was started or stopped.
pub(crate) async fn record(w: &mut Write, verb: Verb, worker: &Locked) -> Result<()> {
    let (name, owner) = connector_of(w, worker.connector).await?;
    w.record(verb, About::row(worker.id).name(name.as_deref()).owner(owner).fields(&["state"])).await
}

/// The connector's name and owner, for the audit.
pub(crate) async fn connector_of(w: &mut Write, id: Id<Connector>) -> Result<(Option<String>, Owner)> {
    use sqlx::Row as _;
    let rows = w.rows(Sql::new("select name, team_id, env_id from connector where id = ").with("", id)).await?;
    match rows.first() {
        Some(row) => Ok((row.try_get(0)?, Owner { team: row.try_get(1)?, env: row.try_get(2)? })),
        None => Ok((None, Owner::NONE)),
    }
}
