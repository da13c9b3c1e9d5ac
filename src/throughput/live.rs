//! `throughputReported`: the newest points of what is reported, by the minute.
//!
//! Always holds: a report costs no notice, so that thousands a second cost writers nothing; while somebody follows, each
//! replica looks four times a second for the batches that it has not seen. A point says all that came in during its
//! minute, so one that replaces another loses nothing. Raw rows that no report brought are no event: nothing short of a trigger
//! on every row, or of reading all of the last seconds four times a second, would find them. Not here: hours and days (`series.rs`).

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_graphql::{Context, ID, InputObject, SimpleObject, Subscription};
use chrono::{DateTime, Utc};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::access::{Env, Team};
use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::live::narrow::{self, one_of, uuids};
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, SeenVersion, Snapshot, Source, Topic, follow,
};
use crate::core::lock::lock;
use crate::core::scalars::Time;
use crate::core::scope::{self, Scope};
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Right, Viewer};
use crate::pipelines::{Datamodel, Pipeline, PipelineSubscription};
use crate::throughput::batch::Kind;
use crate::throughput::counted::{CONSUMPTION, Counted, PRODUCTION};
use crate::throughput::shown::{ConsumptionPoint, ProductionPoint};

const TOPIC: Topic = "throughput";
/// How often it is looked for new batches: the most events a second are four.
const PACE: Duration = Duration::from_millis(250);

/// Finds the batches that came in, and what they brought.
#[derive(Default)]
pub struct ThroughputFeed {
    /// What it has seen, as PostgreSQL's text of a snapshot. Only a mark: without it the batches of the last minute are
    /// said again.
    seen: Mutex<Option<String>>,
}

/// What a datamodel or a subscription `t` is, for reading its points.
struct Counter {
    counted: &'static Counted,
    /// The topic or subscription that its rows are of.
    item: &'static str,
    owners: &'static str,
    pipelines: &'static str,
    /// Before and after a list of connectors: those whose workers report it.
    reported_by: (&'static str, &'static str),
    make: fn(&PgRow, usize) -> sqlx::Result<What>,
    table: &'static str,
    columns: fn() -> String,
    scope: &'static Scope,
}

const DATAMODELS: Counter = Counter {
    counted: &PRODUCTION,
    item: "t.source_topic",
    owners: "pumphouse.owners_of_datamodel(t.id, t.source_connector_id)",
    pipelines: "array(select p.id from pipeline p where p.datamodel_id = t.id union select s.pipeline_id from subscription s where s.datamodel_id = t.id and s.pipeline_id is not null)",
    reported_by: ("t.source_topic in (select d.source_topic from datamodel d where d.source_connector_id = any(", "))"),
    make: |row, first| Datamodel::from_row(row, first).map(What::Datamodel),
    table: Datamodel::TABLE,
    columns: columns::<Datamodel>,
    scope: &Datamodel::SCOPE,
};

const SUBSCRIPTIONS: Counter = Counter {
    counted: &CONSUMPTION,
    item: "t.id",
    owners: "pumphouse.owners_of_subscription(t.pipeline_id, t.target_connector_id, t.datamodel_id)",
    pipelines: "array_remove(array[t.pipeline_id], null)",
    reported_by: ("t.target_connector_id = any(", ")"),
    make: |row, first| PipelineSubscription::from_row(row, first).map(What::Subscription),
    table: PipelineSubscription::TABLE,
    columns: columns::<PipelineSubscription>,
    scope: &PipelineSubscription::SCOPE,
};

/// The points of one datamodel or subscription.
#[derive(Clone)]
struct Reported {
    what: What,
    pipelines: Vec<Uuid>,
    owners: Vec<Owner>,
    points: Vec<(Time, Vec<i64>)>,
}

#[derive(Clone)]
enum What {
    Datamodel(Datamodel),
    Subscription(PipelineSubscription),
}

impl What {
    fn id(&self) -> Uuid {
        match self {
            Self::Datamodel(datamodel) => datamodel.id.uuid(),
            Self::Subscription(subscription) => subscription.id.uuid(),
        }
    }
}

