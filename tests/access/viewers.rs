//! What the visibility of a request costs, and how soon a change of it counts.

use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::json;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};

use crate::support::{Caller, Database, PATIENCE, Server, Stage, TestSettings, cluster, until_somebody_waits};

const MANY: &str = "{ envs { totalCount } teams { totalCount nodes { env { name } connectors { totalCount } } } viewer { user { id } } }";
/// How long a viewer is used again.
const LIFETIME: Duration = Duration::from_secs(1);

/// Waits until two questions of this caller cost one look at most: the listener is in place, nothing changes.
async fn settled(server: &Server, caller: &Caller) {
    let end = Instant::now() + PATIENCE;
    loop {
        caller.ask(MANY).await.data();
        let loads = server.service.viewers().loads();
        caller.ask(MANY).await.data();
        if server.service.viewers().loads() == loads {
            return;
        }
        assert!(Instant::now() < end, "every request asks who asks");
    }
}

/// How long it takes until the caller is answered so.
async fn until_code(caller: &Caller, query: &str, code: &str) -> Duration {
    let started = Instant::now();
    while caller.ask(query).await.0["errors"][0]["extensions"]["code"] != code {
        assert!(started.elapsed() < PATIENCE, "never {code}");
    }
    started.elapsed()
}

/// The id by which a token is revoked.
fn token_id(token: &str) -> uuid::Uuid {
    let claims = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.split('.').nth(1).expect("claims")).expect("base64");
    let claims: serde_json::Value = serde_json::from_slice(&claims).expect("JSON");
    claims["jti"].as_str().expect("an id").parse().expect("a UUID")
}

#[tokio::test]
async fn visibility_costs_one_statement_a_request_and_none_while_it_is_known() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, true).await;
    let loads = || stage.server.service.viewers().loads();
    settled(&stage.server, &ada).await;
    stage.server.service.viewers().forget();
    let before = loads();
    ada.ask(MANY).await.data();
    assert_eq!(loads() - before, 1, "however much is asked");
    let since = Instant::now();
    for _ in 0..10 {
        ada.ask(MANY).await.data();
    }
    if since.elapsed() < LIFETIME {
        assert_eq!(loads() - before, 1, "nothing changed within a second");
    }
    // A report changes nobody's rights.
    let generation = stage.generation().await;
    let before = loads();
    ada.ask(MANY).await.data();
    stage.report(generation, "LIVE", None).await;
    let asked = Instant::now();
    ada.ask(MANY).await.data();
    if asked.elapsed() < LIFETIME {
        assert!(loads() - before <= 2, "the worker's own, and one more at most when the second was over");
    }
    tokio::time::sleep(LIFETIME).await;
    let before = loads();
    ada.ask(MANY).await.data();
    assert_eq!(loads() - before, 1, "after a second it is asked again");
}

#[tokio::test]
async fn a_membership_that_ends_elsewhere_counts_within_a_second() {
    let stage = Stage::open().await;
    let second =
        Server::on(Database { url: stage.server.database.url.clone(), pool: stage.world.pool.clone() }, &TestSettings::default()).await;
    let ada = stage.server.user("ada@example.com", false).await;
    let there = second.with_token(ada.token.as_deref().expect("a token"));
    let query = format!("{{ connector(id: \"{}\") {{ id }} }}", stage.connector);
    for _ in 0..3 {
        stage.world.join_team(ada.id, stage.team, false).await;
        settled(&stage.server, &ada).await;
        settled(&second, &there).await;
        sqlx::query("delete from team_member where user_id = $1").bind(ada.id).execute(&stage.world.pool).await.expect("gone");
        let (one, other) = tokio::join!(until_code(&ada, &query, "NOT_FOUND"), until_code(&there, &query, "NOT_FOUND"));
        assert!(one.max(other) <= LIFETIME + Duration::from_millis(200), "{one:?} {other:?}");
    }
}

