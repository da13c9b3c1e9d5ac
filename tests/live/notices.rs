//! What the database says, and how it is listened to.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::postgres::PgListener;
use uuid::Uuid;

use crate::support::{Socket, Stage};

/// The notices heard within this time after the last one.
async fn heard(listener: &mut PgListener) -> Vec<String> {
    let mut all = Vec::new();
    while let Ok(notice) = tokio::time::timeout(Duration::from_millis(300), listener.recv()).await {
        all.push(notice.expect("a notice").payload().to_owned());
    }
    all
}

#[tokio::test]
async fn n03_heartbeats_that_change_nothing_send_no_notice() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let mut listener = PgListener::connect(&stage.server.database.url).await.expect("a listener");
    listener.listen("pumphouse").await.expect("listening");
    for _ in 0..20 {
        stage.report(generation, "LIVE", None).await;
    }
    assert_eq!(heard(&mut listener).await, Vec::<String>::new());
    stage.report(generation, "ERROR", Some("x")).await;
    assert_eq!(heard(&mut listener).await.len(), 1);
    for _ in 0..5 {
        stage.report(generation, "ERROR", Some("x")).await;
    }
    assert_eq!(heard(&mut listener).await, Vec::<String>::new());
}

/// The bar of the case is a bench; here it is that 200 writers say nothing and wait for nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n03_two_hundred_writers_of_heartbeats_say_nothing() {
    let stage = Stage::open().await;
    sqlx::query(
        "with c as (insert into connector (id, name, connector_type, json_configuration, way, team_id)
            select gen_random_uuid(), 'c' || n, 'POSTGRES_SOURCE', '{}', 'SOURCE', $1 from generate_series(1, 200) n returning id)
         insert into worker (id, state, connector_id, launch_generation, last_heartbeat_at) select gen_random_uuid(), 'LIVE', id, gen_random_uuid(), now() from c",
    )
    .bind(stage.team)
    .execute(&stage.world.pool)
    .await
    .expect("a fleet");
    let fleet: Vec<(Uuid, Uuid)> = sqlx::query_as("select id, launch_generation from worker where state = 'LIVE'")
        .fetch_all(&stage.world.pool)
        .await
        .expect("a fleet");
    // The first report ends what the watchdog may have announced of rows that came from nowhere.
    let all =
        || futures_util::future::join_all(fleet.iter().map(|(worker, generation)| stage.report_of(*worker, *generation, "LIVE", None)));
    all().await;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let mut listener = PgListener::connect(&stage.server.database.url).await.expect("a listener");
    listener.listen("pumphouse").await.expect("listening");
    for report in all().await {
        assert_eq!(report["accepted"], true);
    }
    assert_eq!(heard(&mut listener).await, Vec::<String>::new());
}

#[tokio::test]
async fn n04_the_listener_never_holds_a_transaction() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe("subscription { workerChanged { worker { state } } }", json!({})).await;
    socket.event().await;
    let until = Instant::now() + Duration::from_millis(1_500);
    let generation = stage.start().await;
    while Instant::now() < until {
        for state in ["LIVE", "BUILDING"] {
            stage.report(generation, state, None).await;
        }
        // PostgreSQL itself opens one for the moment in which it hands a notice over, dated from the last
        // statement, which is LISTEN; so its age says nothing, but the next look finds it gone.
        let patience = Instant::now() + Duration::from_secs(1);
        loop {
            let listeners: Vec<(String, bool, bool)> = sqlx::query_as(
                "select state, xact_start is null, backend_xmin is null from pg_stat_activity
                 where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()",
            )
            .fetch_all(&stage.world.pool)
            .await
            .expect("activity");
            if listeners == [("idle".to_owned(), true, true)] {
                break;
            }
            assert!(listeners.iter().all(|(state, ..)| !state.starts_with("idle in")), "{listeners:?}");
            assert!(Instant::now() < patience, "{listeners:?}");
        }
    }
}

/// Ten sockets with so many subscriptions each, to what these filters say.
async fn ten_sockets(stage: &Stage, each: usize, filter: impl Fn() -> Value) -> Vec<Socket> {
    const CHANGES: &str = "subscription($f: WorkerChangedFilter) { workerChanged(filter: $f) { worker { state } } }";
    let mut sockets = Vec::new();
    for _ in 0..10 {
        let mut socket = Socket::connect(&stage.server.url("/graphql"), stage.root.token.as_deref()).await;
        for id in 0..each {
            socket.subscribe(&id.to_string(), CHANGES, json!({"f": filter()})).await;
        }
        sockets.push(socket);
    }
    sockets
}

/// Every subscription is told that the worker is in this state.
async fn all_are_told(sockets: &mut [Socket], each: usize, state: &str) {
    for socket in sockets {
        for _ in 0..each {
            assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], state);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n09_a_thousand_subscribers_need_one_listening_connection() {
    let stage = Stage::open().await;
    let mut sockets = ten_sockets(&stage, 100, || json!({"workerIds": [stage.worker]})).await;
    all_are_told(&mut sockets, 100, "PAUSED").await;
    let connections: Vec<String> =
        sqlx::query_scalar("select query from pg_stat_activity where datname = current_database() and application_name = 'pumphouse'")
            .fetch_all(&stage.world.pool)
            .await
            .expect("activity");
    assert_eq!(connections.iter().filter(|query| query.to_lowercase().starts_with("listen")).count(), 1);
    // Ten for requests, four for the hub and the jobs, the listener's and the leader's.
    assert!(connections.len() <= 16, "{} connections", connections.len());
    stage.start().await;
    all_are_told(&mut sockets, 100, "BUILDING").await;
}

/// N09 with subscriptions that are all different, so that none shares an execution.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n09_five_hundred_different_subscriptions_need_one_listening_connection() {
    let stage = Stage::open().await;
    let mut sockets = ten_sockets(&stage, 50, || json!({"workerIds": [stage.worker, uuid::Uuid::new_v4()]})).await;
    all_are_told(&mut sockets, 50, "PAUSED").await;
    assert_eq!(stage.server.metric("pumphouse_subscription_executions").await, 500.0);
    let listening = "select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'pumphouse' and query ilike 'listen%'";
    assert_eq!(sqlx::query_scalar::<_, i64>(listening).fetch_one(&stage.world.pool).await.expect("activity"), 1);
    stage.start().await;
    all_are_told(&mut sockets, 50, "BUILDING").await;
}

/// N08: whatever requests do with the connections they may have.
#[tokio::test]
async fn n08_events_flow_while_every_connection_of_requests_is_taken() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe("subscription { workerChanged { worker { reason } } }", json!({})).await;
    socket.event().await;
    let mut taken = Vec::new();
    for _ in 0..10 {
        taken.push(stage.server.service.db().begin().await.expect("a connection"));
    }
    for reason in ["one", "two", "three"] {
        stage.give_reason(reason).await;
        let event = tokio::time::timeout(Duration::from_secs(2), socket.event()).await.expect("within two seconds");
        assert_eq!(event["workerChanged"]["worker"]["reason"], reason);
        // Longer than a notice to ourselves may take.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    drop(taken);
}
