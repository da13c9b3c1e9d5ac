//! `syncProgressed`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Stage, id};

const PROGRESS: &str = "subscription($f: SyncProgressedFilter) { syncProgressed(filter: $f) {
    initial syncRun { id status progress { rows tablesDone } } syncTables { id status rowsIngested progress { reported } } } }";

/// S10: rows that move are pushed, and merged to at most four events a second.
#[tokio::test]
async fn s10_progress_is_pushed_merged_and_ends_at_the_newest() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(1_000)), ("b", None)]).await;
    stage.begun(run, 0).await;
    let tables = stage.tables(run).await;
    let mut socket = stage.root.subscribe(PROGRESS, json!({})).await;
    let first = socket.event().await["syncProgressed"].clone();
    assert_eq!(json!([first["initial"], first["syncRun"]["id"], first["syncTables"].as_array().map(Vec::len)]), json!([true, run, 2]));
    let started = Instant::now();
    for rows in 1..=60 {
        stage.progress(generation, json!([{"syncTableId": tables[0], "rowsIngested": rows}])).await.data();
    }
    let mut events = 0;
    let last = loop {
        let event = socket.event().await["syncProgressed"].clone();
        events += 1;
        assert_eq!(event["syncTables"].as_array().map(Vec::len), Some(1));
        if event["syncTables"][0]["rowsIngested"] == 60 {
            break event;
        }
    };
    assert!(events <= 2 + started.elapsed().as_millis() / 250, "{events} events in {:?}", started.elapsed());
    assert_eq!(last["syncTables"], json!([{"id": tables[0], "status": "IN_PROGRESS", "rowsIngested": 60, "progress": {"reported": true}}]));
    assert_eq!(last["syncRun"]["progress"]["rows"], 60);
}

#[tokio::test]
async fn a_subscriber_sees_a_sync_from_its_start_to_its_end() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let mut socket = stage.root.subscribe(PROGRESS, json!({"f": {"connectorIds": [stage.connector]}})).await;
    let run = stage.sync(&[("a", None)]).await;
    let begun = socket.until(|event| event["syncProgressed"]["syncTables"][0]["status"] == "IN_PROGRESS").await;
    assert_eq!(begun["syncProgressed"]["initial"], false);
    let table = id(&begun["syncProgressed"]["syncTables"][0]["id"]);
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 3, "status": "COMPLETED"}])).await.data();
    let done = socket.until(|event| event["syncProgressed"]["syncRun"]["status"] == "DONE").await;
    assert_eq!(done["syncProgressed"]["syncRun"], json!({"id": run, "status": "DONE", "progress": {"rows": 3, "tablesDone": 1}}));
    // Of what has ended, only what is named is sent.
    let mut all = stage.root.subscribe(PROGRESS, json!({})).await;
    assert!(all.is_quiet_for(Duration::from_millis(300)).await);
    let mut named = stage.root.subscribe(PROGRESS, json!({"f": {"syncRunIds": [run]}})).await;
    let shown: Value = named.event().await["syncProgressed"].clone();
    assert_eq!(json!([shown["initial"], shown["syncRun"]["status"]]), json!([true, "DONE"]));
}

/// What counts as a change of a table is more than the number of its rows.
#[tokio::test]
async fn that_an_empty_table_was_told_of_and_that_it_starts_again_is_pushed() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(1_000))]).await;
    stage.begun(run, 0).await;
    let tables = stage.tables(run).await;
    let told = "subscription { syncProgressed { initial syncTables { rowsIngested progress { reported restarts } } } }";
    let mut socket = stage.root.subscribe(told, json!({})).await;
    let table = |event: &Value| event["syncProgressed"]["syncTables"][0]["progress"].clone();
    assert_eq!(table(&socket.event().await), json!({"reported": false, "restarts": 0}));
    stage.progress(generation, json!([{"syncTableId": tables[0], "rowsIngested": 0}])).await.data();
    socket.until(|event| table(event) == json!({"reported": true, "restarts": 0})).await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(generation, "PAUSED", None).await;
    stage.report(stage.generation().await, "LIVE", None).await;
    socket.until(|event| table(event) == json!({"reported": false, "restarts": 1})).await;
}
