//! A document brought into an env.
//!
//! Always holds: what a document says as it is already is neither locked nor written nor asked a right for; whatever differs goes
//! through the mutations of its kind, so their rules, rights and audit rows are the same; all faults of the document are told
//! together, and then nothing is done. Not here: taking anything away.

use std::collections::HashMap;
use std::hash::Hash;

use async_graphql::{Json, MaybeUndefined};
use serde_json::{Value, json};
use uuid::Uuid;

use super::document::{ConnectorItem, DatamodelItem, DatamodelName, Document, PipelineItem, SubscriptionItem, at};
use super::present::{Look, Present, Said, World, identified};
use crate::access::Team;
use crate::core::entity::Entity;
use crate::core::error::{Code, Error, Result};
use crate::core::faults::Faults;
use crate::core::id::Id;
use crate::core::proof::{Held, Parent, at_version};
use crate::core::scope;
use crate::core::secret::{KeyRing, Plain};
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::core::write::{Mutation, Write};
use crate::pipelines::connector_write::{self, LONGEST_NAME, NewConnector};
use crate::pipelines::datamodel_mutation::{CreateDatamodelInput, UpdateDatamodelInput};
use crate::pipelines::error_table::new;
use crate::pipelines::pipeline_mutation::{CreatePipelineInput, UpdatePipelineInput};
use crate::pipelines::subscription_input::{CreatePipelineSubscriptionInput, UpdatePipelineSubscriptionInput};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription};

const SEVERAL: &str = "Several have this name, so it identifies none of them; give each a name of its own first.";

/// Where a document goes, and what it says.
pub(super) struct Order<'a> {
    pub(super) document: &'a Document,
    pub(super) keys: &'a KeyRing,
    pub(super) world: World,
    /// The team that owns whatever is new; else each thing names its own.
    pub(super) into: Option<Id<Team>>,
    pub(super) expected_version: Option<i32>,
}

/// What came of it.
pub(super) struct Done {
    pub(super) before: Document,
    pub(super) after: Document,
    /// The connectors that have another configuration, and whether a secret in it takes the place of another.
    pub(super) configured: HashMap<String, bool>,
}

/// A document under way.
struct Apply<'a> {
    w: &'a mut Write,
    order: &'a Order<'a>,
    present: Present,
    faults: Faults,
    connectors: HashMap<String, Vec<Id<Connector>>>,
    datamodels: HashMap<DatamodelName, Vec<Id<Datamodel>>>,
    configured: HashMap<String, bool>,
    /// What the versions of pipelines are to be: one mutation raises a version by one, however much it changes.
    versions: Vec<(Id<Pipeline>, i32)>,
}

/// Does it.
///
/// # Errors
/// `VALIDATION` with every fault of the document, or the first refusal of another kind; then nothing is to be kept.
pub(super) async fn apply(w: &mut Write, order: &Order<'_>) -> Result<Done> {
    let found = present(w, order).await?;
    lock(w, order.document, &found).await?;
    // As it is under the locks.
    let present = present(w, order).await?;
    expect_version(order, &present)?;
    let before = present.document();
    let connectors = grouped(present.connectors.iter().map(|said| (said.item.name.clone(), said.row.id)));
    let datamodels = grouped(present.datamodels.iter().map(|said| (said.item.id(), said.row.id)));
    let (faults, configured, versions) = (Faults::default(), HashMap::new(), Vec::new());
    let mut apply = Apply { w, order, present, faults, connectors, datamodels, configured, versions };
    for (index, item) in order.document.connectors.iter().enumerate() {
        apply.connector(&at(&format!("connectors/{index}")), item).await?;
    }
    for (index, item) in order.document.datamodels.iter().enumerate() {
        apply.datamodel(&at(&format!("datamodels/{index}")), item).await?;
    }
    for (index, item) in order.document.pipelines.iter().enumerate() {
        apply.pipeline(&at(&format!("pipelines/{index}")), item).await?;
    }
    let Apply { w, faults, configured, versions, .. } = apply;
    faults.none()?;
    for (pipeline, version) in versions {
        let sql = Sql::new("update pipeline set version = ").value(version).with(" where id = ", pipeline);
        w.rows(sql.with(" and version > ", version)).await?;
    }
    let after = self::present(w, order).await?.document();
    Ok(Done { before, after, configured })
}

