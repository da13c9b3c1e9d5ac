//! What a JSON Schema says of the parts of a document: which are secret, which say where it leads.
//!
//! Always holds: `writeOnly` marks a secret and `x-destination` a destination; places are written like JSON pointers in
//! which every item of a list is `*`. Not here: what names say by themselves (`core/redact.rs`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The marked places of a kind of document. Without a schema there are none, and names alone decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    secrets: BTreeSet<String>,
    /// With the default that an absent one has.
    destinations: BTreeMap<String, Option<Value>>,
}

impl Marks {
    /// The places that this schema marks.
    #[must_use]
    pub fn of(schema: &Value) -> Self {
        let mut marks = Self::default();
        marks.collect(schema, "");
        marks
    }

    /// The marks of a document without a schema.
    #[must_use]
    pub const fn none() -> Self {
        Self { secrets: BTreeSet::new(), destinations: BTreeMap::new() }
    }

    /// Whether what stands in this place is a secret.
    #[must_use]
    pub fn is_secret(&self, place: &str) -> bool {
        self.secrets.contains(place)
    }

    /// Whether what stands in this place says where the document leads.
    #[must_use]
    pub fn is_destination(&self, place: &str) -> bool {
        self.destinations.contains_key(place)
    }

    /// The places outside of lists that say where a document leads also when they are absent, with their default.
    pub(crate) fn default_destinations(&self) -> impl Iterator<Item = (&str, &Value)> {
        let defaults = self.destinations.iter().filter_map(|(place, default)| Some((place.as_str(), default.as_ref()?)));
        defaults.filter(|(place, _)| !place.split('/').any(|part| part == ITEM))
    }

    fn collect(&mut self, schema: &Value, place: &str) {
        let is = |keyword: &str| schema.get(keyword).and_then(Value::as_bool) == Some(true);
        if is("writeOnly") {
            self.secrets.insert(place.to_owned());
        }
        if is("x-destination") {
            self.destinations.insert(place.to_owned(), schema.get("default").cloned());
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.collect(property, &child(place, name));
        }
        if let Some(items) = schema.get("items") {
            self.collect(items, &child(place, ITEM));
        }
    }
}

/// What stands for every item of a list.
pub(crate) const ITEM: &str = "*";

/// The JSON pointer of a part (RFC 6901).
pub(crate) fn child(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_marks_places_also_inside_lists() {
        let marks = Marks::of(&json!({"properties": {
            "pin": {"writeOnly": true}, "where": {"x-destination": true},
            "headers": {"items": {"properties": {"a/b": {"writeOnly": true}}}},
        }}));
        assert!(marks.is_secret("/pin") && marks.is_secret("/headers/*/a~1b") && marks.is_destination("/where"));
        assert!(!marks.is_secret("/where") && !marks.is_destination("/pin"));
    }
}
