//! Guards against hostile requests (Q01): each names itself and its value, is the same on every transport, and asks the
//! database nothing.

use pumphouse::server::Limits;
use serde_json::{Value, json};

use super::raw::Raw;
use super::server;
use crate::support::{Caller, Server};

/// A request that breaks one bound.
struct Hostile {
    guard: &'static str,
    limit: u64,
    query: String,
    variables: Value,
}

fn hostile(guard: &'static str, limit: u64, query: impl Into<String>) -> Hostile {
    Hostile { guard, limit, query: query.into(), variables: json!({}) }
}

fn with(variables: Value, hostile: Hostile) -> Hostile {
    Hostile { variables, ..hostile }
}

/// A request for each bound, one beyond it where that can be told.
fn all() -> Vec<Hostile> {
    let aliases = |count: u64| (0..count).map(|n| format!("a{n}: __typename ")).collect::<String>();
    let inside = |count: usize| format!("{}id{}", "team { env { ".repeat(count), " } }".repeat(count));
    let pages = (0..4).fold("id".to_owned(), |rows, _| format!("members(first: 200) {{ nodes {{ env {{ {rows} }} }} }}"));
    // From an env round to it.
    let round = ["teams", "connectors", "pipelinesAsSource"]
        .iter()
        .rev()
        .fold("team { env { id } }".to_owned(), |inner, list| format!("{list} {{ nodes {{ {inner} }} }}"));
    let unread = |name: &str| format!("query(${name}: [ID!]) {{ nodes(ids: ${name}) {{ id }} }}");
    vec![
        hostile("QUERY_BYTES", 100 * 1024, format!("{{ __typename }} #{}", "x".repeat(2 << 20 >> 1))),
        hostile("QUERY_TOKENS", 10_000, format!("{{ nodes(ids: [{}]) {{ id }} }}", "1,".repeat(10_000))),
        hostile("QUERY_DEPTH", 20, format!("{{ connectors {{ nodes {{ {} }} }} }}", inside(10))),
        // Fifty levels, which are more than are followed at all.
        hostile("DOCUMENT_NESTING", 32, format!("{{ connectors {{ nodes {{ {} }} }} }}", inside(24))),
        hostile("QUERY_FIELDS", 5_000, format!("{{ ...F }} fragment F on Query {{ {} }}", "__typename ".repeat(5_001))),
        hostile("QUERY_ROOT_FIELDS", 100, format!("{{ {} }}", aliases(101))),
        hostile("QUERY_ALIASES", 250, format!("{{ serverInfo {{ {} }} }}", aliases(251))),
        hostile("QUERY_DIRECTIVES", 8, format!("{{ __typename {} }}", "@include(if: true) ".repeat(9))),
        hostile(
            "QUERY_FRAGMENTS",
            1_000,
            format!("{{ serverInfo {{ {} }} }} fragment F on ServerInfo {{ version }}", "...F ".repeat(1_001)),
        ),
        hostile("QUERY_COST", 500_000, format!("{{ envs {{ nodes {{ {pages} }} }} }}")),
        hostile("QUERY_COST", 500_000, format!("{{ envs {{ nodes {{ {round} }} }} }}")),
        hostile("INTROSPECTION", 1, "{ a: __schema { description } b: __schema { description } }"),
        with(json!({"x": "y".repeat(1_600_000)}), hostile("QUERY_VARIABLES", 1_500_000, "query($x: String) { node(id: $x) { id } }")),
        with(json!({"ids": vec!["x"; 20_001]}), hostile("QUERY_LIST", 20_000, unread("ids"))),
    ]
}

/// What is said of a refusal, and of its one error.
#[track_caller]
fn assert_names(hostile: &Hostile, errors: &Value) {
    let extensions = &errors[0]["extensions"];
    let (guard, limit, cost) = (&extensions["details"]["guard"], &extensions["details"]["limit"], &extensions["details"]["cost"]);
    assert_eq!((extensions["code"].as_str(), guard.as_str()), (Some("TOO_COMPLEX"), Some(hostile.guard)), "{errors}");
    assert_eq!(limit.as_u64(), Some(hostile.limit), "{errors}");
    assert!(cost.as_u64() > limit.as_u64() && errors[0]["message"].as_str().unwrap().contains(&limit.to_string()), "{errors}");
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{errors}");
}

async fn over_http(server: &Server, caller: &Caller, accept: &str, hostile: &Hostile) -> (u16, Value) {
    let request = reqwest::Client::new().post(server.url("/graphql")).header("accept", accept);
    let request = request.bearer_auth(caller.token.as_deref().unwrap_or_default());
    let answer = request.json(&json!({"query": hostile.query, "variables": hostile.variables})).send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test]
async fn q01_every_guard_names_itself_and_its_value_on_every_transport_before_any_statement() {
    let server = server(|settings| settings.limits = Limits { variables: 1_500_000, ..Limits::default() }).await;
    let root = server.superuser().await;
    // Without a token: who is connected with one is asked about every other second.
    let mut socket = Raw::ready(&server, None).await;
    let before = (server.service.db().statements(), server.service.viewers().loads());
    for hostile in all() {
        for accept in ["application/graphql-response+json", "text/event-stream"] {
            let (status, answer) = over_http(&server, &root, accept, &hostile).await;
            assert_eq!((status, answer.get("data")), (400, None), "{}: {answer}", hostile.guard);
            assert_names(&hostile, &answer["errors"]);
        }
        let (status, answer) = over_http(&server, &root, "application/json", &hostile).await;
        assert_eq!((status, answer.get("data")), (200, None), "{answer}");
        assert_names(&hostile, &answer["errors"]);
        let payload = json!({"query": hostile.query, "variables": hostile.variables});
        socket.say(json!({"id": "1", "type": "subscribe", "payload": payload})).await;
        let message = socket.hear().await;
        assert_eq!(message["type"], "error", "{message}");
        assert_names(&hostile, &message["payload"]);
    }
    assert_eq!((server.service.db().statements(), server.service.viewers().loads()), before, "the database was asked");
}

