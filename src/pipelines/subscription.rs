//! Pipeline subscriptions: one delivery into one target table.

use crate::core::entity::{WideKind, to_one, wide};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::pipelines::connector::OWNED;
use crate::pipelines::{Connector, Datamodel, Pipeline, datamodel};
use chrono::{DateTime, Utc};

/// Its pipeline's team, else its target connector's, else its datamodel's (domain.md section 1).
pub(crate) const SCOPE: Scope = Scope::FirstOf(&[
    ("pipeline_id", Scope::Through { column: "pipeline_id", table: "pipeline", scope: &OWNED }),
    ("target_connector_id", Scope::Through { column: "target_connector_id", table: "connector", scope: &OWNED }),
    ("datamodel_id", Scope::Through { column: "datamodel_id", table: "datamodel", scope: &datamodel::SCOPE }),
]);

entity! {
    /// One delivery: how a datamodel's rows are transformed and written into one target table. Its
    /// identity is the datamodel, the target connector and the target table together.
    PipelineSubscription in "subscription";
    scope: SCOPE;
    order: "created_at" Asc;
    columns {
        /// The name.
        name: String [order, search, filter];
        /// The pipeline it belongs to.
        pipeline_id: Option<Id<Pipeline>> [filter];
        /// The datamodel it delivers.
        datamodel_id: Option<Id<Datamodel>> [filter];
        /// The connector it delivers into.
        target_connector_id: Option<Id<Connector>> [filter];
        /// Whether rejected rows go to an error table.
        error_table_enabled: bool [filter];
        /// The name of the error table.
        error_table_name: Option<String>;
        /// The connector that receives rejected rows; it may be gone.
        error_table_target_id: Option<Id<Connector>> [filter];
        /// The table it writes.
        target_table_name: Option<String> [order, filter];
        /// The consumer group with which it reads; its own id unless set.
        consumer_id: Option<String>;
        /// Whether a reload from the start is asked for and not yet confirmed.
        backfill: bool [filter];
        /// Whether it is processed.
        enabled: bool [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        wide::<PipelineSubscription>("config", "config", WideKind::Json, "How rows are written into the target.");
        wide::<PipelineSubscription>("transformConfig", "transform_config", WideKind::Json, "The single-message transforms, in order.");
        to_one::<PipelineSubscription, Pipeline>("pipeline", "id", "pipeline_id", "The pipeline it belongs to.");
        to_one::<PipelineSubscription, Datamodel>("datamodel", "id", "datamodel_id", "The datamodel it delivers.");
        to_one::<PipelineSubscription, Connector>("targetConnector", "id", "target_connector_id", "The connector it delivers into.");
        to_one::<PipelineSubscription, Connector>("errorTableTarget", "id", "error_table_target_id", "The connector that receives rejected rows; null when none is set or it is gone.");
    }
}
