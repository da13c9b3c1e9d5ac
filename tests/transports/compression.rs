//! What is compressed, and what never is.

use serde_json::json;

use super::server;
use crate::support::{Caller, Server};

/// The encoding of an answer.
async fn encoding(server: &Server, takes: &str, accept: &str, query: &str) -> Option<String> {
    of(&server.nobody(), server, takes, accept, query).await
}

async fn of(caller: &Caller, server: &Server, takes: &str, accept: &str, query: &str) -> Option<String> {
    let request = reqwest::Client::new().post(server.url("/graphql")).header("accept", accept).header("accept-encoding", takes);
    let request = if let Some(token) = &caller.token { request.bearer_auth(token) } else { request };
    let answer = request.json(&json!({"query": query})).send().await.expect("an answer");
    answer.headers().get("content-encoding").map(|encoding| encoding.to_str().expect("text").to_owned())
}

#[tokio::test]
async fn long_answers_are_compressed_as_the_client_likes_and_short_ones_streams_and_mutations_are_not() {
    let open = Server::start().await;
    let (long, json) = ("{ __schema { types { name description } } }", "application/json");
    for (takes, wanted) in
        [("gzip", Some("gzip")), ("br", Some("br")), ("gzip, deflate, br, zstd", Some("br")), ("zstd", None), ("identity", None)]
    {
        assert_eq!(encoding(&open, takes, json, long).await.as_deref(), wanted, "{takes}");
    }
    assert_eq!(encoding(&open, "gzip", json, "{ __typename }").await, None);
    assert_eq!(encoding(&open, "gzip", "text/event-stream", long).await, None, "events must not wait for more");
    let mutation = format!("mutation {{ logout {{ {} }} }}", (0..100).map(|n| format!("a{n}: expiresAt ")).collect::<String>());
    assert_eq!(of(&open.superuser().await, &open, "gzip", json, &mutation).await, None, "what a mutation answers may be a secret");
    let closed = server(|settings| settings.compression = false).await;
    let request = reqwest::Client::new().post(closed.url("/graphql")).header("accept-encoding", "gzip").json(&json!({"query": long}));
    assert!(!request.send().await.expect("an answer").headers().contains_key("content-encoding"));
}