impl Counter {
    /// The points since then of what this condition says.
    async fn read(&self, reading: &mut PgConnection, since: DateTime<Utc>, condition: impl FnOnce(&mut Sql)) -> Result<Vec<Reported>> {
        let Self { counted, item, owners, pipelines, table, .. } = self;
        let Counted { rows, of, .. } = counted;
        let mut sql = Sql::new(&format!("select t.id, {owners}, {pipelines}, m.*, {} from {table} t", (self.columns)()))
            .text(&format!(" cross join lateral (select date_trunc('minute', m.created_at, 'UTC') as start, {}", counted.count_sums()))
            .with(&format!(" from {rows} where m.{of} = {item} and m.created_at >= date_trunc('minute', "), since)
            .text("::timestamptz, 'UTC') group by 1) m where ");
        condition(&mut sql);
        sql.push(" order by t.id, m.start");
        let counts = 4..4 + counted.counts.len();
        let mut all: Vec<(Uuid, Reported)> = Vec::new();
        for row in rows_on(reading, sql).await? {
            let id: Uuid = row.try_get(0)?;
            let point = (row.try_get(3)?, counts.clone().map(|column| row.try_get(column)).collect::<sqlx::Result<_>>()?);
            match all.last_mut().filter(|(last, _)| *last == id) {
                Some((_, reported)) => reported.points.push(point),
                None => all.push((id, self.first(&row, counts.end, point)?)),
            }
        }
        Ok(all.into_iter().map(|(_, reported)| reported).collect())
    }

    fn first(&self, row: &PgRow, columns: usize, point: (Time, Vec<i64>)) -> Result<Reported> {
        let owners: Vec<String> = row.try_get(1)?;
        let owners = owners.iter().map(|owner| serde_json::from_str(owner).map_err(Error::internal)).collect::<Result<_>>()?;
        Ok(Reported { what: (self.make)(row, columns)?, pipelines: row.try_get(2)?, owners, points: vec![point] })
    }
}

/// Batches that were not seen before.
const UNSEEN: &str = "select pg_current_snapshot()::text, b.kind, w.connector_id, b.at, b.xid::text from (select 1) always
left join (pumphouse.metric_batch b join worker w on w.id = b.worker_id) on b.at > clock_timestamp() - interval '1 minute'";

impl Feed for ThroughputFeed {
    /// What is reported of may go.
    fn tables(&self) -> &'static [&'static str] {
        &[Datamodel::TABLE, PipelineSubscription::TABLE]
    }

    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn looks(&self) -> Option<Duration> {
        Some(PACE)
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let gone = changes.iter().filter(|change| change.operation == Operation::Deleted);
            let gone: Vec<LiveEvent> = gone.map(|change| LiveEvent::gone(TOPIC, change)).collect();
            if !changes.is_empty() {
                return Ok(gone);
            }
            let mut sql = Sql::new(UNSEEN);
            if let Some(seen) = self.seen().clone() {
                sql = sql
                    .with(" and b.xid >= pg_snapshot_xmin(", seen.clone())
                    .with("::text::pg_snapshot) and not pg_visible_in_snapshot(b.xid, ", seen)
                    .text("::text::pg_snapshot)");
            }
            // As of one instant: the points hold the batches that were found.
            let mut reading = db.begin_reading().await?;
            let rows = rows_on(&mut reading, sql).await?;
            let mut found = Found::default();
            rows.iter().try_for_each(|row| found.add(row))?;
            let mut events = Vec::new();
            for (told, connectors) in [(&DATAMODELS, &found.producing), (&SUBSCRIPTIONS, &found.consuming)] {
                let Some(since) = found.since.filter(|_| !connectors.is_empty()) else { continue };
                let (before, after) = told.reported_by;
                let condition = |sql: &mut Sql| {
                    sql.push(before);
                    sql.bind(connectors.clone());
                    sql.push(after);
                };
                let reported = told.read(&mut reading, since, condition).await?;
                events.extend(reported.into_iter().map(|reported| found.publish(reported)));
            }
            *self.seen() = rows.first().map(|row| row.try_get(0)).transpose()?;
            Ok(events)
        })
    }
}

