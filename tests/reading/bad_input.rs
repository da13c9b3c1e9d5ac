//! Bad questions over HTTP: each gets an error with a code, a request id and no word about the inside.

use serde_json::{Value, json};

use crate::support::{Reply, Server, World};

/// Sends a body as it is.
async fn post(server: &Server, body: &str) -> Value {
    let request = reqwest::Client::new().post(server.url("/graphql")).header("content-type", "application/json").body(body.to_owned());
    let response = request.send().await.expect("an answer");
    let id = response.headers().get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(answer["errors"][0]["extensions"]["requestId"].as_str(), id.as_deref(), "{answer}");
    answer
}

/// Every error has a code and a request id, and none speaks of the inside.
#[track_caller]
fn sound(answer: &Value) -> &str {
    for error in answer["errors"].as_array().expect("errors") {
        assert!(error["extensions"]["code"].is_string() && error["extensions"]["requestId"].is_string(), "{error}");
        let message = error["message"].as_str().expect("a message").to_lowercase();
        assert!(!message.is_empty());
        for word in ["sqlx", "panicked", "src/", "select ", "relation", "pg_", "pumphouse::"] {
            assert!(!message.contains(word), "{message}");
        }
    }
    answer["errors"][0]["extensions"]["code"].as_str().expect("a code")
}

#[tokio::test]
async fn what_is_no_request_or_no_document_is_told_so() {
    let server = Server::start().await;
    for body in ["", "{", "[]", "null", "42", "{\"query\": 1}", "{\"query\": \"{ envs { totalCount }\"", "\u{0}\u{1}\u{2}"] {
        assert_eq!(sound(&post(&server, body).await), "GRAPHQL_PARSE_FAILED", "{body:?}");
    }
    for document in ["{", "", "query {", "{ envs { totalCount } } }", "{ envs(first: ) { totalCount } }", "\u{0}", "subscription"] {
        let body = json!({"query": document}).to_string();
        assert_eq!(sound(&post(&server, &body).await), "GRAPHQL_PARSE_FAILED", "{document:?}");
    }
    let invalid = [
        "{ nothing }",
        "{ envs { nothing } }",
        "{ envs(nothing: 1) { totalCount } }",
        "{ envs(first: \"1\") { totalCount } }",
        "{ envs(filter: {nothing: 1}) { totalCount } }",
        "{ envs(orderBy: [{field: NOTHING}]) { totalCount } }",
        "{ envs }",
        "{ envs { totalCount { x } } }",
        "{ node { id } }",
        "query($n: Nothing) { envs { totalCount } }",
        "{ ...F } fragment F on Query { ...F }",
        "query A { envs { totalCount } } query B { teams { totalCount } }",
    ];
    for document in invalid {
        let body = json!({"query": document}).to_string();
        assert_eq!(sound(&post(&server, &body).await), "GRAPHQL_VALIDATION_FAILED", "{document}");
    }
}

#[tokio::test]
async fn ids_that_are_none_and_ids_of_nothing_are_told_apart() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let nowhere = "6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11";
    let lookups = [
        "env",
        "team",
        "user",
        "serviceAccount",
        "connector",
        "datamodel",
        "pipeline",
        "pipelineSubscription",
        "worker",
        "schemaDocument",
        "syncRun",
        "node",
    ];
    for root_field in lookups {
        let query = format!("query($id: ID!) {{ {root_field}(id: $id) {{ id }} serverInfo {{ version }} }}");
        let reply = root.ask_with(&query, json!({"id": nowhere})).await;
        assert_eq!((sound(&reply.0), reply.field()), ("NOT_FOUND", Some("id")), "{root_field}");
        assert_eq!(reply.0["errors"][0]["path"], json!([root_field]));
        assert!(reply.0["data"]["serverInfo"]["version"].is_string(), "the rest of the answer stands");
        for wrong in [json!("42"), json!(""), json!("x"), json!("6f1c1c0e"), json!(7), json!("6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b1g")] {
            let reply = root.ask_with(&query, json!({"id": wrong})).await;
            assert_eq!(sound(&reply.0), "VALIDATION", "{root_field} {wrong}: {}", reply.0);
            assert!(reply.message().contains("UUID"), "{}", reply.message());
            assert_eq!(reply.0["errors"][0]["path"], json!([root_field]));
        }
    }
    let missing = root.ask("query($id: ID!) { node(id: $id) { id } env(id: $id) { id } }").await;
    assert_eq!((sound(&missing.0), missing.field()), ("GRAPHQL_VALIDATION_FAILED", Some("id")), "a variable that is not given");
    let wrong = root.ask("{ connectors(filter: {ids: [\"x\"]}) { totalCount } }").await;
    assert_eq!((sound(&wrong.0), wrong.field()), ("VALIDATION", Some("filter.ids")));
    let nodes = root.ask_with("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", json!({"ids": [nowhere, nowhere]})).await.data();
    assert_eq!(nodes, json!({"nodes": [null, null]}));
    let many = root.ask_with("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", json!({"ids": vec![nowhere; 201]})).await;
    assert_eq!((sound(&many.0), many.field()), ("VALIDATION", Some("ids")));
}

