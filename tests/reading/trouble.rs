//! Trouble with the database: what takes too long and what cannot be reached is told as such, in its place.

use std::time::Duration;

use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::support::{Database, PATIENCE, Reply, Server, TestSettings, World, settings};

#[tokio::test]
async fn q02_what_takes_too_long_is_a_timeout_of_that_field() {
    let server = Server::start_with(TestSettings { statement_timeout: Duration::from_millis(300), ..TestSettings::default() }).await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (source, _) = world.source(team, "shop").await;
    let mut holder = server.database.pool.begin().await.expect("a transaction");
    holder.execute("lock table pipeline, datamodel in access exclusive mode").await.expect("locked");

    let one = root.ask(&format!("{{ teams {{ totalCount }} pipeline(id: \"{source}\") {{ id }} }}")).await;
    assert_eq!((one.code(), &one.0["errors"][0]["path"]), ("TIMEOUT", &json!(["pipeline"])));
    assert_eq!(one.0["data"], json!({"teams": {"totalCount": 1}, "pipeline": null}), "the rest of the answer stands");

    let list = root.ask("{ teams { totalCount } pipelines { totalCount } }").await;
    assert_eq!((list.code(), &list.0["errors"][0]["path"][0]), ("TIMEOUT", &json!("pipelines")));
    assert!(list.0["data"].is_null(), "a list is never null or empty instead of an error");

    let below = root.ask("{ connectors { nodes { name datamodels { totalCount } } } }").await;
    assert_eq!((below.code(), &below.0["errors"][0]["path"]), ("TIMEOUT", &json!(["connectors", "nodes", 0, "datamodels"])));
    assert_eq!(below.0["errors"].as_array().map(Vec::len), Some(1), "{:#}", below.0);
    assert!(below.0["errors"][0]["extensions"]["requestId"].is_string());

    holder.rollback().await.expect("released");
    root.ask("{ pipelines { totalCount } connectors { nodes { datamodels { totalCount } } } }").await.data();
}

#[tokio::test]
async fn o03_a_database_that_is_gone_is_unavailable_and_comes_back() {
    let server = Server::start().await;
    let root = server.superuser().await;
    assert_eq!(root.ask("{ teams { totalCount } }").await.data(), json!({"teams": {"totalCount": 0}}));
    let url = &server.database.url;
    let name = url.split_once(":///").and_then(|(_, rest)| rest.split_once('?')).expect("a URL").0;
    let admin = sqlx::PgPool::connect(&url.replacen(name, "postgres", 1)).await.expect("the cluster");
    let run = |sql: String| {
        let admin = admin.clone();
        async move { admin.execute(AssertSqlSafe(sql)).await.expect("the cluster obeys") }
    };
    run(format!("alter database {name} allow_connections false")).await;
    run(format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'")).await;
    for _ in 0..3 {
        let reply = root.ask("{ teams { totalCount } }").await;
        assert_eq!(reply.code(), "UNAVAILABLE", "{}", reply.0);
        assert!(reply.0["data"].is_null());
        assert!(reply.message().contains("try again"));
    }
    run(format!("alter database {name} allow_connections true")).await;
    // Each connection of the pool that was cut may still cost one request.
    for request in 0.. {
        let reply = root.ask("{ teams { totalCount } }").await;
        if reply.0.get("errors").is_none() {
            assert_eq!(reply.data(), json!({"teams": {"totalCount": 0}}));
            break;
        }
        assert_eq!(reply.code(), "UNAVAILABLE", "{}", reply.0);
        assert!(request < 10, "it does not come back");
    }
}

/// N06: a standby that is not promoted yet, a disk that a cloud guards.
#[tokio::test]
async fn n06_a_database_that_takes_no_changes_is_unavailable_for_them_alone_and_comes_back() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let name: String = sqlx::query_scalar("select current_database()::text").fetch_one(&server.database.pool).await.expect("a name");
    // The sessions that there are keep what they began with: those of before would go on, and those of the spell need not end.
    let others = "; select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    let mut session = server.database.pool.acquire().await.expect("a session");
    let mut turn = async |how: &str| {
        let sql = format!("alter database {name} {how} default_transaction_read_only");
        session.execute(AssertSqlSafe(if how == "set" { format!("{sql} = on{others}") } else { sql })).await.expect("it is set");
    };
    let create = "mutation { createEnv(input: {name: \"prod\"}) { env { name } } }";
    let until = async |answered: &dyn Fn(&Reply) -> bool| {
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            let reply = root.ask(create).await;
            if answered(&reply) {
                return;
            }
            assert_eq!(reply.code(), "UNAVAILABLE", "{}", reply.0);
            assert!(tokio::time::Instant::now() < end, "{}", reply.0);
        }
    };
    turn("set").await;
    // Each connection of the pool that was cut may still cost one request.
    until(&|reply| reply.message().contains("takes no changes")).await;
    root.ask("{ envs { totalCount } }").await.data();
    turn("reset").await;
    until(&|reply| reply.0.get("errors").is_none()).await;
}

#[tokio::test]
async fn a_server_without_a_database_answers_that_it_is_unavailable() {
    let known = Server::start().await;
    let root = known.superuser().await;
    let url = "postgres://nobody@127.0.0.1:1/nothing".to_owned();
    let mut cut_off = settings(&url, &TestSettings::default());
    cut_off.db.acquire_timeout = Duration::from_secs(1);
    let server = Server::with(Database { url, pool: known.database.pool.clone() }, cut_off).await;
    let reply = server.with_token(root.token.as_deref().expect("a token")).ask("{ teams { totalCount } }").await;
    assert_eq!(reply.code(), "UNAVAILABLE", "{}", reply.0);
    assert_eq!(server.nobody().ask("{ teams { totalCount } }").await.code(), "UNAUTHENTICATED", "for this no database is needed");
}