#[tokio::test]
async fn every_guard_is_a_setting_and_lets_through_what_is_at_its_bound() {
    let small = Limits {
        tokens: 13,
        depth: 2,
        aliases: 1,
        root_fields: 2,
        fragments: 1,
        list: 2,
        variables: 60,
        directives: 1,
        ..Limits::default()
    };
    let server = server(|settings| settings.limits = small).await;
    let nobody = server.nobody();
    for (query, variables, guard) in [
        ("{ a: __typename serverInfo { version } }", json!({}), None),
        ("{ a: __typename b: __typename }", json!({}), Some("QUERY_ALIASES")),
        ("{ __typename __typename __typename }", json!({}), Some("QUERY_ROOT_FIELDS")),
        ("{ __typename @skip(if: false) }", json!({}), None),
        ("{ __typename @skip(if:false) @skip(if:false) }", json!({}), Some("QUERY_TOKENS")),
        ("{ ...F } fragment F on Query { __typename }", json!({}), None),
        ("{ ...F ...F } fragment F on Query { a }", json!({}), Some("QUERY_FRAGMENTS")),
        ("{ __schema { types { name } } }", json!({}), Some("QUERY_DEPTH")),
        ("query($a: ID) { __typename }", json!({"b": [1, 2]}), None),
        ("{ __typename }", json!({"b": [1, 2, 3]}), Some("QUERY_LIST")),
        ("{ __typename }", json!({"b": {"c": {"d": "x".repeat(60)}}}), Some("QUERY_VARIABLES")),
    ] {
        let reply = nobody.ask_with(query, variables).await;
        let found = &reply.0["errors"][0]["extensions"]["details"]["guard"];
        assert_eq!(found.as_str(), guard, "{query}: {}", reply.0);
    }
}

#[tokio::test]
async fn q01_a_batch_is_refused_unless_it_is_allowed_and_then_bounded() {
    let closed = Server::start().await;
    let post = async |server: &Server, body: Value| {
        let sent = reqwest::Client::new().post(server.url("/graphql")).header("accept", "application/graphql-response+json").json(&body);
        let answer = sent.send().await.expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"))
    };
    let typename = json!({"query": "{ __typename }"});
    let (status, answer) = post(&closed, json!(vec![&typename; 100])).await;
    assert_eq!((status, &answer["errors"][0]["extensions"]["code"]), (400, &json!("TOO_COMPLEX")));
    assert_eq!(answer["errors"][0]["extensions"]["details"], json!({"guard": "QUERY_BATCH", "cost": 100, "limit": 1}));
    let mut socket = Raw::ready(&closed, None).await;
    socket.say(json!([{"id": "1", "type": "subscribe", "payload": typename}])).await;
    assert_eq!(socket.closed().await.0, 4400, "the protocol knows no batches");
    let open = server(|settings| settings.limits.batch = 3).await;
    let (status, answer) =
        post(&open, json!([typename, {"query": "{ nothing }"}, {"query": "subscription { workerChanged { initial } }"}])).await;
    assert_eq!((status, &answer[0]), (200, &json!({"data": {"__typename": "Query"}})), "{answer}");
    for refused in [&answer[1], &answer[2]] {
        assert_eq!(refused["errors"][0]["extensions"]["code"], "GRAPHQL_VALIDATION_FAILED", "{answer}");
    }
    let (status, answer) = post(&open, json!(vec![&typename; 4])).await;
    assert_eq!((status, &answer["errors"][0]["extensions"]["details"]), (400, &json!({"guard": "QUERY_BATCH", "cost": 4, "limit": 3})));
    assert_eq!(post(&open, json!([])).await.0, 400);
    assert_eq!(post(&open, typename.clone()).await.1, json!({"data": {"__typename": "Query"}}));
}

#[tokio::test]
async fn q01_fragments_in_a_circle_are_refused_on_every_transport_before_any_statement() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let mut socket = Raw::ready(&server, None).await;
    let before = (server.service.db().statements(), server.service.viewers().loads());
    let mut circle = "{ teams { nodes { ...F0 } } }".to_owned();
    for number in 0..50 {
        circle.push_str(&format!(" fragment F{number} on Team {{ env {{ teams {{ nodes {{ ...F{} }} }} }} }}", (number + 1) % 50));
    }
    for query in [circle.as_str(), "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"] {
        let (status, answer) = over_http(&server, &root, "application/graphql-response+json", &hostile("", 0, query)).await;
        assert_eq!(status, 400, "{answer}");
        socket.say(json!({"id": "1", "type": "subscribe", "payload": {"query": query}})).await;
        let message = socket.hear().await;
        assert_eq!(message["type"], "error", "{message}");
        for errors in [&answer["errors"], &message["payload"]] {
            let code = errors[0]["extensions"]["code"].as_str();
            assert!(code == Some("GRAPHQL_VALIDATION_FAILED") || code == Some("TOO_COMPLEX"), "{errors}");
        }
    }
    assert_eq!((server.service.db().statements(), server.service.viewers().loads()), before, "the database was asked");
}
