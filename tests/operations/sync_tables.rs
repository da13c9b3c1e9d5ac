//! Single tables of a sync: left out, failed, read again; and what no order of events may break.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Reply, Stage, id, statuses};

/// Five tables, each alone.
const FIVE: [(&str, Option<i64>); 5] = [("t1", None), ("t2", None), ("t3", None), ("t4", None), ("t5", None)];

async fn skip(caller: &Caller, table: Uuid) -> Reply {
    caller.ask(&format!("mutation {{ skipSyncTable(input: {{syncTableId: \"{table}\"}}) {{ syncTable {{ status errorReason }} }} }}")).await
}

async fn retry(caller: &Caller, run: Uuid) -> Reply {
    caller.ask(&format!("mutation {{ retrySync(input: {{syncRunId: \"{run}\"}}) {{ syncRun {{ id status }} }} }}")).await
}

/// Reports one table, once it is its turn.
async fn end(stage: &Stage, generation: Uuid, run: Uuid, place: usize, status: &str) {
    stage.begun(run, place).await;
    let table = stage.tables(run).await[place];
    let reason = if status == "FAILED" { json!("no primary key") } else { Value::Null };
    let report = json!([{"syncTableId": table, "rowsIngested": 3, "status": status, "errorReason": reason}]);
    stage.progress(generation, report).await.data();
}

fn names(run: &Value) -> Vec<&str> {
    run["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| table["tableName"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn s07_one_table_is_skipped_one_is_read_again_and_the_others_go_on() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&FIVE).await;
    let tables = stage.tables(run).await;
    stage.begun(run, 0).await;
    let skipped = skip(&stage.root, tables[2]).await.data();
    assert_eq!(skipped["skipSyncTable"]["syncTable"], json!({"status": "FAILED", "errorReason": "skipped by root@example.com"}));
    for (table, status) in [(tables[0], "IN_PROGRESS"), (tables[2], "FAILED")] {
        let refused = skip(&stage.root, table).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("syncTableId")));
        assert_eq!(refused.0["errors"][0]["extensions"]["details"]["status"], status);
    }
    for (place, status) in [(0, "COMPLETED"), (1, "FAILED"), (3, "PARTIAL"), (4, "COMPLETED")] {
        end(&stage, generation, run, place, status).await;
    }
    let ended = stage.run(run).await;
    assert_eq!(statuses(&ended), ["COMPLETED", "FAILED", "FAILED", "PARTIAL", "COMPLETED"]);
    assert_eq!(json!([ended["status"], ended["outcome"]]), json!(["DONE", "PARTIAL"]));

    let again = id(&retry(&stage.root, run).await.data()["retrySync"]["syncRun"]["id"]);
    assert_eq!(names(&stage.run(again).await), ["t2", "t3", "t4"]);
    for place in 0..3 {
        end(&stage, generation, again, place, "COMPLETED").await;
    }
    assert_eq!(stage.run(again).await["outcome"], "SUCCEEDED");
    let nothing = retry(&stage.root, again).await;
    assert_eq!((nothing.code(), nothing.field()), ("CONFLICT", Some("syncRunId")));
    assert_eq!(stage.run(run).await, ended);
    assert_eq!(stage.audited().await, ["start", "sync", "skip", "retry"]);
}

#[tokio::test]
async fn a_skip_of_the_last_table_that_waits_ends_the_run_and_a_stall() {
    let stage = Stage::open().await;
    let run = stage.sync(&[("a", None), ("b", None)]).await;
    let tables = stage.tables(run).await;
    sqlx::query("update sync_run set stalled_since = now(), stalled_reason = 'WORKER_NOT_LIVE'")
        .execute(&stage.world.pool)
        .await
        .expect("a stall");
    skip(&stage.root, tables[0]).await.data();
    let now = stage.run(run).await;
    assert_eq!(json!([now["status"], now["stalledSince"], now["stalledReason"]]), json!(["SYNCING", null, "WORKER_NOT_LIVE"]));
    skip(&stage.root, tables[1]).await.data();
    let ended = stage.run(run).await;
    assert_eq!(json!([ended["status"], ended["outcome"]]), json!(["DONE", "FAILED"]));
    assert_eq!(
        stage.root.ask(&format!("{{ syncRun(id: \"{run}\") {{ end {{ cause byEmail }} }} }}")).await.data()["syncRun"]["end"],
        json!({"cause": "FINISHED", "byEmail": null})
    );
}

