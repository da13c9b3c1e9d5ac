//! Paths to the parts of a message.
//!
//! Always holds: a path has 1 to 32 keys, none of them empty. Inserting a value at a path never nests a message deeper than
//! JSON parsers accept. Only the key `*` addresses the items of a list: it stands for all of them (and for all entries of an
//! object), where a transform changes values in place.

use serde_json::{Map, Value};

use super::Message;

const MOST_KEYS: usize = 32;
const LONGEST: usize = 1_000;
/// JSON parsers, ours too, refuse documents nested deeper than 128.
const DEEPEST: usize = 100;
/// The key that stands for every item or entry.
const EVERY: &str = "*";

/// The rule, as shown to the client.
pub(super) const RULE: &str = "A path is a text such as `address.city`, or a list of its keys such as [\"a.b\", \"city\"]: 1 to 32 keys, none of them empty, 1,000 characters at most.";

/// A path parsed from a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path(Vec<String>);

impl Path {
    /// Parses a path in either form.
    pub(super) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::dotted(text),
            Value::Array(keys) => Self::of(keys.iter().map(|key| key.as_str().map(str::to_owned)).collect::<Option<_>>()?),
            _ => None,
        }
    }

    /// Parses the dotted form.
    pub(super) fn dotted(text: &str) -> Option<Self> {
        Self::of(text.split('.').map(str::to_owned).collect())
    }

    fn of(keys: Vec<String>) -> Option<Self> {
        let fits = (1..=MOST_KEYS).contains(&keys.len()) && keys.iter().all(|key| !key.is_empty());
        (fits && keys.iter().map(|key| key.chars().count() + 1).sum::<usize>() <= LONGEST + 1).then_some(Self(keys))
    }

    /// Whether it addresses several positions.
    pub(super) fn is_many(&self) -> bool {
        self.0.iter().any(|key| key == EVERY)
    }

    /// Whether one path contains the other, or they are equal.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one == other)
    }

    /// Returns the keys joined by a separator.
    pub(super) fn joined(&self, between: &str) -> String {
        self.0.join(between)
    }

    /// Returns the value at this path.
    pub(super) fn get<'m>(&self, message: &'m Message) -> Option<&'m Value> {
        let (first, rest) = self.0.split_first()?;
        rest.iter().try_fold(message.get(first)?, |value, key| value.as_object()?.get(key))
    }

    /// Removes the value at this path; its parent stays, even if empty.
    pub(super) fn take(&self, message: &mut Message) -> Option<Value> {
        let (last, before) = self.0.split_last()?;
        before.iter().try_fold(message, |map, key| map.get_mut(key)?.as_object_mut())?.remove(last)
    }

    /// Sets the value at this path, replacing any present one; creates missing parents.
    pub(super) fn put(&self, message: &mut Message, value: Value) -> Result<(), String> {
        if self.0.len() + depth(&value, DEEPEST) > DEEPEST {
            return Err(format!("{self} would be nested deeper than {DEEPEST} levels"));
        }
        let Some((last, before)) = self.0.split_last() else { return Ok(()) };
        let mut map = message;
        for key in before {
            let inner = map.entry(key.clone()).or_insert(Value::Null);
            if inner.is_null() {
                *inner = Value::Object(Map::new());
            }
            map = inner.as_object_mut().ok_or_else(|| format!("{self} lies inside `{key}`, which is no object"))?;
        }
        map.insert(last.clone(), value);
        Ok(())
    }

    /// Changes the values at all matching positions; returns whether there was any.
    pub(super) fn change(&self, message: &mut Message, change: &mut dyn FnMut(&mut Value) -> Result<(), String>) -> Result<bool, String> {
        match self.0.split_first() {
            Some((first, rest)) if first == EVERY => change_all(message.values_mut(), rest, change),
            Some((first, rest)) => message.get_mut(first).map_or(Ok(false), |value| change_below(value, rest, change)),
            None => Ok(false),
        }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.joined("."))
    }
}

