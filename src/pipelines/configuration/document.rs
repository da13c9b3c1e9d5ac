//! The form of the document, and what can be wrong with it without a database.
//!
//! Always holds: things are known by their names, never by ids; every fault is told with its JSON pointer, and none with a value.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::core::error::{Error, Result};
use crate::core::violations::{Violations, normal};
use crate::pipelines::catalogue::check;

/// The form that is written, and the one that is read.
pub const FORMAT: &str = "pumphouse/pipelines/1";
/// The field of the input.
pub(super) const FIELD: &str = "document";
/// The largest document, in bytes.
const LARGEST: usize = 8 * 1024 * 1024;

/// What flows where.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Which form this is.
    pub format: String,
    /// Connectors, by name.
    #[serde(default)]
    pub connectors: Vec<ConnectorItem>,
    /// Datamodels, by source and name.
    #[serde(default)]
    pub datamodels: Vec<DatamodelItem>,
    /// Pipelines with their subscriptions, by name.
    #[serde(default)]
    pub pipelines: Vec<PipelineItem>,
}

/// A connector, its secrets hidden.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorItem {
    /// The name, unique within the env.
    pub name: String,
    /// The name of the team that owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The id of its type.
    pub connector_type: String,
    /// Its configuration.
    pub configuration: Value,
}

/// A datamodel.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatamodelItem {
    /// The name, unique among those of its source.
    pub name: String,
    /// The name of its source connector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_connector: Option<String>,
    /// The topic it reads from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_topic: Option<String>,
    /// The topic it writes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_topic: Option<String>,
    /// The consumer group with which it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumer_id: Option<String>,
    /// Where rejected rows go.
    #[serde(flatten)]
    pub errors: ErrorItem,
    /// Whether it is processed.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// The structure of the data.
    #[serde(default = "object")]
    pub config: Value,
}

/// Where rejected rows go.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorItem {
    /// Whether they go to an error table.
    #[serde(rename = "errorTableEnabled", default, skip_serializing_if = "is_false")]
    pub enabled: bool,
    /// Its name.
    #[serde(rename = "errorTableName", default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the connector that receives them.
    #[serde(rename = "errorTableTarget", default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// A pipeline.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PipelineItem {
    /// The name, unique within the env.
    pub name: String,
    /// The name of the team that owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The name of the connector it reads from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_connector: Option<String>,
    /// The name of the connector it writes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_connector: Option<String>,
    /// The datamodel it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datamodel: Option<DatamodelName>,
    /// Its own settings.
    #[serde(default = "object")]
    pub json_configuration: Value,
    /// Where rejected rows go; a connector in it is `{"$connector": "name"}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_table_config: Option<Value>,
    /// Its deliveries, by name.
    #[serde(default)]
    pub subscriptions: Vec<SubscriptionItem>,
}

/// A delivery of a pipeline.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionItem {
    /// The name, unique within the pipeline.
    pub name: String,
    /// The datamodel it delivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datamodel: Option<DatamodelName>,
    /// The name of the connector it delivers into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_connector: Option<String>,
    /// The table it writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_table_name: Option<String>,
    /// The consumer group with which it reads; its own id unless set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumer_id: Option<String>,
    /// Where rejected rows go.
    #[serde(flatten)]
    pub errors: ErrorItem,
    /// How rows are written into the target.
    #[serde(default = "object")]
    pub config: Value,
    /// The single-message transforms.
    #[serde(default = "list")]
    pub transform_config: Value,
}

/// What a datamodel is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatamodelName {
    /// The name of its source connector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_connector: Option<String>,
    /// Its name.
    pub name: String,
}

const fn yes() -> bool {
    true
}

fn object() -> Value {
    json!({})
}

