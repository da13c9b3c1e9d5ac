//! Reloading one table: the request, the instruction that repeats it, and its confirmation.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Flow, Reply, Socket, id};

const DIRECTIVES: &str = "subscription($w: ID!, $g: ID!) { workerDirectives(workerId: $w, launchGeneration: $g) {
    directive backfillId subscription { id targetTableName transformConfig } } }";

async fn follow(flow: &Flow, generation: Uuid) -> Socket {
    let worker = flow.target_worker;
    flow.stage.server.worker(worker, generation).subscribe(DIRECTIVES, json!({"w": worker, "g": generation})).await
}

async fn told(socket: &mut Socket) -> Value {
    socket.event().await["workerDirectives"].clone()
}

/// The backfill that the worker is told of next.
async fn asked(socket: &mut Socket, subscription: Uuid) -> Uuid {
    let instruction = told(socket).await;
    assert_eq!(
        (&instruction["directive"], &instruction["subscription"]["id"]),
        (&json!("BACKFILL"), &json!(subscription)),
        "{instruction}"
    );
    id(&instruction["backfillId"])
}

async fn switch(flow: &Flow, subscription: Uuid, on: bool) {
    let input = json!({"pipelineSubscriptionId": subscription, "backfill": on});
    flow.stage.root.change("updatePipelineSubscription", input, "pipelineSubscription { id }").await.data();
}

async fn confirm(flow: &Flow, worker: Uuid, generation: Uuid, backfill: Uuid) -> Reply {
    let input = json!({"workerId": worker, "launchGeneration": generation, "backfillId": backfill});
    flow.stage
        .server
        .worker(worker, generation)
        .change("confirmBackfill", input, "accepted refusal directive pipelineSubscription { id backfill }")
        .await
}

async fn confirmed(flow: &Flow, generation: Uuid, backfill: Uuid) -> Value {
    confirm(flow, flow.target_worker, generation, backfill).await.data()["confirmBackfill"].clone()
}

#[tokio::test]
async fn a_reload_is_asked_for_until_it_is_confirmed_and_then_switched_off() {
    let flow = Flow::open().await;
    let (_, generation) = flow.live().await;
    let mut socket = follow(&flow, generation).await;
    assert_eq!(told(&mut socket).await, json!({"directive": "RUN", "backfillId": null, "subscription": null}));
    switch(&flow, flow.subscription, true).await;
    let instruction = told(&mut socket).await;
    let backfill = id(&instruction["backfillId"]);
    assert_eq!(instruction["subscription"], json!({"id": flow.subscription, "targetTableName": "orders", "transformConfig": []}));
    // Whoever connects anew is told again, and of the same.
    assert_eq!(asked(&mut follow(&flow, generation).await, flow.subscription).await, backfill);
    let version = flow.version().await;
    let subscription = json!({"id": flow.subscription, "backfill": false});
    let taken = json!({"accepted": true, "refusal": null, "directive": "RUN", "pipelineSubscription": subscription});
    assert_eq!(confirmed(&flow, generation, backfill).await, taken);
    assert_eq!(told(&mut socket).await["directive"], "RUN");
    assert_eq!(flow.version().await, version, "what a worker says raises no version");
    // Said again, as the first answer may have been lost: nothing happens twice.
    let audited = flow.stage.audited().await;
    assert_eq!(audited.last().map(String::as_str), Some("confirm"));
    assert_eq!(confirmed(&flow, generation, backfill).await, taken);
    assert_eq!(flow.stage.audited().await, audited);
}

#[tokio::test]
async fn a_request_that_was_withdrawn_or_made_anew_takes_no_confirmation_of_the_old() {
    let flow = Flow::open().await;
    let (_, generation) = flow.live().await;
    let mut socket = follow(&flow, generation).await;
    told(&mut socket).await;
    switch(&flow, flow.subscription, true).await;
    let first = asked(&mut socket, flow.subscription).await;
    switch(&flow, flow.subscription, false).await;
    assert_eq!(told(&mut socket).await["directive"], "RUN");
    let refused = json!({"accepted": false, "refusal": "WITHDRAWN", "directive": "RUN", "pipelineSubscription": null});
    assert_eq!(confirmed(&flow, generation, first).await, refused);
    switch(&flow, flow.subscription, true).await;
    let second = asked(&mut socket, flow.subscription).await;
    assert_ne!(first, second);
    assert_eq!(confirmed(&flow, generation, first).await, refused);
    assert_eq!(flow.now(flow.pipeline).await["pipelineSubscriptions"]["nodes"][0]["backfill"], true);
    // Another worker confirms nothing of this one's.
    let source = flow.stage.generation().await;
    assert_eq!(confirm(&flow, flow.stage.worker, source, second).await.data()["confirmBackfill"], refused);
    assert_eq!(confirmed(&flow, generation, second).await["accepted"], true);
}

