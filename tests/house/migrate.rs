//! Migrating a database, as every start does.

use std::str::FromStr as _;
use std::time::Duration;

use pumphouse::core::migrate::{MigrateError, known, migrate};
use sqlx::postgres::PgConnectOptions;

use crate::support::{cluster, database, until_somebody_waits};

const WAIT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn two_that_migrate_at_once_do_it_once_and_a_later_start_has_nothing_to_do() {
    // The role is called `pumphouse`, like the schema of that name.
    let cluster = cluster().await;
    cluster.ensure_database("test_migrated_twice").await.expect("a database");
    let options = PgConnectOptions::from_str(&cluster.url("test_migrated_twice")).expect("a URL");
    let (one, other) = tokio::join!(migrate(&options, WAIT), migrate(&options, WAIT));
    let applied = [one.expect("it migrates").applied.len(), other.expect("it waits").applied.len()];
    assert!(applied == [known().len(), 0] || applied == [0, known().len()], "{applied:?}");
    assert!(migrate(&options, WAIT).await.expect("it looks").applied.is_empty());
}

#[tokio::test]
async fn o02_a_migration_that_is_blocked_gives_up_names_who_is_in_the_way_and_runs_when_they_are_gone() {
    let database = database().await;
    let options = PgConnectOptions::from_str(&database.url).expect("a URL");
    let mut holder = database.pool.begin().await.expect("a transaction");
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *holder).await.expect("a number");
    sqlx::query("lock table _sqlx_migrations in access exclusive mode").execute(&mut *holder).await.expect("a lock");
    let error = migrate(&options, Duration::from_secs(2)).await.expect_err("it gives up");
    assert!(matches!(&error, MigrateError::Blocked { by, .. } if by.iter().any(|session| session.pid == pid)), "{error:?}");
    assert!(error.to_string().contains(&format!("in its way: session {pid} ")), "{error}");
    holder.rollback().await.expect("the lock is given back");
    assert!(migrate(&options, WAIT).await.expect("it goes on where it was").applied.is_empty());
}

#[tokio::test]
async fn o01_nobody_waits_behind_a_migration_that_waits_for_a_long_reader() {
    let database = database().await;
    let options = PgConnectOptions::from_str(&database.url).expect("a URL");
    // The migration that replaces indexes of connectors, once more: it wants the table for itself.
    sqlx::query("delete from _sqlx_migrations where version = 57").execute(&database.pool).await.expect("undone");
    let mut reader = database.pool.begin().await.expect("a transaction");
    let read = "select count(*) from public.connector";
    sqlx::query(read).execute(&mut *reader).await.expect("a long reader");
    let migration = tokio::spawn(async move { migrate(&options, WAIT).await });
    until_somebody_waits(&database.pool).await;
    let other = tokio::time::timeout(Duration::from_secs(2), sqlx::query(read).execute(&database.pool)).await;
    other.expect("it waits for a second at most").expect("it reads");
    reader.rollback().await.expect("the lock is given back");
    let report = migration.await.expect("it ends").expect("it migrates");
    assert_eq!(report.applied.iter().map(|(version, _)| *version).collect::<Vec<_>>(), [57]);
}

#[tokio::test]
async fn a_database_of_another_encoding_is_refused_before_anything_is_made_in_it() {
    let cluster = cluster().await;
    let admin = sqlx::PgPool::connect(&cluster.url("postgres")).await.expect("it answers");
    for encoding in ["LATIN1", "SQL_ASCII"] {
        let name = format!("test_in_{}", encoding.to_lowercase());
        let sql = format!("create database {name} encoding '{encoding}' locale 'C' template template0");
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&admin).await.expect("a database");
        let options = PgConnectOptions::from_str(&cluster.url(&name)).expect("a URL");
        let error = migrate(&options, WAIT).await.expect_err("it refuses").to_string();
        assert!(error.starts_with(&format!("the database's encoding is {encoding}; create it with encoding UTF8")), "{error}");
        let made = "select count(*) from pg_class where relnamespace = 'public'::regnamespace";
        let pool = sqlx::PgPool::connect(&cluster.url(&name)).await.expect("it answers");
        assert_eq!(sqlx::query_scalar::<_, i64>(made).fetch_one(&pool).await.expect("a count"), 0);
    }
}

#[tokio::test]
async fn a_role_that_may_make_nothing_is_told_that_it_must_own_the_database() {
    let cluster = cluster().await;
    cluster.ensure_database("test_of_another_role").await.expect("a database");
    let admin = sqlx::PgPool::connect(&cluster.url("test_of_another_role")).await.expect("it answers");
    sqlx::query("create role migrates_nothing login").execute(&admin).await.expect("done");
    let options = PgConnectOptions::from_str(&cluster.url("test_of_another_role")).expect("a URL").username("migrates_nothing");
    for (taken, said) in [
        ("revoke create on schema public from public", "permission denied for schema public"),
        ("revoke all on schema public from public", "no schema has been selected to create in"),
    ] {
        sqlx::query(taken).execute(&admin).await.expect("taken away");
        let error = migrate(&options, WAIT).await.expect_err("it refuses").to_string();
        assert!(error.contains(&format!("{said}; the role must own the database")), "{error}");
    }
    sqlx::query("drop role migrates_nothing").execute(&admin).await.expect("done");
}
