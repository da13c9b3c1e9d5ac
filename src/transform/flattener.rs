//! `flattener`: moves the fields of nested objects to the message itself.

use serde_json::Value;

use super::budget::Budget;
use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "flattener",
    title: "Flattener",
    description: "Makes the fields of nested objects fields of the message itself, under their keys joined: {\"a\": {\"b\": 1}} becomes {\"a_b\": 1}. An empty object stays as it is. Two fields that would get one key are refused.",
    parameters: &[
        Parameter::optional("separator", Kind::Text(10), "What stands between the keys; `_` when it is not given."),
        Parameter::optional("depth", Kind::Number(100), "How many levels are flattened; all when it is not given."),
        Parameter::optional(
            "lists",
            Kind::Choice(&["keep", "flatten"]),
            "Whether lists are kept (unless told otherwise) or flattened too, their places counting from 0 as keys.",
        ),
    ],
    build: |given| Some(build(given)),
};

struct Flattener {
    separator: String,
    depth: usize,
    lists: bool,
}

fn build(given: &mut Given<'_>) -> Box<dyn Transform> {
    Box::new(Flattener {
        separator: given.text("separator").unwrap_or("_").to_owned(),
        depth: given.number("depth").unwrap_or(usize::MAX),
        lists: given.text("lists") == Some("flatten"),
    })
}

impl Transform for Flattener {
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let mut flat = Message::new();
        for (key, value) in message {
            self.add(key, value, self.depth, &mut flat, output.budget)?;
        }
        output.push(flat);
        Ok(())
    }
}

impl Flattener {
    fn add(&self, key: String, value: Value, depth: usize, flat: &mut Message, budget: &mut Budget) -> Result<(), String> {
        let below = |inner: &str| format!("{key}{}{inner}", self.separator);
        match value {
            Value::Object(map) if depth > 0 && !map.is_empty() => {
                for (inner, value) in map {
                    budget.entry(key.len() + inner.len())?;
                    self.add(below(&inner), value, depth - 1, flat, budget)?;
                }
            }
            Value::Array(items) if self.lists && depth > 0 && !items.is_empty() => {
                for (index, value) in items.into_iter().enumerate() {
                    budget.entry(key.len())?;
                    self.add(below(&index.to_string()), value, depth - 1, flat, budget)?;
                }
            }
            value => insert(flat, key, value)?,
        }
        Ok(())
    }
}

/// Adds a field whose key must be free.
pub(super) fn insert(message: &mut Message, key: String, value: Value) -> Result<(), String> {
    if message.contains_key(&key) {
        return Err(format!("two fields would have the key `{key}`"));
    }
    message.insert(key, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, refused};
    use serde_json::json;

    #[test]
    fn objects_become_fields_and_lists_when_told() {
        let message = json!({"a": {"b": {"c": 1}, "e": {}}, "l": [{"x": 1}, 2], "n": null});
        assert_eq!(one(json!([{"type": "flattener"}]), &message), json!({"a_b_c": 1, "a_e": {}, "l": [{"x": 1}, 2], "n": null}));
        let all = json!([{"type": "flattener", "separator": ".", "lists": "flatten"}]);
        assert_eq!(one(all, &message), json!({"a.b.c": 1, "a.e": {}, "l.0.x": 1, "l.1": 2, "n": null}));
        let level = json!([{"type": "flattener", "depth": 1}]);
        assert_eq!(one(level, &message), json!({"a_b": {"c": 1}, "a_e": {}, "l": [{"x": 1}, 2], "n": null}));
    }

    #[test]
    fn two_fields_never_become_one() {
        assert_eq!(refused(json!([{"type": "flattener"}]), &json!({"a": {"b": 1}, "a_b": 2})), "two fields would have the key `a_b`");
    }

    #[test]
    fn long_keys_over_many_leaves_are_bounded() {
        let leaves: serde_json::Map<_, _> = (0..10_000).map(|n| (n.to_string(), json!(1))).collect();
        let message = json!({"k".repeat(1_000): leaves});
        assert!(refused(json!([{"type": "flattener"}]), &message).contains("more data"));
    }
}
