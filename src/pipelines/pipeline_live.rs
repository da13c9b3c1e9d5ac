//! `pipelineStateChanged`: what pipelines are doing, whenever that changes.
//!
//! Always holds: the state is what the view says (`pipeline_state.rs`), read once for all who follow; a change of a worker is
//! one of every pipeline that its connector is an end of. Not here: health, which hangs on time.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::{Env, Team};
use crate::core::db::Db;
use crate::core::entity::{Entity as _, columns, select_list};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::live::narrow::{self, one_of, uuids};
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, SeenVersion, Snapshot, Source, Topic, follow,
};
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Right, Viewer};
use crate::pipelines::{Connector, Pipeline, PipelineState, PipelineSubscription, Worker};

const TOPIC: Topic = "pipeline";

/// Reads what changes mean for the states of pipelines.
pub struct PipelineFeed;

/// A pipeline and what it is doing, as of when that was read.
struct PipelineEvent {
    pipeline: Pipeline,
    state: PipelineState,
}

/// What was touched, and by which transactions.
#[derive(Default)]
struct Touched {
    pipelines: HashMap<Uuid, Vec<u64>>,
    connectors: HashMap<Uuid, Vec<u64>>,
}

impl Touched {
    fn note(&mut self, change: &Change) {
        let (of, id) = match change.table.as_str() {
            Pipeline::TABLE => (&mut self.pipelines, Some(change.id)),
            PipelineSubscription::TABLE => (&mut self.pipelines, change.pipeline),
            _ => (&mut self.connectors, change.connector.filter(|_| change.operation != Operation::Health)),
        };
        if let Some(id) = id {
            of.entry(id).or_default().push(change.transaction);
        }
    }

    fn transactions(&self, pipeline: &Pipeline) -> Vec<u64> {
        let ends = [pipeline.source_connector_id, pipeline.target_connector_id].into_iter().flatten();
        let of_ends = ends.filter_map(|end| self.connectors.get(&end.uuid()));
        self.pipelines.get(&pipeline.id.uuid()).into_iter().chain(of_ends).flatten().copied().collect()
    }
}

impl Feed for PipelineFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &[Pipeline::TABLE, PipelineSubscription::TABLE, Worker::TABLE]
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let (mut touched, mut gone) = (Touched::default(), Vec::new());
            for change in &changes {
                if change.table == Pipeline::TABLE && change.operation == Operation::Deleted {
                    gone.push(LiveEvent::gone(TOPIC, change));
                } else {
                    touched.note(change);
                }
            }
            if touched.pipelines.is_empty() && touched.connectors.is_empty() {
                return Ok(gone);
            }
            let connectors: Vec<Uuid> = touched.connectors.keys().copied().collect();
            let sql = Sql::new(&format!("select s.state, {} from pipeline t", columns::<Pipeline>()))
                .text(" join pumphouse.pipeline_state s on s.pipeline_id = t.id")
                .with(" where t.id = any(", touched.pipelines.keys().copied().collect::<Vec<_>>())
                .with(") or t.source_connector_id = any(", connectors.clone())
                .with(") or t.target_connector_id = any(", connectors)
                .text(") order by t.id");
            let mut events = Vec::new();
            for row in db.rows(sql).await? {
                let pipeline = Pipeline::from_row(&row, 1)?;
                events.push(LiveEvent {
                    topic: TOPIC,
                    about: pipeline.id.uuid(),
                    transactions: touched.transactions(&pipeline),
                    owners: vec![Owner { team: Some(pipeline.team_id.uuid()), env: pipeline.env_id.map(Id::uuid) }],
                    said: EventPayload::Body(Arc::new(PipelineEvent { state: row.try_get(0)?, pipeline })),
                });
            }
            events.extend(gone);
            Ok(events)
        })
    }
}

/// Which pipelines to follow; all given conditions hold together.
#[derive(InputObject, Clone, Default)]
pub struct PipelineStateChangedFilter {
    /// Only these pipelines, at most 500.
    pub pipeline_ids: Option<Vec<Id<Pipeline>>>,
    /// Only pipelines that read from or write to one of these connectors, at most 500.
    pub connector_ids: Option<Vec<Id<Connector>>>,
    /// Only this team's pipelines.
    pub team_id: Option<Id<Team>>,
    /// Only the pipelines of this env's teams.
    pub env_id: Option<Id<Env>>,
}

/// What a pipeline is doing, at first as it is, then whenever that has changed.
#[derive(SimpleObject, Clone)]
pub struct PipelineStateChanged {
    /// Whether this is the present state, sent first and again whenever changes may have been missed.
    pub initial: bool,
    /// Whether the pipeline is gone, out of your sight, or not among those asked for any more; it was told of before.
    pub removed: bool,
    /// What it was doing when it was last told of; null with the present state, of a pipeline that was not told of before, and
    /// when it is removed.
    pub previous_state: Option<PipelineState>,
    /// What it is doing; null when it is removed. `pipeline.state` is read later and may be ahead.
    pub state: Option<PipelineState>,
    /// The pipeline's id.
    pub pipeline_id: ID,
    /// The pipeline; null when it is removed.
    pub pipeline: Option<Pipeline>,
}

