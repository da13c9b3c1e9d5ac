//! Datamodels: the shape of what a source produced.

use crate::core::entity::{WideKind, to_one, wide};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::pipelines::Connector;
use crate::pipelines::connector::OWNED;
use chrono::{DateTime, Utc};

/// Its source connector's team, else the team of any pipeline that names it (domain.md section 1).
pub(crate) const SCOPE: Scope = Scope::FirstOf(&[
    ("source_connector_id", Scope::Through { column: "source_connector_id", table: "connector", scope: &OWNED }),
    ("id", Scope::AnyChild { key: "id", table: "pipeline", column: "datamodel_id", scope: &OWNED }),
]);

entity! {
    /// The shape of what a source produced, and the topic it is republished on. One datamodel feeds as
    /// many subscriptions as there are places where the data has to land.
    Datamodel in "datamodel";
    scope: SCOPE;
    order: "created_at" Asc;
    columns {
        /// The name.
        name: String [order, search, filter];
        /// The source connector.
        source_connector_id: Option<Id<Connector>> [filter];
        /// The topic it reads from.
        source_topic: Option<String> [order, filter];
        /// The topic it writes to.
        target_topic: Option<String> [order, filter];
        /// The consumer group with which it reads.
        consumer_id: Option<String>;
        /// Whether rejected rows go to an error table.
        error_table_enabled: bool [filter];
        /// The name of the error table.
        error_table_name: Option<String>;
        /// The connector that receives rejected rows; it may be gone.
        error_table_target_id: Option<Id<Connector>> [filter];
        /// Whether it is processed.
        enabled: bool [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        wide::<Datamodel>("config", "config", WideKind::Json, "The structure of the data: its fields and their types.");
        to_one::<Datamodel, Connector>("sourceConnector", "id", "source_connector_id", "The connector whose data it shapes.");
        to_one::<Datamodel, Connector>("errorTableTarget", "id", "error_table_target_id", "The connector that receives rejected rows; null when none is set or it is gone.");
    }
}
