//! Making, changing and deleting pipeline subscriptions.
//!
//! Always holds: datamodel, target connector and target table are the identity, which the database keeps; whatever a user
//! changes here raises the version of the pipeline, of the old and the new one when it moves. Not here: the inputs
//! (`subscription_input.rs`), backfills (`backfill.rs`).

use async_graphql::{Context, Json, MaybeUndefined, Object};
use serde_json::{Value, json};

use crate::core::audit::About;
use crate::core::entity::{ColumnType as _, Entity as _};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Proof, RightBasis};
use crate::core::sql::Bind;
use crate::core::values::Values;
use crate::core::verb::Verb;
use crate::core::viewer::Right;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::error_table::{ErrorTable, LONGEST_LINE, new};
use crate::pipelines::pipeline_mutation::{owner, raise_version};
use crate::pipelines::reference::{Named, References, glance, overtaken, owner_of};
use crate::pipelines::subscription_input::{
    CreatePipelineSubscriptionInput, CreatePipelineSubscriptionPayload, DeletePipelineSubscriptionInput, DeletePipelineSubscriptionPayload,
    UpdatePipelineSubscriptionInput, UpdatePipelineSubscriptionPayload,
};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, document};

/// The longest name of a subscription, in characters.
const LONGEST_NAME: usize = 255;
/// Who could not be told who owns it.
const FORLORN: &str = "It refers to a pipeline, a target connector or a datamodel at least; else it would belong to nobody.";

/// The mutations of pipeline subscriptions.
#[derive(Default)]
pub struct PipelineSubscriptionMutation;

#[Object]
impl PipelineSubscriptionMutation {
    /// Makes a subscription: one delivery of a datamodel into one table of a target. For those who may change all that it
    /// refers to. `CONFLICT` when another delivers the datamodel into this table already. Raises the pipeline's version.
    async fn create_pipeline_subscription(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new subscription.")] input: CreatePipelineSubscriptionInput,
    ) -> Result<CreatePipelineSubscriptionPayload> {
        let pipeline_subscription = write(ctx, input).await?;
        Ok(CreatePipelineSubscriptionPayload { pipeline_subscription })
    }

    /// Changes a subscription. For members of the team that owns it: its pipeline's, else its target connector's, else its
    /// datamodel's. `CONFLICT` when another delivers the datamodel into this table already. Raises the pipeline's version.
    async fn update_pipeline_subscription(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdatePipelineSubscriptionInput,
    ) -> Result<UpdatePipelineSubscriptionPayload> {
        let pipeline_subscription = write(ctx, input).await?;
        Ok(UpdatePipelineSubscriptionPayload { pipeline_subscription })
    }

    /// Deletes a subscription; what it has delivered stays, as do its metrics. Raises the pipeline's version.
    async fn delete_pipeline_subscription(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which subscription to delete.")] input: DeletePipelineSubscriptionInput,
    ) -> Result<DeletePipelineSubscriptionPayload> {
        let pipeline_subscription = write(ctx, input).await?;
        Ok(DeletePipelineSubscriptionPayload { pipeline_subscription })
    }
}

/// What a new subscription refers to, and which of it decides who owns it.
pub struct NewSubscription {
    references: References,
    stake: RightBasis,
}

impl Proof for NewSubscription {
    fn stake(&self) -> RightBasis {
        self.stake.clone()
    }
}

impl Mutation for CreatePipelineSubscriptionInput {
    type Proof = NewSubscription;
    type Answer = PipelineSubscription;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<NewSubscription> {
        let (owner, stake) = match (self.pipeline_id, self.target_connector_id, self.datamodel_id) {
            (Some(id), ..) => ("pipelineId", RightBasis::on::<Pipeline>(id.uuid(), Right::Change)),
            (_, Some(id), _) => ("targetConnectorId", RightBasis::on::<Connector>(id.uuid(), Right::Change)),
            (.., Some(id)) => ("datamodelId", RightBasis::on::<Datamodel>(id.uuid(), Right::Change)),
            _ => {
                let mut violations = Violations::default();
                violations.add("pipelineId", FORLORN);
                drop(self.clone().fields().values(&mut violations, Id::random(), (false, false)));
                return Err(violations.refusal());
            }
        };
        let target = Named::target("targetConnectorId", self.target_connector_id);
        let errors = Named::target("errorTableTargetId", self.error_table_target_id);
        let mut references = References::connectors(w, [target, errors]).await?;
        references.datamodel(w, "datamodelId", self.datamodel_id).await?;
        if let Some(pipeline) = self.pipeline_id {
            enter(w, &mut references, pipeline).await?;
        }
        references.found(Ok(()), |violations, _| drop(self.clone().fields().values(violations, Id::random(), (false, false))))?;
        references.led_by(owner);
        Ok(NewSubscription { references, stake })
    }

