//! Migrating a database, as every start does.

use std::str::FromStr as _;
use std::time::Duration;

use pumphouse::core::migrate::{known, migrate};
use sqlx::postgres::PgConnectOptions;

use crate::support::{cluster, database};

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
async fn a_migration_that_is_blocked_gives_up_and_names_who_is_in_the_way() {
    let database = database().await;
    let options = PgConnectOptions::from_str(&database.url).expect("a URL");
    let mut holder = database.pool.begin().await.expect("a transaction");
    sqlx::query("delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)")
        .execute(&mut *holder)
        .await
        .expect("a lock");
    sqlx::query("lock table _sqlx_migrations in access exclusive mode").execute(&mut *holder).await.expect("a lock");
    let error = migrate(&options, Duration::from_millis(300)).await.expect_err("it gives up");
    assert!(!error.to_string().is_empty());
}