#[tokio::test]
async fn a_retry_waits_for_the_run_that_is_under_way_and_for_a_worker_that_stops() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&FIVE).await;
    let early = retry(&stage.root, run).await;
    assert_eq!((early.code(), early.field()), ("CONFLICT", Some("syncRunId")));
    assert_eq!(early.0["errors"][0]["extensions"]["details"]["syncRunId"], json!(run));
    stage.cancel(&stage.root, run).await.data();
    stage.stop().await;
    assert_eq!(retry(&stage.root, run).await.code(), "CONFLICT");
    stage.report(generation, "PAUSED", None).await;
    let again = id(&retry(&stage.root, run).await.data()["retrySync"]["syncRun"]["id"]);
    assert_eq!(names(&stage.run(again).await).len(), 5);
    assert_eq!(stage.worker_now().await["state"], "BUILDING");
}

#[tokio::test]
async fn what_one_may_not_skip_or_repeat_is_refused_without_a_trace() {
    let stage = Stage::open().await;
    let run = stage.sync(&FIVE).await;
    let table = stage.tables(run).await[0];
    let (stranger, reader) = (stage.server.user("stranger@example.com", false).await, stage.server.user("reader@example.com", false).await);
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let before = (stage.run(run).await, stage.audited().await);
    for (caller, code) in [(&stranger, "NOT_FOUND"), (&reader, "FORBIDDEN")] {
        for (reply, field) in [(skip(caller, table).await, "syncTableId"), (retry(caller, run).await, "syncRunId")] {
            assert_eq!((reply.code(), reply.field()), (code, Some(field)));
        }
    }
    let (unseen, missing) = (skip(&stranger, table).await, skip(&stranger, Uuid::new_v4()).await);
    assert_eq!(unseen.message(), missing.message());
    let (unseen, missing) = (retry(&stranger, run).await, retry(&stranger, Uuid::new_v4()).await);
    assert_eq!(unseen.message(), missing.message());
    assert_eq!((stage.run(run).await, stage.audited().await), before);
}

/// S04: one that always fails is tried once in a run; the rest is read, and every table says how it ended.
#[tokio::test]
async fn s04_a_table_that_always_fails_keeps_no_other_from_being_read() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let mut run = stage.sync(&FIVE).await;
    for (place, status) in [(0, "COMPLETED"), (1, "COMPLETED"), (2, "FAILED"), (3, "COMPLETED"), (4, "COMPLETED")] {
        end(&stage, generation, run, place, status).await;
    }
    for _ in 0..3 {
        let ended = stage.run(run).await;
        assert_eq!(ended["status"], "DONE");
        assert!(statuses(&ended).contains(&"FAILED"));
        // Nothing is tried again by itself: a retry is asked for.
        run = id(&retry(&stage.root, run).await.data()["retrySync"]["syncRun"]["id"]);
        assert_eq!(names(&stage.run(run).await), ["t3"]);
        end(&stage, generation, run, 0, "FAILED").await;
    }
}

