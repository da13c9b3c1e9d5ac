//! What of a configuration may be shown: everything but its secrets (domain.md section 2).
//!
//! Always holds: a value that its schema marks as secret, or whose name looks like a secret's, reads as the object
//! `{"$secret": "stored"}`, which no string can be mistaken for; a reference to a secret is shown as the reference it is; of a
//! URI only the password and secret-looking query values are masked. Not here: secrets inside texts (`core/redact_text.rs`), sealing (`core/secret.rs`).

use std::path::{Component, Path};

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization as _;

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
    "passkey",
    "passwort",
    "kennwort",
    "pswd",
    "userinfo",
    "aeskey",
    "rsakey",
    "pgpkey",
    "cryptokey",
    "deploykey",
    "storagekey",
    "functionkey",
    "subscriptionkey",
    "serviceaccountkey",
    "serviceaccountjson",
    "keyfilejson",
    "jsonkey",
    "sessionid",
    "mnemonic",
];

/// Whole names of secrets.
const SECRET_WORDS: &[&str] = &["pat", "pw", "psk", "pin", "otp", "totp", "sas", "creds", "salt", "pepper"];
/// What the name of a secret ends with.
const SECRET_ENDS: &[&str] = &["pass", "sig", "signature", "auth", "auths", "cookie", "cookies"];

/// What the member that holds the name of a setting is called, or ends with, and what the one that holds its value.
const NAMES: &[&str] = &["k", "n", "id", "env", "var", "type", "kind"];
const NAME_ENDS: &[&str] = &[
    "name",
    "key",
    "property",
    "header",
    "option",
    "setting",
    "parameter",
    "param",
    "field",
    "attribute",
    "label",
    "title",
    "variable",
    "prop",
    "config",
];
const VALUES: &[&str] = &["v", "val"];
const VALUE_ENDS: &[&str] = &["value", "values", "content", "data", "text", "default", "string", "valuefrom", "current"];

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
    "gateway",
    "bastion",
    "target",
    "registry",
    "issuer",
    "realm",
    "kdc",
    "listener",
    "listeners",
    "upstream",
    "peer",
    "relay",
    "tunnel",
    "site",
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

/// What the names of variables that hold secrets begin with.
const VARIABLE: &str = "PUMPHOUSE_SECRET_";

/// Whether a worker resolves this reference: to a variable with the prefix, or to a file inside the directory of secrets.
pub(crate) fn is_resolvable(reference: &str) -> bool {
    match reference.split_once(':') {
        Some(("env", name)) => name.strip_prefix(VARIABLE).is_some_and(|rest| !rest.is_empty() && !rest.contains(['=', '\0'])),
        Some(("file", name)) => {
            !name.is_empty() && !name.contains('\0') && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
        }
        _ => false,
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

/// Whether whatever has this name is a secret, or holds some.
pub(crate) fn holds_secrets(name: &str) -> bool {
    let plain = plain(name);
    let word = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
    has_secret_part(&plain) || is_one_of(word, SECRET_WORDS, SECRET_ENDS)
}

/// Whether a name is one of these words, or ends with one of those.
fn is_one_of(plain: &str, words: &[&str], ends: &[&str]) -> bool {
    words.contains(&plain) || ends.iter().any(|end| plain.ends_with(end))
}

/// Whether a name looks like that of a host, port or address.
#[must_use]
pub(crate) fn is_destination_name(name: &str) -> bool {
    let plain = plain(name);
    let plain = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
    DESTINATION_NAMES.iter().any(|end| plain.ends_with(end))
}

/// A name without case, separators, accents and other forms of the same letters.
fn plain(name: &str) -> String {
    name.nfkd().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
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
            let named = is_secret_setting(map);
            let is_value = |name: &str| named && is_one_of(&plain(name), VALUES, VALUE_ENDS);
            let shown = |name: &str, value| if is_value(name) { veiled(value) } else { hide(name, value, marks, place) };
            map.iter().map(|(name, value)| (name.clone(), shown(name, value))).collect()
        }
        Value::Array(items) => {
            let place = child(place, ITEM);
            let mut before = None;
            let shown = |item| {
                let is_secret = marks.is_secret(&place) || before.replace(item).is_some_and(is_secret_option);
                if is_secret { veiled(item) } else { redact_item(item, marks, &place) }
            };
            items.iter().map(shown).collect()
        }
        Value::String(text) => Value::String(redact_text(text)),
        other => other.clone(),
    }
}

