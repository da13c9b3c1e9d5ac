//! The report that almost every report is: a worker says that it still is in the state that it is known to be in.
//!
//! Always holds: this is one statement, which does what `worker_runtime.rs` would have done or nothing at all. Not here: every
//! other report.

use async_graphql::Context;
use chrono::{DateTime, Utc};

use crate::core::entity::{Entity as _, columns};
use crate::core::error::Result;
use crate::core::read::Read;
use crate::core::sql::Sql;
use crate::pipelines::reporter::{WorkerIdentity, speaks_for_itself};
use crate::pipelines::worker_runtime::SKEW_STEP;
use crate::pipelines::{Worker, WorkerState};

/// Takes a heartbeat, and answers the worker as it is then; none when the report is no such, or not the worker's own.
///
/// # Errors
/// When the database cannot be asked.
pub(crate) async fn beat(
    ctx: &Context<'_>,
    who: WorkerIdentity,
    state: WorkerState,
    sent_at: Option<DateTime<Utc>>,
) -> Result<Option<Worker>> {
    let read = Read::of(ctx)?;
    let silent = matches!(state, WorkerState::Building | WorkerState::Live);
    if !silent || !speaks_for_itself(read.viewer(), who) || read.db().key().is_some() {
        return Ok(None);
    }
    // Both rows are locked, as for every report: whoever waited for the watchdog must see what it said.
    let mut sql = Sql::new(
        "with heard as materialized (select w.id from worker w join pumphouse.worker_launch l on l.worker_id = w.id where w.id = ",
    )
    .value(who.0)
    .with(" and w.launch_generation = ", who.1)
    .with(" and w.state = ", state)
    .text(" and l.announced_health = 'HEALTHY'");
    if let Some(sent_at) = sent_at {
        sql = sql
            .with(" and abs(l.clock_skew_ms - extract(epoch from ", sent_at)
            .with("::timestamptz - statement_timestamp()) * 1000) < ", SKEW_STEP);
    }
    sql.push(" for no key update of w, l) update worker t set last_heartbeat_at = clock_timestamp() from heard where t.id = heard.id");
    // The commit need not wait for the disk: the next heartbeat makes good for a lost one.
    let sql = sql.text(" returning ").text(&columns::<Worker>()).text(", set_config('synchronous_commit', 'off', true)");
    Ok(read.rows(sql).await?.first().map(|row| Worker::from_row(row, 0)).transpose()?)
}
