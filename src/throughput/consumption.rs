//! Consumption metrics: what one subscription delivered, as workers reported it.
//!
//! Always holds: rows are only added, and outlive their subscription, seen by superusers alone once
//! it is gone. Not here: their sums by day (`consumption_daily.rs`).

use crate::core::entity::{Entity as _, to_one};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::pipelines::PipelineSubscription;
use chrono::{DateTime, Utc};

/// Whoever sees the subscription; superusers alone once it is gone (domain.md section 1).
pub(crate) const OF_SUBSCRIPTION: Scope =
    Scope::Through { column: "subscription_id", table: PipelineSubscription::TABLE, scope: &PipelineSubscription::SCOPE };

entity! {
    /// What one subscription read and delivered during one interval, as a target's worker reported it.
    /// Kept for a limited time; the sums by day stay.
    ConsumptionMetric in "consumption_metric";
    scope: OF_SUBSCRIPTION;
    order: "created_at" Desc;
    announced: false;
    columns {
        /// The subscription that delivered; it may be gone.
        subscription_id: Id<PipelineSubscription>;
        /// The topic that was read.
        topic: String;
        /// Start of the interval, in milliseconds since 1970 UTC.
        from_ts: i64;
        /// End of the interval, in milliseconds since 1970 UTC.
        to_ts: i64;
        /// Records that were read from the topic.
        consumed_count: i64;
        /// Records that were delivered into the target.
        delivered_count: i64;
        /// Records that could not be delivered.
        error_count: i64;
        /// Records still waiting in the topic at the end of the interval; null when it could not be measured.
        consumer_lag: Option<i64>;
        /// When it was received; it decides the day that it counts for.
        created_at: DateTime<Utc> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {
        to_one::<ConsumptionMetric, PipelineSubscription>("subscription", "id", "subscription_id", "The subscription that delivered; null once it is gone.");
    }
}
