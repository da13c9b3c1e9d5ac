//! Removals: what was told of and is gone or out of sight is taken back (A08).

use serde_json::{Value, json};

use crate::support::{Flow, Stage};

const WORKERS: &str = "subscription { workerChanged { initial removed workerId worker { id } } }";
const SYNCS: &str = "subscription { syncProgressed { initial removed syncRunId syncRun { id } } }";
const THROUGHPUT: &str = "subscription { throughputReported { initial removed entityId } }";

#[tokio::test]
async fn a08_a_deleted_connector_takes_back_its_worker_and_its_run() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    let stranger = stage.server.user("stranger@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    stage.live().await;
    let run = stage.sync(&[("a", None)]).await;
    let (mut workers, mut syncs) = (member.subscribe(WORKERS, json!({})).await, member.subscribe(SYNCS, json!({})).await);
    let mut silent = stranger.subscribe(WORKERS, json!({})).await;
    assert_eq!(workers.event().await["workerChanged"]["initial"], true);
    syncs.until(|event| event["syncProgressed"]["syncRunId"] == json!(run)).await;
    stage.write_of_connector("delete from connector where id = $1").await;
    let gone = workers.until(|event| event["workerChanged"]["removed"] == true).await;
    assert_eq!(gone["workerChanged"], json!({"initial": false, "removed": true, "workerId": stage.worker, "worker": null}));
    let gone = syncs.until(|event| event["syncProgressed"]["removed"] == true).await;
    assert_eq!(gone["syncProgressed"], json!({"initial": false, "removed": true, "syncRunId": run, "syncRun": null}));
    assert!(silent.is_quiet_for(std::time::Duration::from_millis(200)).await);
}

/// What is deleted while nobody listens is taken back when the listener is there again.
#[tokio::test]
async fn n05_what_went_while_the_listener_was_lost_is_taken_back() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    socket.event().await;
    let mut unheard = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("set local session_replication_role = replica").execute(&mut *unheard).await.expect("no notices");
    sqlx::query("delete from worker where id = $1").bind(stage.worker).execute(&mut *unheard).await.expect("gone");
    unheard.commit().await.expect("commit");
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'")
        .execute(&stage.world.pool)
        .await
        .expect("the listener's end");
    let gone = socket.event().await["workerChanged"].clone();
    assert_eq!(gone, json!({"initial": false, "removed": true, "workerId": stage.worker, "worker": null}));
}

/// No row is told of, and whoever lost sight of one hears of it all the same.
#[tokio::test]
async fn a_table_that_is_emptied_at_once_is_told_of_too() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let mut workers = member.subscribe(WORKERS, json!({})).await;
    assert_eq!(workers.event().await["workerChanged"]["initial"], true);
    sqlx::query("truncate team_member").execute(&stage.world.pool).await.expect("nobody is a member");
    let gone = workers.until(|event| event["workerChanged"]["removed"] == true).await;
    assert_eq!(gone["workerChanged"]["workerId"], json!(stage.worker));
}

#[tokio::test]
async fn a_datamodel_that_reports_nothing_is_not_gone_and_one_that_is_deleted_is() {
    let flow = Flow::open().await;
    let stage = &flow.stage;
    let (source, _) = flow.live().await;
    let now = chrono::Utc::now().timestamp_millis();
    let report = json!({"workerId": stage.worker, "launchGeneration": source, "batchId": "a",
        "rows": [{"topic": "shop.orders", "fromTs": now - 1_000, "toTs": now, "events": {"c": 1}}]});
    let worker = stage.server.worker(stage.worker, source);
    let reported = worker.change("reportProduction", report, "accepted").await;
    assert_eq!(reported.data()["reportProduction"]["accepted"], true);
    let mut socket = stage.root.subscribe(THROUGHPUT, json!({})).await;
    let first = socket.event().await["throughputReported"].clone();
    assert_eq!((&first["initial"], &first["entityId"]), (&json!(true), &json!(flow.datamodel)));
    // There are no points any more when the present state is read again, as when a connector moves.
    sqlx::query("delete from production_metric").execute(&stage.world.pool).await.expect("none");
    let other = stage.world.team(stage.env, "other").await;
    let move_to = "update connector set team_id = $2 where id = $1";
    sqlx::query(move_to).bind(flow.target).bind(other).execute(&stage.world.pool).await.expect("moved");
    // It comes next, so nothing was said in between.
    sqlx::query("delete from datamodel where id = $1").bind(flow.datamodel).execute(&stage.world.pool).await.expect("gone");
    let gone: Value = socket.event().await["throughputReported"].clone();
    assert_eq!(gone, json!({"initial": false, "removed": true, "entityId": flow.datamodel}));
}
