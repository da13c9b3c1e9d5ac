//! Starts, stops and reports of one worker, in the orders that hurt.

use serde_json::json;
use uuid::Uuid;

use crate::support::{Stage, until_somebody_waits};

/// R01, the half about workers.
#[tokio::test]
async fn r01_stopping_holds_against_late_reports() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    stage.stop().await;
    let asked = stage.worker_now().await["stopRequestedAt"].clone();
    for state in ["LIVE", "BUILDING", "LIVE"] {
        let report = stage.report(generation, state, None).await;
        assert_eq!(report, json!({"accepted": false, "directive": "STOP", "worker": {"state": "STOPPING", "reason": null}}));
    }
    let now = stage.worker_now().await;
    assert_eq!((&now["state"], &now["stopRequestedAt"]), (&json!("STOPPING"), &asked));
    let stopped = stage.report(generation, "PAUSED", None).await;
    assert_eq!(stopped, json!({"accepted": true, "directive": "EXIT", "worker": {"state": "PAUSED", "reason": null}}));
    for state in ["LIVE", "BUILDING", "ERROR"] {
        let late = stage.report(generation, state, Some("late")).await;
        assert_eq!(late, json!({"accepted": false, "directive": "EXIT", "worker": {"state": "PAUSED", "reason": null}}));
    }
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE", "STOPPING", "PAUSED"]);
}

#[tokio::test]
async fn a_refused_report_counts_as_a_heartbeat_but_not_when_nothing_should_run() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    stage.stop().await;
    let before = stage.worker_now().await["lastHeartbeatAt"].clone();
    stage.report(generation, "LIVE", None).await;
    let refused = stage.worker_now().await["lastHeartbeatAt"].clone();
    assert_ne!(before, refused);
    stage.report(generation, "PAUSED", None).await;
    let paused = stage.worker_now().await["lastHeartbeatAt"].clone();
    stage.report(generation, "LIVE", None).await;
    stage.report(generation, "PAUSED", None).await;
    assert_eq!(stage.worker_now().await["lastHeartbeatAt"], paused);
}

#[tokio::test]
async fn r02_a_worker_that_fails_right_after_the_stop_is_still_told_to_exit() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let ((), report) = tokio::join!(stage.stop(), stage.report(generation, "ERROR", Some("broken pipe")));
    // Whichever came first: the next contacts lead to the end, and the reason is kept.
    if report["worker"]["state"] != "PAUSED" {
        let next = stage.report(generation, "ERROR", Some("broken pipe")).await;
        assert_eq!(next["worker"], json!({"state": "PAUSED", "reason": "broken pipe"}));
    }
    assert_eq!(stage.report(generation, "ERROR", Some("broken pipe")).await["directive"], "EXIT");
    assert_eq!(stage.worker_now().await["reason"], "broken pipe");
    assert_eq!(stage.worker_now().await["state"], "PAUSED");
}

#[tokio::test]
async fn r04_a_stop_between_launch_and_first_heartbeat_reaches_the_process() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    stage.stop().await;
    assert_eq!(stage.report(generation, "BUILDING", None).await["directive"], "STOP");
    assert_eq!(stage.report(generation, "PAUSED", None).await["directive"], "EXIT");
    assert_eq!(stage.worker_now().await["state"], "PAUSED");
    // An error of a fresh start would be shown; what a stopped one reports is not.
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "STOPPING", "PAUSED"]);
}

#[tokio::test]
async fn commands_that_have_nothing_to_do_change_nothing_and_leave_no_trace() {
    let stage = Stage::open().await;
    stage.stop().await;
    assert!(stage.audited().await.is_empty());
    let first = stage.start().await;
    assert_eq!(stage.start().await, first);
    stage.report(first, "LIVE", None).await;
    assert_eq!(stage.start().await, first);
    stage.stop().await;
    let asked = stage.worker_now().await["stopRequestedAt"].clone();
    stage.stop().await;
    assert_eq!(stage.worker_now().await["stopRequestedAt"], asked);
    assert_eq!(stage.command(&stage.root, "startWorker", stage.worker).await.code(), "CONFLICT");
    assert_eq!(stage.audited().await, ["start", "stop"]);
}

#[tokio::test]
async fn a_start_after_an_error_clears_the_past() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    assert_eq!(stage.report(first, "ERROR", Some("no route")).await["directive"], "RUN");
    assert_eq!(stage.report(first, "ERROR", Some("no route to host")).await["worker"]["reason"], "no route to host");
    // An error without words keeps those of the last one.
    assert_eq!(stage.report(first, "ERROR", None).await["worker"]["reason"], "no route to host");
    let second = stage.start().await;
    assert_ne!(first, second);
    let now = stage.worker_now().await;
    assert_eq!(
        json!([now["state"], now["reason"], now["lastHeartbeatAt"], now["health"], now["launchGeneration"]]),
        json!(["BUILDING", null, null, "STARTING", second])
    );
}

#[tokio::test]
async fn a_worker_recovers_from_its_error_by_itself() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    stage.report(generation, "ERROR", Some("no route")).await;
    assert_eq!(stage.report(generation, "LIVE", None).await["worker"], json!({"state": "LIVE", "reason": null}));
    assert_eq!(stage.generation().await, generation);
    assert_eq!(stage.worker_now().await["health"], "HEALTHY");
}