#[tokio::test]
async fn the_end_of_a_session_counts_for_the_very_next_request_and_elsewhere_within_a_second() {
    let stage = Stage::open().await;
    let second =
        Server::on(Database { url: stage.server.database.url.clone(), pool: stage.world.pool.clone() }, &TestSettings::default()).await;
    let there = second.with_token(stage.root.token.as_deref().expect("a token"));
    settled(&stage.server, &stage.root).await;
    settled(&second, &there).await;
    stage.root.ask("mutation { logout { expiresAt } }").await.data();
    assert_eq!(stage.root.ask(MANY).await.code(), "UNAUTHENTICATED");
    let took = until_code(&there, MANY, "UNAUTHENTICATED").await;
    assert!(took <= LIFETIME + Duration::from_millis(200), "{took:?}");
}

#[tokio::test]
async fn what_the_api_ends_counts_for_the_very_next_request() {
    let stage = Stage::open().await;
    let ends = [
        "updateUser(input: {userId: \"<ada>\", isActive: false}) { user { id } }",
        "deleteUser(input: {userId: \"<ada>\"}) { user { id } }",
    ];
    for (number, end) in ends.into_iter().enumerate() {
        let ada = stage.server.user(&format!("ada-{number}@example.com"), false).await;
        settled(&stage.server, &ada).await;
        stage.root.ask(&format!("mutation {{ {} }}", end.replace("<ada>", &ada.id.to_string()))).await.data();
        assert_eq!(ada.ask(MANY).await.code(), "UNAUTHENTICATED", "{end}");
    }
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    let query = format!("{{ connector(id: \"{}\") {{ id }} }}", stage.connector);
    ada.ask(&query).await.data();
    stage
        .root
        .ask(&format!(
            "mutation {{ removeTeamMember(input: {{teamId: \"{}\", userId: \"{}\"}}) {{ teamMember {{ id }} }} }}",
            stage.team, ada.id
        ))
        .await
        .data();
    assert_eq!(ada.ask(&query).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn a_right_that_ends_while_a_lock_is_waited_for_counts_no_more() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    settled(&stage.server, &ada).await;
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from worker where id = $1 for update").bind(stage.worker).execute(&mut *other).await.expect("a lock");
    let ending = async {
        until_somebody_waits(&stage.world.pool).await;
        sqlx::query("delete from team_member where user_id = $1").bind(ada.id).execute(&stage.world.pool).await.expect("gone");
        other.commit().await.expect("the lock ends");
    };
    let (reply, ()) = tokio::join!(stage.command(&ada, "startWorker", stage.worker), ending);
    assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("workerId")), "{reply:?}");
    assert_eq!(stage.worker_now().await["state"], "PAUSED");
}

#[tokio::test]
async fn a_right_that_ends_while_a_mutation_waits_for_a_key_counts_no_more() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", true).await;
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    let twin = "insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (gen_random_uuid(), 'eve@example.com', true, false, true, 1)";
    sqlx::query(twin).execute(&mut *other).await.expect("the twin");
    let ending = async {
        until_somebody_waits(&stage.world.pool).await;
        sqlx::query("update \"user\" set is_active = false where id = $1").bind(ada.id).execute(&stage.world.pool).await.expect("inactive");
        // What has not waited long is taken to have come first.
        tokio::time::sleep(Duration::from_millis(150)).await;
        other.rollback().await.expect("the key is free");
    };
    let document = "mutation { createUser(input: {email: \"eve@example.com\", isSuperuser: true}) { user { id } } }";
    let (reply, ()) = tokio::join!(ada.ask(document), ending);
    assert_eq!(reply.code(), "UNAUTHENTICATED", "{reply:?}");
    let made = "select count(*) from \"user\" where email = 'eve@example.com'";
    assert_eq!(sqlx::query_scalar::<_, i64>(made).fetch_one(&stage.world.pool).await.expect("a count"), 0);
}

