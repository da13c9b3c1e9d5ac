//! Making, changing and deleting pipelines.
//!
//! Always holds: the version rises by one with every mutation that changes the pipeline's row or any of its subscriptions, and
//! with nothing else (domain.md section 2). Whether it is completed is the database's to say (migration 0032). Not here:
//! starting and pausing (`pipeline_run.rs`).

use async_graphql::{Context, InputObject, Json, MaybeUndefined, Object, SimpleObject};
use serde_json::{Value, json};

use crate::access::Team;
use crate::core::audit::About;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Parent, Proof, RightBasis};
use crate::core::sql::{Bind, Sql};
use crate::core::values::Values;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::error_table::new;
use crate::pipelines::pipeline_run::{self, running_workers};
use crate::pipelines::reference::{Named, References};
use crate::pipelines::{Connector, Datamodel, Pipeline, Worker, document};

/// The longest name of a pipeline, in characters.
const LONGEST_NAME: usize = 100;

/// The mutations of pipelines.
#[derive(Default)]
pub struct PipelineMutation;

/// A new pipeline.
#[derive(InputObject, Clone)]
pub struct CreatePipelineInput {
    /// The team that owns it.
    pub team_id: Id<Team>,
    /// The name, 1 to 100 characters, unique within the env.
    pub name: String,
    /// The connector that it reads from, in the same env; without one it is a draft.
    pub source_connector_id: Option<Id<Connector>>,
    /// The connector that it writes to, in the same env; without one it is a draft.
    pub target_connector_id: Option<Id<Connector>>,
    /// The datamodel that it carries, in the same env.
    pub datamodel_id: Option<Id<Datamodel>>,
    /// The pipeline's own settings: an object, without secrets (`VALIDATION` names them). Empty when it is left out.
    pub json_configuration: Option<Json<Value>>,
    /// Where rejected rows go: an object. Whatever in it is a UUID names a target connector in the same env.
    pub error_table_config: Option<Json<Value>>,
}

/// The new pipeline.
#[derive(SimpleObject)]
pub struct CreatePipelinePayload {
    /// The pipeline that was made; version 1, and a draft until it has a subscription that is complete.
    pub pipeline: Pipeline,
}

/// What to change in a pipeline. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does.
#[derive(InputObject, Clone)]
pub struct UpdatePipelineInput {
    /// The pipeline.
    pub pipeline_id: Id<Pipeline>,
    /// The `version` that was read; when it has changed since, `CONFLICT` with the present one in `details.version`, and
    /// nothing is written. Null does not ask.
    pub expected_version: Option<i32>,
    /// The new name, 1 to 100 characters, unique within the env.
    pub name: MaybeUndefined<String>,
    /// The connector that it reads from, in the same env; null makes it a draft.
    pub source_connector_id: MaybeUndefined<Id<Connector>>,
    /// The connector that it writes to, in the same env; null makes it a draft.
    pub target_connector_id: MaybeUndefined<Id<Connector>>,
    /// The datamodel that it carries, in the same env; null for none.
    pub datamodel_id: MaybeUndefined<Id<Datamodel>>,
    /// The whole of the pipeline's own settings: an object, without secrets (`VALIDATION` names them); `{}` empties them.
    pub json_configuration: MaybeUndefined<Json<Value>>,
    /// Where rejected rows go: an object, or null to say so no more. Whatever in it is a UUID names a target connector in the same env.
    pub error_table_config: MaybeUndefined<Json<Value>>,
}

/// The changed pipeline.
#[derive(SimpleObject)]
pub struct UpdatePipelinePayload {
    /// The pipeline as it is now, its version one higher when something changed.
    pub pipeline: Pipeline,
}

/// Which pipeline to delete.
#[derive(InputObject, Clone)]
pub struct DeletePipelineInput {
    /// The pipeline.
    pub pipeline_id: Id<Pipeline>,
    /// The `version` that was read; when it has changed since, `CONFLICT` with the present one in `details.version`, and
    /// nothing is deleted.
    pub expected_version: Option<i32>,
    /// Whether its subscriptions are deleted with it. Else they stay, disabled and without a pipeline.
    #[graphql(default)]
    pub with_subscriptions: bool,
}

/// The deleted pipeline.
#[derive(SimpleObject)]
pub struct DeletePipelinePayload {
    /// The pipeline as it was.
    pub pipeline: Pipeline,
    /// The workers of its connectors that you see and that still run: deleting a pipeline stops none.
    pub workers_left_running: Vec<Worker>,
}

