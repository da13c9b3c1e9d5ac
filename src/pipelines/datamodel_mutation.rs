//! Making, changing and deleting datamodels.
//!
//! Always holds: nobody reads a topic that belongs to what they do not see; whoever asks for a topic waits for whoever asks
//! for the same one (domain.md section 2). A datamodel is no part of a pipeline's version: like a connector it is shared.

use async_graphql::{Context, InputObject, Json, MaybeUndefined, Object, SimpleObject};
use serde_json::{Value, json};
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::entity::{Entity as _, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Proof, RightBasis};
use crate::core::scalars::Time;
use crate::core::scope;
use crate::core::sql::{Bind, Sql};
use crate::core::values::Values;
use crate::core::verb::Verb;
use crate::core::viewer::Right;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::error_table::{ErrorTable, LONGEST_LINE, new};
use crate::pipelines::reference::{Named, References, owner_of};
use crate::pipelines::{Connector, Datamodel, Pipeline, document};

/// The longest name of a datamodel, in characters.
const LONGEST_NAME: usize = 100;
/// How many names a refusal lists.
const NAMES: i64 = 20;

/// The mutations of datamodels.
#[derive(Default)]
pub struct DatamodelMutation;

/// A new datamodel.
#[derive(InputObject, Clone)]
pub struct CreateDatamodelInput {
    /// The source connector whose data it shapes; its team owns the datamodel.
    pub source_connector_id: Id<Connector>,
    /// The name, 1 to 100 characters.
    pub name: String,
    /// The structure of the data: an object. Empty when it is left out.
    pub config: Option<Json<Value>>,
    /// The topic that it reads from, at most 255 characters. `CONFLICT` when a datamodel that you do not see reads it.
    pub source_topic: Option<String>,
    /// The topic that it writes to, at most 255 characters.
    pub target_topic: Option<String>,
    /// The consumer group with which it reads, at most 255 characters.
    pub consumer_id: Option<String>,
    /// Whether rejected rows go to an error table, which then has a name.
    #[graphql(default)]
    pub error_table_enabled: bool,
    /// The name of the error table, at most 255 characters.
    pub error_table_name: Option<String>,
    /// The target connector that receives rejected rows, in the same env.
    pub error_table_target_id: Option<Id<Connector>>,
    /// Whether it is processed.
    #[graphql(default = true)]
    pub enabled: bool,
}

/// The new datamodel.
#[derive(SimpleObject)]
pub struct CreateDatamodelPayload {
    /// The datamodel that was made.
    pub datamodel: Datamodel,
}

/// What to change in a datamodel. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does.
#[derive(InputObject, Clone)]
pub struct UpdateDatamodelInput {
    /// The datamodel.
    pub datamodel_id: Id<Datamodel>,
    /// Another source connector, in the same env.
    pub source_connector_id: MaybeUndefined<Id<Connector>>,
    /// The new name, 1 to 100 characters.
    pub name: MaybeUndefined<String>,
    /// The whole new structure of the data: an object; `{}` empties it.
    pub config: MaybeUndefined<Json<Value>>,
    /// The topic that it reads from, at most 255 characters, or null for none. `CONFLICT` when a datamodel that you do not see reads it.
    pub source_topic: MaybeUndefined<String>,
    /// The topic that it writes to, at most 255 characters, or null for none.
    pub target_topic: MaybeUndefined<String>,
    /// The consumer group with which it reads, at most 255 characters, or null for none.
    pub consumer_id: MaybeUndefined<String>,
    /// Whether rejected rows go to an error table, which then has a name.
    pub error_table_enabled: MaybeUndefined<bool>,
    /// The name of the error table, at most 255 characters, or null for none.
    pub error_table_name: MaybeUndefined<String>,
    /// The target connector that receives rejected rows, in the same env, or null for none.
    pub error_table_target_id: MaybeUndefined<Id<Connector>>,
    /// Whether it is processed.
    pub enabled: MaybeUndefined<bool>,
    /// The `updatedAt` that was read with the datamodel; when it has changed since, `CONFLICT` and nothing is written. Null does not ask.
    pub updated_at: Option<Time>,
}