#[tokio::test]
async fn what_ends_a_session_by_another_hand_counts_within_a_second() {
    let stage = Stage::open().await;
    for (number, end) in [
        "update \"user\" set is_active = false where id = $1",
        "update \"user\" set hashed_password = 'another' where id = $1",
        "delete from \"user\" where id = $1",
        "insert into pumphouse.revoked_token (token_id, user_id, expires_at) select $2, $1, now() + interval '1 h'",
    ]
    .into_iter()
    .enumerate()
    {
        let ada = stage.server.user(&format!("ada-{number}@example.com"), false).await;
        settled(&stage.server, &ada).await;
        let mut ending = sqlx::query(end).bind(ada.id);
        if end.contains("$2") {
            ending = ending.bind(token_id(ada.token.as_deref().expect("a token")));
        }
        ending.execute(&stage.world.pool).await.expect("an end");
        let took = until_code(&ada, MANY, "UNAUTHENTICATED").await;
        assert!(took <= LIFETIME + Duration::from_millis(200), "{end}: {took:?}");
    }
}

#[tokio::test]
async fn nobody_is_known_while_notices_may_be_missed() {
    let stage = Stage::open().await;
    settled(&stage.server, &stage.root).await;
    let name: String = sqlx::query_scalar("select current_database()").fetch_one(&stage.world.pool).await.expect("a name");
    let admin: sqlx::postgres::PgConnectOptions = cluster().await.url("postgres").parse().expect("a URL");
    let mut admin = admin.connect().await.expect("the cluster answers");
    admin.execute(AssertSqlSafe(format!("alter database {name} allow_connections false"))).await.expect("closed");
    let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()";
    sqlx::query(end).execute(&stage.world.pool).await.expect("the listener ends");
    let ready = stage.server.url("/readyz");
    crate::support::until("the listener is gone", || async {
        reqwest::get(&ready).await.is_ok_and(|answer| !answer.status().is_success())
    })
    .await;
    let loads = || stage.server.service.viewers().loads();
    for _ in 0..5 {
        let before = loads();
        // One connection is left for sure.
        stage.root.ask("{ envs { totalCount } }").await.data();
        assert_eq!(loads() - before, 1, "each request asks");
    }
    admin.execute(AssertSqlSafe(format!("alter database {name} allow_connections true"))).await.expect("open");
    settled(&stage.server, &stage.root).await;
    admin.close().await.expect("closed");
}

/// Q05: what one belongs to is a list like any other.
#[tokio::test]
async fn q05_of_very_many_memberships_the_first_thousand_are_told_and_what_hangs_on_them_is_bounded() {
    let server = Server::start().await;
    let ada = server.user("ada@example.com", false).await;
    let rows = "
        with e as (insert into env (id, name, retention_configuration)
            select gen_random_uuid(), 'env ' || to_char(g, 'FM0000'), '{}' from generate_series(1, 1001) g returning id, name),
        m as (insert into env_member (id, timestamp, role, user_id, env_id) select gen_random_uuid(), now(), 'reader', $1, id from e),
        t as (insert into team (id, name, env_id) select gen_random_uuid(), 'team of ' || name, id from e returning id)
        insert into team_member (id, timestamp, admin, user_id, team_id) select gen_random_uuid(), now(), false, $1, id from t";
    sqlx::query(rows).bind(ada.id).execute(&server.database.pool).await.expect("memberships");
    server.service.viewers().forget();
    let own = ada.ask("{ viewer { envs { env { name } } teams(first: 2) { team { name } } } }").await.data()["viewer"].clone();
    let envs = own["envs"].as_array().expect("envs");
    assert_eq!((envs.len(), &envs[0]["env"]["name"], &envs[999]["env"]["name"]), (1_000, &json!("env 0001"), &json!("env 1000")));
    assert_eq!(own["teams"], json!([{"team": {"name": "team of env 0001"}}, {"team": {"name": "team of env 0002"}}]));
    for wrong in [0, 1_001, -1] {
        let refused = ada.ask(&format!("{{ viewer {{ teams(first: {wrong}) {{ admin }} }} }}")).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("first")), "{wrong}");
    }
    let walk = |first: &str| format!("{{ viewer {{ teams{first} {{ team {{ connectors(first: 200) {{ nodes {{ id name }} }} }} }} }} }}");
    assert_eq!(ada.ask(&walk("")).await.0["errors"][0]["extensions"]["details"]["guard"], "QUERY_COST");
    ada.ask(&walk("(first: 50)")).await.data();
}
