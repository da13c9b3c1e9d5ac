//! What is kept of a refusal or a failure, and that an effect and its answer are never one without the other.

use std::time::Duration;

use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{Answer, Way, by, kept, restart, restarts, send, until_somebody_waits};
use crate::support::{Server, Stage, TestSettings, database, settings, until};

/// Ends the sessions of this database that wait for a lock.
const END_WAITING: &str =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

async fn run(stage: &Stage, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&stage.world.pool).await.expect("a statement");
}

#[tokio::test]
async fn what_the_input_or_the_state_refuses_is_kept() {
    let stage = Stage::open().await;
    stage.write("update worker set state = 'STOPPING', stop_requested_at = now() where id = $1").await;
    let start = format!("mutation {{ startWorker(input: {{workerId: \"{}\"}}) {{ worker {{ state }} }} }}", stage.worker);
    let conflict = send(&stage, &stage.root, "k", &start).await;
    assert_eq!(conflict.reply().code(), "CONFLICT");
    let sync = format!("mutation {{ startSync(input: {{connectorId: \"{}\", tables: []}}) {{ syncRun {{ id }} }} }}", stage.connector);
    let invalid = send(&stage, &stage.root, "k", &sync).await;
    assert_eq!(invalid.reply().code(), "VALIDATION");
    stage.write("update worker set state = 'PAUSED', stop_requested_at = null where id = $1").await;
    assert_eq!(send(&stage, &stage.root, "k", &start).await, conflict);
    assert_eq!(by(Way::Socket, &stage, &stage.root, "k", json!({"query": sync})).await.text, invalid.text);
    assert_eq!((kept(&stage).await, stage.audited().await.len()), (2, 0));
    assert_eq!(send(&stage, &stage.root, "l", &start).await.reply().data()["startWorker"]["worker"]["state"], "BUILDING");
}

#[tokio::test]
async fn i03_what_fails_on_our_side_is_not_kept_and_the_retry_works() {
    let database = database().await;
    let mut settings = settings(&database.url, &TestSettings::default());
    settings.db.lock_timeout = Duration::from_millis(200);
    let stage = Stage::on(Server::with(database, settings).await).await;
    let document = restart(&stage);

    let mut lock = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from worker where id = $1 for update").bind(stage.worker).execute(&mut *lock).await.expect("a lock");
    assert_eq!(send(&stage, &stage.root, "k", &document).await.reply().code(), "TIMEOUT");
    lock.commit().await.expect("the lock ends");

    let fail = "create function fail() returns trigger language plpgsql as $$ begin raise exception 'secret words'; end $$;
        create trigger fail before insert on user_log for each row execute function fail()";
    run(&stage, fail).await;
    let failed = send(&stage, &stage.root, "k", &document).await;
    assert_eq!((failed.reply().code(), failed.text.contains("secret words")), ("INTERNAL", false));
    run(&stage, "drop trigger fail on user_log").await;
    assert_eq!((restarts(&stage).await, kept(&stage).await, stage.transitions().await.len()), (0, 0, 1));

    // Also what fails only in the selection, when the effect is there already, is undone.
    run(&stage, "update connector set json_configuration = '{\"sealed\": \"nonsense\"}'").await;
    let deep = document.replace("id state", "id connector { jsonConfiguration } state");
    let failed = send(&stage, &stage.root, "k", &deep).await.reply();
    assert_eq!((failed.code(), failed.0["data"].is_null()), ("INTERNAL", true), "{failed:?}");
    assert_eq!((restarts(&stage).await, kept(&stage).await, stage.transitions().await.len()), (0, 0, 1));
    send(&stage, &stage.root, "k", &document).await.reply().data();
    assert_eq!((restarts(&stage).await, kept(&stage).await), (1, 1));
}

/// Sends the restart and has it wait, its effect done and its answer not yet kept, for what `then` does.
async fn cut_before_the_answer(stage: &Stage, then: impl AsyncFnOnce()) -> Option<Answer> {
    let mut lock = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table pumphouse.idempotency_standing in share mode").execute(&mut *lock).await.expect("a lock");
    let document = restart(stage);
    let (answer, ()) = tokio::join!(tokio::time::timeout(Duration::from_secs(3), send(stage, &stage.root, "k", &document)), async {
        until_somebody_waits(stage).await;
        then().await;
    });
    lock.commit().await.expect("the lock ends");
    answer.ok()
}

