//! What is wrong with a JSON Schema: judged by the meta-schema of the draft that it names, 2020-12 when it names none.
//!
//! Not here: compatibility, which is asked of Avro alone; what other documents say, which a `$ref` may name.

use serde_json::Value;

use crate::core::marks::child;

/// All that is wrong: pairs of a JSON pointer and a rule.
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
    dangling(document, document, "", &mut found);
    found
}

/// References into the document itself that lead nowhere.
fn dangling(root: &Value, value: &Value, at: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    // What stands here is data.
                    ("const" | "enum" | "default" | "examples", _) => {}
                    ("$ref", Value::String(target)) if target.starts_with("#/") => {
                        if !leads(root, target) {
                            found.push((child(at, key), "It refers to a place that this document does not have.".to_owned()));
                        }
                    }
                    _ => dangling(root, value, &child(at, key), found),
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| dangling(root, item, &child(at, &index.to_string()), found));
        }
        _ => {}
    }
}

/// Where a pointer has an escape of URIs, or an `$id` may shift where it counts from, it is believed.
fn leads(root: &Value, target: &str) -> bool {
    target.contains('%') || root.get("$id").is_some() || target.strip_prefix('#').is_some_and(|pointer| root.pointer(pointer).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        assert_eq!(places(&json!([])), [""]);
        assert_eq!(places(&json!({"$schema": "https://example.com/mine"})), ["/$schema"]);
        assert!(places(&json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {}})).is_empty());
    }
}