/// The changed datamodel.
#[derive(SimpleObject)]
pub struct UpdateDatamodelPayload {
    /// The datamodel as it is now.
    pub datamodel: Datamodel,
}

/// Which datamodel to delete.
#[derive(InputObject, Clone)]
pub struct DeleteDatamodelInput {
    /// The datamodel.
    pub datamodel_id: Id<Datamodel>,
    /// The `updatedAt` that was read with the datamodel; when it has changed since, `CONFLICT` and nothing is deleted.
    pub updated_at: Option<Time>,
}

/// The deleted datamodel.
#[derive(SimpleObject)]
pub struct DeleteDatamodelPayload {
    /// The datamodel as it was.
    pub datamodel: Datamodel,
}

#[Object]
impl DatamodelMutation {
    /// Makes a datamodel of a source. For members of the connector's team.
    async fn create_datamodel(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new datamodel.")] input: CreateDatamodelInput,
    ) -> Result<CreateDatamodelPayload> {
        let datamodel = write(ctx, input).await?;
        Ok(CreateDatamodelPayload { datamodel })
    }

    /// Changes a datamodel. For members of the team that owns it: its source connector's, else that of any pipeline that
    /// names it. The versions of pipelines stay.
    async fn update_datamodel(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateDatamodelInput,
    ) -> Result<UpdateDatamodelPayload> {
        let datamodel = write(ctx, input).await?;
        Ok(UpdateDatamodelPayload { datamodel })
    }

    /// Deletes a datamodel. Subscriptions that deliver it stay, without one, and are not complete any more. `CONFLICT` while a
    /// pipeline names it: `details.pipelines` has the count and the first 20 names of those that you see, and whether there are
    /// `others`.
    async fn delete_datamodel(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which datamodel to delete.")] input: DeleteDatamodelInput,
    ) -> Result<DeleteDatamodelPayload> {
        let datamodel = write(ctx, input).await?;
        Ok(DeleteDatamodelPayload { datamodel })
    }
}

/// What a new datamodel refers to.
pub struct NewDatamodel {
    source: Id<Connector>,
    references: References,
}

impl Proof for NewDatamodel {
    fn stake(&self) -> RightBasis {
        RightBasis::on::<Connector>(self.source.uuid(), Right::Change)
    }
}

impl Mutation for CreateDatamodelInput {
    type Proof = NewDatamodel;
    type Answer = Datamodel;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<NewDatamodel> {
        wait_for_topics(w, self.source_topic.clone()).await?;
        let source = Named::source("sourceConnectorId", Some(self.source_connector_id));
        let target = Named::target("errorTableTargetId", self.error_table_target_id);
        let mut references = References::connectors(w, [source, target]).await?;
        references.found(Ok(()), |violations, _| drop(self.clone().fields().values(violations, (false, false))))?;
        references.led_by("sourceConnectorId");
        Ok(NewDatamodel { source: self.source_connector_id, references })
    }

    async fn apply(self, w: &mut Write, proof: NewDatamodel) -> Result<Datamodel> {
        let mut violations = proof.references.together();
        let values = self.fields().values(&mut violations, (false, false));
        violations.none()?;
        refuse_foreign_topic(w, &values).await?;
        let datamodel = w.insert(Id::random(), &values).await?;
        record(w, Verb::Create, &datamodel, &values.names()).await?;
        Ok(datamodel)
    }
}

