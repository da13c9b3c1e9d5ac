//! `stringify_list` and `stringify_key`: convert other values to texts, for targets without a column type for them.

use serde_json::Value;

use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const LIST: TransformType = TransformType {
    id: "stringify_list",
    title: "Stringify list",
    description: "Turns lists into text: their JSON, or their items one after the other with a separator between them. What is no list stays as it is.",
    parameters: &[
        Parameter::optional("fields", Kind::Places, "The lists; every list that is a field of the message itself when they are not given."),
        Parameter::optional(
            "separator",
            Kind::Text(10),
            "What stands between the items, of which null is nothing; JSON is written when it is not given.",
        ),
    ],
    build: |given| {
        let fields = given.value("fields").map(|_| given.paths("fields"));
        Some(Box::new(StringifyList { fields, separator: given.text("separator").map(str::to_owned) }))
    },
};

pub(super) const KEY: TransformType = TransformType {
    id: "stringify_key",
    title: "Stringify key",
    description: "Turns the values of named fields into text: a text stays as it is, null stays null, all else becomes its JSON.",
    parameters: &[
        Parameter::needed("fields", Kind::Places, "The fields."),
        Parameter::optional("required", Kind::Flag, "Refuse a message without one of the fields; otherwise it is passed over."),
    ],
    build: |given| Some(Box::new(StringifyKey { fields: given.paths("fields"), required: given.flag("required") })),
};

struct StringifyList {
    fields: Option<Vec<Path>>,
    separator: Option<String>,
}

struct StringifyKey {
    fields: Vec<Path>,
    required: bool,
}

impl Transform for StringifyList {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        look(self.fields.as_deref().unwrap_or_default(), &message, output)?;
        let mut change = |value: &mut Value| {
            if let Value::Array(items) = value {
                let text = match &self.separator {
                    Some(separator) => items.iter().map(plain).collect::<Vec<_>>().join(separator),
                    None => value.to_string(),
                };
                output.budget.entry(text.len())?;
                *value = Value::String(text);
            }
            Ok(())
        };
        match &self.fields {
            Some(fields) => fields.iter().try_for_each(|field| field.change(&mut message, &mut change).map(|_| ()))?,
            None => message.values_mut().try_for_each(change)?,
        }
        output.push(message);
        Ok(())
    }
}

impl Transform for StringifyKey {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        look(&self.fields, &message, output)?;
        change_fields(&self.fields, self.required, &mut message, &mut |value| {
            if !value.is_string() && !value.is_null() {
                let text = value.to_string();
                output.budget.entry(text.len())?;
                *value = Value::String(text);
            }
            Ok(())
        })?;
        output.push(message);
        Ok(())
    }
}

/// Returns a value as text: texts unchanged, null as `None`, anything else as JSON with sorted keys.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Charges for finding fields whose paths address several positions.
pub(super) fn look(fields: &[Path], message: &Message, output: &mut Output<'_>) -> Result<(), String> {
    output.budget.look(message, fields.iter().filter(|field| field.is_many()).count())
}

/// Changes fields in place. A missing field is an error when the fields are required.
pub(super) fn change_fields(
    fields: &[Path],
    required: bool,
    message: &mut Message,
    change: &mut dyn FnMut(&mut Value) -> Result<(), String>,
) -> Result<(), String> {
    for field in fields {
        if !field.change(message, change)? && required {
            return Err(format!("the message has no {field}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, refused, violations};
    use serde_json::json;

    #[test]
    fn lists_become_text() {
        let message = json!({"tags": ["a", 1, null, {"b": 2}], "deep": {"tags": [1]}, "n": 1});
        let expected = json!({"tags": "[\"a\",1,null,{\"b\":2}]", "deep": {"tags": [1]}, "n": 1});
        assert_eq!(one(json!([{"type": "stringify_list"}]), &message), expected);
        let joined = json!([{"type": "stringify_list", "fields": ["tags", "deep.tags", "n", "none"], "separator": "; "}]);
        assert_eq!(one(joined, &message), json!({"tags": "a; 1; ; {\"b\":2}", "deep": {"tags": "1"}, "n": 1}));
    }

    #[test]
    fn values_become_text() {
        let config = json!([{"type": "stringify_key", "fields": ["a", "b", "c", "d.*.e"]}]);
        let message = json!({"a": {"z": 1, "y": [true]}, "b": "text", "c": null, "d": [{"e": 1.5}, {}]});
        assert_eq!(one(config, &message), json!({"a": "{\"y\":[true],\"z\":1}", "b": "text", "c": null, "d": [{"e": "1.5"}, {}]}));
        let required = json!([{"type": "stringify_key", "fields": ["a"], "required": true}]);
        assert_eq!(refused(required, &json!({})), "the message has no `a`");
    }

    #[test]
    fn wrong_paths_are_told_by_their_place() {
        let config = json!([{"type": "stringify_key", "fields": ["a", "", 7]}, {"type": "stringify_list", "fields": [], "separator": 1}]);
        assert_eq!(violations(config), ["/0/fields/1", "/0/fields/2", "/1/fields", "/1/separator"]);
    }
}
