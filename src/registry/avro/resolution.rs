//! Whether data written with one schema can be read with another (Avro's schema resolution).
//!
//! Always holds: every branch of a writer's union must be readable. Each incompatibility has its path, such as
//! `lines[].payment<shop.Card>.expiry`. A pair of recursive types is compared once. The comparison ends after a bounded
//! number of steps, and anything not compared counts as incompatible.

use std::collections::HashMap;

use super::{Decimal, Field, Schema, Shape, Type};

/// The maximum number of comparisons of two types.
const MOST_STEPS: usize = 1_000_000;
/// The maximum number of incompatibilities returned.
const MAX_REPORTED: usize = 100;

/// One reason why data cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::registry) struct Incompatible {
    /// The path; empty for the schema itself.
    pub path: String,
    /// The reason.
    pub message: String,
}

/// Returns why `reader` cannot read all data written with `writer`; empty when it can.
pub(in crate::registry) fn unreadable(reader: &Schema, writer: &Schema) -> Vec<Incompatible> {
    let mut comparison = Comparison { reader, writer, known: HashMap::new(), fine: Vec::new(), steps: 0 };
    let mut found = comparison.compare(&reader.root, &writer.root, "");
    found.truncate(MAX_REPORTED);
    found
}

type Pair<'a> = (&'a str, &'a str);

struct Comparison<'a> {
    reader: &'a Schema,
    writer: &'a Schema,
    /// Results by pair of named types: compatible, or the reasons with relative paths. Pairs in progress count as
    /// compatible.
    known: HashMap<Pair<'a>, Option<Incompatible>>,
    /// The compatible pairs, in the order in which they were found.
    fine: Vec<Pair<'a>>,
    steps: usize,
}