fn change_below(value: &mut Value, keys: &[String], change: &mut dyn FnMut(&mut Value) -> Result<(), String>) -> Result<bool, String> {
    let Some((first, rest)) = keys.split_first() else { return change(value).map(|()| true) };
    match value {
        Value::Array(items) if first == EVERY => change_all(items.iter_mut(), rest, change),
        Value::Object(map) if first == EVERY => change_all(map.values_mut(), rest, change),
        Value::Object(map) => map.get_mut(first).map_or(Ok(false), |value| change_below(value, rest, change)),
        _ => Ok(false),
    }
}

fn change_all<'v>(
    values: impl Iterator<Item = &'v mut Value>,
    keys: &[String],
    change: &mut dyn FnMut(&mut Value) -> Result<(), String>,
) -> Result<bool, String> {
    let mut any = false;
    for value in values {
        any |= change_below(value, keys, change)?;
    }
    Ok(any)
}

/// Returns the nesting depth of a value, measured up to `most` plus one.
fn depth(value: &Value, most: usize) -> usize {
    let below = |values: &mut dyn Iterator<Item = &Value>| match most.checked_sub(1) {
        Some(most) => 1 + values.map(|value| depth(value, most)).max().unwrap_or_default(),
        None => 1,
    };
    match value {
        Value::Array(items) => below(&mut items.iter()),
        Value::Object(map) => below(&mut map.values()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(value: &Value) -> Message {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_path_is_read_in_both_forms_and_refused_when_it_is_none() {
        assert_eq!(Path::read(&json!("a.b")), Path::read(&json!(["a", "b"])));
        assert_eq!(Path::read(&json!(["a.b"])).unwrap().get(&message(&json!({"a.b": 1}))), Some(&json!(1)));
        for none in [json!(""), json!("a..b"), json!([]), json!([1]), json!(7), json!("a.".repeat(40) + "a"), json!("a".repeat(1_001))] {
            assert_eq!(Path::read(&none), None, "{none}");
        }
        assert!(Path::read(&json!("a".repeat(1_000))).is_some());
    }

    #[test]
    fn what_is_put_can_be_had_and_taken() {
        let path = Path::dotted("a.b.c").unwrap();
        let mut sample = message(&json!({"a": null}));
        path.put(&mut sample, json!(1)).unwrap();
        assert_eq!(path.get(&sample), Some(&json!(1)));
        assert_eq!(path.take(&mut sample), Some(json!(1)));
        assert_eq!(Value::Object(sample), json!({"a": {"b": {}}}));
        assert!(path.put(&mut message(&json!({"a": 7})), json!(1)).is_err());
    }

    #[test]
    fn nothing_is_nested_deeper_than_it_may() {
        let deep = (0..98).fold(json!(1), |value, _| json!([value]));
        assert_eq!(depth(&deep, 100), 98);
        Path::dotted("a.b").unwrap().put(&mut Message::new(), deep.clone()).unwrap();
        assert!(Path::dotted("a.b.c").unwrap().put(&mut Message::new(), deep).is_err());
    }

    #[test]
    fn a_star_stands_for_every_item_and_entry() {
        let mut sample = message(&json!({"items": [{"n": 1}, {"n": 2}, {"m": 3}, 4], "by": {"x": {"n": 5}}}));
        let mut change = |value: &mut Value| {
            *value = json!("changed");
            Ok(())
        };
        assert_eq!(Path::dotted("items.*.n").unwrap().change(&mut sample, &mut change), Ok(true));
        assert_eq!(Path::dotted("by.*.n").unwrap().change(&mut sample, &mut change), Ok(true));
        assert_eq!(Path::dotted("by.*.n.o").unwrap().change(&mut sample, &mut change), Ok(false));
        assert_eq!(
            Value::Object(sample),
            json!({"items": [{"n": "changed"}, {"n": "changed"}, {"m": 3}, 4], "by": {"x": {"n": "changed"}}})
        );
    }
}