#[Object]
impl PipelineMutation {
    /// Makes a pipeline in a team. For its members, and the admins of its env.
    async fn create_pipeline(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new pipeline.")] input: CreatePipelineInput,
    ) -> Result<CreatePipelinePayload> {
        let pipeline = write(ctx, input).await?;
        Ok(CreatePipelinePayload { pipeline })
    }

    /// Changes a pipeline. For members of its team, and the admins of its env.
    async fn update_pipeline(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdatePipelineInput,
    ) -> Result<UpdatePipelinePayload> {
        let pipeline = write(ctx, input).await?;
        Ok(UpdatePipelinePayload { pipeline })
    }

    /// Deletes a pipeline and ends its deliveries. Its connectors and datamodels stay, and workers go on that run; pause it first
    /// to stop those that nothing else needs.
    async fn delete_pipeline(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which pipeline to delete.")] input: DeletePipelineInput,
    ) -> Result<DeletePipelinePayload> {
        write(ctx, input).await
    }
}

/// The team that a pipeline is made in, and what it is to refer to.
pub struct NewPipeline {
    team: Held<Team, Parent>,
    references: References,
}

impl Proof for NewPipeline {
    fn stake(&self) -> RightBasis {
        self.team.stake()
    }
}

impl Mutation for CreatePipelineInput {
    type Proof = NewPipeline;
    type Answer = Pipeline;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<NewPipeline> {
        let team = w.parent(self.team_id, "teamId").await;
        let ends = (self.source_connector_id, self.target_connector_id, self.datamodel_id);
        let mut references = refer(w, ends, self.error_table_config.as_ref()).await?;
        let team = references.found(team, |violations, _| drop(self.clone().fields().values(violations)))?;
        references.stands(vec![Owner { team: Some(team.id.uuid()), env: team.env_id.map(Id::uuid) }]);
        Ok(NewPipeline { team, references })
    }

    async fn apply(self, w: &mut Write, NewPipeline { team, references }: NewPipeline) -> Result<Pipeline> {
        let mut violations = references.together();
        let mut values = self.fields().values(&mut violations);
        violations.none()?;
        values.given("teamId", Some(&team.id));
        let fields = values.names();
        values.set("version", Bind::Int(1));
        let id = Id::<Pipeline>::random();
        let pipeline = w.insert(id, &values).await?;
        record(w, Verb::Create, &pipeline, &fields).await?;
        Ok(pipeline)
    }
}

impl CreatePipelineInput {
    fn fields(self) -> Fields {
        Fields {
            name: MaybeUndefined::Value(self.name),
            source: new(self.source_connector_id),
            target: new(self.target_connector_id),
            datamodel: new(self.datamodel_id),
            configuration: MaybeUndefined::Value(self.json_configuration.unwrap_or_else(|| Json(json!({})))),
            error_table: new(self.error_table_config),
        }
    }
}

impl UpdatePipelineInput {
    fn fields(self) -> Fields {
        Fields {
            name: self.name,
            source: self.source_connector_id,
            target: self.target_connector_id,
            datamodel: self.datamodel_id,
            configuration: self.json_configuration,
            error_table: self.error_table_config,
        }
    }
}

/// A pipeline that may be changed, and what it is to refer to.
pub struct Changing {
    pipeline: Held<Pipeline, Changeable>,
    references: References,
}

impl Proof for Changing {
    fn stake(&self) -> RightBasis {
        self.pipeline.stake()
    }
}

impl Mutation for UpdatePipelineInput {
    type Proof = Changing;
    type Answer = Pipeline;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Changing> {
        let ends =
            (self.source_connector_id.value().copied(), self.target_connector_id.value().copied(), self.datamodel_id.value().copied());
        let mut references = refer(w, ends, self.error_table_config.value()).await?;
        let pipeline = w.change(self.pipeline_id, "pipelineId").await;
        let pipeline = references.found(pipeline, |violations, _| drop(self.clone().fields().values(violations)))?;
        references.stands(vec![owner(&pipeline)]);
        Ok(Changing { pipeline, references })
    }

    async fn apply(self, w: &mut Write, Changing { pipeline, references }: Changing) -> Result<Pipeline> {
        pipeline.at_version(self.expected_version)?;
        let mut violations = references.together();
        let values = self.fields().values(&mut violations);
        violations.none()?;
        let mut values = w.differing(&pipeline, values).await?;
        if values.is_empty() {
            return Ok(pipeline.into_row());
        }
        let fields = values.names();
        values.set("version", Bind::Int(pipeline.version.saturating_add(1)));
        let pipeline = w.put(&pipeline, &values).await?;
        record(w, Verb::Update, &pipeline, &fields).await?;
        Ok(pipeline)
    }
}

