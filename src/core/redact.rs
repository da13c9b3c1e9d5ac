//! What of a configuration may be shown: everything but its secrets (domain.md section 2).
//!
//! Always holds: a value whose name looks like a secret's reads as the object `{"$secret": "stored"}`,
//! which no string can be mistaken for; a reference to a secret is shown as the reference it is; of a
//! URI only the password and secret-looking query values are masked. Not here: sealing (`core/secret.rs`).

use serde_json::{Map, Value};
use url::Url;

/// Key of the objects that stand for a secret.
pub(crate) const MARK: &str = "$secret";
/// What a stored secret reads as.
const STORED: &str = "stored";
/// What stands for a secret inside a longer text.
pub(crate) const MASK: &str = "***";

/// Parts of names that only secrets have, compared without case and separators.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "clientkey",
    "sastoken",
    "connectionstring",
    "saslplain",
    "authorization",
    "keystore",
    "sharedkey",
    "accountkey",
    "signingkey",
    "encryptionkey",
];

/// What the name of a host, port or address ends with, compared likewise; a word too many costs a secret sent anew.
const DESTINATION_NAMES: &[&str] = &[
    "host",
    "hosts",
    "hostname",
    "port",
    "url",
    "urls",
    "uri",
    "endpoint",
    "endpoints",
    "server",
    "servers",
    "broker",
    "brokers",
    "address",
    "addresses",
    "account",
];

/// What an object with the one key `$secret` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `"stored"`: the secret is stored.
    Stored,
    /// `"env:NAME"` and `"file:NAME"`: where the secret is, not what it is.
    Reference,
}

impl Mark {
    /// The mark that a value is.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let map = value.as_object().filter(|map| map.len() == 1)?;
        match map.get(MARK)?.as_str()? {
            STORED => Some(Self::Stored),
            text if text.starts_with("env:") || text.starts_with("file:") => Some(Self::Reference),
            _ => None,
        }
    }
}

/// The object that a stored secret reads as.
#[must_use]
pub fn stored() -> Value {
    Value::Object(Map::from_iter([(MARK.to_owned(), Value::String(STORED.to_owned()))]))
}

/// Whether a name looks like a secret's.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let plain = plain(name);
    SECRET_NAMES.iter().any(|part| plain.contains(part))
}

/// Whether a name looks like that of a host, port or address.
#[must_use]
pub(crate) fn is_destination_name(name: &str) -> bool {
    let plain = plain(name);
    DESTINATION_NAMES.iter().any(|end| plain.ends_with(end))
}

/// A name without case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The same document with its secrets hidden.
#[must_use]
pub fn redact(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(map.into_iter().map(|(name, value)| hide(name, value)).collect()),
        Value::Array(items) => Value::Array(items.into_iter().map(redact).collect()),
        Value::String(text) => Value::String(redact_uri(text)),
        other => other,
    }
}

fn hide(name: String, value: Value) -> (String, Value) {
    let hidden = if Mark::of(&value).is_some() || value.is_null() || value.is_boolean() {
        value
    } else if is_secret_name(&name) {
        stored()
    } else {
        redact(value)
    };
    (name, hidden)
}

fn redact_uri(text: String) -> String {
    if !text.contains("://") {
        return text;
    }
    let Ok(mut uri) = Url::parse(&text) else {
        // Something like a URI that does not parse may still hold a password.
        return if text.contains('@') { MASK.to_owned() } else { text };
    };
    let mut changed = false;
    if uri.password().is_some() {
        changed = uri.set_password(Some(MASK)).is_ok();
    }
    if uri.query_pairs().any(|(name, _)| is_secret_name(&name)) {
        let pairs: Vec<(String, String)> = uri
            .query_pairs()
            .map(|(name, value)| {
                let value = if is_secret_name(&name) { MASK.to_owned() } else { value.into_owned() };
                (name.into_owned(), value)
            })
            .collect();
        uri.query_pairs_mut().clear().extend_pairs(pairs);
        changed = true;
    }
    if changed { uri.to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_secret_part_of_a_uri_is_masked() {
        let shown = redact(json!({"uri": "postgres://reader:p%40ss@db.example.org:5432/shop?sslmode=require&apikey=abc"}));
        assert_eq!(shown, json!({"uri": "postgres://reader:***@db.example.org:5432/shop?sslmode=require&apikey=***"}));
    }

    #[test]
    fn a_secret_reads_as_the_marker_and_a_reference_as_itself() {
        let shown = redact(json!({"host": "db", "password": "hunter2", "nested": [{"apiKey": "k"}], "token": {"$secret": "env:SHOP"}}));
        assert_eq!(
            shown,
            json!({"host": "db", "password": {"$secret": "stored"}, "nested": [{"apiKey": {"$secret": "stored"}}], "token": {"$secret": "env:SHOP"}})
        );
    }
}
