//! A configuration as a client sends it, made whole: the secrets that it keeps come from what is stored.
//!
//! Always holds: `{"$secret": "stored"}` keeps the value that is stored in the same place, and a URI that
//! comes back exactly as it was shown keeps its own; any other text is a new value, whatever it looks like
//! (domain.md section 2), but a URI with a mask in the place of its secret, which is nobody's value and refused. Inside a list an item keeps its secrets only when all else in it is as it was,
//! wherever it stands now, so that no secret slips to a neighbour. Not here: what may be shown (`core/redact.rs`), sealing (`core/secret.rs`).

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use serde_json::Value;

use crate::core::marks::{ITEM, Marks, child};
use crate::core::redact::{MARK, Mark, differing, is_destination_name, is_resolvable, redact, redact_at};
use crate::core::redact_text::{MASK, is_masked};
use crate::core::secret::PlainJson;
use crate::core::violations::Violations;

/// A document with the secrets that it keeps; it has no `Debug`.
struct Whole {
    /// The document.
    document: Value,
    /// Where a secret was kept, as JSON pointers.
    kept: Vec<String>,
    violations: Vec<(String, &'static str)>,
}

/// Whether a document keeps something, so that it cannot be understood without the stored one.
#[must_use]
pub fn keeps(sent: &Value) -> bool {
    match sent {
        Value::Object(map) => Mark::of(sent) == Some(Mark::Stored) || map.values().any(keeps),
        Value::Array(items) => items.iter().any(keeps),
        Value::String(text) => text.contains(MASK),
        _ => false,
    }
}

/// The document that was sent with what it keeps of the stored one; what is wrong with that is noted as faults of this
/// field of the input, also that it keeps a secret and leads elsewhere.
pub fn complete(sent: Value, stored: Option<&Value>, marks: &Marks, field: &str, violations: &mut Violations) -> PlainJson {
    let mut whole = make_whole(sent, stored, marks);
    if stored.is_some_and(|stored| destinations(stored, marks) != destinations(&whole.document, marks)) {
        whole.leads_elsewhere();
    }
    PlainJson::new(whole.checked(field, violations))
}

/// Puts what a document keeps into it.
fn make_whole(sent: Value, stored: Option<&Value>, marks: &Marks) -> Whole {
    let mut whole = Whole { document: Value::Null, kept: Vec::new(), violations: Vec::new() };
    whole.document = whole.fill(sent, stored, &Place { at: String::new(), pattern: String::new(), marks });
    whole.keeps_hidden(marks);
    whole
}

/// Where a document leads to, by JSON pointer and only to be compared: what is marked as or has the name of a destination, and
/// every address. Its secrets are hidden, but where nothing else would be left to compare.
fn destinations(document: &Value, marks: &Marks) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let place = Place { at: String::new(), pattern: String::new(), marks };
    collect(&redact(document, marks), document, &place, &mut found);
    for (place, default) in marks.default_destinations() {
        found.entry(place.to_owned()).or_insert_with(|| default.clone());
    }
    found
}

/// A place in a document: its JSON pointer, and the same as the marks of a schema write it.
struct Place<'m> {
    at: String,
    pattern: String,
    marks: &'m Marks,
}

impl<'m> Place<'m> {
    fn named(&self, name: &str) -> Place<'m> {
        Place { at: child(&self.at, name), pattern: child(&self.pattern, name), marks: self.marks }
    }

    fn item(&self, index: usize) -> Place<'m> {
        Place { at: child(&self.at, &index.to_string()), pattern: child(&self.pattern, ITEM), marks: self.marks }
    }

    fn shown(&self, value: &Value) -> Value {
        redact_at(value, self.marks, &self.pattern)
    }
}

impl Whole {
    /// The document, once what is wrong with it is noted as faults of this field of the input.
    fn checked(self, field: &str, violations: &mut Violations) -> Value {
        for (pointer, rule) in self.violations {
            violations.add(format!("{field}{pointer}"), rule);
        }
        self.document
    }

    /// Refuses what was kept, as the document leads elsewhere: a kept secret never travels to a new host.
    fn leads_elsewhere(&mut self) {
        let rule = "A host, port or address has changed, so send this secret anew.";
        self.violations.extend(self.kept.iter().map(|pointer| (pointer.clone(), rule)));
    }

