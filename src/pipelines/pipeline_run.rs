//! Starting and pausing a pipeline: its subscriptions, and the workers of its two connectors.
//!
//! Always holds: both need the right on both connectors, which stay locked, so that of two pipelines that share one the
//! second sees what the first did; a worker is stopped only when no enabled subscription of another pipeline needs its
//! connector; workers change through `worker_runtime.rs` alone. Not here: what a client is answered
//! (`operations/pipeline_run_mutation.rs`).

use serde_json::json;
use sqlx::Row as _;

use crate::core::entity::{Entity as _, from_visible, select_list};
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Proof, RightBasis};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::Write;
use crate::pipelines::pipeline_mutation::{raise_version, record};
use crate::pipelines::reference::{glance, overtaken};
use crate::pipelines::worker_mutation::record as record_worker;
use crate::pipelines::worker_runtime::{self as runtime, Locked};
use crate::pipelines::{Connector, Pipeline, PipelineSubscription, Worker, WorkerState};

/// A pipeline and its connectors, all of which the viewer may change.
pub struct Runnable {
    pipeline: Held<Pipeline, Changeable>,
}

impl Proof for Runnable {
    fn stake(&self) -> RightBasis {
        self.pipeline.stake()
    }
}

impl Runnable {
    /// The pipeline with this id, its connectors locked before it.
    ///
    /// # Errors
    /// `NOT_FOUND` when the viewer does not see it, `FORBIDDEN` when they may not change it or one of its connectors.
    pub(crate) async fn of(w: &mut Write, id: Id<Pipeline>) -> Result<Self> {
        let seen = glance(w, id, "pipelineId").await?;
        let ends = (seen.source_connector_id, seen.target_connector_id);
        let mut connectors: Vec<Id<Connector>> = [ends.0, ends.1].into_iter().flatten().collect();
        connectors.sort_by_key(|id| id.uuid());
        for connector in connectors {
            w.change(connector, "pipelineId").await.map_err(forbidden)?;
        }
        let pipeline = w.change(id, "pipelineId").await?;
        if (pipeline.source_connector_id, pipeline.target_connector_id) != ends {
            return Err(overtaken().field("pipelineId"));
        }
        Ok(Self { pipeline })
    }
}

/// Who sees a pipeline knows of its connectors.
fn forbidden(error: Error) -> Error {
    if error.code() != Code::NotFound && error.code() != Code::Forbidden {
        return error;
    }
    Error::forbidden("Starting and pausing a pipeline needs the right to change both of its connectors.").field("pipelineId")
}

/// Enables the subscriptions and starts the workers that do not run.
///
/// # Errors
/// `VALIDATION` for a draft, saying what is missing; `CONFLICT` while a worker is stopping.
pub(crate) async fn start(w: &mut Write, Runnable { pipeline }: Runnable) -> Result<Pipeline> {
    let subscriptions = lock_subscriptions(w, pipeline.id).await?;
    refuse_draft(w, &pipeline).await?;
    let enabled = enable(w, &subscriptions, true).await?;
    let mut started = Vec::new();
    for worker in workers(w, &pipeline).await? {
        let changed = runtime::start(w.connection(), &worker).await.map_err(|error| stopping(error, &worker, &pipeline))?;
        if changed {
            started.push(worker);
        }
    }
    finish(w, pipeline, Verb::Start, enabled, &started).await
}

/// Disables the subscriptions and stops the workers that nothing else needs.
///
/// # Errors
/// When the database refuses it.
pub(crate) async fn pause(w: &mut Write, Runnable { pipeline }: Runnable) -> Result<Pipeline> {
    let subscriptions = lock_subscriptions(w, pipeline.id).await?;
    let disabled = enable(w, &subscriptions, false).await?;
    let mut stopped = Vec::new();
    for worker in workers(w, &pipeline).await? {
        if !is_needed(w, worker.connector, pipeline.id).await? && runtime::stop(w.connection(), &worker).await? {
            stopped.push(worker);
        }
    }
    finish(w, pipeline, Verb::Stop, disabled, &stopped).await
}

async fn finish(w: &mut Write, held: Held<Pipeline, Changeable>, verb: Verb, switched: bool, workers: &[Locked]) -> Result<Pipeline> {
    if switched {
        raise_version(w, vec![held.id]).await?;
    }
    let pipeline = w.reread(held.id).await?;
    if switched || !workers.is_empty() {
        let fields: &[&str] = if switched { &["pipelineSubscriptions", "version"] } else { &[] };
        record(w, verb, &pipeline, fields).await?;
    }
    for worker in workers {
        record_worker(w, verb, worker).await?;
    }
    Ok(pipeline)
}

