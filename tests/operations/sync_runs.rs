//! Starting and ending syncs, and the order of their tables.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Stage, id, statuses};

/// The tables of most tests: each goes alone.
const FIVE: [(&str, Option<i64>); 5] = [("t1", None), ("t2", None), ("t3", None), ("t4", None), ("t5", None)];

#[tokio::test]
async fn a_sync_reads_one_step_after_the_other_and_ends_with_the_last() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(10)), ("b", Some(20)), ("c", None)]).await;
    let tables = stage.tables(run).await;
    stage.begun(run, 1).await;
    let first = stage.run(run).await;
    assert_eq!(statuses(&first), ["IN_PROGRESS", "IN_PROGRESS", "QUEUED"]);
    let report = json!([
        {"syncTableId": tables[0], "rowsIngested": 10, "status": "COMPLETED"},
        {"syncTableId": tables[1], "rowsIngested": 5, "status": "FAILED", "errorReason": "no key"},
    ]);
    stage.progress(generation, report).await.data();
    stage.begun(run, 2).await;
    stage.progress(generation, json!([{"syncTableId": tables[2], "rowsIngested": 7, "status": "COMPLETED"}])).await.data();
    let done = stage.run(run).await;
    assert_eq!(json!([done["status"], done["outcome"], done["progress"]["percent"]]), json!(["DONE", "PARTIAL", null]));
    assert_eq!(statuses(&done), ["COMPLETED", "FAILED", "COMPLETED"]);
    assert_eq!(done["syncTables"]["nodes"][1]["errorReason"], "no key");
    let (cause, by, rows): (String, Option<String>, i64) =
        sqlx::query_as("select cause, by_email, rows_ingested from pumphouse.sync_run_end where sync_run_id = $1")
            .bind(run)
            .fetch_one(&stage.world.pool)
            .await
            .expect("an end");
    assert_eq!((cause.as_str(), by, rows), ("FINISHED", None, 22));
}

#[tokio::test]
async fn s02_a_restart_in_the_middle_keeps_what_is_done_and_the_order_of_the_rest() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    let run = stage.sync(&FIVE).await;
    let tables = stage.tables(run).await;
    stage.begun(run, 0).await;
    stage.progress(first, json!([{"syncTableId": tables[0], "rowsIngested": 100, "status": "COMPLETED"}])).await.data();
    stage.begun(run, 1).await;
    stage.progress(first, json!([{"syncTableId": tables[1], "rowsIngested": 40}])).await.data();
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(first, "PAUSED", None).await;
    let second = stage.generation().await;
    stage.report(second, "LIVE", None).await;
    // A query is several statements: rows and restarts may be of two instants while the restart is under way.
    let begun_anew = |run: &Value| {
        let table = &run["syncTables"]["nodes"][1];
        table["progress"]["restarts"] == 1 && table["rowsIngested"] == 0
    };
    let restarted = stage.run_when(run, begun_anew).await;
    assert_eq!(statuses(&restarted), ["COMPLETED", "IN_PROGRESS", "QUEUED", "QUEUED", "QUEUED"]);
    let shown = |index: usize, run: &Value| {
        let table = &run["syncTables"]["nodes"][index];
        json!([table["rowsIngested"], table["progress"]["restarts"], table["progress"]["reported"]])
    };
    assert_eq!(shown(0, &restarted), json!([100, 0, true]));
    assert_eq!(shown(1, &restarted), json!([0, 1, false]));
    // It goes on in order, and the second generation may count from the beginning.
    for (index, table) in tables.iter().enumerate().skip(1) {
        stage.begun(run, index).await;
        stage.progress(second, json!([{"syncTableId": table, "rowsIngested": 3, "status": "COMPLETED"}])).await.data();
    }
    assert_eq!(stage.run(run).await["outcome"], "SUCCEEDED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r10_of_twenty_starts_at_once_one_runs_and_the_others_are_told_which() {
    let stage = Stage::open().await;
    let starts = (0..20).map(|_| stage.try_sync(&stage.root, &[("public.orders", Some(5))]));
    let replies = futures_util::future::join_all(starts).await;
    let running: Vec<Uuid> =
        sqlx::query_scalar("select id from sync_run where status = 'SYNCING'").fetch_all(&stage.world.pool).await.expect("runs");
    assert_eq!(running.len(), 1);
    let started: Vec<_> = replies.iter().filter(|reply| reply.0.get("errors").is_none()).collect();
    assert_eq!(started.len(), 1);
    assert_eq!(id(&started[0].0["data"]["startSync"]["syncRun"]["id"]), running[0]);
    for refused in replies.iter().filter(|reply| reply.0.get("errors").is_some()) {
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("connectorId")));
        assert_eq!(refused.0["errors"][0]["extensions"]["details"]["syncRunId"], json!(running[0]));
    }
    assert_eq!(stage.audited().await, ["sync"]);
}

