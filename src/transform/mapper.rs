//! `mapper`: builds a new message from selected parts of the old one.

use serde_json::{Value, json};

use super::budget::weight;
use super::given::Given;
use super::parameter::{Kind, MOST_ENTRIES, Parameter, path_schema};
use super::path::{self, Path};
use super::types::TransformType;
use super::{Message, Output, Transform};
use crate::core::marks::child;

pub(super) const TYPE: TransformType = TransformType {
    id: "mapper",
    title: "Mapper",
    description: "Makes a new message: each field from a part of the old message, with a default where that is missing, or of a fixed value.",
    parameters: &[
        Parameter::needed(
            "fields",
            Kind::Own(schema),
            "The fields of the new message by their paths. Each is the path of a part of the old message, or {\"from\": path, \"default\": value}, or {\"value\": value}.",
        ),
        Parameter::optional(
            "rest",
            Kind::Choice(&["drop", "keep"]),
            "What becomes of the parts that no field is made from: `drop` (unless told otherwise) or `keep`.",
        ),
        Parameter::optional(
            "required",
            Kind::Flag,
            "Refuse a message without a part that has no default; otherwise its field is left out.",
        ),
    ],
    build,
};

fn schema() -> Value {
    let from = json!({"type": "object", "properties": {"from": path_schema(), "default": {}}, "required": ["from"], "additionalProperties": false});
    let fixed = json!({"type": "object", "properties": {"value": {}}, "required": ["value"], "additionalProperties": false});
    json!({"type": "object", "minProperties": 1, "maxProperties": MOST_ENTRIES, "additionalProperties": {"anyOf": [path_schema(), from, fixed]}})
}

enum Origin {
    Part { from: Path, default: Option<Value> },
    Fixed(Value),
}

struct Mapper {
    fields: Vec<(Path, Origin)>,
    keep: bool,
    required: bool,
}

fn build(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let value = given.value("fields")?;
    let Some(map) = value.as_object().filter(|map| (1..=MOST_ENTRIES).contains(&map.len())) else {
        given.fault("/fields", format!("This is an object of 1 to {MOST_ENTRIES} fields, each with where it comes from."));
        return None;
    };
    let mut fields: Vec<(Path, Origin)> = Vec::with_capacity(map.len());
    for (name, origin) in map {
        let place = child("/fields", name);
        let Some(target) = Path::dotted(name).filter(|path| !path.is_many()) else {
            given.fault(&place, path::RULE);
            continue;
        };
        if let Some((other, _)) = fields.iter().find(|(other, _)| other.overlaps(&target)) {
            given.fault(&place, format!("{target} and {other} lie one within the other, so one would overwrite the other."));
        }
        match read(origin) {
            Some(origin) => fields.push((target, origin)),
            None => given.fault(&place, "A field comes from a path, from {\"from\": path, \"default\": value} or from {\"value\": value}."),
        }
    }
    Some(Box::new(Mapper { fields, keep: given.text("rest") == Some("keep"), required: given.flag("required") }))
}

fn read(origin: &Value) -> Option<Origin> {
    let one = |value: &Value| Path::read(value).filter(|path| !path.is_many());
    let Some(map) = origin.as_object() else { return Some(Origin::Part { from: one(origin)?, default: None }) };
    match (map.get("from"), map.get("default"), map.get("value"), map.len()) {
        (Some(from), None, None, 1) => Some(Origin::Part { from: one(from)?, default: None }),
        (Some(from), Some(default), None, 2) => Some(Origin::Part { from: one(from)?, default: Some(default.clone()) }),
        (None, None, Some(value), 1) => Some(Origin::Fixed(value.clone())),
        _ => None,
    }
}

impl Transform for Mapper {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let mut made = Vec::with_capacity(self.fields.len());
        for (target, origin) in &self.fields {
            let value = match origin {
                Origin::Fixed(value) => Some(value),
                Origin::Part { from, default } => match from.get(&message).or(default.as_ref()) {
                    None if self.required => return Err(format!("the message has no {from}")),
                    value => value,
                },
            };
            if let Some(value) = value {
                output.budget.spend(weight(value))?;
                made.push((target, value.clone()));
            }
        }
        if self.keep {
            for (_, origin) in &self.fields {
                if let Origin::Part { from, .. } = origin {
                    from.take(&mut message);
                }
            }
        } else {
            message.clear();
        }
        for (target, value) in made {
            target.put(&mut message, value)?;
        }
        output.push(message);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, refused, violations};
    use serde_json::json;

    #[test]
    fn fields_are_made_from_parts_defaults_and_fixed_values() {
        let message = json!({"a": {"b": 1}, "c": null, "d": 4});
        let fields = json!({"x": "a.b", "y.z": ["c"], "n": {"from": "none", "default": 7}, "f": {"value": "fixed"}, "gone": "none"});
        assert_eq!(one(json!([{"type": "mapper", "fields": fields}]), &message), json!({"x": 1, "y": {"z": null}, "n": 7, "f": "fixed"}));
    }

    #[test]
    fn the_rest_is_kept_when_it_is_told_to_and_names_can_be_swapped() {
        let config = json!([{"type": "mapper", "rest": "keep", "fields": {"a": "b", "b": "a"}}]);
        assert_eq!(one(config, &json!({"a": 1, "b": 2, "c": 3})), json!({"a": 2, "b": 1, "c": 3}));
    }

    #[test]
    fn what_is_required_must_be_there() {
        let config = json!([{"type": "mapper", "required": true, "fields": {"a": "b"}}]);
        assert_eq!(refused(config, &json!({"a": 1})), "the message has no `b`");
    }

    #[test]
    fn every_wrong_field_is_told() {
        let fields =
            json!({"a": "x", "a.b": "y", "c..d": "z", "e": 7, "f": {"from": "x", "more": 1}, "g/h": {"value": 1, "from": "x"}, "i": "x.*"});
        let config = json!([{"type": "mapper", "fields": fields}, {"type": "mapper", "fields": {}}, {"type": "mapper"}]);
        let expected =
            ["/0/fields/a.b", "/0/fields/c..d", "/0/fields/e", "/0/fields/f", "/0/fields/g~1h", "/0/fields/i", "/1/fields", "/2"];
        assert_eq!(violations(config), expected);
    }
}
