//! How far a sync has come, as numbers that never lie: computed, never stored (domain.md section 5).
//!
//! Always holds: no percentage without estimates; none over 99 before the end; what remains is never
//! below 0. Not here: what moves the numbers (`sync_report.rs`).

use std::collections::HashMap;

use async_graphql::{Context, Enum, SimpleObject};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::error::Result;
use crate::core::read::Read;
use crate::core::scalars::{BigInt, Time};
use crate::core::sql::Sql;
use crate::operations::{SyncRun, SyncRunStatus, SyncTable, SyncTableStatus};

/// How a run that has ended came out.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncOutcome {
    /// Every table was read completely.
    Succeeded,
    /// Some tables were read, completely or in part, and some were not.
    Partial,
    /// No table was read, not even in part.
    Failed,
}

/// How far a run has come.
#[derive(SimpleObject, Clone, Debug)]
pub struct SyncRunProgress {
    /// Rows read so far, of all tables.
    pub rows: BigInt,
    /// Rows that the source estimates for all tables together; null when it gives no estimate for one of them.
    pub approximate_rows: Option<BigInt>,
    /// Rows still to be read by the estimate, none of tables that have ended; null without one.
    pub remaining_rows: Option<BigInt>,
    /// Share of the estimated rows that was read, 0 to 100; null without estimates. 100 only once the run is DONE and
    /// every table COMPLETED; of a run that has ended otherwise, how far it came.
    pub percent: Option<i32>,
    /// Tables that have come to their end.
    pub tables_done: i32,
    /// Those of them that failed, were skipped, or were still waiting when the run was ended.
    pub tables_failed: i32,
    /// Tables of the run.
    pub tables_total: i32,
    /// Rows a second, taken over the last 30 to 60 seconds; 0 after a minute without progress, null while nothing is being read.
    pub rows_per_second: Option<f64>,
    /// Seconds until the end at that rate; null when unknown.
    pub eta_seconds: Option<i32>,
}

/// How far one table was read.
#[derive(SimpleObject, Clone, Debug)]
pub struct SyncTableProgress {
    /// Share of the table that was read, 0 to 100; null without an estimate. 100 only once it is COMPLETED.
    pub percent: Option<i32>,
    /// Rows still to be read by the estimate; null without one.
    pub remaining_rows: Option<BigInt>,
    /// Whether the worker has reported on it since it was last begun: tells "no report yet" from "no rows yet".
    pub reported: bool,
    /// How often it was begun again because the worker was; after 20 times it is FAILED, so that the tables behind it are read.
    pub restarts: i32,
    /// Rows a second, taken over the last 30 to 60 seconds; 0 after a minute without progress, null while it is not being read.
    pub rows_per_second: Option<f64>,
    /// When it last made progress.
    pub last_progress_at: Option<Time>,
}

/// What is computed for a run.
#[derive(Clone, Debug)]
pub(crate) struct RunFacts {
    rows: i64,
    estimate: Option<i64>,
    /// Of the estimate, what was read; all of it where a table is COMPLETED.
    read: i64,
    /// Of the estimate, what is still to be read; nothing of a table that has ended, however it did.
    remaining: i64,
    done: i32,
    total: i32,
    completed: i32,
    touched: i32,
    rate: Option<f64>,
}

/// Rows a second of a table that is being read, since its last sample but one or since it was begun.
const RATE: &str = "case when t.status <> 'IN_PROGRESS' or not p.reported then null
  when p.last_progress_at < statement_timestamp() - interval '1 minute' then 0
  else (t.rows_ingested - coalesce(p.prev_sample_rows, 0))::float8
    / greatest(extract(epoch from statement_timestamp() - coalesce(p.prev_sample_at, t.started_at)), 1)::float8 end";

