//! The computed state and health of a pipeline (domain.md section 2).
//!
//! Always holds: the state is what the view `pumphouse.pipeline_state` says (migration 0032), for a row, a filter and a
//! count alike; however many pipelines ask, it is one statement. Not here: what the health of one worker is
//! (`health.rs`).

use std::collections::HashMap;

use async_graphql::{Context, Enum, Object, SimpleObject};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::choice;
use crate::core::entity::{Filter, by_id, from_visible};
use crate::core::error::{Error, Result};
use crate::core::read::{Read, context_data};
use crate::core::scalars::BigInt;
use crate::core::sql::Sql;
use crate::pipelines::health::{PRESENT, WorkerHealth, WorkerTimings, push_health};
use crate::pipelines::{Pipeline, Worker, WorkerState};

choice! {
    /// What a pipeline is doing, from what it consists of and from its two workers. The first that applies counts.
    PipelineState {
        /// It is not completed: it lacks a source, a target, or a subscription with a datamodel, a target connector and a target table.
        Draft = "DRAFT",
        /// None of its subscriptions is enabled; or neither worker is in ERROR, STOPPING or BUILDING and at least one is PAUSED or missing.
        Paused = "PAUSED",
        /// A worker is in ERROR.
        Error = "ERROR",
        /// A worker is stopping.
        Stopping = "STOPPING",
        /// A worker was asked to start and has not reported itself live yet.
        Building = "BUILDING",
        /// Both workers are live.
        Live = "LIVE",
    }
}

/// What the workers of a pipeline say of it together.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineHealth {
    /// Nothing runs and nothing should: it is a draft, none of its subscriptions is enabled, or both workers are PAUSED.
    Inactive,
    /// A worker was launched and has not reported yet, which is still in good time; nothing is wrong with the other.
    Starting,
    /// Both workers run and report.
    Healthy,
    /// Something is wrong with a part of it; `degradedParts` says which.
    Degraded,
}

/// One of the two ends of a pipeline.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelinePart {
    /// The source connector and its worker.
    Source,
    /// The target connector and its worker.
    Target,
}

/// What is wrong with a part of a pipeline.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelinePartFault {
    /// Its worker is in ERROR; `worker.reason` says why.
    Failed,
    /// Its worker was launched and has not reported in good time.
    NotStarted,
    /// Its worker has stopped reporting.
    Unresponsive,
    /// Its worker does not run while the other does.
    NotRunning,
    /// Its connector has no worker.
    NoWorker,
}

/// A part of a pipeline with which something is wrong.
#[derive(SimpleObject, Clone, Copy, Debug)]
#[graphql(complex)]
pub struct DegradedPart {
    /// Which part.
    pub part: PipelinePart,
    /// What is wrong with it.
    pub fault: PipelinePartFault,
    #[graphql(skip)]
    worker: Option<Uuid>,
}

#[async_graphql::ComplexObject]
impl DegradedPart {
    /// Its worker; null when there is none, or none that you see.
    async fn worker(&self, ctx: &Context<'_>) -> Result<Option<Worker>> {
        match self.worker {
            Some(id) => by_id(ctx, id).await,
            None => Ok(None),
        }
    }
}

/// One end of a pipeline: its worker, what that is doing, and its health.
#[derive(Clone, Copy, Debug)]
struct End {
    part: PipelinePart,
    worker: Option<(Uuid, WorkerState, WorkerHealth)>,
}

/// What is known of a pipeline beside its row.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) state: PipelineState,
    active: bool,
    ends: Vec<End>,
}

impl End {
    fn runs(&self) -> bool {
        self.worker.is_some_and(|(_, state, _)| state != WorkerState::Paused)
    }

    fn fault(&self, other_runs: bool) -> Option<PipelinePartFault> {
        let Some((_, state, health)) = self.worker else { return Some(PipelinePartFault::NoWorker) };
        match (state, health) {
            (WorkerState::Error, _) => Some(PipelinePartFault::Failed),
            (WorkerState::Paused, _) => other_runs.then_some(PipelinePartFault::NotRunning),
            (_, WorkerHealth::NotStarted) => Some(PipelinePartFault::NotStarted),
            (_, WorkerHealth::Unresponsive) => Some(PipelinePartFault::Unresponsive),
            _ => None,
        }
    }
}

impl Standing {
    /// The parts with which something is wrong, the source first.
    pub(crate) fn degraded(&self) -> Vec<DegradedPart> {
        if !self.active {
            return Vec::new();
        }
        let runs = self.ends.iter().any(End::runs);
        let part = |end: &End| {
            let fault = end.fault(runs)?;
            Some(DegradedPart { part: end.part, fault, worker: end.worker.map(|(id, ..)| id) })
        };
        self.ends.iter().filter_map(part).collect()
    }

    /// The two together.
    pub(crate) fn health(&self) -> PipelineHealth {
        let is = |health: WorkerHealth| self.ends.iter().any(|end| end.worker.is_some_and(|(.., is)| is == health));
        if !self.degraded().is_empty() {
            PipelineHealth::Degraded
        } else if !self.active || !self.ends.iter().any(End::runs) {
            PipelineHealth::Inactive
        } else if is(WorkerHealth::Starting) {
            PipelineHealth::Starting
        } else {
            PipelineHealth::Healthy
        }
    }
}

