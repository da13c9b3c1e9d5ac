//! A warning before PostgreSQL's queue of notices is full; once it is, every change of anybody fails.
//!
//! The queue fills when a session that listens, of whatever program, sits in a transaction. Ours never do (`core/live/`),
//! so an operator is told who may. Not here: the metric, which is read when somebody looks (`server/measure.rs`).

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::Row as _;

use crate::core::error::Result;
use crate::core::leader::{Job, LeaderContext};
use crate::core::sql::Sql;

/// The used share from which on it is told; PostgreSQL's own log has a word about it at a half.
const TOLD_FROM: f64 = 0.25;

/// Watches the queue of notices.
pub struct NoticeQueue;

impl Job for NoticeQueue {
    fn name(&self) -> &'static str {
        "notice_queue"
    }

    fn every(&self) -> Duration {
        Duration::from_secs(30)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let sql = "select pg_notification_queue_usage(), (
                select format('process %s of user %s (%s)', pid, usename, application_name) from pg_stat_activity
                where xact_start is not null and pid <> pg_backend_pid() order by xact_start limit 1)";
            let rows = system.db().rows(Sql::new(sql)).await?;
            let Some(row) = rows.first() else { return Ok(()) };
            if let Some(warning) = warning(row.try_get(0)?, row.try_get(1)?) {
                tracing::warn!("{warning}");
            }
            Ok(())
        })
    }
}

/// What is to be told of this use, with whoever is in a transaction for longest.
fn warning(used: f64, oldest: Option<String>) -> Option<String> {
    if used < TOLD_FROM {
        return None;
    }
    let oldest = oldest.unwrap_or_else(|| "not to be seen by this role".to_owned());
    Some(format!(
        "PostgreSQL's queue of notices is {:.0} % full, and when it is full every change fails: a session that listens sits in a \
         transaction; the oldest transaction is {oldest}",
        used * 100.0
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n04_it_is_told_before_the_queue_is_half_full_with_whom_to_look_at() {
        assert_eq!(warning(0.2, None), None);
        let told = warning(0.3, Some("process 7 of user ada (psql)".to_owned())).unwrap();
        assert!(told.contains("30 % full") && told.ends_with("process 7 of user ada (psql)"), "{told}");
    }
}
