//! Production by day: the sums of a topic's production metrics over one closed day.
//!
//! Always holds: one row per topic and day, for days that are over; it can be computed again from the
//! raw rows as long as those are kept. Not here: the raw rows (`production.rs`).

use crate::core::entity::to_one;
use crate::entity;
use crate::pipelines::Datamodel;
use crate::throughput::production::OF_TOPIC;
use chrono::{DateTime, NaiveDate, Utc};

entity! {
    /// The change events that were written to a topic on one closed day.
    ProductionMetricDaily in "production_metric_daily";
    scope: OF_TOPIC;
    order: "day" Desc;
    announced: false;
    columns {
        /// The topic that was written to.
        topic: String;
        /// The day, in UTC.
        day: NaiveDate [order, filter, range];
        /// Rows that were inserted at the source.
        creates: i64;
        /// Rows that were updated at the source.
        updates: i64;
        /// Rows that were deleted at the source.
        deletes: i64;
        /// Rows that were read in snapshots.
        reads: i64;
        /// All events together.
        total_events: i64;
        /// Bytes that were written; 0 while no worker reports them.
        bytes: i64;
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
        to_one::<ProductionMetricDaily, Datamodel>("datamodel", "source_topic", "topic", "The datamodel that reads the topic, the first made when several do; null when none does any more.");
    }
}