#[tokio::test]
async fn numbers_and_times_beyond_all_bounds_are_refused() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let cases = [
        ("{ envs(first: 99999999999) { totalCount } }", vec!["VALIDATION", "GRAPHQL_VALIDATION_FAILED"]),
        ("{ envs(filter: {createdAtFrom: \"yesterday\"}) { totalCount } }", vec!["VALIDATION"]),
        ("{ envs(filter: {createdAtFrom: \"2026-13-01T00:00:00Z\"}) { totalCount } }", vec!["VALIDATION"]),
        ("{ schemaVersion(subject: \"x\", version: 99999999999) { id } }", vec!["VALIDATION", "GRAPHQL_VALIDATION_FAILED"]),
    ];
    for (query, codes) in cases {
        let reply = root.ask(query).await;
        assert!(codes.contains(&sound(&reply.0)), "{query}: {}", reply.0);
    }
    for time in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2026-06-30T23:59:60Z"] {
        root.ask_with("query($t: DateTime) { envs(filter: {createdAtFrom: $t}) { totalCount } }", json!({"t": time})).await.data();
    }
}

#[tokio::test]
async fn a_token_that_is_none_is_told_so() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let token = root.token.clone().expect("a token");
    let forged = format!("{}x", &token[..token.len() - 1]);
    let expired =
        server.token_key.for_user(root.id, 0, None, chrono::Utc::now() - std::time::Duration::from_secs(1)).expect("a token").text;
    let other_epoch =
        server.token_key.for_user(root.id, 1, None, chrono::Utc::now() + std::time::Duration::from_mins(1)).expect("a token").text;
    for bad in ["", "x", "a.b.c", &forged, &expired, &other_epoch] {
        let reply = server.with_token(bad).ask("{ envs { totalCount } node(id: \"6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11\") { id } }").await;
        assert_eq!(sound(&reply.0), "UNAUTHENTICATED", "{bad}");
        assert!(reply.0["data"].is_null());
    }
    let nobody = server.nobody().ask("{ teams { totalCount } }").await;
    assert_eq!(sound(&nobody.0), "UNAUTHENTICATED");
}

#[tokio::test]
async fn q13_an_error_below_a_lookup_nulls_the_lookup_alone() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (connector, _) = world.source(team, "shop").await;
    let page = "pipelinesAsSource(first: -1) { totalCount }";
    for (lookup, name) in [
        (format!("connector(id: \"{connector}\") {{ {page} }}"), "connector"),
        (format!("node(id: \"{connector}\") {{ ... on Connector {{ {page} }} }}"), "node"),
    ] {
        let reply = root.ask(&format!("{{ {lookup} serverInfo {{ version }} }}")).await;
        assert_eq!((sound(&reply.0), reply.field()), ("VALIDATION", Some("first")));
        assert_eq!(reply.0["errors"][0]["path"], json!([name, "pipelinesAsSource"]));
        assert!(reply.0["data"][name].is_null() && reply.0["data"]["serverInfo"]["version"].is_string(), "{}", reply.0);
    }
    let reply = root.ask(&format!("{{ nodes(ids: [\"{connector}\", \"{team}\"]) {{ id ... on Connector {{ {page} }} }} }}")).await;
    assert_eq!(reply.0["data"]["nodes"], json!([null, {"id": team}]), "{}", reply.0);
}

