//! What has been: a sync that finished and one that somebody cancelled.
//!
//! Always holds: both look as if the queue had run them (`operations/sync_queue.rs`): terminal tables, an end
//! beside the run, progress that was reported. Not here: the sync of today, which [`begin`] starts.
//!
//! [`begin`]: super::begin

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::connectors::{Connectors, SHOP, Written};
use super::layout::{Layout, fresh};
use super::people::{COMMERCE_ADMIN, COMMERCE_MEMBER, People};
use super::tables::TABLES;
use crate::core::error::Result;
use crate::core::sql::Sql;
use crate::operations::{Step, SyncRun, SyncRunEnd, SyncTable};

/// How many days ago the sync that finished ran; its rows are seen in the throughput of that day.
pub(super) const FINISHED_DAYS_AGO: i64 = 9;
/// How many syncs of the shop this makes.
pub(super) const SYNCS: i64 = 2;

/// Rows that were read when the other one was cancelled.
const UNTIL_CANCELLED: i64 = 131_072;
/// How many rows a worker reads in a second, to tell how long a table took.
const ROWS_A_SECOND: i64 = 20_000;

/// A table of a run, as it ended.
struct Ended {
    name: String,
    rows: i64,
    read: i64,
    status: &'static str,
    reason: Option<&'static str>,
    /// When reading it began and ended, counted from the start of the run.
    times: Option<(Duration, Duration)>,
}

/// A run, as it ended.
struct Run {
    began: DateTime<Utc>,
    ended: DateTime<Utc>,
    by: &'static str,
    status: &'static str,
    cause: &'static str,
    reason: Option<&'static str>,
    tables: Vec<Ended>,
}

/// Writes both runs.
pub(super) async fn write(layout: &mut Layout<'_>, connectors: &Connectors, people: &People) -> Result<()> {
    let shop = connectors.get(SHOP)?;
    for run in [finished(layout.now()), cancelled(layout.now())] {
        write_run(layout, shop, people.id(run.by)?, run).await?;
    }
    Ok(())
}

/// Everything but the payroll, small tables together and the large one last.
fn finished(now: DateTime<Utc>) -> Run {
    let mut at = Duration::seconds(3);
    let tables: Vec<Ended> = TABLES
        .iter()
        .filter(|table| table.name != "payroll")
        .map(|table| {
            let from = at;
            at += Duration::seconds(1 + table.rows / ROWS_A_SECOND);
            Ended {
                name: table.full_name(),
                rows: table.rows,
                read: table.rows,
                status: "COMPLETED",
                reason: None,
                times: Some((from, at)),
            }
        })
        .collect();
    let began = now - Duration::days(FINISHED_DAYS_AGO);
    Run { began, ended: began + at, by: COMMERCE_ADMIN, status: "DONE", cause: "FINISHED", reason: None, tables }
}

/// Stopped in the middle of the large table.
fn cancelled(now: DateTime<Utc>) -> Run {
    let began = now - Duration::days(6);
    let (from, to) = (Duration::seconds(2), Duration::seconds(9));
    let tables = vec![
        Ended {
            name: "public.order_items".to_owned(),
            rows: 300_000,
            read: UNTIL_CANCELLED,
            status: "PARTIAL",
            reason: None,
            times: Some((from, to)),
        },
        Ended { name: "public.orders".to_owned(), rows: 60_000, read: 0, status: "FAILED", reason: Some("cancelled"), times: None },
    ];
    Run { began, ended: began + to, by: COMMERCE_MEMBER, status: "CANCELLED", cause: "CANCELLED", reason: Some("cancelled"), tables }
}

async fn write_run(layout: &mut Layout<'_>, shop: Written, by: Uuid, run: Run) -> Result<()> {
    let id = fresh::<SyncRun>();
    let row = json!({
        "id": id, "connector_id": shop.id, "status": run.status, "triggered_by_user_id": by, "triggered_by_email": run.by,
        "created_at": run.began, "updated_at": run.ended,
    });
    layout.write("sync_run", vec![row]).await?;
    let step = fresh::<Step>();
    let tables = run.tables.iter().zip(0_i64..).map(|(table, position)| table_row(id, step, &run, table, position)).collect();
    layout.write("sync_table", tables).await?;
    let progress = Sql::new("update pumphouse.sync_table_progress p set generation = ")
        .value(fresh::<SyncTable>())
        .text(", reported = true, first_progress_at = t.started_at, last_progress_at = t.finished_at")
        .with(" from sync_table t where t.id = p.sync_table_id and t.started_at is not null and t.sync_run_id = ", id);
    layout.run(progress).await?;
    let completed = run.tables.iter().filter(|table| table.status == "COMPLETED").count();
    let end = json!({
        "sync_run_id": id, "connector_id": shop.id, "connector_name": SHOP, "team_id": shop.owner.team, "env_id": shop.owner.env,
        "cause": run.cause, "reason": run.reason, "by_email": run.reason.map(|_| run.by), "ended_at": run.ended,
        "id": fresh::<SyncRunEnd>(), "triggered_by_email": run.by, "started_at": run.began, "created_at": run.ended,
        "tables_total": run.tables.len(), "tables_completed": completed, "rows_ingested": run.tables.iter().map(|table| table.read).sum::<i64>(),
    });
    layout.write("pumphouse.sync_run_end", vec![end]).await
}

fn table_row(run_id: Uuid, step: Uuid, run: &Run, table: &Ended, position: i64) -> Value {
    let small = run.tables.len() > 2 && table.rows <= 100_000;
    let (started, finished) = match table.times {
        Some((from, to)) => (Some(run.began + from), run.began + to),
        None => (None, run.ended),
    };
    json!({
        "id": fresh::<SyncTable>(), "sync_run_id": run_id, "table_name": table.name, "position": position, "status": table.status,
        "approximate_row_count": table.rows, "group_id": small.then_some(step), "rows_ingested": table.read, "started_at": started,
        "finished_at": finished, "error_reason": table.reason, "created_at": run.began, "updated_at": finished,
    })
}
