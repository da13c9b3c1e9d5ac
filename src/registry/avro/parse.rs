//! Parses an Avro schema and collects all faults with their positions.
//!
//! Not here: defaults, which can be checked once all types are known (`default.rs`).

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{Decimal, Definition, Field, Schema, Shape, Type};
use crate::core::marks::child;

/// The sort orders of a field; Avro's own parser accepts them in any case.
const ORDERS: [&str; 3] = ["ascending", "descending", "ignore"];

struct Parser {
    /// A type that is being defined has no definition yet, but can already be referenced.
    names: HashMap<String, Option<Definition>>,
    violations: Vec<(String, String)>,
}

pub(super) fn read(document: &Value) -> Result<Schema, Vec<(String, String)>> {
    let mut parser = Parser { names: HashMap::new(), violations: Vec::new() };
    let root = parser.read(document, "", "");
    match root {
        Some(root) if parser.violations.is_empty() => {
            Ok(Schema { root, names: parser.names.into_iter().filter_map(|(name, definition)| Some((name, definition?))).collect() })
        }
        _ => Err(parser.violations),
    }
}

impl Parser {
    fn fault<T>(&mut self, at: &str, rule: impl Into<String>) -> Option<T> {
        self.violations.push((at.to_owned(), rule.into()));
        None
    }

    fn read(&mut self, value: &Value, at: &str, namespace: &str) -> Option<Type> {
        match value {
            Value::String(name) => self.refer(name, at, namespace),
            Value::Array(branches) => self.union(branches, at, namespace),
            Value::Object(map) => match map.get("type") {
                Some(Value::String(kind)) => self.complex(kind, map, at, namespace),
                Some(inner @ (Value::Object(_) | Value::Array(_))) => self.read(inner, &child(at, "type"), namespace),
                _ => self.fault(at, "A type says what it is by its `type`."),
            },
            _ => self.fault(at, "A type is a name, an object with a `type`, or a list of types: a union."),
        }
    }

    fn refer(&mut self, name: &str, at: &str, namespace: &str) -> Option<Type> {
        if let Some(primitive) = Type::primitive(name) {
            return Some(primitive);
        }
        let full = qualified(name, namespace);
        match [full.as_str(), name].into_iter().find(|name| self.names.contains_key(*name)) {
            Some(known) => Some(Type::Named(known.to_owned())),
            None => self.fault(at, format!("No type `{}` is defined before this place.", brief(&full))),
        }
    }