    async fn apply(self, w: &mut Write, proof: NewSubscription) -> Result<PipelineSubscription> {
        let mut violations = proof.references.together();
        let (id, entered) = (Id::<PipelineSubscription>::random(), self.pipeline_id);
        let values = self.fields().values(&mut violations, id, (false, false));
        violations.none()?;
        let subscription = w.insert(id, &values).await?;
        raise_version(w, entered.into_iter().collect()).await?;
        record(w, Verb::Create, &subscription, &values.names()).await?;
        Ok(subscription)
    }
}

impl CreatePipelineSubscriptionInput {
    fn fields(self) -> Fields {
        Fields {
            name: MaybeUndefined::Value(self.name),
            pipeline: new(self.pipeline_id),
            datamodel: new(self.datamodel_id),
            target: new(self.target_connector_id),
            table: new(self.target_table_name),
            config: MaybeUndefined::Value(self.config.unwrap_or_else(|| Json(json!({})))),
            transforms: MaybeUndefined::Value(self.transform_config.unwrap_or_else(|| Json(json!([])))),
            error_table: ErrorTable {
                enabled: MaybeUndefined::Value(self.error_table_enabled),
                name: new(self.error_table_name),
                target: new(self.error_table_target_id),
            },
            consumer_id: new(self.consumer_id),
            backfill: MaybeUndefined::Value(self.backfill),
            enabled: MaybeUndefined::Value(self.enabled),
        }
    }
}

impl UpdatePipelineSubscriptionInput {
    fn fields(self) -> Fields {
        Fields {
            name: self.name,
            pipeline: self.pipeline_id,
            datamodel: self.datamodel_id,
            target: self.target_connector_id,
            table: self.target_table_name,
            config: self.config,
            transforms: self.transform_config,
            error_table: ErrorTable { enabled: self.error_table_enabled, name: self.error_table_name, target: self.error_table_target_id },
            consumer_id: self.consumer_id,
            backfill: self.backfill,
            enabled: self.enabled,
        }
    }
}

/// A subscription that may be changed, with its pipeline locked, and what it is to refer to.
pub struct Changing {
    subscription: Held<PipelineSubscription, Changeable>,
    references: References,
}

impl Proof for Changing {
    fn stake(&self) -> RightBasis {
        self.subscription.stake()
    }
}

impl Changing {
    /// The subscription with this id, after `references` and the pipelines, which come first in the order of locks.
    async fn of(w: &mut Write, id: Id<PipelineSubscription>, mut references: References, into: Option<Id<Pipeline>>) -> Result<Self> {
        let field = "pipelineSubscriptionId";
        let seen = glance(w, id, field).await?;
        let mut pipelines: Vec<Id<Pipeline>> = [seen.pipeline_id, into].into_iter().flatten().collect();
        pipelines.sort_by_key(|id| id.uuid());
        pipelines.dedup();
        for pipeline in pipelines {
            if Some(pipeline) == into && into != seen.pipeline_id {
                enter(w, &mut references, pipeline).await?;
            } else {
                // Whoever may change the subscription may change its pipeline, which owns it.
                w.change(pipeline, field).await?;
            }
        }
        let subscription = w.change(id, field).await?;
        if subscription.pipeline_id != seen.pipeline_id {
            return Err(overtaken().field(field));
        }
        Ok(Self { subscription, references })
    }
}

/// Locks the pipeline that a subscription enters.
async fn enter(w: &mut Write, references: &mut References, pipeline: Id<Pipeline>) -> Result<()> {
    let pipeline = w.change(pipeline, "pipelineId").await;
    if let Some(pipeline) = references.admit(pipeline)? {
        references.add("pipelineId", Pipeline::NAME, vec![owner(&pipeline)]);
    }
    Ok(())
}

impl Mutation for UpdatePipelineSubscriptionInput {
    type Proof = Changing;
    type Answer = PipelineSubscription;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Changing> {
        let target = Named::target("targetConnectorId", self.target_connector_id.value().copied());
        let errors = ErrorTable::named(&self.error_table_target_id);
        let mut references = References::connectors(w, [target, errors]).await?;
        references.datamodel(w, "datamodelId", self.datamodel_id.value().copied()).await?;
        let mut changing = Changing::of(w, self.pipeline_subscription_id, references, self.pipeline_id.value().copied()).await?;
        // What it keeps says where it stands.
        let Changing { subscription, references } = &mut changing;
        references
            .found(Ok(()), |violations, _| drop(self.clone().fields().values(violations, subscription.id, error_table_of(subscription))))?;
        if self.pipeline_id.is_undefined() || self.pipeline_id.value().copied() == subscription.pipeline_id {
            references.keeps(w, subscription.pipeline_id).await?;
        }
        if self.target_connector_id.is_undefined() {
            references.keeps(w, subscription.target_connector_id).await?;
        }
        if self.datamodel_id.is_undefined() {
            references.keeps(w, subscription.datamodel_id).await?;
        }
        Ok(changing)
    }

