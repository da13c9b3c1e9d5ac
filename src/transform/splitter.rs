//! `splitter`: emits one message per item of a list.

use serde_json::Value;

use super::budget::{weight, weight_of};
use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "splitter",
    title: "Splitter",
    description: "Makes a message of every item of a list; each has the rest of the message too.",
    parameters: &[
        Parameter::needed("field", Kind::Path, "The list."),
        Parameter::optional("into", Kind::Path, "Where the item stands in its message; in the place of the list when it is not given."),
        Parameter::optional(
            "index",
            Kind::Path,
            "Where the item's place in the list is written, counting from 0; nowhere when it is not given.",
        ),
        Parameter::optional(
            "keepEmpty",
            Kind::Flag,
            "Pass on a message whose list is empty, null or missing, without an item; otherwise it is dropped.",
        ),
    ],
    build,
};

struct Splitter {
    field: Path,
    into: Path,
    index: Option<Path>,
    keep_empty: bool,
}

fn build(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let field = given.path("field")?;
    let into = given.path("into").unwrap_or_else(|| field.clone());
    let index = given.path("index");
    if index.as_ref().is_some_and(|index| index.overlaps(&into)) {
        given.fault("/index", "The place and the item lie one within the other, so one would overwrite the other.");
    }
    Some(Box::new(Splitter { field, into, index, keep_empty: given.flag("keepEmpty") }))
}

impl Transform for Splitter {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let items = match self.field.take(&mut message) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(format!("{} is no list", self.field)),
        };
        if items.is_empty() && self.keep_empty {
            output.push(message);
            return Ok(());
        }
        let shared = weight_of(&message);
        for (index, item) in items.into_iter().enumerate() {
            output.budget.spend(shared.saturating_add(weight(&item)))?;
            let mut piece = message.clone();
            self.into.put(&mut piece, item)?;
            if let Some(place) = &self.index {
                place.put(&mut piece, index.into())?;
            }
            output.push(piece);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{many, refused, violations};
    use serde_json::json;

    #[test]
    fn every_item_becomes_a_message_with_the_rest() {
        let message = json!({"id": 7, "items": [{"n": 1}, {"n": 2}]});
        let config = json!([{"type": "splitter", "field": "items", "into": "item", "index": "line.no"}]);
        let expected = [json!({"id": 7, "item": {"n": 1}, "line": {"no": 0}}), json!({"id": 7, "item": {"n": 2}, "line": {"no": 1}})];
        assert_eq!(many(config, &message), expected);
        assert_eq!(
            many(json!([{"type": "splitter", "field": "items"}]), &json!({"items": [1, 2]})),
            [json!({"items": 1}), json!({"items": 2})]
        );
    }

    #[test]
    fn an_empty_list_gives_nothing_unless_it_is_kept() {
        for message in [json!({"id": 1, "items": []}), json!({"id": 1, "items": null}), json!({"id": 1})] {
            assert!(many(json!([{"type": "splitter", "field": "items"}]), &message).is_empty());
            assert_eq!(many(json!([{"type": "splitter", "field": "items", "keepEmpty": true}]), &message), [json!({"id": 1})]);
        }
        assert_eq!(refused(json!([{"type": "splitter", "field": "a.b"}]), &json!({"a": {"b": "x"}})), "`a.b` is no list");
    }

    #[test]
    fn a_bomb_is_refused_before_it_fills_the_memory() {
        let list = vec![json!(1); 1_000];
        let config = json!([{"type": "splitter", "field": "a"}, {"type": "splitter", "field": "b"}, {"type": "splitter", "field": "c"}]);
        assert!(refused(config, &json!({"a": list, "b": list, "c": list})).contains("more data"));
    }

    #[test]
    fn the_place_is_not_the_item() {
        assert_eq!(violations(json!([{"type": "splitter", "field": "a", "index": "a.b"}, {"type": "splitter"}])), ["/0/index", "/1"]);
    }
}
