//! Conditions on a message, for `filter`.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value, json};

use super::Message;
use super::parameter::{MOST_ENTRIES, path_schema};
use super::path::{self, Path};
use crate::core::marks::child;

/// The faults, each with its position.
type Violations = Vec<(String, String)>;

/// The maximum nesting depth of conditions.
const DEEPEST: usize = 16;

const OPS: [&str; 11] = ["eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "starts_with", "ends_with", "exists"];

/// A condition.
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Test { field: Path, op: &'static str, value: Value },
}

/// Returns the JSON Schema of a condition, for display.
pub(super) fn schema() -> Value {
    let list = json!({"type": "array", "minItems": 1, "maxItems": MOST_ENTRIES, "items": {"type": "object"}});
    let test = json!({"type": "object", "properties": {"field": path_schema(), "op": {"enum": OPS}, "value": {}}, "required": ["field", "op"], "additionalProperties": false});
    let of = |name: &str, schema: Value| json!({"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": false});
    json!({"oneOf": [test, of("all", list.clone()), of("any", list), of("not", json!({"type": "object"}))]})
}

impl Condition {
    /// Parses a condition; collects faults with their positions.
    pub(super) fn read(value: &Value, place: &str, depth: usize, violations: &mut Violations) -> Option<Self> {
        if depth > DEEPEST {
            note(violations, place, "", "Conditions contain each other at most 16 levels deep.");
            return None;
        }
        let Some(map) = value.as_object() else {
            note(
                violations,
                place,
                "",
                "A condition is {\"field\", \"op\", \"value\"}, or {\"all\": [...]}, {\"any\": [...]} or {\"not\": ...}.",
            );
            return None;
        };
        let only = |name: &str| map.get(name).filter(|_| map.len() == 1);
        if let Some(inner) = only("not") {
            return Some(Self::Not(Box::new(Self::read(inner, &format!("{place}/not"), depth + 1, violations)?)));
        }
        if let Some(items) = only("all") {
            return Self::read_list(items, &format!("{place}/all"), depth, violations).map(Self::All);
        }
        if let Some(items) = only("any") {
            return Self::read_list(items, &format!("{place}/any"), depth, violations).map(Self::Any);
        }
        Self::read_test(map, place, violations)
    }

    fn read_test(map: &Map<String, Value>, place: &str, violations: &mut Violations) -> Option<Self> {
        let field = map.get("field").and_then(Path::read).filter(|path| !path.is_many());
        if field.is_none() {
            note(violations, place, "/field", path::RULE);
        }
        let value = map.get("value");
        let op = map.get("op").and_then(Value::as_str).and_then(|op| OPS.into_iter().find(|known| *known == op));
        match op {
            None => note(violations, place, "/op", &format!("This is one of {}.", OPS.join(", "))),
            Some(op) => {
                if let Some((below, rule)) = misfit(op, value) {
                    note(violations, place, below, rule);
                }
            }
        }
        if let Some(name) = map.keys().find(|name| !["field", "op", "value"].contains(&name.as_str())) {
            note(violations, place, &child("", name), "A condition has no such part.");
        }
        Some(Self::Test { field: field?, op: op?, value: value.cloned().unwrap_or_default() })
    }

    fn read_list(value: &Value, place: &str, depth: usize, violations: &mut Violations) -> Option<Vec<Self>> {
        let Some(items) = value.as_array().filter(|items| (1..=MOST_ENTRIES).contains(&items.len())) else {
            note(violations, place, "", &format!("This is a list of 1 to {MOST_ENTRIES} conditions."));
            return None;
        };
        let read: Vec<Option<Self>> =
            items.iter().enumerate().map(|(index, item)| Self::read(item, &format!("{place}/{index}"), depth + 1, violations)).collect();
        read.into_iter().collect()
    }

    /// Returns the number of comparisons.
    pub(super) fn tests(&self) -> usize {
        match self {
            Self::All(conditions) | Self::Any(conditions) => conditions.iter().map(Self::tests).sum(),
            Self::Not(condition) => condition.tests(),
            Self::Test { .. } => 1,
        }
    }

    /// Whether it holds for a message.
    pub(super) fn holds(&self, message: &Message) -> bool {
        match self {
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(message)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(message)),
            Self::Not(condition) => !condition.holds(message),
            Self::Test { field, op, value } => test(op, field.get(message).unwrap_or(&Value::Null), value),
        }
    }
}

fn note(violations: &mut Violations, place: &str, below: &str, rule: &str) {
    violations.push((format!("{place}{below}"), rule.to_owned()));
}

