//! One large transaction cuts nobody off.

use std::time::Duration;

use serde_json::json;
use sqlx::{ConnectOptions as _, Executor as _};
use uuid::Uuid;

use crate::support::{PATIENCE, Stage};

const WORKERS: &str = "subscription { workerChanged { initial worker { id state reason } } }";
const MANY: i64 = 10_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_new_memberships_in_one_transaction_cut_nobody_off() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    let mut sockets = [stage.root.subscribe(WORKERS, json!({})).await, member.subscribe(WORKERS, json!({})).await];
    sockets[0].event().await;
    assert!(sockets[1].is_quiet_for(Duration::from_millis(200)).await);
    let mut all = stage.world.pool.begin().await.expect("a transaction");
    for sql in [
        "insert into \"user\" (id, email, is_active, is_superuser, is_verified, version, updated_at)
            select gen_random_uuid(), 'u' || n || '@example.com', true, false, true, 1, now() from generate_series(1, $2) n where $1 is not null",
        "insert into team_member (id, timestamp, admin, user_id, team_id) select gen_random_uuid(), now(), false, id, $1 from \"user\" where $2 > 0",
    ] {
        sqlx::query(sql).bind(stage.team).bind(MANY).execute(&mut *all).await.expect("rows");
    }
    all.commit().await.expect("commit");
    // One of the ten thousand sees the worker from now on.
    assert_eq!(sockets[1].event().await["workerChanged"]["worker"]["id"], json!(stage.worker));
    stage.start().await;
    for socket in &mut sockets {
        socket.until(|event| event["workerChanged"]["worker"]["state"] == "BUILDING").await;
    }
}

/// A session keeps the plans of its first changes, which are small.
#[tokio::test]
async fn a_large_change_takes_a_session_no_longer_after_a_small_one() {
    let stage = Stage::open().await;
    let insert = "insert into pipeline (id, name, json_configuration, version, team_id)
        select gen_random_uuid(), 'p' || n, '{}', 1, $1 from generate_series(1, 4000) n";
    sqlx::query(insert).bind(stage.team).execute(&stage.world.pool).await.expect("pipelines");
    let options = stage.world.pool.connect_options();
    let timed = async |small: bool| {
        let mut session = options.connect().await.expect("a session");
        if small {
            session.execute("update pipeline set version = version + 1 where name = 'p1'").await.expect("a small change");
        }
        let begun = std::time::Instant::now();
        session.execute("update pipeline set version = version + 1").await.expect("a large change");
        begun.elapsed()
    };
    let (fresh, warm) = (timed(false).await, timed(true).await);
    assert!(warm < 4 * fresh + Duration::from_secs(1), "{fresh:?}, then {warm:?}");
}

/// So many workers of one team.
async fn fleet(stage: &Stage) {
    sqlx::query(
        "with c as (insert into connector (id, name, connector_type, json_configuration, way, team_id)
            select gen_random_uuid(), 'c' || n, 'POSTGRES_SOURCE', '{}', 'SOURCE', $1 from generate_series(1, $2) n returning id)
         insert into worker (id, state, connector_id, launch_generation) select gen_random_uuid(), 'PAUSED', id, gen_random_uuid() from c",
    )
    .bind(stage.team)
    .bind(MANY)
    .execute(&stage.world.pool)
    .await
    .expect("a fleet");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_transitions_in_one_transaction_reach_everybody() {
    let stage = Stage::open().await;
    fleet(&stage).await;
    let filter = json!({"f": {"workerIds": [stage.worker]}});
    let one = "subscription($f: WorkerChangedFilter) { workerChanged(filter: $f) { worker { id state reason } } }";
    let (mut all, mut only) = (stage.root.subscribe(WORKERS, json!({})).await, stage.root.subscribe(one, filter).await);
    for _ in 0..=MANY {
        all.event().await;
    }
    only.event().await;
    sqlx::query("update worker set state = 'ERROR', reason = 'all at once'").execute(&stage.world.pool).await.expect("changes");
    let mut told = std::collections::HashSet::new();
    let everybody = async {
        while told.len() < usize::try_from(MANY).expect("a number") + 1 {
            let event = all.event().await;
            assert_eq!(event["workerChanged"]["initial"], false);
            assert_eq!(event["workerChanged"]["worker"]["reason"], "all at once");
            told.insert(event["workerChanged"]["worker"]["id"].as_str().and_then(|id| id.parse::<Uuid>().ok()).expect("an id"));
        }
    };
    tokio::time::timeout(PATIENCE * 3, everybody).await.expect("all in time");
    assert_eq!(only.event().await["workerChanged"]["worker"]["reason"], "all at once");
    stage.command(&stage.root, "startWorker", stage.worker).await.data();
    for socket in [&mut all, &mut only] {
        socket.until(|event| event["workerChanged"]["worker"]["state"] == "BUILDING").await;
    }
}