/// Locks the subscriptions of a pipeline.
pub(crate) async fn lock_subscriptions(w: &mut Write, pipeline: Id<Pipeline>) -> Result<Vec<Id<PipelineSubscription>>> {
    let sql = Sql::new("select id from subscription where pipeline_id = ").value(pipeline).text(" order by id for no key update");
    w.rows(sql).await?.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Switches subscriptions on or off; answers whether that changed any.
pub(crate) async fn enable(w: &mut Write, subscriptions: &[Id<PipelineSubscription>], on: bool) -> Result<bool> {
    let sql = Sql::new("update subscription set enabled = ")
        .value(on)
        .with(" where id = any(", subscriptions.to_vec())
        .with(") and coalesce(enabled, false) <> ", on)
        .text(" returning 1");
    Ok(!w.rows(sql).await?.is_empty())
}

async fn refuse_draft(w: &mut Write, pipeline: &Pipeline) -> Result<()> {
    let complete = "select exists (select 1 from subscription where datamodel_id is not null and target_connector_id is not null and target_table_name is not null and pipeline_id = ";
    let complete = w.holds(Sql::new(complete).value(pipeline.id).text(")")).await?;
    let parts = [
        ("sourceConnectorId", "a source connector", pipeline.source_connector_id.is_some()),
        ("targetConnectorId", "a target connector", pipeline.target_connector_id.is_some()),
        ("pipelineSubscriptions", "a subscription with a datamodel, a target connector and a target table", complete),
    ];
    let missing: Vec<_> = parts.iter().filter(|(.., there)| !there).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let words: Vec<&str> = missing.iter().map(|(_, words, _)| *words).collect();
    let fields: Vec<&str> = missing.iter().map(|(field, ..)| *field).collect();
    let message = format!("It is a draft and cannot be started; it lacks {}.", words.join(", and "));
    Err(Error::validation(message).field("pipelineId").details(json!({"missing": fields})))
}

/// The workers of its connectors, locked in the order of their ids.
async fn workers(w: &mut Write, pipeline: &Pipeline) -> Result<Vec<Locked>> {
    let sql = Sql::new("select id from worker where connector_id = any(").value(ends(pipeline)).text(") order by id");
    let ids: Vec<Id<Worker>> = w.rows(sql).await?.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    let mut locked = Vec::with_capacity(ids.len());
    for id in ids {
        locked.extend(runtime::lock(w.connection(), id).await?);
    }
    Ok(locked)
}

/// Its connectors.
pub(crate) fn ends(pipeline: &Pipeline) -> Vec<Id<Connector>> {
    [pipeline.source_connector_id, pipeline.target_connector_id].into_iter().flatten().collect()
}

fn stopping(error: Error, worker: &Locked, pipeline: &Pipeline) -> Error {
    if error.code() != Code::Conflict {
        return error;
    }
    let part = if Some(worker.connector) == pipeline.source_connector_id { "source" } else { "target" };
    Error::conflict(format!("The worker of its {part} is still stopping; start the pipeline once that is PAUSED."))
        .field("pipelineId")
        .details(json!({"workerId": worker.id.to_string()}))
}

/// Whether an enabled subscription that is not of this pipeline reads from the connector or writes to it.
async fn is_needed(w: &mut Write, connector: Id<Connector>, pipeline: Id<Pipeline>) -> Result<bool> {
    // One for each way that leads to the connector, as each has an index of its own.
    let others = |sql: Sql| sql.with(" and s.enabled and s.pipeline_id is distinct from ", pipeline).text(")");
    let sql = Sql::new("select exists (select 1 from subscription s where s.target_connector_id = ").value(connector);
    let sql = others(sql)
        .with(" or exists (select 1 from pipeline p join subscription s on s.pipeline_id = p.id where p.source_connector_id = ", connector);
    let sql = others(sql)
        .with(" or exists (select 1 from pipeline p join subscription s on s.pipeline_id = p.id where p.target_connector_id = ", connector);
    let sql = others(sql).with(
        " or exists (select 1 from datamodel d join subscription s on s.datamodel_id = d.id where d.source_connector_id = ",
        connector,
    );
    w.holds(others(sql)).await
}

/// The workers of its connectors, and of those that its deliveries lead from and to, that the viewer sees and that were not told
/// to stop: BUILDING, LIVE or in ERROR.
pub(crate) async fn running_workers(w: &mut Write, pipeline: &Pipeline) -> Result<Vec<Worker>> {
    let viewer = w.viewer().clone();
    let running = [WorkerState::Building, WorkerState::Live, WorkerState::Error].map(|state| state.stored().to_owned());
    let mut sql = Sql::new("select ");
    select_list::<Worker>(&mut sql, &viewer);
    from_visible::<Worker>(&mut sql, &viewer);
    let sql = of_its_connectors(sql.text(" and "), pipeline).with(" and t.state = any(", running.to_vec()).text(") order by t.id");
    w.rows(sql).await?.iter().map(|row| Ok(Worker::from_row(row, 0)?)).collect()
}

/// The condition that `t` belongs to a connector of the pipeline: to one of its ends, or to one of its deliveries.
pub(crate) fn of_its_connectors(sql: Sql, pipeline: &Pipeline) -> Sql {
    sql.with("(t.connector_id = any(", ends(pipeline))
        .with(") or t.connector_id in (select s.target_connector_id from subscription s where s.pipeline_id = ", pipeline.id)
        .text(
            " union all select d.source_connector_id from subscription s join datamodel d on d.id = s.datamodel_id where s.pipeline_id = ",
        )
        .value(pipeline.id)
        .text("))")
}
