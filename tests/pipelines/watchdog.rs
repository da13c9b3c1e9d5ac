//! What becomes of workers that do not report.

use std::sync::Arc;
use std::time::Duration;

use pumphouse::core::leader::Job as _;
use pumphouse::pipelines::{Watchdog, WorkerTimings};
use pumphouse::service::Service;
use serde_json::{Value, json};

use crate::support::{Server, Spy, Stage, TestSettings, settings};

/// A stage whose leader hands its [`Spy`] the handle of jobs, and which could hear for an hour.
async fn watched(workers: WorkerTimings) -> (Stage, Arc<Spy>) {
    let spy = Arc::new(Spy::default());
    let stage = Stage::open_with(TestSettings { workers, jobs: vec![spy.clone()], ..TestSettings::default() }).await;
    spy.system().await;
    could_hear_for_an_hour(&stage).await;
    (stage, spy)
}

async fn could_hear_for_an_hour(stage: &Stage) {
    sqlx::query("update pumphouse.leader set hearing_since = now() - interval '1 hour'").execute(&stage.world.pool).await.expect("a past");
}

/// What the watchdog has announced last.
async fn announced(stage: &Stage) -> String {
    sqlx::query_scalar("select announced_health from pumphouse.worker_launch where worker_id = $1")
        .bind(stage.worker)
        .fetch_one(&stage.world.pool)
        .await
        .expect("a launch")
}

#[tokio::test]
async fn w02_many_sweeps_at_once_make_one_transition_and_one_event() {
    let (stage, spy) = watched(WorkerTimings::default()).await;
    stage.live().await;
    stage.stop().await;
    let mut socket =
        stage.root.subscribe("subscription { workerChanged { initial previousState worker { state reason } } }", json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "STOPPING");
    let before = stage.generation().await;
    stage.write("update worker set stop_requested_at = now() - interval '3 minutes' where id = $1").await;
    let system = spy.system().await;
    let watchdogs: Vec<Watchdog> = (0..10).map(|_| Watchdog { timings: WorkerTimings::default() }).collect();
    let sweeps = watchdogs.iter().map(|watchdog| watchdog.run(&system));
    for outcome in futures_util::future::join_all(sweeps).await {
        outcome.expect("a sweep");
    }
    assert_eq!(
        socket.event().await["workerChanged"],
        json!({"initial": false, "previousState": "STOPPING", "worker": {"state": "PAUSED", "reason": "stop not confirmed"}})
    );
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE", "STOPPING", "PAUSED"]);
    assert!(socket.is_quiet_for(Duration::from_millis(1_500)).await);
    assert_ne!(stage.generation().await, before);
    assert_eq!(stage.audited().await, ["start", "stop", "stop"]);
    let by = stage.root.ask("{ userLogs(first: 1) { nodes { userType actorName action entityType entityId } } }").await.data();
    let entry = json!({"userType": "SYSTEM", "actorName": "watchdog", "action": "STOP", "entityType": "Worker", "entityId": stage.worker});
    assert_eq!(by["userLogs"]["nodes"][0], entry);
}

/// A thousand tries, each a heartbeat and a sweep begun in the same instant.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn w07_never_unresponsive_with_a_fresh_heartbeat() {
    let (stage, spy) = watched(WorkerTimings::default()).await;
    let generation = stage.live().await;
    let (system, watchdog) = (spy.system().await, Watchdog { timings: WorkerTimings::default() });
    for round in 0..1_000 {
        stage.write("update worker set last_heartbeat_at = now() - interval '91 seconds' where id = $1").await;
        let (report, sweep) = tokio::join!(stage.report(generation, "LIVE", None), watchdog.run(&system));
        sweep.expect("a sweep");
        assert_eq!(report["directive"], "RUN");
        assert_eq!(announced(&stage).await, "HEALTHY", "in round {round}");
    }
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE"]);
}

/// W09, W10, W11: the time of the stop counts, not that of the process that watches.
#[tokio::test]
async fn w11_a_stop_timeout_survives_a_restart_of_the_server_and_fires_once() {
    let server = Server::start().await;
    let stage = Stage::on(server).await;
    let generation = stage.live().await;
    stage.stop().await;
    let Stage { server, world, worker, .. } = stage;
    let Server { database, service, .. } = server;
    service.stop().await;
    sqlx::query("update worker set stop_requested_at = now() - interval '121 seconds' where id = $1")
        .bind(worker)
        .execute(&world.pool)
        .await
        .expect("a past");
    let replicas = [
        Service::start(settings(&database.url, &TestSettings::default())).await.expect("a replica"),
        Service::start(settings(&database.url, &TestSettings::default())).await.expect("a replica"),
    ];
    let row = || async {
        sqlx::query_as::<_, (String, Option<String>, uuid::Uuid)>("select state, reason, launch_generation from worker where id = $1")
            .bind(worker)
            .fetch_one(&world.pool)
            .await
            .expect("a worker")
    };
    let mut now = row().await;
    while now.0 != "PAUSED" {
        tokio::time::sleep(Duration::from_millis(50)).await;
        now = row().await;
    }
    assert_eq!(now.1.as_deref(), Some("stop not confirmed"));
    assert_ne!(now.2, generation);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let count: i64 =
        sqlx::query_scalar("select count(*) from pumphouse.worker_transition where to_state = 'PAUSED' and from_state = 'STOPPING'")
            .fetch_one(&world.pool)
            .await
            .expect("a count");
    assert_eq!(count, 1);
    for replica in replicas {
        replica.stop().await;
    }
}

