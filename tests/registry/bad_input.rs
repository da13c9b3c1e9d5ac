//! What is no schema is refused with its place, and nothing is written.

use serde_json::{Value, json};

use super::{REGISTER, record, rows, try_register, try_text};
use crate::support::Stage;

#[tokio::test]
async fn g04_an_invalid_default_is_refused_with_its_path() {
    let stage = Stage::open().await;
    let suit = json!({"type": "enum", "name": "Suit", "symbols": ["A", "B"]});
    for (kind, default) in [(json!(["string", "null"]), json!(null)), (json!(["null", "string"]), json!("null")), (suit, json!("C"))] {
        let schema = record(json!([{"name": "a", "type": "int"}, {"name": "b", "type": kind, "default": default}]));
        let reply = try_register(&stage.root, "s", &schema).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("schema/fields/1/default")));
    }
    assert_eq!(rows(&stage).await, (0, 0));
}

#[tokio::test]
async fn what_is_no_schema_is_refused_with_a_code_and_a_field() {
    let stage = Stage::open().await;
    let deep = format!("{}\"int\"{}", "{\"type\": \"array\", \"items\": ".repeat(5_000), "}".repeat(5_000));
    let huge = format!("{{\"type\": \"int\", \"doc\": \"{}\"}}", "x".repeat(600 * 1024));
    for text in ["", "no JSON", "{\"type\": \"int\", \"type\": \"long\"}", &deep, &huge, "{\"type\": \"int\"} x"] {
        let reply = try_text(&stage.root, "s", text).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("schema")), "{}", text.chars().take(40).collect::<String>());
    }
    for (schema, field) in [
        (json!(7), "schema"),
        (json!("nothing"), "schema"),
        (json!({"type": "record", "name": "1x", "fields": []}), "schema/name"),
        (record(json!([{"name": "a", "type": "Unknown"}])), "schema/fields/0/type"),
        (json!({"type": "enum", "name": "E", "symbols": ["A", 7]}), "schema/symbols/1"),
        (record(json!([{"name": "a", "type": "int", "order": "sideways"}])), "schema/fields/0/order"),
    ] {
        let reply = try_register(&stage.root, "s", &schema).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)), "{schema}");
    }
    let wrong_json = json!({"subject": "s", "type": "JSON", "schema": "{\"properties\": {\"a\": {\"type\": \"text\"}}}"});
    let reply = stage.root.ask_with(REGISTER, wrong_json).await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("schema/properties/a/type")));
    for subject in ["", "  ", "a\u{0}b", "a\nb", &"x".repeat(256)] {
        let reply = try_text(&stage.root, subject, "\"int\"").await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("subject")), "{subject:?}");
    }
    assert_eq!(rows(&stage).await, (0, 0));
    assert!(stage.audited().await.is_empty());
}

#[tokio::test]
async fn all_that_is_wrong_is_told_at_once() {
    let stage = Stage::open().await;
    let schema = record(json!([{"name": "a", "type": "x"}, {"name": "b"}, {"name": "a", "type": ["int", "int"]}]));
    let reply = try_register(&stage.root, "s", &schema).await;
    let violations = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations").clone();
    let fields: Vec<&Value> = violations.iter().map(|violation| &violation["field"]).collect();
    assert_eq!(fields, ["schema/fields/0/type", "schema/fields/1", "schema/fields/2/type/1"]);
}

#[tokio::test]
async fn types_that_contain_themselves_are_taken_and_compared() {
    let stage = Stage::open().await;
    let node = |kind: &str| json!({"type": "record", "name": "R", "fields": [{"name": "v", "type": kind}, {"name": "next", "type": ["null", "R"], "default": null}]});
    super::register(&stage.root, "s", &node("int")).await;
    stage
        .root
        .ask("mutation { setSchemaCompatibility(input: {subject: \"s\", compatibility: FULL_TRANSITIVE}) { schemaSubject { name } } }")
        .await
        .data();
    assert_eq!(try_register(&stage.root, "s", &node("long")).await.code(), "CONFLICT");
    let itself = record(json!([{"name": "r", "type": "R"}]));
    assert_eq!(super::register(&stage.root, "endless", &itself).await.0, 1);
}

#[tokio::test]
async fn a_bad_subject_does_not_hide_a_bad_schema() {
    let stage = Stage::open().await;
    let twice = record(json!([{"name": "a", "type": "x"}, {"name": "b"}]));
    for (text, fields) in
        [("{".to_owned(), vec!["subject", "schema"]), (twice.to_string(), vec!["subject", "schema/fields/0/type", "schema/fields/1"])]
    {
        let reply = try_text(&stage.root, "", &text).await;
        assert_eq!((reply.code(), reply.field(), reply.violations()), ("VALIDATION", Some("subject"), fields));
    }
}
