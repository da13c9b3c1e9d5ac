//! Whether the variables of a request fit what its operation declares.
//!
//! Always holds: a request whose variables do not fit is refused before any of it is carried out, with every misfit
//! named. Not here: the values in the document (`rules.rs`).

use async_graphql::parser::types::{Field, OperationDefinition, OperationType};
use async_graphql::registry::{MetaType, MetaTypeName, Registry};
use async_graphql::{ScalarType as _, Value, Variables};

use uuid::Uuid;

use crate::core::entity::message;
use crate::core::error::Error;
use crate::core::refusals::{NO_ID, in_full};
use crate::core::scalars::{BigInt, Date, Time};
use crate::server::answer::MOST_ERRORS;
use crate::server::limits::ParsedOperation;

/// What a number, a boolean or null counts, in bytes.
const PLAIN: u64 = 4;

/// How much there is of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Bytes of all texts, names and other values; what JSON puts around them does not count.
    pub(crate) bytes: u64,
    /// Items of the longest list.
    pub(crate) longest: u64,
}

/// How much these variables are.
pub(crate) fn size(variables: &Variables) -> Size {
    let mut size = Size::default();
    for (name, value) in variables.iter() {
        size.bytes += name.len() as u64;
        measure(value, &mut size);
    }
    size
}

fn measure(value: &Value, size: &mut Size) {
    match value {
        Value::String(text) => size.bytes += text.len() as u64,
        Value::Enum(name) => size.bytes += name.len() as u64,
        Value::Binary(bytes) => size.bytes += bytes.len() as u64,
        Value::Null | Value::Number(_) | Value::Boolean(_) => size.bytes += PLAIN,
        Value::List(items) => {
            size.longest = size.longest.max(items.len() as u64);
            for item in items {
                measure(item, size);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                size.bytes += name.len() as u64;
                measure(value, size);
            }
        }
    }
}

