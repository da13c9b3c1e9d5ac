//! Every edge that leads against a foreign key, one line each, grouped by the parent.
//!
//! A row does not know who points at it, so these do not stand in the entities' files.

use crate::access::{Env, EnvMember, EnvRequest, ServiceAccount, Team, TeamMember, TeamRequest, User};
use crate::core::entity::{FieldDef, Reverse, computed, to_many, to_one};
use crate::core::scalars::BigInt;
use crate::operations::{
    IdempotencyRecord, LicenseState, SyncRun, SyncRunEnd, SyncTable, TABLE_SYNCS, UserLog, current_run, last_failed_run, last_run,
};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, Worker, WorkerTransition};
use crate::registry::{SchemaDocument, SchemaVersion};
use crate::throughput::{
    self, Consumption, ConsumptionMetric, ConsumptionMetricDaily, Production, ProductionMetric, ProductionMetricDaily, Throughput,
    over_time,
};

macro_rules! edges {
    ($($parent:ident { $($field:expr;)* })*) => {
        $(impl Reverse for $parent {
            const REVERSE: &'static [&'static dyn FieldDef<Self>] = &[$(&$field),*];
        })*
    };
}

edges! {
    Env {
        to_many::<Env, EnvMember>("members", "env_id", "id", "The memberships of the env, each with its role.");
        to_many::<Env, EnvRequest>("requests", "env_id", "id", "The requests to join the env and the invitations to it, newest first.");
        to_many::<Env, Team>("teams", "env_id", "id", "The teams of the env.");
        to_many::<Env, Connector>("connectors", "env_id", "id", "The connectors of its teams.");
        to_many::<Env, Pipeline>("pipelines", "env_id", "id", "The pipelines of its teams.");
        over_time::<Env, Throughput>("throughput", throughput::of_env, "What the pipelines of its teams carried, of what you see.");
        to_many::<Env, User>("usersActiveHere", "active_env_id", "id", "The users whose interface last had this env selected.");
    }
    Team {
        to_many::<Team, TeamMember>("members", "team_id", "id", "The memberships of the team.");
        to_many::<Team, TeamRequest>("requests", "team_id", "id", "The requests to join the team and the invitations to it, newest first.");
        to_many::<Team, Connector>("connectors", "team_id", "id", "The connectors it owns.");
        to_many::<Team, Pipeline>("pipelines", "team_id", "id", "The pipelines it owns.");
        over_time::<Team, Throughput>("throughput", throughput::of_team, "What its pipelines carried.");
    }
    User {
        to_many::<User, EnvMember>("envMembers", "user_id", "id", "Their memberships of envs.");
        to_many::<User, TeamMember>("teamMembers", "user_id", "id", "Their memberships of teams.");
        to_many::<User, EnvRequest>("envRequestsSent", "from_user_id", "id", "The requests about envs that they wrote, newest first.");
        to_many::<User, EnvRequest>("envRequestsReceived", "to_user_id", "id", "The requests about envs that would make them a member, newest first.");
        to_many::<User, TeamRequest>("teamRequestsSent", "from_user_id", "id", "The requests about teams that they wrote, newest first.");
        to_many::<User, TeamRequest>("teamRequestsReceived", "to_user_id", "id", "The requests about teams that would make them a member, newest first.");
        to_one::<User, ServiceAccount>("serviceAccount", "user_id", "id", "The service account that acts as this user; null for a person, and for those who do not administer it.");
        to_many::<User, SyncRun>("syncRunsTriggered", "triggered_by_user_id", "id", "The sync runs that they started, newest first.");
        to_many::<User, UserLog>("logs", "user_id", "id", "What they did, as the audit log has it, newest first.");
        to_many::<User, UserLog>("logsAbout", "target_user_id", "id", "What others did about them, as the audit log has it, newest first.");
    }
    EnvMember {}
    TeamMember {}
    EnvRequest {}
    TeamRequest {}
    ServiceAccount {}
    Connector {
        to_many::<Connector, Datamodel>("datamodels", "source_connector_id", "id", "The datamodels that shape its data.");
        to_many::<Connector, Datamodel>("datamodelsAsErrorTarget", "error_table_target_id", "id", "The datamodels whose rejected rows it receives.");
        to_many::<Connector, Pipeline>("pipelinesAsSource", "source_connector_id", "id", "The pipelines that read from it.");
        to_many::<Connector, Pipeline>("pipelinesAsTarget", "target_connector_id", "id", "The pipelines that write to it.");
        to_many::<Connector, PipelineSubscription>("pipelineSubscriptions", "target_connector_id", "id", "The deliveries into it.");
        to_many::<Connector, PipelineSubscription>("pipelineSubscriptionsAsErrorTarget", "error_table_target_id", "id", "The deliveries whose rejected rows it receives.");
        to_many::<Connector, SyncRun>("syncRuns", "connector_id", "id", "The syncs of its tables, newest first.");
        to_many::<Connector, SyncRunEnd>("syncRunEnds", "connector_id", "id", "How the syncs of its tables ended, the latest first.");
        computed::<Connector, Option<SyncRun>>("currentSyncRun", |row, ctx| Box::pin(current_run(row, ctx)), "The sync that is under way; null when none is.");
        computed::<Connector, Option<SyncRun>>("lastSyncRun", |row, ctx| Box::pin(last_run(row, ctx)), "The latest sync that has ended; null when none has.");
        computed::<Connector, Option<SyncRun>>("lastFailedSyncRun", |row, ctx| Box::pin(last_failed_run(row, ctx)), "The latest sync that ended without having read all its tables, whatever came after it; one that a user cancelled is none. Null when none did.");
        TABLE_SYNCS;
    }
    Datamodel {
        to_many::<Datamodel, Pipeline>("pipelines", "datamodel_id", "id", "The pipelines that carry it.");
        to_many::<Datamodel, PipelineSubscription>("pipelineSubscriptions", "datamodel_id", "id", "The deliveries of it.");
        to_many::<Datamodel, ProductionMetric>("productionMetrics", "topic", "source_topic", "What was written to its source topic, as workers reported it, newest first.");
        to_many::<Datamodel, ProductionMetricDaily>("productionMetricsDaily", "topic", "source_topic", "What was written to its source topic, by closed day, newest first.");
        over_time::<Datamodel, Production>("production", throughput::of_datamodel, "The change events that were written to its source topic, over time.");
    }
    Pipeline {
        to_many::<Pipeline, PipelineSubscription>("pipelineSubscriptions", "pipeline_id", "id", "Its deliveries.");
        over_time::<Pipeline, Throughput>("throughput", throughput::of_pipeline, "What was written to the topics that it carries, as far as you see their datamodels, and what its deliveries took from them.");
    }
    PipelineSubscription {
        to_many::<PipelineSubscription, ConsumptionMetric>("consumptionMetrics", "subscription_id", "id", "What it delivered, as workers reported it, newest first.");
        to_many::<PipelineSubscription, ConsumptionMetricDaily>("consumptionMetricsDaily", "subscription_id", "id", "What it delivered, by closed day, newest first.");
        over_time::<PipelineSubscription, Consumption>("consumption", throughput::of_subscription, "What it read and delivered, over time.");
        computed::<PipelineSubscription, Option<BigInt>>("consumerLag", |row, ctx| Box::pin(throughput::lag_of_subscription(row, ctx)), "Records still waiting in its topic, as last measured within five minutes; null when that is unknown.");
    }
    Worker {}
    WorkerTransition {}
    SchemaDocument {
        to_many::<SchemaDocument, SchemaVersion>("versions", "schema_id", "id", "The versions of subjects that stand for it, highest number first.");
    }
    SchemaVersion {}
    ProductionMetric {}
    ProductionMetricDaily {}
    ConsumptionMetric {}
    ConsumptionMetricDaily {}
    SyncRun {
        to_many::<SyncRun, SyncTable>("syncTables", "sync_run_id", "id", "Its tables, in the order of the queue.");
    }
    SyncTable {}
    SyncRunEnd {}
    UserLog {}
    LicenseState {}
    IdempotencyRecord {}
}
