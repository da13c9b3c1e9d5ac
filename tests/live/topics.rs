//! What is missed while the listener is away is made good whatever was followed (N05): the topics that `recovery.rs` leaves out.

use serde_json::{Value, json};
use uuid::Uuid;

use super::recovery::CONVERGED;
use crate::support::{Flow, Socket};

const STATES: &str = "subscription { pipelineStateChanged { state } }";
const REQUESTS: &str = "subscription { requestReceived { requestId teamRequest { status } } }";
const DIRECTIVES: &str = "subscription($w: ID!, $g: ID!) { workerDirectives(workerId: $w, launchGeneration: $g) { directive } }";
const THROUGHPUT: &str = "subscription { throughputReported { initial datamodel { id } production { total } } }";

/// Reads on until the field says this.
async fn shows(mut socket: Socket, wanted: impl Fn(&Value) -> bool) {
    tokio::time::timeout(CONVERGED, socket.until(wanted)).await.expect("it is shown in time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n05_states_of_pipelines_requests_directives_and_throughput_are_true_again_after_a_lost_listener() {
    let flow = Flow::open().await;
    let (source, _) = flow.live().await;
    let stage = &flow.stage;
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_team(admin.id, stage.team, true).await;
    let asking = stage.server.user("asking@example.com", false).await;

    let mut states = stage.root.subscribe(STATES, json!({})).await;
    assert_eq!(states.event().await["pipelineStateChanged"]["state"], "LIVE");
    let mut directives = stage.server.worker(stage.worker, source).subscribe(DIRECTIVES, json!({"w": stage.worker, "g": source})).await;
    assert_eq!(directives.event().await["workerDirectives"]["directive"], "RUN");
    // These two have nothing to say yet; a ping that is answered shows that they were asked for.
    let mut requests = admin.subscribe(REQUESTS, json!({})).await;
    let mut throughput = stage.root.subscribe(THROUGHPUT, json!({})).await;
    for socket in [&mut requests, &mut throughput] {
        socket.send(json!({"type": "ping"})).await;
        assert_eq!(socket.message().await.expect("an answer")["type"], "pong");
    }
    while stage.server.metric("pumphouse_subscription_executions").await < 4.0 {
        tokio::task::yield_now().await;
    }

    // In one transaction with the end of the listener: nobody hears the notices of it.
    let mut away = stage.world.pool.begin().await.expect("a transaction");
    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
         where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()",
    )
    .fetch_one(&mut *away)
    .await
    .expect("an end");
    assert_eq!(ended, 1);
    let request = Uuid::new_v4();
    for (sql, id) in [
        ("update worker set state = 'STOPPING', stop_requested_at = now() where id = $1", stage.worker),
        (
            "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
          values ($1, 0, 60000, 'shop.orders', '{\"c\": 7, \"total\": 7}', now())",
            Uuid::new_v4(),
        ),
    ] {
        sqlx::query(sql).bind(id).execute(&mut *away).await.expect("a change");
    }
    let sql = "insert into team_request (id, admin, team_id, from_user_id, to_user_id, status) values ($1, false, $2, $3, $3, 'PENDING')";
    sqlx::query(sql).bind(request).bind(stage.team).bind(asking.id).execute(&mut *away).await.expect("a request");
    away.commit().await.expect("commit");
    tokio::join!(
        shows(states, |event| event["pipelineStateChanged"]["state"] == "STOPPING"),
        shows(requests, |event| event["requestReceived"]["requestId"] == json!(request)),
        shows(directives, |event| event["workerDirectives"]["directive"] == "STOP"),
        shows(throughput, |event| event["throughputReported"]["production"][0]["total"] == 7),
    );
}