    /// Refuses what was kept where it would be shown: a name beside it, by which it was hidden, is another one now.
    fn keeps_hidden(&mut self, marks: &Marks) {
        if self.kept.is_empty() {
            return;
        }
        let shown = redact(&self.document, marks);
        let rule = "What is stored here would be shown, as nothing says any more that it is a secret; send it.";
        let is_shown = |pointer: &&String| match shown.pointer(pointer) {
            // A mark, or a text whose secret parts are masked.
            Some(shown) => {
                Mark::of(shown).is_none() && self.document.pointer(pointer).is_none_or(|kept| !kept.is_string() || kept == shown)
            }
            None => false,
        };
        self.violations.extend(self.kept.iter().filter(is_shown).map(|pointer| (pointer.clone(), rule)));
    }

    fn fill(&mut self, sent: Value, stored: Option<&Value>, place: &Place<'_>) -> Value {
        match sent {
            Value::Object(ref map) if map.contains_key(MARK) => self.marked(sent, stored, place),
            Value::Object(map) => {
                let stored = |name: &str| stored.and_then(|stored| stored.get(name));
                map.into_iter().map(|(name, value)| (name.clone(), self.fill(value, stored(&name), &place.named(&name)))).collect()
            }
            Value::Array(items) => self.items(items, stored, place),
            Value::String(text) => match stored {
                Some(old @ Value::String(secret)) if *secret != text && place.shown(old) == text => {
                    self.kept.push(place.at.clone());
                    old.clone()
                }
                _ => {
                    if is_masked(&text) {
                        self.violations.push((place.at.clone(), "It has a mask in the place of its secret; send the whole address anew."));
                    }
                    Value::String(text)
                }
            },
            other => other,
        }
    }

    fn marked(&mut self, sent: Value, stored: Option<&Value>, place: &Place<'_>) -> Value {
        let at = place.at.clone();
        match (Mark::of(&sent), stored.filter(|stored| !stored.is_null())) {
            (Some(Mark::Stored), Some(stored)) => {
                self.kept.push(at);
                return stored.clone();
            }
            (Some(Mark::Stored), None) => self.violations.push((at, "No secret is stored in this place; send it.")),
            (Some(Mark::Reference), _) => {
                if !sent.get(MARK).and_then(Value::as_str).is_some_and(is_resolvable) {
                    let rule = "A reference names a variable that begins with PUMPHOUSE_SECRET_, or a file inside the worker's directory of secrets, without `..`.";
                    self.violations.push((at, rule));
                }
            }
            (None, _) => {
                let rule =
                    "`$secret` stands alone in its object and is \"stored\", \"env:NAME\" or \"file:NAME\"; a secret itself is a text.";
                self.violations.push((at, rule));
            }
        }
        sent
    }

    fn items(&mut self, items: Vec<Value>, stored: Option<&Value>, place: &Place<'_>) -> Value {
        let old: &[Value] = stored.and_then(Value::as_array).map_or(&[], Vec::as_slice);
        let shown = if items.iter().any(keeps) { stored.map(|stored| place.shown(stored)) } else { None };
        let shown: &[Value] = shown.as_ref().and_then(Value::as_array).map_or(&[], Vec::as_slice);
        // Items that look alike stand for the stored ones that do, in their order; which are meant cannot be told of more or fewer.
        let mut alike: HashMap<String, Alike<'_>> = HashMap::new();
        for (shown, old) in shown.iter().zip(old) {
            alike.entry(shown.to_string()).or_default().stored.push(old);
        }
        let texts: Vec<Option<String>> = items.iter().map(|item| keeps(item).then(|| item.to_string())).collect();
        for text in texts.iter().flatten() {
            alike.entry(text.clone()).or_default().sent += 1;
        }
        let found: Vec<Option<&Value>> = texts.iter().map(|text| alike.get_mut(text.as_ref()?).and_then(Alike::next)).collect();
        let items = items.into_iter().zip(found).enumerate();
        items
            .map(|(index, (item, found))| match found {
                Some(old) => {
                    differing(&item, old, &child(&place.at, &index.to_string()), &mut self.kept);
                    old.clone()
                }
                None => self.fill(item, None, &place.item(index)),
            })
            .collect()
    }
}

/// The items of a list that are shown alike.
#[derive(Default)]
struct Alike<'v> {
    stored: Vec<&'v Value>,
    sent: usize,
    given: usize,
}

impl<'v> Alike<'v> {
    /// What the next one that was sent stands for.
    fn next(&mut self) -> Option<&'v Value> {
        let first = *self.stored.first()?;
        if self.stored.len() != self.sent && self.stored.iter().any(|other| *other != first) {
            return None;
        }
        let next = self.stored.get(self.given).copied();
        self.given += 1;
        next.or(Some(first))
    }
}

