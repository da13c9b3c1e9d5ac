//! A subscription that was told nothing yet, as nothing matches, outlives a database in trouble as others do: a client that is told
//! of its end does not come back.

use std::time::Duration;

use serde_json::json;

use crate::support::{Socket, Stage, TestSettings};

const WORKERS: &str = "subscription { workerChanged { worker { id reason } } }";
const NO_WORKER: &str = "subscription { workerChanged(filter: {workerIds: [\"00000000-0000-4000-8000-000000000000\"]}) { worker { id } } }";
const PIPELINES: &str = "subscription { pipelineStateChanged { pipeline { id name } } }";
const SYNCS: &str = "subscription { syncProgressed { syncRun { id } } }";
const DIRECTIVES: &str = "subscription($w: ID!, $g: ID!) { workerDirectives(workerId: $w, launchGeneration: $g) { directive } }";

/// How long nothing can be read: longer than several statements may take.
const TROUBLE: Duration = Duration::from_secs(5);
const END_LISTENER: &str = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()";

/// Locks tables for a while in which the worker changes; what each of the sockets said meanwhile is nothing.
async fn trouble(stage: &Stage, lock: &'static str, then: &'static str, sockets: &mut [&mut Socket]) {
    let mut locking = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query(lock).execute(&mut *locking).await.expect("a lock");
    sqlx::query(then).execute(&stage.world.pool).await.expect("a statement");
    let said = sockets.iter_mut().map(|socket| tokio::time::timeout(TROUBLE, socket.whenever()));
    for said in futures_util::future::join_all(said).await {
        assert!(said.is_err(), "{lock}: {said:?}");
    }
    locking.commit().await.expect("a commit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n06_subscriptions_that_matched_nothing_yet_outlive_a_database_in_trouble_as_others_do() {
    let stage = Stage::open_with(TestSettings { statement_timeout: Duration::from_secs(2), ..TestSettings::default() }).await;
    let generation = stage.live().await;
    let itself = stage.server.worker(stage.worker, generation);
    let mut workers = stage.root.subscribe(WORKERS, json!({})).await;
    let mut directives = itself.subscribe(DIRECTIVES, json!({"w": stage.worker, "g": generation})).await;
    let mut nothing = stage.root.subscribe(NO_WORKER, json!({})).await;
    let mut pipelines = stage.root.subscribe(PIPELINES, json!({})).await;
    let mut syncs = stage.root.subscribe(SYNCS, json!({})).await;
    workers.event().await;
    directives.event().await;
    // Nothing says that a quiet one has begun.
    assert!(syncs.is_quiet_for(Duration::from_secs(1)).await);

    let all = "lock table worker, pipeline, sync_run in access exclusive mode";
    trouble(&stage, all, END_LISTENER, &mut [&mut nothing, &mut pipelines, &mut syncs, &mut directives]).await;
    directives.event().await;
    let viewers = "lock table \"user\" in access exclusive mode";
    trouble(&stage, viewers, END_LISTENER, &mut [&mut nothing, &mut pipelines, &mut syncs]).await;
    let change = "update worker set reason = 'in trouble'";
    trouble(&stage, "lock table pipeline in access exclusive mode", change, &mut [&mut nothing, &mut pipelines]).await;

    workers.until(|event| event["workerChanged"]["worker"]["reason"] == "in trouble").await;
    let (target, _) = stage.world.target(stage.team, "lake").await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    stage.world.pipeline(stage.team, "late", stage.connector, target, datamodel).await;
    assert_eq!(pipelines.event().await["pipelineStateChanged"]["pipeline"]["name"], "late");
    let run = stage.sync(&[("a", None)]).await;
    assert_eq!(syncs.event().await["syncProgressed"]["syncRun"]["id"], json!(run));
    directives.until(|event| event["workerDirectives"]["directive"] == "SNAPSHOT").await;
    assert!(nothing.is_quiet_for(Duration::from_millis(100)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_while_the_present_state_cannot_be_read_is_told_so_beside_those_who_wait_for_it() {
    let stage = Stage::open_with(TestSettings { statement_timeout: Duration::from_secs(2), ..TestSettings::default() }).await;
    let mut waits = stage.root.subscribe(PIPELINES, json!({})).await;
    assert!(waits.is_quiet_for(Duration::from_secs(1)).await);
    let mut locking = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table pipeline in access exclusive mode").execute(&mut *locking).await.expect("a lock");
    sqlx::query(END_LISTENER).execute(&stage.world.pool).await.expect("an end");
    let mut comes = stage.root.subscribe(PIPELINES, json!({})).await;
    let told = comes.message().await.expect("a message");
    assert_eq!((&told["type"], &told["payload"]["errors"][0]["extensions"]["code"]), (&json!("next"), &json!("TIMEOUT")));
    assert_eq!(comes.message().await.expect("a message")["type"], "complete");
    assert!(waits.is_quiet_for(Duration::from_millis(100)).await);
    locking.commit().await.expect("a commit");
    let (target, _) = stage.world.target(stage.team, "lake").await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    stage.world.pipeline(stage.team, "late", stage.connector, target, datamodel).await;
    assert_eq!(waits.event().await["pipelineStateChanged"]["pipeline"]["name"], "late");
}
