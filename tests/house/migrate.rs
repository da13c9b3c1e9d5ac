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
