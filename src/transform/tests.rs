//! Properties of every chain, and test helpers of the transform types.

use proptest::prelude::*;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::{Chain, Message, PREVIEW_BYTES, TYPES, budget};

fn message(value: &Value) -> Message {
    value.as_object().unwrap().clone()
}

fn chain(config: &Value) -> Chain {
    Chain::parse(config).unwrap_or_else(|violations| panic!("{violations:?}"))
}

/// Returns the result of a preview for a message.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
pub(super) fn many(config: Value, sample: &Value) -> Vec<Value> {
    let messages = chain(&config).preview(message(sample)).unwrap();
    messages.into_iter().map(Value::Object).collect()
}

/// Returns the only message that a preview emits.
pub(super) fn one(config: Value, sample: &Value) -> Value {
    let mut messages = many(config, sample);
    assert_eq!(messages.len(), 1);
    messages.remove(0)
}

/// Returns the error of a preview for a message.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
pub(super) fn refused(config: Value, sample: &Value) -> String {
    chain(&config).preview(message(sample)).expect_err("a refusal").reason
}

/// Returns the pointers of all faults.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
pub(super) fn violations(config: Value) -> Vec<String> {
    let violations = Chain::parse(&config).err().unwrap_or_default();
    violations.into_iter().map(|fault| fault.pointer).collect()
}

/// Returns the result of a delivery when every secret has this value.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
pub(super) fn unlocked(config: Value, secret: &str, sample: &Value) -> Vec<Value> {
    let runner = chain(&config).unlock(|_| Ok(Zeroizing::new(secret.to_owned()))).ok().unwrap();
    runner.run(message(sample)).unwrap().into_iter().map(Value::Object).collect()
}

#[test]
fn transforms_apply_in_order_and_an_error_says_which_refused() {
    let config = json!([
        {"type": "splitter", "field": "items"}, {"type": "filter", "where": {"field": "items.n", "op": "gt", "value": 1}},
        {"type": "flattener"}, {"type": "splitter", "field": "items_l"},
    ]);
    let sample = json!({"items": [{"n": 1, "l": "no list"}, {"n": 2, "l": [7]}]});
    assert_eq!(many(config.clone(), &sample), [json!({"items_n": 2, "items_l": 7})]);
    let error = chain(&config).preview(message(&json!({"items": [{"n": 3, "l": 9}]}))).unwrap_err();
    assert_eq!((error.index, error.to_string().as_str()), (3, "transform 4 (splitter): `items_l` is no list"));
    assert_eq!(one(json!([]), &sample), sample);
}

#[test]
fn all_faults_come_at_once() {
    let config = json!([
        {"type": "hash"}, {"type": "hash", "fields": ["a"], "more/or~less": 1}, {"type": "nothing"}, 7, {"fields": ["a"]},
        {"type": "flattener", "separator": 1, "depth": 0},
    ]);
    let expected = ["/0", "/1/more~1or~0less", "/2/type", "/3", "/4/type", "/5/separator", "/5/depth"];
    assert_eq!(violations(config), expected);
    assert_eq!(violations(json!({"type": "hash"})), [""]);
    assert_eq!(violations(json!(vec![json!({"type": "flattener"}); 51])), [""]);
}

#[test]
fn looking_a_thousand_times_through_much_is_refused() {
    let text = "x".repeat(500_000);
    let tests = vec![json!({"field": "a", "op": "contains", "value": "y"}); 1_000];
    assert!(refused(json!([{"type": "filter", "where": {"any": tests}}]), &json!({"a": text})).contains("more data"));
    let texts = vec!["x"; 20_000];
    assert!(refused(json!([{"type": "stringify_key", "fields": vec!["a.*"; 1_000]}]), &json!({"a": texts})).contains("more data"));
}

#[test]
fn the_secrets_of_a_chain_are_told_and_all_that_are_missing_at_once() {
    let config = json!([
        {"type": "flattener"}, {"type": "encrypt", "fields": ["a"], "key": {"$secret": "env:PUMPHOUSE_SECRET_A"}},
        {"type": "hash", "fields": ["a"], "salt": {"$secret": "file:b"}}, {"type": "hash", "fields": ["a"]},
    ]);
    let parsed = chain(&config);
    let secrets: Vec<_> = parsed.secrets().map(|(pointer, reference)| (pointer.clone(), reference.to_value())).collect();
    let expected = [("/1/key", json!({"$secret": "env:PUMPHOUSE_SECRET_A"})), ("/2/salt", json!({"$secret": "file:b"}))];
    assert_eq!(secrets, expected.map(|(pointer, value)| (pointer.to_owned(), value)));
    let missing = parsed.unlock(|_| Err("it is not set".to_owned())).err().unwrap();
    assert_eq!(missing.iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["/1/key", "/2/salt"]);
}

#[test]
fn every_type_has_its_schema_and_takes_what_the_schema_says() {
    for kind in &TYPES {
        let schema = kind.schema();
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{}: {error}", kind.id));
        let validator = jsonschema::validator_for(&schema).unwrap();
        for sample in samples().iter().filter(|sample| sample["type"] == kind.id) {
            assert!(validator.is_valid(sample), "{sample}");
            assert!(violations(json!([sample])).is_empty(), "{sample}");
        }
        assert!(samples().iter().any(|sample| sample["type"] == kind.id), "{} has no sample", kind.id);
        assert!(!validator.is_valid(&json!({"type": kind.id, "unknown": 1})));
        assert!(kind.description.ends_with('.') && kind.parameters.iter().all(|parameter| parameter.description.ends_with('.')));
    }
}

