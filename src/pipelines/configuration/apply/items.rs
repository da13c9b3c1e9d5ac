//! What a document says of each thing, as the mutation that it takes.

use async_graphql::{Json, MaybeUndefined};
use serde_json::json;

use super::Apply;
use super::names::SEVERAL;
use crate::access::Team;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Held, Parent};
use crate::core::secret::PlainJson;
use crate::core::violations::Violations;
use crate::pipelines::configuration::document::{ConnectorItem, DatamodelItem, PipelineItem, SubscriptionItem};
use crate::pipelines::configuration::present::Said;
use crate::pipelines::connector_write::{self, LONGEST_NAME, NewConnector};
use crate::pipelines::datamodel_mutation::{CreateDatamodelInput, UpdateDatamodelInput};
use crate::pipelines::error_table::new;
use crate::pipelines::pipeline_mutation::{CreatePipelineInput, UpdatePipelineInput};
use crate::pipelines::subscription_input::{CreatePipelineSubscriptionInput, UpdatePipelineSubscriptionInput};
use crate::pipelines::{Pipeline, PipelineSubscription};

/// What a changed thing is given: nothing where it is as it was.
fn differing<T: PartialEq + Clone>(before: &T, now: &T) -> MaybeUndefined<T> {
    if before == now { MaybeUndefined::Undefined } else { MaybeUndefined::Value(now.clone()) }
}

fn differing_line(before: Option<&String>, now: Option<&String>) -> MaybeUndefined<String> {
    if before == now { MaybeUndefined::Undefined } else { new(now.cloned()) }
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

impl Apply<'_> {
    pub(super) async fn connector(&mut self, place: &str, item: &ConnectorItem) -> Result<()> {
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
                let (mut violations, field) = (Violations::default(), format!("{place}/configuration"));
                let sent = item.configuration.clone();
                let new = connector_write::changed(self.w, self.order.keys, &held, sent, &field, &mut violations).await?;
                if self.note(violations) {
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
        let mut violations = Violations::default();
        let mut name = violations.name(&format!("{place}/name"), &item.name, LONGEST_NAME);
        let Some(kind) = connector_write::kind_of(&item.connector_type, &format!("{place}/connectorType"), &mut violations) else {
            self.note(violations);
            return Ok(());
        };
        let field = format!("{place}/configuration");
        let mut document = connector_write::validated(kind, item.configuration.clone(), None, &field, &mut violations)?;
        if self.note(violations) {
            // Something stands in for it, so that what refers to it is checked too; the faults take it back.
            (name, document) = (Id::<Pipeline>::random().to_string(), PlainJson::new(json!({})));
        }
        let id = connector_write::insert(self.w, self.order.keys, &team, &NewConnector { name, kind, document }).await;
        let id = id.map_err(|error| error.field(format!("{place}/name")))?;
        self.connectors.entry(item.name.clone()).or_default().push(id);
        Ok(())
    }

    pub(super) async fn datamodel(&mut self, place: &str, item: &DatamodelItem) -> Result<()> {
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
            self.violations.add(format!("{place}/sourceConnector"), "A new datamodel names its source connector.");
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

    pub(super) async fn pipeline(&mut self, place: &str, item: &PipelineItem) -> Result<()> {
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
                _ => self.violations.add(format!("{place}/name"), SEVERAL),
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

    fn stays(&mut self, place: &str, field: &str, before: Option<&String>, now: Option<&String>) {
        if before != now {
            self.violations.add(format!("{place}/{field}"), "This stays what it is; make another under another name.");
        }
    }

    /// What says no team, or goes into one, leaves things with their teams.
    fn stays_with(&mut self, place: &str, before: Option<&String>, now: Option<&String>) {
        if self.order.into.is_none() && now.is_some() {
            self.stays(place, "team", before, now);
        }
    }
}
