//! `reportProduction`: what a source's worker wrote to its topics.
//!
//! Always holds: a batch with a bad row adds nothing, and every fault of every row is told at once. Not
//! here: what reports have in common (`batch.rs`).

use std::collections::HashSet;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::scalars::BigInt;
use crate::core::sql::Sql;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::worker_runtime::{Directive, Generation, Refusal};
use crate::pipelines::{Connector, Reporter, Worker};
use crate::throughput::ProductionMetric;
use crate::throughput::batch::{Batch, Begun, Kind, Outcome, check_count, check_interval};

/// The mutation by which workers report production.
#[derive(Default)]
pub struct ProductionReportMutation;

/// Change events of one interval, by what happened at the source. What is left out is 0.
#[derive(InputObject, Clone, Default)]
pub struct ProductionEventsInput {
    /// All of them; the sum of the others, which it is when left out.
    pub total: Option<BigInt>,
    /// Rows that were read in snapshots.
    pub r: Option<BigInt>,
    /// Rows that were created.
    pub c: Option<BigInt>,
    /// Rows that were updated.
    pub u: Option<BigInt>,
    /// Rows that were deleted.
    pub d: Option<BigInt>,
}

/// What was written to one topic during one interval.
#[derive(InputObject, Clone)]
pub struct ProductionRowInput {
    /// The topic, one that a datamodel of the worker's connector has as its source topic.
    pub topic: String,
    /// Start of the interval, in milliseconds since 1970 UTC.
    pub from_ts: BigInt,
    /// End of the interval, in milliseconds since 1970 UTC; not before its start and at most 24 hours after it.
    pub to_ts: BigInt,
    /// The change events, counted.
    pub events: ProductionEventsInput,
}

/// What a worker has written to its topics.
#[derive(InputObject, Clone)]
pub struct ReportProductionInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that reports; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// A name for these rows, of 1 to 200 characters. Sent again within 24 hours under the same name, they are not added again:
    /// repeat a report that was not answered.
    pub batch_id: String,
    /// The rows, at most 5,000.
    pub rows: Vec<ProductionRowInput>,
}

/// What came of a report.
#[derive(SimpleObject)]
pub struct ReportProductionPayload {
    /// Whether the report was taken.
    pub accepted: bool,
    /// Why it was not taken; null when it was.
    pub refusal: Option<Refusal>,
    /// Whether the batch had been applied before, so that nothing was added now.
    pub repeated: bool,
    /// What the worker has to do now.
    pub directive: Directive,
}

impl From<Outcome> for ReportProductionPayload {
    fn from(Outcome { refusal, repeated, directive }: Outcome) -> Self {
        Self { accepted: refusal.is_none(), refusal, repeated, directive }
    }
}

#[Object]
impl ProductionReportMutation {
    /// Takes a worker's counts of the change events that it wrote to its topics. All rows are added or none: a bad one
    /// fails the batch, and `details.violations` tells every fault of every row. They count for the time when they come in.
    async fn report_production(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the worker has written to its topics.")] input: ReportProductionInput,
    ) -> Result<ReportProductionPayload> {
        write(ctx, input).await
    }
}

impl ReportProductionInput {
    fn batch(&self) -> Batch<'_> {
        let generation = self.launch_generation;
        Batch { kind: Kind::Production, worker: self.worker_id, generation, id: &self.batch_id, rows: self.rows.len() }
    }
}

impl Mutation for ReportProductionInput {
    type Proof = Reporter;
    type Answer = ReportProductionPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Reporter> {
        self.batch().authorize(w).await
    }

    async fn apply(self, w: &mut Write, reporter: Reporter) -> Result<ReportProductionPayload> {
        let fresh = match self.batch().begin(w, &reporter).await? {
            Begun::Fresh(fresh) => fresh,
            Begun::Settled(outcome) => return Ok(outcome.into()),
        };
        let topics = topics(w, fresh.connector, &self.rows).await?;
        let events = checked(&self.rows, &topics, fresh.at)?;
        insert(w, self.rows, events, fresh.at).await?;
        Ok(fresh.applied().into())
    }
}

/// Which of the topics named are source topics of the connector's datamodels.
async fn topics(w: &mut Write, connector: Id<Connector>, rows: &[ProductionRowInput]) -> Result<HashSet<String>> {
    // What cannot be stored is no topic of anybody.
    let named: HashSet<&str> = rows.iter().map(|row| row.topic.as_str()).filter(|topic| !topic.contains('\0')).collect();
    let named: Vec<String> = named.into_iter().map(str::to_owned).collect();
    let sql = Sql::new("select distinct source_topic from datamodel where source_connector_id = ")
        .value(connector)
        .with(" and source_topic = any(", named)
        .text(")");
    w.rows(sql).await?.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// The events of each row as they are stored, once nothing is wrong with any row.
fn checked(rows: &[ProductionRowInput], topics: &HashSet<String>, now: DateTime<Utc>) -> Result<Vec<String>> {
    let mut violations = Violations::default();
    let mut events = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        if !topics.contains(&row.topic) {
            violations.add(format!("rows.{index}.topic"), "No datamodel of the worker's connector has this source topic.");
        }
        check_interval(&mut violations, index, row.from_ts.0, row.to_ts.0, now);
        events.push(stored(&mut violations, index, &row.events));
    }
    violations.none()?;
    Ok(events)
}

fn stored(violations: &mut Violations, row: usize, events: &ProductionEventsInput) -> String {
    let count = |count: Option<BigInt>| count.map_or(0, |count| count.0);
    let [r, c, u, d] = [events.r, events.c, events.u, events.d].map(count);
    for (field, count) in [("events.r", r), ("events.c", c), ("events.u", u), ("events.d", d)] {
        check_count(violations, row, field, count);
    }
    let sum = [c, u, d].into_iter().try_fold(r, i64::checked_add);
    match (sum, events.total) {
        (None, _) => violations.add(format!("rows.{row}.events"), "Their sum is more than a BigInt can hold."),
        (Some(sum), Some(total)) if total.0 != sum => {
            violations.add(format!("rows.{row}.events.total"), format!("It is not the sum of r, c, u and d, which is {sum}."));
        }
        _ => {}
    }
    let total = sum.unwrap_or_default();
    format!(r#"{{"total":{total},"r":{r},"c":{c},"u":{u},"d":{d}}}"#)
}

async fn insert(w: &mut Write, rows: Vec<ProductionRowInput>, events: Vec<String>, at: DateTime<Utc>) -> Result<()> {
    let ids: Vec<Uuid> = rows.iter().map(|_| Id::<ProductionMetric>::random().uuid()).collect();
    let (from, to): (Vec<i64>, Vec<i64>) = rows.iter().map(|row| (row.from_ts.0, row.to_ts.0)).unzip();
    let topics: Vec<String> = rows.into_iter().map(|row| row.topic).collect();
    let sql = Sql::new("insert into production_metric (id, from_ts, to_ts, topic, events, created_at, updated_at) select r.id, r.from_ts, r.to_ts, r.topic, r.events::json, ")
        .value(at)
        .with(", ", at)
        .with(" from unnest(", ids)
        .with(", ", from)
        .with(", ", to)
        .with(", ", topics)
        .with(", ", events)
        .text(") r (id, from_ts, to_ts, topic, events)");
    w.rows(sql).await?;
    Ok(())
}