    async fn apply(self, w: &mut Write, Changing { subscription, references }: Changing) -> Result<PipelineSubscription> {
        subscription.unchanged_since(self.updated_at)?;
        let mut violations = references.together();
        let values = self.fields().values(&mut violations, subscription.id, error_table_of(&subscription));
        if forlorn(&subscription, &values) {
            violations.add("pipelineId", FORLORN);
        }
        violations.none()?;
        let values = w.differing(&subscription, values).await?;
        if values.is_empty() {
            return Ok(subscription.into_row());
        }
        let left = subscription.pipeline_id;
        let subscription = w.put(&subscription, &values).await?;
        raise_version(w, [left, subscription.pipeline_id].into_iter().flatten().collect()).await?;
        record(w, Verb::Update, &subscription, &values.names()).await?;
        Ok(subscription)
    }
}

impl Mutation for DeletePipelineSubscriptionInput {
    type Proof = Changing;
    type Answer = PipelineSubscription;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Changing> {
        Changing::of(w, self.pipeline_subscription_id, References::default(), None).await
    }

    async fn apply(self, w: &mut Write, Changing { subscription, .. }: Changing) -> Result<PipelineSubscription> {
        subscription.unchanged_since(self.updated_at)?;
        record(w, Verb::Delete, &subscription, &[]).await?;
        w.delete(&subscription).await?;
        raise_version(w, subscription.pipeline_id.into_iter().collect()).await?;
        Ok(subscription.into_row())
    }
}

/// Whether its error table is enabled, and whether it has a name.
const fn error_table_of(subscription: &PipelineSubscription) -> (bool, bool) {
    (subscription.error_table_enabled, subscription.error_table_name.is_some())
}

/// Whether it would refer to nothing any more that says who owns it, where it did before.
fn forlorn(now: &PipelineSubscription, values: &Values) -> bool {
    let owners = [
        ("pipelineId", now.pipeline_id.bind()),
        ("targetConnectorId", now.target_connector_id.bind()),
        ("datamodelId", now.datamodel_id.bind()),
    ];
    let owned_before = owners.iter().any(|(_, bind)| *bind != Bind::Null);
    owned_before && owners.iter().all(|(name, bind)| *values.get(name).unwrap_or(bind) == Bind::Null)
}

/// What is written of a subscription.
struct Fields {
    name: MaybeUndefined<String>,
    pipeline: MaybeUndefined<Id<Pipeline>>,
    datamodel: MaybeUndefined<Id<Datamodel>>,
    target: MaybeUndefined<Id<Connector>>,
    table: MaybeUndefined<String>,
    config: MaybeUndefined<Json<Value>>,
    transforms: MaybeUndefined<Json<Value>>,
    error_table: ErrorTable,
    consumer_id: MaybeUndefined<String>,
    backfill: MaybeUndefined<bool>,
    enabled: MaybeUndefined<bool>,
}

impl Fields {
    fn values(self, violations: &mut Violations, id: Id<PipelineSubscription>, error_table_was: (bool, bool)) -> Values {
        let mut values = Values::default();
        let name = violations.kept("name", self.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        values.given("name", name.as_ref());
        values.maybe("pipelineId", &self.pipeline);
        values.maybe("datamodelId", &self.datamodel);
        values.maybe("targetConnectorId", &self.target);
        values.line(violations, "targetTableName", &self.table, LONGEST_LINE);
        self.error_table.write(violations, &mut values, error_table_was);
        match self.consumer_id {
            MaybeUndefined::Null => values.set("consumerId", Bind::Text(id.to_string())),
            given => values.line(violations, "consumerId", &given, LONGEST_LINE),
        }
        values.given("backfill", violations.kept("backfill", self.backfill).as_ref());
        values.given("enabled", violations.kept("enabled", self.enabled).as_ref());
        if let Some(Json(config)) = violations.kept("config", self.config) {
            document::settings(violations, "config", &config);
            values.document("config", "config", Some(&config));
        }
        if let Some(Json(transforms)) = violations.kept("transformConfig", self.transforms) {
            document::transforms(violations, "transformConfig", &transforms);
            values.document("transformConfig", "transform_config", Some(&transforms));
        }
        values
    }
}

async fn record(w: &mut Write, verb: Verb, subscription: &PipelineSubscription, fields: &[&'static str]) -> Result<()> {
    let owner = owner_of(w, subscription.id).await?;
    w.record(verb, About::row(subscription.id).name(Some(&subscription.name)).owner(owner).fields(fields)).await
}
