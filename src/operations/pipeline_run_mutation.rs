//! Starting and pausing pipelines, and what pausing leaves running.
//!
//! Not here: what both do (`pipelines/pipeline_run.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::core::entity::{Entity as _, from_visible, select_list};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::write::{Mutation, Write, write};
use crate::operations::SyncRun;
use crate::pipelines::pipeline_run::{self as run, Runnable};
use crate::pipelines::{Pipeline, Worker};

/// The mutations that start and pause pipelines.
#[derive(Default)]
pub struct PipelineRunMutation;

/// Which pipeline to start.
#[derive(InputObject, Clone)]
pub struct StartPipelineInput {
    /// The pipeline.
    pub pipeline_id: Id<Pipeline>,
}

/// The started pipeline.
#[derive(SimpleObject)]
pub struct StartPipelinePayload {
    /// The pipeline as it is now.
    pub pipeline: Pipeline,
}

/// Which pipeline to pause.
#[derive(InputObject, Clone)]
pub struct PausePipelineInput {
    /// The pipeline.
    pub pipeline_id: Id<Pipeline>,
}

/// The paused pipeline, and what still runs.
#[derive(SimpleObject)]
pub struct PausePipelinePayload {
    /// The pipeline as it is now.
    pub pipeline: Pipeline,
    /// The workers of its connectors, and of those that its deliveries lead from and to, that were left running: a subscription of
    /// another pipeline needs them, or they were not this pipeline's to stop.
    pub workers_left_running: Vec<Worker>,
    /// The syncs of its connectors that are under way. Pausing cancels none: one whose worker stops with the pipeline stalls
    /// until the worker is started again, is given up in the end, and can be cancelled like any other.
    pub sync_runs_left_running: Vec<SyncRun>,
}

#[Object]
impl PipelineRunMutation {
    /// Starts a pipeline: enables its subscriptions and starts both connectors' workers where they do not run. Needs the right
    /// on the pipeline and on both connectors. `VALIDATION` for a draft, with what is missing in `details.missing`; `CONFLICT`
    /// while one of the workers is stopping. One that runs already stays as it is.
    async fn start_pipeline(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which pipeline to start.")] input: StartPipelineInput,
    ) -> Result<StartPipelinePayload> {
        let pipeline = write(ctx, input).await?;
        Ok(StartPipelinePayload { pipeline })
    }

    /// Pauses a pipeline: disables its subscriptions, and asks a connector's worker to stop when no enabled subscription of
    /// another pipeline needs that connector. Needs the right on the pipeline and on both connectors. The answer says what was
    /// left running. Always allowed, whatever the licence.
    async fn pause_pipeline(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which pipeline to pause.")] input: PausePipelineInput,
    ) -> Result<PausePipelinePayload> {
        write(ctx, input).await
    }
}

impl Mutation for StartPipelineInput {
    type Proof = Runnable;
    type Answer = Pipeline;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Runnable> {
        Runnable::of(w, self.pipeline_id).await
    }

    async fn apply(self, w: &mut Write, pipeline: Runnable) -> Result<Pipeline> {
        run::start(w, pipeline).await
    }
}

impl Mutation for PausePipelineInput {
    type Proof = Runnable;
    type Answer = PausePipelinePayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Runnable> {
        Runnable::of(w, self.pipeline_id).await
    }

    async fn apply(self, w: &mut Write, pipeline: Runnable) -> Result<PausePipelinePayload> {
        let pipeline = run::pause(w, pipeline).await?;
        let workers_left_running = run::running_workers(w, &pipeline).await?;
        let sync_runs_left_running = syncs_under_way(w, &pipeline).await?;
        Ok(PausePipelinePayload { pipeline, workers_left_running, sync_runs_left_running })
    }
}

async fn syncs_under_way(w: &mut Write, pipeline: &Pipeline) -> Result<Vec<SyncRun>> {
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select ");
    select_list::<SyncRun>(&mut sql, &viewer);
    from_visible::<SyncRun>(&mut sql, &viewer);
    let sql = run::of_its_connectors(sql.text(" and t.status = 'SYNCING' and "), pipeline).text(" order by t.id");
    w.rows(sql).await?.iter().map(|row| Ok(SyncRun::from_row(row, 0)?)).collect()
}
