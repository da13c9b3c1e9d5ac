//! Throughput as the graph shows it, on datamodels, subscriptions, pipelines, teams and envs.
//!
//! Always holds: a series has a point for every hour or day of its range, also where nothing happened; its summary is of
//! the whole range. Not here: how it is read (`series.rs`).

use async_graphql::{Context, SimpleObject};
use futures_util::future::{BoxFuture, try_join};
use uuid::Uuid;

use crate::access::{Env, Team};
use crate::core::error::Result;
use crate::core::flat::FlatList;
use crate::core::id::Id;
use crate::core::scalars::{BigInt, Time};
use crate::flat_object;
use crate::pipelines::{Datamodel, Pipeline, PipelineSubscription};
use crate::throughput::counted::{CONSUMPTION, PRODUCTION};
use crate::throughput::series::{Series, Wanted, Whose, load};
use crate::throughput::wanted;
use crate::throughput::window::Window;

flat_object! {
    /// The change events that were written to a topic during one hour or day.
    ProductionPoint {
        /// From when on it counts: a full minute, hour or day of UTC, or the start of the range.
        start: Time,
        /// Rows that were inserted at the source.
        creates: BigInt,
        /// Rows that were updated at the source.
        updates: BigInt,
        /// Rows that were deleted at the source.
        deletes: BigInt,
        /// Rows that were read in snapshots.
        reads: BigInt,
        /// All events together.
        total: BigInt,
    }
}

/// The change events of a whole range.
#[derive(SimpleObject, Clone, Debug)]
pub struct ProductionSummary {
    /// Rows that were inserted at the source.
    pub creates: BigInt,
    /// Rows that were updated at the source.
    pub updates: BigInt,
    /// Rows that were deleted at the source.
    pub deletes: BigInt,
    /// Rows that were read in snapshots.
    pub reads: BigInt,
    /// All events together.
    pub total: BigInt,
    /// Bytes that were written; 0 while no worker reports them.
    pub bytes: BigInt,
    /// Events a second, over the time that the workers' intervals cover.
    pub messages_per_second: f64,
}

/// The change events that were written to a topic, over time.
#[derive(SimpleObject, Clone, Debug)]
pub struct Production {
    /// The events of each hour or day of the range, oldest first.
    pub points: FlatList<ProductionPoint>,
    /// The events of the whole range.
    pub summary: ProductionSummary,
}

flat_object! {
    /// What a subscription read and delivered during one hour or day.
    ConsumptionPoint {
        /// From when on it counts: a full minute, hour or day of UTC, or the start of the range.
        start: Time,
        /// Records that were read from the topic.
        consumed: BigInt,
        /// Records that were delivered into the target.
        delivered: BigInt,
        /// Records that could not be delivered.
        errors: BigInt,
    }
}

/// What a subscription read and delivered over a whole range.
#[derive(SimpleObject, Clone, Debug)]
pub struct ConsumptionSummary {
    /// Records that were read from the topic; the same as `total`.
    pub consumed: BigInt,
    /// Records that were delivered into the target.
    pub delivered: BigInt,
    /// Records that could not be delivered.
    pub errors: BigInt,
    /// Records that were read from the topic.
    pub total: BigInt,
    /// Records read a second, over the time that the workers' intervals cover.
    pub messages_per_second: f64,
}

/// What a subscription read and delivered, over time.
#[derive(SimpleObject, Clone, Debug)]
pub struct Consumption {
    /// What each hour or day of the range brought, oldest first.
    pub points: FlatList<ConsumptionPoint>,
    /// What the whole range brought.
    pub summary: ConsumptionSummary,
}

flat_object! {
    /// What came in at the sources and went out to the targets during one hour or day.
    ThroughputPoint {
        /// From when on it counts: a full minute, hour or day of UTC, or the start of the range.
        start: Time,
        /// Rows that were inserted at the sources.
        creates: BigInt,
        /// Rows that were updated at the sources.
        updates: BigInt,
        /// Rows that were deleted at the sources.
        deletes: BigInt,
        /// Rows that were read in snapshots.
        reads: BigInt,
        /// All change events together.
        total: BigInt,
        /// Records that subscriptions read.
        consumed: BigInt,
        /// Records that were delivered into targets.
        delivered: BigInt,
        /// Records that could not be delivered.
        errors: BigInt,
    }
}

/// What came in at the sources and went out to the targets over a whole range.
#[derive(SimpleObject, Clone, Debug)]
pub struct ThroughputSummary {
    /// Rows that were inserted at the sources.
    pub creates: BigInt,
    /// Rows that were updated at the sources.
    pub updates: BigInt,
    /// Rows that were deleted at the sources.
    pub deletes: BigInt,
    /// Rows that were read in snapshots.
    pub reads: BigInt,
    /// All change events together.
    pub total: BigInt,
    /// Change events a second: the sum of the rates of all topics.
    pub messages_per_second: f64,
    /// Records that subscriptions read.
    pub consumed: BigInt,
    /// Records that were delivered into targets.
    pub delivered: BigInt,
    /// Records that could not be delivered.
    pub errors: BigInt,
    /// Records read a second: the sum of the rates of all subscriptions.
    pub consumed_per_second: f64,
}

/// What came in at the sources and went out to the targets, over time; of what you see.
#[derive(SimpleObject, Clone, Debug)]
pub struct Throughput {
    /// What each hour or day of the range brought, oldest first.
    pub points: FlatList<ThroughputPoint>,
    /// What the whole range brought.
    pub summary: ThroughputSummary,
}

