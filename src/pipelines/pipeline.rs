//! Pipelines: one configured flow from a source to a target.

use crate::access::{Env, Team};
use crate::core::entity::{Column, WideKind, computed, to_one, wide};
use crate::core::id::Id;
use crate::entity;
use crate::pipelines::connector::OWNED;
use crate::pipelines::pipeline_state::{DegradedPart, PipelineHealth, PipelineState, standing};
use crate::pipelines::{Connector, Datamodel};
use chrono::{DateTime, Utc};

entity! {
    /// One configured flow from a source connector to a target connector.
    Pipeline in "pipeline";
    scope: OWNED;
    order: "created_at" Asc;
    columns {
        /// The name, unique within the env.
        name: Option<String> [order, search, filter];
        /// Starts at 1 and rises by one with every mutation that changes the pipeline or any of its subscriptions, also by starting
        /// or pausing it. Changes of its connectors and datamodels, moves of its team and what workers report never raise it.
        version: i32 [order];
        /// Whether it has a source, a target and at least one subscription with a datamodel, a target connector and a target table.
        is_completed: bool [filter];
        /// The team that owns it.
        team_id: Id<Team> [filter];
        /// The env that its team lives in.
        env_id: Option<Id<Env>> [filter];
        /// The connector it reads from.
        source_connector_id: Option<Id<Connector>> [filter];
        /// The connector it writes to.
        target_connector_id: Option<Id<Connector>> [filter];
        /// The datamodel it carries.
        datamodel_id: Option<Id<Datamodel>> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        wide::<Pipeline>("jsonConfiguration", "json_configuration", WideKind::Json, "The pipeline's own settings.");
        wide::<Pipeline>("errorTableConfig", "error_table_config", WideKind::Json, "Where rejected rows go, when that is configured.").nullable();
        computed::<Pipeline, PipelineState>("state", |row, ctx| Box::pin(async move { Ok(standing(row, ctx).await?.state) }), "What it is doing, from what it consists of and from its two workers.");
        computed::<Pipeline, PipelineHealth>("health", |row, ctx| Box::pin(async move { Ok(standing(row, ctx).await?.health()) }), "What its two workers say of it together.");
        computed::<Pipeline, Vec<DegradedPart>>("degradedParts", |row, ctx| Box::pin(async move { Ok(standing(row, ctx).await?.degraded()) }), "The parts with which something is wrong, the source first; empty unless `health` is DEGRADED.");
        to_one::<Pipeline, Team>("team", "id", "team_id", "The team that owns it.");
        to_one::<Pipeline, Env>("env", "id", "env_id", "The env that its team lives in.");
        to_one::<Pipeline, Connector>("sourceConnector", "id", "source_connector_id", "The connector it reads from.");
        to_one::<Pipeline, Connector>("targetConnector", "id", "target_connector_id", "The connector it writes to.");
        to_one::<Pipeline, Datamodel>("datamodel", "id", "datamodel_id", "The datamodel it carries.");
    }
    conditions {
        Column::computed::<PipelineState>("state", "(select s.state from pumphouse.pipeline_state s where s.pipeline_id = t.id)", "What it is doing, from what it consists of and from its two workers.");
    }
}