#[tokio::test]
async fn another_table_or_topic_is_another_backfill() {
    let flow = Flow::open().await;
    let (_, generation) = flow.live().await;
    let mut socket = follow(&flow, generation).await;
    told(&mut socket).await;
    switch(&flow, flow.subscription, true).await;
    let mut last = asked(&mut socket, flow.subscription).await;
    let table = json!({"pipelineSubscriptionId": flow.subscription, "targetTableName": "orders_2"});
    let topic = json!({"datamodelId": flow.datamodel, "sourceTopic": "shop.orders_2"});
    for (mutation, input, answer) in
        [("updatePipelineSubscription", table, "pipelineSubscription { id }"), ("updateDatamodel", topic, "datamodel { id }")]
    {
        flow.stage.root.change(mutation, input, answer).await.data();
        let next = loop {
            let next = asked(&mut socket, flow.subscription).await;
            if next != last {
                break next;
            }
        };
        assert_eq!(confirmed(&flow, generation, last).await["refusal"], "WITHDRAWN", "{mutation}");
        last = next;
    }
    assert_eq!(confirmed(&flow, generation, last).await["accepted"], true);
}

#[tokio::test]
async fn a_superseded_generation_confirms_nothing_and_the_next_is_asked_again() {
    let flow = Flow::open().await;
    let (_, old) = flow.live().await;
    switch(&flow, flow.subscription, true).await;
    let backfill = asked(&mut follow(&flow, old).await, flow.subscription).await;
    flow.stage.command(&flow.stage.root, "restartWorker", flow.target_worker).await.data();
    flow.stage.report_of(flow.target_worker, old, "PAUSED", None).await;
    let refused = json!({"accepted": false, "refusal": "SUPERSEDED", "directive": "EXIT", "pipelineSubscription": null});
    assert_eq!(confirmed(&flow, old, backfill).await, refused);
    let new = flow.stage.world.generation(flow.target_worker).await;
    let mut socket = follow(&flow, new).await;
    assert_eq!(told(&mut socket).await["directive"], "RUN", "only one that is live is given work");
    flow.stage.report_of(flow.target_worker, new, "LIVE", None).await;
    assert_eq!(asked(&mut socket, flow.subscription).await, backfill);
    assert_eq!(confirmed(&flow, new, backfill).await["accepted"], true);
}

#[tokio::test]
async fn several_reloads_are_asked_for_one_after_the_other() {
    let flow = Flow::open().await;
    let (_, generation) = flow.live().await;
    let second = flow.new_subscription(flow.pipeline, flow.datamodel, "copies").await;
    let mut socket = follow(&flow, generation).await;
    told(&mut socket).await;
    switch(&flow, flow.subscription, true).await;
    let first = asked(&mut socket, flow.subscription).await;
    // One that is not processed waits until it is.
    switch(&flow, second, true).await;
    assert_eq!(confirmed(&flow, generation, first).await["accepted"], true);
    assert_eq!(told(&mut socket).await["directive"], "RUN");
    flow.run(&flow.stage.root, "startPipeline", flow.pipeline).await.data();
    let last = asked(&mut socket, second).await;
    // By another writer, and into another target: the old one is told to let go.
    let (lake, _) = flow.stage.world.target(flow.stage.team, "lake").await;
    sqlx::query("update subscription set target_connector_id = $2 where id = $1")
        .bind(second)
        .bind(lake)
        .execute(&flow.stage.world.pool)
        .await
        .expect("moved");
    assert_eq!(told(&mut socket).await["directive"], "RUN");
    assert_eq!(confirmed(&flow, generation, last).await["accepted"], false);
    // What is deleted is not asked for any more.
    switch(&flow, flow.subscription, true).await;
    asked(&mut socket, flow.subscription).await;
    let gone = json!({"pipelineSubscriptionId": flow.subscription});
    flow.stage.root.change("deletePipelineSubscription", gone, "__typename").await.data();
    assert_eq!(told(&mut socket).await["directive"], "RUN");
    assert!(socket.is_quiet_for(Duration::from_millis(300)).await);
}

#[tokio::test]
async fn nobody_but_the_worker_confirms() {
    let flow = Flow::open().await;
    let (_, generation) = flow.live().await;
    switch(&flow, flow.subscription, true).await;
    let backfill = asked(&mut follow(&flow, generation).await, flow.subscription).await;
    let input = json!({"workerId": flow.target_worker, "launchGeneration": generation, "backfillId": backfill});
    let stranger = flow.stage.server.user("stranger@example.com", false).await;
    let plain = flow.stage.service_account(flow.stage.team, false).await;
    for (caller, code) in [(&flow.stage.root, "FORBIDDEN"), (&stranger, "NOT_FOUND"), (&plain, "FORBIDDEN")] {
        let refused = caller.change("confirmBackfill", input.clone(), "accepted").await;
        assert_eq!((refused.code(), refused.field()), (code, Some("workerId")));
    }
    let account = flow.stage.service_account(flow.stage.team, true).await;
    assert_eq!(account.change("confirmBackfill", input, "accepted").await.data()["confirmBackfill"]["accepted"], true);
}