fn list() -> Value {
    json!([])
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

static SCHEMA: LazyLock<Value> = LazyLock::new(schema);
static VALIDATOR: LazyLock<Option<Validator>> = LazyLock::new(|| check::compile(&SCHEMA));

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// `VALIDATION` with everything that is wrong with its form.
    pub fn read(sent: &Value) -> Result<Self> {
        let mut violations = Violations::default();
        if sent.to_string().len() > LARGEST {
            return Err(Error::validation(format!("It has at most {LARGEST} bytes.")).field(FIELD));
        }
        let broken = || Error::invariant("the schema of configurations is none");
        check::check(VALIDATOR.as_ref().ok_or_else(broken)?, &SCHEMA, sent, FIELD, &mut violations);
        violations.none()?;
        let mut document = Self::deserialize(sent).map_err(Error::internal)?;
        let mut violations = Violations::default();
        if document.format != FORMAT {
            violations.add(at("format"), format!("This server reads {FORMAT:?}."));
        }
        document.normalise();
        document.once(&mut violations);
        violations.none()?;
        Ok(document)
    }

    /// Names as they are stored, so that what looks the same is the same.
    fn normalise(&mut self) {
        let set = |name: &mut String| *name = normal(name);
        let each = |name: &mut Option<String>| name.iter_mut().for_each(set);
        let of = |name: &mut Option<DatamodelName>| {
            if let Some(name) = name {
                set(&mut name.name);
                each(&mut name.source_connector);
            }
        };
        for item in &mut self.connectors {
            set(&mut item.name);
            each(&mut item.team);
        }
        for item in &mut self.datamodels {
            set(&mut item.name);
            each(&mut item.source_connector);
            each(&mut item.errors.target);
        }
        for item in &mut self.pipelines {
            set(&mut item.name);
            [&mut item.team, &mut item.source_connector, &mut item.target_connector].into_iter().for_each(each);
            of(&mut item.datamodel);
            for item in &mut item.subscriptions {
                set(&mut item.name);
                [&mut item.target_connector, &mut item.errors.target].into_iter().for_each(each);
                of(&mut item.datamodel);
            }
        }
    }

    fn once(&self, violations: &mut Violations) {
        twice(violations, &at("connectors"), self.connectors.iter().map(|item| &item.name));
        twice(violations, &at("datamodels"), self.datamodels.iter().map(DatamodelItem::id));
        twice(violations, &at("pipelines"), self.pipelines.iter().map(|item| &item.name));
        for (index, item) in self.pipelines.iter().enumerate() {
            twice(violations, &at(&format!("pipelines/{index}/subscriptions")), item.subscriptions.iter().map(|item| &item.name));
        }
    }

    /// What several things are called, none of which can be applied therefore.
    #[must_use]
    pub fn shared_names(&self) -> Vec<String> {
        let datamodels = self.datamodels.iter().map(|item| match &item.source_connector {
            Some(source) => format!("datamodel {:?} of connector {source:?}", item.name),
            None => format!("datamodel {:?} without a source", item.name),
        });
        let subscriptions = self.pipelines.iter().flat_map(|pipeline| {
            pipeline.subscriptions.iter().map(|item| format!("subscription {:?} of pipeline {:?}", item.name, pipeline.name))
        });
        let mut seen = HashSet::new();
        let mut shared: Vec<String> = datamodels.chain(subscriptions).filter(|name| !seen.insert(name.clone())).collect();
        shared.dedup();
        shared
    }

    /// The topics that its datamodels read.
    pub(super) fn topics(&self) -> Vec<String> {
        self.datamodels.iter().filter_map(|item| item.source_topic.clone()).collect()
    }

    /// The same in the one order in which documents are written.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.connectors.sort_by(|one, other| one.name.cmp(&other.name));
        self.datamodels.sort_by_key(DatamodelItem::id);
        self.pipelines.sort_by(|one, other| one.name.cmp(&other.name));
        for item in &mut self.pipelines {
            item.subscriptions.sort_by(|one, other| one.name.cmp(&other.name));
        }
        self
    }
}

impl DatamodelItem {
    /// What it is known by.
    #[must_use]
    pub fn id(&self) -> DatamodelName {
        DatamodelName { source_connector: self.source_connector.clone(), name: self.name.clone() }
    }
}

/// The path of a part of the document.
pub(super) fn at(place: &str) -> String {
    format!("{FIELD}/{place}")
}

fn twice<T: Eq + Hash>(violations: &mut Violations, path: &str, all: impl Iterator<Item = T>) {
    let mut seen = HashSet::new();
    for (index, one) in all.enumerate() {
        if !seen.insert(one) {
            violations.add(
                format!("{path}/{index}/name"),
                "Something of this name stands in the document already, so it identifies neither; give each a name of its own.",
            );
        }
    }
}

fn schema() -> Value {
    let text = || json!({"type": "string"});
    let open = || json!({"type": "object"});
    let flag = || json!({"type": "boolean"});
    let datamodel = json!({"type": "object", "properties": {"name": text(), "sourceConnector": text()},
        "required": ["name"], "additionalProperties": false});
    let errors = || vec![("errorTableEnabled", flag()), ("errorTableName", text()), ("errorTableTarget", text())];
    let subscription = [
        vec![("name", text()), ("datamodel", datamodel.clone()), ("targetConnector", text()), ("targetTableName", text())],
        vec![("consumerId", text()), ("config", open()), ("transformConfig", json!({"type": "array"}))],
        errors(),
    ];
    let connector = [vec![("name", text()), ("team", text()), ("connectorType", text()), ("configuration", open())]];
    let shape = [
        vec![("name", text()), ("sourceConnector", text()), ("sourceTopic", text()), ("targetTopic", text())],
        vec![("consumerId", text()), ("enabled", flag()), ("config", open())],
        errors(),
    ];
    let pipeline = [
        vec![("name", text()), ("team", text()), ("sourceConnector", text()), ("targetConnector", text()), ("datamodel", datamodel)],
        vec![("jsonConfiguration", open()), ("errorTableConfig", open())],
        vec![("subscriptions", items(&["name"], subscription))],
    ];
    let whole = [
        vec![("format", text()), ("connectors", items(&["name", "connectorType", "configuration"], connector))],
        vec![("datamodels", items(&["name"], shape)), ("pipelines", items(&["name"], pipeline))],
    ];
    closed(&["format"], whole)
}

fn items<const N: usize>(required: &[&str], properties: [Vec<(&str, Value)>; N]) -> Value {
    json!({"type": "array", "items": closed(required, properties)})
}

fn closed<const N: usize>(required: &[&str], properties: [Vec<(&str, Value)>; N]) -> Value {
    let properties: Map<String, Value> = properties.into_iter().flatten().map(|(name, schema)| (name.to_owned(), schema)).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
