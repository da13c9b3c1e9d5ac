//! What the migrations add up to equals the committed `schema.sql`; `UPDATE=1` rewrites the file.

use sqlx::AssertSqlSafe;

use super::path;
use crate::support::database;

const OBJECTS: &str = include_str!("catalogue/objects.sql");
const HEAD: &str =
    "-- Generated from `migrations/` by `UPDATE=1 cargo test --test main -- house::database`: every table with its constraints, indexes and
-- triggers, and every function, as they are after the last migration. Nothing reads this file but people.

";

#[tokio::test]
async fn the_migrations_add_up_to_the_committed_schema() {
    let file = path("schema.sql");
    let objects: Vec<String> = sqlx::query_scalar(AssertSqlSafe(OBJECTS)).fetch_all(&database().await.pool).await.expect("the objects");
    let live = format!("{HEAD}{}\n", objects.join("\n\n"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &live).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = live.lines().zip(committed.lines()).position(|(live, committed)| live != committed);
    assert!(
        live == committed,
        "schema.sql differs from line {} on; run the tests with UPDATE=1 and look at the change",
        differs.unwrap_or_else(|| live.lines().count().min(committed.lines().count())) + 1
    );
}
