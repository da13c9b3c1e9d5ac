//! Validation of a JSON Schema against the meta-schema of the draft that it names, by default 2020-12.
//!
//! Not here: compatibility, which is checked for Avro only; other documents that a `$ref` may name.

use std::sync::LazyLock;

use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use crate::core::marks::child;

/// Returns all faults: pairs of a JSON pointer and a rule.
pub(super) fn wrong(document: &Value) -> Vec<(String, String)> {
    if !document.is_object() && !document.is_boolean() {
        return vec![(String::new(), "A JSON Schema is an object, or true or false.".to_owned())];
    }
    let mut found = match jsonschema::meta::validator_for(document) {
        Ok(validator) => {
            let errors = validator.iter_errors(document);
            errors.map(|error| (error.instance_path().to_string(), format!("{}.", error.masked()))).collect()
        }
        Err(_) => vec![("/$schema".to_owned(), "This draft of JSON Schema is not known.".to_owned())],
    };
    Texts { root: document, found: &mut found }.judge(document, "");
    found
}

/// The keywords whose value is a schema or a list of schemas.
const SCHEMAS: [&str; 17] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];

/// Checks beyond the meta-schema: dangling references within the document, and invalid URIs and patterns.
struct Texts<'a> {
    root: &'a Value,
    found: &'a mut Vec<(String, String)>,
}

impl Texts<'_> {
    fn judge(&mut self, schema: &Value, at: &str) {
        match schema {
            Value::Object(map) => map.iter().for_each(|(key, value)| self.keyword(key, value, &child(at, key))),
            Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| self.judge(item, &child(at, &index.to_string()))),
            _ => {}
        }
    }

    fn keyword(&mut self, key: &str, value: &Value, at: &str) {
        match (key, value) {
            ("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies", Value::Object(named)) => {
                for (name, schema) in named {
                    let at = child(at, name);
                    if key == "patternProperties" {
                        self.is(&PATTERN, &Value::String(name.clone()), &at);
                    }
                    self.judge(schema, &at);
                }
            }
            ("pattern", Value::String(_)) => self.is(&PATTERN, value, at),
            ("$ref", Value::String(target)) if target.starts_with("#/") && resolves(self.root, target) => {}
            ("$ref", Value::String(target)) if target.starts_with("#/") => {
                self.found.push((at.to_owned(), "It refers to a place that this document does not have.".to_owned()));
            }
            ("$ref" | "$id" | "$dynamicRef", Value::String(_)) => self.is(&ADDRESS, value, at),
            _ if SCHEMAS.contains(&key) => self.judge(value, at),
            // Data, or an annotation of an unknown vocabulary.
            _ => {}
        }
    }

    fn is(&mut self, form: &Form, text: &Value, at: &str) {
        if !form.0.as_ref().is_ok_and(|validator| validator.is_valid(text)) {
            self.found.push((at.to_owned(), form.1.to_owned()));
        }
    }
}

/// A text format and the message for a text that does not match it.
type Form = (LazyLock<Result<Validator, ValidationError<'static>>>, &'static str);

static PATTERN: Form = (LazyLock::new(|| form("regex")), "It is no regular expression (ECMA-262).");
static ADDRESS: Form = (LazyLock::new(|| form("uri-reference")), "It is no URI reference (RFC 3986).");

fn form(format: &str) -> Result<Validator, ValidationError<'static>> {
    jsonschema::options().should_validate_formats(true).build(&json!({"format": format}))
}

/// Assumes that a pointer resolves when it contains URI escapes, or when an `$id` may change its base.
fn resolves(root: &Value, target: &str) -> bool {
    target.contains('%') || root.get("$id").is_some() || target.strip_prefix('#').is_some_and(|pointer| root.pointer(pointer).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(document: &Value) -> Vec<String> {
        wrong(document).into_iter().map(|(place, _)| place).collect()
    }

    #[test]
    fn what_is_wrong_is_told_by_its_place() {
        assert!(
            places(&json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}})).is_empty()
        );
        assert!(places(&json!(true)).is_empty());
        assert!(places(&json!({"$ref": "https://example.com/other.json"})).is_empty());
        assert!(places(&json!({"const": {"$ref": "#/nowhere"}})).is_empty());
        assert_eq!(
            places(&json!({"properties": {"a": {"type": "text"}, "b": {"minLength": -1}}})),
            ["/properties/a/type", "/properties/b/minLength"]
        );
        assert_eq!(places(&json!({"items": {"$ref": "#/$defs/none"}})), ["/items/$ref"]);
        assert_eq!(places(&json!({"properties": {"enum": {"$ref": "#/nowhere"}}})), ["/properties/enum/$ref"]);
        assert_eq!(places(&json!({"pattern": "(?<x"})), ["/pattern"]);
        assert!(places(&json!({"example": {"$ref": "http://["}, "x-doc": {"pattern": "("}})).is_empty());
        assert_eq!(places(&json!({"patternProperties": {"(": {}}})), ["/patternProperties/("]);
        assert_eq!(places(&json!({"$id": "::bad uri", "$ref": "http://["})), ["/$id", "/$ref"]);
        assert!(places(&json!({"properties": {"pattern": {"pattern": r"^(?<year>\d{4})-(?!00)[\w./-]+\/\p{L}$"}}})).is_empty());
        assert_eq!(places(&json!([])), [""]);
        assert_eq!(places(&json!({"$schema": "https://example.com/mine"})), ["/$schema"]);
        assert!(places(&json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {}})).is_empty());
    }
}