fn collect(shown: &Value, value: &Value, place: &Place<'_>, found: &mut BTreeMap<String, Value>) {
    match shown {
        // What is hidden whole may lead somewhere too.
        Value::Object(_) if Mark::of(shown) == Some(Mark::Stored) && Mark::of(value).is_none() => {
            collect(&redact(value, &Marks::none()), value, place, found);
        }
        Value::Object(map) => {
            for (name, shown) in map {
                let place = place.named(name);
                let value = value.get(name).unwrap_or(shown);
                if place.marks.is_destination(&place.pattern) || is_destination_name(name) {
                    found.insert(place.at, compared(shown, value));
                } else {
                    collect(shown, value, &place, found);
                }
            }
        }
        Value::Array(items) => {
            for (index, shown) in items.iter().enumerate() {
                collect(shown, value.get(index).unwrap_or(shown), &place.item(index), found);
            }
        }
        Value::String(text) if is_address(text) => {
            found.insert(place.at.clone(), compared(shown, value));
        }
        // A row of settings may have a host in it, and a masked word be an address.
        Value::String(text) if text.contains(MASK) && shown != value => {
            found.insert(place.at.clone(), value.clone());
        }
        _ => {}
    }
}

fn compared(shown: &Value, value: &Value) -> Value {
    if is_hidden(shown) { value.clone() } else { shown.clone() }
}

/// Whether something in it is hidden whole, so that where it leads cannot be told.
fn is_hidden(shown: &Value) -> bool {
    match shown {
        Value::String(text) => text == MASK,
        Value::Array(items) => items.iter().any(is_hidden),
        Value::Object(map) => Mark::of(shown) == Some(Mark::Stored) || map.values().any(is_hidden),
        _ => false,
    }
}

