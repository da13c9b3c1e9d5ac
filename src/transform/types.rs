//! The table of all transform types, the source of their errors, schemas and documentation.

use serde_json::{Map, Value, json};

use super::given::Given;
use super::parameter::Parameter;
use super::{Fault, Step, Transform};
use super::{encrypt, filter, flattener, hash, key_filter, mapper, movers, sanitize_key, splitter, stringify, unenvelope};

/// A type of transform.
pub struct TransformType {
    /// The `type` in a configuration.
    pub id: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The description.
    pub description: &'static str,
    pub(super) parameters: &'static [Parameter],
    pub(super) build: fn(&mut Given<'_>) -> Option<Box<dyn Transform>>,
}

/// All transform types.
pub static TYPES: [TransformType; 13] = [
    mapper::TYPE,
    flattener::TYPE,
    splitter::TYPE,
    stringify::LIST,
    stringify::KEY,
    unenvelope::TYPE,
    key_filter::TYPE,
    movers::KEY,
    movers::DICT,
    sanitize_key::TYPE,
    hash::TYPE,
    encrypt::TYPE,
    filter::TYPE,
];

impl TransformType {
    /// Returns the JSON Schema of a transform of this type.
    #[must_use]
    pub fn schema(&self) -> Value {
        let mut properties = Map::from_iter([("type".to_owned(), json!({"const": self.id}))]);
        properties.extend(self.parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.schema())));
        let needed = self.parameters.iter().filter(|parameter| parameter.needed).map(|parameter| parameter.name);
        let required: Vec<&str> = std::iter::once("type").chain(needed).collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": self.title, "description": self.description,
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        })
    }
}

/// Parses one transform of a configuration.
pub(super) fn read(item: &Value, pointer: &str, violations: &mut Vec<Fault>) -> Option<Step> {
    let mut fault = |pointer: String, message: String| {
        violations.push(Fault { pointer, message });
        None
    };
    let Some(map) = item.as_object() else {
        return fault(pointer.to_owned(), "A transform is an object with its `type` and the parameters of that type.".to_owned());
    };
    let Some(kind) = map.get("type").and_then(Value::as_str).and_then(|id| TYPES.iter().find(|kind| kind.id == id)) else {
        let known: Vec<&str> = TYPES.iter().map(|kind| kind.id).collect();
        return fault(format!("{pointer}/type"), format!("The type of a transform is one of {}.", known.join(", ")));
    };
    let mut given = Given::check(map, kind.parameters, pointer, violations);
    let mut transform = (kind.build)(&mut given)?;
    let secret = transform.key().map(|key| (format!("{pointer}/{}", key.parameter()), key.reference().clone()));
    Some(Step { id: kind.id, transform, secret })
}