#[tokio::test]
async fn a_stop_that_times_out_honours_the_wish_for_a_restart() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    let old = stage.live().await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.write("update worker set stop_requested_at = now() - interval '3 minutes' where id = $1").await;
    stage.worker_when(|worker| worker["state"] == "BUILDING").await;
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE", "STOPPING", "PAUSED", "BUILDING"]);
    assert_eq!(stage.report(old, "LIVE", None).await["directive"], "EXIT");
}

/// A query, a subscriber without doing anything, and the state that stays as it was.
#[tokio::test]
async fn l08_a_silent_worker_is_shown_as_such_and_never_as_stopped() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    let generation = stage.live().await;
    let mut socket =
        stage.root.subscribe("subscription { workerChanged { initial previousState worker { state health } } }", json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["health"], "HEALTHY");
    stage.write("update worker set last_heartbeat_at = now() - interval '91 seconds' where id = $1").await;
    let silent = json!({"initial": false, "previousState": "LIVE", "worker": {"state": "LIVE", "health": "UNRESPONSIVE"}});
    assert_eq!(socket.event().await["workerChanged"], silent);
    let now = stage.worker_now().await;
    assert_eq!((&now["state"], &now["health"], &now["reason"]), (&json!("LIVE"), &json!("UNRESPONSIVE"), &Value::Null));
    let text = reqwest::get(stage.server.url("/metrics")).await.expect("an answer").text().await.expect("text");
    let counted: Vec<&str> = text.lines().filter(|line| line.starts_with("pumphouse_workers{")).collect();
    assert_eq!(counted, ["pumphouse_workers{state=\"LIVE\",health=\"UNRESPONSIVE\"} 1"]);
    stage.report(generation, "LIVE", None).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"], json!({"state": "LIVE", "health": "HEALTHY"}));
    assert_eq!(stage.transitions().await, ["PAUSED", "BUILDING", "LIVE"]);
}

#[tokio::test]
async fn w03_a_launch_without_a_word_is_starting_then_not_started_and_never_unresponsive() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    let generation = stage.start().await;
    let mut socket = stage.root.subscribe("subscription { workerChanged { worker { state health } } }", json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["health"], "STARTING");
    stage.write("update pumphouse.worker_launch set asked_at = now() - interval '20 seconds' where worker_id = $1").await;
    assert!(socket.is_quiet_for(Duration::from_millis(1_200)).await);
    stage.write("update pumphouse.worker_launch set asked_at = now() - interval '120 seconds' where worker_id = $1").await;
    assert_eq!(socket.event().await["workerChanged"]["worker"], json!({"state": "BUILDING", "health": "NOT_STARTED"}));
    stage.report(generation, "BUILDING", None).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"], json!({"state": "BUILDING", "health": "HEALTHY"}));
}

#[tokio::test]
async fn w13_silence_does_not_count_from_before_the_server_could_hear() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    stage.live().await;
    sqlx::query("update pumphouse.leader set hearing_since = now()").execute(&stage.world.pool).await.expect("a start");
    stage.write("update worker set last_heartbeat_at = now() - interval '5 minutes' where id = $1").await;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_eq!(stage.worker_now().await["health"], "HEALTHY");
    assert_eq!(announced(&stage).await, "HEALTHY");
}

#[tokio::test]
async fn one_worker_that_somebody_holds_keeps_no_other_from_being_watched() {
    let (stage, _) = watched(WorkerTimings { stop_timeout: Duration::from_millis(200), ..WorkerTimings::default() }).await;
    let (_, second) = stage.world.source(stage.team, "second").await;
    // Whichever of the two comes first in the sweep: each is held in its turn.
    for held in [stage.worker, second] {
        let free = if held == second { stage.worker } else { second };
        for worker in [held, free] {
            stage.command(&stage.root, "startWorker", worker).await.data();
        }
        let mut holder = stage.world.pool.begin().await.expect("a transaction");
        sqlx::query("select 1 from worker where id = $1 for update").bind(held).execute(&mut *holder).await.expect("a lock");
        let stop = stage.command(&stage.root, "stopWorker", free);
        stop.await.data();
        let mut state = String::new();
        while state != "PAUSED" {
            tokio::time::sleep(Duration::from_millis(50)).await;
            state = sqlx::query_scalar("select state from worker where id = $1")
                .bind(free)
                .fetch_one(&stage.world.pool)
                .await
                .expect("a state");
        }
        holder.rollback().await.expect("rollback");
        stage.command(&stage.root, "stopWorker", held).await.data();
        let generation = stage.world.generation(held).await;
        stage.report_of(held, generation, "PAUSED", None).await;
    }
}

