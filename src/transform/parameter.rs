//! The parameters of transform types: name, accepted values and meaning.
//!
//! Always holds: the published schema and the check come from the same entry.

use serde_json::{Value, json};

use super::key::{self, Reference};
use super::path::{self, Path};

/// The maximum number of entries of a list or object in a configuration.
pub(super) const MOST_ENTRIES: usize = 1_000;

/// One parameter.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) needed: bool,
    pub(super) description: &'static str,
}

/// The accepted values of a parameter.
pub(super) enum Kind {
    /// A path to one position.
    Path,
    /// Paths, each to one position.
    Paths,
    /// Paths in which `*` stands for every item or entry.
    Places,
    /// A text with at most this many characters.
    Text(usize),
    /// True or false.
    Flag,
    /// An integer from 1 to this.
    Number(u32),
    /// One of these.
    Choice(&'static [&'static str]),
    /// A reference to a secret.
    Secret,
    /// A value that the transform parses itself, with the schema to publish.
    Own(fn() -> Value),
}

impl Parameter {
    pub(super) const fn needed(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, needed: true, description }
    }

    pub(super) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, needed: false, description }
    }

    /// Returns its JSON Schema.
    pub(super) fn schema(&self) -> Value {
        let mut schema = self.kind.schema();
        if let Some(map) = schema.as_object_mut() {
            map.insert("description".to_owned(), self.description.into());
        }
        schema
    }
}

impl Kind {
    fn schema(&self) -> Value {
        match self {
            Self::Path => path_schema(),
            Self::Paths | Self::Places => json!({"type": "array", "items": path_schema(), "minItems": 1, "maxItems": MOST_ENTRIES}),
            Self::Text(most) => json!({"type": "string", "maxLength": most}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Number(most) => json!({"type": "integer", "minimum": 1, "maximum": most}),
            Self::Choice(values) => json!({"enum": values}),
            Self::Secret => json!({
                "type": "object", "properties": {"$secret": {"type": "string", "pattern": "^(env:PUMPHOUSE_SECRET_|file:)."}},
                "required": ["$secret"], "additionalProperties": false,
            }),
            Self::Own(schema) => schema(),
        }
    }

    /// Returns the fault in a value: its position below the value, and the rule.
    pub(super) fn check(&self, value: &Value) -> Vec<(String, String)> {
        let unless = |fits: bool, rule: &dyn Fn() -> String| if fits { Vec::new() } else { vec![(String::new(), rule())] };
        match self {
            Self::Path => unless(Path::read(value).is_some_and(|path| !path.is_many()), &|| format!("{} It names one place.", path::RULE)),
            Self::Paths => check_paths(value, false),
            Self::Places => check_paths(value, true),
            Self::Text(most) => unless(value.as_str().is_some_and(|text| text.chars().count() <= *most), &|| {
                format!("This is a text of at most {most} characters.")
            }),
            Self::Flag => unless(value.is_boolean(), &|| "This is true or false.".to_owned()),
            Self::Number(most) => unless(value.as_u64().is_some_and(|number| (1..=u64::from(*most)).contains(&number)), &|| {
                format!("This is a whole number from 1 to {most}.")
            }),
            Self::Choice(values) => {
                unless(value.as_str().is_some_and(|text| values.contains(&text)), &|| format!("This is one of {}.", values.join(", ")))
            }
            Self::Secret => unless(Reference::read(value).is_some(), &|| key::RULE.to_owned()),
            Self::Own(_) => Vec::new(),
        }
    }
}

/// Returns the schema of a path.
pub(super) fn path_schema() -> Value {
    json!({
        "oneOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": 32}],
    })
}

fn check_paths(value: &Value, many: bool) -> Vec<(String, String)> {
    let Some(items) = value.as_array().filter(|items| (1..=MOST_ENTRIES).contains(&items.len())) else {
        return vec![(String::new(), format!("This is a list of 1 to {MOST_ENTRIES} paths."))];
    };
    let wrong = |item: &Value| match Path::read(item) {
        None => Some(path::RULE.to_owned()),
        Some(path) if path.is_many() && !many => Some("This path names one place; `*` cannot stand in it.".to_owned()),
        Some(_) => None,
    };
    items.iter().enumerate().filter_map(|(index, item)| wrong(item).map(|rule| (format!("/{index}"), rule))).collect()
}
