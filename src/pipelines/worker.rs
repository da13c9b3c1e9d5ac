//! Workers: the execution state of one connector, what is wanted and what was observed.

use crate::choice;
use crate::core::entity::{ColumnType as _, to_one};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::pipelines::Connector;
use crate::pipelines::connector::OWNED;
use chrono::{DateTime, Utc};

choice! {
    /// What a worker is doing or is meant to do.
    WorkerState {
        /// A start was asked for; it has not reported itself live yet.
        Building = "BUILDING",
        /// It reported that it runs.
        Live = "LIVE",
        /// Nothing runs and nothing should.
        Paused = "PAUSED",
        /// It reported a failure, or could not be launched.
        Error = "ERROR",
        /// A stop was asked for; it has not reported itself stopped yet.
        Stopping = "STOPPING",
    }
}

/// Its connector's team (domain.md section 1).
pub(crate) const OF_CONNECTOR: Scope = Scope::Through { column: "connector_id", table: "connector", scope: &OWNED };

entity! {
    /// The execution state of one connector: what is wanted of its process and what was observed of it.
    Worker in "worker";
    scope: OF_CONNECTOR;
    order: "created_at" Asc;
    columns {
        /// What it is doing or is meant to do.
        state: WorkerState [order, filter];
        /// The connector it runs.
        connector_id: Id<Connector> [filter];
        /// When it last reported; null when it has not since it was launched.
        last_heartbeat_at: Option<DateTime<Utc>> [order, range];
        /// Why it is in its state, such as the error that stopped it.
        reason: Option<String>;
        /// When the stop was asked for; set exactly while it is stopping.
        stop_requested_at: Option<DateTime<Utc>> [order];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<Worker, Connector>("connector", "id", |row| row.connector_id.bind(), "The connector it runs.");
    }
}
