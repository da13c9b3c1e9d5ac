//! What of a configuration may be shown: everything but its secrets (domain.md section 2).
//!
//! Always holds: a value that its schema marks as secret, or whose name looks like a secret's, reads as the object
//! `{"$secret": "stored"}`, which no string can be mistaken for; a reference to a secret is shown as the reference it is; of a
//! URI only the password and secret-looking query values are masked. Not here: sealing (`core/secret.rs`).

use serde_json::{Map, Value};

use crate::core::marks::{ITEM, Marks, child};

/// Key of the objects that stand for a secret.
pub(crate) const MARK: &str = "$secret";
/// What a stored secret reads as.
const STORED: &str = "stored";
/// What stands for a secret inside a longer text.
pub(crate) const MASK: &str = "***";
/// How many masks of a text are looked at; a URI has one or two.
const MOST_MASKS: usize = 20;

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
];

/// Whole names of secrets, where they name no group of settings.
const SECRET_WORDS: &[&str] = &["auth", "pass", "pat", "sig", "signature"];

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

/// Whether a text of this name is a secret.
fn is_secret_text(name: &str) -> bool {
    is_secret_name(name) || SECRET_WORDS.contains(&plain(name).as_str())
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
            let shown = |name: &str, value| if named && name == "value" { veiled(value) } else { hide(name, value, marks, place) };
            map.iter().map(|(name, value)| (name.clone(), shown(name, value))).collect()
        }
        Value::Array(items) => {
            let place = child(place, ITEM);
            items.iter().map(|item| if marks.is_secret(&place) { veiled(item) } else { redact_at(item, marks, &place) }).collect()
        }
        Value::String(text) => Value::String(redact_uri(text)),
        other => other.clone(),
    }
}

/// Whether an object is a setting by name and value, and the name a secret's.
fn names_secret(map: &Map<String, Value>) -> bool {
    ["name", "key"].iter().any(|name| map.get(*name).and_then(Value::as_str).is_some_and(is_secret_text))
}

fn hide(name: &str, value: &Value, marks: &Marks, place: &str) -> Value {
    let place = child(place, name);
    let is_secret = marks.is_secret(&place) || is_secret_name(name) || (!value.is_object() && is_secret_text(name));
    if is_secret { veiled(value) } else { redact_at(value, marks, &place) }
}

/// A secret as it is shown. A switch or nothing at all is none, whatever it is called.
fn veiled(value: &Value) -> Value {
    if Mark::of(value).is_some() || value.is_null() || value.is_boolean() { value.clone() } else { stored() }
}

/// Whether a secret part of a URI is a mask: nobody's secret, but what is shown in the place of one.
pub(crate) fn is_masked_uri(text: &str) -> bool {
    let shown = redact_uri(text);
    // In the place of a secret it makes no difference what stands there.
    text.match_indices(MASK).take(MOST_MASKS).any(|(at, mask)| {
        let (before, after) = text.split_at(at);
        let other = format!("{before}secret{}", after.strip_prefix(mask).unwrap_or_default());
        redact_uri(&other) == shown
    })
}

/// The text with the secret parts of the URIs in it masked, and those of settings in a row (`Server=db;Pwd=x`); the rest stays as
/// it was written.
pub(crate) fn redact_uri(text: &str) -> String {
    if !text.contains("://") {
        return if text.contains(';') { masked_parameters(text) } else { text.to_owned() };
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        let end = after.find(|letter: char| "/?#;,".contains(letter) || letter.is_whitespace()).unwrap_or(after.len());
        let (authority, tail) = after.split_at(end);
        // A password with a letter that ends an authority: better no URI than a part of it.
        let is_web = before.ends_with("http") || before.ends_with("https");
        let Some(authority) = masked_authority(authority, tail, is_web) else { return MASK.to_owned() };
        shown.push_str(&masked_parameters(before));
        shown.push_str("://");
        shown.push_str(&authority);
        rest = tail;
    }
    shown.push_str(&masked_parameters(rest));
    shown
}

