//! The end of what is remembered for a while only: idempotency records.
//!
//! Always holds: an expired record is gone for its key at once, whether or not this has run (`server/keyed.rs`); this
//! keeps the table small. It works in batches, and passes by what somebody is at work on.

use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::core::error::Result;
use crate::core::leader::{Job, System};
use crate::core::sql::Sql;

/// The job that deletes expired idempotency records.
pub struct Eviction;

impl Job for Eviction {
    fn name(&self) -> &'static str {
        "eviction"
    }

    fn every(&self) -> Duration {
        Duration::from_mins(5)
    }

    fn run<'a>(&'a self, system: &'a System) -> BoxFuture<'a, Result<()>> {
        Box::pin(system.delete_in_batches(|limit| {
            Sql::new("delete from idempotency_record where id in (select id from idempotency_record where expires_at <= now() order by expires_at limit ")
                .with("", limit)
                .text(" for update skip locked) returning 1")
        }))
    }
}
