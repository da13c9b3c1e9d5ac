//! `key_mover` and `dict_mover`: move fields, one by one or all fields of an object.

use serde_json::{Value, json};

use super::budget::weight;
use super::given::Given;
use super::parameter::{Kind, MOST_ENTRIES, Parameter, path_schema};
use super::path::{self, Path};
use super::types::TransformType;
use super::{Message, Output, Transform};

const OVERWRITE: Parameter = Parameter::optional(
    "overwrite",
    Kind::Flag,
    "Replace what stands in the new place; otherwise a message where something does is refused.",
);

pub(super) const KEY: TransformType = TransformType {
    id: "key_mover",
    title: "Key mover",
    description: "Moves fields to other places, in the given order; a field that is not there is passed over. Renames, too.",
    parameters: &[Parameter::needed("moves", Kind::Own(schema), "What moves: a list of {\"from\": path, \"to\": path}."), OVERWRITE],
    build: build_key,
};

pub(super) const DICT: TransformType = TransformType {
    id: "dict_mover",
    title: "Dict mover",
    description: "Moves all fields of a nested object to another place and takes the empty object away; where there is none, nothing is moved.",
    parameters: &[
        Parameter::needed("from", Kind::Path, "The object whose fields move."),
        Parameter::optional("to", Kind::Path, "The object that they move into; the message itself when it is not given."),
        Parameter::optional("prefix", Kind::Text(100), "What is put before their keys."),
        OVERWRITE,
    ],
    build: build_dict,
};

fn schema() -> Value {
    let step = json!({"type": "object", "properties": {"from": path_schema(), "to": path_schema()}, "required": ["from", "to"], "additionalProperties": false});
    json!({"type": "array", "items": step, "minItems": 1, "maxItems": MOST_ENTRIES})
}

struct KeyMover {
    moves: Vec<(Path, Path)>,
    overwrite: bool,
}

struct DictMover {
    from: Path,
    to: Option<Path>,
    prefix: String,
    overwrite: bool,
}

fn build_key(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let value = given.value("moves")?;
    let Some(items) = value.as_array().filter(|items| (1..=MOST_ENTRIES).contains(&items.len())) else {
        given.fault("/moves", format!("This is a list of 1 to {MOST_ENTRIES} moves, each {{\"from\": path, \"to\": path}}."));
        return None;
    };
    let mut moves = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let place = format!("/moves/{index}");
        let Some(map) = item.as_object().filter(|map| map.keys().all(|key| key == "from" || key == "to")) else {
            given.fault(&place, "A move is {\"from\": path, \"to\": path}.");
            continue;
        };
        let mut end = |name: &str| {
            let path = map.get(name).and_then(Path::read).filter(|path| !path.is_many());
            if path.is_none() {
                given.fault(&format!("{place}/{name}"), path::RULE);
            }
            path
        };
        if let (Some(from), Some(to)) = (end("from"), end("to")) {
            moves.push((from, to));
        }
    }
    Some(Box::new(KeyMover { moves, overwrite: given.flag("overwrite") }))
}

fn build_dict(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let from = given.path("from")?;
    let (to, prefix) = (given.path("to"), given.text("prefix").unwrap_or_default().to_owned());
    Some(Box::new(DictMover { from, to, prefix, overwrite: given.flag("overwrite") }))
}

impl Transform for KeyMover {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        for (from, to) in &self.moves {
            let Some(value) = from.take(&mut message) else { continue };
            if !self.overwrite && to.get(&message).is_some() {
                return Err(format!("something stands in {to} already"));
            }
            output.budget.entry(to.joined("").len())?;
            to.put(&mut message, value)?;
        }
        output.push(message);
        Ok(())
    }
}

impl Transform for DictMover {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let fields = match self.from.take(&mut message) {
            None | Some(Value::Null) => {
                output.push(message);
                return Ok(());
            }
            Some(Value::Object(fields)) => fields,
            Some(_) => return Err(format!("{} is no object", self.from)),
        };
        let mut target = match &self.to {
            None => std::mem::take(&mut message),
            Some(to) => match to.take(&mut message) {
                None | Some(Value::Null) => Message::new(),
                Some(Value::Object(map)) => map,
                Some(_) => return Err(format!("{to} is no object")),
            },
        };
        for (key, value) in fields {
            output.budget.spend(weight(&Value::Null) + self.prefix.len() + key.len())?;
            let key = format!("{}{key}", self.prefix);
            if !self.overwrite && target.contains_key(&key) {
                return Err(format!("there is a field `{key}` already"));
            }
            target.insert(key, value);
        }
        match &self.to {
            None => message = target,
            Some(to) => to.put(&mut message, Value::Object(target))?,
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
    fn fields_move_one_by_one() {
        let config =
            json!([{"type": "key_mover", "moves": [{"from": "a.b", "to": "x"}, {"from": "none", "to": "y"}, {"from": "x", "to": "z.w"}]}]);
        assert_eq!(one(config, &json!({"a": {"b": 1, "c": 2}})), json!({"a": {"c": 2}, "z": {"w": 1}}));
    }

    #[test]
    fn nothing_is_overwritten_unless_told() {
        let moves = json!([{"from": "a", "to": "b"}]);
        let message = json!({"a": 1, "b": 2});
        assert_eq!(refused(json!([{"type": "key_mover", "moves": moves}]), &message), "something stands in `b` already");
        assert_eq!(one(json!([{"type": "key_mover", "moves": moves, "overwrite": true}]), &message), json!({"b": 1}));
    }

    #[test]
    fn all_fields_of_an_object_move() {
        let message = json!({"id": 1, "address": {"city": "Lyon", "id": 2}});
        assert_eq!(
            one(json!([{"type": "dict_mover", "from": "address", "prefix": "address_"}]), &message),
            json!({"id": 1, "address_city": "Lyon", "address_id": 2})
        );
        assert_eq!(refused(json!([{"type": "dict_mover", "from": "address"}]), &message), "there is a field `id` already");
        assert_eq!(
            one(json!([{"type": "dict_mover", "from": "address", "to": "home.place"}]), &message),
            json!({"id": 1, "home": {"place": {"city": "Lyon", "id": 2}}})
        );
        assert_eq!(one(json!([{"type": "dict_mover", "from": "none"}]), &message), message);
        assert_eq!(refused(json!([{"type": "dict_mover", "from": "id"}]), &message), "`id` is no object");
    }

    #[test]
    fn every_wrong_move_is_told() {
        let config = json!([{"type": "key_mover", "moves": [{"from": "a"}, 7, {"from": "", "to": "b"}, {"from": "a", "to": "b", "more": 1}]}, {"type": "dict_mover", "from": "*"}]);
        assert_eq!(violations(config), ["/0/moves/0/to", "/0/moves/1", "/0/moves/2/from", "/0/moves/3", "/1/from"]);
    }
}
