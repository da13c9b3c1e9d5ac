//! The rules of validation of GraphQL's specification (section 5), the same for every document.

use pumphouse::server::Introspection;
use serde_json::{Value, json};

use super::server;
use crate::support::Server;

const ID: &str = "6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11";

#[tokio::test]
async fn what_the_specification_forbids_is_refused_with_its_place_and_nothing_of_it_is_carried_out() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let before = server.service.db().statements();
    let node = format!("{{ node(id: \"{ID}\") {{ ... on Env {{ a: name }} ... on Team {{ a: env {{ id }} }} }} }}");
    for (document, column) in [
        ("{ __typename @nope }", 14),
        ("{ __typename @skip(if: $zz) }", 24),
        ("{ __typename(a: 1) }", 14),
        ("{ a: __typename { b } }", 3),
        ("{ serverInfo { version @include } }", 24),
        ("{ serverInfo @include(if: true) @include(if: true) { version } }", 33),
        ("query($a: Int @a) { envs(first: $a) { totalCount } }", 15),
        ("query($a: Int) { serverInfo { version } }", 7),
        ("query($a: Boolean) { serverInfo @include(if: $a) { version } }", 42),
        ("query($a: String!) { connector(id: $a) { id } }", 32),
        ("query($a: ID) { connector(id: $a) { id } }", 27),
        ("query($a: [ID]) { nodes(ids: $a) { id } }", 25),
        ("query($a: Nothing = 1) { serverInfo { version } }", 7),
        ("{ envs(orderBy: [{ field: \"NAME\" }]) { totalCount } }", 27),
        ("{ envs(filter: { search: \"a\", search: \"b\" }) { totalCount } }", 31),
        ("mutation { createEnv(input: { name: \"one\", name: \"two\" }) { env { id } } }", 44),
        (&node, 91),
        ("{ a: serverInfo { version } a: envs { totalCount } }", 29),
        ("{ serverInfo { version } } fragment F on Env { id }", 28),
        ("subscription { workerChanged { initial } requestReceived { initial } }", 1),
    ] {
        let reply = root.ask(document).await;
        assert_eq!((reply.code(), reply.0.get("data")), ("GRAPHQL_VALIDATION_FAILED", None), "{document}: {}", reply.0);
        assert_eq!(reply.0["errors"][0]["locations"], json!([{"line": 1, "column": column}]), "{document}: {}", reply.0);
    }
    assert_eq!(server.service.db().statements(), before, "the database was asked");
}

#[tokio::test]
async fn what_the_specification_allows_is_carried_out() {
    let server = Server::start().await;
    let root = server.superuser().await;
    for (document, variables, data) in [
        ("query($a: Boolean!) { __typename @skip(if: $a) }", json!({"a": false}), json!({"__typename": "Query"})),
        ("query($a: Boolean!) { __typename @skip(if: $a) }", json!({"a": true}), json!({})),
        ("query($a: Boolean! = true) { ... @include(if: $a) { __typename } }", json!({}), json!({"__typename": "Query"})),
        (r#"{ envs(filter: { search: "\ud83d\ude00 \u{1F600}" }) { totalCount } }"#, json!({}), json!({"envs": {"totalCount": 0}})),
        (
            "query($a: EnvOrderField = NAME) { envs(orderBy: [{ field: $a }]) { totalCount } }",
            json!({}),
            json!({"envs": {"totalCount": 0}}),
        ),
        (
            "{ envs(first: 1,) { nodes { id, ... , # Commas are white space.\n on , Env { , name , } } } , }",
            json!({}),
            json!({"envs": {"nodes": []}}),
        ),
        ("query($a: ID!) { nodes(ids: [$a]) { id } }", json!({"a": ID}), json!({"nodes": [null]})),
    ] {
        assert_eq!(root.ask_with(document, variables).await.data(), data, "{document}");
    }
    let made = root.ask(r#"mutation { createEnv(input: { name: "\ud83d\ude00\u{1F600}\u{22}" }) { env { name } } }"#).await.data();
    assert_eq!(made["createEnv"]["env"]["name"], "\u{1F600}\u{1F600}\"");
    // What stands for an id is told by its place, also where the operation itself gives it.
    let start = root.ask(r#"mutation($id: ID = "nope") { startWorker(input: { workerId: $id }) { worker { id } } }"#).await;
    assert_eq!((start.code(), start.field()), ("VALIDATION", Some("workerId")));
}

#[tokio::test]
async fn a_name_that_is_nearly_one_is_told_the_one_and_no_value_is_repeated() {
    let server = Server::start().await;
    let nobody = server.nobody();
    for (document, message) in [
        ("{ serverInf { version } }", "Type `Query` does not have a field `serverInf`. Did you mean `serverInfo`?"),
        ("{ envs(fist: 1) { totalCount } }", "The argument `fist` is not supported by `Query.envs`. Did you mean `first`?"),
        ("{ envs(filter: { serch: \"a\" }) { totalCount } }", "Field `serch` does not exist on `EnvFilter`. Did you mean `search`?"),
        ("{ envs(first: \"hunter2\") { totalCount } }", "Expected value of type Int, found a string."),
        ("{ viewer { user { emial } } }", "Type `User` does not have a field `emial`. Did you mean `email`?"),
        ("{ wholly { other } }", "Type `Query` does not have a field `wholly`."),
    ] {
        assert_eq!(nobody.ask(document).await.message(), message);
    }
}

#[tokio::test]
async fn whoever_may_not_know_the_schema_is_told_nothing_of_it_by_refusals() {
    let server = server(|settings| settings.introspection = Introspection::Nobody).await;
    let message = async |document: &str| {
        let Value::String(message) = server.nobody().ask(document).await.0["errors"][0]["message"].clone() else { panic!("{document}") };
        message
    };
    for document in [
        "query($a: String!) { connector(id: $a) { id } }",
        "{ envs(first: \"x\") { totalCount } }",
        "{ envs { nodes } }",
        "{ envs(orderBy: [{ field: NOTHING }]) { totalCount } }",
        "{ ... on Env { id } }",
    ] {
        assert_eq!(message(document).await, "This does not fit in this place.", "{document}");
    }
    assert_eq!(message("{ connector { id } }").await, "Something that is needed in this place is missing.");
    for (document, name) in [
        ("{ serverInf { version } }", "serverInf"),
        ("{ viewer { user { zzz } } }", "zzz"),
        ("{ envs { nodes(zzz: 1) { id } } }", "zzz"),
        ("mutation { login(input: { email: \"a\", password: \"b\", zzz: 1 }) { token } }", "zzz"),
    ] {
        assert_eq!(message(document).await, format!("`{name}` is not known in this place."), "{document}");
    }
}