/// An item of a list, which may be a setting as a pair: its name, then its value.
fn redact_item(item: &Value, marks: &Marks, place: &str) -> Value {
    match item.as_array().map(Vec::as_slice) {
        Some([name, value]) if names_secret(name) => Value::Array(vec![redact_at(name, marks, place), veiled(value)]),
        _ => redact_at(item, marks, place),
    }
}

/// Whether an item is an option of a command, such as `--password`, that takes a secret as the next one.
fn is_secret_option(item: &Value) -> bool {
    names_secret(item) && item.as_str().is_some_and(|text| text.starts_with('-'))
}

/// Whether a value is the name of a secret.
fn names_secret(value: &Value) -> bool {
    let is_name = |text: &&str| text.chars().all(|letter| letter.is_alphanumeric() || "-_.$ ".contains(letter));
    value.as_str().filter(is_name).is_some_and(holds_secrets)
}

/// Whether an object is a setting by name and value, and the name a secret's.
fn is_secret_setting(map: &Map<String, Value>) -> bool {
    map.iter().any(|(name, value)| is_one_of(&plain(name), NAMES, NAME_ENDS) && names_secret(value))
}

fn hide(name: &str, value: &Value, marks: &Marks, place: &str) -> Value {
    let place = child(place, name);
    if marks.is_secret(&place) || holds_secrets(name) { veiled(value) } else { redact_at(value, marks, &place) }
}

/// Where a document holds what is not shown, as JSON pointers.
pub(crate) fn hidden(document: &Value) -> Vec<String> {
    let mut places = Vec::new();
    differing(&redact(document, &Marks::none()), document, "", &mut places);
    places
}

/// Collects where a document differs from what is shown of it.
pub(crate) fn differing(shown: &Value, value: &Value, at: &str, places: &mut Vec<String>) {
    match (shown, value) {
        (Value::Object(map), Value::Object(values)) if Mark::of(shown).is_none() => {
            map.iter().for_each(|(name, shown)| differing(shown, values.get(name).unwrap_or(shown), &child(at, name), places));
        }
        (Value::Array(items), Value::Array(values)) => {
            let pairs = items.iter().zip(values).enumerate();
            pairs.for_each(|(index, (shown, value))| differing(shown, value, &child(at, &index.to_string()), places));
        }
        _ if shown != value => places.push(at.to_owned()),
        _ => {}
    }
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
            "groups": [{"auth": {"type": "basic", "user": "s"}}, {"name": "password", "value": "s"}, {"key": "x", "value": "v"}],
            "pairs": [{"Name": "x-sig", "Value": "s"}, {"property": "pin", "val": 1}, {"k": "cookie", "v": ["s"]}],
            "others": [{"headerName": "Authorization", "headerValue": "s"}, {"variable": "DB_PASSWORD", "default": "s"}],
            "command": ["psql", "--password", "s", "--host", "h"], "tuples": [["password", "s"], ["user", "u"]], "tables": ["tokens", "orders"],
            "X-Auth": "s", "basicAuth": true, "pässwort": "s", "\u{ff50}assword": "s",
        });
        let shown = redact(&document, &Marks::none());
        let stored = stored();
        assert_eq!(
            shown,
            json!({
                "sasl.jaas.config": stored, "auth": stored, "pass": stored, "passcode": stored, "bearer": stored, "pat": stored,
                "sslKey": stored, "dbPass": stored,
                "groups": [{"auth": stored}, {"name": "password", "value": stored}, {"key": "x", "value": "v"}],
                "pairs": [
                    {"Name": "x-sig", "Value": stored}, {"property": "pin", "val": stored}, {"k": "cookie", "v": stored},
                ],
                "others": [{"headerName": "Authorization", "headerValue": stored}, {"variable": "DB_PASSWORD", "default": stored}],
                "command": ["psql", "--password", stored, "--host", "h"], "tuples": [["password", stored], ["user", "u"]],
                "tables": ["tokens", "orders"], "X-Auth": stored, "basicAuth": true, "pässwort": stored, "\u{ff50}assword": stored,
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
