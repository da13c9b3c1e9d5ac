//! `POST /worker/deliveries`: what a worker is told to deliver while it runs, and how it hears that this has changed.

use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Flow, Socket};

async fn ask(flow: &Flow, caller: &Caller) -> (StatusCode, Value) {
    let request = reqwest::Client::new().post(flow.stage.server.url("/worker/deliveries"));
    let response = request.bearer_auth(caller.token.as_deref().unwrap_or_default()).send().await.expect("an answer");
    (response.status(), response.json().await.expect("JSON"))
}

#[tokio::test]
async fn a_worker_is_told_its_own_subscriptions_as_they_are() {
    let flow = Flow::open().await;
    let (source, target) = flow.live().await;
    let worker = flow.stage.server.worker(flow.target_worker, target);
    let input = json!({"pipelineSubscriptionId": flow.subscription, "errorTableEnabled": true, "errorTableName": "rejected",
        "transformConfig": [{"type": "hash", "fields": ["email"], "salt": {"$secret": "env:PUMPHOUSE_SECRET_SALT"}}]});
    flow.stage.root.change("updatePipelineSubscription", input, "pipelineSubscription { id }").await.data();
    let input = json!({"datamodelId": flow.datamodel, "config": {"table": "public.orders"}});
    flow.stage.root.change("updateDatamodel", input, "datamodel { id }").await.data();
    // One that is not enabled is nobody's business yet.
    flow.new_subscription(flow.pipeline, flow.datamodel, "elsewhere").await;
    let audited = flow.stage.audited().await;
    let told = json!({
        "id": flow.subscription, "name": "orders", "targetTable": "orders",
        "transforms": [{"type": "hash", "fields": ["email"], "salt": {"$secret": "env:PUMPHOUSE_SECRET_SALT"}}],
        "errorTable": {"name": "rejected", "own": true}, "sourceTopic": "shop.orders", "sourceConnector": "shop", "sourceTable": "public.orders",
    });
    assert_eq!(ask(&flow, &worker).await, (StatusCode::OK, json!({"datamodels": [], "subscriptions": [told]})));
    let (status, answer) = ask(&flow, &flow.stage.server.worker(flow.stage.worker, source)).await;
    let datamodel = json!({"id": flow.datamodel, "name": "orders", "sourceTopic": "shop.orders", "config": {"table": "public.orders"}});
    assert_eq!((status, answer), (StatusCode::OK, json!({"datamodels": [datamodel], "subscriptions": []})));
    assert_eq!(flow.stage.audited().await, audited, "there is nothing secret in it");

    for (caller, status) in [
        (flow.stage.server.nobody(), StatusCode::UNAUTHORIZED),
        (flow.stage.root.clone(), StatusCode::FORBIDDEN),
        (flow.stage.server.worker(flow.target_worker, Uuid::new_v4()), StatusCode::CONFLICT),
    ] {
        assert_eq!(ask(&flow, &caller).await.0, status);
    }
}

async fn mark(socket: &mut Socket) -> Value {
    socket.event().await["workerDirectives"]["deliveries"].clone()
}

#[tokio::test]
async fn a_mark_tells_of_every_change() {
    let flow = Flow::open().await;
    let (source, target) = flow.live().await;
    let follow = async |worker: Uuid, generation: Uuid| {
        let document = "subscription($w: ID!, $g: ID!) { workerDirectives(workerId: $w, launchGeneration: $g) { directive deliveries } }";
        flow.stage.server.worker(worker, generation).subscribe(document, json!({"w": worker, "g": generation})).await
    };
    let mut socket = follow(flow.target_worker, target).await;
    let mut marks = vec![mark(&mut socket).await];
    let change = async |mutation: &str, input: Value, payload: &str| flow.stage.root.change(mutation, input, payload).await.data();
    let subscription = |field: &str, value: Value| json!({"pipelineSubscriptionId": flow.subscription, field: value});
    change("updatePipelineSubscription", subscription("targetTableName", json!("elsewhere")), "pipelineSubscription { id }").await;
    marks.push(mark(&mut socket).await);
    change("updateDatamodel", json!({"datamodelId": flow.datamodel, "sourceTopic": "another"}), "datamodel { id }").await;
    marks.push(mark(&mut socket).await);
    change("updatePipelineSubscription", subscription("enabled", json!(false)), "pipelineSubscription { id }").await;
    marks.push(mark(&mut socket).await);
    change("updatePipelineSubscription", subscription("enabled", json!(true)), "pipelineSubscription { id }").await;
    marks.push(mark(&mut socket).await);
    assert_eq!(marks.iter().filter(|mark| mark.is_null()).count(), 1, "{marks:?}");
    assert!(marks[3].is_null(), "{marks:?}");
    marks.dedup();
    assert_eq!(marks.len(), 5, "{marks:?}");
    // A source delivers nothing.
    assert_eq!(mark(&mut follow(flow.stage.worker, source).await).await, Value::Null);
}
