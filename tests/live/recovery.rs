//! Subscribers outlive the loss of the listening connection, and of the database.

use std::path::PathBuf;
use std::time::Duration;

use pumphouse::embedded::{Cluster, Options};
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;
use uuid::Uuid;

use crate::support::{Database, Server, Socket, Stage, TestSettings};

/// The bar of the cases.
pub const CONVERGED: Duration = Duration::from_secs(10);
pub const WORKERS: &str = "subscription { workerChanged { initial worker { id state reason } } }";
const SYNCS: &str = "subscription { syncProgressed { initial syncRun { id status } syncTables { id rowsIngested } } }";

/// Ten sources with a sync of one table each.
async fn fleet(stage: &Stage) -> (Vec<Uuid>, Vec<Uuid>) {
    let (mut workers, mut tables) = (Vec::new(), Vec::new());
    for index in 0..10 {
        let (connector, worker) = stage.world.source(stage.team, &format!("source {index}")).await;
        let table: Uuid = sqlx::query_scalar(
            "with r as (insert into sync_run (id, connector_id, status) values (gen_random_uuid(), $1, 'SYNCING') returning id)
             insert into sync_table (id, sync_run_id, table_name, position, status, rows_ingested) select gen_random_uuid(), id, 't', 0, 'IN_PROGRESS', 0 from r
             returning id",
        )
        .bind(connector)
        .fetch_one(&stage.world.pool)
        .await
        .expect("a table");
        workers.push(worker);
        tables.push(table);
    }
    (workers, tables)
}

/// Reads events until every id has been shown as wanted.
async fn converges(socket: &mut Socket, ids: &[Uuid], shown: impl Fn(&Value) -> Vec<(Value, bool)>) {
    let mut missing: Vec<Value> = ids.iter().map(|id| json!(id)).collect();
    let all = async {
        while !missing.is_empty() {
            for (id, as_wanted) in shown(&socket.event().await) {
                if as_wanted {
                    missing.retain(|other| *other != id);
                }
            }
        }
    };
    let in_time = tokio::time::timeout(CONVERGED, all).await.is_ok();
    assert!(in_time, "never shown: {missing:?}");
}

fn worker_in_error(event: &Value) -> Vec<(Value, bool)> {
    let worker = &event["workerChanged"]["worker"];
    vec![(worker["id"].clone(), worker["reason"] == "while you were away")]
}

fn table_with_rows(event: &Value) -> Vec<(Value, bool)> {
    let tables = event["syncProgressed"]["syncTables"].as_array().expect("tables");
    tables.iter().map(|table| (table["id"].clone(), table["rowsIngested"] == 777)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n05_changes_made_while_the_listener_is_away_reach_every_subscriber() {
    let stage = Stage::open().await;
    let (workers, tables) = fleet(&stage).await;
    let (mut first, mut second) = (stage.root.subscribe(WORKERS, json!({})).await, stage.root.subscribe(SYNCS, json!({})).await);
    for _ in 0..=10 {
        first.event().await;
    }
    converges(&mut second, &tables, |event| table_with_rows(event).into_iter().map(|(id, _)| (id, true)).collect()).await;
    // In one transaction with the end of the listener: nobody hears the notices of it.
    let mut away = stage.world.pool.begin().await.expect("a transaction");
    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()",
    )
    .fetch_one(&mut *away)
    .await
    .expect("an end");
    assert_eq!(ended, 1);
    sqlx::query("update worker set state = 'ERROR', reason = 'while you were away' where id = any($1)")
        .bind(&workers)
        .execute(&mut *away)
        .await
        .expect("changes");
    sqlx::query("update sync_table set rows_ingested = 777 where id = any($1)").bind(&tables).execute(&mut *away).await.expect("changes");
    away.commit().await.expect("commit");
    tokio::join!(converges(&mut first, &workers, worker_in_error), converges(&mut second, &tables, table_with_rows));
    // And what comes later comes as ever.
    let generation = stage.start().await;
    let event = first
        .until(|event| event["workerChanged"]["worker"]["id"] == json!(stage.worker) && event["workerChanged"]["initial"] == false)
        .await;
    assert_eq!(event["workerChanged"]["worker"]["state"], "BUILDING");
    stage.report(generation, "LIVE", None).await;
    first.until(|event| event["workerChanged"]["worker"]["state"] == "LIVE").await;
}

/// The listener is ended again and again: each time the present state comes, then every later change (L15).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n05_a_listener_that_is_lost_again_and_again_loses_nothing_for_good() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    socket.event().await;
    for round in 0..5 {
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pumphouse'",
        )
        .execute(&stage.world.pool)
        .await
        .expect("an end");
        stage.give_reason(&round.to_string()).await;
        let seen = socket.until(|event| event["workerChanged"]["worker"]["reason"] == json!(round.to_string()));
        tokio::time::timeout(CONVERGED, seen).await.expect("within ten seconds");
    }
}