impl CreateDatamodelInput {
    fn fields(self) -> Fields {
        Fields {
            source: MaybeUndefined::Value(self.source_connector_id),
            name: MaybeUndefined::Value(self.name),
            config: MaybeUndefined::Value(self.config.unwrap_or_else(|| Json(json!({})))),
            source_topic: new(self.source_topic),
            target_topic: new(self.target_topic),
            consumer_id: new(self.consumer_id),
            error_table: ErrorTable {
                enabled: MaybeUndefined::Value(self.error_table_enabled),
                name: new(self.error_table_name),
                target: new(self.error_table_target_id),
            },
            enabled: MaybeUndefined::Value(self.enabled),
        }
    }
}

impl UpdateDatamodelInput {
    fn fields(self) -> Fields {
        Fields {
            source: self.source_connector_id,
            name: self.name,
            config: self.config,
            source_topic: self.source_topic,
            target_topic: self.target_topic,
            consumer_id: self.consumer_id,
            error_table: ErrorTable { enabled: self.error_table_enabled, name: self.error_table_name, target: self.error_table_target_id },
            enabled: self.enabled,
        }
    }
}

/// A datamodel that may be changed, and what it is to refer to.
pub struct Changing {
    datamodel: Held<Datamodel, Changeable>,
    references: References,
}

impl Proof for Changing {
    fn stake(&self) -> RightBasis {
        self.datamodel.stake()
    }
}

impl Mutation for UpdateDatamodelInput {
    type Proof = Changing;
    type Answer = Datamodel;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Changing> {
        wait_for_topics(w, self.source_topic.value().cloned()).await?;
        let source = Named::source("sourceConnectorId", self.source_connector_id.value().copied());
        let target = ErrorTable::named(&self.error_table_target_id);
        let mut references = References::connectors(w, [source, target]).await?;
        let datamodel: Result<Held<Datamodel, Changeable>> = w.change(self.datamodel_id, "datamodelId").await;
        let datamodel = references.found(datamodel, |violations, datamodel| {
            let was = datamodel.map_or((false, false), |datamodel| error_table_of(datamodel));
            drop(self.clone().fields().values(violations, was));
        })?;
        references.keeps(w, Some(datamodel.id)).await?;
        Ok(Changing { datamodel, references })
    }

    async fn apply(self, w: &mut Write, Changing { datamodel, references }: Changing) -> Result<Datamodel> {
        datamodel.unchanged_since(self.updated_at)?;
        let mut violations = references.together();
        let values = self.fields().values(&mut violations, error_table_of(&datamodel));
        violations.none()?;
        let values = w.differing(&datamodel, values).await?;
        refuse_foreign_topic(w, &values).await?;
        if values.is_empty() {
            return Ok(datamodel.into_row());
        }
        let datamodel = w.put(&datamodel, &values).await?;
        record(w, Verb::Update, &datamodel, &values.names()).await?;
        Ok(datamodel)
    }
}

impl Mutation for DeleteDatamodelInput {
    type Proof = Held<Datamodel, Changeable>;
    type Answer = Datamodel;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.datamodel_id, "datamodelId").await
    }

    async fn apply(self, w: &mut Write, datamodel: Self::Proof) -> Result<Datamodel> {
        datamodel.unchanged_since(self.updated_at)?;
        // Whoever is naming it is waited for, and whoever comes later finds none.
        w.rows(Sql::new("select 1 from datamodel where id = ").value(datamodel.id).text(" for update")).await?;
        refuse_while_named(w, datamodel.id).await?;
        record(w, Verb::Delete, &datamodel, &[]).await?;
        w.delete(&datamodel).await?;
        Ok(datamodel.into_row())
    }
}

/// Whether its error table is enabled, and whether it has a name.
const fn error_table_of(datamodel: &Datamodel) -> (bool, bool) {
    (datamodel.error_table_enabled, datamodel.error_table_name.is_some())
}

/// What is written of a datamodel.
struct Fields {
    source: MaybeUndefined<Id<Connector>>,
    name: MaybeUndefined<String>,
    config: MaybeUndefined<Json<Value>>,
    source_topic: MaybeUndefined<String>,
    target_topic: MaybeUndefined<String>,
    consumer_id: MaybeUndefined<String>,
    error_table: ErrorTable,
    enabled: MaybeUndefined<bool>,
}