async fn present(w: &mut Write, order: &Order<'_>) -> Result<Present> {
    let viewer = w.viewer().clone();
    Present::read(w.connection(), &Look { viewer: &viewer, keys: order.keys, world: order.world }).await
}

/// Locks what the document names and the viewer may change, kind by kind and by id within a kind.
async fn lock(w: &mut Write, document: &Document, present: &Present) -> Result<()> {
    let named = |name: &String| document.connectors.iter().any(|item| item.name == *name);
    let connectors = present.connectors.iter().filter(|said| named(&said.item.name)).map(|said| said.row.id.uuid());
    lock_rows::<Connector>(w, connectors.collect()).await?;
    let named = |name: &DatamodelName| document.datamodels.iter().any(|item| item.id() == *name);
    let datamodels = present.datamodels.iter().filter(|said| named(&said.item.id())).map(|said| said.row.id.uuid());
    lock_rows::<Datamodel>(w, datamodels.collect()).await?;
    let named = |name: &String| document.pipelines.iter().any(|item| item.name == *name);
    let flows = || present.pipelines.iter().filter(|flow| named(&flow.item.name));
    lock_rows::<Pipeline>(w, flows().map(|flow| flow.row.id.uuid()).collect()).await?;
    let subscriptions = flows().flat_map(|flow| &flow.subscriptions).map(|said| said.row.id.uuid());
    lock_rows::<PipelineSubscription>(w, subscriptions.collect()).await
}

async fn lock_rows<E: Entity>(w: &mut Write, ids: Vec<Uuid>) -> Result<()> {
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select 1 from ").text(E::TABLE).text(" t where ");
    scope::predicate(&mut sql, &viewer, &E::SCOPE, Right::Change, "t");
    w.rows(sql.with(" and t.id = any(", ids).text(") order by t.id for no key update of t")).await?;
    Ok(())
}

fn expect_version(order: &Order<'_>, present: &Present) -> Result<()> {
    let Some(expected) = order.expected_version else { return Ok(()) };
    let [item] = order.document.pipelines.as_slice() else {
        return Err(Error::validation("A version can be expected of a document with one pipeline.").field("expectedVersion"));
    };
    match present.pipelines.iter().find(|flow| flow.item.name == item.name) {
        Some(flow) => at_version(&flow.row, Some(expected)),
        None => Err(Error::no_such(Pipeline::NAME).field("expectedVersion")),
    }
}

fn grouped<K: Eq + Hash, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    pairs.for_each(|(key, value)| groups.entry(key).or_default().push(value));
    groups
}

/// What a changed thing is given: nothing where it is as it was.
fn differing<T: PartialEq + Clone>(before: &T, now: &T) -> MaybeUndefined<T> {
    if before == now { MaybeUndefined::Undefined } else { MaybeUndefined::Value(now.clone()) }
}

fn differing_line(before: Option<&String>, now: Option<&String>) -> MaybeUndefined<String> {
    if before == now { MaybeUndefined::Undefined } else { new(now.cloned()) }
}

/// The name in a document of a field of a mutation: what an id says there, a name says here.
fn renamed(field: &str) -> &str {
    match field {
        "teamId" => "team",
        "sourceConnectorId" => "sourceConnector",
        "targetConnectorId" => "targetConnector",
        "datamodelId" => "datamodel",
        "errorTableTargetId" => "errorTableTarget",
        "pipelineId" => "name",
        other => other,
    }
}

/// A pipeline of which nothing can be wrong.
fn stand_in(team_id: Id<Team>) -> CreatePipelineInput {
    CreatePipelineInput {
        team_id,
        name: Id::<Pipeline>::random().to_string(),
        source_connector_id: None,
        target_connector_id: None,
        datamodel_id: None,
        json_configuration: None,
        error_table_config: None,
    }
}

async fn carry_out<M: Mutation>(w: &mut Write, mutation: M) -> Result<M::Answer> {
    let proof = mutation.authorize(w).await?;
    mutation.apply(w, proof).await
}