impl Mutation for DeletePipelineInput {
    type Proof = Held<Pipeline, Changeable>;
    type Answer = DeletePipelinePayload;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.pipeline_id, "pipelineId").await
    }

    async fn apply(self, w: &mut Write, pipeline: Self::Proof) -> Result<DeletePipelinePayload> {
        pipeline.at_version(self.expected_version)?;
        // Whoever is adding a subscription is waited for, and whoever comes later finds no pipeline.
        w.rows(Sql::new("select 1 from pipeline where id = ").value(pipeline.id).text(" for update")).await?;
        let subscriptions = pipeline_run::lock_subscriptions(w, pipeline.id).await?;
        if self.with_subscriptions {
            w.rows(Sql::new("delete from subscription where id = any(").value(subscriptions).text(")")).await?;
        } else {
            pipeline_run::enable(w, &subscriptions, false).await?;
        }
        let workers_left_running = running_workers(w, &pipeline).await?;
        w.delete(&pipeline).await?;
        record(w, Verb::Delete, &pipeline, &[]).await?;
        Ok(DeletePipelinePayload { pipeline: pipeline.into_row(), workers_left_running })
    }
}

/// The most ids in the configuration of an error table.
const MOST_NAMED: usize = 20;

type Ends = (Option<Id<Connector>>, Option<Id<Connector>>, Option<Id<Datamodel>>);

/// Locks what an input names.
async fn refer(w: &mut Write, (source, target, datamodel): Ends, error_table: Option<&Json<Value>>) -> Result<References> {
    let ids = match error_table {
        Some(Json(document)) => document::ids(w, document).await?,
        None => Vec::new(),
    };
    let mut named = vec![Named::source("sourceConnectorId", source), Named::target("targetConnectorId", target)];
    // Each is looked up and locked by a statement of its own.
    let many = ids.len() > MOST_NAMED;
    named.extend(ids.into_iter().filter(|_| !many).map(|id| Named::target("errorTableConfig", Some(id.into()))));
    let mut references = References::connectors(w, named).await?;
    if many {
        references.fault("errorTableConfig", format!("It names at most {MOST_NAMED} connectors: every id in it is taken for one."));
    }
    references.datamodel(w, "datamodelId", datamodel).await?;
    Ok(references)
}

/// What is written of a pipeline.
struct Fields {
    name: MaybeUndefined<String>,
    source: MaybeUndefined<Id<Connector>>,
    target: MaybeUndefined<Id<Connector>>,
    datamodel: MaybeUndefined<Id<Datamodel>>,
    configuration: MaybeUndefined<Json<Value>>,
    error_table: MaybeUndefined<Json<Value>>,
}

impl Fields {
    fn values(self, violations: &mut Violations) -> Values {
        let mut values = Values::default();
        let name = violations.kept("name", self.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        values.given("name", name.as_ref());
        values.maybe("sourceConnectorId", &self.source);
        values.maybe("targetConnectorId", &self.target);
        values.maybe("datamodelId", &self.datamodel);
        if let Some(Json(configuration)) = violations.kept("jsonConfiguration", self.configuration) {
            document::settings(violations, "jsonConfiguration", &configuration);
            values.document("jsonConfiguration", "json_configuration", Some(&configuration));
        }
        match &self.error_table {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Null => values.document("errorTableConfig", "error_table_config", None),
            MaybeUndefined::Value(Json(document)) => {
                document::settings(violations, "errorTableConfig", document);
                values.document("errorTableConfig", "error_table_config", Some(document));
            }
        }
        values
    }
}

/// Raises the versions of pipelines whose subscriptions a user has changed, and which are locked.
pub(crate) async fn raise_version(w: &mut Write, pipelines: Vec<Id<Pipeline>>) -> Result<()> {
    if !pipelines.is_empty() {
        w.rows(Sql::new("update pipeline set version = version + 1 where id = any(").value(pipelines).text(")")).await?;
    }
    Ok(())
}

/// The owner of a pipeline.
pub(crate) fn owner(pipeline: &Pipeline) -> Owner {
    Owner { team: Some(pipeline.team_id.uuid()), env: pipeline.env_id.map(Id::uuid) }
}

/// Writes the audit row of a mutation of a pipeline.
pub(crate) async fn record(w: &mut Write, verb: Verb, pipeline: &Pipeline, fields: &[&'static str]) -> Result<()> {
    w.record(verb, About::row(pipeline.id).name(pipeline.name.as_deref()).owner(owner(pipeline)).fields(fields)).await
}
