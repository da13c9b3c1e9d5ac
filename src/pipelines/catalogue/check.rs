//! What is wrong with a configuration, by its type's schema.
//!
//! Always holds: every violation is told, each with its JSON pointer, up to a bound; no sentence holds a value of the
//! configuration, which may be a secret in the wrong place.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::core::marks::child;
use crate::core::violations::Violations;

/// The most violations that are told.
const MOST: usize = 100;

/// Compiles a schema. Nothing is fetched or read: the crate is built without resolvers.
pub(in crate::pipelines) fn compile(schema: &Value) -> Option<Validator> {
    jsonschema::draft202012::new(schema).ok()
}

/// Notes what is wrong as faults of this field of the input.
pub(in crate::pipelines) fn check(validator: &Validator, schema: &Value, document: &Value, field: &str, violations: &mut Violations) {
    let told = validator.iter_errors(document).flat_map(|error| tell(&error, schema));
    for (pointer, rule) in told.take(MOST) {
        violations.add(format!("{field}{pointer}"), rule);
    }
}

/// The violations that an error of the validator stands for: pairs of a JSON pointer and a sentence.
fn tell(error: &ValidationError<'_>, schema: &Value) -> Vec<(String, String)> {
    let at = error.instance_path().as_str().to_owned();
    let beside = |keyword: &str| said_beside(error, schema, keyword);
    let rule = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            return unexpected.iter().map(|name| (child(&at, name), "There is no such field.".to_owned())).collect();
        }
        ValidationErrorKind::Required { property } => {
            return vec![(child(&at, property.as_str().unwrap_or_default()), "This is needed.".to_owned())];
        }
        ValidationErrorKind::Type { kind } => format!("It is {}.", named(kind)),
        ValidationErrorKind::Enum { options } => format!("It is one of {}.", listed(options)),
        ValidationErrorKind::Minimum { .. } | ValidationErrorKind::Maximum { .. } => {
            format!("It is a number from {} to {}.", beside("minimum"), beside("maximum"))
        }
        ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => "It is empty.".to_owned(),
        ValidationErrorKind::MaxLength { limit } => format!("It has at most {limit} characters."),
        ValidationErrorKind::MaxItems { limit } => format!("It has at most {limit} items."),
        ValidationErrorKind::UniqueItems => "An item is there twice.".to_owned(),
        ValidationErrorKind::Pattern { .. } => form(&beside("description"), &beside("examples")),
        ValidationErrorKind::AnyOf { .. } => match beside("writeOnly").as_str() {
            "true" => "It is a text that is not empty, or a reference such as {\"$secret\": \"env:PUMPHOUSE_SECRET_NAME\"}.".to_owned(),
            _ => beside("description"),
        },
        other => format!("It breaks the rule `{}` of its schema.", other.keyword()),
    };
    vec![(at, rule)]
}

fn form(about: &str, examples: &str) -> String {
    let example = if examples.is_empty() { String::new() } else { format!(" For example {}.", examples.trim_matches(['[', ']'])) };
    format!("It has not the right form. {about}{example}").trim_end().to_owned()
}

/// What the schema says by this keyword in the place of the keyword that is broken.
fn said_beside(error: &ValidationError<'_>, schema: &Value, keyword: &str) -> String {
    let place = error.schema_path().as_str().rsplit_once('/').map_or("", |(place, _)| place);
    match schema.pointer(place).and_then(|schema| schema.get(keyword)) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn named(kind: &TypeKind) -> &'static str {
    let name = match kind {
        TypeKind::Single(kind) => kind.as_str(),
        TypeKind::Multiple(_) => "",
    };
    match name {
        "string" => "a text",
        "integer" => "a whole number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        _ => "of another type",
    }
}

fn listed(options: &Value) -> String {
    let words = options.as_array().into_iter().flatten().map(|word| format!("`{}`", word.as_str().unwrap_or_default()));
    words.collect::<Vec<_>>().join(", ")
}
