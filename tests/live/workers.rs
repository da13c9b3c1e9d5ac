//! `workerChanged`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Server, Stage, World, until};

const CHANGES: &str = "subscription { workerChanged { initial previousState worker { id state health reason } } }";

#[tokio::test]
async fn a_subscriber_gets_the_present_state_then_every_transition_in_order() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;

    let mut socket = root.subscribe(CHANGES, json!({})).await;
    let first = socket.event().await;
    assert_eq!(
        first["workerChanged"],
        json!({"initial": true, "previousState": null, "worker": {"id": worker, "state": "PAUSED", "health": "INACTIVE", "reason": null}})
    );

    root.ask_with("mutation($id: ID!) { startWorker(input: {workerId: $id}) { worker { state } } }", json!({"id": worker})).await.data();
    let started = socket.event().await;
    assert_eq!(
        started["workerChanged"],
        json!({"initial": false, "previousState": "PAUSED", "worker": {"id": worker, "state": "BUILDING", "health": "STARTING", "reason": null}})
    );

    let generation = world.generation(worker).await;
    let itself = server.worker(worker, generation);
    let report = "mutation($w: ID!, $g: ID!, $s: WorkerState!, $r: String) { reportWorker(input: {workerId: $w, launchGeneration: $g, state: $s, reason: $r}) { accepted directive worker { state } } }";
    let live = itself.ask_with(report, json!({"w": worker, "g": generation, "s": "LIVE"})).await.data();
    assert_eq!(live["reportWorker"], json!({"accepted": true, "directive": "RUN", "worker": {"state": "LIVE"}}));
    let error = itself.ask_with(report, json!({"w": worker, "g": generation, "s": "ERROR", "r": "no route to host"})).await.data();
    assert_eq!(error["reportWorker"]["directive"], "RUN");
    let states = [socket.event().await, socket.event().await];
    assert_eq!(states[0]["workerChanged"]["worker"]["state"], "LIVE");
    assert_eq!(
        states[1]["workerChanged"],
        json!({"initial": false, "previousState": "LIVE", "worker": {"id": worker, "state": "ERROR", "health": "INACTIVE", "reason": "no route to host"}})
    );
}

#[tokio::test]
async fn l04_an_error_and_its_reason_show_in_the_query_and_live() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "LIVE");
    let started = std::time::Instant::now();
    stage.report(generation, "ERROR", Some("permission denied for table orders")).await;
    let event = socket.event().await;
    let now = stage.worker_now().await;
    assert!(started.elapsed() < Duration::from_secs(2));
    for shown in [&event["workerChanged"]["worker"], &now] {
        assert_eq!(json!([shown["state"], shown["reason"]]), json!(["ERROR", "permission denied for table orders"]));
    }
}

/// N02: PostgreSQL drops equal notices of one transaction, and one transaction may go through several states.
#[tokio::test]
async fn n02_two_changes_in_one_transaction_are_both_told_and_the_last_one_stays() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
    socket.event().await;
    let mut both = stage.world.pool.begin().await.expect("a transaction");
    for sql in
        ["update worker set state = 'ERROR', reason = 'one' where id = $1", "update worker set state = 'LIVE', reason = null where id = $1"]
    {
        sqlx::query(sql).bind(stage.worker).execute(&mut *both).await.expect("a change");
    }
    both.commit().await.expect("commit");
    let mut states = Vec::new();
    for _ in 0..2 {
        let event = socket.event().await;
        states.push(json!([
            event["workerChanged"]["previousState"],
            event["workerChanged"]["worker"]["state"],
            event["workerChanged"]["worker"]["reason"]
        ]));
    }
    assert_eq!(states, [json!(["PAUSED", "ERROR", "one"]), json!(["ERROR", "LIVE", null])]);
    assert_eq!(stage.worker_now().await["state"], "LIVE");
    // There and back again: the client ends where the database is.
    let mut back = stage.world.pool.begin().await.expect("a transaction");
    for sql in ["update worker set reason = 'x' where id = $1", "update worker set reason = null where id = $1"] {
        sqlx::query(sql).bind(stage.worker).execute(&mut *back).await.expect("a change");
    }
    back.commit().await.expect("commit");
    // A crossing of health may come between: this worker is LIVE without ever having reported.
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == "x").await;
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == Value::Null).await;
}