impl ThroughputFeed {
    fn seen(&self) -> MutexGuard<'_, Option<String>> {
        lock(&self.seen)
    }
}

/// What was found by looking.
#[derive(Default)]
struct Found {
    producing: Vec<Uuid>,
    consuming: Vec<Uuid>,
    transactions: Vec<u64>,
    since: Option<DateTime<Utc>>,
}

impl Found {
    fn add(&mut self, row: &PgRow) -> Result<()> {
        let Some(kind) = row.try_get::<Option<String>, _>(1)? else { return Ok(()) };
        let connectors = if kind == Kind::Production.stored() { &mut self.producing } else { &mut self.consuming };
        connectors.push(row.try_get(2)?);
        let Time(at) = row.try_get(3)?;
        self.since = Some(self.since.map_or(at, |since| since.min(at)));
        self.transactions.extend(row.try_get::<String, _>(4)?.parse::<u64>());
        Ok(())
    }

    fn publish(&self, reported: Reported) -> LiveEvent {
        let (transactions, owners) = (self.transactions.clone(), reported.owners.clone());
        LiveEvent { topic: TOPIC, about: reported.what.id(), transactions, owners, said: EventPayload::Body(Arc::new(reported)) }
    }
}

/// What to follow; all given conditions hold together.
#[derive(InputObject, Clone, Default)]
pub struct ThroughputReportedFilter {
    /// Only what was written to the source topics of these datamodels, at most 500, and of the subscriptions only those
    /// that `pipelineSubscriptionIds` names.
    pub datamodel_ids: Option<Vec<Id<Datamodel>>>,
    /// Only what these subscriptions delivered, at most 500, and of the datamodels only those that `datamodelIds` names.
    pub pipeline_subscription_ids: Option<Vec<Id<PipelineSubscription>>>,
    /// Only what these pipelines carry, at most 500.
    pub pipeline_ids: Option<Vec<Id<Pipeline>>>,
    /// Only what this team owns.
    pub team_id: Option<Id<Team>>,
    /// Only what the teams of this env own.
    pub env_id: Option<Id<Env>>,
}

/// The newest points of a datamodel's source topic, or of a subscription. Each says all that came in during its minute by
/// then, and takes the place of an earlier one with the same start.
#[derive(SimpleObject, Clone)]
pub struct ThroughputReported {
    /// Whether this is the present state, the last minutes, sent first and again whenever reports may have been missed.
    pub initial: bool,
    /// Whether what was told of before is gone, out of your sight, or not among what was asked for any more.
    pub removed: bool,
    /// The id of the datamodel or subscription that this is about.
    pub entity_id: ID,
    /// The datamodel whose source topic was written to; null when this is about a subscription, or a removal.
    pub datamodel: Option<Datamodel>,
    /// The subscription that delivered; null when this is about a datamodel, or a removal.
    pub pipeline_subscription: Option<PipelineSubscription>,
    /// What was written to the datamodel's source topic, oldest minute first; empty for a subscription.
    pub production: Vec<ProductionPoint>,
    /// What the subscription delivered, oldest minute first; empty for a datamodel.
    pub consumption: Vec<ConsumptionPoint>,
}

impl ThroughputReported {
    fn new(initial: bool, reported: &Reported) -> Self {
        let mut event = Self { initial, removed: false, ..Self::removal(reported.what.id()) };
        match &reported.what {
            What::Datamodel(datamodel) => {
                event.datamodel = Some(datamodel.clone());
                event.production = reported.points.iter().map(|(start, counts)| ProductionPoint::new(*start, counts)).collect();
            }
            What::Subscription(subscription) => {
                event.pipeline_subscription = Some(subscription.clone());
                event.consumption = reported.points.iter().map(|(start, counts)| ConsumptionPoint::new(*start, counts)).collect();
            }
        }
        event
    }

    fn removal(id: Uuid) -> Self {
        let (production, consumption) = (Vec::new(), Vec::new());
        Self {
            initial: false,
            removed: true,
            entity_id: ID(id.to_string()),
            datamodel: None,
            pipeline_subscription: None,
            production,
            consumption,
        }
    }
}

struct Following {
    filter: ThroughputReportedFilter,
}

