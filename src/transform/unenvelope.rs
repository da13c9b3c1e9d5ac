//! `unenvelope`: extracts the row from a change event.

use serde_json::Value;

use super::budget::weight;
use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "unenvelope",
    title: "Unenvelope",
    description: "Takes the row out of a change event in Debezium's form (`op`, `before`, `after`, also below `payload`), or the object out of another envelope. A truncation or a message without a row is dropped.",
    parameters: &[
        Parameter::optional("field", Kind::Path, "The object inside an envelope of another form than Debezium's."),
        Parameter::optional(
            "deletes",
            Kind::Choice(&["drop", "rewrite"]),
            "What becomes of a deletion: `drop` (unless told otherwise), or `rewrite`: the row as it was before, every row then saying `__deleted`: true or false.",
        ),
        Parameter::optional("keep", Kind::Paths, "Parts of the envelope that are put into the row, `source.table` as `__source_table`."),
    ],
    build: |given| Some(build(given)),
};

struct Unenvelope {
    field: Option<Path>,
    rewrite: bool,
    keep: Vec<(Path, String)>,
}

fn build(given: &mut Given<'_>) -> Box<dyn Transform> {
    let field = given.path("field");
    if field.is_some() && given.value("deletes").is_some() {
        given.fault("/deletes", "Only change events in Debezium's form tell deletions; leave out `deletes` or `field`.");
    }
    let keep = given.paths("keep").into_iter().map(|path| (path.clone(), format!("__{}", path.joined("_")))).collect();
    Box::new(Unenvelope { field, rewrite: given.text("deletes") == Some("rewrite"), keep })
}

impl Transform for Unenvelope {
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let mut envelope = message;
        let row = if let Some(field) = &self.field {
            match field.take(&mut envelope) {
                Some(Value::Object(row)) => Some(row),
                _ => return Err(format!("{field} is no object")),
            }
        } else {
            envelope = payload(envelope);
            self.row(&mut envelope)?
        };
        let Some(mut row) = row else { return Ok(()) };
        for (path, key) in &self.keep {
            if let Some(value) = path.get(&envelope) {
                output.budget.spend(weight(value).saturating_add(key.len()))?;
                row.insert(key.clone(), value.clone());
            }
        }
        output.push(row);
        Ok(())
    }
}

/// The event is below `payload` when it was written with its schema.
fn payload(mut message: Message) -> Message {
    match message.get_mut("payload") {
        Some(Value::Object(payload)) if payload.contains_key("op") => std::mem::take(payload),
        _ => message,
    }
}

impl Unenvelope {
    fn row(&self, envelope: &mut Message) -> Result<Option<Message>, String> {
        if !envelope.get("op").is_some_and(Value::is_string) {
            return Err("this is no change event: it has no `op`".to_owned());
        }
        let mut part = |name: &str| match envelope.get_mut(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(std::mem::take(map))),
            Some(_) => Err(format!("`{name}` is no object")),
        };
        let (row, deleted) = match part("after")? {
            Some(row) => (Some(row), false),
            None if self.rewrite => (part("before")?, true),
            None => (None, true),
        };
        Ok(row.map(|mut row| {
            if self.rewrite {
                row.insert("__deleted".to_owned(), deleted.into());
            }
            row
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{many, one, refused, violations};
    use serde_json::json;

    #[test]
    fn the_row_is_taken_out_of_a_change_event() {
        let event = json!({"op": "u", "before": {"id": 1, "n": 1}, "after": {"id": 1, "n": 2}, "source": {"table": "t"}, "ts_ms": 5});
        assert_eq!(one(json!([{"type": "unenvelope"}]), &event), json!({"id": 1, "n": 2}));
        assert_eq!(one(json!([{"type": "unenvelope"}]), &json!({"schema": {}, "payload": event})), json!({"id": 1, "n": 2}));
        let kept = json!([{"type": "unenvelope", "keep": ["op", "source.table", "none"], "deletes": "rewrite"}]);
        assert_eq!(one(kept, &event), json!({"id": 1, "n": 2, "__op": "u", "__source_table": "t", "__deleted": false}));
    }

    #[test]
    fn a_deletion_is_dropped_or_told() {
        let event = json!({"op": "d", "before": {"id": 1}, "after": null});
        assert!(many(json!([{"type": "unenvelope"}]), &event).is_empty());
        assert_eq!(one(json!([{"type": "unenvelope", "deletes": "rewrite"}]), &event), json!({"id": 1, "__deleted": true}));
        assert!(many(json!([{"type": "unenvelope", "deletes": "rewrite"}]), &json!({"op": "t"})).is_empty());
    }

    #[test]
    fn other_envelopes_and_no_envelopes() {
        assert_eq!(one(json!([{"type": "unenvelope", "field": "a.b"}]), &json!({"a": {"b": {"c": 1}}})), json!({"c": 1}));
        assert_eq!(refused(json!([{"type": "unenvelope", "field": "a"}]), &json!({"a": 1})), "`a` is no object");
        assert_eq!(refused(json!([{"type": "unenvelope"}]), &json!({"after": {}})), "this is no change event: it has no `op`");
        assert_eq!(violations(json!([{"type": "unenvelope", "field": "a", "deletes": "drop"}])), ["/0/deletes"]);
    }
}