impl<'a> Comparison<'a> {
    fn compare(&mut self, reader: &'a Type, writer: &'a Type, path: &str) -> Vec<Incompatible> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return one(path, "The schemas are too large to be compared.");
        }
        match (reader, writer) {
            (_, Type::Union(branches)) => {
                let mut found = Vec::new();
                for branch in branches {
                    found.extend(match reader {
                        Type::Union(_) => self.compare(reader, branch, path),
                        _ => self.compare(reader, branch, &within(path, branch)),
                    });
                    if found.len() > MAX_REPORTED {
                        break;
                    }
                }
                found
            }
            (Type::Union(branches), _) => self.any(branches, writer, path),
            (Type::Array(reader), Type::Array(writer)) => self.compare(reader, writer, &format!("{path}[]")),
            (Type::Map(reader), Type::Map(writer)) => self.compare(reader, writer, &format!("{path}{{}}")),
            (Type::Named(reader), Type::Named(writer)) => self.named(reader, writer, path),
            (Type::Bytes(reader), Type::Bytes(writer)) => digits(*reader, *writer, path),
            _ if promotes(writer, reader) => Vec::new(),
            _ => one(path, format!("`{}` is read where `{}` was written.", reader.name(), writer.name())),
        }
    }

    /// Whether a branch of the reader's union reads it. Otherwise reports why the matching branch does not.
    fn any(&mut self, branches: &'a [Type], writer: &'a Type, path: &str) -> Vec<Incompatible> {
        // Searching for the branch counts as work, too.
        self.steps += branches.len() / 8;
        let mut nearest = None;
        for closeness in [Closeness::Same, Closeness::Alike, Closeness::Other] {
            for branch in branches {
                if self.closeness(branch, writer) != closeness {
                    continue;
                }
                let found = self.compare(branch, writer, &within(path, branch));
                if found.is_empty() {
                    return found;
                }
                if closeness != Closeness::Other && nearest.is_none() {
                    nearest = Some(found);
                }
            }
        }
        nearest.unwrap_or_else(|| one(path, format!("No branch of the union reads `{}`, which may have been written.", writer.name())))
    }

    fn closeness(&self, reader: &Type, writer: &Type) -> Closeness {
        match (reader, writer) {
            (Type::Named(one), Type::Named(other)) if one == other => Closeness::Same,
            (Type::Named(one), Type::Named(other)) if self.matches(one, other) => Closeness::Alike,
            (Type::Named(_), Type::Named(_)) => Closeness::Other,
            _ if reader.name() == writer.name() => Closeness::Same,
            _ => Closeness::Other,
        }
    }

    fn named(&mut self, reader: &'a str, writer: &'a str, path: &str) -> Vec<Incompatible> {
        let pair = (reader, writer);
        if let Some(known) = self.known.get(&pair) {
            let here = |known: &Incompatible| Incompatible { path: joined(path, &known.path), message: known.message.clone() };
            return known.iter().map(here).collect();
        }
        let before = self.fine.len();
        self.known.insert(pair, None);
        self.fine.push(pair);
        let found = self.shapes(reader, writer, path);
        if let Some(first) = found.first() {
            // Pairs found compatible under the assumption that this pair is, may not be.
            for fine in self.fine.drain(before..) {
                self.known.remove(&fine);
            }
            let from_here = first.path.strip_prefix(path).unwrap_or(&first.path).trim_start_matches('.');
            self.known.insert(pair, Some(Incompatible { path: from_here.to_owned(), message: first.message.clone() }));
        }
        found
    }

    /// Names match without their namespaces, and by the reader's aliases.
    fn matches(&self, reader: &str, writer: &str) -> bool {
        let aliases = self.reader.names.get(reader).map_or(&[][..], |definition| &definition.aliases);
        simple(reader) == simple(writer) || aliases.iter().any(|alias| alias == writer)
    }

    fn shapes(&mut self, reader: &'a str, writer: &'a str, path: &str) -> Vec<Incompatible> {
        let (new, old) = (self.reader, self.writer);
        let (Some(read), Some(written)) = (new.shape(reader), old.shape(writer)) else { return Vec::new() };
        if !self.matches(reader, writer) {
            return one(path, format!("`{reader}` is read where `{writer}` was written, which is no alias of it."));
        }
        match (read, written) {
            (Shape::Record(read), Shape::Record(written)) => self.fields(read, written, path),
            (Shape::Enum { symbols, default: false }, Shape::Enum { symbols: written, .. }) => {
                let unknown: Vec<&str> = written.iter().filter(|symbol| !symbols.contains(symbol)).map(String::as_str).take(10).collect();
                if unknown.is_empty() {
                    return Vec::new();
                }
                one(
                    path,
                    format!(
                        "Symbols of `{writer}` that may have been written are unknown to the reader, whose enum has no default: {}.",
                        unknown.join(", ")
                    ),
                )
            }
            (Shape::Enum { .. }, Shape::Enum { .. }) => Vec::new(),
            (Shape::Fixed { size, decimal }, Shape::Fixed { size: written, decimal: digits_written }) => {
                if size != written {
                    return one(path, format!("`{reader}` has {size} bytes where {written} were written."));
                }
                digits(*decimal, *digits_written, path)
            }
            _ => one(path, format!("`{reader}` is of another kind than what was written.")),
        }
    }

    fn fields(&mut self, read: &'a [Field], written: &'a [Field], path: &str) -> Vec<Incompatible> {
        let by_name: HashMap<&str, &Field> = written.iter().map(|field| (field.name.as_str(), field)).collect();
        let mut found = Vec::new();
        for field in read {
            let path = joined(path, &field.name);
            let mut names = std::iter::once(&field.name).chain(&field.aliases);
            match names.find_map(|name| by_name.get(name.as_str())) {
                Some(source) => found.extend(self.compare(&field.kind, &source.kind, &path)),
                None if field.default.is_some() => {}
                None => found.extend(one(&path, "The field was not written, and the reader has no default for it.")),
            }
            if found.len() > MAX_REPORTED {
                break;
            }
        }
        found
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closeness {
    Same,
    Alike,
    Other,
}

fn one(path: &str, message: impl Into<String>) -> Vec<Incompatible> {
    vec![Incompatible { path: path.to_owned(), message: message.into() }]
}

/// Returns the path of a union's branch: only named types have a segment.
fn within(path: &str, branch: &Type) -> String {
    match branch {
        Type::Named(name) => format!("{path}<{name}>"),
        _ => path.to_owned(),
    }
}

fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether one primitive type can be read as another.
fn promotes(writer: &Type, reader: &Type) -> bool {
    match writer {
        Type::Int => matches!(reader, Type::Int | Type::Long | Type::Float | Type::Double),
        Type::Long => matches!(reader, Type::Long | Type::Float | Type::Double),
        Type::Float => matches!(reader, Type::Float | Type::Double),
        Type::String => matches!(reader, Type::String | Type::Bytes(None)),
        Type::Bytes(None) => matches!(reader, Type::String),
        Type::Null | Type::Boolean | Type::Double => reader == writer,
        _ => false,
    }
}

/// Two decimals must have the same digits; a decimal and a non-decimal are compared as bytes.
fn digits(reader: Option<Decimal>, writer: Option<Decimal>, path: &str) -> Vec<Incompatible> {
    match (reader, writer) {
        (Some(reader), Some(writer)) if reader != writer => {
            let shown = |decimal: Decimal| format!("decimal({}, {})", decimal.precision, decimal.scale);
            one(path, format!("`{}` is read where `{}` was written.", shown(reader), shown(writer)))
        }
        _ => Vec::new(),
    }
}

/// Appends a segment to a path.
fn joined(path: &str, further: &str) -> String {
    let name = further.starts_with(|first: char| first.is_alphanumeric() || first == '_');
    let dot = if name && !path.is_empty() { "." } else { "" };
    format!("{path}{dot}{further}")
}
