//! What a viewer sees of an env, by its names.
//!
//! Always holds: no secret is in it; what refers to something that the viewer does not see, or that is gone, refers to nothing
//! here. Not here: who may change it.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use super::document::{ConnectorItem, DatamodelItem, DatamodelName, Document, ErrorItem, FORMAT, PipelineItem, SubscriptionItem};
use crate::access::Team;
use crate::core::db::rows_on;
use crate::core::entity::{Entity, from_visible, select_list};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::redact::redact;
use crate::core::sealed;
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, catalogue};

/// What stands for a connector inside the configuration of an error table.
const CONNECTOR: &str = "$connector";

/// Where names identify things: an env, or a team that lives in none.
#[derive(Clone, Copy, Debug)]
pub(super) enum World {
    Env(Uuid),
    Team(Uuid),
}

impl World {
    /// Of what this team in this env owns.
    pub(super) fn of(team: Option<Uuid>, env: Option<Uuid>) -> Self {
        env.map_or_else(|| Self::Team(team.unwrap_or_default()), Self::Env)
    }

    /// Appends the condition that the row of this alias lies in it.
    fn holds(self, sql: Sql, alias: &str) -> Sql {
        match self {
            Self::Env(env) => sql.text(alias).with(".env_id = ", env),
            Self::Team(team) => sql.text(alias).text(".env_id is null and ").text(alias).with(".team_id = ", team),
        }
    }
}

/// Who looks, with the keys that open configurations.
pub(super) struct Look<'a> {
    pub(super) viewer: &'a Viewer,
    pub(super) keys: &'a KeyRing,
    pub(super) world: World,
}

/// A row and how a document says it.
pub(super) struct Said<E, I> {
    pub(super) row: E,
    pub(super) item: I,
}

/// A pipeline with its subscriptions.
pub(super) struct Flow {
    pub(super) row: Pipeline,
    pub(super) item: PipelineItem,
    pub(super) subscriptions: Vec<Said<PipelineSubscription, SubscriptionItem>>,
}

/// What there is.
#[derive(Default)]
pub(super) struct Present {
    pub(super) teams: HashMap<Uuid, String>,
    pub(super) connectors: Vec<Said<Connector, ConnectorItem>>,
    pub(super) datamodels: Vec<Said<Datamodel, DatamodelItem>>,
    pub(super) pipelines: Vec<Flow>,
    names: HashMap<Uuid, String>,
    shapes: HashMap<Uuid, DatamodelName>,
}

impl Present {
    /// Reads it.
    ///
    /// # Errors
    /// When the database cannot be asked, or no key of this server opens a configuration.
    pub(super) async fn read(connection: &mut PgConnection, look: &Look<'_>) -> Result<Self> {
        let mut present = Self::default();
        let mut sql = Sql::new("select t.id, t.name");
        from_visible::<Team>(&mut sql, look.viewer);
        let sql = match look.world {
            World::Env(env) => sql.with(" and t.env_id = ", env),
            World::Team(team) => sql.with(" and t.id = ", team),
        };
        for row in rows_on(connection, sql.text(" order by t.id")).await? {
            let (id, name): (Uuid, Option<String>) = (row.try_get(0)?, row.try_get(1)?);
            present.teams.insert(id, name.unwrap_or_else(|| id.to_string()));
        }
        present.read_connectors(connection, look).await?;
        present.read_datamodels(connection, look).await?;
        present.read_pipelines(connection, look).await?;
        present.read_subscriptions(connection).await?;
        Ok(present)
    }

    async fn read_connectors(&mut self, connection: &mut PgConnection, look: &Look<'_>) -> Result<()> {
        let sql = look.world.holds(selected::<Connector>(look.viewer, &["json_configuration"]).text(" and "), "t");
        for found in rows_on(connection, sql).await? {
            let row = Connector::from_row(&found, 0)?;
            let sealed: String = found.try_get(Connector::COLUMNS.len())?;
            let plain = sealed::open(look.keys, row.id.uuid(), &sealed)?;
            let name = row.name.clone().unwrap_or_else(|| row.id.to_string());
            self.names.insert(row.id.uuid(), name.clone());
            let item = ConnectorItem {
                name,
                team: row.team_id.and_then(|id| self.teams.get(&id.uuid()).cloned()),
                connector_type: row.connector_type.clone(),
                configuration: redact(&plain, catalogue::marks(&row.connector_type)),
            };
            self.connectors.push(Said { row, item });
        }
        self.connectors.sort_by(|one, other| one.item.name.cmp(&other.item.name));
        Ok(())
    }

