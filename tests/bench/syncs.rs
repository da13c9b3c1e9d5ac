//! S08: a run of 10,000 tables beside one of 20, and 50 runs of 2,000; what is asked and reported again and again must cost the same.

use std::time::Instant;

use serde_json::{Value, json};
use uuid::Uuid;

use super::tell;
use crate::support::{Stage, id};

const STATUS: &str =
    "query($id: ID!) { syncRun(id: $id) { status stalledSince progress { percent rows tablesDone tablesTotal rowsPerSecond etaSeconds }
    syncTables(first: 50) { nodes { tableName status rowsIngested progress { percent } } } } }";

/// Shows and reports a run of so many tables.
async fn measure(count: usize) {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let names: Vec<String> = (0..count).map(|number| format!("public.t{number:05}")).collect();
    let tables: Vec<(&str, Option<i64>)> = names.iter().map(|name| (name.as_str(), Some(1_000_000))).collect();
    let started = Instant::now();
    let run = stage.sync(&tables).await;
    println!("a sync of {count} tables is started in {:.2?}", started.elapsed());
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    let (mut shown, mut reported) = (Vec::new(), Vec::new());
    for rows in 1..300 {
        let started = Instant::now();
        let status = stage.root.ask_with(STATUS, json!({"id": run})).await.data();
        shown.push(started.elapsed());
        assert_eq!(status["syncRun"]["progress"]["tablesTotal"], count);
        let started = Instant::now();
        stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": rows}])).await.data();
        reported.push(started.elapsed());
    }
    tell(&format!("the status of a run of {count} tables"), shown);
    tell(&format!("a report on a run of {count} tables"), reported);
    stage.server.service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn s08_a_run_of_ten_thousand_tables_costs_what_one_of_twenty_does() {
    measure(20).await;
    measure(10_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn s08_the_history_of_fifty_runs_of_two_thousand_tables() {
    let stage = Stage::open().await;
    let fill = "with r as (
            insert into sync_run (id, connector_id, status, triggered_by_email) select gen_random_uuid(), $1, 'DONE', 'root@example.com' from generate_series(1, 50) returning id)
        insert into sync_table (id, sync_run_id, table_name, position, status, approximate_row_count, rows_ingested)
        select gen_random_uuid(), r.id, 'public.t' || n, n, 'COMPLETED', 10, 10 from r, generate_series(0, 1999) n";
    stage.write_of_connector(fill).await;
    sqlx::query("analyze").execute(&stage.world.pool).await.expect("statistics");
    let runs = "query($id: ID!) { connector(id: $id) { currentSyncRun { id } lastFailedSyncRun { id }
        syncRuns(first: 50) { nodes { id status outcome progress { percent tablesDone tablesTotal rows } } } } }";
    let tables = "query($id: ID!, $names: [String!]!) { connector(id: $id) { tableSyncs(names: $names) { tableName state history { status rowsIngested } } } }";
    let names: Vec<String> = (0..50).map(|number| format!("public.t{number}")).collect();
    let (mut of_runs, mut of_tables, mut of_status) = (Vec::new(), Vec::new(), Vec::new());
    let mut run = Uuid::nil();
    for _ in 0..50 {
        let started = Instant::now();
        let data: Value = stage.root.ask_with(runs, json!({"id": stage.connector})).await.data();
        of_runs.push(started.elapsed());
        run = id(&data["connector"]["syncRuns"]["nodes"][0]["id"]);
        let started = Instant::now();
        stage.root.ask_with(tables, json!({"id": stage.connector, "names": names})).await.data();
        of_tables.push(started.elapsed());
        let started = Instant::now();
        stage.root.ask_with(STATUS, json!({"id": run})).await.data();
        of_status.push(started.elapsed());
    }
    assert!(!run.is_nil());
    tell("50 runs of 2,000 tables with their progress", of_runs);
    tell("the history of 50 tables over 50 runs", of_tables);
    tell("the status of one of them", of_status);
}
