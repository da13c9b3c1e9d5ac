//! Several replicas on one database: events cross, one leads, and another takes over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pumphouse::core::leader::Job;
use pumphouse::service::Service;
use serde_json::json;

use crate::support::{Caller, Socket, Spy, Stage, TestSettings, settings};

/// Within this time another replica must have taken over.
const TAKEN_OVER: Duration = Duration::from_secs(10);

/// A further replica on the stage's database, with the spy among its jobs.
async fn replica(stage: &Stage) -> (Service, Arc<Spy>) {
    let spy = Arc::new(Spy::default());
    let jobs: Vec<Arc<dyn Job>> = vec![spy.clone()];
    let test = TestSettings { jobs, ..TestSettings::default() };
    (Service::start(settings(&stage.server.database.url, &test)).await.expect("a replica"), spy)
}

/// A stage whose replica leads.
async fn leading() -> (Stage, Arc<Spy>) {
    let spy = Arc::new(Spy::default());
    let stage = Stage::open_with(TestSettings { jobs: vec![spy.clone()], ..TestSettings::default() }).await;
    spy.system().await;
    (stage, spy)
}

async fn subscribe_at(service: &Service, caller: &Caller) -> Socket {
    let url = format!("http://{}/graphql", service.address());
    let mut socket = Socket::connect(&url, caller.token.as_deref()).await;
    socket.subscribe("1", "subscription { workerChanged { initial worker { state } } }", json!({})).await;
    socket
}

#[tokio::test]
async fn what_changes_at_one_replica_is_told_by_the_other() {
    let stage = Stage::open().await;
    let (other, _) = replica(&stage).await;
    let mut socket = subscribe_at(&other, &stage.root).await;
    assert_eq!(socket.event().await["workerChanged"], json!({"initial": true, "worker": {"state": "PAUSED"}}));
    let generation = stage.start().await;
    stage.report(generation, "LIVE", None).await;
    for state in ["BUILDING", "LIVE"] {
        assert_eq!(socket.event().await["workerChanged"], json!({"initial": false, "worker": {"state": state}}));
    }
    other.stop().await;
}

#[tokio::test]
async fn when_the_leader_stops_another_goes_on_with_the_jobs() {
    let (stage, first) = leading().await;
    let (other, second) = replica(&stage).await;
    let generation = stage.live().await;
    let mut socket = subscribe_at(&other, &stage.root).await;
    socket.event().await;
    assert!(!second.has_led());
    let Stage { server, world, worker, root, .. } = stage;
    let url = format!("http://{}/graphql", other.address());
    let ask = |query: String| {
        let (url, token) = (url.clone(), root.token.clone().expect("a token"));
        async move {
            let body = json!({"query": query});
            reqwest::Client::new()
                .post(url)
                .bearer_auth(token)
                .json(&body)
                .send()
                .await
                .expect("an answer")
                .json::<serde_json::Value>()
                .await
                .expect("JSON")
        }
    };
    let started = Instant::now();
    server.service.stop().await;
    first.forget();
    second.system().await;
    assert!(started.elapsed() < TAKEN_OVER, "{:?}", started.elapsed());
    let stop = ask(format!("mutation {{ stopWorker(input: {{workerId: \"{worker}\"}}) {{ worker {{ state }} }} }}")).await;
    assert_eq!(stop["data"]["stopWorker"]["worker"]["state"], "STOPPING");
    sqlx::query("update worker set stop_requested_at = now() - interval '3 minutes' where id = $1")
        .bind(worker)
        .execute(&world.pool)
        .await
        .expect("a past");
    let paused = socket.until(|event| event["workerChanged"]["worker"]["state"] == "PAUSED");
    tokio::time::timeout(TAKEN_OVER, paused).await.expect("the watchdog goes on");
    assert_ne!(world.generation(worker).await, generation);
    assert!(!first.has_led(), "a replica that has stopped runs no jobs");
    other.stop().await;
}