/// Holds the variables of a request, with its defaults, against what its operation declares, and what it gives a mutation for ids against what ids are.
/// Its document is valid.
///
/// # Errors
/// Whatever does not fit.
pub(crate) fn check(registry: &Registry, asked: &ParsedOperation<'_>) -> Result<(), Vec<Error>> {
    let Some(operation) = asked.operation else { return Ok(()) };
    let mut violations = misfits(registry, operation, asked.variables, asked.discloses);
    if violations.is_empty() && operation.ty == OperationType::Mutation {
        violations = no_ids(registry, &asked.roots(operation), asked.variables);
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// Gives variables that were left out what the operation declares for them: the library knows that of arguments, and takes the
/// condition of `@skip` and `@include` for false.
pub(crate) fn put_defaults(operation: Option<&OperationDefinition>, variables: &mut Variables) {
    for definition in operation.iter().flat_map(|operation| &operation.variable_definitions) {
        let definition = &definition.node;
        if let Some(default) = definition.default_value.as_ref().filter(|_| !variables.contains_key(&definition.name.node)) {
            variables.insert(definition.name.node.clone(), default.node.clone());
        }
    }
}

/// What does not fit. Names that only the schema tells are left out unless whoever asks may know it.
fn misfits(registry: &Registry, operation: &OperationDefinition, variables: &Variables, discloses: bool) -> Vec<Error> {
    let mut misfits = Misfits { registry, discloses, found: Vec::new() };
    for definition in &operation.variable_definitions {
        let definition = &definition.node;
        let (name, ty) = (definition.name.node.as_str(), definition.var_type.node.to_string());
        match variables.get(name) {
            Some(value) => misfits.hold(&ty, value, name),
            None if definition.default_value.is_none() && ty.ends_with('!') => {
                misfits.note(name, &format!("it is missing, and is a `{ty}`"));
            }
            None => {}
        }
    }
    misfits.found
}

struct Misfits<'a> {
    registry: &'a Registry,
    discloses: bool,
    found: Vec<Error>,
}

impl Misfits<'_> {
    fn note(&mut self, path: &str, what: &str) {
        if self.found.len() < MOST_ERRORS {
            self.found.push(Error::invalid_document(format!("Variable `${path}`: {what}.")).field(path));
        }
    }

    /// A field of an input is missing.
    fn miss(&mut self, input: &str, path: &str, ty: &str) {
        if self.discloses {
            return self.note(path, &format!("it is missing, and is a `{ty}`"));
        }
        let path = path.rsplit_once('.').map_or(path, |(input, _)| input);
        self.note(path, &format!("a field is missing that `{input}` needs"));
    }

    fn hold(&mut self, ty: &str, value: &Value, path: &str) {
        match MetaTypeName::create(ty) {
            MetaTypeName::NonNull(_) if *value == Value::Null => self.note(path, &format!("it is null, and is a `{ty}`")),
            MetaTypeName::NonNull(of) => self.hold(of, value, path),
            MetaTypeName::List(of) => match value {
                Value::Null => {}
                Value::List(items) => {
                    for (index, item) in items.iter().enumerate() {
                        self.hold(of, item, &format!("{path}.{index}"));
                    }
                }
                // One value stands for a list of it.
                one => self.hold(of, one, path),
            },
            MetaTypeName::Named(_) if *value == Value::Null => {}
            MetaTypeName::Named(name) => self.hold_named(name, value, path),
        }
    }

    fn hold_named(&mut self, name: &str, value: &Value, path: &str) {
        // A type that is none, or none of input, is the library's to refuse.
        match self.registry.types.get(name) {
            Some(MetaType::Scalar { .. }) => {
                if let Err(what) = fits(name, value) {
                    self.note(path, &what);
                }
            }
            Some(MetaType::Enum { enum_values, .. }) => {
                let known = match value {
                    Value::String(text) => enum_values.contains_key(text.as_str()),
                    // As defaults are written.
                    Value::Enum(name) => enum_values.contains_key(name.as_str()),
                    _ => false,
                };
                if !known && !self.discloses {
                    self.note(path, "it is not one of the values that it may have");
                } else if !known {
                    let all = enum_values.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                    self.note(path, &format!("it is not one of {all}"));
                }
            }
            Some(MetaType::InputObject { input_fields, .. }) => {
                let Value::Object(given) = value else { return self.note(path, &format!("it is not an object, and is a `{name}`")) };
                for key in given.keys().filter(|key| !input_fields.contains_key(key.as_str())) {
                    self.note(&format!("{path}.{key}"), &format!("`{name}` has no such field"));
                }
                for (key, field) in input_fields {
                    let path = format!("{path}.{key}");
                    match given.get(key.as_str()) {
                        Some(value) => self.hold(&field.ty, value, &path),
                        None if field.default_value.is_none() && field.ty.ends_with('!') => self.miss(name, &path, &field.ty),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whatever stands for an id in what the fields of a mutation are given, and is none. A query is not held against this: there an id
/// that is no UUID names nothing that there is, and the field that asks says so.
fn no_ids(registry: &Registry, fields: &[&Field], variables: &Variables) -> Vec<Error> {
    let mut ids = Ids { registry, found: Vec::new() };
    let mutation = registry.mutation_type.as_ref().and_then(|name| registry.types.get(name));
    for field in fields {
        let Some(known) = mutation.and_then(|mutation| mutation.field_by_name(&field.name.node)) else { continue };
        for (name, value) in &field.arguments {
            let Some(argument) = known.args.get(name.node.as_str()) else { continue };
            // What is wrong with the input is told by the names within it.
            let name = Place { above: None, name: if name.node == "input" { "" } else { &name.node } };
            if let Ok(value) = value.node.clone().into_const_with(|name| variables.get(&name).cloned().ok_or(())) {
                ids.hold(&argument.ty, &value, &name);
            }
        }
    }
    ids.found
}

/// A place in an input.
struct Place<'a> {
    above: Option<&'a Place<'a>>,
    name: &'a str,
}

impl Place<'_> {
    fn path(&self) -> String {
        match self.above.map(Place::path) {
            Some(above) if !above.is_empty() => format!("{above}.{}", self.name),
            _ => self.name.to_owned(),
        }
    }
}

struct Ids<'a> {
    registry: &'a Registry,
    found: Vec<Error>,
}

impl Ids<'_> {
    fn hold(&mut self, ty: &str, value: &Value, place: &Place<'_>) {
        match (MetaTypeName::create(ty), value) {
            (_, Value::Null) => {}
            (MetaTypeName::List(of), Value::List(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.hold(of, item, &Place { above: Some(place), name: &index.to_string() });
                }
            }
            (MetaTypeName::NonNull(of) | MetaTypeName::List(of), value) => self.hold(of, value, place),
            (MetaTypeName::Named("ID"), value) => {
                let sound = matches!(value, Value::String(text) if Uuid::parse_str(text).is_ok());
                if !sound && self.found.len() < MOST_ERRORS {
                    self.found.push(Error::validation(in_full(NO_ID)).field(place.path()));
                }
            }
            (MetaTypeName::Named(name), Value::Object(given)) => {
                let Some(MetaType::InputObject { input_fields, .. }) = self.registry.types.get(name) else { return };
                for (key, value) in given {
                    if let Some(field) = input_fields.get(key.as_str()) {
                        self.hold(&field.ty, value, &Place { above: Some(place), name: key });
                    }
                }
            }
            (MetaTypeName::Named(_), _) => {}
        }
    }
}

/// Whether it is a value of this scalar. Ids are looked at where they are used ([`no_ids`]).
fn fits(scalar: &str, value: &Value) -> Result<(), String> {
    let fits = match scalar {
        "Int" => matches!(value, Value::Number(number) if number.as_i64().is_some_and(|number| i32::try_from(number).is_ok())),
        "Float" => matches!(value, Value::Number(_)),
        "String" => matches!(value, Value::String(_)),
        "Boolean" => matches!(value, Value::Boolean(_)),
        "ID" => matches!(value, Value::String(_)) || matches!(value, Value::Number(number) if number.is_i64() || number.is_u64()),
        // Of another kind of value the library would repeat the whole.
        "DateTime" if matches!(value, Value::String(_)) => return Time::parse(value.clone()).map(drop).map_err(message),
        "Date" if matches!(value, Value::String(_)) => return Date::parse(value.clone()).map(drop).map_err(message),
        "BigInt" if matches!(value, Value::Number(_)) => return BigInt::parse(value.clone()).map(drop).map_err(message),
        "DateTime" | "Date" | "BigInt" => false,
        _ => true,
    };
    if fits { Ok(()) } else { Err(format!("it is not a `{scalar}`")) }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;
    use crate::server::limits;

    #[test]
    fn a_misfit_is_told_without_its_value() {
        let document =
            parse_query("query($a: BigInt, $b: DateTime, $c: Date, $d: Int, $e: ThroughputBucket) { serverInfo { version } }").unwrap();
        let (_, operation) = document.operations.iter().next().unwrap();
        for value in [json!("hunter2"), json!(["hunter2"]), json!({"hunter2": "hunter2"})] {
            let variables = json!({"a": value, "b": value, "c": value, "d": value, "e": value});
            let found = misfits(&limits::registry(), &operation.node, &Variables::from_json(variables), true);
            assert_eq!(found.len(), 5, "{value}");
            assert!(found.iter().all(|error| !format!("{error:?}").contains("hunter2")), "{found:?}");
        }
    }
}
