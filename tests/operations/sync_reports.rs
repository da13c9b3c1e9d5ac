//! What workers report of a snapshot, and the numbers that are made of it.

use serde_json::{Value, json};

use crate::support::{Stage, statuses};

/// One table under way, with this estimate; answers the generation, the run and the table.
async fn reading(stage: &Stage, estimate: Option<i64>) -> (uuid::Uuid, uuid::Uuid, uuid::Uuid) {
    let generation = stage.live().await;
    let run = stage.sync(&[("t", estimate)]).await;
    stage.begun(run, 0).await;
    (generation, run, stage.tables(run).await[0])
}

/// Percent, remaining and whether it was reported, of the first table and (without the last) of the run.
async fn numbers(stage: &Stage, run: uuid::Uuid) -> Value {
    let run = stage.run(run).await;
    let (table, whole) = (&run["syncTables"]["nodes"][0]["progress"], &run["progress"]);
    json!([[table["percent"], table["remainingRows"], table["reported"]], [whole["percent"], whole["remainingRows"]]])
}

#[tokio::test]
async fn s10_no_report_yet_and_no_rows_yet_differ() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, Some(100)).await;
    assert_eq!(numbers(&stage, run).await, json!([[0, 100, false], [0, 100]]));
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 0}])).await.data();
    assert_eq!(numbers(&stage, run).await, json!([[0, 100, true], [0, 100]]));
}

#[tokio::test]
async fn s06_rows_are_those_that_were_read_whatever_was_planned() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, Some(1_000_000)).await;
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 10}])).await.data();
    let now = stage.run(run).await;
    assert_eq!(now["syncTables"]["nodes"][0]["rowsIngested"], 10);
    assert_eq!(json!([now["progress"]["rows"], now["progress"]["approximateRows"]]), json!([10, 1_000_000]));
}

#[tokio::test]
async fn s09_estimates_that_are_missing_nought_or_nonsense_divide_nothing() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, None).await;
    assert_eq!(numbers(&stage, run).await, json!([[null, null, false], [null, null]]));
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 7}])).await.data();
    assert_eq!(numbers(&stage, run).await, json!([[null, null, true], [null, null]]));
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 7, "status": "COMPLETED"}])).await.data();
    assert_eq!(numbers(&stage, run).await, json!([[100, 0, true], [100, null]]));

    let run = stage.sync(&[("t", Some(0))]).await;
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    assert_eq!(numbers(&stage, run).await, json!([[0, 0, false], [0, 0]]));
    // Another writer's nonsense.
    sqlx::query("update sync_table set approximate_row_count = -9223372036854775808 where id = $1")
        .bind(table)
        .execute(&stage.world.pool)
        .await
        .expect("nonsense");
    assert_eq!(numbers(&stage, run).await, json!([[0, 0, false], [0, 0]]));
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 0, "status": "COMPLETED"}])).await.data();
    assert_eq!(numbers(&stage, run).await, json!([[100, 0, true], [100, 0]]));
    assert_eq!(stage.run(run).await["outcome"], "SUCCEEDED");
}

#[tokio::test]
async fn s13_more_rows_than_estimated_leave_nothing_remaining_and_no_hundred_percent() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, Some(100)).await;
    for (rows, percent, remaining) in [(50, 50, 50), (99, 99, 1), (100, 99, 0), (31_049, 99, 0)] {
        stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": rows}])).await.data();
        assert_eq!(numbers(&stage, run).await, json!([[percent, remaining, true], [percent, remaining]]));
    }
}

/// Numbers near the end of 64 bits add up to more; no reader and no subscriber may fail of that.
#[tokio::test]
async fn numbers_of_any_size_break_nothing() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(i64::MAX)), ("b", Some(i64::MAX)), ("c", Some(1))]).await;
    let mut socket = stage.root.subscribe("subscription { syncProgressed { syncRun { progress { rows percent } } } }", json!({})).await;
    for index in 0..2 {
        stage.begun(run, index).await;
        let table = stage.tables(run).await[index];
        stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": i64::MAX, "status": "COMPLETED"}])).await.data();
    }
    let now = stage.run(run).await;
    assert_eq!(json!([now["progress"]["rows"], now["progress"]["approximateRows"]]), json!([i64::MAX, i64::MAX]));
    socket.until(|event| event["syncProgressed"]["syncRun"]["progress"]["rows"] == i64::MAX).await;
    stage.cancel(&stage.root, run).await.data();
}

#[tokio::test]
async fn rows_never_go_down_within_a_generation() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, Some(100)).await;
    for (reported, shown) in [(40, 40), (10, 40), (40, 40), (60, 60), (0, 60)] {
        let answer = stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": reported}])).await.data();
        assert_eq!(answer["reportSyncProgress"]["syncTables"][0]["rowsIngested"], shown);
    }
    // Also when the report of the end comes with fewer.
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 5, "status": "PARTIAL"}])).await.data();
    assert_eq!(stage.run(run).await["syncTables"]["nodes"][0]["rowsIngested"], 60);
}