/// The leader's connection is ended by force; whoever leads next, the old handle commits nothing any more.
#[tokio::test]
async fn a_leader_whose_connection_is_killed_is_followed_and_its_handle_is_void() {
    let (stage, first) = leading().await;
    let old = first.system().await;
    old.begin().await.expect("it leads").rollback().await.expect("rollback");
    let (other, second) = replica(&stage).await;
    let epoch = "select epoch from pumphouse.leader";
    let before: i64 = sqlx::query_scalar(epoch).fetch_one(&stage.world.pool).await.expect("an epoch");
    let started = Instant::now();
    first.forget();
    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_locks where locktype = 'advisory' and granted
           and database = (select oid from pg_database where datname = current_database())",
    )
    .fetch_one(&stage.world.pool)
    .await
    .expect("an end");
    assert_eq!(ended, 1);
    while sqlx::query_scalar::<_, i64>(epoch).fetch_one(&stage.world.pool).await.expect("an epoch") == before {
        assert!(started.elapsed() < TAKEN_OVER);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let refused = old.begin().await.expect_err("the old epoch is over");
    assert_eq!(refused.code().as_str(), "UNAVAILABLE");
    // One of the two leads, and its jobs run.
    let system = tokio::select! {
        system = first.system_after(before) => system,
        system = second.system() => system,
    };
    system.begin().await.expect("it leads").rollback().await.expect("rollback");
    other.stop().await;
}

/// A transaction of the old leader that is under way keeps the next one from beginning until it has ended.
#[tokio::test]
async fn a_take_over_waits_for_the_transaction_of_a_job_but_not_for_ever() {
    let (stage, first) = leading().await;
    let old = first.system().await;
    let (other, second) = replica(&stage).await;
    let mut under_way = old.begin().await.expect("it leads");
    sqlx::query("update worker set reason = 'by the old leader' where id = $1")
        .bind(stage.worker)
        .execute(&mut *under_way)
        .await
        .expect("a change");
    let Stage { server, world, worker, .. } = stage;
    let stopped = Instant::now();
    // The connection pool closes only once the transaction is given back: stop beside it.
    let stop = server.service.stop();
    let work = async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        assert!(!second.has_led(), "it took over in the middle of a transaction of the old leader");
        under_way.commit().await.expect("commit");
    };
    tokio::join!(stop, work);
    second.system().await;
    assert!(stopped.elapsed() < TAKEN_OVER, "{:?}", stopped.elapsed());
    let reason: Option<String> =
        sqlx::query_scalar("select reason from worker where id = $1").bind(worker).fetch_one(&world.pool).await.expect("a reason");
    assert_eq!(reason.as_deref(), Some("by the old leader"));
    other.stop().await;
}

#[tokio::test]
async fn a_leader_cut_off_in_a_transaction_is_not_waited_for_longer_than_for_its_lock() {
    let (stage, first) = leading().await;
    let old = first.system().await;
    let (other, second) = replica(&stage).await;
    // Never committed, never rolled back, as if the network were cut.
    let held = old.begin().await.expect("it leads");
    let started = Instant::now();
    sqlx::query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())")
        .execute(&stage.world.pool)
        .await
        .expect("an end");
    first.forget();
    tokio::select! {
        _ = first.system_after(1) => {}
        _ = second.system() => {}
    }
    assert!(started.elapsed() < TAKEN_OVER, "{:?}", started.elapsed());
    drop(held);
    other.stop().await;
}

/// R14: what is asked while the leader changes is done, and done whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r14_changes_while_the_leader_changes_are_done_whole() {
    let (stage, _) = leading().await;
    let (other, _) = replica(&stage).await;
    for _ in 0..2 {
        let changes = async {
            for _ in 0..10 {
                let generation = stage.live().await;
                let run = stage.sync(&[("a", Some(1)), ("b", None)]).await;
                stage.cancel(&stage.root, run).await.data();
                stage.stop().await;
                assert_eq!(stage.report(generation, "PAUSED", None).await["worker"]["state"], "PAUSED");
            }
        };
        tokio::join!(stage.new_leader(), changes);
    }
    let verbs: Vec<String> = ["start", "sync", "cancel", "stop"].iter().cycle().take(80).map(|verb| (*verb).to_owned()).collect();
    assert_eq!(stage.audited().await, verbs);
    let halves = "select count(*) from sync_run r where r.status <> 'CANCELLED' or not exists (select from pumphouse.sync_run_end e where e.sync_run_id = r.id)";
    assert_eq!(sqlx::query_scalar::<_, i64>(halves).fetch_one(&stage.world.pool).await.expect("a count"), 0);
    other.stop().await;
}
