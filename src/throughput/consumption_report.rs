//! `reportConsumption`: what a target's worker delivered.
//!
//! Always holds: a batch with a bad row adds nothing, and every fault of every row is told at once. Not
//! here: what reports have in common (`batch.rs`).

use std::collections::{HashMap, HashSet};

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
use crate::pipelines::{Connector, PipelineSubscription, Reporter, Worker};
use crate::throughput::ConsumptionMetric;
use crate::throughput::batch::{Batch, Begun, Kind, Outcome, check_count, check_interval};

/// The longest name of a topic, in characters; brokers allow 249.
const LONGEST_TOPIC: usize = 249;

/// The mutation by which workers report consumption.
#[derive(Default)]
pub struct ConsumptionReportMutation;

/// What one subscription read and delivered during one interval.
#[derive(InputObject, Clone)]
pub struct ConsumptionRowInput {
    /// The subscription, one that delivers into the worker's connector.
    pub subscription_id: Id<PipelineSubscription>,
    /// The topic that was read; the source topic of the subscription's datamodel when left out.
    pub topic: Option<String>,
    /// Start of the interval, in milliseconds since 1970 UTC.
    pub from_ts: BigInt,
    /// End of the interval, in milliseconds since 1970 UTC; not before its start and at most 24 hours after it.
    pub to_ts: BigInt,
    /// Records that were read from the topic.
    pub consumed_count: BigInt,
    /// Records that were delivered into the target.
    pub delivered_count: BigInt,
    /// Records that could not be delivered; 0 when left out.
    pub error_count: Option<BigInt>,
    /// Records still waiting in the topic at the end of the interval; leave it out when it could not be measured.
    pub consumer_lag: Option<BigInt>,
}

/// What a worker has delivered.
#[derive(InputObject, Clone)]
pub struct ReportConsumptionInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that reports; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// A name for these rows, of 1 to 200 characters. Sent again within 24 hours under the same name, they are not added again:
    /// repeat a report that was not answered.
    pub batch_id: String,
    /// The rows, at most 5,000.
    pub rows: Vec<ConsumptionRowInput>,
}

/// What came of a report.
#[derive(SimpleObject)]
pub struct ReportConsumptionPayload {
    /// Whether the report was taken.
    pub accepted: bool,
    /// Why it was not taken; null when it was.
    pub refusal: Option<Refusal>,
    /// Whether the batch had been applied before, so that nothing was added now.
    pub repeated: bool,
    /// What the worker has to do now.
    pub directive: Directive,
}

impl From<Outcome> for ReportConsumptionPayload {
    fn from(Outcome { refusal, repeated, directive }: Outcome) -> Self {
        Self { accepted: refusal.is_none(), refusal, repeated, directive }
    }
}

#[Object]
impl ConsumptionReportMutation {
    /// Takes a worker's counts of what it delivered. All rows are added or none: a bad one fails the batch, and
    /// `details.violations` tells every fault of every row. They count for the time when they come in.
    async fn report_consumption(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the worker has delivered.")] input: ReportConsumptionInput,
    ) -> Result<ReportConsumptionPayload> {
        write(ctx, input).await
    }
}

impl ReportConsumptionInput {
    fn batch(&self) -> Batch<'_> {
        let generation = self.launch_generation;
        Batch { kind: Kind::Consumption, worker: self.worker_id, generation, id: &self.batch_id, rows: self.rows.len() }
    }
}

impl Mutation for ReportConsumptionInput {
    type Proof = Reporter;
    type Answer = ReportConsumptionPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Reporter> {
        self.batch().authorize(w).await
    }

    async fn apply(self, w: &mut Write, reporter: Reporter) -> Result<ReportConsumptionPayload> {
        let fresh = match self.batch().begin(w, &reporter).await? {
            Begun::Fresh(fresh) => fresh,
            Begun::Settled(outcome) => return Ok(outcome.into()),
        };
        let known = subscriptions(w, fresh.connector, &self.rows).await?;
        let topics = checked(&self.rows, &known, fresh.at)?;
        insert(w, &self.rows, topics, fresh.at).await?;
        Ok(fresh.applied().into())
    }
}

/// Those of the subscriptions named that deliver into the connector, each with the source topic of its datamodel.
async fn subscriptions(
    w: &mut Write,
    connector: Id<Connector>,
    rows: &[ConsumptionRowInput],
) -> Result<HashMap<Id<PipelineSubscription>, Option<String>>> {
    let named: HashSet<Uuid> = rows.iter().map(|row| row.subscription_id.uuid()).collect();
    let sql = Sql::new(
        "select s.id, d.source_topic from subscription s left join datamodel d on d.id = s.datamodel_id where s.target_connector_id = ",
    )
    .value(connector)
    .with(" and s.id = any(", named.into_iter().collect::<Vec<_>>())
    .text(")");
    w.rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// The topic of each row, once nothing is wrong with any row.
fn checked(
    rows: &[ConsumptionRowInput],
    known: &HashMap<Id<PipelineSubscription>, Option<String>>,
    now: DateTime<Utc>,
) -> Result<Vec<String>> {
    let mut violations = Violations::default();
    let mut topics = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let subscription = known.get(&row.subscription_id);
        if subscription.is_none() {
            violations.add(format!("rows.{index}.subscriptionId"), "No such subscription delivers into the worker's connector.");
        }
        topics.push(match (&row.topic, subscription) {
            (Some(topic), _) => violations.name(&format!("rows.{index}.topic"), topic, LONGEST_TOPIC),
            (None, Some(Some(topic))) => topic.clone(),
            (None, Some(None)) => {
                violations.add(format!("rows.{index}.topic"), "The subscription has no datamodel with a source topic; name the topic.");
                String::new()
            }
            (None, None) => String::new(),
        });
        check_interval(&mut violations, index, row.from_ts.0, row.to_ts.0, now);
        let optional = |count: Option<BigInt>| count.map_or(0, |count| count.0);
        for (field, count) in [
            ("consumedCount", row.consumed_count.0),
            ("deliveredCount", row.delivered_count.0),
            ("errorCount", optional(row.error_count)),
            ("consumerLag", optional(row.consumer_lag)),
        ] {
            check_count(&mut violations, index, field, count);
        }
    }
    violations.none()?;
    Ok(topics)
}

async fn insert(w: &mut Write, rows: &[ConsumptionRowInput], topics: Vec<String>, at: DateTime<Utc>) -> Result<()> {
    let numbers = |of: fn(&ConsumptionRowInput) -> i64| rows.iter().map(of).collect::<Vec<i64>>();
    let sql = Sql::new("insert into consumption_metric (id, subscription_id, topic, from_ts, to_ts, consumed_count, delivered_count, error_count, consumer_lag, created_at, updated_at) select r.*, ")
        .value(at)
        .with(", ", at)
        .with(" from unnest(", rows.iter().map(|_| Id::<ConsumptionMetric>::random().uuid()).collect::<Vec<_>>())
        .with(", ", rows.iter().map(|row| row.subscription_id.uuid()).collect::<Vec<_>>())
        .with(", ", topics)
        .with(", ", numbers(|row| row.from_ts.0))
        .with(", ", numbers(|row| row.to_ts.0))
        .with(", ", numbers(|row| row.consumed_count.0))
        .with(", ", numbers(|row| row.delivered_count.0))
        .with(", ", numbers(|row| row.error_count.map_or(0, |count| count.0)))
        .with(", ", rows.iter().map(|row| row.consumer_lag.map(|lag| lag.0)).collect::<Vec<_>>())
        .text(") r");
    w.rows(sql).await?;
    Ok(())
}
