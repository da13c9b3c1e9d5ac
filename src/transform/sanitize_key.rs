//! `sanitize_key`: renames keys so that every target accepts them as column names.

use serde_json::Value;

use super::budget::Budget;
use super::flattener::insert;
use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "sanitize_key",
    title: "Sanitize key",
    description: "Makes every key, of nested objects too, one that targets take as a column's name: of ASCII letters, digits and underscores, not beginning with a digit. Two keys that would become one are refused.",
    parameters: &[
        Parameter::optional(
            "replacement",
            Kind::Choice(&["_", ""]),
            "What stands for every other character: `_` (unless told otherwise) or nothing.",
        ),
        Parameter::optional(
            "case",
            Kind::Choice(&["keep", "lower", "upper", "snake"]),
            "Whether letters keep their case (unless told otherwise) or become lower or upper case; `snake` writes orderId as order_id.",
        ),
        Parameter::optional("longest", Kind::Number(1_000), "The most characters of a key; what is longer is cut."),
    ],
    build: |given| Some(build(given)),
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Keep,
    Lower,
    Upper,
    Snake,
}

struct SanitizeKey {
    replacement: &'static str,
    case: Case,
    longest: usize,
}

fn build(given: &mut Given<'_>) -> Box<dyn Transform> {
    let case = match given.text("case") {
        Some("lower") => Case::Lower,
        Some("upper") => Case::Upper,
        Some("snake") => Case::Snake,
        _ => Case::Keep,
    };
    let replacement = if given.text("replacement") == Some("") { "" } else { "_" };
    Box::new(SanitizeKey { replacement, case, longest: given.number("longest").unwrap_or(usize::MAX) })
}

impl Transform for SanitizeKey {
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let message = self.rename(message, output.budget)?;
        output.push(message);
        Ok(())
    }
}

impl SanitizeKey {
    fn rename(&self, map: Message, budget: &mut Budget) -> Result<Message, String> {
        let mut renamed = Message::new();
        for (key, value) in map {
            budget.entry(key.len())?;
            let value = self.rename_below(value, budget)?;
            insert(&mut renamed, self.sanitize(&key), value)?;
        }
        Ok(renamed)
    }

    fn rename_below(&self, value: Value, budget: &mut Budget) -> Result<Value, String> {
        Ok(match value {
            Value::Object(map) => Value::Object(self.rename(map, budget)?),
            Value::Array(items) => items.into_iter().map(|item| self.rename_below(item, budget)).collect::<Result<_, _>>()?,
            other => other,
        })
    }

    fn sanitize(&self, key: &str) -> String {
        let mut name = String::with_capacity(key.len());
        let mut before = None;
        for letter in key.chars() {
            // A word begins at a capital after a character that is not a capital: orderId, order2Ship, but not ID.
            let begins =
                letter.is_ascii_uppercase() && before.is_some_and(|before: char| before.is_ascii_lowercase() || before.is_ascii_digit());
            if self.case == Case::Snake && begins {
                name.push('_');
            }
            before = Some(letter);
            match letter {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(match self.case {
                    Case::Keep => letter,
                    Case::Upper => letter.to_ascii_uppercase(),
                    Case::Lower | Case::Snake => letter.to_ascii_lowercase(),
                }),
                _ => name.push_str(self.replacement),
            }
        }
        if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            name.insert(0, '_');
        }
        name.truncate(self.longest);
        name
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, refused};
    use serde_json::json;

    #[test]
    fn keys_become_names_of_columns() {
        let message = json!({"order id": 1, "2nd": 2, "é": 3, "": 4, "deep": [{"a-b": {"c.d": 5}}]});
        let expected = json!({"order_id": 1, "_2nd": 2, "_": 3, "deep": [{"a_b": {"c_d": 5}}]});
        assert_eq!(refused(json!([{"type": "sanitize_key"}]), &message), "two fields would have the key `_`");
        let mut other = message.clone();
        other.as_object_mut().unwrap().remove("");
        assert_eq!(one(json!([{"type": "sanitize_key"}]), &other), expected);
    }

    #[test]
    fn case_replacement_and_length_as_told() {
        let message = json!({"orderId": 1, "HTTP code": 2});
        assert_eq!(one(json!([{"type": "sanitize_key", "case": "snake"}]), &message), json!({"order_id": 1, "http_code": 2}));
        assert_eq!(
            one(json!([{"type": "sanitize_key", "case": "upper", "replacement": ""}]), &message),
            json!({"ORDERID": 1, "HTTPCODE": 2})
        );
        assert_eq!(one(json!([{"type": "sanitize_key", "longest": 3, "case": "lower"}]), &message), json!({"ord": 1, "htt": 2}));
    }
}