/// Returns the fault in the value of a comparison.
fn misfit(op: &str, value: Option<&Value>) -> Option<(&'static str, &'static str)> {
    match (op, value) {
        ("exists", Some(_)) => Some(("/value", "`exists` takes no value; put it into `not` for the contrary.")),
        ("exists", None) => None,
        (_, None) => Some(("", "`value` is missing: what the field is compared with.")),
        ("in", Some(value)) if !value.is_array() => Some(("/value", "`in` takes a list of values.")),
        ("starts_with" | "ends_with", Some(value)) if !value.is_string() => Some(("/value", "This takes a text.")),
        ("lt" | "le" | "gt" | "ge", Some(value)) if !value.is_string() && !value.is_number() => {
            Some(("/value", "Only numbers and texts have an order."))
        }
        (_, Some(_)) => None,
    }
}

fn test(op: &str, found: &Value, value: &Value) -> bool {
    let ordered = |wanted: fn(Ordering) -> bool| order(found, value).is_some_and(wanted);
    let texts =
        |holds: fn(&str, &str) -> bool| matches!((found, value), (Value::String(found), Value::String(value)) if holds(found, value));
    match op {
        "eq" => equal(found, value),
        "ne" => !equal(found, value),
        "lt" => ordered(Ordering::is_lt),
        "le" => ordered(Ordering::is_le),
        "gt" => ordered(Ordering::is_gt),
        "ge" => ordered(Ordering::is_ge),
        "in" => value.as_array().is_some_and(|values| values.iter().any(|value| equal(found, value))),
        "contains" => match found {
            Value::Array(items) => items.iter().any(|item| equal(item, value)),
            _ => texts(|found, value| found.contains(value)),
        },
        "starts_with" => texts(|found, value| found.starts_with(value)),
        "ends_with" => texts(|found, value| found.ends_with(value)),
        _ => !found.is_null(),
    }
}

fn equal(one: &Value, other: &Value) -> bool {
    one == other || order(one, other) == Some(Ordering::Equal)
}

/// Compares two numbers or two texts.
fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => order_of_numbers(one, other),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

/// Compares integers exactly, other numbers as floating-point numbers.
fn order_of_numbers(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{many, violations};
    use serde_json::{Value, json};

    #[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
    fn holds(condition: Value, message: &Value) -> bool {
        !many(json!([{"type": "filter", "where": condition}]), message).is_empty()
    }

    #[test]
    fn conditions_hold_as_they_say() {
        let message =
            json!({"n": 5, "big": 9_007_199_254_740_993_i64, "f": 1.0, "t": "abc", "l": [1, "x"], "null": null, "deep": {"a": true}});
        for (field, op, value, expected) in [
            ("n", "eq", json!(5.0), true),
            ("n", "ne", json!("5"), true),
            ("n", "lt", json!(6), true),
            ("n", "ge", json!(5.5), false),
            ("n", "lt", json!("6"), false),
            ("big", "eq", json!(9_007_199_254_740_992_i64), false),
            ("f", "in", json!([2, 1]), true),
            ("t", "gt", json!("abb"), true),
            ("t", "contains", json!("b"), true),
            ("t", "starts_with", json!("ab"), true),
            ("t", "ends_with", json!("ab"), false),
            ("l", "contains", json!("x"), true),
            ("l", "contains", json!("y"), false),
            ("null", "eq", json!(null), true),
            ("none", "eq", json!(null), true),
            ("none", "ne", json!(1), true),
            ("deep.a", "eq", json!(true), true),
        ] {
            assert_eq!(holds(json!({"field": field, "op": op, "value": value}), &message), expected, "{field} {op} {value}");
        }
        assert!(!holds(json!({"field": "null", "op": "exists"}), &message));
        let (yes, no) = (json!({"field": "n", "op": "exists"}), json!({"field": "none", "op": "exists"}));
        assert!(holds(json!({"all": [yes, {"not": no}]}), &message) && holds(json!({"any": [no, yes]}), &message));
        assert!(!holds(json!({"all": [yes, no]}), &message));
    }

    #[test]
    fn every_wrong_part_is_told() {
        let condition = json!({"all": [
            {"field": "a", "op": "like", "value": 1}, {"op": "eq"}, {"field": "a", "op": "in", "value": 1}, {"field": "a", "op": "lt", "value": null},
            {"field": "a", "op": "exists", "value": 1}, {"not": 7}, {"any": []}, {"field": "a", "op": "eq", "value": 1, "more": 1},
        ]});
        let below = ["0/op", "1/field", "1", "2/value", "3/value", "4/value", "5/not", "6/any", "7/more"];
        assert_eq!(violations(json!([{"type": "filter", "where": condition}])), below.map(|place| format!("/0/where/all/{place}")));
        let deep = (0..20).fold(json!({"field": "a", "op": "exists"}), |inner, _| json!({"not": inner}));
        assert_eq!(violations(json!([{"type": "filter", "where": deep}])).len(), 1);
    }
}
