//! Readers of the graph see a run and what is below it as of one instant (L12), though they are read by several statements.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tokio::time::Instant;
use uuid::Uuid;

use crate::support::{PATIENCE, Stage};

const TABLES: (&str, &str) = ("sync_table", "%p(key)%from sync_table t%");
const TALLIES: (&str, &str) = ("pumphouse.sync_run_tally", "%from pumphouse.sync_run_tally y where y.sync_run_id%");

/// A run whose one table is being read.
async fn under_way(stage: &Stage) -> Uuid {
    let run = stage.sync(&[("t", Some(10))]).await;
    stage.begun(run, 0).await;
    run
}

/// What is answered when the run and its table end, in one commit, after the run was read and before what is below it.
async fn ended_meanwhile(stage: &Stage, run: Uuid, query: &str, (table, statement): (&str, &str)) -> Value {
    let mut writer = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query(AssertSqlSafe(format!("lock table {table} in access exclusive mode"))).execute(&mut *writer).await.expect("locked");
    let (root, query) = (stage.root.clone(), query.to_owned());
    let asked = tokio::spawn(async move { root.ask(&query).await.data() });
    let waits =
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1)";
    let end = Instant::now() + PATIENCE;
    while !sqlx::query_scalar::<_, bool>(waits).bind(statement).fetch_one(&stage.world.pool).await.expect("activity") {
        assert!(Instant::now() < end, "what is below was not asked for");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for sql in [
        "update sync_table set status = 'COMPLETED', rows_ingested = 10, finished_at = now() where sync_run_id = $1",
        "update sync_run set status = 'DONE' where id = $1",
    ] {
        sqlx::query(sql).bind(run).execute(&mut *writer).await.expect("ended");
    }
    writer.commit().await.expect("committed");
    asked.await.expect("an answer")
}

#[tokio::test]
async fn l12_a_run_that_ends_between_two_statements_is_shown_as_ended_in_every_query() {
    let stage = Stage::open().await;
    stage.live().await;
    let tables = "status syncTables { nodes { status } }";
    let ended = json!({"status": "DONE", "syncTables": {"nodes": [{"status": "COMPLETED"}]}});

    let run = under_way(&stage).await;
    let one = ended_meanwhile(&stage, run, &format!("{{ syncRun(id: \"{run}\") {{ {tables} }} }}"), TABLES).await;
    assert_eq!(one["syncRun"], ended);

    let run = under_way(&stage).await;
    let list = ended_meanwhile(&stage, run, &format!("{{ syncRuns(first: 1) {{ nodes {{ {tables} }} }} }}"), TABLES).await;
    assert_eq!(list["syncRuns"]["nodes"], json!([ended]));

    let run = under_way(&stage).await;
    let below = format!("{{ connector(id: \"{}\") {{ currentSyncRun {{ {tables} }} }} }}", stage.connector);
    assert_eq!(ended_meanwhile(&stage, run, &below, TABLES).await["connector"]["currentSyncRun"], ended);

    // What is answered row by row.
    let run = under_way(&stage).await;
    let plain = format!("{{ syncRun(id: \"{run}\") {{ status @include(if: true) syncTables {{ nodes {{ status }} }} }} }}");
    assert_eq!(ended_meanwhile(&stage, run, &plain, TABLES).await["syncRun"], ended);

    let run = under_way(&stage).await;
    let progress = format!("{{ syncRun(id: \"{run}\") {{ status outcome progress {{ tablesDone tablesTotal percent }} }} }}");
    let progress = ended_meanwhile(&stage, run, &progress, TALLIES).await;
    let done = json!({"tablesDone": 1, "tablesTotal": 1, "percent": 100});
    assert_eq!(progress["syncRun"], json!({"status": "DONE", "outcome": "SUCCEEDED", "progress": done}));
}

#[tokio::test]
async fn only_a_run_under_way_that_is_shown_with_its_tables_costs_one_statement_more() {
    let stage = Stage::open().await;
    stage.live().await;
    let run = under_way(&stage).await;
    let cost = async |fields: &str| {
        let before = stage.server.statements();
        stage.root.ask(&format!("{{ syncRun(id: \"{run}\") {{ {fields} }} }}")).await.data();
        stage.server.statements() - before
    };
    assert_eq!(cost("status").await, 1);
    assert_eq!(cost("id syncTables { nodes { status } }").await, 2);
    assert_eq!(cost("status syncTables { nodes { status } }").await, 3);
    stage.cancel(&stage.root, run).await.data();
    assert_eq!(cost("status syncTables { nodes { status } }").await, 2);
}
