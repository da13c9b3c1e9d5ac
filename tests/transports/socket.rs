//! `graphql-transport-ws`: what is said when, and what ends a socket.

use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::raw::Raw;
use super::server;
use crate::support::{Server, World};

const PING: &str = r#"{"type": "ping"}"#;

#[tokio::test]
async fn what_is_no_message_closes_with_4400_and_a_reason_that_fits() {
    let server = Server::start().await;
    let long = json!({"type": "n".repeat(500)}).to_string();
    for text in [
        "hello",
        "",
        "[]",
        "null",
        "{}",
        r#"{"type": 7}"#,
        &long,
        r#"{"type": "start", "id": "1", "payload": {"query": "{ __typename }"}}"#,
        r#"{"type": "connection_ack"}"#,
        r#"{"type": "subscribe", "payload": {"query": "{ __typename }"}}"#,
        r#"{"type": "subscribe", "id": "", "payload": {"query": "{ __typename }"}}"#,
        r#"{"type": "subscribe", "id": 1, "payload": {"query": "{ __typename }"}}"#,
        r#"{"type": "subscribe", "id": "1", "payload": {}}"#,
        r#"{"type": "subscribe", "id": "1", "payload": {"query": 7}}"#,
        r#"{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "variables": "x"}}"#,
        r#"{"type": "complete"}"#,
        r#"{"type": "ping", "payload": "x"}"#,
    ] {
        let mut socket = Raw::ready(&server, None).await;
        socket.text(text).await;
        let (code, reason) = socket.closed().await;
        assert_eq!(code, 4400, "{text} closed with {code} {reason}");
        assert!(!reason.is_empty() && reason.len() <= 123, "{reason}");
    }
    let mut socket = Raw::ready(&server, None).await;
    socket.frame(Message::binary(vec![0xff, 0])).await;
    assert_eq!(socket.closed().await.0, 4400);
}

