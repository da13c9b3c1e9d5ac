//! `key_filter`: keeps only some fields of a message, or all but some.

use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "key_filter",
    title: "Key filter",
    description: "Passes on only the fields of `include`, or all but those of `exclude`.",
    parameters: &[
        Parameter::optional("include", Kind::Paths, "The only fields that are passed on, where they are there."),
        Parameter::optional("exclude", Kind::Paths, "The fields that are taken away, where they are there."),
    ],
    build,
};

enum KeyFilter {
    Include(Vec<Path>),
    Exclude(Vec<Path>),
}

fn build(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    match (given.value("include"), given.value("exclude")) {
        (Some(_), None) => Some(Box::new(KeyFilter::Include(given.paths("include")))),
        (None, Some(_)) => Some(Box::new(KeyFilter::Exclude(given.paths("exclude")))),
        _ => {
            given.fault("", "Give either `include` or `exclude`.");
            None
        }
    }
}

impl Transform for KeyFilter {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        match self {
            Self::Include(paths) => {
                let mut kept = Message::new();
                for path in paths {
                    if let Some(value) = path.take(&mut message) {
                        output.budget.entry(path.joined("").len())?;
                        path.put(&mut kept, value)?;
                    }
                }
                output.push(kept);
            }
            Self::Exclude(paths) => {
                for path in paths {
                    path.take(&mut message);
                }
                output.push(message);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, violations};
    use serde_json::json;

    #[test]
    fn fields_are_kept_or_taken_away() {
        let message = json!({"a": {"b": 1, "c": 2}, "d": 3, "e.f": 4});
        assert_eq!(one(json!([{"type": "key_filter", "include": ["a.b", ["e.f"], "none"]}]), &message), json!({"a": {"b": 1}, "e.f": 4}));
        assert_eq!(one(json!([{"type": "key_filter", "exclude": ["a.b", "d", "none"]}]), &message), json!({"a": {"c": 2}, "e.f": 4}));
    }

    #[test]
    fn one_of_both_is_given() {
        let both = json!([{"type": "key_filter"}, {"type": "key_filter", "include": ["a"], "exclude": ["b"]}, {"type": "key_filter", "include": ["a.*"]}]);
        assert_eq!(violations(both), ["/0", "/1", "/2/include/0"]);
    }
}
