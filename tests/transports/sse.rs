//! GraphQL over server-sent events, in distinct connections mode.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use super::server;
use crate::support::{Caller, PATIENCE, Server, World, until};

/// A stream that is read event by event.
struct Events {
    response: Response,
    read: String,
}

impl Events {
    async fn open(server: &Server, caller: &Caller, query: &str) -> Self {
        let mut request =
            reqwest::Client::new().post(server.url("/graphql")).header("accept", "text/event-stream").json(&json!({"query": query}));
        if let Some(token) = &caller.token {
            request = request.bearer_auth(token);
        }
        Self { response: request.send().await.expect("an answer"), read: String::new() }
    }

    /// The next block, be it an event or a comment; none at the end.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.read.split_once("\n\n") {
                let block = block.to_owned();
                self.read = rest.to_owned();
                return Some(block);
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("something comes in time").ok()??;
            self.read.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// The kind and data of the next event.
    async fn event(&mut self) -> Option<(String, Value)> {
        loop {
            let block = self.block().await?;
            let Some(rest) = block.strip_prefix("event: ") else { continue };
            let (kind, data) = rest.split_once("\ndata: ").expect("data");
            return Some((kind.to_owned(), serde_json::from_str(data).unwrap_or_default()));
        }
    }
}

#[tokio::test]
async fn a_query_is_one_next_and_one_complete() {
    let server = Server::start().await;
    let mut events = Events::open(&server, &server.nobody(), "{ __typename }").await;
    assert_eq!(events.response.headers()["content-type"], "text/event-stream");
    assert_eq!(events.event().await, Some(("next".to_owned(), json!({"data": {"__typename": "Query"}}))));
    assert_eq!(events.event().await, Some(("complete".to_owned(), Value::Null)));
    assert_eq!(events.event().await, None);
}

#[tokio::test]
async fn a_subscription_pushes_and_lives_as_long_as_its_reader_and_its_session() {
    let server = server(|settings| settings.ping_interval = Duration::from_millis(200)).await;
    let world = World::of(&server);
    let root = server.superuser().await;
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    let document = "subscription { workerChanged { worker { state } } }";
    let mut events = Events::open(&server, &root, document).await;
    let (kind, first) = events.event().await.expect("the present state");
    assert_eq!((kind.as_str(), &first["data"]["workerChanged"]["worker"]["state"]), ("next", &json!("PAUSED")));
    assert_eq!(events.block().await.as_deref(), Some(":"), "a quiet stream says that it lives");
    sqlx::query("update worker set state = 'LIVE' where id = $1").bind(worker).execute(&world.pool).await.expect("a change");
    assert_eq!(events.event().await.expect("the change").1["data"]["workerChanged"]["worker"]["state"], "LIVE");

    let left = Events::open(&server, &root, document).await;
    until("two streams are counted", || async { server.metric("pumphouse_subscriptions").await == 2.0 }).await;
    drop(left);
    until("one stream is left", || async { server.metric("pumphouse_subscriptions").await == 1.0 }).await;

    root.ask("mutation { logout { expiresAt } }").await.data();
    let ended = tokio::time::timeout(Duration::from_secs(5), async {
        loop {
            // The worker that was said to be LIVE has not reported, which is worth an event too.
            let (_, event) = events.event().await.expect("an event");
            if event.get("errors").is_some() {
                return event;
            }
        }
    });
    assert_eq!(ended.await.expect("within five seconds")["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    assert_eq!(events.event().await.map(|(kind, _)| kind).as_deref(), Some("complete"));
}

#[tokio::test]
async fn what_cannot_start_has_a_status_and_a_stopping_server_leaves_streams_open_ended() {
    let server = Server::start().await;
    let nobody = server.nobody();
    assert_eq!(Events::open(&server, &nobody, "{").await.response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(Events::open(&server, &server.with_token("nonsense"), "{ __typename }").await.response.status(), StatusCode::UNAUTHORIZED);
    let plain = reqwest::Client::new().post(server.url("/graphql")).json(&json!({"query": "subscription { workerChanged { initial } }"}));
    let answer: Value = plain.send().await.unwrap().json().await.unwrap();
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("text/event-stream"), "{answer:#}");

    let root = server.superuser().await;
    let mut events = Events::open(&server, &root, "subscription { workerChanged { initial } }").await;
    assert_eq!(events.block().await.as_deref(), Some(":"));
    let Server { service, database, .. } = server;
    tokio::join!(service.stop(), async {
        assert_eq!(events.block().await.as_deref(), Some(": the server stops; connect again"));
        assert_eq!(events.event().await, None, "no complete: the client is to come back");
    });
    drop(database);
}
