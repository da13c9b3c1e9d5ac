//! Whether a document is one: the rules of validation (section 5 of GraphQL's specification), by apollo-compiler.
//!
//! Always holds: all of the document is held against them, also what no variable, operation or `@skip` leads to; a refusal tells
//! where, and repeats no value, which could be a secret; whoever may not know the schema is told none of it. The library's own
//! validation is not used: it passes over what stands on `__typename` and some rules more, and refuses what is valid. Not here:
//! what a document may ask for (`limits.rs`), whether variables fit (`variables.rs`).

use std::collections::HashSet;
use std::sync::OnceLock;

use apollo_compiler::ast::{Directive, Value};
use apollo_compiler::diagnostic::{Diagnostic, ToCliReport as _};
use apollo_compiler::executable::{Argument, Selection, SelectionSet};
use apollo_compiler::parser::SourceMap;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::{DiagnosticData, Valid};
use apollo_compiler::{ExecutableDocument, Node, Schema};
use async_graphql::{Pos, ServerError};

use crate::graph::{Graph, sdl};
use crate::server::answer::MOST_ERRORS;
use crate::server::tokens;

/// How alike two names are, of one at most, that one is offered for the other.
const ALIKE: f64 = 0.85;

/// Names that are longer, in bytes, are like none of the schema's.
const LONGEST: usize = 100;

/// The schema that documents are held against; that of all servers of a process is the same.
#[derive(Clone, Copy)]
pub(crate) struct Rules(&'static Valid<Schema>);

impl Rules {
    /// Those of this schema.
    pub(crate) fn of(graph: &Graph) -> Self {
        static SCHEMA: OnceLock<Valid<Schema>> = OnceLock::new();
        Self(SCHEMA.get_or_init(|| {
            // What the library's introspection has beyond the types that apollo-compiler knows.
            let text = sdl(graph) + "\nextend type __Type { isOneOf: Boolean }";
            Valid::assume_valid(Schema::parse(text, "schema.graphql").unwrap_or_else(|faulty| faulty.partial))
        }))
    }

    /// Holds a document against the rules. Where the schema is not to be told, refusals tell none of it.
    ///
    /// # Errors
    /// Every breach, up to a number.
    pub(crate) fn check(self, text: &str, discloses: bool) -> Result<(), Vec<ServerError>> {
        let text = &*tokens::without_commas(text);
        let document = match ExecutableDocument::parse_and_validate(self.0, text, "document") {
            Ok(document) => document,
            Err(faulty) => {
                let errors = faulty.errors.iter().filter(|found| !misleads(found, text)).take(MOST_ERRORS).map(|found| {
                    let (kind, told) = (found.error.unstable_error_name().unwrap_or_default(), found.to_json());
                    let place = told.locations.first().map(|at| Pos { line: at.line, column: at.column });
                    let message = if discloses { self.with_suggestion(kind, told.message) } else { discreet(kind, told.message) };
                    ServerError::new(message, place)
                });
                return Err(errors.collect());
            }
        };
        let mut literals = Literals { sources: &document.sources, found: Vec::new() };
        for operation in document.operations.iter() {
            literals.directives(&operation.directives);
            for variable in &operation.variables {
                literals.directives(&variable.directives);
                if let Some(value) = &variable.default_value {
                    literals.value(value);
                }
            }
            literals.selections(&operation.selection_set);
        }
        for fragment in document.fragments.values() {
            literals.directives(&fragment.directives);
            literals.selections(&fragment.selection_set);
        }
        if literals.found.is_empty() { Ok(()) } else { Err(literals.found) }
    }

    /// The refusal of an unknown name with the known one that is most like it.
    fn with_suggestion(self, kind: &str, message: String) -> String {
        let Some(Unknown { name, of }) = unknown(kind, &message) else { return message };
        let known = if kind == "UndefinedArgument" { self.arguments(of) } else { self.fields(of) };
        match nearest(name, known) {
            Some(near) => format!("{message}. Did you mean `{near}`?"),
            None => message,
        }
    }

    /// The names of the arguments of a field, `Type.field`.
    fn arguments(self, of: &str) -> Vec<&'static str> {
        let field = of.split_once('.').and_then(|(of, field)| self.0.type_field(of, field).ok());
        field.map(|field| field.arguments.iter().map(|argument| argument.name.as_str()).collect()).unwrap_or_default()
    }

    /// The names of the fields of a type.
    fn fields(self, of: &str) -> Vec<&'static str> {
        match self.0.types.get(of) {
            Some(ExtendedType::Object(object)) => object.fields.keys().map(apollo_compiler::Name::as_str).collect(),
            Some(ExtendedType::Interface(interface)) => interface.fields.keys().map(apollo_compiler::Name::as_str).collect(),
            Some(ExtendedType::InputObject(input)) => input.fields.keys().map(apollo_compiler::Name::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether it says of a selection of unknown fields alone that there is none, beside the refusals of those.
fn misleads(found: &Diagnostic<'_, DiagnosticData>, text: &str) -> bool {
    let field = found.error.location().and_then(|span| text.get(span.offset()..span.end_offset()));
    found.error.unstable_error_name() == Some("MissingSubselection") && field.is_some_and(|field| field.contains('{'))
}

/// A name that is not known, and the type or field that it was looked for in.
struct Unknown<'m> {
    name: &'m str,
    of: &'m str,
}

/// What a refusal says that somebody looked for; the names stand in it between backticks.
fn unknown<'m>(kind: &str, message: &'m str) -> Option<Unknown<'m>> {
    let mut names = message.split('`').skip(1).step_by(2);
    let (one, other) = (names.next()?, names.next()?);
    match kind {
        "UndefinedField" => Some(Unknown { name: other, of: one }),
        "UndefinedInputValue" | "UndefinedArgument" => Some(Unknown { name: one, of: other }),
        _ => None,
    }
}