/// Whether a text is a URI, an address of the internet, or a list of hosts with their ports.
fn is_address(text: &str) -> bool {
    let has_port = |host: &str| {
        host.trim()
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()))
    };
    text.contains("://") || text.parse::<IpAddr>().is_ok() || text.split(',').all(has_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::redact::stored;
    use proptest::prelude::*;
    use serde_json::json;

    const NONE: &Marks = &Marks::none();

    fn violations(whole: &Whole) -> Vec<&str> {
        whole.violations.iter().map(|(pointer, _)| pointer.as_str()).collect()
    }

    #[test]
    fn k05_what_is_sent_back_as_it_was_shown_keeps_every_secret() {
        let old = json!({
            "brokers": "kafka:9092", "saslPassword": "hunter2", "credentials": {"user": "u", "password": "p"},
            "uri": "postgres://reader:p%40ss@db/shop?apikey=k", "list": [{"name": "a", "token": "1"}, {"name": "b", "token": "2"}],
            "reference": {"$secret": "env:PUMPHOUSE_SECRET_SHOP"}, "off": null, "n": 1.5, "pairs": [["password", "p"]], "command": ["--password", "p"],
        });
        let whole = make_whole(redact(&old, NONE), Some(&old), NONE);
        assert!(whole.document == old && whole.violations.is_empty());
        assert_eq!(whole.kept.len(), 7);
        assert_eq!(destinations(&old, NONE), destinations(&whole.document, NONE));
    }

    #[test]
    fn items_that_look_alike_keep_their_own_secrets_or_none() {
        let item = |password: &str| json!({"user": "x", "password": password});
        let old = json!([item("1"), item("2"), {"z": 1}]);
        let shown = json!({"user": "x", "password": {"$secret": "stored"}});
        let whole = make_whole(json!([shown, {"z": 1}, shown]), Some(&old), NONE);
        assert!(whole.document == json!([item("1"), {"z": 1}, item("2")]) && whole.violations.is_empty());
        assert_eq!(violations(&make_whole(json!([shown, {"z": 1}]), Some(&old), NONE)), ["/0/password"]);
        assert_eq!(violations(&make_whole(json!([shown, shown, shown]), Some(&old), NONE)).len(), 3);
        let whole = make_whole(json!([shown]), Some(&json!([item("1"), item("1")])), NONE);
        assert!(whole.document == json!([item("1")]));
    }

    #[test]
    fn any_text_is_a_new_value_also_one_that_looks_like_a_mask() {
        let whole = make_whole(json!({"password": "***", "uri": "a://b/***"}), Some(&json!({"password": "x", "uri": "a://b:c@d"})), NONE);
        assert!(whole.document == json!({"password": "***", "uri": "a://b/***"}) && whole.kept.is_empty() && whole.violations.is_empty());
    }

    #[test]
    fn k02_a_mask_is_never_stored_as_the_secret_of_a_uri() {
        let old = json!({"uri": "postgres://a:b@c/d?token=e"});
        for uri in ["postgres://a:***@elsewhere/d?token=***", "postgres://a:***@c/other", "postgres://c/d?token=***"] {
            assert_eq!(violations(&make_whole(json!({"uri": uri}), Some(&old), NONE)), ["/uri"]);
            assert_eq!(violations(&make_whole(json!({"uri": uri}), None, NONE)), ["/uri"]);
        }
    }

    #[test]
    fn a_kept_secret_never_comes_from_another_place() {
        let old = json!({"a": "x", "list": [{"host": "one", "password": "1"}, {"host": "two", "password": "2"}]});
        let moved = make_whole(json!({"b/c": stored(), "list": [{"host": "two", "password": stored()}]}), Some(&old), NONE);
        assert_eq!(violations(&moved), ["/b~1c"]);
        assert!(moved.document["list"] == json!([{"host": "two", "password": "2"}]));
        let edited = make_whole(json!({"list": [{"host": "evil", "password": stored()}]}), Some(&old), NONE);
        assert_eq!(violations(&edited), ["/list/0/password"]);
    }

    #[test]
    fn what_is_no_mark_is_refused() {
        let sent = json!({"a": {"$secret": "hunter2"}, "b": {"$secret": "stored", "more": 1}, "c": {"$secret": "file:key"}, "d": stored()});
        assert_eq!(violations(&make_whole(sent, None, NONE)), ["/a", "/b", "/d"]);
    }

    #[test]
    fn a_default_that_is_written_out_leads_nowhere_else() {
        let marks = Marks::of(&json!({"properties": {"host": {"x-destination": true}, "port": {"x-destination": true, "default": 5432}}}));
        let (short, long) = (json!({"host": "db", "password": "x"}), json!({"host": "db", "port": 5432, "password": "x"}));
        assert_eq!(destinations(&short, &marks), destinations(&long, &marks));
        assert_ne!(destinations(&short, &marks), destinations(&json!({"host": "db", "port": 5433, "password": "x"}), &marks));
    }

    #[test]
    fn references_that_no_worker_resolves_are_refused() {
        for (reference, resolvable) in [
            ("env:PUMPHOUSE_SECRET_SHOP", true),
            ("file:team/shop.key", true),
            ("env:HOME", false),
            ("env:PUMPHOUSE_TOKEN_KEY", false),
            ("env:PUMPHOUSE_SECRET_", false),
            ("env:pumphouse_secret_x", false),
            ("file:/etc/passwd", false),
            ("file:../x", false),
            ("file:a\0b", false),
            ("file:", false),
        ] {
            let whole = make_whole(json!({"password": {"$secret": reference}}), None, NONE);
            assert_eq!(violations(&whole).is_empty(), resolvable, "{reference}");
        }
    }

    #[test]
    fn a_kept_secret_is_refused_when_the_document_leads_elsewhere() {
        let old = json!({"bootstrapServers": ["a:1"], "password": "x", "note": "n"});
        for (sent, refused) in [
            (json!({"bootstrapServers": ["b:1"], "password": stored(), "note": "n"}), true),
            (json!({"bootstrapServers": ["a:1"], "password": stored(), "note": "m"}), false),
            (json!({"bootstrapServers": ["a:1"], "password": stored(), "registry": "https://evil"}), true),
            (json!({"bootstrapServers": ["a:1"], "password": stored(), "other": "evil:1,more:2"}), true),
            (json!({"bootstrapServers": ["a:1"], "password": stored(), "other": "10.0.0.1"}), true),
        ] {
            let mut whole = make_whole(sent, Some(&old), NONE);
            assert_eq!(destinations(&old, NONE) != destinations(&whole.document, NONE), refused);
            whole.leads_elsewhere();
            assert_eq!(violations(&whole), ["/password"]);
        }
    }

    #[test]
    fn an_address_that_is_masked_whole_is_compared_as_it_is() {
        let at = |uri: &str| json!({"uri": uri, "password": "x"});
        let (old, evil) = (at("mongodb://u:p/w@host/db"), at("mongodb://u:x/y@evil/db"));
        assert!(redact(&old, NONE) == redact(&evil, NONE) && destinations(&old, NONE) != destinations(&evil, NONE));
        let other_password = at("mongodb://u:other@host/db");
        assert!(destinations(&at("mongodb://u:p@host/db"), NONE) == destinations(&other_password, NONE));
    }

    #[test]
    fn a_destination_with_the_name_of_a_secret_is_compared_too() {
        let at = |host: &str| json!({"oauth.token.endpoint.url": format!("https://{host}/token"), "host2": host, "password": "x"});
        for name in ["oauth.token.endpoint.url", "host2"] {
            let mut moved = at("good");
            moved[name] = at("evil")[name].clone();
            assert!(destinations(&at("good"), NONE) != destinations(&moved, NONE), "{name}");
        }
    }

    #[test]
    fn a_destination_below_the_name_of_a_secret_is_compared_too() {
        for (name, good, evil) in [
            ("credentials", json!({"url": "https://good", "password": "x"}), json!({"url": "https://evil", "password": "x"})),
            ("auth", json!({"tokenServer": "good"}), json!({"tokenServer": "evil"})),
            ("connectionString", json!("Server=good;Pwd=x"), json!("Server=evil;Pwd=y")),
            ("odbc", json!("Server=good;Pwd=x"), json!("Server=evil;Pwd=y")),
        ] {
            assert!(destinations(&json!({name: good}), NONE) != destinations(&json!({name: evil}), NONE), "{name}");
        }
    }

    #[test]
    fn what_is_kept_is_never_shown_by_another_name_beside_it() {
        for value in [json!("x"), json!({"a": "x"}), json!({"a": "x", "password": "y"})] {
            let old = json!({"setting": {"name": "password", "value": value}});
            let mut sent = vec![json!({"setting": {"name": "user", "value": stored()}})];
            if value.is_object() {
                sent.push(json!({"setting": {"name": "user", "value": {"a": stored()}}}));
            }
            for sent in sent {
                assert_eq!(violations(&make_whole(sent, Some(&old), NONE)).len(), 1);
            }
            let kept = make_whole(json!({"setting": {"name": "token", "value": stored()}}), Some(&old), NONE);
            assert!(kept.violations.is_empty() && kept.document["setting"]["value"] == value);
        }
    }

    #[test]
    fn what_the_schema_marks_is_kept_and_a_destination_too() {
        let marks = Marks::of(&json!({"properties": {
            "pin": {"writeOnly": true}, "stage": {"x-destination": true},
            "headers": {"items": {"properties": {"value": {"writeOnly": true}}}},
        }}));
        let old = json!({"pin": 1234, "stage": "a", "headers": [{"name": "n", "value": "v"}]});
        let mut violations = Violations::default();
        let shown = redact(&old, &marks);
        assert!(*complete(shown.clone(), Some(&old), &marks, "c", &mut violations) == old && violations.into_list().is_empty());
        let (mut violations, mut moved) = (Violations::default(), shown);
        moved["stage"] = json!("b");
        complete(moved, Some(&old), &marks, "c", &mut violations);
        let fields: Vec<String> = violations.into_list().into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["c/headers/0/value", "c/pin"]);
    }

    /// Any document: secrets by name and in URIs, references, lists, and what is none of these.
    fn documents() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            Just(Value::Null),
            "[a-z]{0,4}".prop_map(Value::from),
            Just(json!({"$secret": "env:PUMPHOUSE_SECRET_NAME"})),
            "[a-z]{1,3}".prop_map(|user| json!(format!("https://{user}:CANARY@host/x?token=CANARY&y=1"))),
        ];
        let secret = ("(password|apiKey|client_secret|x-token)", "CANARY[a-z]{0,3}").prop_map(|(name, value)| (name, json!(value)));
        leaf.prop_recursive(4, 40, 5, move |inner| {
            let plain = ("[a-f]{1,2}", inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::Array),
                prop::collection::vec(prop_oneof![2 => plain.boxed(), 1 => secret.clone().boxed()], 0..5)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_shown_holds_no_secret_and_comes_back_whole(document in documents()) {
            let shown = redact(&document, NONE);
            prop_assert!(!shown.to_string().contains("CANARY"), "{shown}");
            let whole = make_whole(shown.clone(), Some(&document), NONE);
            prop_assert!(whole.violations.is_empty() && whole.document == document, "{shown}");
            prop_assert_eq!(destinations(&document, NONE), destinations(&whole.document, NONE));
        }
    }
}
