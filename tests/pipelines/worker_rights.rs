//! Who may do what to workers and syncs: refused without a trace, done with one.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Reply, Stage};

/// The people of the tests.
struct People {
    /// Belongs to another team of the same env.
    stranger: Caller,
    /// Sees everything in the env, changes nothing.
    reader: Caller,
    /// Belongs to the team.
    member: Caller,
}

async fn people(stage: &Stage) -> People {
    let (stranger, reader, member) = (
        stage.server.user("stranger@example.com", false).await,
        stage.server.user("reader@example.com", false).await,
        stage.server.user("member@example.com", false).await,
    );
    let other = stage.world.team(stage.env, "other").await;
    stage.world.join_team(stranger.id, other, true).await;
    stage.world.join_env(stranger.id, stage.env, "member").await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    stage.world.join_team(member.id, stage.team, false).await;
    People { stranger, reader, member }
}

async fn do_it(stage: &Stage, caller: &Caller, what: &str, id: Uuid) -> Reply {
    match what {
        "startSync" => {
            let input = json!({"c": id});
            let query = "mutation($c: ID!) { startSync(input: {connectorId: $c, tables: [{name: \"t\"}]}) { syncRun { id } } }";
            caller.ask_with(query, input).await
        }
        "cancelSync" => stage.cancel(caller, id).await,
        verb => stage.command(caller, verb, id).await,
    }
}

/// Everything that a refusal must leave as it is.
async fn everything(stage: &Stage) -> Value {
    sqlx::query_scalar(
        "select jsonb_build_array(
            (select jsonb_agg(w order by id) from worker w), (select jsonb_agg(l order by worker_id) from pumphouse.worker_launch l),
            (select jsonb_agg(r order by id) from sync_run r), (select jsonb_agg(t order by id) from sync_table t),
            (select count(*) from user_log), (select count(*) from pumphouse.worker_transition))",
    )
    .fetch_one(&stage.world.pool)
    .await
    .expect("everything")
}

#[tokio::test]
async fn what_one_may_not_do_is_refused_and_changes_nothing() {
    let stage = Stage::open().await;
    let people = people(&stage).await;
    let run = Uuid::new_v4();
    // In one statement: a run without tables is ended by the leader at once.
    let begin = "with r as (insert into sync_run (id, connector_id, status) values ($1, $2, 'SYNCING') returning id)
        insert into sync_table (id, sync_run_id, table_name, position, status, rows_ingested) select gen_random_uuid(), id, 't', 0, 'QUEUED', 0 from r";
    sqlx::query(begin).bind(run).bind(stage.connector).execute(&stage.world.pool).await.expect("a run");
    let before = everything(&stage).await;
    let all = [
        ("startWorker", stage.worker, "workerId"),
        ("stopWorker", stage.worker, "workerId"),
        ("restartWorker", stage.worker, "workerId"),
        ("startSync", stage.connector, "connectorId"),
        ("cancelSync", run, "syncRunId"),
    ];
    let itself = stage.server.worker(stage.worker, stage.generation().await);
    for (what, id, field) in all {
        let strange = do_it(&stage, &people.stranger, what, id).await;
        let missing = do_it(&stage, &people.stranger, what, Uuid::new_v4()).await;
        assert_eq!((strange.code(), strange.field()), ("NOT_FOUND", Some(field)), "{what}");
        assert_eq!((strange.code(), strange.message()), (missing.code(), missing.message()), "{what}");
        assert_eq!(do_it(&stage, &people.reader, what, id).await.code(), "FORBIDDEN", "{what}");
        assert_eq!(do_it(&stage, &itself, what, id).await.code(), "NOT_FOUND", "{what}");
        assert_eq!(do_it(&stage, &stage.server.nobody(), what, id).await.code(), "UNAUTHENTICATED", "{what}");
    }
    assert_eq!(everything(&stage).await, before);
}

#[tokio::test]
async fn what_a_member_does_is_done_and_audited_with_who_and_about_what() {
    let stage = Stage::open().await;
    let member = people(&stage).await.member;
    do_it(&stage, &member, "startWorker", stage.worker).await.data();
    do_it(&stage, &member, "restartWorker", stage.worker).await.data();
    do_it(&stage, &member, "stopWorker", stage.worker).await.data();
    stage.report(stage.generation().await, "PAUSED", None).await;
    let run = do_it(&stage, &member, "startSync", stage.connector).await.data()["startSync"]["syncRun"]["id"].clone();
    let run = crate::support::id(&run);
    do_it(&stage, &member, "cancelSync", run).await.data();
    do_it(&stage, &member, "cancelSync", run).await.data();

    let log: Vec<Value> = sqlx::query_scalar(
        "select jsonb_build_array(l.action, l.user_type, l.user_email, d.entity_type, d.entity_id, d.entity_name, d.team_id, d.env_id, d.request_id is not null)
         from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id order by l.timestamp",
    )
    .fetch_all(&stage.world.pool)
    .await
    .expect("the log");
    let entry = |action: &str, entity: &str, id: Uuid| {
        json!([action, "real_user", "member@example.com", entity, id, "shop", stage.team, stage.env, true])
    };
    assert_eq!(
        log,
        [
            entry("start", "Worker", stage.worker),
            entry("restart", "Worker", stage.worker),
            entry("stop", "Worker", stage.worker),
            entry("sync", "SyncRun", run),
            entry("cancel", "SyncRun", run),
        ]
    );
}

#[tokio::test]
async fn the_generation_is_shown_to_those_alone_who_may_change_the_worker() {
    let stage = Stage::open().await;
    let people = people(&stage).await;
    let query = format!("{{ worker(id: \"{}\") {{ launchGeneration }} }}", stage.worker);
    assert_eq!(people.reader.ask(&query).await.data()["worker"]["launchGeneration"], Value::Null);
    assert_eq!(people.member.ask(&query).await.data()["worker"]["launchGeneration"], json!(stage.generation().await));
    assert_eq!(people.stranger.ask(&query).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn a_service_account_reports_when_a_grant_on_the_team_says_worker() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    let account = stage.service_account(stage.team, true).await;
    let report = format!(
        "mutation {{ reportWorker(input: {{workerId: \"{}\", launchGeneration: \"{generation}\", state: LIVE}}) {{ directive }} }}",
        stage.worker
    );
    assert_eq!(account.ask(&report).await.data()["reportWorker"]["directive"], "RUN");
    sqlx::query("update pumphouse.service_account_grant set worker = false").execute(&stage.world.pool).await.expect("a grant");
    assert_eq!(account.ask(&report).await.code(), "FORBIDDEN");
    let other = stage.world.team(stage.env, "other").await;
    let stranger = stage.service_account(other, true).await;
    assert_eq!(stranger.ask(&report).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn a_worker_has_no_session_to_end() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    let reply = stage.server.worker(stage.worker, generation).ask("mutation { logout { expiresAt } }").await;
    assert_eq!(reply.code(), "FORBIDDEN", "{}", reply.0);
}
