//! Pipelines as one document: written down, compared with what there is, and brought in.
//!
//! Always holds: things are known by their names within an env; no secret is in a document that is written, and what stands for
//! one is never stored; a document is brought in whole or not at all, and bringing in the same again changes nothing. A dry run
//! does all of it and takes it back, so it is refused for the same reasons. Not here: what runs. Starting, pausing and backfills
//! are no configuration, so a pipeline that somebody has paused is no difference. Nothing is deleted.

mod apply;
mod changes;
mod document;
mod present;

use async_graphql::{Context, ID, InputObject, Json, Object, SimpleObject};
use serde_json::Value;

use self::apply::{Order, apply};
use self::changes::changes;
pub use self::changes::{ConfigurationAction, ConfigurationChange, ConfigurationKind};
pub use self::document::{ConnectorItem, DatamodelItem, DatamodelName, Document, FORMAT, PipelineItem, SubscriptionItem};
use self::present::{Look, Present, World};
use crate::access::{Env, Team};
use crate::core::entity::Entity as _;
use crate::core::entity::by_id;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis};
use crate::core::read::Read;
use crate::core::sealed::keys;
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::Pipeline;
use crate::pipelines::datamodel_mutation::wait_for_topics;
use crate::pipelines::reference::glance;

/// The roots that write configurations down.
#[derive(Default)]
pub struct ConfigurationQuery;

/// The mutation that brings one in.
#[derive(Default)]
pub struct ConfigurationMutation;

/// A pipeline and all that it needs.
#[derive(SimpleObject)]
pub struct PipelineConfiguration {
    /// The document, for `applyPipelineConfiguration`: connectors, datamodels and the pipeline with its subscriptions, all by their
    /// names and in an order that is always the same. A secret reads `{"$secret": "stored"}`, a reference to one as it is.
    document: Json<Value>,
    /// The version of the pipeline, for `expectedVersion`.
    version: i32,
}

/// What you see of an env's pipelines and all that they need.
#[derive(SimpleObject)]
pub struct EnvConfiguration {
    /// The document, for `applyPipelineConfiguration`: connectors, datamodels and pipelines with their subscriptions, all by their
    /// names and in an order that is always the same. A secret reads `{"$secret": "stored"}`, a reference to one as it is.
    document: Json<Value>,
}

/// A document to bring in, and where. Exactly one of `envId` and `teamId` is given.
#[derive(InputObject, Clone)]
pub struct ApplyPipelineConfigurationInput {
    /// The env in which names identify things. Whatever is new names its `team`.
    pub env_id: Option<Id<Env>>,
    /// The team that owns whatever is new, whatever `team` it names. Names identify things in the team's env.
    pub team_id: Option<Id<Team>>,
    /// The document, in the form of `pipelineConfiguration`; the order of things does not matter, and what they refer to may be in it
    /// or there already. What a thing does not say is empty, off or the default. `{"$secret": "stored"}` keeps the secret that is
    /// stored in the same place, so it cannot stand in a new connector. At most 8 MiB, and no larger than a request may
    /// be (`request_body_limit`).
    #[graphql(secret)]
    pub document: Json<Value>,
    /// Whether to answer what would change, and change nothing.
    #[graphql(default)]
    pub dry_run: bool,
    /// For a document with one pipeline: the `version` that was read; when it has changed since, `CONFLICT` with the present one in
    /// `details.version`. Without it the document is brought in whatever was changed meanwhile.
    pub expected_version: Option<i32>,
}

/// What the document does.
#[derive(SimpleObject)]
pub struct ApplyPipelineConfigurationPayload {
    /// What is done with each thing, by kind and name; also with those that stay as they are.
    changes: Vec<ConfigurationChange>,
    /// Whether this only says what would be done.
    dry_run: bool,
}

/// An error in `Option<Result<_>>` nulls its field alone; in `Result<_>`, or of an argument, it would null the whole answer.
#[Object]
impl ConfigurationQuery {
    /// A pipeline with all that it needs as one document: its connectors without their secrets, datamodels and subscriptions.
    /// `NOT_FOUND` when there is none that you may see.
    async fn pipeline_configuration(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The pipeline.")] id: ID,
    ) -> Option<Result<PipelineConfiguration>> {
        Some(async { pipeline(ctx, Id::given(&id, "id")?).await }.await)
    }

    /// All that you see of an env's connectors, datamodels and pipelines as one document, without secrets. `NOT_FOUND` when there
    /// is no such env that you may see.
    async fn env_configuration(&self, ctx: &Context<'_>, #[graphql(desc = "The env.")] env_id: ID) -> Option<Result<EnvConfiguration>> {
        Some(async { env(ctx, Id::given(&env_id, "envId")?).await }.await)
    }
}