/// W04: what is silent for exactly the limit is not silent for longer.
#[tokio::test]
async fn w04_heartbeats_exactly_as_far_apart_as_the_limit_do_not_flap() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    let sql = "select array_agg(pumphouse.worker_health('LIVE', statement_timestamp() - make_interval(secs => s), statement_timestamp() - interval '1 hour',
            statement_timestamp() - interval '1 hour', statement_timestamp(), interval '90 seconds', interval '90 seconds') order by s)
        from unnest(array[0, 89.999999, 90, 90.000001, 1000]::float8[]) s";
    let judged: Vec<String> = sqlx::query_scalar(sql).fetch_one(&stage.world.pool).await.expect("healths");
    assert_eq!(judged, ["HEALTHY", "HEALTHY", "HEALTHY", "UNRESPONSIVE", "UNRESPONSIVE"]);
}

/// W10: nobody is there to confirm; the state says so, and what shows up later is told to go.
#[tokio::test]
async fn w10_stop_on_a_stale_worker_ends_unconfirmed() {
    let (stage, _) = watched(WorkerTimings::default()).await;
    let old = stage.live().await;
    stage.write("update worker set last_heartbeat_at = now() - interval '10 minutes' where id = $1").await;
    stage.worker_when(|worker| worker["health"] == "UNRESPONSIVE").await;
    stage.stop().await;
    let stopping = stage.worker_now().await;
    assert_eq!((&stopping["state"], &stopping["health"]), (&json!("STOPPING"), &json!("UNRESPONSIVE")));
    stage.write("update worker set stop_requested_at = now() - interval '121 seconds' where id = $1").await;
    let ended = stage.worker_when(|worker| worker["state"] != "STOPPING").await;
    assert_eq!(
        json!([ended["state"], ended["reason"], ended["health"], ended["stopRequestedAt"]]),
        json!(["PAUSED", "stop not confirmed", "INACTIVE", null])
    );
    assert_eq!(stage.report(old, "LIVE", None).await["directive"], "EXIT");
    assert_eq!(stage.command(&stage.root, "startWorker", stage.worker).await.data()["startWorker"]["worker"]["state"], "BUILDING");
}

/// W13: 500 workers, the API down for three minutes; whoever asks in whatever moment after it, nobody is called silent, and each
/// is heard again by its next report.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w13_no_worker_is_judged_by_time_in_which_the_server_was_down() {
    let stage = Stage::open().await;
    for number in 1..500 {
        stage.world.source(stage.team, &format!("source {number}")).await;
    }
    let Stage { server, world, .. } = stage;
    let Server { database, service, .. } = server;
    service.stop().await;
    for sql in [
        "update worker set state = 'LIVE', last_heartbeat_at = now() - interval '185 seconds'",
        "update pumphouse.worker_launch set announced_health = 'HEALTHY', launched_at = now() - interval '1 hour'",
        "update pumphouse.leader set hearing_since = now() - interval '1 hour', heard_at = now() - interval '180 seconds'",
    ] {
        sqlx::query(sql).execute(&world.pool).await.expect("a past");
    }
    let epoch = "select epoch from pumphouse.leader";
    let before: i64 = sqlx::query_scalar(epoch).fetch_one(&world.pool).await.expect("an epoch");
    let settings = settings(&database.url, &TestSettings::default());
    let replicas = [Service::start(settings.clone()).await.expect("a replica"), Service::start(settings.clone()).await.expect("a replica")];
    let root = settings.token_key.for_user(root_of(&world).await, 0, None, chrono::Utc::now() + Duration::from_hours(1)).expect("a token");
    let (mut looks, mut led) = (0, false);
    // Before there is a leader again, and for some rounds of its watchdog.
    while looks < 20 || !led {
        for replica in &replicas {
            let ask = reqwest::Client::new().post(format!("http://{}/graphql", replica.address())).bearer_auth(&root.text);
            let query = json!({"query": "{ workers(first: 200) { nodes { state health } } }"});
            let answer: Value = ask.json(&query).send().await.expect("an answer").json().await.expect("JSON");
            let workers = answer["data"]["workers"]["nodes"].as_array().expect("workers");
            assert!(workers.iter().all(|worker| *worker == json!({"state": "LIVE", "health": "HEALTHY"})), "{answer}");
        }
        led = sqlx::query_scalar::<_, i64>(epoch).fetch_one(&world.pool).await.expect("an epoch") > before;
        looks += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let said = "select count(*) filter (where announced_health <> 'HEALTHY') from pumphouse.worker_launch";
    assert_eq!(sqlx::query_scalar::<_, i64>(said).fetch_one(&world.pool).await.expect("a count"), 0);
    for replica in replicas {
        replica.stop().await;
    }
}

async fn root_of(world: &crate::support::World) -> uuid::Uuid {
    sqlx::query_scalar("select id from \"user\" where is_superuser").fetch_one(&world.pool).await.expect("a superuser")
}
