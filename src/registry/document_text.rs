//! The text of a schema as a client sends it: parsed, validated and hashed.
//!
//! Always holds: each fault has its position. A duplicate key in an object is refused, as parsers differ on which one
//! counts. Two texts have the same hash exactly when their canonical forms (RFC 8785) are equal; so `doc`, aliases, custom
//! properties and the order of lists count. Not here: storing it (`registration.rs`).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, json};

use crate::core::canonical;
use crate::core::error::{Error, Result};
use crate::core::violations::Violations;
use crate::registry::avro::Schema;
use crate::registry::{SchemaType, json_schema};

/// The maximum length of the text, in bytes.
pub(super) const LONGEST: usize = 512 * 1024;
/// The maximum number of faults returned.
const MAX_REPORTED: usize = 100;

/// A valid schema.
pub(super) struct Text {
    pub(super) kind: SchemaType,
    /// The text as it was sent.
    pub(super) verbatim: String,
    pub(super) document: Value,
    pub(super) hash: String,
    /// The parsed schema, when it is Avro.
    pub(super) avro: Option<Schema>,
}

impl Text {
    /// Validates a text on a blocking thread.
    ///
    /// # Errors
    /// `VALIDATION` with all faults, by their position below `schema`.
    pub(super) async fn judge(kind: SchemaType, text: String) -> Result<Self> {
        tokio::task::spawn_blocking(move || Self::read(kind, text)).await.map_err(Error::internal)?
    }

    /// Validates a text on the current thread.
    pub(super) fn read(kind: SchemaType, text: String) -> Result<Self> {
        let document = parse(&text)?;
        no_large_integer(&text)?;
        let (avro, found) = match kind {
            SchemaType::Avro => match Schema::parse(&document) {
                Ok(schema) => (Some(schema), Vec::new()),
                Err(found) => (None, found),
            },
            SchemaType::Json => (None, json_schema::wrong(&document)),
        };
        let mut violations = Violations::default();
        for (pointer, rule) in found.into_iter().take(MAX_REPORTED) {
            violations.add(format!("schema{pointer}"), rule);
        }
        violations.none()?;
        let hash = canonical::hash_as(kind.stored(), &document)?;
        Ok(Self { kind, verbatim: text, document, hash, avro })
    }
}

/// Parses JSON of a bounded size.
///
/// # Errors
/// `VALIDATION` with line and column.
pub(super) fn parse(text: &str) -> Result<Value> {
    if text.len() > LONGEST {
        return Err(Error::validation("A schema has at most 512 KiB.").field("schema"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let document = Strict.deserialize(&mut reader).and_then(|document| reader.end().map(|()| document));
    document.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let told = error.to_string();
        let too_deep = told.starts_with("recursion limit exceeded");
        let sentence = if too_deep { "The schema nests more than 127 levels.".to_owned() } else { format!("This is no JSON: {told}.") };
        refused(sentence, line, column)
    })
}

/// Parsers differ on integers of more than 64 bits, so two that one parser considers equal could not be distinguished.
fn no_large_integer(text: &str) -> Result<()> {
    let Some(before) = before_a_large_integer(text) else { return Ok(()) };
    let line_begins = before.rfind('\n').map_or(0, |end| end + 1);
    let (line, column) = (before.matches('\n').count() + 1, before.len() - line_begins + 1);
    let sentence = "Readers differ on an integer of more than 64 bits; write it with an exponent, such as 1e30.";
    Err(refused(sentence.to_owned(), line, column))
}

fn refused(sentence: String, line: usize, column: usize) -> Error {
    Error::validation(sentence).field("schema").details(json!({"line": line, "column": column}))
}

/// Returns the text before the first integer that fits neither `i64` nor `u64`.
fn before_a_large_integer(json: &str) -> Option<&str> {
    let (mut quoted, mut escaped, mut begun) = (false, false, None);
    for (at, letter) in json.char_indices().chain([(json.len(), ' ')]) {
        if quoted {
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
        } else if begun.is_none() {
            quoted = letter == '"';
            begun = (letter == '-' || letter.is_ascii_digit()).then_some(at);
        } else if !(letter.is_ascii_digit() || "+-.eE".contains(letter)) {
            let number = begun.take().and_then(|begun| Some((begun, json.get(begun..at)?)));
            let whole = |number: &str| !number.contains(['.', 'e', 'E']);
            let held = |number: &str| number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
            if let Some((begun, _)) = number.filter(|(_, number)| whole(number) && !held(number)) {
                return json.get(..begun);
            }
        }
    }
    None
}

/// A JSON value without duplicate keys.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> std::result::Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Strict)?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice in one object"));
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> String {
        Text::read(SchemaType::Avro, text.to_owned()).map(|text| text.hash).unwrap()
    }

    /// Two of them could not be distinguished.
    #[test]
    fn an_integer_that_readers_differ_on_is_refused_with_its_place() {
        for number in ["1", "-9223372036854775808", "18446744073709551615", "1e30", "123456789012345678901.5", "\"18446744073709551616\""] {
            assert!(no_large_integer(&format!("{{\"a\": {number}}}")).is_ok(), "{number}");
        }
        for number in ["18446744073709551616", "-9223372036854775809"] {
            for (text, line, column) in
                [(format!("{{\"\\\"1\":\n  [{number}]}}"), 2, 4), (format!("[\n{number}]"), 2, 1), (number.to_owned(), 1, 1)]
            {
                let refused = no_large_integer(&text).unwrap_err();
                assert_eq!(refused.facts(), Some(&json!({"line": line, "column": column})), "{text}");
            }
        }
    }

    #[test]
    fn g01_g03_spelling_does_not_count_and_everything_that_is_said_does() {
        let base = r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "int"}]}"#;
        assert_eq!(
            hash(base),
            hash(r#"{ "fields":[{"type":"int","name":"a"},{"type":"int","name":"\u0062"}],"name":"R","type":"record" }"#)
        );
        let others = [
            base.replace("\"name\": \"R\"", "\"name\": \"R\", \"doc\": \"x\""),
            base.replace("\"name\": \"R\"", "\"name\": \"R\", \"aliases\": [\"S\"]"),
            base.replace("\"name\": \"R\"", "\"name\": \"R\", \"x-custom\": 1"),
            base.replace("\"a\"", "\"c\""),
            r#"{"type": "record", "name": "R", "fields": [{"name": "b", "type": "int"}, {"name": "a", "type": "int"}]}"#.to_owned(),
        ];
        let mut hashes: Vec<String> = others.iter().map(|text| hash(text)).collect();
        hashes.push(hash(base));
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), others.len() + 1);
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_position() {
        for text in ["", "{", "{\"a\": 1, \"a\": 2}", "[1 2]", "\"a\" x", "nul", "{\"a\": 1e999}"] {
            let error = parse(text).unwrap_err();
            assert!(error.message().starts_with("This is no JSON: ") && error.message().contains(" line 1 column "), "{}", error.message());
        }
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(parse(&deep).unwrap_err().message(), "The schema nests more than 127 levels.");
        assert!(parse(&" ".repeat(LONGEST + 1)).is_err());
        assert_eq!(parse(" [1, -1, 1.5, \"x\", {\"a\": null}, true] ").unwrap(), json!([1, -1, 1.5, "x", {"a": null}, true]));
    }
}
