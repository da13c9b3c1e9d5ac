//! What a subject asks of its next version, at registration and on request.

use serde_json::{Value, json};

use super::{REGISTER, record, register, rows, try_register};
use crate::support::{Caller, Stage};

const CHECK: &str = "query($schema: String!, $level: SchemaCompatibility) {
    checkSchemaCompatibility(subject: \"s\", type: AVRO, schema: $schema, compatibility: $level) {
        compatible compatibility incompatibilities { version direction path message } } }";

async fn ask_for(caller: &Caller, level: &str) {
    let mutation = format!(
        "mutation {{ setSchemaCompatibility(input: {{subject: \"s\", compatibility: {level}}}) {{ schemaSubject {{ compatibility }} }} }}"
    );
    assert_eq!(caller.ask(&mutation).await.data()["setSchemaCompatibility"]["schemaSubject"]["compatibility"], level);
}

/// What stands against a schema: version, direction and path of each reason.
async fn against(caller: &Caller, schema: &Value, level: Option<&str>) -> Vec<(i64, String, String)> {
    let check =
        caller.ask_with(CHECK, json!({"schema": schema.to_string(), "level": level})).await.data()["checkSchemaCompatibility"].clone();
    let reasons = check["incompatibilities"].as_array().expect("reasons");
    assert_eq!(check["compatible"], json!(reasons.is_empty()));
    let text = |reason: &Value, name: &str| reason[name].as_str().expect("a text").to_owned();
    reasons.iter().map(|reason| (reason["version"].as_i64().expect("a number"), text(reason, "direction"), text(reason, "path"))).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
fn payment(fields: Value) -> Value {
    record(json!([{"name": "payment", "type": ["null", {"type": "record", "name": "Card", "fields": fields}]}]))
}

#[tokio::test]
async fn g05_a_field_without_a_default_inside_a_union_is_seen_and_named() {
    let stage = Stage::open().await;
    register(&stage.root, "s", &payment(json!([{"name": "number", "type": "string"}]))).await;
    let new = payment(json!([{"name": "number", "type": "string"}, {"name": "expiry", "type": "string"}]));
    assert!(against(&stage.root, &new, None).await.is_empty(), "a subject asks for nothing at first");
    let expected = [(1, "BACKWARD".to_owned(), "payment<Card>.expiry".to_owned())];
    assert_eq!(against(&stage.root, &new, Some("BACKWARD")).await, expected);
    ask_for(&stage.root, "BACKWARD").await;
    assert_eq!(against(&stage.root, &new, None).await, expected);
    let reply = try_register(&stage.root, "s", &new).await;
    assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("schema")));
    assert!(reply.message().contains("`payment<Card>.expiry`"), "{}", reply.message());
    assert_eq!(reply.0["errors"][0]["extensions"]["details"]["incompatibilities"][0]["path"], "payment<Card>.expiry");
    assert_eq!(rows(&stage).await, (1, 1));
    let sound = payment(json!([{"name": "number", "type": "string"}, {"name": "expiry", "type": "string", "default": ""}]));
    assert_eq!(register(&stage.root, "s", &sound).await.0, 2);
}

#[tokio::test]
async fn each_compatibility_asks_its_own_direction_of_its_own_versions() {
    let stage = Stage::open().await;
    let field = |name: &str, default: bool| {
        if default { json!({"name": name, "type": "int", "default": 0}) } else { json!({"name": name, "type": "int"}) }
    };
    // a: written by the first version only; b: by the second only.
    register(&stage.root, "s", &record(json!([field("a", false)]))).await;
    register(&stage.root, "s", &record(json!([field("b", true)]))).await;
    let needs_b = record(json!([field("b", false)]));
    for (level, expected) in [
        ("NONE", vec![]),
        ("BACKWARD", vec![]),
        ("BACKWARD_TRANSITIVE", vec![(1, "BACKWARD", "b")]),
        ("FORWARD", vec![]),
        ("FORWARD_TRANSITIVE", vec![(1, "FORWARD", "a")]),
        ("FULL", vec![]),
        ("FULL_TRANSITIVE", vec![(1, "BACKWARD", "b"), (1, "FORWARD", "a")]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(version, way, path)| (version, way.to_owned(), path.to_owned())).collect();
        assert_eq!(against(&stage.root, &needs_b, Some(level)).await, expected, "{level}");
    }
    let empty = record(json!([]));
    assert!(against(&stage.root, &empty, Some("BACKWARD_TRANSITIVE")).await.is_empty());
    assert_eq!(against(&stage.root, &empty, Some("FORWARD_TRANSITIVE")).await, [(1, "FORWARD".to_owned(), "a".to_owned())]);
}

#[tokio::test]
async fn only_avro_is_compared() {
    let stage = Stage::open().await;
    let json_schema = |subject: &'static str| stage.root.ask_with(REGISTER, json!({"subject": subject, "type": "JSON", "schema": "{}"}));
    assert_eq!(json_schema("j").await.data()["registerSchema"]["created"], true);
    let set = |level: &str| {
        stage.root.ask_with(
        "mutation($level: SchemaCompatibility!) { setSchemaCompatibility(input: {subject: \"j\", compatibility: $level}) { schemaSubject { name } } }",
        json!({"level": level}),
    )
    };
    let reply = set("BACKWARD").await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("compatibility")));
    set("NONE").await.data();
    assert_eq!(stage.audited().await, ["register"], "what changes nothing is not audited");
    register(&stage.root, "s", &record(json!([]))).await;
    ask_for(&stage.root, "FULL").await;
    let reply = json_schema("s").await;
    assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("schema")));
}
