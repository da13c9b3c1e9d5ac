//! Invalid defaults: a reader that needs one would fail on the first old message.
//!
//! Always holds: the default of a union belongs to its first branch, as every reader interprets it.

use serde_json::Value;

use super::{Schema, Shape, Type};
use crate::core::marks::child;

/// Returns all defaults that do not fit their fields: pairs of a JSON pointer and a rule.
pub(super) fn wrong(schema: &Schema) -> Vec<(String, String)> {
    let mut violations = Vec::new();
    for definition in schema.names.values() {
        let Shape::Record(fields) = &definition.shape else { continue };
        for field in fields {
            if let Some(default) = &field.default {
                check(schema, default, &field.kind, &child(&field.at, "default"), &mut violations);
            }
        }
    }
    violations.sort();
    violations
}

fn check(schema: &Schema, value: &Value, kind: &Type, at: &str, violations: &mut Vec<(String, String)>) {
    let fits = match kind {
        Type::Null => value.is_null(),
        Type::Boolean => value.is_boolean(),
        Type::Int => value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
        Type::Long => value.is_i64(),
        Type::Float | Type::Double => value.is_number(),
        Type::Bytes(_) => value.as_str().is_some_and(is_bytes),
        Type::String => value.is_string(),
        Type::Array(inner) => return check_all(schema, value.as_array().map(|items| items.iter().enumerate()), inner, at, violations),
        Type::Map(inner) => return check_all(schema, value.as_object(), inner, at, violations),
        Type::Union(branches) => {
            let before = violations.len();
            if let Some(first) = branches.first() {
                check(schema, value, first, at, violations);
                if violations.len() > before {
                    violations.truncate(before);
                    violations.push((at.to_owned(), format!("The default of a union is one of its first branch, `{}`.", first.name())));
                }
            }
            return;
        }
        Type::Named(name) => match schema.shape(name) {
            Some(Shape::Enum { symbols, .. }) => value.as_str().is_some_and(|value| symbols.iter().any(|symbol| symbol == value)),
            Some(Shape::Fixed { size, .. }) => {
                value.as_str().is_some_and(|text| is_bytes(text) && u64::try_from(text.chars().count()) == Ok(*size))
            }
            Some(Shape::Record(fields)) => {
                for field in fields {
                    match value.get(&field.name) {
                        Some(value) => check(schema, value, &field.kind, &child(at, &field.name), violations),
                        None if field.default.is_none() && value.is_object() => {
                            violations.push((
                                at.to_owned(),
                                format!("The default leaves out the field `{}`, which has none itself.", field.name),
                            ));
                        }
                        None => {}
                    }
                }
                value.is_object()
            }
            None => true,
        },
    };
    if !fits {
        violations.push((at.to_owned(), format!("The default is no value of `{}`.", kind.name())));
    }
}

fn check_all<'v, K: ToString>(
    schema: &Schema,
    parts: Option<impl IntoIterator<Item = (K, &'v Value)>>,
    inner: &Type,
    at: &str,
    violations: &mut Vec<(String, String)>,
) {
    match parts {
        Some(parts) => parts.into_iter().for_each(|(key, value)| check(schema, value, inner, &child(at, &key.to_string()), violations)),
        None => violations.push((at.to_owned(), "The default is a list for an array and an object for a map.".to_owned())),
    }
}

/// In defaults, each character stands for the byte with its code point.
fn is_bytes(text: &str) -> bool {
    text.chars().all(|letter| u32::from(letter) < 256)
}
