//! Avro schemas: validation with positions, and schema resolution.
//!
//! Always holds: every fault and every incompatibility has its position, also inside unions and recursive types. The work is
//! bounded. Crate apache-avro makes the final decision on validity, but it reports no positions, accepts some invalid
//! defaults, and considers a union readable when one of its branches is.

mod default;
mod parse;
mod resolution;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::Value;

pub(super) use resolution::unreadable;

/// A schema with all types that it defines, by full name.
#[derive(Debug)]
pub(super) struct Schema {
    root: Type,
    names: HashMap<String, Definition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Bytes(Option<Decimal>),
    String,
    Array(Box<Type>),
    Map(Box<Type>),
    Union(Vec<Type>),
    /// A record, enum or fixed, by its full name.
    Named(String),
}

/// The logical type whose values cannot be read with a different precision or scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    precision: u64,
    scale: u64,
}

#[derive(Debug)]
struct Definition {
    aliases: Vec<String>,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Record(Vec<Field>),
    Enum { symbols: Vec<String>, default: bool },
    Fixed { size: u64, decimal: Option<Decimal> },
}

#[derive(Debug)]
struct Field {
    name: String,
    aliases: Vec<String>,
    kind: Type,
    default: Option<Value>,
    /// Its position in the document.
    at: String,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// All faults: pairs of a JSON pointer and a rule.
    pub(super) fn parse(document: &Value) -> Result<Self, Vec<(String, String)>> {
        let schema = parse::read(document)?;
        let mut violations = default::wrong(&schema);
        if violations.is_empty()
            && let Err(error) = apache_avro::Schema::parse(document)
        {
            // The message quotes the document, which is the client's own.
            let reason: String = error.to_string().chars().take(300).collect();
            violations.push((String::new(), format!("This is no Avro schema: {reason}.")));
        }
        if violations.is_empty() { Ok(schema) } else { Err(violations) }
    }

    fn shape(&self, name: &str) -> Option<&Shape> {
        self.names.get(name).map(|definition| &definition.shape)
    }
}

impl Type {
    /// Returns its display name.
    fn name(&self) -> &str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Bytes(_) => "bytes",
            Self::String => "string",
            Self::Array(_) => "array",
            Self::Map(_) => "map",
            Self::Union(_) => "union",
            Self::Named(name) => name,
        }
    }

    /// Returns the primitive type of this name.
    fn primitive(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "int" => Self::Int,
            "long" => Self::Long,
            "float" => Self::Float,
            "double" => Self::Double,
            "bytes" => Self::Bytes(None),
            "string" => Self::String,
            _ => return None,
        })
    }
}