#[tokio::test]
async fn a_sync_starts_its_worker_but_not_one_that_is_stopping() {
    let stage = Stage::open().await;
    let run = stage.sync(&FIVE).await;
    assert_eq!(stage.worker_now().await["state"], "BUILDING");
    let generation = stage.generation().await;
    assert!(statuses(&stage.run(run).await).iter().all(|status| *status == "QUEUED"));
    stage.report(generation, "LIVE", None).await;
    stage.begun(run, 0).await;
    stage.cancel(&stage.root, run).await.data();
    stage.stop().await;
    assert_eq!(stage.try_sync(&stage.root, &FIVE).await.code(), "CONFLICT");
    stage.report(generation, "ERROR", Some("gone")).await;
    let next = stage.sync(&FIVE).await;
    assert_ne!(next, run);
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_and_names_the_field() {
    let stage = Stage::open().await;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    let long = "x".repeat(1_001);
    let wide = "\u{2a6d6}".repeat(501);
    let many: Vec<(String, Option<i64>)> = (0..10_001).map(|index| (format!("t{index}"), None)).collect();
    let many: Vec<(&str, Option<i64>)> = many.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
    let cases: [(&[(&str, Option<i64>)], &str); 8] = [
        (&[], "tables"),
        (&many, "tables"),
        (&[("t", None), ("", None)], "tables.1.name"),
        (&[("t", None), ("t", Some(1))], "tables.1.name"),
        (&[("a\u{0}b", None)], "tables.0.name"),
        (&[(&long, None)], "tables.0.name"),
        (&[(&wide, None)], "tables.0.name"),
        (&[("t", Some(-1))], "tables.0.approximateRowCount"),
    ];
    for (tables, field) in cases {
        let reply = stage.try_sync(&stage.root, tables).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)));
    }
    let of_target = "mutation($c: ID!) { startSync(input: {connectorId: $c, tables: [{name: \"t\"}]}) { syncRun { id } } }";
    let reply = stage.root.ask_with(of_target, json!({"c": target})).await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("connectorId")));
    assert_eq!(stage.worker_now().await["state"], "PAUSED");
    // The longest name that is taken fits the index, however little there is to compress in it.
    let widest: String = (0..500_u32).filter_map(|index| char::from_u32(0x20000 + index * 83 % 40_000)).collect();
    let run = stage.sync(&[(&widest, None)]).await;
    stage.cancel(&stage.root, run).await.data();
    // Names are kept verbatim; case and white space make another table.
    let run = stage.sync(&[("Orders", None), ("orders", None), (" orders", None), ("naïve.Ω", None)]).await;
    let names: Vec<Value> =
        stage.run(run).await["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| table["tableName"].clone()).collect();
    assert_eq!(names, ["Orders", "orders", " orders", "naïve.Ω"]);
}

/// R01, R06: what was cancelled stays so, whoever says what afterwards.
#[tokio::test]
async fn a_cancelled_sync_is_ended_once_and_for_all() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&FIVE).await;
    let tables = stage.tables(run).await;
    stage.begun(run, 0).await;
    stage.progress(generation, json!([{"syncTableId": tables[0], "rowsIngested": 9, "status": "COMPLETED"}])).await.data();
    stage.begun(run, 1).await;
    stage.progress(generation, json!([{"syncTableId": tables[1], "rowsIngested": 4}])).await.data();
    assert_eq!(stage.cancel(&stage.root, run).await.data()["cancelSync"]["syncRun"]["status"], "CANCELLED");
    let ended = stage.run(run).await;
    assert_eq!(statuses(&ended), ["COMPLETED", "PARTIAL", "FAILED", "FAILED", "FAILED"]);
    let reasons: Vec<&Value> = ended["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| &table["errorReason"]).collect();
    assert_eq!(json!(reasons), json!([null, null, "cancelled", "cancelled", "cancelled"]));
    assert_eq!(json!([ended["outcome"], ended["progress"]["tablesDone"], ended["progress"]["tablesFailed"]]), json!([null, 5, 3]));

    for status in ["IN_PROGRESS", "COMPLETED"] {
        let late: Vec<Value> = tables.iter().map(|table| json!({"syncTableId": table, "rowsIngested": 99, "status": status})).collect();
        let answer = stage.progress(generation, json!(late)).await.data();
        assert_eq!(answer["reportSyncProgress"]["accepted"], true);
    }
    stage.cancel(&stage.root, run).await.data();
    assert_eq!(stage.run(run).await, ended);
    assert_eq!(stage.audited().await, ["start", "sync", "cancel"]);
    let (cause, by): (String, Option<String>) =
        sqlx::query_as("select cause, by_email from pumphouse.sync_run_end").fetch_one(&stage.world.pool).await.expect("one end");
    assert_eq!((cause.as_str(), by.as_deref()), ("CANCELLED", Some("root@example.com")));
}

