//! Any member of an env or team reads the registry; members of teams change it.

use serde_json::json;

use super::{record, register, rows, try_register};
use crate::support::{Stage, TestSettings};

const SET: &str = "mutation { setSchemaCompatibility(input: {subject: \"s\", compatibility: FULL}) { schemaSubject { name } } }";
const DELETE: &str = "mutation { deleteSchemaSubject(input: {subject: \"s\"}) { lastVersion } }";
const CHECK: &str = "{ checkSchemaCompatibility(subject: \"s\", type: AVRO, schema: \"\\\"int\\\"\") { compatible } }";
const CONTENT: &str =
    "{ schemaDocumentByContent(type: AVRO, schema: \"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"R\\\",\\\"fields\\\":[]}\") { id } }";
const DIFF: &str = "{ schemaDiff(subject: \"s\", from: 1, to: 1) { identical } }";

#[tokio::test]
async fn a_member_of_a_team_registers_an_env_reader_reads_and_a_stranger_sees_nothing() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let reader = stage.server.user("reader@example.com", false).await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let stranger = stage.server.user("stranger@example.com", false).await;
    let schema = record(json!([]));
    register(&member, "s", &schema).await;
    for caller in [&reader, &stranger] {
        assert_eq!(try_register(caller, "s", &record(json!([{"name": "a", "type": "int"}]))).await.code(), "FORBIDDEN");
    }
    for mutation in [SET, DELETE] {
        assert_eq!(reader.ask(mutation).await.code(), "FORBIDDEN");
        let reply = stranger.ask(mutation).await;
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("subject")));
        let reply = reader.ask(&mutation.replace("\"s\"", "\"none\"")).await;
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("subject")));
    }
    for query in [CHECK, CONTENT, DIFF] {
        reader.ask(query).await.data();
        assert_eq!(stranger.ask(query).await.code(), "NOT_FOUND", "{query}");
    }
    assert_eq!(rows(&stage).await, (1, 1));
    member.ask(SET).await.data();
    member.ask(SET).await.data();
    member.ask(DELETE).await.data();
    assert_eq!(stage.audited().await, ["register", "update", "delete"], "what changes nothing is not audited");
}

#[tokio::test]
async fn an_answer_under_a_key_is_given_again_while_the_right_lasts() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let document = json!({
        "query": "mutation { registerSchema(input: {subject: \"s\", type: AVRO, schema: \"\\\"int\\\"\"}) { created schemaVersion { version } } }",
        "extensions": {"idempotencyKey": "once"},
    });
    let ask = || async {
        let request = reqwest::Client::new().post(stage.server.url("/graphql")).json(&document);
        let answer = request.bearer_auth(member.token.as_deref().expect("a token")).send().await.expect("an answer");
        crate::support::Reply(answer.json().await.expect("JSON"))
    };
    for _ in 0..2 {
        assert_eq!(ask().await.data()["registerSchema"], json!({"created": true, "schemaVersion": {"version": 1}}));
    }
    stage.world.change_rights("delete from team_member where user_id = $1", member.id).await;
    assert_eq!(ask().await.code(), "NOT_FOUND");
    assert_eq!(rows(&stage).await, (1, 1));
}

#[tokio::test]
async fn without_a_licence_the_registry_is_read_and_not_changed() {
    let stage = Stage::open_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    let report = |active: bool| {
        stage.root.ask_with(
            "mutation($active: Boolean!) { reportLicense(input: {active: $active}) { license { licenseActive } } }",
            json!({"active": active}),
        )
    };
    report(true).await.data();
    let schema = record(json!([]));
    register(&stage.root, "s", &schema).await;
    report(false).await.data();
    assert_eq!(try_register(&stage.root, "t", &schema).await.code(), "LICENSE_INACTIVE");
    for mutation in [SET, DELETE] {
        assert_eq!(stage.root.ask(mutation).await.code(), "LICENSE_INACTIVE");
    }
    stage.root.ask(CONTENT).await.data();
    assert_eq!(rows(&stage).await, (1, 1));
}
