//! A filter that goes through other rows follows those rows.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Socket, Stage};

const OF_PIPELINES: &str = "subscription($p: [ID!]) { workerChanged(filter: {pipelineIds: $p}) { initial worker { id reason } } }";

async fn change(stage: &Stage, worker: Uuid, reason: &str) {
    sqlx::query("update worker set reason = $2 where id = $1")
        .bind(worker)
        .bind(reason)
        .execute(&stage.world.pool)
        .await
        .expect("a change");
}

/// The workers of the next events, in no order.
async fn shown(socket: &mut Socket, events: usize) -> Vec<Value> {
    let mut ids = Vec::new();
    for _ in 0..events {
        ids.push(socket.event().await["workerChanged"]["worker"]["id"].clone());
    }
    ids.sort_by_key(Value::to_string);
    ids
}

fn sorted(ids: &[Uuid]) -> Vec<Value> {
    let mut ids: Vec<Value> = ids.iter().map(|id| json!(id)).collect();
    ids.sort_by_key(Value::to_string);
    ids
}

#[tokio::test]
async fn a_pipeline_that_gets_another_source_brings_the_other_worker() {
    let stage = Stage::open().await;
    let (target, of_target) = stage.world.target(stage.team, "lake").await;
    let (other, of_other) = stage.world.source(stage.team, "other").await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    let pipeline = stage.world.pipeline(stage.team, "p", stage.connector, target, datamodel).await;
    let mut socket = stage.root.subscribe(OF_PIPELINES, json!({"p": [pipeline]})).await;
    assert_eq!(shown(&mut socket, 2).await, sorted(&[stage.worker, of_target]));
    change(&stage, of_other, "not followed").await;
    sqlx::query("update pipeline set source_connector_id = $2, datamodel_id = null where id = $1")
        .bind(pipeline)
        .bind(other)
        .execute(&stage.world.pool)
        .await
        .expect("repointed");
    assert_eq!(socket.event().await["workerChanged"]["worker"], Value::Null, "the former source's worker is taken back");
    assert_eq!(shown(&mut socket, 2).await, sorted(&[of_other, of_target]));
    change(&stage, stage.worker, "not followed any more").await;
    change(&stage, of_other, "followed now").await;
    assert_eq!(socket.event().await["workerChanged"], json!({"initial": false, "worker": {"id": of_other, "reason": "followed now"}}));
    sqlx::query("delete from pipeline where id = $1").bind(pipeline).execute(&stage.world.pool).await.expect("gone");
    assert_eq!(shown(&mut socket, 2).await, [Value::Null, Value::Null], "both are taken back");
    change(&stage, of_other, "of no pipeline").await;
    assert!(socket.is_quiet_for(std::time::Duration::from_millis(400)).await);
}