    fn union(&mut self, branches: &[Value], at: &str, namespace: &str) -> Option<Type> {
        if branches.is_empty() {
            return self.fault(at, "A union has at least one branch.");
        }
        let mut seen = HashSet::new();
        let mut types = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            let place = child(at, &index.to_string());
            let Some(kind) = self.read(branch, &place, namespace) else { continue };
            if matches!(kind, Type::Union(_)) {
                self.fault::<()>(&place, "A union cannot be a branch of a union.");
            } else if !seen.insert(kind.name().to_owned()) {
                self.fault::<()>(&place, format!("The union has a branch `{}` already.", brief(kind.name())));
            }
            types.push(kind);
        }
        Some(Type::Union(types))
    }

    fn complex(&mut self, kind: &str, map: &Map<String, Value>, at: &str, namespace: &str) -> Option<Type> {
        match kind {
            "array" => self.part(map, "items", at, namespace).map(|inner| Type::Array(Box::new(inner))),
            "map" => self.part(map, "values", at, namespace).map(|inner| Type::Map(Box::new(inner))),
            "record" | "error" => self.define(map, at, namespace, Self::record),
            "enum" => self.define(map, at, namespace, Self::symbols),
            "fixed" => self.define(map, at, namespace, Self::fixed),
            "bytes" => Some(Type::Bytes(decimal(map))),
            name => self.refer(name, &child(at, "type"), namespace),
        }
    }

    fn part(&mut self, map: &Map<String, Value>, name: &str, at: &str, namespace: &str) -> Option<Type> {
        match map.get(name) {
            Some(inner) => self.read(inner, &child(at, name), namespace),
            None => self.fault(at, format!("It says what it holds by `{name}`.")),
        }
    }

    /// Parses a named type, which may refer to itself.
    fn define(
        &mut self,
        map: &Map<String, Value>,
        at: &str,
        namespace: &str,
        read: fn(&mut Self, &Map<String, Value>, &str, &str) -> Option<Shape>,
    ) -> Option<Type> {
        let full = self.name(map, at, namespace)?;
        let inner = full.rsplit_once('.').map_or("", |(space, _)| space).to_owned();
        let aliases = self.aliases(map, at).iter().map(|alias| qualified(alias, &inner)).collect();
        self.names.insert(full.clone(), None);
        let shape = read(self, map, at, &inner)?;
        self.names.insert(full.clone(), Some(Definition { aliases, shape }));
        Some(Type::Named(full))
    }

    fn name(&mut self, map: &Map<String, Value>, at: &str, namespace: &str) -> Option<String> {
        let place = child(at, "name");
        let Some(name) = map.get("name").and_then(Value::as_str) else {
            return self.fault(at, "A record, enum or fixed has a `name`.");
        };
        let space = match map.get("namespace") {
            None | Some(Value::Null) => namespace,
            Some(Value::String(space)) => space,
            Some(_) => return self.fault(&child(at, "namespace"), "A namespace is a text."),
        };
        let full = qualified(name, space);
        if !full.split('.').all(is_name) {
            return self.fault(
                &place,
                "A name has letters, digits and underscores and does not begin with a digit; dots part those of a namespace.",
            );
        }
        if Type::primitive(&full).is_some() {
            return self.fault(&place, "This is the name of a primitive type.");
        }
        if self.names.contains_key(&full) {
            return self.fault(&place, format!("A type `{}` is defined already.", brief(&full)));
        }
        Some(full)
    }

    fn aliases(&mut self, map: &Map<String, Value>, at: &str) -> Vec<String> {
        let Some(value) = map.get("aliases").filter(|value| !value.is_null()) else { return Vec::new() };
        let names =
            value.as_array().and_then(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
        names.filter(|names| names.iter().all(|name| name.split('.').all(is_name))).unwrap_or_else(|| {
            self.fault::<()>(&child(at, "aliases"), "Aliases are a list of names.");
            Vec::new()
        })
    }

    fn record(&mut self, map: &Map<String, Value>, at: &str, namespace: &str) -> Option<Shape> {
        let at = child(at, "fields");
        let Some(items) = map.get("fields").and_then(Value::as_array) else { return self.fault(&at, "A record has a list of `fields`.") };
        let mut fields: Vec<Field> = Vec::with_capacity(items.len());
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let at = child(&at, &index.to_string());
            let Some(field) = self.field(item, &at, namespace) else { continue };
            if !seen.insert(field.name.clone()) {
                self.fault::<()>(&child(&at, "name"), format!("The record has a field `{}` already.", brief(&field.name)));
            }
            fields.push(field);
        }
        Some(Shape::Record(fields))
    }

    fn field(&mut self, item: &Value, at: &str, namespace: &str) -> Option<Field> {
        let Some(map) = item.as_object() else { return self.fault(at, "A field is an object with a `name` and a `type`.") };
        let name = map.get("name").and_then(Value::as_str).filter(|name| is_name(name));
        if name.is_none() {
            self.fault::<()>(&child(at, "name"), "A field has a name of letters, digits and underscores that does not begin with a digit.");
        }
        let aliases = self.aliases(map, at);
        let orders = |order: &str| ORDERS.iter().any(|known| known.eq_ignore_ascii_case(order));
        if map.get("order").is_some_and(|order| !order.as_str().is_some_and(orders)) {
            self.fault::<()>(&child(at, "order"), "An order is `ascending`, `descending` or `ignore`.");
        }
        let kind = match map.get("type") {
            Some(kind) => self.read(kind, &child(at, "type"), namespace),
            None => self.fault(at, "A field has a `type`."),
        };
        Some(Field { name: name?.to_owned(), aliases, kind: kind?, default: map.get("default").cloned(), at: at.to_owned() })
    }

    fn symbols(&mut self, map: &Map<String, Value>, at: &str, _namespace: &str) -> Option<Shape> {
        let place = child(at, "symbols");
        let Some(items) = map.get("symbols").and_then(Value::as_array) else {
            return self.fault(&place, "An enum has a list of `symbols`.");
        };
        let mut symbols: Vec<String> = Vec::with_capacity(items.len());
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            match item.as_str().filter(|symbol| is_name(symbol)) {
                Some(symbol) if seen.insert(symbol) => symbols.push(symbol.to_owned()),
                _ => self.fault::<()>(&child(&place, &index.to_string()), "Symbols are names, each once.").unwrap_or_default(),
            }
        }
        let default = map.get("default").filter(|value| !value.is_null());
        if default.is_some_and(|value| !value.as_str().is_some_and(|value| symbols.iter().any(|symbol| symbol == value))) {
            return self.fault(&child(at, "default"), "The default is one of the symbols.");
        }
        Some(Shape::Enum { symbols, default: default.is_some() })
    }

    fn fixed(&mut self, map: &Map<String, Value>, at: &str, _namespace: &str) -> Option<Shape> {
        match map.get("size").and_then(Value::as_u64) {
            Some(size) => Some(Shape::Fixed { size, decimal: decimal(map) }),
            None => self.fault(&child(at, "size"), "A fixed has a `size`: its number of bytes."),
        }
    }
}

/// An invalid logical type is ignored, as the specification requires.
fn decimal(map: &Map<String, Value>) -> Option<Decimal> {
    let number = |name: &str| map.get(name).map_or(Some(0), Value::as_u64);
    let decimal = Decimal { precision: number("precision")?, scale: number("scale")? };
    let is_one = map.get("logicalType").and_then(Value::as_str) == Some("decimal");
    (is_one && decimal.precision > 0 && decimal.scale <= decimal.precision).then_some(decimal)
}

fn qualified(name: &str, namespace: &str) -> String {
    if namespace.is_empty() || name.contains('.') { name.to_owned() } else { format!("{namespace}.{name}") }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Returns the beginning of a client's text, for a message.
fn brief(name: &str) -> String {
    name.chars().take(100).collect()
}
