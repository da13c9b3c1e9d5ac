//! Redaction: what is shown of configurations, of texts, and of what comes back.

use std::time::{Duration, Instant};

use pumphouse::core::violations::Violations;
use pumphouse::core::keep::complete;
use pumphouse::core::marks::Marks;
use pumphouse::core::redact::redact;
use pumphouse::server::fuzz::redacted;
use serde_json::Value;

use crate::split;

/// How long a text of some thousand letters may take.
const LONGEST: Duration = Duration::from_secs(2);
/// A secret as people have them; it is one word.
const SECRET: &str = "zQ9canary7Xw";
/// What stands before and behind a secret in a text. It follows white space, or anything but where it is a word of its own.
const FORMS: &[(&str, &str)] = &[
    ("password=", ""),
    ("password: ", "\n"),
    ("--password ", "\n"),
    ("Authorization: Bearer ", "\n"),
    ("postgres://user:", "@host/db"),
    ("https://", "@host/"),
    ("https://host/?token=", "&x=1"),
    ("{\"password\":\"", "\"}"),
    ("<password>", "</password>"),
    ("Server=db;Pwd=", ";X=1"),
    ("scott/", "@host:1521/x"),
    ("secret => ", ""),
];
/// Names of secrets.
const NAMES: &[&str] = &["password", "apiKey", "client_secret", "x-token", "Authorization"];

/// The first byte chooses how a secret is written, the lines are what stands before and behind it, as documents too. A secret that was put into a
/// text or a document is not in what is shown of it; what was shown once is shown the same again; what comes back as it was
/// shown is what is stored.
pub fn hold(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    if text.contains(SECRET) {
        return;
    }
    let begun = Instant::now();
    shown_once_and_again(text);
    let (before, behind) = split(text);
    let (open, close) = FORMS[usize::from(*choice) % FORMS.len()];
    hides(before, open, close, behind);
    if let Ok(document) = serde_json::from_str::<Value>(text) {
        comes_back(&document);
        let name = NAMES[usize::from(*choice) % NAMES.len()];
        comes_back(&with_secrets(document, name));
    }
    assert!(begun.elapsed() < LONGEST, "it took {:?}", begun.elapsed());
}

fn shown_once_and_again(text: &str) {
    let shown = redacted(text);
    assert_eq!(redacted(&shown), shown, "shown again");
}

fn hides(before: &str, open: &str, close: &str, behind: &str) {
    // On a line of its own, in the middle of one, and of a word.
    let is_word = open.starts_with("--") || open.starts_with("scott");
    for glue in ["\n", " ", ""].iter().take(if is_word { 2 } else { 3 }) {
        let text = format!("{before}{glue}{open}{SECRET}{close}{glue}{behind}");
        if serde_json::from_str(&text).is_ok_and(|document: Value| is_named(&document)) {
            continue;
        }
        let shown = redacted(&text);
        assert!(!shown.contains(SECRET), "{text:?} is shown as {shown:?}");
        assert_eq!(redacted(&shown), shown, "shown again");
    }
}

/// Whether the secret stands in a name, which is shown: what comes back is known by it.
fn is_named(document: &Value) -> bool {
    match document {
        Value::Object(map) => map.iter().any(|(name, value)| name.contains(SECRET) || is_named(value)),
        Value::Array(items) => items.iter().any(is_named),
        _ => false,
    }
}

/// A document as it is shown holds none of the secrets that were put into it, and is the stored one when it comes back.
fn comes_back(document: &Value) {
    let marks = Marks::none();
    let shown = redact(document, &marks);
    let text = shown.to_string();
    assert!(!text.contains(SECRET), "{text}");
    assert_eq!(redact(&shown, &marks), shown, "shown again");
    // What is a mark already is nobody's secret.
    if !document.to_string().contains("***") && !document.to_string().contains("$secret") {
        let whole = complete(shown, Some(document), &marks, "document", &mut Violations::default());
        assert!(*whole == *document, "{text} comes back as {}", *whole);
    }
}

/// A document with a secret in every object, under this name.
fn with_secrets(document: Value, name: &str) -> Value {
    match document {
        Value::Object(map) => {
            let mut map: serde_json::Map<String, Value> = map.into_iter().map(|(key, value)| (key, with_secrets(value, name))).collect();
            if !map.contains_key("$secret") {
                map.insert(name.to_owned(), SECRET.into());
            }
            Value::Object(map)
        }
        Value::Array(items) => items.into_iter().map(|item| with_secrets(item, name)).collect(),
        other => other,
    }
}
