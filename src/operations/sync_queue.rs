//! The queue of a sync run: what is in it, how it moves, how it ends (domain.md section 5).
//!
//! Always holds: a terminal table never changes again; the run ends in the commit that ends its last
//! table; how it ended is kept beside it and outlives it. Locks are taken worker, run, tables. Not
//! here: who may ask, and what a report says.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::operations::{Step, SyncEndCause, SyncRun, SyncTable};

/// When a table counts as small, and how many small ones are read together.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// A known count up to this is small.
    pub small_rows: i64,
    /// The most tables of one step.
    pub largest: usize,
}

impl Default for Steps {
    fn default() -> Self {
        Self { small_rows: 100_000, largest: 20 }
    }
}

/// The steps of a queue with these estimates: neighbours that are small share a group, others go alone.
pub(crate) fn groups(estimates: &[Option<i64>], steps: Steps) -> Vec<Option<Id<Step>>> {
    let small = |estimate: &Option<i64>| estimate.is_some_and(|rows| rows <= steps.small_rows);
    let mut groups = Vec::with_capacity(estimates.len());
    for neighbours in estimates.chunk_by(|one, next| small(one) && small(next)) {
        for step in neighbours.chunks(steps.largest.max(1)) {
            let group = (step.len() > 1).then(Id::random);
            groups.extend(step.iter().map(|_| group));
        }
    }
    groups
}

/// Locks a run that is under way; none when it has ended or is gone.
pub(crate) async fn lock_running(connection: &mut PgConnection, id: Id<SyncRun>) -> Result<bool> {
    let sql = Sql::new("select 1 from sync_run where status = 'SYNCING' and id = ").value(id).text(" for no key update");
    Ok(!rows_on(connection, sql).await?.is_empty())
}

/// How often a table starts again before it is given up: one that kills its worker each time would keep all others waiting.
const MOST_RESTARTS: i32 = 20;