    async fn read_datamodels(&mut self, connection: &mut PgConnection, look: &Look<'_>) -> Result<()> {
        let sql = selected::<Datamodel>(look.viewer, &["config"]);
        let sql = look.world.holds(sql.text(" and (exists (select 1 from connector c where c.id = t.source_connector_id and "), "c");
        let sql = look.world.holds(sql.text(") or exists (select 1 from pipeline p where p.datamodel_id = t.id and "), "p");
        for found in rows_on(connection, sql.text("))")).await? {
            let row = Datamodel::from_row(&found, 0)?;
            let item = DatamodelItem {
                name: row.name.clone(),
                source_connector: self.name(row.source_connector_id),
                source_topic: row.source_topic.clone(),
                target_topic: row.target_topic.clone(),
                consumer_id: row.consumer_id.clone(),
                errors: self.errors(row.error_table_enabled, row.error_table_name.as_ref(), row.error_table_target_id),
                enabled: row.enabled,
                config: json(&found, Datamodel::COLUMNS.len())?.unwrap_or_else(|| json!({})),
            };
            self.shapes.insert(row.id.uuid(), item.id());
            self.datamodels.push(Said { row, item });
        }
        self.datamodels.sort_by_key(|said| said.item.id());
        Ok(())
    }

    async fn read_pipelines(&mut self, connection: &mut PgConnection, look: &Look<'_>) -> Result<()> {
        let sql = selected::<Pipeline>(look.viewer, &["json_configuration", "error_table_config"]).text(" and ");
        for found in rows_on(connection, look.world.holds(sql, "t")).await? {
            let row = Pipeline::from_row(&found, 0)?;
            let documents = Pipeline::COLUMNS.len();
            let item = PipelineItem {
                name: row.name.clone().unwrap_or_else(|| row.id.to_string()),
                team: self.teams.get(&row.team_id.uuid()).cloned(),
                source_connector: self.name(row.source_connector_id),
                target_connector: self.name(row.target_connector_id),
                datamodel: row.datamodel_id.and_then(|id| self.shapes.get(&id.uuid()).cloned()),
                json_configuration: json(&found, documents)?.unwrap_or_else(|| json!({})),
                error_table_config: json(&found, documents.saturating_add(1))?.map(|document| self.named(document)),
                subscriptions: Vec::new(),
            };
            self.pipelines.push(Flow { row, item, subscriptions: Vec::new() });
        }
        self.pipelines.sort_by(|one, other| one.item.name.cmp(&other.item.name));
        Ok(())
    }

    /// Whoever sees a pipeline sees its subscriptions, which it owns.
    async fn read_subscriptions(&mut self, connection: &mut PgConnection) -> Result<()> {
        let places: HashMap<Uuid, usize> = self.pipelines.iter().enumerate().map(|(at, flow)| (flow.row.id.uuid(), at)).collect();
        let ids: Vec<Uuid> = places.keys().copied().collect();
        let sql = Sql::new("select ").text(&crate::core::entity::columns::<PipelineSubscription>());
        let sql = sql.text(", t.config::text, t.transform_config::text from subscription t where t.pipeline_id = any(").value(ids);
        for found in rows_on(connection, sql.text(") order by t.name, t.id")).await? {
            let row = PipelineSubscription::from_row(&found, 0)?;
            let documents = PipelineSubscription::COLUMNS.len();
            let own = row.id.to_string();
            let item = SubscriptionItem {
                name: row.name.clone(),
                datamodel: row.datamodel_id.and_then(|id| self.shapes.get(&id.uuid()).cloned()),
                target_connector: self.name(row.target_connector_id),
                target_table_name: row.target_table_name.clone(),
                consumer_id: row.consumer_id.clone().filter(|id| *id != own),
                errors: self.errors(row.error_table_enabled, row.error_table_name.as_ref(), row.error_table_target_id),
                config: json(&found, documents)?.unwrap_or_else(|| json!({})),
                transform_config: json(&found, documents.saturating_add(1))?.unwrap_or_else(|| json!([])),
            };
            let flow = row.pipeline_id.and_then(|id| places.get(&id.uuid())).and_then(|at| self.pipelines.get_mut(*at));
            if let Some(flow) = flow {
                flow.item.subscriptions.push(item.clone());
                flow.subscriptions.push(Said { row, item });
            }
        }
        Ok(())
    }