#[tokio::test]
async fn s03_every_way_to_end_is_kept_and_no_terminal_table_moves_again() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(1)), ("b", Some(1)), ("c", Some(1))]).await;
    let tables = stage.tables(run).await;
    stage.begun(run, 2).await;
    let ends = json!([
        {"syncTableId": tables[0], "rowsIngested": 0, "status": "COMPLETED"},
        {"syncTableId": tables[1], "rowsIngested": 3, "status": "PARTIAL"},
        {"syncTableId": tables[2], "rowsIngested": 0, "status": "FAILED", "errorReason": "no primary key"},
    ]);
    stage.progress(generation, ends).await.data();
    let ended = stage.run(run).await;
    assert_eq!((statuses(&ended), &ended["outcome"]), (vec!["COMPLETED", "PARTIAL", "FAILED"], &json!("PARTIAL")));
    for status in ["IN_PROGRESS", "COMPLETED", "PARTIAL", "FAILED"] {
        let again: Vec<Value> = tables.iter().map(|table| json!({"syncTableId": table, "rowsIngested": 77, "status": status})).collect();
        stage.progress(generation, json!(again)).await.data();
    }
    assert_eq!(stage.run(run).await, ended);
}

#[tokio::test]
async fn reports_that_make_no_sense_are_refused_whole() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", None), ("b", None)]).await;
    stage.begun(run, 0).await;
    let tables = stage.tables(run).await;
    let (other, _) = stage.world.source(stage.team, "other").await;
    let strange = uuid::Uuid::new_v4();
    sqlx::query("with r as (insert into sync_run (id, connector_id, status) values (gen_random_uuid(), $1, 'SYNCING') returning id)
        insert into sync_table (id, sync_run_id, table_name, position, status, rows_ingested) select $2, id, 't', 0, 'IN_PROGRESS', 0 from r")
        .bind(other).bind(strange).execute(&stage.world.pool).await.expect("another's table");
    let before = stage.run(run).await;
    let good = json!({"syncTableId": tables[0], "rowsIngested": 5});
    let cases = [
        (json!({"syncTableId": tables[0], "rowsIngested": 6}), "VALIDATION", "tables.1.syncTableId"),
        (json!({"syncTableId": tables[1], "rowsIngested": -1}), "VALIDATION", "tables.1.rowsIngested"),
        (json!({"syncTableId": tables[1], "rowsIngested": 1, "status": "QUEUED"}), "VALIDATION", "tables.1.status"),
        (json!({"syncTableId": tables[1], "rowsIngested": 1, "errorReason": "x"}), "VALIDATION", "tables.1.errorReason"),
        (
            json!({"syncTableId": tables[1], "rowsIngested": 1, "status": "COMPLETED", "errorReason": "x"}),
            "VALIDATION",
            "tables.1.errorReason",
        ),
        (json!({"syncTableId": tables[1], "rowsIngested": 1}), "CONFLICT", "tables.1.syncTableId"),
        (json!({"syncTableId": strange, "rowsIngested": 1}), "NOT_FOUND", "tables.1.syncTableId"),
        (json!({"syncTableId": uuid::Uuid::new_v4(), "rowsIngested": 1}), "NOT_FOUND", "tables.1.syncTableId"),
    ];
    for (bad, code, field) in cases {
        let reply = stage.progress(generation, json!([good, bad])).await;
        assert_eq!((reply.code(), reply.field()), (code, Some(field)));
    }
    assert_eq!(stage.run(run).await, before);
}

#[tokio::test]
async fn a_report_neither_waits_for_nor_locks_tables_of_other_connectors() {
    let stage = Stage::open().await;
    let (generation, _, table) = reading(&stage, None).await;
    let (other, _) = stage.world.source(stage.team, "other").await;
    let strange = uuid::Uuid::new_v4();
    let insert = "with r as (insert into sync_run (id, connector_id, status) values (gen_random_uuid(), $1, 'SYNCING') returning id)
        insert into sync_table (id, sync_run_id, table_name, position, status, rows_ingested) select $2, id, 't', 0, 'IN_PROGRESS', 0 from r";
    sqlx::query(insert).bind(other).bind(strange).execute(&stage.world.pool).await.expect("another's table");
    let mut held = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from sync_table where id = $1 for update").bind(strange).execute(&mut *held).await.expect("a lock");
    let tables = json!([{"syncTableId": table, "rowsIngested": 1}, {"syncTableId": strange, "rowsIngested": 1}]);
    let reply = stage.progress(generation, tables).await;
    assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("tables.1.syncTableId")));
    held.rollback().await.expect("the lock is given back");
}

