//! `pipelineStateChanged`.

use std::time::Duration;

use pumphouse::service::Service;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Flow, Socket, TestSettings, settings};

const STATES: &str = "subscription($f: PipelineStateChangedFilter) { pipelineStateChanged(filter: $f) {
    initial removed previousState state pipelineId pipeline { id } } }";
const QUIET: Duration = Duration::from_millis(400);

async fn follow(caller: &Caller, filter: Value) -> Socket {
    caller.subscribe(STATES, json!({"f": filter})).await
}

/// What is said next, in short: `initial`, `removed`, and the states before and after.
async fn said(socket: &mut Socket, pipeline: Uuid) -> Value {
    let event = socket.event().await["pipelineStateChanged"].clone();
    assert_eq!(event["pipelineId"], json!(pipeline));
    json!([event["initial"], event["removed"], event["previousState"], event["state"]])
}

async fn sql(flow: &Flow, statement: &'static str, id: Uuid) {
    sqlx::query(statement).bind(id).execute(&flow.stage.world.pool).await.expect("a statement");
}

#[tokio::test]
async fn a_pipeline_is_followed_from_its_present_state_through_every_change_whatever_it_comes_from() {
    let flow = Flow::open().await;
    let mut socket = follow(&flow.stage.root, json!({"pipelineIds": [flow.pipeline]})).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([true, false, null, "PAUSED"]));
    // The pipeline and both workers, in one transaction.
    flow.run(&flow.stage.root, "startPipeline", flow.pipeline).await.data();
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, false, "PAUSED", "BUILDING"]));
    let (source, target) = (flow.stage.generation().await, flow.stage.world.generation(flow.target_worker).await);
    flow.stage.report(source, "LIVE", None).await;
    flow.stage.report_of(flow.target_worker, target, "LIVE", None).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, false, "BUILDING", "LIVE"]));
    // A worker.
    flow.stage.report_of(flow.target_worker, target, "ERROR", Some("no room")).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, false, "LIVE", "ERROR"]));
    // A subscription, by another writer of the database.
    sql(&flow, "update subscription set enabled = false where id = $1", flow.subscription).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, false, "ERROR", "PAUSED"]));
    sql(&flow, "delete from subscription where id = $1", flow.subscription).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, false, "PAUSED", "DRAFT"]));
    // What changes without changing its state is not told.
    sql(&flow, "update pipeline set name = 'another name' where id = $1", flow.pipeline).await;
    assert!(socket.is_quiet_for(QUIET).await);
    sql(&flow, "delete from pipeline where id = $1", flow.pipeline).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, true, null, null]));
}

#[tokio::test]
async fn the_last_subscription_that_goes_changes_the_pipeline_it_leaves_also_when_it_goes_to_another() {
    let flow = Flow::open().await;
    let other = flow.new_pipeline("other").await;
    sql(&flow, "update subscription set enabled = true where id = $1", flow.subscription).await;
    let (mut left, mut joined) = (
        follow(&flow.stage.root, json!({"pipelineIds": [flow.pipeline]})).await,
        follow(&flow.stage.root, json!({"pipelineIds": [other]})).await,
    );
    left.event().await;
    assert_eq!(said(&mut joined, other).await, json!([true, false, null, "DRAFT"]));
    sqlx::query("update subscription set pipeline_id = $2 where id = $1")
        .bind(flow.subscription)
        .bind(other)
        .execute(&flow.stage.world.pool)
        .await
        .expect("another pipeline");
    assert_eq!(said(&mut left, flow.pipeline).await, json!([false, false, "PAUSED", "DRAFT"]));
    assert_eq!(said(&mut joined, other).await, json!([false, false, "DRAFT", "PAUSED"]));
}

#[tokio::test]
async fn a_change_of_a_shared_connector_is_one_of_every_pipeline_that_it_serves_at_every_replica() {
    let flow = Flow::open().await;
    let second = flow.new_pipeline("second").await;
    let orders = flow.new_datamodel("customers").await;
    flow.new_subscription(second, orders, "customers").await;
    let replica = Service::start(settings(&flow.stage.server.database.url, &TestSettings::default())).await.expect("a replica");
    let mut here = follow(&flow.stage.root, json!({"connectorIds": [flow.stage.connector]})).await;
    let mut there = Socket::connect(&format!("http://{}/graphql", replica.address()), flow.stage.root.token.as_deref()).await;
    there.subscribe("1", STATES, json!({"f": {"teamId": flow.stage.team}})).await;
    for socket in [&mut here, &mut there] {
        for _ in 0..2 {
            assert_eq!(socket.event().await["pipelineStateChanged"]["initial"], true);
        }
    }
    sqlx::query("update subscription set enabled = true").execute(&flow.stage.world.pool).await.expect("enabled");
    assert!(here.is_quiet_for(QUIET).await && there.is_quiet_for(QUIET).await);
    flow.stage.start().await;
    for socket in [&mut here, &mut there] {
        let mut told = Vec::new();
        for _ in 0..2 {
            let event = socket.event().await["pipelineStateChanged"].clone();
            assert_eq!((&event["previousState"], &event["state"]), (&json!("PAUSED"), &json!("BUILDING")));
            told.push(event["pipeline"]["id"].clone());
        }
        told.sort_by_key(Value::to_string);
        let mut both = [json!(flow.pipeline), json!(second)];
        both.sort_by_key(Value::to_string);
        assert_eq!(told, both);
        assert!(socket.is_quiet_for(Duration::from_millis(100)).await);
    }
    replica.stop().await;
}

#[tokio::test]
async fn a_pipeline_out_of_sight_is_taken_back_and_never_told_of_to_others() {
    let flow = Flow::open().await;
    let member = flow.stage.server.user("member@example.com", false).await;
    let stranger = flow.stage.server.user("stranger@example.com", false).await;
    flow.stage.world.join_team(member.id, flow.stage.team, false).await;
    let other = flow.stage.world.team(flow.stage.env, "other").await;
    flow.stage.world.join_team(stranger.id, other, false).await;
    let mut socket = follow(&member, Value::Null).await;
    let mut silent = follow(&stranger, json!({"pipelineIds": [flow.pipeline]})).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([true, false, null, "PAUSED"]));
    flow.stage.world.change_rights("delete from team_member where user_id = $1", member.id).await;
    assert_eq!(said(&mut socket, flow.pipeline).await, json!([false, true, null, null]));
    flow.run(&flow.stage.root, "startPipeline", flow.pipeline).await.data();
    assert!(socket.is_quiet_for(QUIET).await && silent.is_quiet_for(QUIET).await);
}