impl PipelineStateChanged {
    fn new(state: PipelineState, pipeline: Pipeline) -> Self {
        let (state, pipeline_id, pipeline) = (Some(state), ID(pipeline.id.to_string()), Some(pipeline));
        Self { initial: false, removed: false, previous_state: None, state, pipeline_id, pipeline }
    }
}

/// The place of a state among all, to be remembered by.
fn mark(state: PipelineState) -> SeenVersion {
    let place = PipelineState::STORED.iter().position(|stored| *stored == state.stored());
    SeenVersion(place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX), 0)
}

fn marked(SeenVersion(place, _): SeenVersion) -> Option<PipelineState> {
    PipelineState::STORED.get(usize::from(place)).and_then(|stored| stored.parse().ok())
}

struct Following {
    filter: PipelineStateChangedFilter,
}

impl Source for Following {
    type Item = PipelineStateChanged;
    const TOPIC: Topic = TOPIC;

    fn only(&self) -> Option<Vec<Uuid>> {
        uuids(self.filter.pipeline_ids.as_deref())
    }

    async fn present(&mut self, db: &Db, viewer: &Viewer, _told: &SeenObjects) -> Result<Present<PipelineStateChanged>> {
        let mut sql = Sql::new("select pg_current_snapshot()::text, p.* from (select 1) always left join lateral (select s.state, ");
        select_list::<Pipeline>(&mut sql, viewer);
        sql.push(" from pipeline t join pumphouse.pipeline_state s on s.pipeline_id = t.id where ");
        scope::predicate(&mut sql, viewer, &Pipeline::SCOPE, Right::See, "t");
        let filter = &self.filter;
        one_of(&mut sql, "t.id", uuids(filter.pipeline_ids.as_deref()));
        one_of(&mut sql, "t.team_id", filter.team_id.map(|id| vec![id.uuid()]));
        one_of(&mut sql, "t.env_id", filter.env_id.map(|id| vec![id.uuid()]));
        if let Some(connectors) = uuids(filter.connector_ids.as_deref()) {
            sql = sql.with(" and (t.source_connector_id = any(", connectors.clone());
            sql = sql.with(") or t.target_connector_id = any(", connectors).text("))");
        }
        sql.push(" order by t.created_at, t.id) p on true");
        let rows = db.rows(sql).await?;
        let (mut told, mut items) = (SeenObjects::new(), Vec::new());
        for row in &rows {
            let Some(state) = row.try_get::<Option<PipelineState>, _>(1)? else { continue };
            let pipeline = Pipeline::from_row(row, 2)?;
            told.insert(pipeline.id.uuid(), mark(state));
            items.push(PipelineStateChanged { initial: true, ..PipelineStateChanged::new(state, pipeline) });
        }
        Ok(Present { snapshot: Snapshot::of_rows(&rows)?, told, items })
    }

    fn event(&mut self, told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<PipelineStateChanged>> {
        let PipelineEvent { pipeline, state } = event.body()?;
        let filter = &self.filter;
        let ends = [pipeline.source_connector_id, pipeline.target_connector_id];
        let matches = filter.pipeline_ids.as_ref().is_none_or(|ids| ids.contains(&pipeline.id))
            && filter.connector_ids.as_ref().is_none_or(|ids| ends.iter().flatten().any(|end| ids.contains(end)))
            && narrow::owned_by(&event.owners, filter.team_id, filter.env_id);
        let id = pipeline.id.uuid();
        let before = told.get(&id).copied().and_then(marked);
        if !matches {
            // It is another pipeline's connector now.
            return before.and_then(|_| self.removal(id)).map(|item| EventUpdate {
                mark: None,
                removal: true,
                ..EventUpdate::of(id, item)
            });
        }
        let repeats = before == Some(*state);
        let item =
            PipelineStateChanged { previous_state: before.filter(|_| !repeats), ..PipelineStateChanged::new(*state, pipeline.clone()) };
        Some(EventUpdate { mark: Some(mark(*state)), repeats, ..EventUpdate::of(id, item) })
    }

    fn removal(&self, pipeline: Uuid) -> Option<PipelineStateChanged> {
        let pipeline_id = ID(pipeline.to_string());
        Some(PipelineStateChanged { initial: false, removed: true, previous_state: None, state: None, pipeline_id, pipeline: None })
    }
}

/// The live field of pipelines.
#[derive(Default)]
pub struct PipelineStateSubscription;

#[Subscription]
impl PipelineStateSubscription {
    /// What the pipelines that match are doing, then every change of that, whatever it comes from: the pipeline, its
    /// subscriptions, or one of its two workers, which other pipelines may share. Changes that follow each other closely may
    /// be told as one.
    async fn pipeline_state_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which pipelines to follow; all that you see when left out.")] filter: Option<PipelineStateChangedFilter>,
    ) -> Result<impl Stream<Item = Result<PipelineStateChanged>> + use<>> {
        let filter = filter.unwrap_or_default();
        narrow::check_lists(&[filter.pipeline_ids.as_ref().map(Vec::len), filter.connector_ids.as_ref().map(Vec::len)])?;
        follow(ctx, Following { filter })
    }
}