#[Object]
impl ConfigurationMutation {
    /// Makes and changes what a document says, in one transaction; what it says nothing of stays. For those who may change what
    /// differs. What is wrong with the document is told all at once: `details.violations` has a `field` such as
    /// `document/connectors/0/configuration/port` and a `message` each. New subscriptions are not enabled; `startPipeline` does that.
    async fn apply_pipeline_configuration(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The document, and where it goes.")] input: ApplyPipelineConfigurationInput,
    ) -> Result<ApplyPipelineConfigurationPayload> {
        write(ctx, Applying { input, keys: keys(ctx)?.clone() }).await
    }
}

async fn pipeline(ctx: &Context<'_>, id: Id<Pipeline>) -> Result<PipelineConfiguration> {
    let missing = || Error::no_such(Pipeline::NAME).field("id");
    let row = by_id::<Pipeline>(ctx, id.uuid()).await?.ok_or_else(missing)?;
    let present = present(ctx, World::of(Some(row.team_id.uuid()), row.env_id.map(Id::uuid))).await?;
    // Its version as of the same instant as all else.
    let version = present.pipelines.iter().find(|flow| flow.row.id == id).ok_or_else(missing)?.row.version;
    Ok(PipelineConfiguration { document: shown(&present.document_of(id))?, version })
}

async fn env(ctx: &Context<'_>, id: Id<Env>) -> Result<EnvConfiguration> {
    by_id::<Env>(ctx, id.uuid()).await?.ok_or_else(|| Error::no_such(Env::NAME).field("envId"))?;
    Ok(EnvConfiguration { document: shown(&present(ctx, World::Env(id.uuid())).await?.document())? })
}

async fn present(ctx: &Context<'_>, world: World) -> Result<Present> {
    let read = Read::of(ctx)?;
    let look = Look { viewer: read.viewer(), keys: keys(ctx)?, world };
    let reading = async {
        let mut snapshot = read.db().begin_reading().await?;
        Present::read(&mut snapshot, &look).await
    };
    read.loaders().alone(Box::pin(reading)).await
}

fn shown(document: &Document) -> Result<Json<Value>> {
    serde_json::to_value(document).map(Json).map_err(Error::internal)
}

#[derive(Clone)]
struct Applying {
    input: ApplyPipelineConfigurationInput,
    keys: KeyRing,
}

/// Where a document goes. What it changes has to be allowed thing by thing, so an answer is given again only to who may do all that
/// they could do then.
struct Place {
    world: World,
    into: Option<Id<Team>>,
}

impl Proof for Place {
    fn stake(&self) -> RightBasis {
        RightBasis::CurrentUser
    }
}

impl Mutation for Applying {
    type Proof = Place;
    type Answer = ApplyPipelineConfigurationPayload;
    const TOUCHES_RIGHTS: bool = false;

    fn is_licensed(&self) -> bool {
        !self.input.dry_run
    }

    async fn authorize(&self, w: &mut Write) -> Result<Place> {
        let place = match (self.input.env_id, self.input.team_id) {
            (Some(env), None) => {
                glance(w, env, "envId").await?;
                Place { world: World::Env(env.uuid()), into: None }
            }
            (None, Some(team)) => {
                let row = glance(w, team, "teamId").await?;
                Place { world: World::of(Some(team.uuid()), row.env_id.map(Id::uuid)), into: Some(team) }
            }
            _ => return Err(Error::validation("Give either `envId` or `teamId`.").field("envId")),
        };
        w.oneself()?;
        // Whatever is waited for by name comes before all rows.
        let world = match place.world {
            World::Env(id) | World::Team(id) => id,
        };
        w.lock_text(&format!("configuration {world}")).await?;
        if let Ok(document) = Document::read(&self.input.document) {
            wait_for_topics(w, document.topics()).await?;
        }
        if let Some(team) = place.into {
            w.parent(team, "teamId").await?;
        }
        Ok(place)
    }

    async fn apply(self, w: &mut Write, place: Place) -> Result<ApplyPipelineConfigurationPayload> {
        let Self { input, keys } = self;
        let document = Document::read(&input.document)?;
        let expected_version = input.expected_version;
        let order = Order { document: &document, keys: &keys, world: place.world, into: place.into, expected_version };
        if input.dry_run {
            w.rows(Sql::new("savepoint dry_run")).await?;
        }
        let done = Box::pin(apply(w, &order)).await?;
        if input.dry_run {
            w.rows(Sql::new("rollback to savepoint dry_run")).await?;
        }
        Ok(ApplyPipelineConfigurationPayload { changes: changes(&document, &done)?, dry_run: input.dry_run })
    }
}
