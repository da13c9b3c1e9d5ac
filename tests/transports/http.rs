//! GraphQL over HTTP, by the draft of 2025.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::{server, talk};
use crate::support::Server;

const NEW: &str = "application/graphql-response+json";
const OLD: &str = "application/json";

fn request(server: &Server, method: Method, path: &str) -> RequestBuilder {
    reqwest::Client::new().request(method, server.url(path))
}

async fn post(server: &Server, accept: &str, body: &Value) -> Response {
    request(server, Method::POST, "/graphql").header("accept", accept).json(body).send().await.expect("an answer")
}

/// The status, the media type and the body.
async fn parts(response: Response) -> (u16, String, Value) {
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned()).unwrap_or_default();
    (response.status().as_u16(), kind, response.json().await.expect("JSON"))
}

#[tokio::test]
async fn a_request_error_is_a_400_in_the_new_form_a_200_in_the_old_and_never_has_data() {
    let server = Server::start().await;
    for (body, code) in [
        (json!({"query": "{"}), "GRAPHQL_PARSE_FAILED"),
        (json!({"query": ""}), "GRAPHQL_PARSE_FAILED"),
        (json!({"query": "{ noSuchField }"}), "GRAPHQL_VALIDATION_FAILED"),
        (json!({"query": "query A { __typename } query B { __typename }"}), "GRAPHQL_VALIDATION_FAILED"),
        (json!({"query": "query A { __typename }", "operationName": "B"}), "GRAPHQL_VALIDATION_FAILED"),
        (
            json!({"query": "query A($v: Int) { connectors(first: $v) { totalCount } }", "variables": {"v": "x"}}),
            "GRAPHQL_VALIDATION_FAILED",
        ),
    ] {
        for (accept, status) in [(NEW, 400), (OLD, 200)] {
            let (got, kind, answer) = parts(post(&server, accept, &body).await).await;
            assert_eq!((got, kind), (status, format!("{accept}; charset=utf-8")), "{body}");
            assert_eq!(answer.get("data"), None, "{answer:#}");
            assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{answer:#}");
        }
    }
    let (status, _, answer) = parts(post(&server, NEW, &json!({"query": "{ viewer { user { id } } }"})).await).await;
    assert_eq!((status, &answer["data"], &answer["errors"][0]["path"]), (200, &Value::Null, &json!(["viewer"])));
}

#[tokio::test]
async fn what_is_no_graphql_request_is_refused_in_graphqls_form() {
    let server = Server::start().await;
    for (kind, body, status) in [
        (OLD, "{", 400),
        (OLD, "", 400),
        (OLD, "[]", 400),
        (OLD, "[{\"query\": \"{ __typename }\"}]", 400),
        (OLD, "{\"query\": 7}", 400),
        (OLD, "{\"query\": \"{ __typename }\", \"variables\": [1]}", 400),
        ("text/plain", "{\"query\": \"{ __typename }\"}", 415),
        ("application/x-www-form-urlencoded", "query=%7B__typename%7D", 415),
        ("application/json; charset=latin1", "{\"query\": \"{ __typename }\"}", 415),
    ] {
        let sent = request(&server, Method::POST, "/graphql").header("content-type", kind).header("accept", NEW).body(body);
        let (got, _, answer) = parts(sent.send().await.expect("an answer")).await;
        assert_eq!(got, status, "{kind} {body}");
        assert_eq!(answer["errors"][0]["extensions"]["code"], "GRAPHQL_PARSE_FAILED");
    }
    let packed = request(&server, Method::POST, "/graphql").header("content-encoding", "gzip").json(&json!({"query": "{ __typename }"}));
    assert_eq!(packed.send().await.expect("an answer").status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let batch = post(&server, NEW, &json!([{"query": "{ __typename }"}])).await;
    assert!(parts(batch).await.2["errors"][0]["message"].as_str().unwrap().contains("Batches"));
    assert_eq!(post(&server, "image/png", &json!({"query": "{ __typename }"})).await.status(), StatusCode::NOT_ACCEPTABLE);
    for method in [Method::PUT, Method::DELETE, Method::TRACE] {
        assert_eq!(request(&server, method, "/graphql").send().await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}

#[tokio::test]
async fn get_reads_and_changes_nothing() {
    let server = Server::start().await;
    let get = |pairs: &[(&str, &str)]| {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        request(&server, Method::GET, &format!("/graphql?{query}")).header("accept", NEW).send()
    };
    let read = get(&[
        ("query", "query A { a: __typename } query B($x: String!) { b: __type(name: $x) { name } }"),
        ("operationName", "B"),
        ("variables", "{\"x\": \"User\"}"),
    ]);
    assert_eq!(parts(read.await.unwrap()).await.2, json!({"data": {"b": {"name": "User"}}}));
    let change = get(&[("query", "mutation { logout { expiresAt } }")]).await.unwrap();
    assert_eq!((change.status().as_u16(), change.headers()["allow"].to_str().unwrap()), (405, "POST"));
    assert_eq!(get(&[("query", "{ __typename }"), ("variables", "{nope")]).await.unwrap().status(), StatusCode::BAD_REQUEST);
    assert_eq!(get(&[]).await.unwrap().status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_accept_header_decides_the_form() {
    let server = Server::start().await;
    for (accept, wanted) in [
        ("*/*", OLD),
        ("application/*", OLD),
        (NEW, NEW),
        ("Application/GraphQL-Response+JSON", NEW),
        ("application/json;q=0.5, application/graphql-response+json;q=0.9", NEW),
        ("application/json;q=0.9, application/graphql-response+json;q=0.5", OLD),
        ("application/graphql-response+json;q=0, application/json", OLD),
        ("application/graphql-response+json, application/json, text/event-stream", NEW),
        ("text/event-stream", "text/event-stream"),
    ] {
        let answer = post(&server, accept, &json!({"query": "{ __typename }"})).await;
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with(wanted), "{accept}");
        assert_eq!((answer.status().as_u16(), answer.headers()["x-content-type-options"].to_str().unwrap()), (200, "nosniff"));
    }
}

#[tokio::test]
async fn a_refused_token_is_a_401_and_the_request_id_is_the_clients_or_ours() {
    let server = Server::start().await;
    let query = json!({"query": "{ __typename }"});
    for accept in [NEW, OLD] {
        let refused =
            request(&server, Method::POST, "/graphql").header("accept", accept).bearer_auth("nonsense").json(&query).send().await.unwrap();
        assert!(refused.headers().contains_key("www-authenticate"));
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(parts(refused).await.2["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    }
    let named =
        request(&server, Method::POST, "/graphql").header("x-request-id", "abc-1").json(&json!({"query": "{"})).send().await.unwrap();
    assert_eq!(named.headers()["x-request-id"], "abc-1");
    assert_eq!(parts(named).await.2["errors"][0]["extensions"]["requestId"], "abc-1");
    let forged = request(&server, Method::POST, "/graphql").header("x-request-id", "a b<script>").json(&query).send().await.unwrap();
    assert_ne!(forged.headers()["x-request-id"], "a b<script>");
}

#[tokio::test]
async fn bodies_are_bounded_in_size_and_time_and_heads_in_time() {
    let server = server(|settings| {
        settings.body_limit = 2048;
        settings.body_timeout = Duration::from_millis(300);
        settings.header_timeout = Duration::from_millis(300);
    })
    .await;
    let large = post(&server, NEW, &json!({"query": "{ __typename }", "variables": {"x": "y".repeat(4096)}})).await;
    let (status, _, answer) = parts(large).await;
    let details = &answer["errors"][0]["extensions"]["details"];
    assert_eq!((status, &details["guard"], &details["limit"]), (413, &json!("REQUEST_BODY_LIMIT"), &json!(2048)), "{answer}");
    let head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
    assert!(talk(&server, &format!("{head}\r\n{{")).await.starts_with("HTTP/1.1 408"));
    assert!(!talk(&server, head).await.starts_with("HTTP/1.1 2"));
    assert!(talk(&server, "").await.is_empty());
}

#[tokio::test]
async fn documents_are_bounded_and_the_introspection_of_tools_still_passes() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let deep = format!("{{ __schema {{ types {{ {}name{} }} }} }}", "ofType { ".repeat(25), " }".repeat(25));
    for document in [
        format!("{{ __typename }} #{}", "x".repeat(101 * 1024)),
        deep,
        format!("{{ __typename {} }}", "@include(if: true) ".repeat(20)),
        format!("{{ {} }}", (0..1000).map(|n| format!("a{n}: __typename ")).collect::<String>()),
        "{".repeat(5000),
    ] {
        let code = nobody.ask(&document).await.code().to_owned();
        assert!(code.starts_with("GRAPHQL_") || code == "TOO_COMPLEX", "{code}: {}", &document[..40.min(document.len())]);
    }
    let of = "ofType { kind name ".repeat(9) + &"}".repeat(9);
    let introspection = format!("{{ __schema {{ types {{ fields {{ args {{ type {{ kind name {of} }} }} }} }} }} }}");
    nobody.ask(&introspection).await.data();
}

#[tokio::test]
async fn other_origins_may_ask_only_when_they_are_listed_and_connections_are_counted() {
    let closed = Server::start().await;
    let preflight = |server: &Server| {
        request(server, Method::OPTIONS, "/graphql")
            .header("origin", "https://app.example.com")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,authorization")
            .send()
    };
    assert!(!preflight(&closed).await.unwrap().headers().contains_key("access-control-allow-origin"));
    let open = server(|settings| {
        settings.allowed_origins = vec!["https://app.example.com".to_owned()];
        settings.connection_limit = 1;
    })
    .await;
    assert_eq!(preflight(&open).await.unwrap().headers()["access-control-allow-origin"], "https://app.example.com");
    crate::support::until("the connection is given back", || async {
        let first = TcpStream::connect(open.service.address()).await.expect("the server listens");
        let refused = talk(&open, "").await.starts_with("HTTP/1.1 503");
        drop(first);
        refused
    })
    .await;
}
