//! Rights that end, or move away, while somebody waits for a lock: they count as they are when the wait is over.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use crate::support::{Caller, Reply, Stage, until_somebody_waits};

/// What has not waited as long is taken to have come first.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

/// Somebody else's lock of the worker.
async fn worker_held(stage: &Stage) -> Transaction<'static, Postgres> {
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from worker where id = $1 for update").bind(stage.worker).execute(&mut *other).await.expect("a lock");
    other
}

/// Does something as soon as somebody waits for the lock, and lets go of it when they have waited for long enough.
async fn meanwhile(stage: &Stage, held: Transaction<'static, Postgres>, change: impl Future<Output = ()>) {
    until_somebody_waits(&stage.world.pool).await;
    change.await;
    tokio::time::sleep(LONG_ENOUGH).await;
    held.commit().await.expect("the lock ends");
}

async fn env_admin(stage: &Stage) -> Caller {
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_env(admin.id, stage.env, "admin").await;
    admin
}

#[tokio::test]
async fn the_admin_of_the_old_env_does_nothing_more_to_a_team_that_moved_meanwhile() {
    for verb in ["startWorker", "restartWorker", "issueWorkerToken"] {
        let stage = Stage::open().await;
        let admin = env_admin(&stage).await;
        let (more, answer) = if verb == "issueWorkerToken" { (", lifetime: 60", "expiresAt") } else { ("", "worker { id }") };
        let document = format!("mutation {{ {verb}(input: {{workerId: \"{}\"{more}}}) {{ {answer} }} }}", stage.worker);
        let held = worker_held(&stage).await;
        let (reply, ()) = tokio::join!(admin.ask(&document), meanwhile(&stage, held, stage.move_team_away()));
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("workerId")), "{verb}: {reply:?}");
        assert_eq!(stage.worker_now().await["state"], "PAUSED", "{verb}");
    }
}

/// Sends a document with a key, while somebody else holds what its answer waits for and then ends the membership.
async fn keyed(stage: &Stage, caller: &Caller, document: &str, held: Transaction<'static, Postgres>, end: (&'static str, Uuid)) -> Reply {
    let request = reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(caller.token.as_deref().expect("a token"));
    let request = request.header("idempotency-key", "k").json(&json!({"query": document}));
    let (sql, user) = end;
    let end = async {
        sqlx::query(sql).bind(user).execute(&stage.world.pool).await.expect("gone");
    };
    let (answer, ()) = tokio::join!(request.send(), meanwhile(stage, held, end));
    Reply(answer.expect("an answer").json().await.expect("JSON"))
}

/// The grants of the stage's accounts end.
async fn end_grants(stage: &Stage) {
    sqlx::query("update pumphouse.service_account_grant set worker = false").execute(&stage.world.pool).await.expect("a grant");
}

#[tokio::test]
async fn a_configuration_is_not_handed_out_by_a_grant_that_ended_meanwhile() {
    let stage = Stage::open().await;
    let account = stage.service_account(stage.team, true).await;
    let generation = stage.start().await;
    let request =
        reqwest::Client::new().post(stage.server.url("/worker/bootstrap")).bearer_auth(account.token.as_deref().expect("a token"));
    let request = request.json(&json!({"workerId": stage.worker, "launchGeneration": generation}));
    let held = worker_held(&stage).await;
    let (response, ()) = tokio::join!(request.send(), meanwhile(&stage, held, end_grants(&stage)));
    let response = response.expect("an answer");
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert!(!response.text().await.expect("a body").contains("hunter2"));
}

#[tokio::test]
async fn a_report_does_not_count_by_a_grant_that_ended_meanwhile() {
    let stage = Stage::open().await;
    let account = stage.service_account(stage.team, true).await;
    let generation = stage.start().await;
    let input = format!("input: {{workerId: \"{}\", launchGeneration: \"{generation}\", state: LIVE}}", stage.worker);
    let document = format!("mutation {{ reportWorker({input}) {{ accepted }} }}");
    let held = worker_held(&stage).await;
    let (reply, ()) = tokio::join!(account.ask(&document), meanwhile(&stage, held, end_grants(&stage)));
    assert_eq!(reply.code(), "FORBIDDEN", "{reply:?}");
    assert_eq!(stage.worker_now().await["state"], "BUILDING");
}