#[tokio::test]
async fn transitions_of_many_writers_are_each_told_once_and_in_order() {
    let stage = Stage::open().await;
    let mut socket = stage.root.subscribe("subscription { workerChanged { initial worker { reason } } }", json!({})).await;
    socket.event().await;
    let writes = (0..50).map(|_| async {
        sqlx::query("update worker set reason = (coalesce(reason, '0')::int + 1)::text where id = $1")
            .bind(stage.worker)
            .execute(&stage.world.pool)
            .await
            .expect("a change");
    });
    futures_util::future::join_all(writes).await;
    for number in 1..=50 {
        assert_eq!(socket.event().await["workerChanged"], json!({"initial": false, "worker": {"reason": number.to_string()}}));
    }
    assert!(socket.is_quiet_for(Duration::from_millis(300)).await);
}

/// Whoever subscribes in the middle of changes misses none and gets none twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_is_no_gap_and_no_overlap_between_the_present_state_and_the_first_event() {
    let stage = Stage::open().await;
    stage.write("update worker set reason = '0' where id = $1").await;
    let writer = async {
        for _ in 0..150 {
            stage.write("update worker set reason = (reason::int + 1)::text where id = $1").await;
        }
    };
    let readers = (0..10).map(|index| {
        let stage = &stage;
        async move {
            tokio::time::sleep(Duration::from_millis(index * 15)).await;
            let mut socket = stage.root.subscribe("subscription { workerChanged { initial worker { reason } } }", json!({})).await;
            let number =
                |event: &Value| event["workerChanged"]["worker"]["reason"].as_str().expect("a number").parse::<i64>().expect("a number");
            let mut last = number(&socket.event().await);
            while last < 150 {
                let event = socket.event().await;
                assert_eq!(event["workerChanged"]["initial"], false);
                assert_eq!(number(&event), last + 1);
                last += 1;
            }
        }
    });
    tokio::join!(writer, futures_util::future::join_all(readers));
}

#[tokio::test]
async fn a_filter_follows_what_it_names_and_nothing_else() {
    let stage = Stage::open().await;
    let other_team = stage.world.team(stage.env, "other").await;
    let (other, other_worker) = stage.world.source(other_team, "other").await;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    let pipeline = stage.world.pipeline(stage.team, "p", stage.connector, target, datamodel).await;
    let query = "subscription($f: WorkerChangedFilter) { workerChanged(filter: $f) { initial worker { id } } }";
    let filters = [
        json!({"workerIds": [stage.worker]}),
        json!({"connectorIds": [stage.connector]}),
        json!({"teamId": stage.team, "connectorIds": [stage.connector, other]}),
        json!({"envId": stage.env, "workerIds": [stage.worker]}),
        json!({"pipelineIds": [pipeline], "connectorIds": [stage.connector, other]}),
    ];
    let mut sockets = Vec::new();
    for filter in filters {
        let mut socket = stage.root.subscribe(query, json!({"f": filter})).await;
        assert_eq!(socket.event().await["workerChanged"], json!({"initial": true, "worker": {"id": stage.worker}}));
        sockets.push(socket);
    }
    stage.command(&stage.root, "startWorker", other_worker).await.data();
    stage.start().await;
    for mut socket in sockets {
        assert_eq!(socket.event().await["workerChanged"], json!({"initial": false, "worker": {"id": stage.worker}}));
    }
    let many: Vec<_> = (0..501).map(|_| uuid::Uuid::new_v4()).collect();
    let mut refused = stage.root.subscribe(query, json!({"f": {"workerIds": many}})).await;
    let message = refused.message().await.expect("an answer");
    assert!(message.to_string().contains("VALIDATION"), "{message:#}");
}

#[tokio::test]
async fn p07_a_change_that_another_writer_makes_is_told_once_also_when_the_watchdog_finds_its_health() {
    let stage = Stage::open().await;
    stage.live().await;
    let document = "subscription { workerChanged { initial previousState worker { state health reason } } }";
    let mut socket = stage.root.subscribe(document, json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["health"], "HEALTHY");
    for (from, state, health) in [("LIVE", "ERROR", "INACTIVE"), ("ERROR", "LIVE", "HEALTHY"), ("LIVE", "PAUSED", "INACTIVE")] {
        sqlx::query("update worker set state = $2, reason = 'by hand' where id = $1")
            .bind(stage.worker)
            .bind(state)
            .execute(&stage.world.pool)
            .await
            .expect("a change");
        let told = json!({"initial": false, "previousState": from, "worker": {"state": state, "health": health, "reason": "by hand"}});
        assert_eq!(socket.event().await["workerChanged"], told);
        until("the watchdog has found it", async || {
            let sql = "select announced_health from pumphouse.worker_launch where worker_id = $1";
            sqlx::query_scalar::<_, String>(sql).bind(stage.worker).fetch_one(&stage.world.pool).await.expect("a launch") == health
        })
        .await;
    }
    // What it has found would come before this.
    stage.give_reason("next").await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["reason"], "next");
}
