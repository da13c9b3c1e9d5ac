//! Workers: the execution state of one connector, what is wanted and what was observed.

use crate::choice;
use crate::core::entity::{Entity as _, computed, to_many, to_one};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope::{self, Scope};
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::entity;
use crate::pipelines::Connector;
use crate::pipelines::connector::OWNED;
use crate::pipelines::health::{Facts, WorkerHealth, facts};
use crate::pipelines::worker_transition::WorkerTransition;
use async_graphql::{Context, ID};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

choice! {
    /// What a worker is doing or is meant to do.
    WorkerState {
        /// A start was asked for; it has not reported itself live yet.
        Building = "BUILDING",
        /// It reported that it runs.
        Live = "LIVE",
        /// Nothing runs and nothing should.
        Paused = "PAUSED",
        /// It reported a failure, or could not be launched.
        Error = "ERROR",
        /// A stop was asked for; it has not reported itself stopped yet.
        Stopping = "STOPPING",
    }
}

/// Its connector's team (domain.md section 1).
pub(crate) const OF_CONNECTOR: Scope = Scope::Through { column: "connector_id", table: "connector", scope: &OWNED };

entity! {
    /// The execution state of one connector: what is wanted of its process and what was observed of it.
    Worker in "worker";
    scope: OF_CONNECTOR;
    order: "created_at" Asc;
    columns {
        /// What it is doing or is meant to do.
        state: WorkerState [order, filter];
        /// The connector it runs.
        connector_id: Id<Connector> [filter];
        /// When it last reported; null when it has not since it was launched.
        last_heartbeat_at: Option<DateTime<Utc>> [order, range];
        /// Why it is in its state, such as the error that stopped it.
        reason: Option<String>;
        /// When the stop was asked for; set exactly while it is stopping.
        stop_requested_at: Option<DateTime<Utc>> [order];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<Worker, Connector>("connector", "id", "connector_id", "The connector it runs.");
        computed::<Worker, WorkerHealth>("health", |row, ctx| Box::pin(async move { Ok(facts(row, ctx).await?.health) }), "What its reports, or their absence, say of it.");
        computed::<Worker, i32>("savedRevision", |row, ctx| Box::pin(async move { Ok(facts(row, ctx).await?.saved_revision) }), "The revision of the connector's configuration that is saved.");
        computed::<Worker, Option<i32>>("runningRevision", |row, ctx| Box::pin(async move { Ok(facts(row, ctx).await?.booted_revision) }), "The revision of the configuration that the running generation booted with; null before it has booted.");
        computed::<Worker, bool>("restartNeeded", |row, ctx| Box::pin(restart_needed(row, ctx)), "Whether it runs a configuration older than the saved one.");
        computed::<Worker, Option<f64>>("clockSkewSeconds", |row, ctx| Box::pin(clock_skew(row, ctx)), "How many seconds its own clock is ahead of the server's, less than 0 when it is behind, as its reports said last; null when they have not said. The time that they travel is in it. No time that counts is ever taken from that clock.");
        to_many::<Worker, WorkerTransition>("transitions", "worker_id", "id", "The states that it went through in the last 30 days, the latest first.");
        computed::<Worker, Option<ID>>("launchGeneration", |row, ctx| Box::pin(launch_generation(row, ctx)), "The generation that is meant to run; null for those who may not change the worker.");
    }
    carries {
        /// What a live event already knows of it.
        facts: Option<Facts>;
    }
}

async fn restart_needed(worker: &Worker, ctx: &Context<'_>) -> Result<bool> {
    let facts = facts(worker, ctx).await?;
    Ok(facts.health != WorkerHealth::Inactive && facts.booted_revision.is_some_and(|booted| booted < facts.saved_revision))
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of the years that a time can be written in stay far below 2^52")]
async fn clock_skew(worker: &Worker, ctx: &Context<'_>) -> Result<Option<f64>> {
    Ok(facts(worker, ctx).await?.clock_skew.map(|milliseconds| milliseconds as f64 / 1_000.0))
}

async fn launch_generation(worker: &Worker, ctx: &Context<'_>) -> Result<Option<ID>> {
    let read = Read::of(ctx)?;
    let generation: Option<Uuid> = read
        .batch("worker generation", worker.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let mut sql = Sql::new("select t.id, t.launch_generation from worker t where t.id = any(").value(ids).text(") and ");
            scope::predicate(&mut sql, read.viewer(), &Worker::SCOPE, Right::Change, "t");
            read.db().rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await?;
    Ok(generation.map(|generation| ID(generation.to_string())))
}
