//! The mutations of workers: what people ask of them.
//!
//! Always holds: whoever asks may change the worker, and its row stays locked until it is done. Not here: what workers
//! report (`operations/worker_report.rs`), and what starting and stopping mean (`worker_runtime.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::{PgConnection, Row as _};

use crate::core::audit::About;
use crate::core::db::rows_on;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis};
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::{Owner, Right};
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::worker_runtime::{self as runtime, Locked};
use crate::pipelines::{Connector, Worker};

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
}

/// The right to start and stop a worker: its row and its launch, locked.
pub struct Commanded(Locked);

impl Proof for Commanded {
    fn stake(&self) -> RightBasis {
        RightBasis::on::<Worker>(self.0.id.uuid(), Right::Change)
    }
}

impl Commanded {
    /// Asks for the right, and locks.
    async fn of(w: &mut Write, id: Id<Worker>) -> Result<Self> {
        let viewer = w.viewer().clone();
        let mut may = Sql::new("");
        scope::predicate(&mut may, &viewer, &Worker::SCOPE, Right::Change, "t");
        let mut sql = Locked::select(may);
        scope::predicate(&mut sql, &viewer, &Worker::SCOPE, Right::See, "t");
        let rows = w.rows(sql.with(" and t.id = ", id).text(runtime::FOR_CHANGE)).await?;
        let row = rows.first().ok_or_else(|| Error::no_such(Worker::NAME).field("workerId"))?;
        if row.try_get::<Option<bool>, _>(runtime::FURTHER)? != Some(true) {
            return Err(Error::forbidden("You see this worker but may not start or stop it.").field("workerId"));
        }
        Ok(Self(Locked::of_row(row)?))
    }

    /// Writes the audit row of what changed, and answers the worker as it is then.
    async fn done(self, w: &mut Write, changed: Option<Verb>) -> Result<Worker> {
        let Self(worker) = self;
        if let Some(verb) = changed {
            record(w, verb, &worker).await?;
        }
        w.reread(worker.id).await
    }
}

/// Writes the audit row of a worker that was started or stopped.
pub(crate) async fn record(w: &mut Write, verb: Verb, worker: &Locked) -> Result<()> {
    let (name, owner) = connector_of(w, worker.connector).await?;
    w.record(verb, About::row(worker.id).name(name.as_deref()).owner(owner).fields(&["state"])).await
}

impl Mutation for StartWorkerInput {
    type Proof = Commanded;
    type Answer = Worker;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Commanded> {
        Commanded::of(w, self.worker_id).await
    }

    async fn apply(self, w: &mut Write, worker: Commanded) -> Result<Worker> {
        let changed = runtime::start(w.connection(), &worker.0).await?;
        worker.done(w, changed.then_some(Verb::Start)).await
    }
}

impl Mutation for StopWorkerInput {
    type Proof = Commanded;
    type Answer = Worker;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Commanded> {
        Commanded::of(w, self.worker_id).await
    }

    async fn apply(self, w: &mut Write, worker: Commanded) -> Result<Worker> {
        let changed = runtime::stop(w.connection(), &worker.0).await?;
        worker.done(w, changed.then_some(Verb::Stop)).await
    }
}

impl Mutation for RestartWorkerInput {
    type Proof = Commanded;
    type Answer = Worker;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Commanded> {
        Commanded::of(w, self.worker_id).await
    }

    async fn apply(self, w: &mut Write, worker: Commanded) -> Result<Worker> {
        let by = w.actor().email().map(str::to_owned);
        let changed = runtime::restart(w.connection(), &worker.0, by).await?;
        worker.done(w, changed.then_some(Verb::Restart)).await
    }
}

/// The connector's name and owner, for the audit.
pub(crate) async fn connector_of(w: &mut Write, id: Id<Connector>) -> Result<(Option<String>, Owner)> {
    connector_on(w.connection(), id).await
}

/// The same for jobs.
pub(crate) async fn connector_on(connection: &mut PgConnection, id: Id<Connector>) -> Result<(Option<String>, Owner)> {
    let rows = rows_on(connection, Sql::new("select name, team_id, env_id from connector where id = ").value(id)).await?;
    match rows.first() {
        Some(row) => Ok((row.try_get(0)?, Owner { team: row.try_get(1)?, env: row.try_get(2)? })),
        None => Ok((None, Owner::NONE)),
    }
}
