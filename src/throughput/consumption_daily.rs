//! Consumption by day: the sums of a subscription's consumption metrics over one closed day.
//!
//! Always holds: one row per subscription and day, for days that are over; it outlives the
//! subscription. Not here: the lag, a gauge that is never summed; the raw rows (`consumption.rs`).

use crate::core::entity::to_one;
use crate::core::id::Id;
use crate::entity;
use crate::pipelines::PipelineSubscription;
use crate::throughput::consumption::OF_SUBSCRIPTION;
use chrono::{DateTime, NaiveDate, Utc};

entity! {
    /// What one subscription read and delivered on one closed day.
    ConsumptionMetricDaily in "consumption_metric_daily";
    scope: OF_SUBSCRIPTION;
    order: "day" Desc;
    announced: false;
    columns {
        /// The subscription that delivered; it may be gone.
        subscription_id: Id<PipelineSubscription>;
        /// The topic that was read, the last one when it changed during the day.
        topic: String;
        /// The day, in UTC.
        day: NaiveDate [order, filter, range];
        /// Records that were read from the topic.
        consumed_count: i64;
        /// Records that were delivered into the target.
        delivered_count: i64;
        /// Records that could not be delivered.
        error_count: i64;
        /// Sum of the lengths of all intervals, in milliseconds.
        span_ms: i64;
        /// The earliest start of an interval, in milliseconds since 1970 UTC.
        min_from: i64;
        /// The latest end of an interval, in milliseconds since 1970 UTC.
        max_to: i64;
        /// How many metrics were summed.
        row_count: i64;
        /// When it was created.
        created_at: Option<DateTime<Utc>>;
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {
        to_one::<ConsumptionMetricDaily, PipelineSubscription>("subscription", "id", "subscription_id", "The subscription that delivered; null once it is gone.");
    }
}
