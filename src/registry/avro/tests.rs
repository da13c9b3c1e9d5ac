//! Which schemas are refused at which position, and which schemas can read which data.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Schema, unreadable};

fn schema(document: &Value) -> Schema {
    Schema::parse(document).unwrap_or_else(|violations| panic!("{document}: {violations:?}"))
}

/// The positions of the faults in a schema.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
fn places(document: Value) -> Vec<String> {
    let violations = Schema::parse(&document).err().unwrap_or_default();
    violations.into_iter().map(|(place, _)| place).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
fn record(name: &str, fields: Value) -> Value {
    json!({"type": "record", "name": name, "fields": fields})
}

/// The paths at which data of the second schema cannot be read with the first.
fn paths(reader: &Value, writer: &Value) -> Vec<String> {
    unreadable(&schema(reader), &schema(writer)).into_iter().map(|found| found.path).collect()
}

#[test]
fn g04_defaults_that_are_none_are_refused_with_their_place() {
    let field = |kind: Value, default: Value| places(record("R", json!([{"name": "a", "type": kind, "default": default}])));
    let suits = json!({"type": "enum", "name": "Suit", "symbols": ["A", "B"]});
    for (kind, default) in [
        (json!(["string", "null"]), json!(null)),
        (json!(["null", "string"]), json!("null")),
        (suits.clone(), json!("C")),
        (json!("int"), json!("1")),
        (json!("int"), json!(2_147_483_648_i64)),
        (json!("long"), json!(1.5)),
        (json!("boolean"), json!(0)),
        (json!("bytes"), json!("\u{100}")),
        (json!({"type": "fixed", "name": "F", "size": 2}), json!("abc")),
        (json!({"type": "array", "items": "int"}), json!({})),
        (record("Inner", json!([{"name": "b", "type": "int"}])), json!({})),
    ] {
        assert_eq!(field(kind.clone(), default.clone()), ["/fields/0/default"], "{kind} = {default}");
    }
    assert_eq!(field(json!({"type": "array", "items": "int"}), json!([1, "x"])), ["/fields/0/default/1"]);
    assert_eq!(field(json!({"type": "map", "values": "int"}), json!({"k/x": "x"})), ["/fields/0/default/k~1x"]);
    let inner = record("Inner", json!([{"name": "b", "type": "int"}]));
    assert_eq!(field(inner.clone(), json!({"b": "x"})), ["/fields/0/default/b"]);
    let mut wrong = suits.clone();
    wrong["default"] = json!("C");
    assert_eq!(places(wrong), ["/default"]);
    for (kind, default) in [
        (json!(["null", "string"]), json!(null)),
        (json!(["string", "null"]), json!("null")),
        (suits, json!("B")),
        (json!("double"), json!(1)),
        (json!("bytes"), json!("\u{ff}")),
        (inner, json!({"b": 1})),
        (json!({"type": "array", "items": "int"}), json!([])),
    ] {
        assert!(field(kind.clone(), default.clone()).is_empty(), "{kind} = {default}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_all_at_once() {
    assert_eq!(
        places(record(
            "R",
            json!([
                {"name": "a", "type": "strin"}, {"name": "a", "type": "int"}, {"name": "a", "type": "int"}, {"name": "2b", "type": "int"}, {"type": "int"},
                {"name": "c", "type": ["int", "int", ["null"]]}, {"name": "d", "type": {"type": "array"}}, {"name": "e"}, 7,
                {"name": "f", "type": {"type": "record", "name": "R", "fields": []}}, {"name": "g", "type": {"type": "enum", "name": "E", "symbols": ["A", "A"]}},
                {"name": "h", "type": {"type": "fixed", "name": "F"}}, {"name": "i", "type": []}, {"name": "j", "type": {"type": "record", "name": "int", "fields": []}},
            ])
        )),
        [
            "/fields/0/type",
            "/fields/2/name",
            "/fields/3/name",
            "/fields/4/name",
            "/fields/5/type/1",
            "/fields/5/type/2",
            "/fields/6/type",
            "/fields/7",
            "/fields/8",
            "/fields/9/type/name",
            "/fields/10/type/symbols/1",
            "/fields/11/type/size",
            "/fields/12/type",
            "/fields/13/type/name",
        ]
    );
    for (wrong, place) in [
        (json!(7), ""),
        (json!({}), ""),
        (json!("nothing"), ""),
        (json!({"type": "record", "fields": []}), ""),
        (json!({"type": "record", "name": "R"}), "/fields"),
    ] {
        assert_eq!(places(wrong.clone()), [place], "{wrong}");
    }
}

#[test]
fn names_are_found_in_their_namespaces() {
    let document = json!({"type": "record", "name": "shop.Order", "fields": [
        {"name": "line", "type": {"type": "record", "name": "Line", "fields": [{"name": "next", "type": ["null", "Line"]}]}},
        {"name": "other", "type": {"type": "record", "name": "Other", "namespace": "else", "fields": [{"name": "line", "type": "shop.Line"}]}},
        {"name": "again", "type": "else.Other"},
    ]});
    assert!(places(document).is_empty());
    assert_eq!(places(json!({"type": "record", "name": "a.R", "fields": [{"name": "x", "type": "b.R"}]})), ["/fields/0/type"]);
}

#[test]
fn g05_a_record_inside_a_union_is_looked_into() {
    let payment = |fields: Value| record("Order", json!([{"name": "payment", "type": ["null", record("Card", fields)]}]));
    let old = payment(json!([{"name": "number", "type": "string"}]));
    let new = payment(json!([{"name": "number", "type": "string"}, {"name": "expiry", "type": "string"}]));
    assert_eq!(paths(&new, &old), ["payment<Card>.expiry"]);
    assert!(paths(&old, &new).is_empty());
    let optional = payment(json!([{"name": "number", "type": "string"}, {"name": "expiry", "type": "string", "default": ""}]));
    assert!(paths(&optional, &old).is_empty());
}

/// Crate apache-avro's own checker: it reports no paths, and accepts a union when one branch is readable.
#[test]
fn g05_the_crates_own_checker_would_not_do() {
    use apache_avro::schema_compatibility::{Compatibility, SchemaCompatibility};
    let parsed = |document: &Value| apache_avro::Schema::parse(document).unwrap();
    let old = json!(["null", record("Card", json!([{"name": "number", "type": "string"}]))]);
    let new = json!(["null", record("Card", json!([{"name": "expiry", "type": "string"}]))]);
    assert_eq!(SchemaCompatibility::can_read(&parsed(&old), &parsed(&new)), Ok(Compatibility::Partial));
    assert_eq!(paths(&new, &old), ["<Card>.expiry"]);
}

#[test]
fn types_are_promoted_as_the_specification_says() {
    let numbers = ["int", "long", "float", "double"];
    for (from, writer) in numbers.iter().enumerate() {
        for (to, reader) in numbers.iter().enumerate() {
            assert_eq!(paths(&json!(reader), &json!(writer)).is_empty(), to >= from, "{writer} to {reader}");
        }
    }
    assert!(paths(&json!("bytes"), &json!("string")).is_empty() && paths(&json!("string"), &json!("bytes")).is_empty());
    assert_eq!(paths(&json!({"type": "map", "values": "int"}), &json!({"type": "map", "values": "long"})), ["{}"]);
    assert_eq!(
        paths(
            &json!({"type": "array", "items": {"type": "array", "items": "int"}}),
            &json!({"type": "array", "items": {"type": "array", "items": "string"}})
        ),
        ["[][]"]
    );
    assert_eq!(paths(&json!("string"), &json!(["null", "string"])), [""]);
    assert!(paths(&json!(["null", "string"]), &json!("string")).is_empty());
    let decimal = |scale: u8| json!({"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": scale});
    assert_eq!((paths(&decimal(2), &decimal(3)).len(), paths(&decimal(2), &json!("bytes")).len()), (1, 0));
}

#[test]
fn named_types_match_by_name_alias_size_and_symbols() {
    let suits = |symbols: Value, default: Option<&str>| {
        let mut suits = json!({"type": "enum", "name": "Suit", "symbols": symbols});
        if let Some(default) = default {
            suits["default"] = json!(default);
        }
        suits
    };
    assert_eq!(paths(&suits(json!(["A"]), None), &suits(json!(["A", "B"]), None)), [""]);
    assert!(paths(&suits(json!(["A"]), Some("A")), &suits(json!(["A", "B"]), None)).is_empty());
    let fixed = |name: &str, size: u8| json!({"type": "fixed", "name": name, "size": size});
    assert!(paths(&fixed("other.F", 2), &fixed("F", 2)).is_empty());
    assert_eq!((paths(&fixed("F", 2), &fixed("F", 3)).len(), paths(&fixed("G", 2), &fixed("F", 2)).len()), (1, 1));
    let renamed = json!({"type": "record", "name": "New", "aliases": ["Old"], "fields": [{"name": "b", "aliases": ["a"], "type": "int"}]});
    assert!(paths(&renamed, &record("Old", json!([{"name": "a", "type": "int"}]))).is_empty());
    assert_eq!(paths(&record("New", json!([])), &record("Old", json!([]))), [""]);
    assert_eq!(paths(&fixed("F", 2), &record("F", json!([]))), [""]);
}

#[test]
fn types_that_contain_themselves_end() {
    let list = |kind: &str| record("Node", json!([{"name": "value", "type": kind}, {"name": "next", "type": ["null", "Node"]}]));
    assert!(paths(&list("long"), &list("int")).is_empty());
    assert_eq!(paths(&list("int"), &list("long")), ["value"]);
    let itself = record("A", json!([{"name": "a", "type": "A"}]));
    assert!(paths(&itself, &itself).is_empty());
    // Two records that refer to each other: a failed assumption is not cached.
    let pair = |kind: &str| {
        record(
            "A",
            json!([
                {"name": "b", "type": ["null", record("B", json!([{"name": "a", "type": ["null", "A"]}]))]}, {"name": "x", "type": kind}, {"name": "again", "type": ["null", "B"]},
            ]),
        )
    };
    assert_eq!(paths(&pair("int"), &pair("long")), ["x"]);
}

#[test]
fn a_named_type_that_cannot_be_read_is_told_wherever_it_stands() {
    let uses = |kind: &str| {
        let fields = json!([{"name": "a", "type": record("Q", json!([{"name": "x", "type": kind}]))}, {"name": "b", "type": "Q"}, {"name": "c", "type": {"type": "array", "items": "Q"}}]);
        record("R", fields)
    };
    assert_eq!(paths(&uses("string"), &uses("int")), ["a.x", "b.x", "c[].x"]);
}

#[test]
fn a_comparison_of_very_much_ends() {
    let records: Vec<Value> = (0..1_500).map(|n| record(&format!("R{n}"), json!([{"name": "a", "type": "int"}]))).collect();
    let reversed: Vec<Value> = records.iter().rev().cloned().collect();
    assert!(paths(&json!(records), &json!(reversed)).is_empty());
    let others: Vec<Value> = (0..1_500).map(|n| record(&format!("S{n}"), json!([{"name": "a", "type": "int"}]))).collect();
    assert!(!paths(&json!(records), &json!(others)).is_empty());
}

/// Any document that looks like a schema.
fn documents() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["A", "B", "a.C", "int", "string", "null", "record", "enum", "1x", ""]);
    let leaf = prop_oneof![name.clone().prop_map(Value::from), Just(json!(null)), any::<i32>().prop_map(Value::from)];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let fields = prop::collection::vec((name.clone(), inner.clone(), prop::option::of(inner.clone())), 0..4);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            inner.clone().prop_map(|values| json!({"type": "map", "values": values})),
            (name.clone(), fields).prop_map(|(name, fields)| {
                let fields: Vec<Value> = fields
                    .into_iter()
                    .map(|(name, kind, default)| match default {
                        Some(default) => json!({"name": name, "type": kind, "default": default}),
                        None => json!({"name": name, "type": kind}),
                    })
                    .collect();
                record(name, json!(fields))
            }),
            (name.clone(), prop::collection::vec(name.clone(), 0..3))
                .prop_map(|(name, symbols)| json!({"type": "enum", "name": name, "symbols": symbols})),
            (name.clone(), inner).prop_map(|(name, size)| json!({"type": "fixed", "name": name, "size": size})),
        ]
    })
}

proptest! {
    #[test]
    fn any_document_is_judged_and_a_sound_one_reads_itself(one in documents(), other in documents()) {
        let parsed = [&one, &other].map(Schema::parse);
        for violations in parsed.iter().filter_map(|parsed| parsed.as_ref().err()) {
            prop_assert!(!violations.is_empty() && violations.iter().all(|(place, _)| place.is_empty() || place.starts_with('/')));
        }
        if let [Ok(one), Ok(other)] = &parsed {
            prop_assert_eq!(unreadable(one, one), vec![]);
            let _ = unreadable(one, other);
        }
    }
}