#[tokio::test]
async fn what_cannot_be_read_is_told_in_the_same_words_wherever_it_stands() {
    let server = Server::start().await;
    let root = server.superuser().await;
    for query in [
        "mutation { startWorker(input: {workerId: \"x\"}) { worker { id } } }",
        "{ node(id: \"x\") { id } }",
        "{ connectors(filter: {ids: [\"x\"]}) { totalCount } }",
    ] {
        let reply = root.ask(query).await;
        assert_eq!(sound(&reply.0), "VALIDATION");
        assert_eq!(reply.message(), "An id is a UUID such as 6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11.");
    }
    for query in [
        "{ a: __typename node(id: \"x\") { id } }",
        "{ a: __typename pipelineConfiguration(id: \"x\") { document } }",
        "{ a: __typename envConfiguration(envId: \"x\") { document } }",
    ] {
        let reply = root.ask(query).await;
        assert_eq!((&reply.0["data"]["a"], reply.field().is_some()), (&json!("Query"), true), "{query}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_filter_is_a_sentence_and_its_place_a_field() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let (long, many) = ("x".repeat(201), format!("[{}]", vec!["\"x\""; 501].join(", ")));
    for (filter, field, message) in [
        (format!("search: \"{long}\""), "filter.search", "A search is for a text of at most 200 characters."),
        ("search: \"\\u0000\"".to_owned(), "filter.search", "Text may not contain the character NUL."),
        (format!("ids: {many}"), "filter.ids", "A condition lists at most 500 values."),
        ("createdAtFrom: \"today\"".to_owned(), "filter.createdAtFrom", "A DateTime is written like 2026-11-29T08:15:30Z."),
    ] {
        let reply = root.ask(&format!("{{ connectors(filter: {{{filter}}}) {{ totalCount }} }}")).await;
        assert_eq!((reply.code(), reply.field(), reply.message()), ("VALIDATION", Some(field), message));
    }
    let reply = root.ask(&format!("{{ pipelineSubscription(id: \"{}\") {{ id }} }}", uuid::Uuid::new_v4())).await;
    assert_eq!((reply.code(), reply.message()), ("NOT_FOUND", "No such pipeline subscription."));
}

#[tokio::test]
async fn an_id_that_is_none_is_told_by_its_place_in_the_input_of_a_mutation() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let literal =
        "mutation { createDatamodel(input: {name: \"x\", sourceConnectorId: \"x\", errorTableTargetId: 5}) { datamodel { id } } }";
    assert_eq!(fields_of(&root.ask(literal).await), ["sourceConnectorId", "errorTableTargetId"]);
    let given = "mutation($id: ID!, $input: StartWorkerInput!) { stopWorker(input: {workerId: $id}) { worker { id } } startWorker(input: $input) { worker { id } } }";
    let reply = root.ask_with(given, json!({"id": "", "input": {"workerId": "6f1c1c0e"}})).await;
    assert_eq!(fields_of(&reply), ["workerId", "workerId"]);
}

/// The field of each error, all of which are `VALIDATION`.
fn fields_of(reply: &Reply) -> Vec<String> {
    let errors = reply.0["errors"].as_array().cloned().unwrap_or_default();
    let field = |error: Value| {
        assert_eq!(error["extensions"]["code"], "VALIDATION", "{error}");
        error["extensions"]["field"].as_str().unwrap_or_default().to_owned()
    };
    errors.into_iter().map(field).collect()
}

#[tokio::test]
async fn the_env_that_others_last_looked_at_is_neither_shown_nor_found_out() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let (env, hidden) = (world.env("prod").await, world.env("secret").await);
    let (one, other) = (server.user("one@example.com", false).await, server.user("other@example.com", false).await);
    for user in [one.id, other.id] {
        world.join_env(user, env, "member").await;
    }
    sqlx::query("update \"user\" set active_env_id = $1").bind(hidden).execute(&server.database.pool).await.expect("a change");
    let look = |id| format!("{{ user(id: \"{id}\") {{ activeEnvId }} users(filter: {{activeEnvId: \"{hidden}\"}}) {{ totalCount }} }}");
    let ask = async |caller: &crate::support::Caller, id| {
        let data = caller.ask(&look(id)).await.data();
        (data["user"]["activeEnvId"].clone(), data["users"]["totalCount"].clone())
    };
    assert_eq!(ask(&one, other.id).await, (Value::Null, json!(1)), "oneself alone is found");
    assert_eq!(ask(&one, one.id).await, (json!(hidden), json!(1)));
    assert_eq!(ask(&root, other.id).await, (json!(hidden), json!(3)));
}