impl Apply<'_> {
    /// Does what a mutation does; none when it is refused for faults, which are noted.
    async fn run<M: Mutation>(&mut self, place: &str, mutation: M) -> Result<Option<M::Answer>> {
        let error = match Box::pin(carry_out(self.w, mutation)).await {
            Ok(answer) => return Ok(Some(answer)),
            Err(error) => error,
        };
        let within = |field: &str| format!("{place}/{}", renamed(field));
        if error.code() != Code::Validation {
            let field = error.place().map_or_else(|| place.to_owned(), within);
            let mut facts = error.facts().cloned();
            let violations = facts.as_mut().and_then(|facts| facts.get_mut("violations")).and_then(Value::as_array_mut);
            for of in violations.into_iter().flatten().filter_map(|one| one.get_mut("field")) {
                *of = within(of.as_str().unwrap_or_default()).into();
            }
            let error = error.field(field);
            return Err(facts.map_or(error.clone(), |facts| error.details(facts)));
        }
        let violations = error.facts().and_then(|facts| facts.get("violations")).and_then(Value::as_array);
        let told = |violation: &Value, name: &str| violation.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match violations {
            Some(violations) => {
                for one in violations {
                    self.faults.add(within(&told(one, "field")), told(one, "message"));
                }
            }
            None => self.faults.add(within(error.place().unwrap_or("name")), error.message()),
        }
        Ok(None)
    }

    async fn connector(&mut self, place: &str, item: &ConnectorItem) -> Result<()> {
        let found: Vec<&Said<_, _>> = self.present.connectors.iter().filter(|said| said.item.name == item.name).collect();
        match found.as_slice() {
            [] => self.new_connector(place, item).await,
            [said] => {
                let (id, before) = (said.row.id, said.item.clone());
                self.stays(place, "connectorType", Some(&before.connector_type), Some(&item.connector_type));
                self.stays_with(place, before.team.as_ref(), item.team.as_ref());
                if before.configuration == item.configuration || before.connector_type != item.connector_type {
                    return Ok(());
                }
                let held = self.w.change(id, place).await?;
                let (mut faults, field) = (Faults::default(), format!("{place}/configuration"));
                let sent = item.configuration.clone();
                let new = connector_write::changed(self.w, self.order.keys, &held, sent, &field, &mut faults).await?;
                if self.note(faults) {
                    return Ok(());
                }
                let document = new.as_ref().map(|new| &*new.document);
                if !connector_write::change(self.w, self.order.keys, &held, None, document).await?.is_empty() {
                    self.configured.insert(item.name.clone(), new.is_some_and(|new| new.swaps_secret));
                }
                Ok(())
            }
            _ => self.ambiguous(place),
        }
    }

    async fn new_connector(&mut self, place: &str, item: &ConnectorItem) -> Result<()> {
        let Some(team) = self.owner(place, item.team.as_ref()) else { return Ok(()) };
        let team: Held<Team, Parent> = self.w.parent(team, &format!("{place}/team")).await?;
        let mut faults = Faults::default();
        let mut name = faults.name(&format!("{place}/name"), &item.name, LONGEST_NAME);
        let Some(kind) = connector_write::kind_of(&item.connector_type, &format!("{place}/connectorType"), &mut faults) else {
            self.note(faults);
            return Ok(());
        };
        let field = format!("{place}/configuration");
        let mut document = connector_write::validated(kind, item.configuration.clone(), None, &field, &mut faults)?;
        if self.note(faults) {
            // Something stands in for it, so that what refers to it is checked too; the faults take it back.
            (name, document) = (Id::<Pipeline>::random().to_string(), Plain::new(json!({})));
        }
        let id = connector_write::insert(self.w, self.order.keys, &team, &NewConnector { name, kind, document }).await;
        let id = id.map_err(|error| error.field(format!("{place}/name")))?;
        self.connectors.entry(item.name.clone()).or_default().push(id);
        Ok(())
    }

    async fn datamodel(&mut self, place: &str, item: &DatamodelItem) -> Result<()> {
        let found: Vec<&Said<_, _>> = self.present.datamodels.iter().filter(|said| said.item.id() == item.id()).collect();
        match found.as_slice() {
            [] => self.new_datamodel(place, item).await,
            [said] if said.item == *item => Ok(()),
            [said] => {
                let (datamodel_id, before) = (said.row.id, said.item.clone());
                let (errors, errors_before) = (&item.errors, &before.errors);
                let input = UpdateDatamodelInput {
                    datamodel_id,
                    source_connector_id: MaybeUndefined::Undefined,
                    name: MaybeUndefined::Undefined,
                    config: differing(&before.config, &item.config).map_value(Json),
                    source_topic: differing_line(before.source_topic.as_ref(), item.source_topic.as_ref()),
                    target_topic: differing_line(before.target_topic.as_ref(), item.target_topic.as_ref()),
                    consumer_id: differing_line(before.consumer_id.as_ref(), item.consumer_id.as_ref()),
                    error_table_enabled: differing(&errors_before.enabled, &errors.enabled),
                    error_table_name: differing_line(errors_before.name.as_ref(), errors.name.as_ref()),
                    error_table_target_id: self.differing_connector(
                        &format!("{place}/errorTableTarget"),
                        errors_before.target.as_ref(),
                        errors.target.as_ref(),
                    ),
                    enabled: differing(&before.enabled, &item.enabled),
                    updated_at: None,
                };
                self.run(place, input).await?;
                Ok(())
            }
            _ => self.ambiguous(place),
        }
    }

    async fn new_datamodel(&mut self, place: &str, item: &DatamodelItem) -> Result<()> {
        let Some(source) = &item.source_connector else {
            self.faults.add(format!("{place}/sourceConnector"), "A new datamodel names its source connector.");
            return Ok(());
        };
        let source = self.named(&format!("{place}/sourceConnector"), source);
        let target = self.maybe_named(&format!("{place}/errorTableTarget"), item.errors.target.as_ref());
        let Some(source_connector_id) = source else { return Ok(()) };
        let input = CreateDatamodelInput {
            source_connector_id,
            name: item.name.clone(),
            config: Some(Json(item.config.clone())),
            source_topic: item.source_topic.clone(),
            target_topic: item.target_topic.clone(),
            consumer_id: item.consumer_id.clone(),
            error_table_enabled: item.errors.enabled,
            error_table_name: item.errors.name.clone(),
            error_table_target_id: target,
            enabled: item.enabled,
        };
        if let Some(datamodel) = self.run(place, input).await? {
            self.datamodels.entry(item.id()).or_default().push(datamodel.id);
        }
        Ok(())
    }

    async fn pipeline(&mut self, place: &str, item: &PipelineItem) -> Result<()> {
        let found: Vec<_> = self.present.pipelines.iter().filter(|flow| flow.item.name == item.name).collect();
        let (pipeline, subscriptions) = match found.as_slice() {
            [] => (self.new_pipeline(place, item).await?, Vec::new()),
            [flow] => {
                let (id, version, before) = (flow.row.id, flow.row.version, flow.item.clone());
                let subscriptions: Vec<_> = flow.subscriptions.iter().map(|said| (said.row.id, said.item.clone())).collect();
                self.versions.push((id, version.saturating_add(1)));
                self.changed_pipeline(place, id, &before, item).await?;
                (Some(id), subscriptions)
            }
            _ => return self.ambiguous(place),
        };
        let Some(pipeline) = pipeline else { return Ok(()) };
        for (index, item) in item.subscriptions.iter().enumerate() {
            let place = format!("{place}/subscriptions/{index}");
            let found: Vec<_> = subscriptions.iter().filter(|(_, before)| before.name == item.name).collect();
            match found.as_slice() {
                [] => self.new_subscription(&place, pipeline, item).await?,
                [(_, before)] if before == item => {}
                [(id, before)] => self.changed_subscription(&place, *id, before, item).await?,
                _ => self.faults.add(format!("{place}/name"), SEVERAL),
            }
        }
        Ok(())
    }

    async fn new_pipeline(&mut self, place: &str, item: &PipelineItem) -> Result<Option<Id<Pipeline>>> {
        let Some(team_id) = self.owner(place, item.team.as_ref()) else { return Ok(None) };
        let input = CreatePipelineInput {
            team_id,
            name: item.name.clone(),
            source_connector_id: self.maybe_named(&format!("{place}/sourceConnector"), item.source_connector.as_ref()),
            target_connector_id: self.maybe_named(&format!("{place}/targetConnector"), item.target_connector.as_ref()),
            datamodel_id: self.maybe_shape(&format!("{place}/datamodel"), item.datamodel.as_ref()),
            json_configuration: Some(Json(item.json_configuration.clone())),
            error_table_config: item.error_table_config.as_ref().map(|document| Json(self.identified(place, document))),
        };
        let mut made = self.run(place, input).await?;
        if made.is_none() {
            // Something stands in for it, so that its subscriptions are checked too; the faults take it back.
            made = self.run(place, stand_in(team_id)).await?;
        }
        let made = made.map(|pipeline| pipeline.id);
        self.versions.extend(made.map(|id| (id, 1)));
        Ok(made)
    }

    async fn changed_pipeline(&mut self, place: &str, id: Id<Pipeline>, before: &PipelineItem, item: &PipelineItem) -> Result<()> {
        self.stays_with(place, before.team.as_ref(), item.team.as_ref());
        let (source, target) = (before.source_connector.as_ref(), before.target_connector.as_ref());
        let errors = match &item.error_table_config {
            now if *now == before.error_table_config => MaybeUndefined::Undefined,
            None => MaybeUndefined::Null,
            Some(document) => MaybeUndefined::Value(Json(self.identified(place, document))),
        };
        let input = UpdatePipelineInput {
            pipeline_id: id,
            expected_version: None,
            name: MaybeUndefined::Undefined,
            source_connector_id: self.differing_connector(&format!("{place}/sourceConnector"), source, item.source_connector.as_ref()),
            target_connector_id: self.differing_connector(&format!("{place}/targetConnector"), target, item.target_connector.as_ref()),
            datamodel_id: self.differing_shape(&format!("{place}/datamodel"), before.datamodel.as_ref(), item.datamodel.as_ref()),
            json_configuration: differing(&before.json_configuration, &item.json_configuration).map_value(Json),
            error_table_config: errors,
        };
        let same = input.source_connector_id.is_undefined()
            && input.target_connector_id.is_undefined()
            && input.datamodel_id.is_undefined()
            && input.json_configuration.is_undefined()
            && input.error_table_config.is_undefined();
        if !same {
            self.run(place, input).await?;
        }
        Ok(())
    }

    async fn new_subscription(&mut self, place: &str, pipeline: Id<Pipeline>, item: &SubscriptionItem) -> Result<()> {
        let input = CreatePipelineSubscriptionInput {
            name: item.name.clone(),
            pipeline_id: Some(pipeline),
            datamodel_id: self.maybe_shape(&format!("{place}/datamodel"), item.datamodel.as_ref()),
            target_connector_id: self.maybe_named(&format!("{place}/targetConnector"), item.target_connector.as_ref()),
            target_table_name: item.target_table_name.clone(),
            config: Some(Json(item.config.clone())),
            transform_config: Some(Json(item.transform_config.clone())),
            error_table_enabled: item.errors.enabled,
            error_table_name: item.errors.name.clone(),
            error_table_target_id: self.maybe_named(&format!("{place}/errorTableTarget"), item.errors.target.as_ref()),
            consumer_id: item.consumer_id.clone(),
            backfill: false,
            enabled: false,
        };
        self.run(place, input).await?;
        Ok(())
    }

    async fn changed_subscription(
        &mut self,
        place: &str,
        id: Id<PipelineSubscription>,
        before: &SubscriptionItem,
        item: &SubscriptionItem,
    ) -> Result<()> {
        let (errors, was) = (&item.errors, &before.errors);
        let target = (before.target_connector.as_ref(), item.target_connector.as_ref());
        let rejected = (was.target.as_ref(), errors.target.as_ref());
        let input = UpdatePipelineSubscriptionInput {
            pipeline_subscription_id: id,
            name: MaybeUndefined::Undefined,
            pipeline_id: MaybeUndefined::Undefined,
            datamodel_id: self.differing_shape(&format!("{place}/datamodel"), before.datamodel.as_ref(), item.datamodel.as_ref()),
            target_connector_id: self.differing_connector(&format!("{place}/targetConnector"), target.0, target.1),
            target_table_name: differing_line(before.target_table_name.as_ref(), item.target_table_name.as_ref()),
            config: differing(&before.config, &item.config).map_value(Json),
            transform_config: differing(&before.transform_config, &item.transform_config).map_value(Json),
            error_table_enabled: differing(&was.enabled, &errors.enabled),
            error_table_name: differing_line(was.name.as_ref(), errors.name.as_ref()),
            error_table_target_id: self.differing_connector(&format!("{place}/errorTableTarget"), rejected.0, rejected.1),
            consumer_id: differing_line(before.consumer_id.as_ref(), item.consumer_id.as_ref()),
            backfill: MaybeUndefined::Undefined,
            enabled: MaybeUndefined::Undefined,
            updated_at: None,
        };
        self.run(place, input).await?;
        Ok(())
    }
}