/// An authority without its password, which on the web may stand alone, as a token does; none when what looks like its port is
/// the beginning of one.
fn masked_authority(authority: &str, tail: &str, is_web: bool) -> Option<String> {
    if let Some((user, host)) = authority.rsplit_once('@') {
        return Some(match user.split_once(':') {
            Some((name, _)) => format!("{name}:{MASK}@{host}"),
            None if is_web => format!("{MASK}@{host}"),
            None => authority.to_owned(),
        });
    }
    let port = authority.rsplit_once(':').map_or("", |(_, port)| port.trim_end_matches(']'));
    let is_port = port.chars().all(|letter| letter.is_ascii_digit()) || authority.ends_with(']');
    (is_port || !tail.contains('@')).then(|| authority.to_owned())
}

/// The part after an authority, the values of its secret-looking parameters masked.
fn masked_parameters(tail: &str) -> String {
    let mut shown = String::with_capacity(tail.len());
    for piece in tail.split_inclusive(['?', '&', ';', '#', ' ']) {
        let (body, end) = piece.split_at(piece.trim_end_matches(['?', '&', ';', '#', ' ']).len());
        match body.split_once('=') {
            Some((name, value)) if !value.is_empty() && is_secret_text(&decoded(name)) => shown.push_str(&format!("{name}={MASK}{end}")),
            _ => shown.push_str(piece),
        }
    }
    shown
}

/// A name as whoever reads the URI will read it.
fn decoded(name: &str) -> String {
    url::form_urlencoded::parse(name.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(text: &str) -> Value {
        redact(&json!(text), &Marks::none())
    }

    #[test]
    fn k04_only_the_secret_part_of_a_uri_is_masked() {
        for (text, masked) in [
            (
                "postgres://reader:p%40ss@db.example.org:5432/shop?sslmode=require&apikey=abc",
                "postgres://reader:***@db.example.org:5432/shop?sslmode=require&apikey=***",
            ),
            ("mongodb://u:p@a:27017,b:27017/shop?authSource=x", "mongodb://u:***@a:27017,b:27017/shop?authSource=x"),
            ("jdbc:postgresql://u:p@Host/db?user=u&password=p", "jdbc:postgresql://u:***@Host/db?user=u&password=***"),
            ("jdbc:sqlserver://host:1433;user=u;password=p;x=1", "jdbc:sqlserver://host:1433;user=u;password=***;x=1"),
            ("https://host/x?api%5Fkey=k#frag", "https://host/x?api%5Fkey=***#frag"),
            ("http://a:b@one/,http://c:d@two/", "http://a:***@one/,http://c:***@two/"),
            ("postgres://u:p@ss@host/db", "postgres://u:***@host/db"),
            ("https://host:8443/@scope/x?y=1", "https://host:8443/@scope/x?y=1"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("postgres://u:p/w@host/db", "***"),
            ("https://ghp_token@host/x?sig=abc#access_token=t&x=1", "https://***@host/x?sig=***#access_token=***&x=1"),
            ("postgres://reader@host/db", "postgres://reader@host/db"),
            ("Driver=x;Server=db;Uid=u;Pwd=p;", "Driver=x;Server=db;Uid=u;Pwd=***;"),
            ("no uri: token=x", "no uri: token=x"),
        ] {
            assert_eq!(shown(text), masked);
        }
    }

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
            "sasl.jaas.config": "s", "auth": "s", "pass": "s", "passcode": 1234, "bearer": "s", "pat": "s", "sslKey": "s",
            "auths": [{"auth": {"type": "basic", "password": "s"}}, {"name": "password", "value": "s"}, {"key": "x", "value": "v"}],
        });
        let shown = redact(&document, &Marks::none());
        let stored = stored();
        assert_eq!(
            shown,
            json!({
                "sasl.jaas.config": stored, "auth": stored, "pass": stored, "passcode": stored, "bearer": stored, "pat": stored,
                "sslKey": stored,
                "auths": [{"auth": {"type": "basic", "password": stored}}, {"name": "password", "value": stored}, {"key": "x", "value": "v"}],
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

    #[test]
    fn a_masked_uri_is_told_from_one_with_stars_elsewhere() {
        assert!(is_masked_uri("https://u:***@host/") && is_masked_uri("https://host/?token=***&x=***"));
        assert!(is_masked_uri("https://***@host/"));
        for text in ["***", "https://host/***", "https://u:secret@host/***", "postgres://***@host/", "https://host/?x=***&y=***"] {
            assert!(!is_masked_uri(text), "{text}");
        }
    }
}