impl Fields {
    fn values(self, violations: &mut Violations, error_table_was: (bool, bool)) -> Values {
        let mut values = Values::default();
        let name = violations.kept("name", self.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        values.given("name", name.as_ref());
        values.given("sourceConnectorId", violations.kept("sourceConnectorId", self.source).as_ref());
        values.line(violations, "sourceTopic", &self.source_topic, LONGEST_LINE);
        values.line(violations, "targetTopic", &self.target_topic, LONGEST_LINE);
        values.line(violations, "consumerId", &self.consumer_id, LONGEST_LINE);
        self.error_table.write(violations, &mut values, error_table_was);
        values.given("enabled", violations.kept("enabled", self.enabled).as_ref());
        if let Some(Json(config)) = violations.kept("config", self.config) {
            document::object(violations, "config", &config);
            values.document("config", "config", Some(&config));
        }
        values
    }
}

/// Lets nobody else ask for these topics until the transaction ends; comes before any row lock. A lock is that of a
/// thousandth of all topics, so that a long list takes no more of them than the database has.
pub(super) async fn wait_for_topics(w: &mut Write, topics: impl IntoIterator<Item = String>) -> Result<()> {
    let is_one = |topic: &String| {
        let mut violations = Violations::default();
        violations.line("sourceTopic", topic, LONGEST_LINE);
        violations.none().is_ok()
    };
    let topics: Vec<String> = topics.into_iter().filter(is_one).collect();
    if topics.is_empty() || !w.viewer().may_change_something() {
        return Ok(());
    }
    let sql =
        Sql::new("select pg_advisory_xact_lock(hashtext('topic'), part) from (select distinct hashtext(topic) & 1023 as part from unnest(")
            .value(topics)
            .text("::text[]) topic order by part) parts");
    w.rows(sql).await?;
    Ok(())
}

/// What is measured on a topic is shown to whoever reads it, so nobody may read the topic of what they do not see.
async fn refuse_foreign_topic(w: &mut Write, values: &Values) -> Result<()> {
    let Some(Bind::Text(topic)) = values.get("sourceTopic") else { return Ok(()) };
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select exists (select 1 from datamodel t where t.source_topic = ").value(topic.clone()).text(" and not (");
    scope::predicate(&mut sql, &viewer, &Datamodel::SCOPE, Right::See, "t");
    if w.holds(sql.text("))")).await? {
        return Err(Error::conflict("This topic is in use by something that you do not see.").field("sourceTopic"));
    }
    Ok(())
}

async fn refuse_while_named(w: &mut Write, datamodel: Id<Datamodel>) -> Result<()> {
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select count(*) over (), t.name");
    from_visible::<Pipeline>(&mut sql, &viewer);
    let rows = w.rows(sql.with(" and t.datamodel_id = ", datamodel).with(" order by t.name, t.id limit ", NAMES)).await?;
    let count: i64 = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
    let all = w.rows(Sql::new("select count(*) from pipeline where datamodel_id = ").value(datamodel)).await?;
    let others = all.first().map_or(Ok(0_i64), |row| row.try_get(0))? > count;
    if count == 0 && !others {
        return Ok(());
    }
    let names = rows.iter().map(|row| row.try_get(1)).collect::<Result<Vec<Option<String>>, _>>()?;
    let message = "A pipeline still carries it; delete the pipeline or have it carry another first.";
    let details = json!({"pipelines": {"count": count, "names": names, "others": others}});
    Err(Error::conflict(message).field("datamodelId").details(details))
}

async fn record(w: &mut Write, verb: Verb, datamodel: &Datamodel, fields: &[&'static str]) -> Result<()> {
    let owner = owner_of(w, datamodel.id).await?;
    w.record(verb, About::row(datamodel.id).name(Some(&datamodel.name)).owner(owner).fields(fields)).await
}
