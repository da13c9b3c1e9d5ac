//! Commands that only look: the database stays as it is, and one that will not do is told with what to do.

use pumphouse::core::migrate::known;
use sqlx::{AssertSqlSafe, Executor as _};

use super::{Scratch, ended};
use crate::support::{cluster, database};

const LOOKING: [&[&str]; 4] = [&["users", "list"], &["users", "list", "--json"], &["keys", "status"], &["organisation", "export"]];

#[tokio::test]
async fn what_only_looks_migrates_nothing_and_says_what_to_do() {
    let (scratch, newest) = (Scratch::new("looking"), known().last().copied().unwrap());
    let file = scratch.path("organisation.json");
    std::fs::write(&file, r#"{"format": "pumphouse/organisation/1", "users": [], "envs": [], "teams": []}"#).unwrap();
    let dry = ["organisation", "import", &file, "--dry-run"];
    let cluster = cluster().await;
    cluster.ensure_database("test_only_looked_at").await.unwrap();
    let old = database().await;
    sqlx::query("delete from _sqlx_migrations where version > 32").execute(&old.pool).await.unwrap();
    for (url, state) in [(cluster.url("test_only_looked_at"), "has no migration of pumphouse yet"), (old.url.clone(), "is at migration 32")]
    {
        for command in LOOKING.iter().copied().chain([&dry[..]]) {
            let told = ended(command, &[("PUMPHOUSE_DATABASE_URL", &url)]).await;
            let expected = format!(
                "error: the database {state} and this program needs migration {newest}; if database_url names the right one, run `pumphouse migrate`\n"
            );
            assert_eq!(told.refused(1), expected, "{command:?}");
        }
    }
    let migrations: i64 = sqlx::query_scalar("select count(*) from _sqlx_migrations").fetch_one(&old.pool).await.unwrap();
    let until_then = known().into_iter().filter(|version| *version <= 32).count();
    assert_eq!(usize::try_from(migrations).unwrap(), until_then);
    let changing = ended(
        &["users", "create", "--email", "ada@example.com", "--generate"],
        &[("PUMPHOUSE_DATABASE_URL", &cluster.url("test_only_looked_at"))],
    )
    .await;
    assert!(changing.done().starts_with("created user ada@example.com"), "{changing:?}");
    assert!(
        changing.err.contains(&format!("note: {} migrations were applied; the database is at migration {newest}", known().len())),
        "{changing:?}"
    );
}

#[tokio::test]
async fn what_only_looks_needs_no_database_that_takes_changes() {
    let database = database().await;
    let name: String = sqlx::query_scalar("select current_database()::text").fetch_one(&database.pool).await.unwrap();
    database.pool.execute(AssertSqlSafe(format!("alter database {name} set default_transaction_read_only = on"))).await.unwrap();
    for command in LOOKING {
        assert!(!ended(command, &[("PUMPHOUSE_DATABASE_URL", &database.url)]).await.done().is_empty(), "{command:?}");
    }
}
