//! What an operator sees of requests: a line in the log, and traces at a collector.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::serve::{self, PASSWORD};
use super::{Program, sign_in};
use crate::support::database;

/// What a collector is sent, as a client of OTLP over HTTP sends it.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<(HeaderMap, Bytes)>>>);

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let sent = collector.0.clone();
        let take = move |headers: HeaderMap, body: Bytes| async move { sent.lock().unwrap().push((headers, body)) };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/v1/traces", post(take))).await });
        (collector, url)
    }

    /// Whether any of it holds these bytes.
    fn has(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        self.0.lock().unwrap().iter().any(|(_, body)| body.windows(bytes.len()).any(|window| window == bytes))
    }
}

fn start(url: &str, collector: &str, percent: &str) -> Program {
    let traced = [
        ("PUMPHOUSE_OTLP_ENDPOINT", collector),
        ("PUMPHOUSE_OTLP_HEADERS", "authorization=Bearer collectors-own, tenant=ours"),
        ("PUMPHOUSE_OTLP_PERCENT", percent),
    ];
    serve::start_with(url, &[], &traced)
}

/// Asks with further headers; answers the answer.
async fn ask(base: &str, token: &str, headers: &[(&'static str, &str)], query: &str) -> Value {
    let mut request = reqwest::Client::new().post(format!("{base}/graphql")).bearer_auth(token).json(&json!({"query": query}));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn operations_statements_and_jobs_are_traced_and_a_clients_own_trace_goes_on() {
    let trace: Vec<u8> = (1..=16).collect();
    let span: Vec<u8> = (0xa1..=0xa8).collect();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let parent = format!("00-{}-{}-01", hex(&trace), hex(&span));
    for percent in ["100", "0"] {
        let database = database().await;
        let (collector, url) = Collector::start().await;
        let mut program = start(&database.url, &url, percent);
        let base = serve::started(&mut program).await;
        let token = sign_in(&base, PASSWORD).await;
        let traced = [("traceparent", parent.as_str()), ("x-request-id", "traced-1")];
        ask(&base, &token, &traced, "query Board { connectors(filter: {search: \"canary-9f\"}) { totalCount } }").await;
        ask(&base, &token, &[("traceparent", "00-nonsense")], "query Other { envs { totalCount } }").await;
        program.signal("TERM");
        let ended = program.end().await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);

        for (what, bytes) in [("trace", trace.as_slice()), ("parent", &span), ("name", b"query Board"), ("id", b"traced-1")] {
            assert!(collector.has(bytes), "the {what} is missing ({percent} %)");
        }
        assert!(collector.has("sql select") && collector.has("from connector"), "statements are parts of the trace");
        let all = percent == "100";
        for rest in ["query Other", "job "] {
            assert_eq!(collector.has(rest), all, "{rest} ({percent} %)");
        }
        let sent = collector.0.lock().unwrap().clone();
        assert!(sent.iter().all(|(headers, _)| headers["authorization"] == "Bearer collectors-own" && headers["tenant"] == "ours"));
        for secret in [PASSWORD, token.as_str(), "canary-9f"] {
            assert!(!collector.has(secret), "{secret} went to the collector");
        }
        assert!(!ended.err.contains("collectors-own"), "{}", ended.err);
    }
}

#[tokio::test]
async fn a_collector_that_is_away_is_in_nobodys_way_and_told_of_once() {
    let database = database().await;
    let mut program = start(&database.url, "http://127.0.0.1:1", "100");
    let base = serve::started(&mut program).await;
    let token = sign_in(&base, PASSWORD).await;
    assert!(ask(&base, &token, &[], "{ envs { totalCount } }").await.get("errors").is_none());
    program.signal("TERM");
    let ended = program.end().await;
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.err.matches("the collector takes no traces").count(), 1, "{}", ended.err);
    assert!(!ended.err.contains("collectors-own"), "{}", ended.err);
}

#[tokio::test]
async fn every_operation_has_a_line_of_json_with_its_id_and_so_has_what_fails() {
    let database = database().await;
    let more = ["--log-format", "json", "--log-requests", "on", "--statement-timeout", "400ms", "--lock-timeout", "300ms"];
    let mut program = serve::start(&database.url, &more);
    let base = serve::started(&mut program).await;
    let base = base.trim_end_matches(['"', '}']).split('"').next().unwrap().to_owned();
    let token = sign_in(&base, PASSWORD).await;
    let literal = "query Found { connectors(filter: {search: \"canary-9f\"}) { totalCount } }";
    ask(&base, &token, &[("x-request-id", "fine-1")], literal).await;
    ask(&base, &token, &[("x-request-id", "bad-1")], "{ canary9f }").await;
    let mut lock = database.pool.begin().await.unwrap();
    sqlx::query("lock table connector").execute(&mut *lock).await.unwrap();
    let late = ask(&base, &token, &[("x-request-id", "late-1")], literal).await;
    assert_eq!(late["errors"][0]["extensions"]["code"], "TIMEOUT", "{late}");
    lock.rollback().await.unwrap();
    program.signal("TERM");
    let ended = program.end().await;

    let lines: Vec<Value> = ended.err.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let spans = ended.err.lines().filter_map(|line| line.split_once(r#""span":{"#)?.1.split('}').next());
    let named: Vec<usize> = spans.map(|span| span.matches(r#""name":"#).count()).collect();
    assert!(!named.is_empty() && named.iter().all(|names| *names == 1), "a key is there twice: {}", ended.err);
    let told = |id: &str| lines.iter().filter(|line| line["request.id"] == id).collect::<Vec<_>>();
    let fine = told("fine-1");
    assert_eq!(fine.len(), 1, "{}", ended.err);
    assert_eq!((&fine[0]["operation.type"], &fine[0]["operation.name"]), (&json!("query"), &json!("Found")), "{}", fine[0]);
    assert_eq!(
        (&fine[0]["outcome"], fine[0]["ms"].is_number(), fine[0]["viewer.id"].is_string()),
        (&json!("ok"), true, true),
        "{}",
        fine[0]
    );
    assert_eq!(told("bad-1")[0]["outcome"], "GRAPHQL_VALIDATION_FAILED");
    let late = told("late-1");
    assert_eq!(late.len(), 2, "the cause, and the operation: {late:?}");
    assert!(late.iter().any(|line| line["level"] == "WARN" && line["error"].as_str().is_some_and(|error| error.contains("lock timeout"))));
    for secret in [PASSWORD, token.as_str(), "canary"] {
        assert!(!ended.err.contains(secret), "{secret} is in the log: {}", ended.err);
    }
}
