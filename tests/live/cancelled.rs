//! Operations that are given up half way leave nothing behind on the connections of the pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use pumphouse::core::db::{Db, DbSettings};
use pumphouse::core::sql::Sql;
use serde_json::json;
use uuid::Uuid;

use crate::support::{Caller, PATIENCE, Server, Socket, Stage, TestSettings, database, settings};

type Begun = pumphouse::core::error::Result<pumphouse::core::db::Transaction>;

/// Waits until every connection is back in the pool.
async fn at_rest(db: &Db) {
    tokio::time::timeout(PATIENCE, async {
        while db.pool_state() != (1, 1) {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the connection comes back");
}

#[tokio::test]
async fn a_transaction_given_up_while_it_begins_is_not_left_open() {
    let database = database().await;
    let db = Db::new(&DbSettings { pool_size: 1, ..settings(&database.url, &TestSettings::default()).db });
    let begins: [for<'a> fn(&'a Db) -> BoxFuture<'a, Begun>; 2] = [|db| Box::pin(db.begin()), |db| Box::pin(db.begin_reading())];
    db.rows(Sql::new("select 1")).await.expect("a connection");
    for begin in begins {
        let mut given_up = 0;
        while given_up < 5 {
            at_rest(&db).await;
            // PostgreSQL is sometimes quicker than the look.
            given_up += i32::from(futures_util::poll!(begin(&db)).is_pending());
        }
        db.rows(Sql::new("select 1")).await.expect("an answer");
        at_rest(&db).await;
        let states: Vec<String> =
            sqlx::query_scalar("select state from pg_stat_activity where datname = current_database() and application_name = 'pumphouse'")
                .fetch_all(&database.pool)
                .await
                .expect("activity");
        assert_eq!(states, ["idle"]);
    }
}

/// Subscribes and completes again and again, after a moment that differs.
async fn subscribe_and_complete(server_url: String, token: Option<String>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let mut socket = Socket::connect(&server_url, token.as_deref()).await;
        for round in 0..20_u64 {
            let id = round.to_string();
            socket.subscribe(&id, "subscription { syncProgressed { initial } }", json!({})).await;
            tokio::time::sleep(Duration::from_micros(round * 397 % 6_000)).await;
            socket.send(json!({"id": id, "type": "complete"})).await;
        }
    }
}

/// Asks for a change again and again, and hangs up after a moment that differs.
async fn ask_and_hang_up(caller: Caller, worker: Uuid, stop: Arc<AtomicBool>) {
    let start = format!("mutation {{ startWorker(input: {{workerId: \"{worker}\"}}) {{ worker {{ state }} }} }}");
    let mut round = 0_u64;
    while !stop.load(Ordering::Relaxed) {
        round += 1;
        let _given_up = tokio::time::timeout(Duration::from_micros(round * 397 % 8_000), caller.ask(&start)).await;
    }
}

/// Connections that have been in a transaction for longer than anything takes that still runs.
async fn left_open(server: &Server) -> i64 {
    let sql = "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'pumphouse'
        and state like 'idle in transaction%' and xact_start < clock_timestamp() - interval '1 second'";
    sqlx::query_scalar(sql).fetch_one(&server.database.pool).await.expect("activity")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_storm_of_operations_given_up_no_connection_is_in_a_transaction_and_reads_are_fresh() {
    let stage = Stage::open().await;
    let stop = Arc::new(AtomicBool::new(false));
    let mut storm = tokio::task::JoinSet::new();
    for _ in 0..6 {
        storm.spawn(subscribe_and_complete(stage.server.url("/graphql"), stage.root.token.clone(), Arc::clone(&stop)));
        storm.spawn(ask_and_hang_up(stage.root.clone(), stage.worker, Arc::clone(&stop)));
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = storm.join_next().await {
        ended.expect("the storm goes through");
    }
    for round in 0..3 {
        let reason = format!("fresh {round}");
        stage.give_reason(&reason).await;
        let query = format!("{{ worker(id: \"{}\") {{ reason }} }}", stage.worker);
        for answer in futures_util::future::join_all((0..40).map(|_| stage.root.ask(&query))).await {
            assert_eq!(answer.data()["worker"]["reason"], json!(reason));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(left_open(&stage.server).await, 0);
}
