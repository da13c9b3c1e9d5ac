//! How often one may ask: the same on every transport, and before the database is asked.

use pumphouse::access::oidc::OidcSettings;
use pumphouse::server::RateLimits;
use serde_json::{Value, json};

use super::raw::Raw;
use super::server;
use crate::support::{Caller, Server, TestSettings};

async fn limited(rates: RateLimits) -> Server {
    server(|settings| {
        settings.rates = rates;
        settings.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
    })
    .await
}

async fn post(server: &Server, caller: &Caller, address: &str, accept: &str) -> reqwest::Response {
    let request = reqwest::Client::new().post(server.url("/graphql")).header("accept", accept).header("x-forwarded-for", address);
    let request = if let Some(token) = &caller.token { request.bearer_auth(token) } else { request };
    request.json(&json!({"query": "{ __typename }"})).send().await.expect("an answer")
}

#[track_caller]
fn assert_limited(errors: &Value, guard: &str) {
    let extensions = &errors[0]["extensions"];
    assert_eq!(extensions["code"], "RATE_LIMITED", "{errors}");
    assert_eq!((&extensions["details"]["guard"], &extensions["details"]["limit"]), (&json!(guard), &json!(1)), "{errors}");
}

#[tokio::test]
async fn a_viewer_who_asks_too_often_is_told_when_to_come_back_wherever_they_ask() {
    let server = limited(RateLimits { per_viewer: Some(1), per_address: None, burst: 3 }).await;
    let (ada, other) = (server.user("ada@example.com", false).await, server.user("other@example.com", false).await);
    for accept in ["application/graphql-response+json", "application/json", "text/event-stream"] {
        loop {
            let before = (server.service.db().statements(), server.service.viewers().loads());
            // Each from somewhere else: it is the viewer who is counted.
            let answer = post(&server, &ada, &format!("192.0.2.{}", accept.len()), accept).await;
            if answer.status() == 200 {
                continue;
            }
            assert_eq!(answer.status(), 429, "{accept}");
            let wait: u64 = answer.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
            assert!((1..=2).contains(&wait), "{wait}");
            assert_limited(&answer.json::<Value>().await.expect("JSON")["errors"], "RATE_PER_VIEWER");
            assert_eq!((server.service.db().statements(), server.service.viewers().loads()), before, "the database was asked");
            break;
        }
    }
    let mut socket = Raw::ready(&server, ada.token.as_deref()).await;
    let message = loop {
        socket.subscribe("1", "{ __typename }").await;
        let message = socket.hear().await;
        if message["type"] == "error" {
            break message;
        }
        assert_eq!(socket.hear().await["type"], "complete");
    };
    assert_limited(&message["payload"], "RATE_PER_VIEWER");
    other.ask("{ __typename }").await.data();
    server.nobody().ask("{ __typename }").await.data();
    assert!(server.metric("pumphouse_rate_limited_total").await >= 4.0);
    crate::support::until("a second has passed", || async { ada.ask("{ __typename }").await.0.get("errors").is_none() }).await;
}

#[tokio::test]
async fn an_address_that_asks_too_often_delays_no_other_and_a_network_of_version_6_is_one() {
    let server = limited(RateLimits { per_address: Some(1), per_viewer: None, burst: 3 }).await;
    let nobody = server.nobody();
    for network in ["192.0.2.1", "2001:db8::"] {
        let address = |n: u32| if network.contains(':') { format!("{network}{n:x}") } else { network.to_owned() };
        let mut statuses = Vec::new();
        for n in 1..8 {
            statuses.push(post(&server, &nobody, &address(n), "application/json").await.status().as_u16());
        }
        assert!(statuses.starts_with(&[200, 200, 200]) && statuses.contains(&429), "{statuses:?}");
    }
    assert_eq!(post(&server, &nobody, "192.0.2.2", "application/json").await.status(), 200);
    assert_eq!(post(&server, &nobody, "2001:db8:0:1::1", "application/json").await.status(), 200);
}

#[tokio::test]
async fn workers_and_sign_ins_are_counted_like_operations() {
    let server = limited(RateLimits { per_viewer: Some(1), per_address: None, burst: 3 }).await;
    for path in ["/worker/bootstrap", "/worker/deliveries"] {
        let worker = server.worker(uuid::Uuid::new_v4(), uuid::Uuid::new_v4());
        let mut statuses = Vec::new();
        for _ in 0..8 {
            let request = reqwest::Client::new().post(server.url(path)).bearer_auth(worker.token.as_deref().expect("a token"));
            let answer = request.send().await.expect("an answer");
            statuses.push(answer.status().as_u16());
            if answer.status() == 429 {
                assert!(answer.headers().contains_key("retry-after"));
                assert_limited(&answer.json::<Value>().await.expect("JSON")["errors"], "RATE_PER_VIEWER");
            }
        }
        assert!(statuses.starts_with(&[409, 409, 409]) && statuses.contains(&429), "{path}: {statuses:?}");
    }

    let nowhere = OidcSettings {
        issuer: "http://127.0.0.1:1".parse().expect("a URL"),
        client_id: "pumphouse".to_owned(),
        client_secret: None,
        public_url: "http://127.0.0.1:2".parse().expect("a URL"),
        creates_users: true,
    };
    let mut settings = TestSettings { oidc: Some(nowhere), ..TestSettings::default() };
    settings.server.rates = RateLimits { per_address: Some(1), per_viewer: None, burst: 3 };
    let server = Server::start_with(settings).await;
    let mut statuses = Vec::new();
    for path in ["/auth/oidc", "/auth/oidc/callback"].repeat(4) {
        let answer = reqwest::get(server.url(path)).await.expect("an answer");
        statuses.push((answer.status().as_u16(), answer.headers().contains_key("retry-after")));
    }
    assert_eq!(statuses.iter().take(3).collect::<Vec<_>>(), [&(503, false), &(400, false), &(503, false)]);
    assert!(statuses.contains(&(429, true)), "{statuses:?}");
}