/// At least one valid transform of every type, and some that emit a lot.
fn samples() -> Vec<Value> {
    let secret = json!({"$secret": "env:PUMPHOUSE_SECRET_A"});
    vec![
        json!({"type": "mapper", "fields": {"a": "b", "c": {"from": ["b"], "default": 1}, "d.e": {"value": [1]}}, "rest": "keep"}),
        json!({"type": "mapper", "fields": {"a": "a", "b": "a", "c": "a"}}),
        json!({"type": "flattener"}),
        json!({"type": "flattener", "separator": "", "lists": "flatten", "depth": 3}),
        json!({"type": "splitter", "field": "a", "keepEmpty": true}),
        json!({"type": "splitter", "field": "a", "into": "b.c", "index": "i"}),
        json!({"type": "stringify_list"}),
        json!({"type": "stringify_list", "fields": ["a", "b.*"], "separator": ","}),
        json!({"type": "stringify_key", "fields": ["a", "*"]}),
        json!({"type": "unenvelope", "deletes": "rewrite", "keep": ["op"]}),
        json!({"type": "unenvelope", "field": "a"}),
        json!({"type": "key_filter", "include": ["a", "b.c"]}),
        json!({"type": "key_filter", "exclude": ["a.b"]}),
        json!({"type": "key_mover", "moves": [{"from": "a", "to": "b.c.d"}], "overwrite": true}),
        json!({"type": "dict_mover", "from": "a", "prefix": "p", "overwrite": true}),
        json!({"type": "dict_mover", "from": "a", "to": "b"}),
        json!({"type": "sanitize_key", "case": "snake", "replacement": "", "longest": 5}),
        json!({"type": "hash", "fields": ["*", "a.*"], "salt": secret, "algorithm": "sha512"}),
        json!({"type": "encrypt", "fields": ["a", "c"], "key": secret}),
        json!({"type": "filter", "where": {"any": [{"field": "a", "op": "gt", "value": 1}, {"not": {"field": "b", "op": "exists"}}]}}),
    ]
}

/// Any value with few different keys, so that transforms find something.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::btree_map(keys(), inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn keys() -> impl Strategy<Value = String> {
    prop_oneof!["[abc]", Just("op".to_owned()), Just("after".to_owned()), "\\PC{0,3}"]
}

fn messages() -> impl Strategy<Value = Message> {
    prop::collection::btree_map(keys(), values(), 0..8).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #[test]
    fn any_chain_on_any_message_ends_within_bounds(
        steps in prop::collection::vec(prop::sample::select(samples()), 0..12), sample in messages(),
    ) {
        let before = budget::weight_of(&sample);
        if let Ok(made) = chain(&Value::Array(steps)).preview(sample) {
            let after: usize = made.iter().map(budget::weight_of).sum();
            prop_assert!(after <= before + PREVIEW_BYTES, "{after} bytes out of {before}");
            for message in made {
                let text = serde_json::to_string(&message).unwrap();
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
            }
        }
    }

    #[test]
    fn any_configuration_is_taken_or_refused_with_pointers_into_it(config in values(), steps in prop::collection::vec(values(), 0..4), index in 0..20_usize) {
        // Valid transforms with one part replaced by an arbitrary value.
        let mut sample = samples().remove(index);
        let name = sample.as_object().unwrap().keys().next_back().unwrap().clone();
        sample[name] = config.clone();
        for config in [config, Value::Array(steps), json!([sample])] {
            for fault in Chain::parse(&config).err().unwrap_or_default() {
                prop_assert!(fault.pointer.is_empty() || fault.pointer.starts_with('/'));
                prop_assert!(fault.message.ends_with(['.', ']']), "{}", fault.message);
            }
        }
    }

    #[test]
    fn flattened_is_flat_and_stays_as_it_is(sample in messages()) {
        let flat = chain(&json!([{"type": "flattener", "separator": "\u{1f}", "lists": "flatten"}]));
        if let Ok(mut once) = flat.preview(sample) {
            let nested = |value: &Value| value.as_object().is_some_and(|map| !map.is_empty()) || value.as_array().is_some_and(|list| !list.is_empty());
            prop_assert!(!once[0].values().any(nested));
            prop_assert_eq!(flat.preview(once[0].clone()).unwrap(), vec![once.remove(0)]);
        }
    }

    #[test]
    fn sanitized_keys_are_names_of_columns(sample in messages()) {
        let sanitize = chain(&json!([{"type": "sanitize_key", "case": "snake"}]));
        if let Ok(made) = sanitize.preview(sample) {
            for key in made[0].keys() {
                prop_assert!(key.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'), "{key}");
                prop_assert!(!key.starts_with(|first: char| first.is_ascii_digit()) && !key.is_empty());
            }
            prop_assert_eq!(sanitize.preview(made[0].clone()).unwrap(), made);
        }
    }
}
