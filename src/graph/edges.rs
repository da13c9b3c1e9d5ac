//! Every edge that leads against a foreign key, one line each, grouped by the parent.
//!
//! A row does not know who points at it, so these do not stand in the entities' files.

use crate::access::{Env, Team, User};
use crate::core::entity::{ColumnType as _, FieldDef, Reverse, to_many};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, Worker};

macro_rules! edges {
    ($($parent:ident { $($field:expr;)* })*) => {
        $(impl Reverse for $parent {
            const REVERSE: &'static [&'static dyn FieldDef<Self>] = &[$(&$field),*];
        })*
    };
}

edges! {
    Env {
        to_many::<Env, Team>("teams", "env_id", |env| env.id.bind(), "The teams of the env.");
        to_many::<Env, Connector>("connectors", "env_id", |env| env.id.bind(), "The connectors of its teams.");
        to_many::<Env, Pipeline>("pipelines", "env_id", |env| env.id.bind(), "The pipelines of its teams.");
        to_many::<Env, User>("usersActiveHere", "active_env_id", |env| env.id.bind(), "The users whose interface last had this env selected.");
    }
    Team {
        to_many::<Team, Connector>("connectors", "team_id", |team| team.id.bind(), "The connectors it owns.");
        to_many::<Team, Pipeline>("pipelines", "team_id", |team| team.id.bind(), "The pipelines it owns.");
    }
    User {}
    Connector {
        to_many::<Connector, Datamodel>("datamodels", "source_connector_id", |row| row.id.bind(), "The datamodels that shape its data.");
        to_many::<Connector, Datamodel>("datamodelsAsErrorTarget", "error_table_target_id", |row| row.id.bind(), "The datamodels whose rejected rows it receives.");
        to_many::<Connector, Pipeline>("pipelinesAsSource", "source_connector_id", |row| row.id.bind(), "The pipelines that read from it.");
        to_many::<Connector, Pipeline>("pipelinesAsTarget", "target_connector_id", |row| row.id.bind(), "The pipelines that write to it.");
        to_many::<Connector, PipelineSubscription>("pipelineSubscriptions", "target_connector_id", |row| row.id.bind(), "The deliveries into it.");
        to_many::<Connector, PipelineSubscription>("pipelineSubscriptionsAsErrorTarget", "error_table_target_id", |row| row.id.bind(), "The deliveries whose rejected rows it receives.");
    }
    Datamodel {
        to_many::<Datamodel, Pipeline>("pipelines", "datamodel_id", |row| row.id.bind(), "The pipelines that carry it.");
        to_many::<Datamodel, PipelineSubscription>("pipelineSubscriptions", "datamodel_id", |row| row.id.bind(), "The deliveries of it.");
    }
    Pipeline {
        to_many::<Pipeline, PipelineSubscription>("pipelineSubscriptions", "pipeline_id", |row| row.id.bind(), "Its deliveries.");
    }
    PipelineSubscription {}
    Worker {}
}