    fn name(&self, id: Option<Id<Connector>>) -> Option<String> {
        self.names.get(&id?.uuid()).cloned()
    }

    fn errors(&self, enabled: bool, name: Option<&String>, target: Option<Id<Connector>>) -> ErrorItem {
        ErrorItem { enabled, name: name.cloned(), target: self.name(target) }
    }

    /// A document with connectors by their names instead of their ids.
    fn named(&self, document: Value) -> Value {
        match document {
            Value::Object(map) => map.into_iter().map(|(name, value)| (name, self.named(value))).collect(),
            Value::Array(items) => items.into_iter().map(|item| self.named(item)).collect(),
            Value::String(text) => match text.parse().ok().and_then(|id: Uuid| self.names.get(&id)) {
                Some(name) => json!({CONNECTOR: name}),
                None => Value::String(text),
            },
            other => other,
        }
    }

    /// All of it.
    pub(super) fn document(&self) -> Document {
        Document {
            format: FORMAT.to_owned(),
            connectors: self.connectors.iter().map(|said| said.item.clone()).collect(),
            datamodels: self.datamodels.iter().map(|said| said.item.clone()).collect(),
            pipelines: self.pipelines.iter().map(|flow| flow.item.clone()).collect(),
        }
        .ordered()
    }

    /// One pipeline with all that it needs, and all that that needs.
    pub(super) fn document_of(&self, pipeline: Id<Pipeline>) -> Document {
        let mut document = self.document();
        let name = self.pipelines.iter().find(|flow| flow.row.id == pipeline).map(|flow| &flow.item.name);
        document.pipelines.retain(|item| Some(&item.name) == name);
        let (mut shapes, mut connectors) = (HashSet::new(), HashSet::new());
        for item in &document.pipelines {
            connectors.extend([&item.source_connector, &item.target_connector].into_iter().flatten().cloned());
            connectors.extend(item.error_table_config.iter().flat_map(connectors_in));
            shapes.extend(item.datamodel.clone());
            for item in &item.subscriptions {
                connectors.extend([&item.target_connector, &item.errors.target].into_iter().flatten().cloned());
                shapes.extend(item.datamodel.clone());
            }
        }
        document.datamodels.retain(|item| shapes.contains(&item.id()));
        for item in &document.datamodels {
            connectors.extend([&item.source_connector, &item.errors.target].into_iter().flatten().cloned());
        }
        document.connectors.retain(|item| connectors.contains(&item.name));
        document
    }
}

/// The names of connectors in the configuration of an error table.
fn connectors_in(document: &Value) -> Vec<String> {
    match document {
        Value::Object(map) => match connector(document) {
            Some(name) => vec![name.to_owned()],
            None => map.values().flat_map(connectors_in).collect(),
        },
        Value::Array(items) => items.iter().flat_map(connectors_in).collect(),
        _ => Vec::new(),
    }
}

/// The name in an object that stands for a connector.
fn connector(value: &Value) -> Option<&str> {
    value.as_object().filter(|map| map.len() == 1)?.get(CONNECTOR)?.as_str()
}

/// The configuration of an error table with ids again; `id` answers them by name.
pub(super) fn identified(document: &Value, id: &mut impl FnMut(&str) -> Option<Uuid>) -> Value {
    match document {
        Value::Object(map) => match connector(document) {
            Some(name) => id(name).map_or(Value::Null, |id| Value::String(id.to_string())),
            None => map.iter().map(|(name, value)| (name.clone(), identified(value, id))).collect(),
        },
        Value::Array(items) => items.iter().map(|item| identified(item, id)).collect(),
        other => other.clone(),
    }
}

fn selected<E: Entity>(viewer: &Viewer, documents: &[&str]) -> Sql {
    let mut sql = Sql::new("select ");
    select_list::<E>(&mut sql, viewer);
    for document in documents {
        sql = sql.text(", t.").text(document).text("::text");
    }
    from_visible::<E>(&mut sql, viewer);
    sql
}

fn json(row: &PgRow, at: usize) -> Result<Option<Value>> {
    let text: Option<String> = row.try_get(at)?;
    text.map(|text| serde_json::from_str(&text).map_err(crate::core::error::Error::internal)).transpose()
}
