//! `workerChanged`: every transition of a worker in order, every crossing of its health, and its end.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::{Env, Team};
use crate::core::db::Db;
use crate::core::entity::{ColumnType, Entity as _, columns, from_visible, select_list};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::live::narrow::{self, one_of, uuids};
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, SeenVersion, Snapshot, Source, Topic, follow,
};
use crate::core::read::context_data;
use crate::core::scalars::Time;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};
use crate::pipelines::health::{FACTS, JOIN_FACTS, WorkerHealth, WorkerTimings, read_facts, select_facts};
use crate::pipelines::{Connector, Pipeline, Worker, WorkerState};

const TOPIC: Topic = "worker";

/// Reads what changes of workers mean.
pub struct WorkerFeed {
    /// When silence means something.
    pub timings: WorkerTimings,
}

/// One change of a worker, as it was right after it.
struct WorkerEvent {
    previous: Option<WorkerState>,
    worker: Worker,
    as_of: Time,
    /// Its health has changed, as time or the watchdog has it, and nothing else.
    crossing: bool,
}

impl Feed for WorkerFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &["worker"]
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let transitions: Vec<i64> = changes.iter().flat_map(|change| change.transitions.iter().copied()).collect();
            let crossings: Vec<Uuid> =
                changes.iter().filter(|change| change.operation == Operation::Health).map(|change| change.id).collect();
            let transitions = self.transitions(db, transitions).await?;
            let crossings = self.crossings(db, crossings).await?;
            let publish = |change: &Change, event: &Arc<WorkerEvent>| LiveEvent {
                topic: TOPIC,
                about: change.id,
                transactions: vec![change.transaction],
                owners: change.owners.clone(),
                said: EventPayload::Body(Arc::<WorkerEvent>::clone(event)),
            };
            let mut events = Vec::with_capacity(changes.len());
            for change in &changes {
                events.extend(change.transitions.iter().filter_map(|seq| transitions.get(seq)).map(|event| publish(change, event)));
                // One that a transition has overtaken is said by that transition, which comes in its turn.
                let crossing = crossings.get(&change.id).filter(|_| change.operation == Operation::Health);
                let crossing = crossing.filter(|event| change.state.as_deref() == Some(event.worker.state.stored()));
                events.extend(crossing.map(|event| publish(change, event)));
                events.extend((change.operation == Operation::Deleted).then(|| LiveEvent::gone(TOPIC, change)));
            }
            Ok(events)
        })
    }
}

impl WorkerFeed {
    /// The transitions with these numbers, each with the worker as it was then.
    async fn transitions(&self, db: &Db, seqs: Vec<i64>) -> Result<HashMap<i64, Arc<WorkerEvent>>> {
        if seqs.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = Sql::new("select x.seq, x.from_state, x.to_state, x.reason, x.last_heartbeat_at, x.stop_requested_at, x.at, ");
        select_facts(&mut sql, &self.timings, "x.to_state", "x.last_heartbeat_at");
        sql.push(", ");
        sql.push(&columns::<Worker>());
        let sql = sql
            .text(" from pumphouse.worker_transition x join worker t on t.id = x.worker_id")
            .text(JOIN_FACTS)
            .with(" where x.seq = any(", seqs)
            .text(")");
        db.rows(sql)
            .await?
            .iter()
            .map(|row| {
                let mut worker = Worker::from_row(row, 7 + FACTS)?;
                worker.state = row.try_get(2)?;
                worker.reason = row.try_get(3)?;
                worker.last_heartbeat_at = ColumnType::get(row, 4)?;
                worker.stop_requested_at = ColumnType::get(row, 5)?;
                worker.facts = Some(read_facts(row, 7)?);
                Ok((row.try_get(0)?, Arc::new(WorkerEvent { previous: row.try_get(1)?, worker, as_of: row.try_get(6)?, crossing: false })))
            })
            .collect()
    }

    /// The workers with these ids as they are.
    async fn crossings(&self, db: &Db, ids: Vec<Uuid>) -> Result<HashMap<Uuid, Arc<WorkerEvent>>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = Sql::new("select statement_timestamp(), ");
        select_facts(&mut sql, &self.timings, "t.state", "t.last_heartbeat_at");
        sql.push(", ");
        sql.push(&columns::<Worker>());
        let sql = sql.text(" from worker t").text(JOIN_FACTS).with(" where t.id = any(", ids).text(")");
        db.rows(sql)
            .await?
            .iter()
            .map(|row| {
                let mut worker = Worker::from_row(row, 1 + FACTS)?;
                worker.facts = Some(read_facts(row, 1)?);
                let event = WorkerEvent { previous: Some(worker.state), worker, as_of: row.try_get(0)?, crossing: true };
                Ok((event.worker.id.uuid(), Arc::new(event)))
            })
            .collect()
    }
}