fn nearest<'a>(name: &str, known: Vec<&'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let ranked = known.into_iter().map(|known| (strsim::jaro_winkler(name, known), known));
    ranked.filter(|(rank, _)| *rank >= ALIKE).max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, known)| known)
}

/// What is said of a type to those who may not know it.
const MISFIT: &str = "This does not fit in this place";

/// What is said to those who may not know the schema: what needs no more than their own words.
fn discreet(kind: &str, message: String) -> String {
    if let Some(Unknown { name, .. }) = unknown(kind, &message) {
        return format!("`{name}` is not known in this place");
    }
    match kind {
        "RequiredArgument" | "RequiredField" => "Something that is needed in this place is missing".to_owned(),
        // Syntax, names that are not known, and what is wrong with the document alone.
        "" => message,
        "UndefinedEnumValue" => MISFIT.to_owned(),
        kind if ["Undefined", "Unused", "Unique", "Recursive"].iter().any(|told| kind.starts_with(told)) => message,
        kind if kind.ends_with("Collision") || kind.starts_with("Subscription") => message,
        _ => MISFIT.to_owned(),
    }
}

/// Looks in the values of a document for what apollo-compiler does not see: fields that are given twice.
struct Literals<'a> {
    sources: &'a SourceMap,
    found: Vec<ServerError>,
}

impl Literals<'_> {
    fn selections(&mut self, set: &SelectionSet) {
        for selection in &set.selections {
            self.directives(selection.directives());
            match selection {
                Selection::Field(field) => {
                    self.arguments(&field.arguments);
                    self.selections(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => self.selections(&fragment.selection_set),
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn directives(&mut self, directives: &[Node<Directive>]) {
        for directive in directives {
            self.arguments(&directive.arguments);
        }
    }

    fn arguments(&mut self, given: &[Node<Argument>]) {
        for argument in given {
            self.value(&argument.value);
        }
    }

    fn value(&mut self, value: &Node<Value>) {
        if let Value::List(items) = &**value {
            for item in items {
                self.value(item);
            }
        }
        let Value::Object(fields) = &**value else { return };
        let mut names = HashSet::new();
        for (name, value) in fields {
            if !names.insert(name) && self.found.len() < MOST_ERRORS {
                let place = name.line_column_range(self.sources).map(|range| Pos { line: range.start.line, column: range.start.column });
                self.found.push(ServerError::new(format!("The field `{name}` is given more than once"), place));
            }
            self.value(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::registry::MetaType;

    use super::*;
    use crate::graph;
    use crate::server::limits;

    #[test]
    fn the_rules_know_every_type_and_field_of_the_schema_and_of_introspection() {
        let rules = Rules::of(&graph::builder().finish());
        let violations = Schema::parse_and_validate(graph::sdl(&graph::builder().finish()), "schema.graphql").err();
        assert!(violations.is_none(), "{violations:?}");
        let registry = limits::registry();
        // Parts that the roots are merged of are types of the registry alone.
        let shown = registry.types.iter().filter(|(name, _)| name.starts_with("__") || rules.0.types.contains_key(name.as_str()));
        for (name, ty) in shown {
            let known: HashSet<&str> = rules.fields(name).into_iter().collect();
            let fields: Vec<&str> = match ty {
                MetaType::Object { fields, .. } | MetaType::Interface { fields, .. } => fields.keys().map(String::as_str).collect(),
                MetaType::InputObject { input_fields, .. } => input_fields.keys().map(String::as_str).collect(),
                MetaType::Scalar { .. } | MetaType::Union { .. } | MetaType::Enum { .. } => Vec::new(),
            };
            let missing: Vec<&str> = fields.into_iter().filter(|field| !known.contains(field)).collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }
}