/// A server on a PostgreSQL of its own, which a test may restart.
async fn stage_on_its_own_cluster() -> (Stage, Cluster) {
    let data_dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cluster-of-its-own");
    let cluster = Cluster::start(Options { data_dir, durable: false, tcp_port: None }).await.expect("a cluster");
    let name = format!("restarted_{}", Uuid::new_v4().simple());
    cluster.ensure_database(&name).await.expect("a database");
    let url = cluster.url(&name);
    let pool = PgPoolOptions::new().max_connections(4).connect(&url).await.expect("connect");
    sqlx::migrate!("./migrations").run(&pool).await.expect("the migrations run");
    let server = Server::on(Database { url, pool }, &TestSettings::default()).await;
    (Stage::on(server).await, cluster)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n06_after_a_restart_of_the_database_queries_and_events_flow_again() {
    let (stage, cluster) = stage_on_its_own_cluster().await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", None)]).await;
    let mut sockets = Vec::new();
    for query in [WORKERS, WORKERS, SYNCS] {
        sockets.push(stage.root.subscribe(query, json!({})).await);
    }
    for socket in &mut sockets[..2] {
        assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "LIVE");
    }
    // Only a stream that has begun outlives its database.
    sockets[2].event().await;
    for round in 0..2 {
        cluster.restart().await.expect("a restart");
        let error = format!("round {round}");
        let recovered = async {
            loop {
                let query = stage.root.ask(&format!("{{ worker(id: \"{}\") {{ state }} }}", stage.worker)).await;
                if query.0.get("errors").is_none() {
                    break;
                }
                assert_eq!(query.code(), "UNAVAILABLE");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(CONVERGED, recovered).await.expect("queries within ten seconds");
        reported(&stage, generation, &error).await;
        for socket in &mut sockets[..2] {
            let seen = socket.until(|event| event["workerChanged"]["worker"]["reason"] == json!(error));
            tokio::time::timeout(CONVERGED, seen).await.expect("events within ten seconds");
        }
    }
    stage.cancel(&stage.root, run).await.data();
    sockets[2].until(|event| event["syncProgressed"]["syncRun"]["status"] == "CANCELLED").await;
    let Stage { server, world, .. } = stage;
    server.service.stop().await;
    world.pool.close().await;
    cluster.stop().await.expect("the cluster ends");
}

/// A report that is repeated until it is taken, as workers do.
pub async fn reported(stage: &Stage, generation: Uuid, reason: &str) {
    let report = format!(
        "mutation {{ reportWorker(input: {{workerId: \"{}\", launchGeneration: \"{generation}\", state: ERROR, reason: \"{reason}\"}}) {{ accepted }} }}",
        stage.worker
    );
    let itself = stage.server.worker(stage.worker, generation);
    loop {
        let reply = itself.ask(&report).await;
        if reply.0.get("errors").is_none() {
            return;
        }
        assert_eq!(reply.code(), "UNAVAILABLE");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
