//! What workers are told to do, live.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Socket, Stage};

const DIRECTIVES: &str =
    "subscription($w: ID!, $g: ID!) { workerDirectives(workerId: $w, launchGeneration: $g) { directive tables { tableName } } }";

async fn follow(caller: &Caller, worker: Uuid, generation: Uuid) -> Socket {
    caller.subscribe(DIRECTIVES, json!({"w": worker, "g": generation})).await
}

/// The next instruction in one word and its tables.
async fn told(socket: &mut Socket) -> (String, Vec<String>) {
    let event = socket.event().await;
    let instruction = &event["workerDirectives"];
    let tables =
        instruction["tables"].as_array().expect("tables").iter().map(|table| table["tableName"].as_str().expect("a name").to_owned());
    (instruction["directive"].as_str().expect("a word").to_owned(), tables.collect())
}

fn word(word: &str, tables: &[&str]) -> (String, Vec<String>) {
    (word.to_owned(), tables.iter().map(|table| (*table).to_owned()).collect())
}

/// The next instruction but RUN, which may or may not be seen between two steps.
async fn told_next(socket: &mut Socket) -> (String, Vec<String>) {
    loop {
        let now = told(socket).await;
        if now.0 != "RUN" {
            return now;
        }
    }
}

#[tokio::test]
async fn a_worker_is_told_all_its_life_what_to_do_and_nothing_twice() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    let itself = stage.server.worker(stage.worker, generation);
    let mut socket = follow(&itself, stage.worker, generation).await;
    assert_eq!(told(&mut socket).await, word("RUN", &[]));
    // Work that waits is given once it is live; before that, nothing new is said.
    let run = stage.sync(&[("a", Some(1)), ("b", Some(1)), ("c", None), ("d", None)]).await;
    stage.report(generation, "BUILDING", None).await;
    stage.report(generation, "LIVE", None).await;
    assert_eq!(told(&mut socket).await, word("SNAPSHOT", &["a", "b"]));
    let tables = stage.tables(run).await;
    for rows in 1..4 {
        stage.progress(generation, json!([{"syncTableId": tables[0], "rowsIngested": rows}])).await.data();
    }
    stage.progress(generation, json!([{"syncTableId": tables[0], "rowsIngested": 4, "status": "COMPLETED"}])).await.data();
    assert_eq!(told(&mut socket).await, word("SNAPSHOT", &["b"]));
    stage.progress(generation, json!([{"syncTableId": tables[1], "rowsIngested": 4, "status": "COMPLETED"}])).await.data();
    assert_eq!(told_next(&mut socket).await, word("SNAPSHOT", &["c"]));
    stage.cancel(&stage.root, run).await.data();
    assert_eq!(told(&mut socket).await, word("RUN", &[]));
    stage.report(generation, "ERROR", Some("no route")).await;
    stage.report(generation, "LIVE", None).await;
    stage.stop().await;
    assert_eq!(told(&mut socket).await, word("STOP", &[]));
    stage.report(generation, "LIVE", None).await;
    stage.report(generation, "PAUSED", None).await;
    assert_eq!(told(&mut socket).await, word("EXIT", &[]));
    stage.start().await;
    assert!(socket.is_quiet_for(Duration::from_millis(500)).await);
}

#[tokio::test]
async fn an_error_takes_the_work_away_and_its_end_gives_it_back() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    stage.sync(&[("a", None)]).await;
    let mut socket = follow(&stage.server.worker(stage.worker, generation), stage.worker, generation).await;
    assert_eq!(told_next(&mut socket).await, word("SNAPSHOT", &["a"]));
    stage.report(generation, "ERROR", Some("no route")).await;
    assert_eq!(told(&mut socket).await, word("RUN", &[]));
    stage.report(generation, "LIVE", None).await;
    assert_eq!(told(&mut socket).await, word("SNAPSHOT", &["a"]));
}

