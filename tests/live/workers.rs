//! `workerChanged`.

use serde_json::json;

use crate::support::{Server, World};

const CHANGES: &str = "subscription { workerChanged { initial previousState worker { id state health reason } } }";

#[tokio::test]
async fn a_subscriber_gets_the_present_state_then_every_transition_in_order() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;

    let mut socket = root.subscribe(CHANGES, json!({})).await;
    let first = socket.event().await;
    assert_eq!(
        first["workerChanged"],
        json!({"initial": true, "previousState": null, "worker": {"id": worker, "state": "PAUSED", "health": "INACTIVE", "reason": null}})
    );

    root.ask_with("mutation($id: ID!) { startWorker(input: {workerId: $id}) { worker { state } } }", json!({"id": worker})).await.data();
    let started = socket.event().await;
    assert_eq!(
        started["workerChanged"],
        json!({"initial": false, "previousState": "PAUSED", "worker": {"id": worker, "state": "BUILDING", "health": "STARTING", "reason": null}})
    );

    let generation = world.generation(worker).await;
    let itself = server.worker(worker, generation);
    let report = "mutation($w: ID!, $g: ID!, $s: WorkerState!, $r: String) { reportWorker(input: {workerId: $w, launchGeneration: $g, state: $s, reason: $r}) { accepted directive worker { state } } }";
    let live = itself.ask_with(report, json!({"w": worker, "g": generation, "s": "LIVE"})).await.data();
    assert_eq!(live["reportWorker"], json!({"accepted": true, "directive": "RUN", "worker": {"state": "LIVE"}}));
    let error = itself.ask_with(report, json!({"w": worker, "g": generation, "s": "ERROR", "r": "no route to host"})).await.data();
    assert_eq!(error["reportWorker"]["directive"], "RUN");
    let states = [socket.event().await, socket.event().await];
    assert_eq!(states[0]["workerChanged"]["worker"]["state"], "LIVE");
    assert_eq!(
        states[1]["workerChanged"],
        json!({"initial": false, "previousState": "LIVE", "worker": {"id": worker, "state": "ERROR", "health": "INACTIVE", "reason": "no route to host"}})
    );
}