/// R05: what was cancelled while it waited does not come back.
#[tokio::test]
async fn r05_a_cancelled_run_that_waited_makes_no_new_one() {
    let stage = Stage::open().await;
    let run = stage.sync(&FIVE).await;
    stage.cancel(&stage.root, run).await.data();
    let generation = stage.generation().await;
    stage.report(generation, "LIVE", None).await;
    // Another connector's sync is begun: the orchestrator has been round by then, three times.
    let (connector, worker) = stage.world.source(stage.team, "other").await;
    let cancelled = stage.run(run).await;
    let other = Stage { connector, worker, ..stage };
    let next = other.live().await;
    for _ in 0..3 {
        let run = other.sync(&[("t", None)]).await;
        end(&other, next, run, 0, "COMPLETED").await;
    }
    let runs = "select count(*) from sync_run where connector_id <> $1";
    assert_eq!(sqlx::query_scalar::<_, i64>(runs).bind(connector).fetch_one(&other.world.pool).await.expect("a count"), 1);
    assert_eq!(other.run(run).await, cancelled);
}

/// R07: whatever else was switched off, a run can be cancelled, and the answer says what goes on.
#[tokio::test]
async fn r07_a_cancel_works_when_all_is_disabled_and_says_what_is_left_running() {
    let stage = Stage::open().await;
    stage.live().await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    stage.world.pipeline(stage.team, "flow", stage.connector, target, datamodel).await;
    let run = stage.sync(&FIVE).await;
    stage.begun(run, 0).await;
    sqlx::query("update datamodel set enabled = false").execute(&stage.world.pool).await.expect("disabled");
    let cancel = format!("mutation {{ cancelSync(input: {{syncRunId: \"{run}\"}}) {{ syncRun {{ status }} worker {{ id state }} }} }}");
    for _ in 0..2 {
        let answer = stage.root.ask(&cancel).await.data();
        assert_eq!(answer["cancelSync"], json!({"syncRun": {"status": "CANCELLED"}, "worker": {"id": stage.worker, "state": "LIVE"}}));
    }
    stage.write("delete from worker where id = $1").await;
    assert_eq!(stage.root.ask(&cancel).await.data()["cancelSync"], json!({"syncRun": {"status": "CANCELLED"}, "worker": null}));
}

/// S15: a stop in the middle of a snapshot keeps the run and what was read, and says why nothing moves; the next generation reads
/// the table from the beginning.
#[tokio::test]
async fn s15_a_stop_in_mid_snapshot_leaves_a_run_that_the_next_generation_goes_on_with() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    let run = stage.sync(&[("a", Some(100)), ("b", None)]).await;
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    stage.progress(first, json!([{"syncTableId": table, "rowsIngested": 40}])).await.data();
    stage.stop().await;
    stage.report(first, "PAUSED", None).await;
    let stopped = stage.run(run).await;
    assert_eq!((statuses(&stopped), &stopped["status"]), (vec!["IN_PROGRESS", "QUEUED"], &json!("SYNCING")));
    assert_eq!(stopped["syncTables"]["nodes"][0]["rowsIngested"], 40);
    let second = stage.start().await;
    stage.report(second, "LIVE", None).await;
    // What is counted of the run is read beside its tables, an instant before them perhaps.
    let begins_again = |run: &Value| {
        let table = &run["syncTables"]["nodes"][0];
        table["progress"]["restarts"] == 1 && table["rowsIngested"] == 0 && run["progress"]["rows"] == 0
    };
    stage.run_when(run, begins_again).await;
    for place in 0..2 {
        end(&stage, second, run, place, "COMPLETED").await;
    }
    assert_eq!(stage.run(run).await["outcome"], "SUCCEEDED");
}

#[tokio::test]
async fn s04_a_table_that_ends_its_worker_every_time_is_given_up_and_the_next_is_read() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    let run = stage.sync(&[("a", None), ("b", None)]).await;
    stage.begun(run, 0).await;
    sqlx::query("update pumphouse.sync_table_progress set restarts = 19 where sync_table_id = $1")
        .bind(stage.tables(run).await[0])
        .execute(&stage.world.pool)
        .await
        .expect("many restarts");
    stage.report(first, "ERROR", Some("killed")).await;
    let second = stage.start().await;
    stage.report(second, "LIVE", None).await;
    stage.begun(run, 1).await;
    let given_up = stage.run(run).await["syncTables"]["nodes"][0].clone();
    assert_eq!((&given_up["status"], &given_up["progress"]["restarts"]), (&json!("FAILED"), &json!(20)));
    assert_eq!(given_up["errorReason"], "given up: its worker was restarted 20 times while reading it");
    end(&stage, second, run, 1, "COMPLETED").await;
    assert_eq!(stage.run(run).await["outcome"], "PARTIAL");
}

