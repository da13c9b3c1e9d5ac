//! What subscribers see of what is not theirs: nothing, also when rights come and go (A05).

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Socket, Stage};

const WORKERS: &str = "subscription($f: WorkerChangedFilter) { workerChanged(filter: $f) { initial worker { id state } } }";
const SYNCS: &str = "subscription($f: SyncProgressedFilter) { syncProgressed(filter: $f) { initial syncRun { id } } }";
const QUIET: Duration = Duration::from_millis(400);

/// A member of a team with one worker, beside the stage's own team.
async fn neighbour(stage: &Stage) -> (Caller, Uuid, Uuid, Uuid) {
    let caller = stage.server.user("neighbour@example.com", false).await;
    let team = stage.world.team(stage.env, "neighbours").await;
    stage.world.join_team(caller.id, team, false).await;
    let (connector, worker) = stage.world.source(team, "theirs").await;
    (caller, team, connector, worker)
}

async fn workers(caller: &Caller, filter: Value) -> Socket {
    caller.subscribe(WORKERS, json!({"f": filter})).await
}

#[tokio::test]
async fn a05_a_member_never_hears_of_another_team_not_even_by_a_guessed_id() {
    let stage = Stage::open().await;
    let (caller, _, _, own) = neighbour(&stage).await;
    let mut all = workers(&caller, Value::Null).await;
    assert_eq!(all.event().await["workerChanged"]["worker"]["id"], json!(own));
    let mut silent = Vec::new();
    for filter in [
        json!({"workerIds": [stage.worker]}),
        json!({"workerIds": [Uuid::new_v4()]}),
        json!({"connectorIds": [stage.connector]}),
        json!({"teamId": stage.team}),
        json!({"teamId": Uuid::new_v4()}),
    ] {
        silent.push(workers(&caller, filter).await);
    }
    let run = {
        let generation = stage.live().await;
        let run = stage.sync(&[("a", None)]).await;
        stage.begun(run, 0).await;
        let table = stage.tables(run).await[0];
        stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 3}])).await.data();
        run
    };
    for filter in
        [Value::Null, json!({"syncRunIds": [run]}), json!({"connectorIds": [stage.connector]}), json!({"syncRunIds": [Uuid::new_v4()]})]
    {
        silent.push(caller.subscribe(SYNCS, json!({"f": filter})).await);
    }
    stage.cancel(&stage.root, run).await.data();
    stage.stop().await;
    // Their own is still told, so what was silent was not deaf.
    stage.command(&caller, "startWorker", own).await.data();
    assert_eq!(all.event().await["workerChanged"]["worker"], json!({"id": own, "state": "BUILDING"}));
    for socket in &mut silent {
        assert!(socket.is_quiet_for(Duration::from_millis(100)).await);
    }
    assert!(all.is_quiet_for(QUIET).await);
}

#[tokio::test]
async fn a_membership_that_is_gained_shows_the_present_state_and_one_that_is_lost_ends_the_events() {
    let stage = Stage::open().await;
    let (caller, team, _, own) = neighbour(&stage).await;
    let mut socket = workers(&caller, Value::Null).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["id"], json!(own));

    stage.world.join_team(caller.id, stage.team, false).await;
    let mut shown = [socket.event().await["workerChanged"].clone(), socket.event().await["workerChanged"].clone()];
    shown.sort_by_key(|event| event["worker"]["id"] == json!(stage.worker));
    assert_eq!(shown[1], json!({"initial": true, "worker": {"id": stage.worker, "state": "PAUSED"}}));
    stage.start().await;
    assert_eq!(socket.event().await["workerChanged"]["worker"], json!({"id": stage.worker, "state": "BUILDING"}));

    sqlx::query("delete from team_member where user_id = $1 and team_id = $2")
        .bind(caller.id)
        .bind(stage.team)
        .execute(&stage.world.pool)
        .await
        .expect("gone");
    let gone = socket.event().await["workerChanged"].clone();
    assert_eq!(gone, json!({"initial": false, "worker": null}), "what is out of sight is taken back");
    let again = socket.event().await["workerChanged"].clone();
    assert_eq!(again, json!({"initial": true, "worker": {"id": own, "state": "PAUSED"}}));
    stage.stop().await;
    assert!(socket.is_quiet_for(QUIET).await);

    // The role in the env counts alike; losing everything leaves silence.
    stage.world.join_env(caller.id, stage.env, "reader").await;
    for _ in 0..2 {
        assert_eq!(socket.event().await["workerChanged"]["initial"], true);
    }
    sqlx::query("delete from env_member where user_id = $1").bind(caller.id).execute(&stage.world.pool).await.expect("gone");
    sqlx::query("delete from team_member where user_id = $1 and team_id = $2")
        .bind(caller.id)
        .bind(team)
        .execute(&stage.world.pool)
        .await
        .expect("gone");
    while !socket.is_quiet_for(QUIET).await {}
    stage.command(&stage.root, "startWorker", own).await.data();
    assert!(socket.is_quiet_for(QUIET).await);
}

#[tokio::test]
async fn an_object_that_moves_to_another_team_moves_out_of_sight() {
    let stage = Stage::open().await;
    let (caller, team, connector, worker) = neighbour(&stage).await;
    let mut socket = workers(&caller, Value::Null).await;
    socket.event().await;
    sqlx::query("update connector set team_id = $2 where id = $1")
        .bind(connector)
        .bind(stage.team)
        .execute(&stage.world.pool)
        .await
        .expect("moved");
    assert_eq!(socket.event().await["workerChanged"], json!({"initial": false, "worker": null}), "it is taken back");
    stage.command(&stage.root, "startWorker", worker).await.data();
    assert!(socket.is_quiet_for(QUIET).await);
    // Back in sight it is shown as it is now, without a change of its own.
    sqlx::query("update connector set team_id = $2 where id = $1")
        .bind(connector)
        .bind(team)
        .execute(&stage.world.pool)
        .await
        .expect("moved back");
    assert_eq!(socket.event().await["workerChanged"], json!({"initial": true, "worker": {"id": worker, "state": "BUILDING"}}));
    stage.command(&stage.root, "stopWorker", worker).await.data();
    assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "STOPPING");
}

#[tokio::test]
async fn the_stream_of_a_user_who_is_deactivated_ends() {
    let stage = Stage::open().await;
    let (caller, ..) = neighbour(&stage).await;
    let mut socket = workers(&caller, Value::Null).await;
    socket.event().await;
    sqlx::query("update \"user\" set is_active = false where id = $1").bind(caller.id).execute(&stage.world.pool).await.expect("inactive");
    let ended = tokio::time::timeout(Duration::from_secs(5), socket.message()).await.expect("within 5 s");
    // The socket may be closed before the error is said.
    assert!(ended.is_none_or(|message| message.to_string().contains("UNAUTHENTICATED")));
}