#[tokio::test]
async fn a_report_of_many_tables_takes_no_more_statements_than_one_of_few() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let names: Vec<String> = (0..20).map(|index| format!("t{index}")).collect();
    let run = stage.sync(&names.iter().map(|name| (name.as_str(), Some(1))).collect::<Vec<_>>()).await;
    stage.begun(run, 19).await;
    let tables = stage.tables(run).await;
    let mut cost = Vec::new();
    for count in [1, 20] {
        let report = json!(tables[..count].iter().map(|table| json!({"syncTableId": table, "rowsIngested": count})).collect::<Vec<_>>());
        let (before, asked) = (stage.server.statements(), stage.progress(generation, report).await.data());
        assert_eq!(asked["reportSyncProgress"]["syncTables"].as_array().map(Vec::len), Some(count));
        cost.push(stage.server.statements() - before);
    }
    assert!(cost[1] <= cost[0], "{cost:?}");
}

/// L12: the last table ends while somebody holds the run; a reader looks all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l12_no_reader_sees_all_tables_ended_and_the_run_under_way() {
    let stage = Stage::open().await;
    let (generation, run, table) = reading(&stage, Some(10)).await;
    let mut socket = stage.root.subscribe("subscription { syncProgressed { syncRun { status } syncTables { status } } }", json!({})).await;
    let mut holder = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from sync_run where id = $1 for update").bind(run).execute(&mut *holder).await.expect("a lock");
    let torn = "select exists (select 1 from sync_run r where r.status = 'SYNCING' and not exists (
        select 1 from sync_table t where t.sync_run_id = r.id and t.status in ('QUEUED', 'IN_PROGRESS')))";
    let look = async {
        for round in 0..200 {
            if round == 50 {
                holder.rollback().await.expect("rollback");
                break;
            }
            assert!(!sqlx::query_scalar::<_, bool>(torn).fetch_one(&stage.world.pool).await.expect("a look"));
        }
        while stage.run(run).await["status"] == "SYNCING" {
            assert!(!sqlx::query_scalar::<_, bool>(torn).fetch_one(&stage.world.pool).await.expect("a look"));
        }
    };
    let failed = json!([{"syncTableId": table, "rowsIngested": 0, "status": "FAILED", "errorReason": "disk full"}]);
    let (report, ()) = tokio::join!(stage.progress(generation, failed), look);
    report.data();
    let end = socket
        .until(|event| {
            let event = &event["syncProgressed"];
            let ended = event["syncTables"].as_array().is_some_and(|tables| tables.iter().any(|table| table["status"] == "FAILED"));
            assert!(!(ended && event["syncRun"]["status"] == "SYNCING"), "{event:#}");
            ended
        })
        .await;
    assert_eq!(end["syncProgressed"]["syncRun"]["status"], "DONE");
    assert_eq!(stage.run(run).await["outcome"], "FAILED");
}

#[tokio::test]
async fn a_sync_that_ends_early_says_how_far_it_came() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(1_000)), ("b", Some(200_000))]).await;
    stage.cancel(&stage.root, run).await.data();
    let ended = stage.run(run).await;
    assert_eq!(json!([ended["status"], ended["progress"]["percent"], ended["progress"]["remainingRows"]]), json!(["CANCELLED", 0, 0]));

    let run = stage.sync(&[("a", Some(300)), ("b", Some(100))]).await;
    stage.begun(run, 1).await;
    let tables = stage.tables(run).await;
    let report = json!([
        {"syncTableId": tables[0], "rowsIngested": 100, "status": "PARTIAL"},
        {"syncTableId": tables[1], "rowsIngested": 50, "status": "COMPLETED"},
    ]);
    stage.progress(generation, report).await.data();
    let ended = stage.run(run).await;
    assert_eq!(json!([ended["status"], ended["outcome"], ended["progress"]["percent"]]), json!(["DONE", "PARTIAL", 50]));
    assert_eq!(ended["syncTables"]["nodes"][0]["progress"]["percent"], 33);
}

#[tokio::test]
async fn all_that_is_wrong_with_a_report_is_told_at_once() {
    let stage = Stage::open().await;
    let (generation, _, table) = reading(&stage, None).await;
    let row = |table: uuid::Uuid, rows: i64| json!({"syncTableId": table, "rowsIngested": rows});
    let mut bad = row(table, -1);
    bad["errorReason"] = json!("late");
    bad["status"] = json!("QUEUED");
    let refused = stage.progress(generation, json!([bad, row(uuid::Uuid::new_v4(), -2)])).await;
    let fields = ["tables.0.rowsIngested", "tables.0.status", "tables.0.errorReason", "tables.1.rowsIngested"];
    assert_eq!((refused.code(), refused.violations()), ("VALIDATION", fields.to_vec()));
    let unknown = stage.progress(generation, json!([row(uuid::Uuid::new_v4(), 1), row(table, 1), row(uuid::Uuid::new_v4(), 1)])).await;
    assert_eq!((unknown.code(), unknown.violations()), ("NOT_FOUND", vec!["tables.0.syncTableId", "tables.2.syncTableId"]));
}
