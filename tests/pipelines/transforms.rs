//! `previewTransform` and the list of what there is to choose from.

use serde_json::{Value, json};

use crate::support::{Caller, Reply, Server};

async fn preview(caller: &Caller, config: Value, message: Value) -> Reply {
    let query = "query($config: JSON!, $message: JSON!) { previewTransform(config: $config, message: $message) { messages masked } }";
    caller.ask_with(query, json!({"config": config, "message": message})).await
}

#[tokio::test]
async fn a_chain_is_tried_out_on_a_message_without_its_secrets() {
    let server = Server::start().await;
    let user = server.user("user@example.com", false).await;
    let config = json!([
        {"type": "splitter", "field": "items"},
        {"type": "flattener"},
        {"type": "encrypt", "fields": ["email"], "key": {"$secret": "env:PUMPHOUSE_SECRET_KEY"}},
        {"type": "filter", "where": {"field": "items_n", "op": "gt", "value": 1}},
    ]);
    let message = json!({"email": "a@example.com", "items": [{"n": 1}, {"n": 2}, {"n": 3}]});
    let made = preview(&user, config, message).await.data()["previewTransform"].clone();
    let expected = [2, 3].map(|n| json!({"email": "<encrypted>", "items_n": n}));
    assert_eq!(made, json!({"messages": expected, "masked": ["/2/key"]}));
}

#[tokio::test]
async fn every_fault_of_a_chain_is_told_by_its_place_and_no_secret_with_it() {
    let server = Server::start().await;
    let user = server.user("user@example.com", false).await;
    let config = json!([{"type": "flattener"}, {"type": "encrypt", "fields": ["a"], "key": "hunter2"}, {"type": "hash"}, {"type": "none"}]);
    let reply = preview(&user, config, json!({})).await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("config/1/key")));
    let violations = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations").clone();
    let fields: Vec<&Value> = violations.iter().map(|violation| &violation["field"]).collect();
    assert_eq!(fields, ["config/1/key", "config/2", "config/3/type"]);
    assert!(!reply.0.to_string().contains("hunter2"));
    let refused = preview(&user, json!([{"type": "flattener"}, {"type": "splitter", "field": "a"}]), json!({"a": 1})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("config/1")));
    assert_eq!(refused.message(), "The message is refused by transform 2 (splitter): `a` is no list.");
    let list = preview(&user, json!([]), json!([1])).await;
    assert_eq!((list.code(), list.field()), ("VALIDATION", Some("message")));
    let bomb = json!([{"type": "splitter", "field": "a"}, {"type": "splitter", "field": "b"}, {"type": "splitter", "field": "c"}]);
    let items = vec![0; 500];
    let refused = preview(&user, bomb, json!({"a": items, "b": items, "c": items})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("config/0")));
    assert_eq!(preview(&server.nobody(), json!([]), json!({})).await.code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_thirteen_types_are_listed_with_their_schemas() {
    let server = Server::start().await;
    let user = server.user("user@example.com", false).await;
    let types = user.ask("{ transformTypes { id title description schema } }").await.data()["transformTypes"].clone();
    let types = types.as_array().expect("types");
    assert_eq!(types.len(), 13);
    for kind in types {
        assert_eq!(kind["schema"]["properties"]["type"]["const"], kind["id"]);
        assert_eq!(kind["schema"]["description"], kind["description"]);
    }
}
