//! The only place that sees all areas: the roots, the edges that lead against the foreign keys, `Node`.

mod edges;
mod entity_live;
mod entity_type;
mod node;
mod roots;
mod server_info;

pub use entity_live::EntityFeed;
pub use node::{ENTITIES, ErasedEntity, Node};
pub use server_info::OidcOffered;

use async_graphql::{MergedObject, MergedSubscription, Schema, SchemaBuilder};

use crate::access::{
    AccountTokenMutation, ControlPlaneMutation, ControlPlaneQuery, EnvMemberMutation, EnvMutation, EnvRequestMutation, InvitationMutation,
    LoginMutation, PasswordMutation, RequestSubscription, ServiceAccountMutation, TeamMemberMutation, TeamMutation, TeamRequestMutation,
    UserMutation, ViewerQuery,
};
use crate::operations::{
    ConnectorEndMutation, DirectiveSubscription, LicenseMutation, PipelineRunMutation, SyncMutation, SyncReportMutation, SyncSubscription,
    SyncTableMutation, WorkerReportMutation,
};
use crate::pipelines::{
    BackfillMutation, ConfigurationMutation, ConfigurationQuery, ConnectorMutation, ConnectorTestMutation, ConnectorTypeQuery,
    DatamodelMutation, PipelineMutation, PipelineStateQuery, PipelineStateSubscription, PipelineSubscriptionMutation, TransformQuery,
    WorkerMutation, WorkerSubscription, WorkerTokenMutation,
};
use crate::registry::{ComparisonQuery, RegistryMutation, SubjectQuery};
use crate::throughput::{ConsumptionReportMutation, ProductionReportMutation, ThroughputQuery, ThroughputSubscription};

/// Everything that can be read.
#[derive(MergedObject, Default)]
pub struct Query(
    roots::Lists,
    SubjectQuery,
    ComparisonQuery,
    TransformQuery,
    ThroughputQuery,
    ViewerQuery,
    ControlPlaneQuery,
    PipelineStateQuery,
    ConfigurationQuery,
    ConnectorTypeQuery,
    node::NodeQuery,
    server_info::ServerInfoQuery,
);

/// Who belongs where.
#[derive(MergedObject, Default)]
pub struct Memberships(EnvMemberMutation, TeamMemberMutation, EnvRequestMutation, TeamRequestMutation, InvitationMutation);

/// What workers report of what moved.
#[derive(MergedObject, Default)]
pub struct ThroughputReports(ProductionReportMutation, ConsumptionReportMutation);

/// What flows where.
#[derive(MergedObject, Default)]
pub struct Flows(
    DatamodelMutation,
    PipelineMutation,
    PipelineSubscriptionMutation,
    PipelineRunMutation,
    BackfillMutation,
    ConfigurationMutation,
);

/// What is read from and written to.
#[derive(MergedObject, Default)]
pub struct Connectors(ConnectorMutation, ConnectorTestMutation, ConnectorEndMutation);

/// What is asked of syncs.
#[derive(MergedObject, Default)]
pub struct Syncs(SyncMutation, SyncTableMutation);

/// What workers say.
#[derive(MergedObject, Default)]
pub struct Reports(WorkerReportMutation, SyncReportMutation);

/// Everything that can be changed.
#[derive(MergedObject, Default)]
pub struct Mutation(
    LoginMutation,
    PasswordMutation,
    UserMutation,
    EnvMutation,
    TeamMutation,
    Memberships,
    ControlPlaneMutation,
    Flows,
    Connectors,
    WorkerMutation,
    Syncs,
    Reports,
    ServiceAccountMutation,
    AccountTokenMutation,
    WorkerTokenMutation,
    LicenseMutation,
    RegistryMutation,
    ThroughputReports,
);

/// Everything that is pushed.
#[derive(MergedSubscription, Default)]
pub struct Subscription(
    WorkerSubscription,
    SyncSubscription,
    DirectiveSubscription,
    ThroughputSubscription,
    PipelineStateSubscription,
    RequestSubscription,
    entity_live::EntitySubscription,
);

/// The schema of the API.
pub type Graph = Schema<Query, Mutation, Subscription>;

/// The schema with nothing attached to it: enough to print and to validate documents.
#[must_use]
pub fn schema() -> Graph {
    builder().finish()
}

/// The schema before it is finished, for whoever sets bounds on documents.
#[must_use]
pub fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription::default()).register_output_type::<Node>()
}

/// The schema in GraphQL's own language, as `schema.graphql` and `GET /schema.graphql` have it.
#[must_use]
pub fn sdl(graph: &Graph) -> String {
    graph.sdl()
}