/// The change events of a datamodel's source topic.
pub(crate) fn of_datamodel<'a>(row: &'a Datamodel, ctx: &'a Context<'a>, window: Window) -> BoxFuture<'a, Result<Production>> {
    Box::pin(async move {
        let series =
            load(ctx, &PRODUCTION, (Whose::Datamodel, wanted::topic_of_datamodel), row.id.uuid(), window, shows_rate(ctx, RATE)).await?;
        Ok(production(&series, window))
    })
}

/// What a subscription delivered.
pub(crate) fn of_subscription<'a>(
    row: &'a PipelineSubscription,
    ctx: &'a Context<'a>,
    window: Window,
) -> BoxFuture<'a, Result<Consumption>> {
    Box::pin(of_subscription_id(ctx, row.id, window))
}

/// What a subscription delivered that may be gone.
pub(crate) async fn of_subscription_id(ctx: &Context<'_>, id: Id<PipelineSubscription>, window: Window) -> Result<Consumption> {
    let series =
        load(ctx, &CONSUMPTION, (Whose::Subscription, wanted::subscription_itself), id.uuid(), window, shows_rate(ctx, RATE)).await?;
    Ok(consumption(&series, window))
}

/// What a pipeline carried.
pub(crate) fn of_pipeline<'a>(row: &'a Pipeline, ctx: &'a Context<'a>, window: Window) -> BoxFuture<'a, Result<Throughput>> {
    Box::pin(both(ctx, Whose::Pipeline, row.id.uuid(), [wanted::topics_of_pipeline, wanted::subscriptions_of_pipeline], window))
}

/// What the pipelines of a team carried.
pub(crate) fn of_team<'a>(row: &'a Team, ctx: &'a Context<'a>, window: Window) -> BoxFuture<'a, Result<Throughput>> {
    Box::pin(both(ctx, Whose::Team, row.id.uuid(), [wanted::topics_of_team, wanted::subscriptions_of_team], window))
}

/// What the pipelines of an env carried.
pub(crate) fn of_env<'a>(row: &'a Env, ctx: &'a Context<'a>, window: Window) -> BoxFuture<'a, Result<Throughput>> {
    Box::pin(both(ctx, Whose::Env, row.id.uuid(), [wanted::topics_of_env, wanted::subscriptions_of_env], window))
}

/// The field of a summary with the rate.
const RATE: &str = "messagesPerSecond";

/// Whether this rate of the summary is selected: it takes longer to work out than all points.
fn shows_rate(ctx: &Context<'_>, field: &str) -> bool {
    ctx.look_ahead().field("summary").field(field).exists()
}

/// Whether anything is selected that hangs on what was consumed.
fn shows_consumption(ctx: &Context<'_>) -> bool {
    let asked = ctx.look_ahead();
    let points = asked.field("points");
    asked.field("summary").exists() || ["consumed", "delivered", "errors"].iter().any(|name| points.field(name).exists())
}

async fn both(ctx: &Context<'_>, whose: Whose, id: Uuid, [topics, subscriptions]: [Wanted; 2], window: Window) -> Result<Throughput> {
    let produced = load(ctx, &PRODUCTION, (whose, topics), id, window, shows_rate(ctx, RATE));
    // Charts often show the one without the other.
    let (produced, consumed) = if shows_consumption(ctx) {
        let consumed = load(ctx, &CONSUMPTION, (whose, subscriptions), id, window, shows_rate(ctx, "consumedPerSecond"));
        try_join(produced, consumed).await?
    } else {
        (produced.await?, Series::default())
    };
    let (produced, consumed) = (production(&produced, window), consumption(&consumed, window));
    let points = produced.points.0.into_iter().zip(consumed.points.0).map(|(p, c)| ThroughputPoint {
        start: p.start,
        creates: p.creates,
        updates: p.updates,
        deletes: p.deletes,
        reads: p.reads,
        total: p.total,
        consumed: c.consumed,
        delivered: c.delivered,
        errors: c.errors,
    });
    let (p, c) = (produced.summary, consumed.summary);
    let summary = ThroughputSummary {
        creates: p.creates,
        updates: p.updates,
        deletes: p.deletes,
        reads: p.reads,
        total: p.total,
        messages_per_second: p.messages_per_second,
        consumed: c.consumed,
        delivered: c.delivered,
        errors: c.errors,
        consumed_per_second: c.messages_per_second,
    };
    Ok(Throughput { points: FlatList(points.collect()), summary })
}

impl ProductionPoint {
    /// From counts in the order of [`PRODUCTION`].
    pub(crate) fn new(start: Time, counts: &[i64]) -> Self {
        let count = |place: usize| BigInt(counts.get(place).copied().unwrap_or_default());
        Self { start, creates: count(0), updates: count(1), deletes: count(2), reads: count(3), total: count(4) }
    }
}

impl ConsumptionPoint {
    /// From counts in the order of [`CONSUMPTION`].
    pub(crate) fn new(start: Time, counts: &[i64]) -> Self {
        let count = |place: usize| BigInt(counts.get(place).copied().unwrap_or_default());
        Self { start, consumed: count(0), delivered: count(1), errors: count(2) }
    }
}

fn production(series: &Series, window: Window) -> Production {
    let [creates, updates, deletes, reads, total, bytes] = series.sums().map(BigInt);
    let messages_per_second = series.rate;
    Production {
        points: FlatList(series.points(window).map(|(start, counts)| ProductionPoint::new(start, counts)).collect()),
        summary: ProductionSummary { creates, updates, deletes, reads, total, bytes, messages_per_second },
    }
}

fn consumption(series: &Series, window: Window) -> Consumption {
    let [consumed, delivered, errors] = series.sums().map(BigInt);
    let messages_per_second = series.rate;
    Consumption {
        points: FlatList(series.points(window).map(|(start, counts)| ConsumptionPoint::new(start, counts)).collect()),
        summary: ConsumptionSummary { consumed, delivered, errors, total: consumed, messages_per_second },
    }
}