/// Which workers to follow; all given conditions hold together.
#[derive(InputObject, Clone, Default)]
pub struct WorkerChangedFilter {
    /// Only these workers, at most 500.
    pub worker_ids: Option<Vec<Id<Worker>>>,
    /// Only the workers of these connectors, at most 500.
    pub connector_ids: Option<Vec<Id<Connector>>>,
    /// Only the workers of these pipelines' sources and targets, at most 500. When a pipeline gets another source or
    /// target, the present state is sent again.
    pub pipeline_ids: Option<Vec<Id<Pipeline>>>,
    /// Only the workers of this team's connectors.
    pub team_id: Option<Id<Team>>,
    /// Only the workers of this env's connectors.
    pub env_id: Option<Id<Env>>,
}

/// A worker, at first as it is, then after each change.
#[derive(SimpleObject, Clone)]
pub struct WorkerChanged {
    /// Whether this is the present state, sent first and again whenever changes may have been missed.
    pub initial: bool,
    /// Whether the worker is gone, out of your sight, or not among those asked for any more; it was told of before.
    pub removed: bool,
    /// The state before the change; null with the present state.
    pub previous_state: Option<WorkerState>,
    /// The worker's id.
    pub worker_id: ID,
    /// The worker right after the change; null when it is removed.
    pub worker: Option<Worker>,
    /// As of when the worker is shown: when the present state was read, or when the change was made; null when it is removed.
    pub as_of: Option<Time>,
}

impl WorkerChanged {
    fn new(previous_state: Option<WorkerState>, worker: Worker, as_of: Time) -> Self {
        let (worker_id, worker, as_of) = (ID(worker.id.to_string()), Some(worker), Some(as_of));
        Self { initial: false, removed: false, previous_state, worker_id, worker, as_of }
    }
}

/// The health that was told, and in which state: a writer that does not announce the health of its change leaves that to the
/// watchdog, which would have the same told once more.
fn mark(worker: &Worker) -> SeenVersion {
    let Some(facts) = worker.facts else { return UNSURE };
    let place = |all: &[&str], one: &str| all.iter().position(|stored| *stored == one).and_then(|place| u8::try_from(place).ok());
    let health = place(WorkerHealth::STORED, facts.health.stored());
    health.zip(place(WorkerState::STORED, worker.state.stored())).map_or(UNSURE, |(health, state)| SeenVersion(health, i64::from(state)))
}

/// Equal to no health that is told.
const UNSURE: SeenVersion = SeenVersion(u8::MAX, i64::MAX);

struct Following {
    filter: WorkerChangedFilter,
    timings: WorkerTimings,
    /// The connectors of the pipelines asked for, as they were with the present state; none when none are asked for.
    of_pipelines: Option<Vec<Uuid>>,
}

impl Source for Following {
    type Item = WorkerChanged;
    const TOPIC: Topic = TOPIC;

    fn only(&self) -> Option<Vec<Uuid>> {
        uuids(self.filter.worker_ids.as_deref())
    }

    /// A pipeline that gets another source or target has other workers.
    fn hangs_on(&self) -> Vec<Uuid> {
        uuids(self.filter.pipeline_ids.as_deref()).unwrap_or_default()
    }

