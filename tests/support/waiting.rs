//! Waiting for what another session of the database does, and for what nobody tells of.

use std::time::Duration;

use sqlx::PgPool;
use tokio::time::Instant;

use super::PATIENCE;

/// Waits until some session of this database waits for a lock.
#[track_caller]
pub fn until_somebody_waits(pool: &PgPool) -> impl Future<Output = ()> + use<'_> {
    let caller = std::panic::Location::caller();
    async move {
        let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        let end = Instant::now() + PATIENCE;
        while sqlx::query_scalar::<_, i64>(waits).fetch_one(pool).await.expect("a count") == 0 {
            assert!(Instant::now() < end, "nobody waited for a lock at {caller}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Waits until what is asked for holds, for what nobody tells of.
#[track_caller]
pub fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        let end = Instant::now() + PATIENCE;
        while !holds().await {
            assert!(Instant::now() < end, "not in time: {what}, waited for at {caller}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