/// A pod that is restarted with its token: what it was reading begins again, and reading it counts as progress.
#[tokio::test]
async fn a_worker_that_boots_again_in_its_generation_begins_its_table_again() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let worker = stage.server.worker(stage.worker, generation);
    let boot = async || {
        let request =
            reqwest::Client::new().post(stage.server.url("/worker/bootstrap")).bearer_auth(worker.token.as_deref().expect("a token"));
        assert!(request.send().await.expect("an answer").status().is_success());
    };
    let run = stage.sync(&[("a", Some(100)), ("b", None)]).await;
    stage.begun(run, 0).await;
    boot().await;
    let table = stage.tables(run).await[0];
    let shown = async || {
        let run = stage.run(run).await;
        let table = &run["syncTables"]["nodes"][0];
        (table["rowsIngested"].as_i64(), table["progress"]["restarts"].as_i64())
    };
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 80}])).await.data();
    assert_eq!(shown().await, (Some(80), Some(0)));
    boot().await;
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 10}])).await.data();
    assert_eq!(shown().await, (Some(10), Some(1)));
}

/// S14: no way leads back from an end, and two runs of a connector are never under way, whoever pushes from both sides at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s14_illegal_moves_are_refused_and_change_nothing() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&FIVE).await;
    let tables = stage.tables(run).await;
    end(&stage, generation, run, 0, "COMPLETED").await;
    stage.begun(run, 1).await;
    // A table that waits cannot be reported, whatever the report says.
    for status in ["IN_PROGRESS", "COMPLETED", "PARTIAL", "FAILED"] {
        let early = stage.progress(generation, json!([{"syncTableId": tables[3], "rowsIngested": 1, "status": status}])).await;
        assert_eq!((early.code(), early.field()), ("CONFLICT", Some("tables.0.syncTableId")));
    }
    stage.cancel(&stage.root, run).await.data();
    let ended = stage.run(run).await;
    let reports = ["IN_PROGRESS", "COMPLETED", "PARTIAL", "FAILED"].map(|status| {
        let all: Vec<Value> = tables.iter().map(|table| json!({"syncTableId": table, "rowsIngested": 99, "status": status})).collect();
        stage.progress(generation, json!(all))
    });
    let skips = tables.iter().map(|table| skip(&stage.root, *table));
    let cancels = (0..4).map(|_| stage.cancel(&stage.root, run));
    let (reports, skips, cancels) = tokio::join!(
        futures_util::future::join_all(reports),
        futures_util::future::join_all(skips),
        futures_util::future::join_all(cancels)
    );
    assert!(reports.iter().chain(&cancels).all(|reply| reply.0.get("errors").is_none()));
    assert!(skips.iter().all(|reply| reply.code() == "CONFLICT"));
    assert_eq!(stage.run(run).await, ended);
    // Starts and retries from all sides: one run, and the others are told which.
    let starts = (0..5).map(|_| stage.try_sync(&stage.root, &FIVE));
    let retries = (0..5).map(|_| retry(&stage.root, run));
    let (starts, retries) = tokio::join!(futures_util::future::join_all(starts), futures_util::future::join_all(retries));
    let started = starts.iter().chain(&retries).filter(|reply| reply.0.get("errors").is_none()).count();
    assert_eq!(started, 1);
    assert!(starts.iter().chain(&retries).filter(|reply| reply.0.get("errors").is_some()).all(|reply| reply.code() == "CONFLICT"));
}