    async fn present(&mut self, db: &Db, viewer: &Viewer, _told: &SeenObjects) -> Result<Present<WorkerChanged>> {
        let mut sql = Sql::new("select pg_current_snapshot()::text, asked.connectors, statement_timestamp(), p.* from (select ");
        match uuids(self.filter.pipeline_ids.as_deref()) {
            Some(ids) => {
                sql.push("array_remove(array(select unnest(array[t.source_connector_id, t.target_connector_id])");
                from_visible::<Pipeline>(&mut sql, viewer);
                one_of(&mut sql, "t.id", Some(ids));
                sql.push("), null)");
            }
            None => sql.push("null::uuid[]"),
        }
        sql.push(" as connectors) asked left join lateral (select ");
        select_facts(&mut sql, &self.timings, "t.state", "t.last_heartbeat_at");
        sql.push(", ");
        select_list::<Worker>(&mut sql, viewer);
        sql.push(" from worker t join connector c on c.id = t.connector_id");
        sql.push(JOIN_FACTS);
        sql.push(" where ");
        scope::predicate(&mut sql, viewer, &Worker::SCOPE, Right::See, "t");
        self.narrow(&mut sql);
        sql.push(" order by t.created_at, t.id) p on true");
        let rows = db.rows(sql).await?;
        let snapshot = Snapshot::of_rows(&rows)?;
        self.of_pipelines = rows.first().map_or(Ok(None), |row| row.try_get(1))?;
        let mut workers = Vec::with_capacity(rows.len());
        for row in &rows {
            if row.try_get::<Option<Uuid>, _>(3 + FACTS)?.is_none() {
                continue;
            }
            let mut worker = Worker::from_row(row, 3 + FACTS)?;
            worker.facts = Some(read_facts(row, 3)?);
            workers.push(WorkerChanged { initial: true, ..WorkerChanged::new(None, worker, row.try_get(2)?) });
        }
        let told = workers.iter().filter_map(|shown| shown.worker.as_ref()).map(|worker| (worker.id.uuid(), mark(worker))).collect();
        Ok(Present { snapshot, told, items: workers })
    }

    /// What the others were told is not known.
    fn unsure(_mark: SeenVersion) -> SeenVersion {
        UNSURE
    }

    fn event(&mut self, told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<WorkerChanged>> {
        let WorkerEvent { previous, worker, as_of, crossing } = event.body()?;
        let filter = &self.filter;
        let matches = filter.worker_ids.as_ref().is_none_or(|ids| ids.contains(&worker.id))
            && filter.connector_ids.as_ref().is_none_or(|ids| ids.contains(&worker.connector_id))
            && narrow::owned_by(&event.owners, filter.team_id, filter.env_id)
            && self.of_pipelines.as_ref().is_none_or(|connectors| connectors.contains(&worker.connector_id.uuid()));
        let (id, mark) = (worker.id.uuid(), mark(worker));
        let repeats = *crossing && mark != UNSURE && told.get(&id) == Some(&mark);
        matches.then(|| EventUpdate {
            mark: Some(mark),
            repeats,
            ..EventUpdate::of(id, WorkerChanged::new(*previous, worker.clone(), *as_of))
        })
    }

    fn removal(&self, worker: Uuid) -> Option<WorkerChanged> {
        Some(WorkerChanged {
            initial: false,
            removed: true,
            previous_state: None,
            worker_id: ID(worker.to_string()),
            worker: None,
            as_of: None,
        })
    }
}

impl Following {
    fn narrow(&self, sql: &mut Sql) {
        let filter = &self.filter;
        one_of(sql, "t.id", uuids(filter.worker_ids.as_deref()));
        one_of(sql, "t.connector_id", uuids(filter.connector_ids.as_deref()));
        one_of(sql, "c.team_id", filter.team_id.map(|id| vec![id.uuid()]));
        one_of(sql, "c.env_id", filter.env_id.map(|id| vec![id.uuid()]));
        if filter.pipeline_ids.is_some() {
            sql.push(" and t.connector_id = any(asked.connectors)");
        }
    }
}

/// The live field of workers.
#[derive(Default)]
pub struct WorkerSubscription;

#[Subscription]
impl WorkerSubscription {
    /// The present state of the workers that match, then every transition of each in order, every crossing of its health,
    /// and its end or loss from your sight. A client that falls far behind is sent the present state again instead of what
    /// it has missed, but for removals.
    async fn worker_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which workers to follow; all that you see when left out.")] filter: Option<WorkerChangedFilter>,
    ) -> Result<impl Stream<Item = Result<WorkerChanged>> + use<>> {
        let filter = filter.unwrap_or_default();
        narrow::check_lists(&[
            filter.worker_ids.as_ref().map(Vec::len),
            filter.connector_ids.as_ref().map(Vec::len),
            filter.pipeline_ids.as_ref().map(Vec::len),
        ])?;
        let timings = *context_data::<WorkerTimings>(ctx)?;
        follow(ctx, Following { filter, timings, of_pipelines: None })
    }
}