/// Hands the tables that are being read to this generation: they start again from nothing, or fail after too many restarts. The
/// run is locked.
pub(crate) async fn adopt(connection: &mut PgConnection, run: Id<SyncRun>, generation: Uuid) -> Result<()> {
    let sql = Sql::new(
        "with again as (update pumphouse.sync_table_progress p set generation = ",
    )
    .value(generation)
    .text(", restarts = restarts + 1, reported = false, first_progress_at = null, sample_rows = null, sample_at = null, prev_sample_rows = 0, prev_sample_at = clock_timestamp()")
    .text(" from sync_table t where t.id = p.sync_table_id and t.status = 'IN_PROGRESS' and p.generation is distinct from ")
    .value(generation)
    .with(" and t.sync_run_id = ", run)
    .text(" returning t.id, p.restarts), reset as (update sync_table set rows_ingested = 0 from again where sync_table.id = again.id and rows_ingested <> 0)")
    .with(" select 1 from again where restarts >= ", MOST_RESTARTS);
    if rows_on(connection, sql).await?.is_empty() {
        return Ok(());
    }
    let sql = Sql::new("update sync_table t set status = 'FAILED', finished_at = clock_timestamp(), error_reason = ")
        .value(format!("given up: its worker was restarted {MOST_RESTARTS} times while reading it"))
        .with(
            " from pumphouse.sync_table_progress p where p.sync_table_id = t.id and t.status = 'IN_PROGRESS' and p.restarts >= ",
            MOST_RESTARTS,
        )
        .with(" and t.sync_run_id = ", run);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Begins the next step when none is under way; answers whether one was begun. The run is locked.
pub(crate) async fn begin_next_step(connection: &mut PgConnection, run: Id<SyncRun>, generation: Uuid) -> Result<bool> {
    let sql = Sql::new("with next as (select id, group_id from sync_table where status = 'QUEUED' and sync_run_id = ")
        .value(run)
        .with(" and not exists (select 1 from sync_table where status = 'IN_PROGRESS' and sync_run_id = ", run)
        .text(") order by position limit 1), step as (select id from next")
        .text(" union select t.id from next join sync_table t on t.group_id = next.group_id and t.status = 'QUEUED' and t.sync_run_id = ")
        .value(run)
        .text("), begun as (update sync_table t set status = 'IN_PROGRESS', started_at = clock_timestamp() from step where t.id = step.id returning t.id)")
        .with(" update pumphouse.sync_table_progress p set last_progress_at = clock_timestamp(), generation = ", generation)
        .text(" from begun where p.sync_table_id = begun.id returning 1");
    let begun = !rows_on(connection, sql).await?.is_empty();
    if begun {
        end_stall(connection, run).await?;
    }
    Ok(begun)
}

/// Notes progress: the run is stalled no longer, why it was is kept. The run is locked.
pub(crate) async fn end_stall(connection: &mut PgConnection, run: Id<SyncRun>) -> Result<()> {
    let sql = Sql::new("update sync_run set stalled_since = null where stalled_since is not null and id = ").value(run);
    rows_on(connection, sql).await?;
    Ok(())
}

/// Ends the run as DONE when every table of it is terminal. The run is locked.
pub(crate) async fn finish_if_complete(connection: &mut PgConnection, run: Id<SyncRun>) -> Result<bool> {
    let sql = Sql::new("update sync_run set status = 'DONE', stalled_since = null where status = 'SYNCING' and id = ")
        .value(run)
        .with(" and not exists (select 1 from sync_table where status in ('QUEUED', 'IN_PROGRESS') and sync_run_id = ", run)
        .text(") returning 1");
    let done = !rows_on(connection, sql).await?.is_empty();
    if done {
        record_end(connection, run, SyncEndCause::Finished, None, None).await?;
    }
    Ok(done)
}

/// Ends the run as CANCELLED: what was being read is PARTIAL, what waited has FAILED for this reason. The run is locked.
pub(crate) async fn cancel(
    connection: &mut PgConnection,
    run: Id<SyncRun>,
    cause: SyncEndCause,
    reason: &str,
    by: Option<&str>,
) -> Result<()> {
    let sql = Sql::new("update sync_table set finished_at = clock_timestamp(), status = case status when 'QUEUED' then 'FAILED' else 'PARTIAL' end, error_reason = case status when 'QUEUED' then ")
        .value(reason.to_owned())
        .with(" end where status in ('QUEUED', 'IN_PROGRESS') and sync_run_id = ", run);
    rows_on(connection, sql).await?;
    rows_on(connection, Sql::new("update sync_run set status = 'CANCELLED' where id = ").value(run)).await?;
    record_end(connection, run, cause, Some(reason), by).await
}

/// Ends a table that waits for its turn as FAILED, and the run with its last table; answers whether it still waited. The
/// run is locked.
pub(crate) async fn skip(connection: &mut PgConnection, run: Id<SyncRun>, table: Id<SyncTable>, reason: String) -> Result<bool> {
    let sql = Sql::new("update sync_table set status = 'FAILED', finished_at = clock_timestamp(), error_reason = ")
        .value(reason)
        .with(" where status = 'QUEUED' and sync_run_id = ", run)
        .with(" and id = ", table)
        .text(" returning 1");
    if rows_on(connection, sql).await?.is_empty() {
        return Ok(false);
    }
    end_stall(connection, run).await?;
    finish_if_complete(connection, run).await?;
    Ok(true)
}

async fn record_end(
    connection: &mut PgConnection,
    run: Id<SyncRun>,
    cause: SyncEndCause,
    reason: Option<&str>,
    by: Option<&str>,
) -> Result<()> {
    let sql = Sql::new("select pumphouse.end_sync_run(")
        .value(run)
        .with(", ", cause)
        .with(", ", reason.map(str::to_owned))
        .with(", ", by.map(str::to_owned))
        .text(")");
    rows_on(connection, sql).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(estimates: &[Option<i64>]) -> Vec<usize> {
        let groups = groups(estimates, Steps { small_rows: 100, largest: 3 });
        groups.chunk_by(|one, next| one.is_some() && one == next).map(<[_]>::len).collect()
    }

    #[test]
    fn small_neighbours_share_a_step_and_others_go_alone() {
        let (small, large, unknown) = (Some(100), Some(101), None);
        assert_eq!(shape(&[small, small, large, unknown, small]), [2, 1, 1, 1]);
        assert_eq!(shape(&[small; 7]), [3, 3, 1]);
        assert_eq!(shape(&[unknown, unknown]), [1, 1]);
        assert!(shape(&[]).is_empty());
    }
}