#[tokio::test]
async fn a_payload_that_is_json_and_cannot_be_read_ends_its_operation_alone() {
    let server = Server::start().await;
    let mut socket = Raw::ready(&server, None).await;
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for value in [r#""caf\ud83d""#, "1e400", &deep] {
        let payload = format!(r#"{{"query": "{{ __typename }}", "variables": {{"x": {value}}}}}"#);
        socket.text(&format!(r#"{{"type": "subscribe", "id": "1", "payload": {payload}}}"#)).await;
        let said = socket.hear().await;
        assert_eq!((&said["type"], &said["id"]), (&json!("error"), &json!("1")), "{value}: {said}");
        let error = &said["payload"][0];
        assert_eq!(error["extensions"]["code"], "GRAPHQL_PARSE_FAILED", "{said}");
        assert!(error["message"].as_str().unwrap().starts_with("The payload cannot be read as JSON: "), "{said}");
    }
    socket.subscribe("1", "{ __typename }").await;
    assert_eq!(socket.hear().await["payload"]["data"]["__typename"], "Query");
}

#[tokio::test]
async fn each_breach_of_the_protocol_has_its_own_close_code() {
    let server = server(|settings| settings.init_timeout = Duration::from_millis(300)).await;
    let mut early = Raw::open(&server).await;
    early.subscribe("1", "{ __typename }").await;
    assert_eq!(early.closed().await.0, 4401);

    let mut refused = Raw::open(&server).await;
    refused.say(json!({"type": "connection_init", "payload": {"authorization": "Bearer nonsense"}})).await;
    assert_eq!(refused.closed().await.0, 4403);

    let mut other = Raw::try_open(&server, &[]).await.expect("the upgrade itself is well formed");
    assert_eq!(other.closed().await.0, 4406);

    let mut silent = Raw::open(&server).await;
    assert_eq!(silent.closed().await.0, 4408);

    let mut twice = Raw::ready(&server, None).await;
    twice.say(json!({"type": "connection_init"})).await;
    assert_eq!(twice.closed().await.0, 4429);

    let root = server.superuser().await;
    let mut duplicate = Raw::ready(&server, root.token.as_deref()).await;
    duplicate.subscribe("1", "subscription { workerChanged { initial } }").await;
    duplicate.subscribe("1", "{ __typename }").await;
    assert_eq!(duplicate.closed().await.0, 4409);
}

#[tokio::test]
async fn frames_that_break_the_rules_close_the_socket_and_no_other() {
    let server = server(|settings| settings.body_limit = 4096).await;
    let mut other = Raw::ready(&server, None).await;
    let mut large = Raw::ready(&server, None).await;
    large.subscribe("1", &format!("{{ __typename }} #{}", "x".repeat(8192))).await;
    assert_eq!(large.closed().await.0, 1009);
    other.text(PING).await;
    assert_eq!(other.hear().await, json!({"type": "pong"}));
}

#[tokio::test]
async fn a_request_error_is_an_error_message_and_a_failed_field_a_result() {
    let server = Server::start().await;
    let mut socket = Raw::ready(&server, None).await;
    for document in ["{", "{ noSuchField }", "subscription { noSuchField }"] {
        socket.subscribe("1", document).await;
        let message = socket.hear().await;
        assert_eq!(message["type"], "error", "{document}: {message:#}");
        assert!(message["payload"][0]["extensions"]["code"].as_str().is_some_and(|code| code.starts_with("GRAPHQL_")), "{message:#}");
    }
    socket.subscribe("1", "{ viewer { user { id } } }").await;
    let message = socket.hear().await;
    assert_eq!((&message["type"], &message["payload"]["errors"][0]["extensions"]["code"]), (&json!("next"), &json!("UNAUTHENTICATED")));
    assert_eq!(socket.hear().await, json!({"id": "1", "type": "complete"}));
    socket.subscribe("1", "subscription { workerChanged { initial } }").await;
    let message = socket.hear().await;
    let errors = if message["type"] == "error" { &message["payload"] } else { &message["payload"]["errors"] };
    assert_eq!(errors[0]["extensions"]["code"], "UNAUTHENTICATED", "{message:#}");
}

#[tokio::test]
async fn p03_after_complete_nothing_comes_of_the_old_operation_and_the_id_is_free_at_once() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    let mut socket = Raw::ready(&server, root.token.as_deref()).await;
    for round in 0..5 {
        socket.subscribe("1", "subscription { workerChanged { worker { reason } } }").await;
        socket.hear().await;
        for change in 0..10 {
            sqlx::query("update worker set reason = $1, state = case state when 'LIVE' then 'ERROR' else 'LIVE' end where id = $2")
                .bind(format!("{round} {change}"))
                .bind(worker)
                .execute(&world.pool)
                .await
                .expect("a change");
        }
        socket.say(json!({"id": "1", "type": "complete"})).await;
        socket.subscribe("1", "{ __typename }").await;
        // What was on its way before the server read the complete comes first, and nothing of it later.
        let answer = loop {
            let message = socket.hear().await;
            if message["payload"]["data"].get("workerChanged").is_none() {
                break message;
            }
        };
        assert_eq!(answer, json!({"id": "1", "type": "next", "payload": {"data": {"__typename": "Query"}}}));
        assert_eq!(socket.hear().await, json!({"id": "1", "type": "complete"}));
        socket.text(PING).await;
        assert_eq!(socket.hear().await, json!({"type": "pong"}));
    }
}

#[tokio::test]
async fn a_socket_has_a_limit_of_operations_and_completing_one_makes_room() {
    let server = server(|settings| settings.operation_limit = 2).await;
    let root = server.superuser().await;
    let mut socket = Raw::ready(&server, root.token.as_deref()).await;
    let follow = "subscription { workerChanged { initial } }";
    for id in ["1", "2", "3"] {
        socket.subscribe(id, follow).await;
    }
    let message = socket.hear().await;
    assert_eq!((&message["id"], &message["type"]), (&json!("3"), &json!("error")), "{message:#}");
    assert_eq!(message["payload"][0]["extensions"]["code"], "RATE_LIMITED");
    assert_eq!(message["payload"][0]["extensions"]["details"], json!({"guard": "SOCKET_OPERATION_LIMIT", "limit": 2}));
    socket.say(json!({"id": "1", "type": "complete"})).await;
    socket.subscribe("3", "{ __typename }").await;
    assert_eq!(socket.hear().await["type"], "next");
    assert_eq!(socket.hear().await["type"], "complete");
    for _ in 0..5 {
        // What has ended takes no room.
        socket.subscribe("4", "{ __typename }").await;
        assert_eq!(socket.hear().await["type"], "next");
        assert_eq!(socket.hear().await["type"], "complete");
    }
}

#[tokio::test]
async fn pages_of_other_origins_may_connect_only_when_they_are_listed() {
    let server = server(|settings| settings.allowed_origins = vec!["https://app.example.com".to_owned()]).await;
    let ours = format!("http://{}", server.service.address());
    for (origin, status) in [("https://evil.example.com", Some(403)), ("null", Some(403)), ("https://app.example.com", None), (&ours, None)]
    {
        let opened = Raw::try_open(&server, &[("Sec-WebSocket-Protocol", "graphql-transport-ws"), ("Origin", origin)]).await;
        assert_eq!(opened.err(), status, "{origin}");
    }
}

#[tokio::test]
async fn p07_three_viewers_of_different_rights_get_one_message_each_for_one_change() {
    let server = Server::start().await;
    let world = World::of(&server);
    let env = world.env("prod").await;
    let team = world.team(env, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    let callers =
        [server.superuser().await, server.user("reader@example.com", false).await, server.user("member@example.com", false).await];
    world.join_env(callers[1].id, env, "reader").await;
    world.join_team(callers[2].id, team, false).await;
    world.join_env(callers[2].id, env, "reader").await;
    let mut sockets = Vec::new();
    for caller in &callers {
        let mut socket = caller.subscribe("subscription { workerChanged { initial worker { state } } }", Value::Null).await;
        assert_eq!(socket.event().await["workerChanged"]["initial"], true);
        sockets.push(socket);
    }
    sqlx::query("update worker set state = 'LIVE' where id = $1").bind(worker).execute(&world.pool).await.expect("a change");
    for socket in &mut sockets {
        assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "LIVE");
        socket.send(json!({"type": "ping"})).await;
        assert_eq!(socket.message().await.expect("a message")["type"], "pong");
    }
}