/// Names.
impl Apply<'_> {
    /// Whether there were faults, which are noted.
    fn note(&mut self, faults: Faults) -> bool {
        let all = faults.into_list();
        let any = !all.is_empty();
        for (field, rule) in all {
            self.faults.add(field, rule);
        }
        any
    }

    /// Nothing is done with what a name does not identify.
    #[expect(clippy::unnecessary_wraps, reason = "it ends what else could fail")]
    fn ambiguous(&mut self, place: &str) -> Result<()> {
        self.faults.add(format!("{place}/name"), SEVERAL);
        Ok(())
    }

    /// The team that is to own something new.
    fn owner(&mut self, place: &str, name: Option<&String>) -> Option<Id<Team>> {
        if self.order.into.is_some() {
            return self.order.into;
        }
        let found = self.present.teams.iter().filter(|(_, team)| Some(*team) == name).map(|(id, _)| Id::from(*id));
        match found.collect::<Vec<_>>().as_slice() {
            [team] => return Some(*team),
            [] => self.faults.add(format!("{place}/team"), "It names the team that is to own it, one of this env that you see."),
            _ => self.faults.add(format!("{place}/team"), SEVERAL),
        }
        None
    }

    fn stays(&mut self, place: &str, field: &str, before: Option<&String>, now: Option<&String>) {
        if before != now {
            self.faults.add(format!("{place}/{field}"), "This stays what it is; make another under another name.");
        }
    }

    /// What says no team, or goes into one, leaves things with their teams.
    fn stays_with(&mut self, place: &str, before: Option<&String>, now: Option<&String>) {
        if self.order.into.is_none() && now.is_some() {
            self.stays(place, "team", before, now);
        }
    }

    fn named(&mut self, place: &str, name: &String) -> Option<Id<Connector>> {
        let found = self.connectors.get(name).map_or(&[][..], Vec::as_slice);
        match found {
            [id] => return Some(*id),
            // What is wrong with it is told already.
            [] if self.order.document.connectors.iter().any(|item| item.name == *name) => {}
            [] => self.faults.add(place, "There is no connector of this name, neither here for you to see nor in the document."),
            _ => self.faults.add(place, SEVERAL),
        }
        None
    }

    fn shape(&mut self, place: &str, name: &DatamodelName) -> Option<Id<Datamodel>> {
        let found = self.datamodels.get(name).map_or(&[][..], Vec::as_slice);
        match found {
            [id] => return Some(*id),
            [] if self.order.document.datamodels.iter().any(|item| item.id() == *name) => {}
            [] => self.faults.add(place, "There is no such datamodel of this source, neither here for you to see nor in the document."),
            _ => self.faults.add(place, SEVERAL),
        }
        None
    }

    fn maybe_named(&mut self, place: &str, name: Option<&String>) -> Option<Id<Connector>> {
        name.and_then(|name| self.named(place, name))
    }

    fn maybe_shape(&mut self, place: &str, name: Option<&DatamodelName>) -> Option<Id<Datamodel>> {
        name.and_then(|name| self.shape(place, name))
    }

    fn differing_connector(&mut self, place: &str, before: Option<&String>, now: Option<&String>) -> MaybeUndefined<Id<Connector>> {
        if before == now { MaybeUndefined::Undefined } else { new(self.maybe_named(place, now)) }
    }

    fn differing_shape(
        &mut self,
        place: &str,
        before: Option<&DatamodelName>,
        now: Option<&DatamodelName>,
    ) -> MaybeUndefined<Id<Datamodel>> {
        if before == now { MaybeUndefined::Undefined } else { new(self.maybe_shape(place, now)) }
    }

    fn identified(&mut self, place: &str, document: &Value) -> Value {
        let place = format!("{place}/errorTableConfig");
        identified(document, &mut |name| self.named(&place, &name.to_owned()).map(Id::uuid))
    }
}
