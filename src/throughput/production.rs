//! Production metrics: how many change events sources wrote to a topic, as workers reported it.
//!
//! Always holds: rows are only added, and belong to whoever sees a datamodel that reads the topic.
//! Not here: their sums by day (`production_daily.rs`).

use crate::core::entity::{Entity as _, WideKind, to_one, wide};
use crate::core::scope::Scope;
use crate::entity;
use crate::pipelines::Datamodel;
use chrono::{DateTime, Utc};

/// Whoever sees a datamodel that reads the topic (domain.md section 1).
pub(crate) const OF_TOPIC: Scope =
    Scope::AnyChild { key: "topic", table: Datamodel::TABLE, column: "source_topic", scope: &Datamodel::SCOPE };

entity! {
    /// How many change events were written to a topic during one interval, as a source's worker reported
    /// it. Kept for a limited time; the sums by day stay.
    ProductionMetric in "production_metric";
    scope: OF_TOPIC;
    order: "created_at" Desc;
    announced: false;
    columns {
        /// Start of the interval, in milliseconds since 1970 UTC.
        from_ts: i64;
        /// End of the interval, in milliseconds since 1970 UTC.
        to_ts: i64;
        /// The topic that was written to.
        topic: String;
        /// When it was received; it decides the day that it counts for.
        created_at: DateTime<Utc> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {
        wide::<ProductionMetric>("events", "events", WideKind::Json, "The counts: `r` reads, `c` creates, `u` updates, `d` deletes and their `total`.");
        to_one::<ProductionMetric, Datamodel>("datamodel", "source_topic", "topic", "The datamodel that reads the topic, the first made when several do; null when none does any more.");
    }
}