#[tokio::test]
async fn a_restart_starts_the_next_generation_in_the_commit_that_ends_the_last() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    assert_eq!(stage.worker_now().await["state"], "STOPPING");
    assert_eq!(stage.report(first, "LIVE", None).await["directive"], "STOP");
    let ended = stage.report(first, "PAUSED", None).await;
    assert_eq!(ended["directive"], "EXIT");
    assert_eq!(ended["worker"]["state"], "BUILDING");
    let second = stage.generation().await;
    assert_ne!(first, second);
    assert_eq!(
        stage.report(first, "LIVE", None).await,
        json!({"accepted": false, "directive": "EXIT", "worker": {"state": "BUILDING", "reason": null}})
    );
    assert_eq!(stage.report(second, "LIVE", None).await["directive"], "RUN");
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE", "STOPPING", "PAUSED", "BUILDING", "LIVE"]);
    assert_eq!(stage.audited().await, ["start", "restart"]);
}

#[tokio::test]
async fn a_restart_of_a_paused_worker_starts_it_and_a_stop_forgets_the_wish() {
    let stage = Stage::open().await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    let generation = stage.generation().await;
    assert_eq!(stage.worker_now().await["state"], "BUILDING");
    stage.report(generation, "LIVE", None).await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.stop().await;
    assert_eq!(stage.report(generation, "PAUSED", None).await["worker"]["state"], "PAUSED");
    // The wish does not come back with the next stop.
    let next = stage.live().await;
    stage.stop().await;
    assert_eq!(stage.report(next, "PAUSED", None).await["worker"]["state"], "PAUSED");
}

/// The wish is written beside the worker's row: whoever waited for the lock must see it.
#[tokio::test]
async fn a_wish_for_a_restart_is_not_lost_to_a_report_that_waited_for_it() {
    let stage = Stage::open().await;
    for _ in 0..5 {
        let generation = stage.live().await;
        let mut restart = stage.world.pool.begin().await.expect("a transaction");
        for sql in [
            "select 1 from worker where id = $1 for no key update",
            "update worker set state = 'STOPPING', stop_requested_at = now() where id = $1",
            "update pumphouse.worker_launch set restart_wanted = true where worker_id = $1",
        ] {
            sqlx::query(sql).bind(stage.worker).execute(&mut *restart).await.expect("a statement");
        }
        let report = stage.report(generation, "PAUSED", None);
        let commit = async {
            until_somebody_waits(&stage.world.pool).await;
            restart.commit().await.expect("commit");
        };
        let (report, ()) = tokio::join!(report, commit);
        assert_eq!(report["worker"]["state"], "BUILDING");
        stage.stop().await;
        let generation = stage.generation().await;
        stage.report(generation, "PAUSED", None).await;
    }
}

#[tokio::test]
async fn w05_a_superseded_generation_is_refused_whatever_it_says() {
    let stage = Stage::open().await;
    let old = stage.live().await;
    let run = stage.sync(&[("public.orders", Some(10))]).await;
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(old, "PAUSED", None).await;
    let new = stage.generation().await;
    stage.report(new, "LIVE", None).await;
    stage.progress(new, json!([{"syncTableId": table, "rowsIngested": 4}])).await.data();
    let (worker, before) = (stage.worker_now().await, stage.run(run).await);

    for (state, reason) in [("LIVE", None), ("BUILDING", None), ("PAUSED", None), ("ERROR", Some("zombie")), ("STOPPING", None)] {
        let report = stage.report(old, state, reason).await;
        assert_eq!(report, json!({"accepted": false, "directive": "EXIT", "worker": {"state": "LIVE", "reason": null}}), "{state}");
    }
    for status in ["IN_PROGRESS", "COMPLETED", "FAILED"] {
        let report = json!([{"syncTableId": table, "rowsIngested": 9, "status": status}]);
        let answer = stage.progress(old, report).await.data();
        assert_eq!(answer["reportSyncProgress"], json!({"accepted": false, "directive": "EXIT", "syncTables": []}));
    }
    assert_eq!(stage.worker_now().await, worker);
    assert_eq!(stage.run(run).await, before);
}

#[tokio::test]
async fn r12_a_process_that_shows_up_after_its_launch_timed_out_is_told_to_exit() {
    let stage = Stage::open().await;
    let old = stage.start().await;
    stage.write("update pumphouse.worker_launch set asked_at = now() - interval '11 minutes' where worker_id = $1").await;
    sqlx::query("update pumphouse.leader set hearing_since = now() - interval '1 hour'").execute(&stage.world.pool).await.expect("a past");
    let now = stage.worker_when(|worker| worker["state"] == "ERROR").await;
    assert_eq!((&now["reason"], &now["health"]), (&json!("launch timed out"), &json!("INACTIVE")));
    let late = stage.report(old, "LIVE", None).await;
    assert_eq!(late, json!({"accepted": false, "directive": "EXIT", "worker": {"state": "ERROR", "reason": "launch timed out"}}));
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "ERROR"]);
}

#[tokio::test]
async fn a_worker_reports_for_itself_alone_and_one_that_is_gone_is_told_to_exit() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let (_, other) = stage.world.source(stage.team, "other").await;
    let itself = stage.server.worker(stage.worker, generation);
    let report = |worker: Uuid| {
        format!(
            "mutation {{ reportWorker(input: {{workerId: \"{worker}\", launchGeneration: \"{generation}\", state: LIVE}}) {{ accepted directive worker {{ state }} }} }}"
        )
    };
    assert_eq!(itself.ask(&report(other)).await.code(), "NOT_FOUND");
    assert_eq!(stage.root.ask(&report(stage.worker)).await.code(), "FORBIDDEN");
    let stopping = report(stage.worker).replace("LIVE", "STOPPING");
    let refused = itself.ask(&stopping).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("state")));
    stage.write("delete from worker where id = $1").await;
    let gone = itself.ask(&report(stage.worker)).await.data();
    assert_eq!(gone["reportWorker"], json!({"accepted": false, "directive": "EXIT", "worker": null}));
}