/// The state and the workers of a pipeline, from the next batch.
pub(crate) async fn standing(pipeline: &Pipeline, ctx: &Context<'_>) -> Result<Standing> {
    let read = Read::of(ctx)?;
    let timings = *context_data::<WorkerTimings>(ctx)?;
    let found = read
        .batch("pipeline standing", pipeline.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let mut standings: HashMap<Uuid, Standing> = HashMap::new();
            for row in read.db().rows(question(ids, &timings)).await? {
                let (id, standing) = read_row(&row)?;
                standings.entry(id).and_modify(|known| known.ends.extend(standing.ends.iter().copied())).or_insert(standing);
            }
            Ok(standings)
        })
        .await?;
    found.ok_or_else(|| Error::not_found("pipeline"))
}

/// Two rows for each pipeline, its source's and its target's.
fn question(ids: Vec<Uuid>, timings: &WorkerTimings) -> Sql {
    let mut sql = Sql::new("select s.pipeline_id, s.state, s.active, part.is_source, t.id, t.state, case when t.id is not null then ");
    push_health(&mut sql, timings, PRESENT);
    sql.text(" end from pumphouse.pipeline_state s")
        .text(" cross join lateral (values (true, s.source_connector_id), (false, s.target_connector_id)) part (is_source, connector_id)")
        .text(" left join worker t on t.connector_id = part.connector_id left join pumphouse.worker_launch l on l.worker_id = t.id")
        .with(" cross join pumphouse.leader h where s.pipeline_id = any(", ids)
        .text(") order by s.pipeline_id, part.is_source desc")
}

fn read_row(row: &PgRow) -> sqlx::Result<(Uuid, Standing)> {
    let worker = match row.try_get::<Option<Uuid>, _>(4)? {
        Some(id) => Some((id, row.try_get(5)?, row.try_get(6)?)),
        None => None,
    };
    let part = if row.try_get(3)? { PipelinePart::Source } else { PipelinePart::Target };
    let standing = Standing { state: row.try_get(1)?, active: row.try_get(2)?, ends: vec![End { part, worker }] };
    Ok((row.try_get(0)?, standing))
}

/// How many pipelines are in a state.
#[derive(SimpleObject, Clone, Copy, Debug)]
pub struct PipelineStateCount {
    /// The state.
    pub state: PipelineState,
    /// How many of the pipelines that you see and that match are in it.
    pub count: BigInt,
}

/// The counts of pipelines.
#[derive(Default)]
pub struct PipelineStateQuery;

#[Object]
impl PipelineStateQuery {
    /// How many of the pipelines that you see are in each state: every state once, also those that none is in.
    async fn pipeline_state_counts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which pipelines to count; all that you see when left out.")] filter: Option<Filter<Pipeline>>,
    ) -> Result<Vec<PipelineStateCount>> {
        let read = Read::of(ctx)?;
        let mut sql = Sql::new("select s.state, count(*) from pumphouse.pipeline_state s join (select t.id");
        from_visible::<Pipeline>(&mut sql, read.viewer());
        filter.unwrap_or_default().write(&mut sql, read.viewer());
        let rows = read.db().rows(sql.text(") seen on seen.id = s.pipeline_id group by s.state")).await?;
        let counted =
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<sqlx::Result<HashMap<PipelineState, i64>>>()?;
        let states = PipelineState::STORED.iter().filter_map(|state| state.parse().ok());
        Ok(states.map(|state| PipelineStateCount { state, count: BigInt(counted.get(&state).copied().unwrap_or_default()) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WorkerHealth::{Healthy, Inactive, NotStarted, Starting, Unresponsive};
    use WorkerState::{Building, Error, Live, Paused, Stopping};

    fn standing(active: bool, ends: [Option<(WorkerState, WorkerHealth)>; 2]) -> Standing {
        let [source, target] = ends.map(|worker| worker.map(|(state, health)| (Uuid::nil(), state, health)));
        let ends = vec![End { part: PipelinePart::Source, worker: source }, End { part: PipelinePart::Target, worker: target }];
        Standing { state: PipelineState::Live, active, ends }
    }

    #[test]
    fn l09_the_whole_is_never_healthy_when_a_part_is_not() {
        let fine = Some((Live, Healthy));
        for (ends, health, parts) in [
            ([fine, fine], PipelineHealth::Healthy, ""),
            ([fine, Some((Error, Inactive))], PipelineHealth::Degraded, "Target Failed"),
            ([fine, None], PipelineHealth::Degraded, "Target NoWorker"),
            ([None, Some((Paused, Inactive))], PipelineHealth::Degraded, "Source NoWorker"),
            ([Some((Live, Unresponsive)), fine], PipelineHealth::Degraded, "Source Unresponsive"),
            (
                [Some((Building, NotStarted)), Some((Building, NotStarted))],
                PipelineHealth::Degraded,
                "Source NotStarted, Target NotStarted",
            ),
            ([Some((Building, Starting)), fine], PipelineHealth::Starting, ""),
            ([Some((Building, Starting)), Some((Live, Unresponsive))], PipelineHealth::Degraded, "Target Unresponsive"),
            ([Some((Paused, Inactive)), Some((Paused, Inactive))], PipelineHealth::Inactive, ""),
            ([Some((Paused, Inactive)), fine], PipelineHealth::Degraded, "Source NotRunning"),
            ([fine, Some((Stopping, Healthy))], PipelineHealth::Healthy, ""),
        ] {
            let standing_now = standing(true, ends);
            let named: Vec<String> = standing_now.degraded().iter().map(|part| format!("{:?} {:?}", part.part, part.fault)).collect();
            assert_eq!((standing_now.health(), named.join(", ").as_str()), (health, parts), "{ends:?}");
            assert_eq!(standing(false, ends).health(), PipelineHealth::Inactive, "{ends:?}");
        }
    }
}