/// Selects the facts of the runs with these ids: what their tables add up to is kept beside them.
pub(crate) fn select_run_facts(ids: Vec<Uuid>) -> Sql {
    Sql::new(
        "select y.sync_run_id, least(y.rows, 9223372036854775807)::bigint,
  case when y.estimated = y.tables then least(y.estimate, 9223372036854775807)::bigint end,
  least(y.read, 9223372036854775807)::bigint, least(y.remaining, 9223372036854775807)::bigint,
  y.ended, y.tables, y.completed, y.touched,
  case when y.reading = 0 then null when y.last_progress_at < statement_timestamp() - interval '1 minute' then 0
    else greatest(y.rows - y.mark_rows, 0)::float8 / greatest(extract(epoch from statement_timestamp() - y.mark_at), 1)::float8 end
  from pumphouse.sync_run_tally y where y.sync_run_id = any(",
    )
    .value(ids)
    .text(")")
}

/// Reads what [`select_run_facts`] selected.
pub(crate) fn read_run_facts(row: &PgRow) -> sqlx::Result<(Uuid, RunFacts)> {
    let facts = RunFacts {
        rows: row.try_get(1)?,
        estimate: row.try_get(2)?,
        read: row.try_get(3)?,
        remaining: row.try_get(4)?,
        done: row.try_get(5)?,
        total: row.try_get(6)?,
        completed: row.try_get(7)?,
        touched: row.try_get(8)?,
        rate: row.try_get(9)?,
    };
    Ok((row.try_get(0)?, facts))
}

/// The whole percent that `part` is of `whole`, at most 99; of nothing, whatever was read is nearly all.
fn percent(part: i64, whole: i64) -> i32 {
    let share = if whole > 0 { i128::from(part.max(0)) * 100 / i128::from(whole) } else { i128::from(part > 0) * 99 };
    i32::try_from(share.min(99)).unwrap_or(99)
}

async fn run_facts(run: &SyncRun, ctx: &Context<'_>) -> Result<Option<RunFacts>> {
    if run.facts.is_some() {
        return Ok(run.facts.clone());
    }
    let read = Read::of(ctx)?;
    read.batch("sync run facts", run.id.uuid(), move |read, ids: Vec<Uuid>| async move {
        let rows = read.db().rows(select_run_facts(ids)).await?;
        rows.iter().map(|row| Ok(read_run_facts(row)?)).collect::<Result<HashMap<_, _>>>()
    })
    .await
}

/// The progress of a run.
pub(crate) async fn of_run(run: &SyncRun, ctx: &Context<'_>) -> Result<SyncRunProgress> {
    let facts = run_facts(run, ctx).await?.unwrap_or(RunFacts {
        rows: 0,
        estimate: None,
        read: 0,
        remaining: 0,
        done: 0,
        total: 0,
        completed: 0,
        touched: 0,
        rate: None,
    });
    let succeeded = run.status == SyncRunStatus::Done && facts.completed == facts.total;
    let remaining = facts.estimate.map(|_known| facts.remaining);
    let rate = facts.rate.filter(|_| run.status == SyncRunStatus::Syncing);
    Ok(SyncRunProgress {
        rows: BigInt(facts.rows),
        approximate_rows: facts.estimate.map(BigInt),
        remaining_rows: remaining.map(BigInt),
        percent: if succeeded { Some(100) } else { facts.estimate.map(|estimate| percent(facts.read, estimate)) },
        tables_done: facts.done,
        // Whatever has ended and was not read, not even in part.
        tables_failed: facts.done - facts.touched,
        tables_total: facts.total,
        rows_per_second: rate,
        eta_seconds: eta(remaining, rate),
    })
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a forecast in whole seconds, bounded before it is cut")]
fn eta(remaining: Option<i64>, rate: Option<f64>) -> Option<i32> {
    let seconds = remaining? as f64 / rate.filter(|rate| *rate > 0.0)?;
    (seconds < f64::from(i32::MAX)).then_some(seconds.ceil() as i32)
}

/// How a run came out; none while it is under way, and when it was cancelled.
pub(crate) async fn outcome(run: &SyncRun, ctx: &Context<'_>) -> Result<Option<SyncOutcome>> {
    if run.status != SyncRunStatus::Done {
        return Ok(None);
    }
    let Some(facts) = run_facts(run, ctx).await? else { return Ok(None) };
    Ok(Some(if facts.completed == facts.total {
        SyncOutcome::Succeeded
    } else if facts.touched == 0 {
        SyncOutcome::Failed
    } else {
        SyncOutcome::Partial
    }))
}

/// What is computed for a table.
#[derive(Clone, Debug)]
pub(crate) struct TableFacts {
    reported: bool,
    restarts: i32,
    rate: Option<f64>,
    last_progress_at: Option<Time>,
}

/// The columns of [`TableFacts`], for a table `t` joined with its progress `p`.
pub(crate) fn table_facts_columns() -> String {
    format!("p.reported, p.restarts, {RATE}, p.last_progress_at")
}

/// Reads what [`table_facts_columns`] selected.
pub(crate) fn read_table_facts(row: &PgRow, first: usize) -> sqlx::Result<TableFacts> {
    Ok(TableFacts {
        reported: row.try_get(first)?,
        restarts: row.try_get(first + 1)?,
        rate: row.try_get(first + 2)?,
        last_progress_at: row.try_get(first + 3)?,
    })
}

/// The progress of a table.
pub(crate) async fn of_table(table: &SyncTable, ctx: &Context<'_>) -> Result<SyncTableProgress> {
    let facts = match &table.facts {
        Some(facts) => Some(facts.clone()),
        None => table_facts(table, ctx).await?,
    };
    let completed = table.status == SyncTableStatus::Completed;
    let estimate = table.approximate_row_count;
    Ok(SyncTableProgress {
        percent: if completed { Some(100) } else { estimate.map(|estimate| percent(table.rows_ingested, estimate)) },
        remaining_rows: match table.status {
            SyncTableStatus::Queued | SyncTableStatus::InProgress => {
                estimate.map(|estimate| BigInt(estimate.saturating_sub(table.rows_ingested).max(0)))
            }
            // Of a table that has ended nothing more is read.
            SyncTableStatus::Completed | SyncTableStatus::Partial | SyncTableStatus::Failed => Some(BigInt(0)),
        },
        reported: facts.as_ref().is_some_and(|facts| facts.reported),
        restarts: facts.as_ref().map_or(0, |facts| facts.restarts),
        rows_per_second: facts.as_ref().and_then(|facts| facts.rate),
        last_progress_at: facts.and_then(|facts| facts.last_progress_at),
    })
}

async fn table_facts(table: &SyncTable, ctx: &Context<'_>) -> Result<Option<TableFacts>> {
    let read = Read::of(ctx)?;
    read.batch("sync table facts", table.id.uuid(), move |read, ids: Vec<Uuid>| async move {
        let sql = Sql::new("select t.id, ")
            .text(&table_facts_columns())
            .with(" from sync_table t join pumphouse.sync_table_progress p on p.sync_table_id = t.id where t.id = any(", ids)
            .text(")");
        let rows = read.db().rows(sql).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, read_table_facts(row, 1)?))).collect::<Result<HashMap<_, _>>>()
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_percentage_is_never_over_99_nor_below_0() {
        for (part, whole, expected) in [
            (0, 100, 0),
            (50, 100, 50),
            (999, 1000, 99),
            (1000, 1000, 99),
            (5000, 1000, 99),
            (0, 0, 0),
            (7, 0, 99),
            (-5, 10, 0),
            (i64::MAX, i64::MAX, 99),
        ] {
            assert_eq!(percent(part, whole), expected, "{part} of {whole}");
        }
    }
}