#[tokio::test]
async fn a_restart_ends_the_old_and_hands_the_work_to_the_new() {
    let stage = Stage::open().await;
    let first = stage.live().await;
    stage.sync(&[("a", None)]).await;
    let mut old = follow(&stage.server.worker(stage.worker, first), stage.worker, first).await;
    assert_eq!(told_next(&mut old).await, word("SNAPSHOT", &["a"]));
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    assert_eq!(told(&mut old).await, word("STOP", &[]));
    stage.report(first, "PAUSED", None).await;
    assert_eq!(told(&mut old).await, word("EXIT", &[]));
    let second = stage.generation().await;
    let mut new = follow(&stage.server.worker(stage.worker, second), stage.worker, second).await;
    assert_eq!(told(&mut new).await, word("RUN", &[]));
    stage.report(second, "LIVE", None).await;
    assert_eq!(told(&mut new).await, word("SNAPSHOT", &["a"]));
    assert!(old.is_quiet_for(Duration::from_millis(300)).await);
    // One that comes back late is told at once.
    let mut late = follow(&stage.server.worker(stage.worker, first), stage.worker, first).await;
    assert_eq!(told(&mut late).await, word("EXIT", &[]));
}

#[tokio::test]
async fn a_worker_that_is_deleted_is_told_to_exit() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let itself = stage.server.worker(stage.worker, generation);
    let mut socket = follow(&itself, stage.worker, generation).await;
    assert_eq!(told(&mut socket).await, word("RUN", &[]));
    sqlx::query("delete from connector where id = $1").bind(stage.connector).execute(&stage.world.pool).await.expect("gone");
    assert_eq!(told(&mut socket).await, word("EXIT", &[]));
    let mut late = follow(&itself, stage.worker, generation).await;
    assert_eq!(told(&mut late).await, word("EXIT", &[]));
}

#[tokio::test]
async fn nobody_but_the_worker_is_told() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let (_, other) = stage.world.source(stage.team, "other").await;
    let stranger = stage.server.user("stranger@example.com", false).await;
    let cases = [
        (stage.root.clone(), stage.worker, "FORBIDDEN"),
        (stranger.clone(), stage.worker, "NOT_FOUND"),
        (stranger, Uuid::new_v4(), "NOT_FOUND"),
        (stage.server.worker(other, generation), stage.worker, "NOT_FOUND"),
        (stage.server.nobody(), stage.worker, "UNAUTHENTICATED"),
    ];
    for (caller, worker, code) in cases {
        let mut socket = follow(&caller, worker, generation).await;
        assert_eq!(refusal(&mut socket).await, code);
    }
}

/// A service account may be told what its worker has to do, for as long as its grant on the team says so.
#[tokio::test]
async fn a_service_account_whose_grant_is_withdrawn_is_told_no_more() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let other = stage.world.team(stage.env, "other").await;
    let cases = [(json!([{"teamId": stage.team}]), "FORBIDDEN"), (json!([{"teamId": other, "worker": true}]), "NOT_FOUND")];
    for (grants, code) in cases {
        let account = stage.root.new_account(json!([{"teamId": stage.team, "worker": true}])).await;
        let (bearer, _) = stage.bearer(&stage.root, account).await;
        let mut socket = follow(&bearer, stage.worker, generation).await;
        assert_eq!(told(&mut socket).await, word("RUN", &[]));
        stage.root.set_grants(account, grants).await.data();
        let ended = tokio::time::timeout(Duration::from_secs(5), refusal(&mut socket)).await;
        assert_eq!(ended.expect("the stream ends within 5 s"), code);
    }
}

/// And for as long as its grant says so.
#[tokio::test]
async fn a_service_account_whose_grant_is_taken_back_is_told_no_more() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let account = stage.service_account(stage.team, true).await;
    let mut socket = follow(&account, stage.worker, generation).await;
    assert_eq!(told(&mut socket).await, word("RUN", &[]));
    sqlx::query("update pumphouse.service_account_grant set worker = false").execute(&stage.world.pool).await.expect("taken back");
    assert_eq!(refusal(&mut socket).await, "FORBIDDEN");
}

/// The code of the error that an operation is answered with.
async fn refusal(socket: &mut Socket) -> Value {
    let message = socket.message().await.expect("an answer");
    let errors = if message["type"] == "error" { &message["payload"] } else { &message["payload"]["errors"] };
    errors[0]["extensions"]["code"].clone()
}
