//! The end of what is remembered for a while only.
//!
//! Always holds: what has expired counts no more, whether or not this has run; this keeps the tables small. It works in
//! batches, and passes by what somebody is at work on.

use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::core::error::Result;
use crate::core::leader::{Job, LeaderContext};
use crate::core::sql::Sql;

/// Tables whose rows end with their `expires_at`, their keys, and which rows of them. A token that has expired needs no
/// revocation any more, unless its account lists it with that.
const EXPIRING: [(&str, &str, &str); 2] = [
    ("idempotency_record", "id", "true"),
    ("pumphouse.revoked_token", "token_id", "not exists (select 1 from pumphouse.service_account_token s where s.token_id = t.token_id)"),
];

/// The job that deletes what has expired.
pub struct Eviction;

impl Job for Eviction {
    fn name(&self) -> &'static str {
        "eviction"
    }

    fn every(&self) -> Duration {
        Duration::from_mins(5)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            for (table, key, rows) in EXPIRING {
                let expired = format!("select t.{key} from {table} t where t.expires_at <= now() and {rows} order by t.expires_at limit ");
                let delete = format!("delete from {table} where {key} in ({expired}");
                system.delete_in_batches(|most| Sql::new(&delete).value(most).text(" for update skip locked) returning 1")).await?;
            }
            Ok(())
        })
    }
}
