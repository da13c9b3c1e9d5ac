//! What is known of a worker beside its row: its health, and which configuration it runs.

use std::collections::HashMap;
use std::time::Duration;

use async_graphql::Context;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::choice;
use crate::core::error::{Error, Result};
use crate::core::read::{Read, context_data};
use crate::core::sql::Sql;
use crate::pipelines::Worker;

choice! {
    /// What the reports of a worker say of it, as far as they can.
    WorkerHealth {
        /// Nothing runs.
        Inactive = "INACTIVE",
        /// It was launched and has not reported yet, which is still in good time.
        Starting = "STARTING",
        /// It was launched and has not reported in good time.
        NotStarted = "NOT_STARTED",
        /// It reports.
        Healthy = "HEALTHY",
        /// It has stopped reporting. That does not say that it has stopped.
        Unresponsive = "UNRESPONSIVE",
    }
}

/// How long silence may last before it means something (domain.md section 2).
#[derive(Clone, Copy, Debug)]
pub struct WorkerTimings {
    /// Silence after which a worker counts as unresponsive.
    pub heartbeat_limit: Duration,
    /// Time in which a launched worker has to report.
    pub launch_grace: Duration,
    /// Time without any report after which a launch has failed.
    pub launch_timeout: Duration,
    /// Time in which a stop has to be confirmed.
    pub stop_timeout: Duration,
}

impl Default for WorkerTimings {
    fn default() -> Self {
        Self {
            heartbeat_limit: Duration::from_secs(90),
            launch_grace: Duration::from_secs(90),
            launch_timeout: Duration::from_mins(10),
            stop_timeout: Duration::from_mins(2),
        }
    }
}

/// What is known of a worker beside its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) health: WorkerHealth,
    pub(crate) saved_revision: i32,
    pub(crate) booted_revision: Option<i32>,
    /// How far its clock is ahead of ours, in milliseconds.
    pub(crate) clock_skew: Option<i64>,
}

/// Appends the health of a worker `t` with launch `l` and leader `h`, in this state and with this heartbeat.
pub(crate) fn push_health(sql: &mut Sql, timings: &WorkerTimings, (state, heartbeat): (&str, &str)) {
    sql.push(&format!(
        "pumphouse.worker_health({state}, {heartbeat}, coalesce(l.launched_at, l.asked_at, t.created_at), h.hearing_since, h.heard_at, "
    ));
    sql.bind(timings.heartbeat_limit);
    sql.push(", ");
    sql.bind(timings.launch_grace);
    sql.push(")");
}

/// The present of a worker `t`, for [`push_health`].
pub(crate) const PRESENT: (&str, &str) = ("t.state", "t.last_heartbeat_at");

/// Appends the columns of [`Facts`], for a worker `t` joined by [`join_facts`], in this state and with this heartbeat.
pub(crate) fn select_facts(sql: &mut Sql, timings: &WorkerTimings, state: &str, heartbeat: &str) {
    push_health(sql, timings, (state, heartbeat));
    sql.push(", r.revision, l.booted_revision, l.clock_skew_ms");
}

/// How many columns these are.
pub(crate) const FACTS: usize = 4;

/// What [`select_facts`] reads from.
pub(crate) const JOIN_FACTS: &str = "
join pumphouse.worker_launch l on l.worker_id = t.id
join pumphouse.connector_revision r on r.connector_id = t.connector_id
cross join pumphouse.leader h";

/// Reads what [`select_facts`] selected.
pub(crate) fn read_facts(row: &PgRow, first: usize) -> sqlx::Result<Facts> {
    Ok(Facts {
        health: row.try_get(first)?,
        saved_revision: row.try_get(first + 1)?,
        booted_revision: row.try_get(first + 2)?,
        clock_skew: row.try_get(first + 3)?,
    })
}

/// The facts of a worker: those that came with a live event, else from the next batch.
pub(crate) async fn facts(worker: &Worker, ctx: &Context<'_>) -> Result<Facts> {
    if let Some(facts) = worker.facts {
        return Ok(facts);
    }
    let read = Read::of(ctx)?;
    let timings = *context_data::<WorkerTimings>(ctx)?;
    let found = read
        .batch("worker facts", worker.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let mut sql = Sql::new("select t.id, ");
            select_facts(&mut sql, &timings, "t.state", "t.last_heartbeat_at");
            let sql = sql.text(" from worker t").text(JOIN_FACTS).with(" where t.id = any(", ids).text(")");
            let rows = read.db().rows(sql).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, read_facts(row, 1)?))).collect::<Result<HashMap<_, _>>>()
        })
        .await?;
    found.ok_or_else(|| Error::not_found("worker"))
}
