//! The transforms of a subscription, applied to rows.
//!
//! A row becomes a message: numbers, booleans and JSON as such, all else as the text that the source's database writes; a number with
//! more digits than JSON keeps is a text as well. What the transforms left as it was goes on as it was read, with its type at the
//! source; what they made has the type that it has in JSON: `boolean`, `numeric`, `text`, `jsonb`. A field that is
//! several of these in one snapshot is `text`.
//!
//! Always holds: a row that a transform refuses goes on with the reason, for the error table. Not here: what transforms do
//! (`transform/`), keeping rows (`stage.rs`).

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Number, Value};

use crate::transform::{Chain, Message, Runner};
use crate::worker::handover::Column;
use crate::worker::record::{Record, write};
use crate::worker::secrets::resolve;

use super::error::DeliveryError;
use super::wanted::Subscription;

/// The fields that were made, each with its type; without one while it was null only.
pub(super) type Fields = BTreeMap<String, Option<String>>;

/// The most digits of a number that JSON keeps.
const MOST_DIGITS: usize = 15;

/// Transforms that are ready to deliver.
pub(super) struct Shaper {
    runner: Runner,
    columns: Vec<Column>,
}

impl Shaper {
    /// The transforms of a subscription for rows of these columns; none when it has none.
    pub(super) fn of(subscription: &Subscription, columns: &[Column], secrets: Option<&Path>) -> Result<Option<Self>, DeliveryError> {
        if subscription.transforms.as_array().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let unfit = |faults: Vec<crate::transform::Fault>| {
            let words: Vec<String> = faults.into_iter().map(|fault| format!("{} {}", fault.pointer, fault.message)).collect();
            DeliveryError::Unfit(format!("its transforms cannot run: {}", words.join(" ")))
        };
        let resolved = |reference: &crate::transform::Reference| match resolve("secret", Some(&reference.to_value()), secrets) {
            Ok(text) => text.ok_or_else(|| "The secret is not there.".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let runner = Chain::parse(&subscription.transforms).and_then(|chain| chain.unlock(resolved)).map_err(unfit)?;
        Ok(Some(Self { runner, columns: columns.to_vec() }))
    }

    /// Writes what becomes of a row, as rows of a staging table, and notes the fields that it has.
    pub(super) fn shape(&self, row: &Record, fields: &mut Fields, into: &mut Vec<u8>) {
        match self.runner.run(self.message(row)) {
            Ok(messages) => {
                for message in messages {
                    match self.texts(message, row, fields) {
                        Ok(texts) => write([None, Some(Value::Object(texts).to_string().as_str())], into),
                        Err(reason) => self.refuse(row, &reason, into),
                    }
                }
            }
            Err(refused) => self.refuse(row, &refused.to_string(), into),
        }
    }

    fn refuse(&self, row: &Record, reason: &str, into: &mut Vec<u8>) {
        let texts =
            self.columns.iter().zip(row).map(|(column, text)| (column.name.clone(), text.clone().map_or(Value::Null, Value::String)));
        write([Some(reason), Some(Value::Object(texts.collect()).to_string().as_str())], into);
    }

    fn message(&self, row: &Record) -> Message {
        self.columns.iter().zip(row).map(|(column, text)| (column.name.clone(), value(column, text.as_deref()))).collect()
    }

    /// The fields of a message as texts.
    fn texts(&self, message: Message, row: &Record, fields: &mut Fields) -> Result<Map<String, Value>, String> {
        let mut texts = Map::new();
        for (name, made) in message {
            if name.contains('\0') {
                return Err("a field's name has a NUL character, which no column can have".to_owned());
            }
            let source = self.columns.iter().zip(row).find(|(column, _)| column.name == name);
            let untouched = source.filter(|(column, text)| value(column, text.as_deref()) == made);
            let (kind, text) = match untouched {
                Some((column, text)) => (column.kind.as_str(), text.clone()),
                None => plain(made),
            };
            if text.as_ref().is_some_and(|text| text.contains('\0')) {
                return Err(format!("field {name:?} has a NUL character, which no text of the database can have"));
            }
            note(fields, &name, text.as_ref().map(|_| kind));
            texts.insert(name, text.map_or(Value::Null, Value::String));
        }
        Ok(texts)
    }
}

fn note(fields: &mut Fields, name: &str, kind: Option<&str>) {
    match fields.get_mut(name) {
        None => _ = fields.insert(name.to_owned(), kind.map(str::to_owned)),
        Some(known) => match (known.as_deref(), kind) {
            (None, Some(kind)) => *known = Some(kind.to_owned()),
            (Some(before), Some(kind)) if before != kind => *known = Some("text".to_owned()),
            _ => {}
        },
    }
}

/// A field of the source as it is in a message.
fn value(column: &Column, text: Option<&str>) -> Value {
    let Some(text) = text else { return Value::Null };
    let read = match column.base.as_str() {
        "boolean" => Some(Value::Bool(text == "t")),
        "smallint" | "integer" | "bigint" => text.parse::<i64>().ok().map(Value::from),
        "real" | "double precision" => text.parse().ok().and_then(Number::from_f64).map(Value::Number),
        "numeric" => number(text),
        "json" | "jsonb" => serde_json::from_str(text).ok(),
        _ => None,
    };
    read.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// A number that JSON keeps.
fn number(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(Value::from(whole));
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let number = text.parse().ok().filter(|_| digits <= MOST_DIGITS)?;
    Number::from_f64(number).map(Value::Number)
}

/// The type and the text of something that a transform made.
fn plain(made: Value) -> (&'static str, Option<String>) {
    match made {
        Value::Null => ("text", None),
        Value::Bool(made) => ("boolean", Some(made.to_string())),
        Value::Number(made) => ("numeric", Some(made.to_string())),
        Value::String(made) => ("text", Some(made)),
        made @ (Value::Array(_) | Value::Object(_)) => ("jsonb", Some(made.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn column(name: &str, kind: &str, base: &str) -> Column {
        Column { name: name.to_owned(), kind: kind.to_owned(), base: base.to_owned(), nullable: true, key: None }
    }

    fn shaped(transforms: &Value, rows: &[[Option<&str>; 3]]) -> (Fields, String) {
        let subscription = json!({"id": "s", "name": "s", "targetTable": "t", "transforms": transforms});
        let columns = [
            column("total", "numeric(10,2)", "numeric"),
            column("email", "character varying(20)", "character varying"),
            column("doc", "json", "json"),
        ];
        let shaper = Shaper::of(&serde_json::from_value(subscription).unwrap(), &columns, None).unwrap().unwrap();
        let (mut fields, mut bytes) = (Fields::new(), Vec::new());
        for row in rows {
            shaper.shape(&row.map(|text| text.map(str::to_owned)).to_vec(), &mut fields, &mut bytes);
        }
        (fields, String::from_utf8(bytes).unwrap().replace("\"\"", "\""))
    }

    #[test]
    fn what_is_left_alone_keeps_its_letters_and_its_type() {
        let config = json!([{"type": "hash", "fields": ["email"]}]);
        let rows =
            [[Some("12.50"), None, Some("{\"b\": 1,  \"a\": 12345678901234567890.5}")], [Some("0.123456789012345678"), Some("a"), None]];
        let (fields, rows) = shaped(&config, &rows);
        assert_eq!(fields["total"].as_deref(), Some("numeric(10,2)"));
        assert_eq!(fields["email"].as_deref(), Some("text"));
        assert_eq!(fields["doc"].as_deref(), Some("json"));
        for kept in ["12.50", "0.123456789012345678", "1,  ", "12345678901234567890.5"] {
            assert!(rows.contains(kept), "{kept} in {rows}");
        }
    }

    #[test]
    fn a_row_that_is_refused_goes_on_with_the_reason() {
        let config = json!([{"type": "hash", "fields": ["missing"], "required": true}]);
        let (fields, rows) = shaped(&config, &[[Some("1"), Some("a"), None]]);
        assert!(fields.is_empty());
        assert!(rows.starts_with("\"transform 1 (hash): ") && rows.contains("\"email\":\"a\""), "{rows}");
    }

    #[test]
    fn several_types_are_text() {
        let mut fields = Fields::new();
        for (kind, expected) in [(None, None), (Some("numeric"), Some("numeric")), (None, Some("numeric")), (Some("jsonb"), Some("text"))] {
            note(&mut fields, "a", kind);
            assert_eq!(fields["a"].as_deref(), expected);
        }
    }
}
