//! What differs between two documents, thing by thing.

use std::collections::BTreeMap;

use async_graphql::{Enum, Json, SimpleObject};
use serde_json::Value;

use super::apply::Done;
use super::document::Document;
use crate::core::error::{Error, Result};

/// What is done with a thing.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigurationAction {
    /// It is made.
    Create,
    /// It is changed.
    Update,
    /// It is as the document says already.
    Unchanged,
    /// It is there and the document says nothing of it; it stays as it is.
    Kept,
}

/// What kind of thing it is, in the order in which they are made.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigurationKind {
    /// A connector.
    Connector,
    /// A datamodel.
    Datamodel,
    /// A pipeline, without its subscriptions.
    Pipeline,
    /// A subscription of a pipeline.
    Subscription,
}

/// What a document does to one thing.
#[derive(SimpleObject)]
pub struct ConfigurationChange {
    /// What is done.
    pub action: ConfigurationAction,
    /// What kind of thing it is.
    pub kind: ConfigurationKind,
    /// Its name.
    pub name: String,
    /// Where the name is unique: the source connector of a datamodel, the pipeline of a subscription; null for connectors and pipelines.
    pub within: Option<String>,
    /// The parts of it that change, as the document names them; `configuration` also where only a secret does.
    pub fields: Vec<String>,
    /// Whether a secret takes the place of another, which `before` and `after` do not show.
    pub secret_changes: bool,
    /// How the document says it before; null when it is made.
    pub before: Option<Json<Value>>,
    /// How the document says it afterwards. Secrets are hidden, so a new one looks like the one that it replaces.
    pub after: Option<Json<Value>>,
}

type Key = (ConfigurationKind, Option<String>, String);

/// What was done, by kind and name.
pub(super) fn changes(document: &Document, done: &Done) -> Result<Vec<ConfigurationChange>> {
    let (said, before, after) = (parts(document)?, parts(&done.before)?, parts(&done.after)?);
    let change = |(key, after): (Key, Value)| {
        let before = before.get(&key).cloned();
        let mut fields = differing(before.as_ref(), &after);
        let configured = (key.0 == ConfigurationKind::Connector).then(|| done.configured.get(&key.2)).flatten();
        if configured.is_some() && fields.is_empty() {
            fields.push("configuration".to_owned());
        }
        let secret_changes = configured.copied().unwrap_or_default();
        let action = match &before {
            None => ConfigurationAction::Create,
            Some(_) if !fields.is_empty() => ConfigurationAction::Update,
            Some(_) if said.contains_key(&key) => ConfigurationAction::Unchanged,
            Some(_) => ConfigurationAction::Kept,
        };
        let (kind, within, name) = key;
        ConfigurationChange { action, kind, name, within, fields, secret_changes, before: before.map(Json), after: Some(Json(after)) }
    };
    Ok(after.into_iter().map(change).collect())
}

fn parts(document: &Document) -> Result<BTreeMap<Key, Value>> {
    let mut parts = BTreeMap::new();
    let mut add = |kind, within: Option<&String>, name: &String, value: Result<Value, serde_json::Error>| {
        let mut value = value.map_err(Error::internal)?;
        if let Some(map) = value.as_object_mut() {
            map.remove("subscriptions");
        }
        parts.insert((kind, within.cloned(), name.clone()), value);
        Ok::<_, Error>(())
    };
    for item in &document.connectors {
        add(ConfigurationKind::Connector, None, &item.name, serde_json::to_value(item))?;
    }
    for item in &document.datamodels {
        add(ConfigurationKind::Datamodel, item.source_connector.as_ref(), &item.name, serde_json::to_value(item))?;
    }
    for pipeline in &document.pipelines {
        add(ConfigurationKind::Pipeline, None, &pipeline.name, serde_json::to_value(pipeline))?;
        for item in &pipeline.subscriptions {
            add(ConfigurationKind::Subscription, Some(&pipeline.name), &item.name, serde_json::to_value(item))?;
        }
    }
    Ok(parts)
}

/// The parts that one has otherwise than the other; all of them when there was none.
fn differing(before: Option<&Value>, after: &Value) -> Vec<String> {
    let mut names: Vec<&String> =
        [before, Some(after)].into_iter().flatten().filter_map(Value::as_object).flat_map(|map| map.keys()).collect();
    names.sort();
    names.dedup();
    let differs = |name: &&String| before.and_then(|before| before.get(*name)) != after.get(*name);
    names.into_iter().filter(differs).cloned().collect()
}
