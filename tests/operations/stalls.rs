//! Syncs that make no progress: noticed, explained, and ended when it lasts.

use std::time::Duration;

use pumphouse::operations::StallTimings;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Stage, TestSettings, statuses};

/// A stage whose server could hear for an hour.
async fn stage() -> Stage {
    let stage = Stage::open().await;
    // The first leader's beginning must not come after this.
    let led = "select count(*) from pumphouse.leader where epoch > 0";
    while sqlx::query_scalar::<_, i64>(led).fetch_one(&stage.world.pool).await.expect("a leader") == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    sqlx::query("update pumphouse.leader set hearing_since = now() - interval '1 hour'").execute(&stage.world.pool).await.expect("a past");
    stage
}

/// A sync of two tables whose first is under way; answers the generation, the run and that table.
async fn reading(stage: &Stage) -> (Uuid, Uuid, Uuid) {
    let generation = stage.live().await;
    let run = stage.sync(&[("a", None), ("b", None)]).await;
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 5}])).await.data();
    (generation, run, table)
}

/// Moves the past: the run was made, and last moved, 61 seconds ago.
async fn a_minute_passes(stage: &Stage) {
    for sql in [
        "alter table sync_run disable trigger user",
        "update sync_run set created_at = now() - interval '61 seconds'",
        "alter table sync_run enable trigger user",
        "update pumphouse.sync_run_tally set last_progress_at = now() - interval '61 seconds' where last_progress_at is not null",
    ] {
        sqlx::query(sql).execute(&stage.world.pool).await.expect("a past");
    }
}

fn stall(run: &Value) -> Value {
    json!([run["stalledSince"].is_string(), run["stalledReason"]])
}

#[tokio::test]
async fn s05_a_stall_appears_with_its_reason_and_the_next_row_ends_it() {
    let stage = stage().await;
    let (generation, run, table) = reading(&stage).await;
    let mut socket = stage.root.subscribe("subscription { syncProgressed { syncRun { stalledSince stalledReason } } }", json!({})).await;
    assert_eq!(stall(&socket.event().await["syncProgressed"]["syncRun"]), json!([false, null]));
    a_minute_passes(&stage).await;
    let event = socket.until(|event| event["syncProgressed"]["syncRun"]["stalledSince"].is_string()).await;
    let since = event["syncProgressed"]["syncRun"]["stalledSince"].clone();
    // Heartbeats, and reports without a row, are no progress; the beginning never moves.
    for _ in 0..3 {
        stage.report(generation, "LIVE", None).await;
        stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 5}])).await.data();
    }
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let now = stage.run(run).await;
    assert_eq!((&now["stalledSince"], &now["stalledReason"]), (&since, &json!("NO_PROGRESS")));
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 6}])).await.data();
    assert_eq!(stall(&stage.run(run).await), json!([false, "NO_PROGRESS"]));
    socket.until(|event| event["syncProgressed"]["syncRun"]["stalledSince"].is_null()).await;
}

#[tokio::test]
async fn s11_a_restart_is_no_progress() {
    let stage = stage().await;
    let (first, run, _) = reading(&stage).await;
    a_minute_passes(&stage).await;
    let stalled = stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(first, "PAUSED", None).await;
    let second = stage.generation().await;
    stage.report(second, "LIVE", None).await;
    let restarted = stage.run_when(run, |run| run["syncTables"]["nodes"][0]["progress"]["restarts"] == 1).await;
    assert_eq!(restarted["stalledSince"], stalled["stalledSince"]);
}

#[tokio::test]
async fn a_stall_says_whether_the_worker_is_silent_or_not_live() {
    let stage = stage().await;
    let (generation, run, table) = reading(&stage).await;
    stage.write("update worker set last_heartbeat_at = now() - interval '91 seconds' where id = $1").await;
    a_minute_passes(&stage).await;
    let silent = stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    assert_eq!(silent["stalledReason"], "WORKER_UNRESPONSIVE");
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 6}])).await.data();
    stage.report(generation, "ERROR", Some("no route")).await;
    a_minute_passes(&stage).await;
    let failed = stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    assert_eq!(failed["stalledReason"], "WORKER_NOT_LIVE");
}

#[tokio::test]
async fn while_a_stall_lasts_its_reason_is_the_present_one_and_its_beginning_stays() {
    let stage = stage().await;
    let (generation, run, _) = reading(&stage).await;
    a_minute_passes(&stage).await;
    let stalled = stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    assert_eq!(stalled["stalledReason"], "NO_PROGRESS");
    let becomes = async |reason: &str| {
        let now = stage.run_when(run, |run| run["stalledReason"] == reason).await;
        assert_eq!(now["stalledSince"], stalled["stalledSince"]);
    };
    stage.write("update worker set last_heartbeat_at = now() - interval '91 seconds' where id = $1").await;
    becomes("WORKER_UNRESPONSIVE").await;
    stage.report(generation, "ERROR", Some("no route")).await;
    becomes("WORKER_NOT_LIVE").await;
    stage.report(generation, "LIVE", None).await;
    becomes("NO_PROGRESS").await;
}

#[tokio::test]
async fn a_first_step_ends_the_stall_of_a_sync_that_waited_for_its_worker() {
    let stage = stage().await;
    let run = stage.sync(&[("a", None)]).await;
    a_minute_passes(&stage).await;
    let waiting = stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    assert_eq!(waiting["stalledReason"], "WORKER_NOT_LIVE");
    stage.report(stage.generation().await, "LIVE", None).await;
    stage.begun(run, 0).await;
    assert_eq!(stall(&stage.run(run).await), json!([false, "WORKER_NOT_LIVE"]));
}