#[tokio::test]
async fn i03_a_connection_that_ends_between_effect_and_answer_leaves_neither() {
    let stage = Stage::open().await;
    let answer = cut_before_the_answer(&stage, async || run(&stage, END_WAITING).await).await.expect("an answer");
    assert_eq!(answer.reply().code(), "UNAVAILABLE");
    assert_eq!((restarts(&stage).await, kept(&stage).await, stage.transitions().await.len()), (0, 0, 1));
    send(&stage, &stage.root, "k", &restart(&stage)).await.reply().data();
    assert_eq!((restarts(&stage).await, kept(&stage).await), (1, 1));
}

#[tokio::test]
async fn i03_a_client_that_leaves_between_effect_and_answer_leaves_neither_or_both() {
    let stage = Stage::open().await;
    let Stage { server, world, root, .. } = &stage;
    let mut lock = world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table pumphouse.idempotency_standing in share mode").execute(&mut *lock).await.expect("a lock");
    let request = reqwest::Client::new().post(server.url("/graphql")).bearer_auth(root.token.clone().expect("a token"));
    let request = request.header("idempotency-key", "k").json(&json!({"query": restart(&stage)})).send();
    let leaving = tokio::spawn(request);
    until_somebody_waits(&stage).await;
    leaving.abort();
    let _gone = leaving.await;
    lock.commit().await.expect("the lock ends");
    let sql = "select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()";
    until("the server has done with it", || async {
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&world.pool).await.expect("a count") == 0
    })
    .await;
    let (effects, answers) = (restarts(&stage).await, kept(&stage).await);
    assert_eq!(i64::try_from(effects).expect("few"), answers);
    send(&stage, root, "k", &restart(&stage)).await.reply().data();
    assert_eq!((restarts(&stage).await, kept(&stage).await), (1, 1));
}

#[tokio::test]
async fn a_deadlock_runs_a_mutation_with_a_key_again() {
    let stage = Stage::open().await;
    let document = format!(
        "mutation {{ startSync(input: {{connectorId: \"{}\", tables: [{{name: \"a\"}}]}}) {{ syncRun {{ id }} }} }}",
        stage.connector
    );
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    // The server finds the deadlock first, and is the one to give way.
    sqlx::query("set local deadlock_timeout = '60s'").execute(&mut *other).await.expect("patience");
    sqlx::query("select 1 from worker where id = $1 for update").bind(stage.worker).execute(&mut *other).await.expect("a lock");
    let deadlocks = async {
        until_somebody_waits(&stage).await;
        sqlx::query("select 1 from connector where id = $1 for update").bind(stage.connector).execute(&mut *other).await.expect("a lock");
        other.commit().await.expect("the locks end");
    };
    let (answer, ()) = tokio::join!(send(&stage, &stage.root, "k", &document), deadlocks);
    answer.reply().data();
    assert_eq!((kept(&stage).await, stage.audited().await), (1, vec!["sync".to_owned()]));
    assert_eq!(send(&stage, &stage.root, "k", &document).await, answer);
}

#[tokio::test]
async fn the_leader_evicts_what_has_expired() {
    let database = database().await;
    let fill = "insert into idempotency_record (id, endpoint, key, request_hash, response_status, response_body, expires_at)
        select gen_random_uuid(), 'x', n::text, '', 200, 'null', now() + case when n <= 2500 then -interval '1 s' else interval '1 h' end
        from generate_series(1, 2510) n";
    sqlx::query(fill).execute(&database.pool).await.expect("records");
    let revoked = "insert into pumphouse.revoked_token (token_id, expires_at)
        select gen_random_uuid(), now() + case when n = 1 then -interval '1 s' else interval '1 h' end from generate_series(1, 3) n";
    sqlx::query(revoked).execute(&database.pool).await.expect("revocations");
    let stage = Stage::on(Server::on(database, &TestSettings::default()).await).await;
    until("only what may still be asked for is kept", || async { kept(&stage).await == 10 }).await;
    let revocations = "select count(*) from pumphouse.revoked_token";
    let revocations = || async { sqlx::query_scalar::<_, i64>(revocations).fetch_one(&stage.world.pool).await.expect("a count") };
    until("a revocation ends with its token", || async { revocations().await == 2 }).await;
}
