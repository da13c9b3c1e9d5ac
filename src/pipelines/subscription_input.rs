//! What clients say of pipeline subscriptions, and what they are answered.
//!
//! Not here: what is done (`subscription_mutation.rs`).

use async_graphql::{InputObject, Json, MaybeUndefined, SimpleObject};
use serde_json::Value;

use crate::core::id::Id;
use crate::core::scalars::Time;
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription};

/// A new subscription. It refers to a pipeline, a target connector or a datamodel at least, and to things of one env.
#[derive(InputObject, Clone)]
pub struct CreatePipelineSubscriptionInput {
    /// The name, 1 to 255 characters.
    pub name: String,
    /// The pipeline that it belongs to.
    pub pipeline_id: Option<Id<Pipeline>>,
    /// The datamodel that it delivers. Datamodel, target connector and target table together are taken by one subscription at most.
    pub datamodel_id: Option<Id<Datamodel>>,
    /// The connector that it delivers into.
    pub target_connector_id: Option<Id<Connector>>,
    /// The table that it writes, as the target spells it, at most 255 characters.
    pub target_table_name: Option<String>,
    /// How rows are written into the target: an object, without secrets (`VALIDATION` names them). Empty when it is left out.
    pub config: Option<Json<Value>>,
    /// The single-message transforms, a list in the order in which they run. A key is a reference to a secret, such as
    /// `{"$secret": "env:NAME"}`, never the key itself. Empty when it is left out.
    #[graphql(secret)]
    pub transform_config: Option<Json<Value>>,
    /// Whether rejected rows go to an error table, which then has a name.
    #[graphql(default)]
    pub error_table_enabled: bool,
    /// The name of the error table, at most 255 characters.
    pub error_table_name: Option<String>,
    /// The target connector that receives rejected rows.
    pub error_table_target_id: Option<Id<Connector>>,
    /// The consumer group with which it reads, at most 255 characters; its own id when it is left out.
    pub consumer_id: Option<String>,
    /// Whether the worker of its target is asked to deliver everything again from the start.
    #[graphql(default)]
    pub backfill: bool,
    /// Whether it is processed. One that is not is enabled when its pipeline is started.
    #[graphql(default)]
    pub enabled: bool,
}

/// The new subscription.
#[derive(SimpleObject)]
pub struct CreatePipelineSubscriptionPayload {
    /// The subscription that was made.
    pub pipeline_subscription: PipelineSubscription,
}

/// What to change in a subscription. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does.
#[derive(InputObject, Clone)]
pub struct UpdatePipelineSubscriptionInput {
    /// The subscription.
    pub pipeline_subscription_id: Id<PipelineSubscription>,
    /// The new name, 1 to 255 characters.
    pub name: MaybeUndefined<String>,
    /// Another pipeline, or null to take it out of its pipeline.
    pub pipeline_id: MaybeUndefined<Id<Pipeline>>,
    /// The datamodel that it delivers, or null.
    pub datamodel_id: MaybeUndefined<Id<Datamodel>>,
    /// The connector that it delivers into, or null.
    pub target_connector_id: MaybeUndefined<Id<Connector>>,
    /// The table that it writes, as the target spells it, at most 255 characters, or null.
    pub target_table_name: MaybeUndefined<String>,
    /// How rows are written into the target: the whole object, without secrets (`VALIDATION` names them); `{}` empties it.
    pub config: MaybeUndefined<Json<Value>>,
    /// The single-message transforms: the whole list; `[]` empties it. A key is a reference to a secret, such as `{"$secret": "env:NAME"}`,
    /// never the key itself.
    #[graphql(secret)]
    pub transform_config: MaybeUndefined<Json<Value>>,
    /// Whether rejected rows go to an error table, which then has a name.
    pub error_table_enabled: MaybeUndefined<bool>,
    /// The name of the error table, at most 255 characters, or null.
    pub error_table_name: MaybeUndefined<String>,
    /// The target connector that receives rejected rows, or null.
    pub error_table_target_id: MaybeUndefined<Id<Connector>>,
    /// The consumer group with which it reads, at most 255 characters; null makes it its own id.
    pub consumer_id: MaybeUndefined<String>,
    /// Switching it on asks the worker of its target to deliver everything again from the start; the worker confirms, which
    /// switches it off. Switching it off before that withdraws the request.
    pub backfill: MaybeUndefined<bool>,
    /// Whether it is processed.
    pub enabled: MaybeUndefined<bool>,
    /// The `updatedAt` that was read with the subscription; when it has changed since, `CONFLICT` and nothing is written. Null does not ask.
    pub updated_at: Option<Time>,
}

/// The changed subscription.
#[derive(SimpleObject)]
pub struct UpdatePipelineSubscriptionPayload {
    /// The subscription as it is now.
    pub pipeline_subscription: PipelineSubscription,
}

/// Which subscription to delete.
#[derive(InputObject, Clone)]
pub struct DeletePipelineSubscriptionInput {
    /// The subscription.
    pub pipeline_subscription_id: Id<PipelineSubscription>,
    /// The `updatedAt` that was read with the subscription; when it has changed since, `CONFLICT` and nothing is deleted.
    pub updated_at: Option<Time>,
}

/// The deleted subscription.
#[derive(SimpleObject)]
pub struct DeletePipelineSubscriptionPayload {
    /// The subscription as it was.
    pub pipeline_subscription: PipelineSubscription,
}