/// W09, W12: the worker is gone for good; whoever asks is told who holds the connector, until the sync ends by itself; then the next
/// one is accepted.
#[tokio::test]
async fn w09_w12_a_sync_that_stalls_for_too_long_is_abandoned_and_frees_its_connector() {
    let stage = stage().await;
    let (generation, run, table) = reading(&stage).await;
    a_minute_passes(&stage).await;
    stage.run_when(run, |run| run["stalledSince"].is_string()).await;
    let held = stage.try_sync(&stage.root, &[("a", None)]).await;
    assert_eq!((held.code(), &held.0["errors"][0]["extensions"]["details"]["syncRunId"]), ("CONFLICT", &json!(run)));
    sqlx::query("update sync_run set stalled_since = now() - interval '31 minutes'").execute(&stage.world.pool).await.expect("a past");
    let ended = stage.run_when(run, |run| run["status"] == "CANCELLED").await;
    assert_eq!((statuses(&ended), stall(&ended)), (vec!["PARTIAL", "FAILED"], json!([true, "NO_PROGRESS"])));
    assert_eq!(ended["syncTables"]["nodes"][1]["errorReason"], "abandoned: no progress for 31 minutes");
    assert_eq!(ended["syncTables"]["nodes"][0]["errorReason"], Value::Null);
    let ends = stage.root.ask("{ syncRunEnds { nodes { cause byEmail syncRunId } } }").await.data();
    assert_eq!(ends["syncRunEnds"]["nodes"], json!([{"cause": "ABANDONED", "byEmail": null, "syncRunId": run}]));
    assert_eq!(stage.audited().await, ["start", "sync", "cancel"]);
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 99, "status": "COMPLETED"}])).await.data();
    assert_eq!(stage.run(run).await, ended);
    assert_ne!(stage.sync(&[("a", None)]).await, run);
}

/// Time in which nobody could have heard of progress is nobody's fault.
#[tokio::test]
async fn a_stalled_sync_is_not_given_up_for_time_in_which_the_server_was_down() {
    let stage = stage().await;
    let (generation, run, table) = reading(&stage).await;
    let mut past = stage.world.pool.begin().await.expect("a transaction");
    for sql in [
        "update sync_run set stalled_since = now() - interval '2 hours', stalled_reason = 'NO_PROGRESS'",
        "update pumphouse.leader set hearing_since = now()",
    ] {
        sqlx::query(sql).execute(&mut *past).await.expect("a past");
    }
    past.commit().await.expect("commit");
    // A stall for another reason is noted in the same rounds that would give it up.
    stage.report(generation, "ERROR", Some("no route")).await;
    let now = stage.run_when(run, |run| run["stalledReason"] == "WORKER_NOT_LIVE").await;
    assert_eq!(now["status"], "SYNCING");
    stage.report(generation, "LIVE", None).await;
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 6}])).await.data();
    assert_eq!(stall(&stage.run(run).await)[0], false);
}

/// R06: nobody is left to read for the run, and it does not hang for ever.
#[tokio::test]
async fn r06_a_sync_whose_worker_is_gone_stalls_and_is_given_up() {
    let stalls = StallTimings { stall_after: Duration::from_millis(300), abandon_after: Duration::from_secs(1) };
    let stage = Stage::open_with(TestSettings { stalls, ..TestSettings::default() }).await;
    let run = stage.sync(&[("a", None)]).await;
    stage.write("delete from worker where id = $1").await;
    let ended = stage.run_when(run, |run| run["status"] == "CANCELLED").await;
    assert_eq!(json!([statuses(&ended), ended["stalledReason"]]), json!([["FAILED"], "WORKER_NOT_LIVE"]));
}

#[tokio::test]
async fn the_times_are_settings() {
    let stalls = StallTimings { stall_after: Duration::from_millis(300), abandon_after: Duration::from_millis(300) };
    let stage = Stage::open_with(TestSettings { stalls, ..TestSettings::default() }).await;
    let run = stage.sync(&[("a", None)]).await;
    let ended = stage.run_when(run, |run| run["status"] == "CANCELLED").await;
    assert_eq!(json!([statuses(&ended), ended["stalledReason"]]), json!([["FAILED"], "WORKER_NOT_LIVE"]));
}

#[tokio::test]
async fn one_sync_that_somebody_holds_keeps_no_other_from_going_on() {
    let stage = stage().await;
    let (connector, worker) = stage.world.source(stage.team, "second").await;
    let mut runs = vec![stage.sync(&[("a", None)]).await];
    let second = Stage { connector, worker, ..stage };
    runs.push(second.sync(&[("a", None)]).await);
    // Whichever of the two comes first: each is held in its turn.
    for (held, free) in [(0, 1), (1, 0)] {
        let mut holder = second.world.pool.begin().await.expect("a transaction");
        sqlx::query("select 1 from sync_run where id = $1 for update").bind(runs[held]).execute(&mut *holder).await.expect("a lock");
        let worker: Uuid =
            sqlx::query_scalar("select w.id from worker w join sync_run r on r.connector_id = w.connector_id where r.id = $1")
                .bind(runs[free])
                .fetch_one(&second.world.pool)
                .await
                .expect("a worker");
        second.report_of(worker, second.world.generation(worker).await, "LIVE", None).await;
        second.begun(runs[free], 0).await;
        holder.rollback().await.expect("rollback");
    }
}
