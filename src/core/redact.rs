//! What of a configuration may be shown: everything but its secrets (domain.md section 2).
//!
//! Always holds: a value that its schema marks as secret, or whose name looks like a secret's, reads as the object
//! `{"$secret": "stored"}`, which no string can be mistaken for; a reference to a secret is shown as the reference it is; of a
//! URI only the password and secret-looking query values are masked. Not here: secrets inside texts (`core/redact_text.rs`), sealing (`core/secret.rs`).

use serde_json::{Map, Value};

use crate::core::marks::{ITEM, Marks, child};
use crate::core::redact_text::redact_text;

/// Key of the objects that stand for a secret.
pub(crate) const MARK: &str = "$secret";
/// What a stored secret reads as.
const STORED: &str = "stored";

/// Parts of names that only secrets have, compared without case and separators.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
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
    "bearer",
    "jaas",
    "sslkey",
    "keystore",
    "sharedkey",
    "accountkey",
    "signingkey",
    "encryptionkey",
    "enckey",
    "masterkey",
    "sessionkey",
    "hmackey",
    "privkey",
    "sshkey",
    "authkey",
    "authheader",
    "authmechanismproperties",
    "keytab",
    "jwt",
];

/// Whole names of secrets, where they name no group of settings.
const SECRET_WORDS: &[&str] = &["auth", "pat", "pw", "psk", "pin", "otp", "sas", "creds", "cookie", "cookies"];
/// What the name of a secret ends with, where it names no group of settings.
const SECRET_ENDS: &[&str] = &["pass", "sig", "signature"];

/// What a setting in a list calls its name, and its value.
const NAMES: &[&str] = &["name", "key", "property", "id", "header", "option", "setting", "parameter", "k"];
const VALUES: &[&str] = &["value", "values", "val", "v"];

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
    "bootstrap",
    "brokerlist",
    "node",
    "nodes",
    "domain",
    "servername",
    "proxy",
    "fqdn",
    "dsn",
    "cluster",
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
    has_secret_part(&plain(name))
}

fn has_secret_part(plain: &str) -> bool {
    SECRET_NAMES.iter().any(|part| plain.contains(part))
}

/// Whether a plain name is that of a secret where it names no group of settings.
fn is_secret_word(plain: &str) -> bool {
    let plain = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
    SECRET_WORDS.contains(&plain) || SECRET_ENDS.iter().any(|end| plain.ends_with(end))
}

/// Whether a text of this name is a secret.
pub(crate) fn is_secret_text(name: &str) -> bool {
    let plain = plain(name);
    has_secret_part(&plain) || is_secret_word(&plain)
}

/// Whether a name looks like that of a host, port or address.
#[must_use]
pub(crate) fn is_destination_name(name: &str) -> bool {
    let plain = plain(name);
    let plain = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
    DESTINATION_NAMES.iter().any(|end| plain.ends_with(end))
}

/// A name without case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A copy of a document with its secrets hidden: what its schema marks as one, and what has a secret's name.
#[must_use]
pub fn redact(value: &Value, marks: &Marks) -> Value {
    redact_at(value, marks, "")
}

/// The same for the part in this place of a document.
pub(crate) fn redact_at(value: &Value, marks: &Marks, place: &str) -> Value {
    match value {
        mark if Mark::of(mark).is_some() => mark.clone(),
        Value::Object(map) => {
            let named = names_secret(map);
            let is_value = |name: &str| named && VALUES.contains(&plain(name).as_str());
            let shown = |name: &str, value| if is_value(name) { veiled(value) } else { hide(name, value, marks, place) };
            map.iter().map(|(name, value)| (name.clone(), shown(name, value))).collect()
        }
        Value::Array(items) => {
            let place = child(place, ITEM);
            items.iter().map(|item| if marks.is_secret(&place) { veiled(item) } else { redact_at(item, marks, &place) }).collect()
        }
        Value::String(text) => Value::String(redact_text(text)),
        other => other.clone(),
    }
}

/// Whether an object is a setting by name and value, and the name a secret's.
fn names_secret(map: &Map<String, Value>) -> bool {
    map.iter().any(|(name, value)| NAMES.contains(&plain(name).as_str()) && value.as_str().is_some_and(is_secret_text))
}

fn hide(name: &str, value: &Value, marks: &Marks, place: &str) -> Value {
    let place = child(place, name);
    let plain = plain(name);
    let is_secret = marks.is_secret(&place) || has_secret_part(&plain) || (!value.is_object() && is_secret_word(&plain));
    if is_secret { veiled(value) } else { redact_at(value, marks, &place) }
}

/// A secret as it is shown. A switch or nothing at all is none, whatever it is called.
fn veiled(value: &Value) -> Value {
    if Mark::of(value).is_some() || value.is_null() || value.is_boolean() { value.clone() } else { stored() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_reads_as_the_marker_and_a_reference_as_itself() {
        let document = json!({"host": "db", "password": "hunter2", "nested": [{"apiKey": "k"}], "token": {"$secret": "env:SHOP"}});
        assert_eq!(
            redact(&document, &Marks::none()),
            json!({"host": "db", "password": {"$secret": "stored"}, "nested": [{"apiKey": {"$secret": "stored"}}], "token": {"$secret": "env:SHOP"}})
        );
    }

    #[test]
    fn what_others_call_their_secrets_is_hidden_too() {
        let document = json!({
            "sasl.jaas.config": "s", "auth": "s", "pass": "s", "passcode": 1234, "bearer": "s", "pat": "s", "sslKey": "s", "dbPass": "s",
            "auths": [{"auth": {"type": "basic", "password": "s"}}, {"name": "password", "value": "s"}, {"key": "x", "value": "v"}],
            "pairs": [{"Name": "x-sig", "Value": "s"}, {"property": "pin", "val": 1}, {"k": "cookie", "v": ["s"]}],
        });
        let shown = redact(&document, &Marks::none());
        let stored = stored();
        assert_eq!(
            shown,
            json!({
                "sasl.jaas.config": stored, "auth": stored, "pass": stored, "passcode": stored, "bearer": stored, "pat": stored,
                "sslKey": stored, "dbPass": stored,
                "auths": [{"auth": {"type": "basic", "password": stored}}, {"name": "password", "value": stored}, {"key": "x", "value": "v"}],
                "pairs": [
                    {"Name": "x-sig", "Value": stored}, {"property": "pin", "val": stored}, {"k": "cookie", "v": stored},
                ],
            })
        );
    }

    #[test]
    fn what_the_schema_calls_secret_is_hidden_whatever_its_name() {
        let marks = Marks::of(&json!({"properties": {
            "pin": {"writeOnly": true}, "pins": {"items": {"writeOnly": true}},
            "headers": {"items": {"properties": {"value": {"writeOnly": true}}}},
        }}));
        let document = json!({"pin": 1234, "pins": ["a"], "headers": [{"name": "n", "value": "v"}], "value": "v"});
        let stored = stored();
        assert_eq!(
            redact(&document, &marks),
            json!({"pin": stored, "pins": [stored], "headers": [{"name": "n", "value": stored}], "value": "v"})
        );
    }
}
