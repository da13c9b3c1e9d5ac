//! One document per content, one version per content of a subject, and what becomes of a deleted subject.

use serde_json::{Value, json};

use super::{record, register, replica, rows, try_text};
use crate::support::{Caller, Stage};

const BY_CONTENT: &str = "query($type: SchemaType!, $schema: String!) {
    schemaDocumentByContent(type: $type, schema: $schema) { id schema versions { nodes { subject version } } } }";

async fn by_content(caller: &Caller, text: &str) -> Value {
    caller.ask_with(BY_CONTENT, json!({"type": "AVRO", "schema": text})).await.data()["schemaDocumentByContent"].clone()
}

#[tokio::test]
async fn g01_white_space_and_the_order_of_keys_make_no_new_schema() {
    let stage = Stage::open().await;
    let first = "{ \"type\": \"record\",\n  \"name\": \"R\", \"fields\": [ {\"name\": \"a\", \"type\": \"int\"} ] }";
    let second = "{\"fields\":[{\"type\":\"int\",\"name\":\"\\u0061\"}],\"name\":\"R\",\"type\":\"record\"}";
    let made = try_text(&stage.root, "orders-value", first).await.data()["registerSchema"].clone();
    let again = try_text(&stage.root, "orders-value", second).await.data()["registerSchema"].clone();
    assert_eq!((&made["created"], &again["created"]), (&json!(true), &json!(false)));
    assert_eq!(made["schemaVersion"], again["schemaVersion"]);
    assert_eq!(made["schemaVersion"]["schema"]["schema"], first);
    let other = try_text(&stage.root, "copies-value", second).await.data()["registerSchema"]["schemaVersion"].clone();
    assert_eq!((&other["schema"], &other["version"]), (&made["schemaVersion"]["schema"], &json!(1)));
    assert_eq!(rows(&stage).await, (1, 2));
    for text in [first, second] {
        let found = by_content(&stage.root, text).await;
        assert_eq!((&found["schema"], found["versions"]["nodes"].as_array().map(Vec::len)), (&json!(first), Some(2)));
    }
    assert_eq!(stage.audited().await, ["register", "register"]);
    let missing = stage.root.ask_with(BY_CONTENT, json!({"type": "JSON", "schema": "{}"})).await;
    assert_eq!((missing.code(), missing.field()), ("NOT_FOUND", Some("schema")));
}

#[tokio::test]
async fn g03_doc_aliases_and_custom_properties_are_content() {
    let stage = Stage::open().await;
    let base = record(json!([{"name": "a", "type": "int"}]));
    let mut numbers = vec![register(&stage.root, "s", &base).await.0];
    for (property, value) in
        [("doc", json!("what it is")), ("doc", json!("what else")), ("aliases", json!(["Q"])), ("x-owner", json!("core"))]
    {
        let mut schema = base.clone();
        schema[property] = value;
        numbers.push(register(&stage.root, "s", &schema).await.0);
    }
    // Content that the subject has had is that version, however old.
    numbers.push(register(&stage.root, "s", &base).await.0);
    assert_eq!(numbers, [1, 2, 3, 4, 5, 1]);
}

#[tokio::test]
async fn g06_a_deleted_subject_begins_anew_with_fresh_numbers_and_its_ids_resolve() {
    let stage = Stage::open().await;
    let schemas: Vec<Value> = ["int", "long", "string"].iter().map(|kind| record(json!([{"name": "a", "type": kind}]))).collect();
    let (_, first) = register(&stage.root, "s", &schemas[0]).await;
    register(&stage.root, "s", &schemas[1]).await;
    stage
        .root
        .ask("mutation { setSchemaCompatibility(input: {subject: \"s\", compatibility: FULL}) { schemaSubject { name } } }")
        .await
        .data();
    let delete = "mutation { deleteSchemaSubject(input: {subject: \"s\"}) { subject deletedVersions lastVersion } }";
    let deleted = stage.root.ask(delete).await.data()["deleteSchemaSubject"].clone();
    assert_eq!(deleted, json!({"subject": "s", "deletedVersions": 2, "lastVersion": 2}));
    let read = "{ schemaSubject(name: \"s\") { compatibility versionCount latestVersion { version } versions { nodes { version } } } }";
    assert_eq!(stage.root.ask(read).await.code(), "NOT_FOUND");
    let again = stage.root.ask(delete).await;
    assert_eq!((again.code(), again.field()), ("NOT_FOUND", Some("subject")));
    // Neither what it asked for nor its versions stand in the way; and a replica that has just begun says the same.
    let (other, there) = replica(&stage, &stage.root).await;
    assert_eq!(register(&there, "s", &schemas[2]).await.0, 3);
    assert_eq!(register(&stage.root, "s", &schemas[0]).await, (4, first));
    let subject = there.ask(read).await.data()["schemaSubject"].clone();
    let versions = json!({"nodes": [{"version": 4}, {"version": 3}]});
    assert_eq!(subject, json!({"compatibility": "NONE", "versionCount": 2, "latestVersion": {"version": 4}, "versions": versions}));
    other.service.stop().await;
    stage.root.ask(delete).await.data();
    let document = format!("{{ schemaDocument(id: \"{first}\") {{ schema }} }}");
    assert_eq!(stage.root.ask(&document).await.data()["schemaDocument"]["schema"], schemas[0].to_string());
    assert_eq!(stage.audited().await, ["register", "register", "update", "delete", "register", "register", "delete"]);
}

#[tokio::test]
async fn two_versions_are_compared_line_by_line() {
    let stage = Stage::open().await;
    register(&stage.root, "s", &record(json!([{"name": "a", "type": "int"}]))).await;
    register(&stage.root, "s", &record(json!([{"name": "a", "type": "long"}]))).await;
    let ask = |from: i64, to: i64| {
        stage.root.ask_with(
        "query($from: Int!, $to: Int!) { schemaDiff(subject: \"s\", from: $from, to: $to) { identical unified from { version } to { version } } }",
        json!({"from": from, "to": to}),
    )
    };
    let diff = ask(1, 2).await.data()["schemaDiff"].clone();
    assert_eq!((&diff["identical"], &diff["from"]["version"], &diff["to"]["version"]), (&json!(false), &json!(1), &json!(2)));
    let lines: Vec<&str> = diff["unified"].as_str().expect("a text").lines().filter(|line| line.starts_with(['-', '+'])).collect();
    assert_eq!(lines, ["--- s 1", "+++ s 2", "-      \"type\": \"int\"", "+      \"type\": \"long\""]);
    assert_eq!(ask(2, 2).await.data()["schemaDiff"]["unified"], "");
    for (from, to, field) in [(3, 1, "from"), (1, 0, "to")] {
        let reply = ask(from, to).await;
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some(field)));
    }
}

#[tokio::test]
async fn numbers_that_their_hash_cannot_tell_apart_are_not_taken_for_each_other() {
    let stage = Stage::open().await;
    let schema = |number: i64| record(json!([{"name": "a", "type": "long", "default": number}]));
    register(&stage.root, "s", &schema(9_007_199_254_740_992)).await;
    let reply = super::try_register(&stage.root, "other", &schema(9_007_199_254_740_993)).await;
    assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("schema")));
    assert_eq!(register(&stage.root, "other", &schema(9_007_199_254_740_992)).await.0, 1);
}