#[tokio::test]
async fn an_effect_with_a_key_does_not_outlive_the_right_while_its_answer_is_read() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    // What the answer selects waits for this table, which the change itself does not touch.
    let mut held = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table pumphouse.worker_transition in access exclusive mode").execute(&mut *held).await.expect("a lock");
    let update = format!(
        "mutation {{ updateConnector(input: {{connectorId: \"{}\", name: \"other\"}}) {{
            connector {{ name worker {{ transitions(first: 1) {{ nodes {{ id }} }} }} }} }} }}",
        stage.connector
    );
    let reply = keyed(&stage, &ada, &update, held, ("delete from team_member where user_id = $1", ada.id)).await;
    assert_eq!(reply.code(), "UNAVAILABLE", "{reply:?}");
    let name: String = sqlx::query_scalar("select name from connector where id = $1")
        .bind(stage.connector)
        .fetch_one(&stage.world.pool)
        .await
        .expect("a name");
    assert_eq!(name, "shop");
}

#[tokio::test]
async fn a_stranger_waits_for_nobody_whose_address_they_guess() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    let stranger = stage.server.user("stranger@example.com", false).await;
    let mut held = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("{} {}", ada.id, stage.team))
        .execute(&mut *held)
        .await
        .expect("the lock of the pair");
    let invite =
        |email: &str| format!("mutation {{ inviteToTeam(input: {{teamId: \"{}\", email: \"{email}\"}}) {{ email }} }}", stage.team);
    let set =
        format!("mutation {{ setTeamMember(input: {{teamId: \"{}\", userId: \"{}\"}}) {{ teamMember {{ id }} }} }}", stage.team, ada.id);
    for document in [invite("ada@example.com"), invite("nobody@example.com"), set] {
        let reply = tokio::time::timeout(Duration::from_secs(4), stranger.ask(&document)).await.expect("no wait for the lock");
        assert_eq!(reply.code(), "NOT_FOUND", "{document}");
    }
    held.rollback().await.expect("the lock ends");
}

#[tokio::test]
async fn an_invitation_does_not_outlive_its_authors_right_while_the_answer_to_its_acceptance_is_read() {
    let stage = Stage::open().await;
    let admin = env_admin(&stage).await;
    let ada = stage.server.user("ada@example.com", false).await;
    let invite =
        format!("mutation {{ inviteToTeam(input: {{teamId: \"{}\", email: \"ada@example.com\", admin: true}}) {{ email }} }}", stage.team);
    admin.ask(&invite).await.data();
    let request: Uuid = sqlx::query_scalar("select id from team_request").fetch_one(&stage.world.pool).await.expect("the invitation");
    let mut held = stage.world.pool.begin().await.expect("a transaction");
    let accept = format!(
        "mutation {{ acceptTeamRequest(input: {{requestId: \"{request}\"}}) {{ teamMember {{ user {{ id }} team {{ env {{ id }} }} }} teamRequest {{
            toUser {{ logs(first: 1) {{ totalCount }} }} }} }} }}"
    );
    sqlx::query("lock table user_log in exclusive mode").execute(&mut *held).await.expect("a lock");
    let reply = keyed(&stage, &ada, &accept, held, ("delete from env_member where user_id = $1", admin.id)).await;
    assert!(["UNAVAILABLE", "CONFLICT"].contains(&reply.code()), "{reply:?}");
    let members = "select count(*) from team_member";
    assert_eq!(sqlx::query_scalar::<_, i64>(members).fetch_one(&stage.world.pool).await.expect("a count"), 0);
}

#[tokio::test]
async fn one_who_waits_for_a_lock_with_many_requests_leaves_connections_for_others() {
    let stage = Stage::open().await;
    let (admin, other) = (env_admin(&stage).await, stage.server.user("other@example.com", false).await);
    stage.world.join_env(other.id, stage.env, "reader").await;
    let mut held = stage.world.pool.begin().await.expect("a transaction");
    let pair = format!("{} {}", other.id, stage.team);
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, 0))").bind(pair).execute(&mut *held).await.expect("a lock");
    let document = format!(
        "mutation {{ setTeamMember(input: {{teamId: \"{}\", userId: \"{}\", admin: false}}) {{ teamMember {{ id }} }} }}",
        stage.team, other.id
    );
    // There are ten connections.
    let waiting = futures_util::future::join_all((0..20).map(|_| admin.ask(&document)));
    let meanwhile = async {
        let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while sqlx::query_scalar::<_, i64>(waits).fetch_one(&stage.world.pool).await.expect("a count") < 5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let asked = async {
            for _ in 0..20 {
                other.ask("{ envs { nodes { name } } }").await.data();
            }
        };
        let answered = tokio::time::timeout(Duration::from_secs(3), asked).await;
        held.commit().await.expect("the lock ends");
        answered.expect("others are answered meanwhile");
    };
    let (replies, ()) = tokio::join!(waiting, meanwhile);
    for reply in replies {
        reply.data();
    }
}