#[tokio::test]
async fn a_repeated_sync_knows_no_more_of_its_tables_than_the_first_did() {
    let stage = Stage::open().await;
    stage.live().await;
    let run = stage.sync(&[("unknown", None), ("empty", Some(0)), ("other", None)]).await;
    stage.cancel(&stage.root, run).await.data();
    let shown =
        "syncRun { progress { percent approximateRows remainingRows } syncTables { nodes { tableName approximateRowCount groupId } } }";
    let retried = stage.root.change("retrySync", json!({"syncRunId": run}), shown).await.data()["retrySync"]["syncRun"].clone();
    assert_eq!(retried["progress"], json!({"percent": null, "approximateRows": null, "remainingRows": null}));
    let counts: Vec<Value> =
        retried["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| table["approximateRowCount"].clone()).collect();
    assert_eq!(counts, [json!(null), json!(0), json!(null)]);
}

#[tokio::test]
async fn r06_a_sync_whose_worker_is_gone_can_be_cancelled() {
    let stage = Stage::open().await;
    stage.live().await;
    let run = stage.sync(&FIVE).await;
    stage.begun(run, 0).await;
    stage.write("delete from worker where id = $1").await;
    for _ in 0..2 {
        assert_eq!(stage.cancel(&stage.root, run).await.data()["cancelSync"]["syncRun"]["status"], "CANCELLED");
    }
    assert_eq!(stage.try_sync(&stage.root, &FIVE).await.code(), "CONFLICT");
}

/// R03: the cancel and the last table in the same instant, 500 times. A row made by hand stands for what the orchestrator begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r03_a_cancel_in_the_instant_of_the_end_leaves_one_consistent_end() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let begin = "with r as (insert into sync_run (id, connector_id, status) values ($2, $1, 'SYNCING') returning id),
        t as (insert into sync_table (id, sync_run_id, table_name, position, status, rows_ingested) select $3, id, 't', 0, 'IN_PROGRESS', 0 from r)
        select 1";
    for _ in 0..500 {
        let (run, table) = (Uuid::new_v4(), Uuid::new_v4());
        sqlx::query(begin).bind(stage.connector).bind(run).bind(table).execute(&stage.world.pool).await.expect("a run");
        let report = json!([{"syncTableId": table, "rowsIngested": 1, "status": "COMPLETED"}]);
        let (cancel, report) = tokio::join!(stage.cancel(&stage.root, run), stage.progress(generation, report));
        cancel.data();
        report.data();
        let ended = stage.run(run).await;
        let end = (ended["status"].as_str().expect("a status"), statuses(&ended)[0]);
        assert!(matches!(end, ("DONE", "COMPLETED") | ("CANCELLED", "PARTIAL")), "{end:?}");
    }
}

/// S08, a part of it: a run of 2,000 tables is paged, grouped and quick to ask for.
#[tokio::test]
async fn s08_a_run_of_two_thousand_tables_is_read_in_steps_and_shown_in_pages() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let names: Vec<String> = (0..2_000).map(|index| format!("public.t{index:04}")).collect();
    let tables: Vec<(&str, Option<i64>)> = names.iter().map(|name| (name.as_str(), Some(1_000))).collect();
    let run = stage.sync(&tables).await;
    let mut socket = stage.root.subscribe("subscription { syncProgressed { initial syncTables { id status } } }", json!({})).await;
    let mut shown = 0;
    while shown < 2_000 {
        let event = socket.until(|event| event["syncProgressed"]["initial"] == true).await;
        let tables = event["syncProgressed"]["syncTables"].as_array().expect("tables").len();
        assert!((1..=200).contains(&tables));
        shown += tables;
    }
    for step in 0..3 {
        stage.begun(run, step * 20).await;
        let now = stage.run(run).await;
        let nodes = now["syncTables"]["nodes"].as_array().expect("tables");
        assert_eq!(nodes.len(), 200);
        let reading: Vec<Value> = nodes
            .iter()
            .filter(|table| table["status"] == "IN_PROGRESS")
            .map(|table| json!({"syncTableId": table["id"], "rowsIngested": 1_000, "status": "COMPLETED"}))
            .collect();
        assert_eq!(reading.len(), 20);
        stage.progress(generation, json!(reading)).await.data();
    }
    let started = std::time::Instant::now();
    let now = stage.run(run).await;
    assert!(started.elapsed() < std::time::Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!(json!([now["progress"]["tablesTotal"], now["progress"]["tablesDone"], now["progress"]["percent"]]), json!([2_000, 60, 3]));
}

#[tokio::test]
async fn all_that_is_wrong_with_the_tables_of_a_sync_is_told_at_once() {
    let stage = Stage::open().await;
    let refused = stage.try_sync(&stage.root, &[("a", Some(-1)), ("", None), ("a", Some(-2)), ("b", None)]).await;
    let fields = ["tables.0.approximateRowCount", "tables.1.name", "tables.2.name", "tables.2.approximateRowCount"];
    assert_eq!((refused.code(), refused.field(), refused.violations()), ("VALIDATION", Some(fields[0]), fields.to_vec()));
}
