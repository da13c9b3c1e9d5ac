//! What a worker went through: every change of its state, reason or generation, in order.
//!
//! Always holds: a trigger appends them, whoever writes the worker; nothing edits them; they are kept for 30 days
//! (domain.md section 2). Not here: their live delivery (`worker_live.rs`).

use std::time::Duration;

use async_graphql::{Context, ID};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::{Entity as _, computed, to_one};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::{Job, LeaderContext};
use crate::core::read::Read;
use crate::core::scope::{self, Scope};
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::entity;
use crate::pipelines::worker::OF_CONNECTOR;
use crate::pipelines::{Worker, WorkerState};

entity! {
    /// One change of a worker: of its state, of the reason for it, or of the generation that should run.
    WorkerTransition in "pumphouse.worker_transition";
    scope: Scope::Through { column: "worker_id", table: Worker::TABLE, scope: &OF_CONNECTOR };
    order: "seq" Desc;
    announced: false;
    columns {
        /// Its number: of two changes of a worker, the later one has the higher. There are gaps.
        seq as "seq" "sequence": i64 [order];
        /// The worker that changed.
        worker_id: Id<Worker>;
        /// The state before; null when the worker was made.
        from_state: Option<WorkerState> [filter];
        /// The state after.
        to_state: WorkerState [filter];
        /// The reason of the state after, if it has one.
        reason: Option<String>;
        /// When it happened.
        at: DateTime<Utc> [range];
    }
    fields {
        to_one::<WorkerTransition, Worker>("worker", "id", "worker_id", "The worker that changed.");
        computed::<WorkerTransition, Option<ID>>("launchGeneration", |row, ctx| Box::pin(launch_generation(row, ctx)), "The generation that was meant to run after it; null for those who may not change the worker.");
    }
}

async fn launch_generation(transition: &WorkerTransition, ctx: &Context<'_>) -> Result<Option<ID>> {
    let read = Read::of(ctx)?;
    let generation: Option<Uuid> = read
        .batch("transition generation", transition.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let mut sql =
                Sql::new("select t.id, t.generation from ").text(WorkerTransition::TABLE).with(" t where t.id = any(", ids).text(") and ");
            scope::predicate(&mut sql, read.viewer(), &WorkerTransition::SCOPE, Right::Change, "t");
            read.db().rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await?;
    Ok(generation.map(|generation| ID(generation.to_string())))
}

/// The job that forgets what is older.
pub struct TransitionRetention;

impl Job for TransitionRetention {
    fn name(&self) -> &'static str {
        "transition_retention"
    }

    fn every(&self) -> Duration {
        Duration::from_hours(1)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(system.delete_in_batches(|limit| {
            Sql::new("delete from pumphouse.worker_transition where seq in (select seq from pumphouse.worker_transition where at < now() - interval '30 days' order by at limit ")
                .value(limit)
                .text(" for update skip locked) returning 1")
        }))
    }
}