impl Following {
    fn matches(&self, reported: &Reported) -> bool {
        let filter = &self.filter;
        let either = filter.datamodel_ids.is_some() || filter.pipeline_subscription_ids.is_some();
        let named = match &reported.what {
            What::Datamodel(datamodel) => filter.datamodel_ids.as_ref().map_or(!either, |ids| ids.contains(&datamodel.id)),
            What::Subscription(one) => filter.pipeline_subscription_ids.as_ref().map_or(!either, |ids| ids.contains(&one.id)),
        };
        let context_data = |ids: &Vec<Id<Pipeline>>| ids.iter().any(|id| reported.pipelines.contains(&id.uuid()));
        named && filter.pipeline_ids.as_ref().is_none_or(context_data) && narrow::owned_by(&reported.owners, filter.team_id, filter.env_id)
    }
}

impl Source for Following {
    type Item = ThroughputReported;
    const TOPIC: Topic = TOPIC;

    async fn present(&mut self, db: &Db, viewer: &Viewer, told: &SeenObjects) -> Result<Present<ThroughputReported>> {
        let mut reading = db.begin_reading().await?;
        let sql = Sql::new("select pg_current_snapshot()::text, clock_timestamp() - interval '5 minutes'");
        let rows = rows_on(&mut reading, sql).await?;
        let Time(since) = rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(1)?;
        let (mut items, mut objects) = (Vec::new(), SeenObjects::new());
        let named = [uuids(self.filter.datamodel_ids.as_deref()), uuids(self.filter.pipeline_subscription_ids.as_deref())];
        for (told, ids) in [&DATAMODELS, &SUBSCRIPTIONS].into_iter().zip(named) {
            let condition = |sql: &mut Sql| {
                scope::predicate(sql, viewer, told.scope, Right::See, "t");
                one_of(sql, "t.id", ids);
            };
            let reported = told.read(&mut reading, since, condition).await?;
            for reported in reported.iter().filter(|one| self.matches(one)) {
                objects.insert(reported.what.id(), SeenVersion::default());
                items.push(ThroughputReported::new(true, reported));
            }
        }
        // What reports nothing has no points and is there all the same.
        let quiet: Vec<Uuid> = told.keys().filter(|object| !objects.contains_key(*object)).copied().collect();
        for Counter { table, scope, .. } in [&DATAMODELS, &SUBSCRIPTIONS] {
            let mut sql = Sql::new(&format!("select t.id from {table} t where t.id = any(")).value(quiet.clone()).text(") and ");
            scope::predicate(&mut sql, viewer, scope, Right::See, "t");
            for row in rows_on(&mut reading, sql).await? {
                objects.insert(row.try_get(0)?, SeenVersion::default());
            }
        }
        Ok(Present { snapshot: Snapshot::of_rows(&rows)?, told: objects, items })
    }

    fn event(&mut self, _told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<ThroughputReported>> {
        let reported: &Reported = event.body()?;
        self.matches(reported).then(|| EventUpdate::of(reported.what.id(), ThroughputReported::new(false, reported)))
    }

    fn removal(&self, object: Uuid) -> Option<ThroughputReported> {
        Some(ThroughputReported::removal(object))
    }
}

/// The live field of throughput.
#[derive(Default)]
pub struct ThroughputSubscription;

#[Subscription]
impl ThroughputSubscription {
    /// The points of the last five minutes of all that match, then the newest whenever a worker has reported, at most four
    /// times a second: for live charts. Rows that were written into the database past `reportProduction` and
    /// `reportConsumption` are in every point that is told, but are no reason to tell one.
    async fn throughput_reported(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to follow; all that you see when left out.")] filter: Option<ThroughputReportedFilter>,
    ) -> Result<impl Stream<Item = Result<ThroughputReported>> + use<>> {
        let filter = filter.unwrap_or_default();
        narrow::check_lists(&[
            filter.datamodel_ids.as_ref().map(Vec::len),
            filter.pipeline_subscription_ids.as_ref().map(Vec::len),
            filter.pipeline_ids.as_ref().map(Vec::len),
        ])?;
        follow(ctx, Following { filter })
    }
}
