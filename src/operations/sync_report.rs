//! What workers report of a snapshot (domain.md section 5).
//!
//! Always holds: within a generation the rows of a table never go down, so late and repeated reports
//! are harmless; a superseded generation changes nothing; a table that has ended stays as it ended.

use std::collections::{HashMap, HashSet};

use async_graphql::{ComplexObject, Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::{Entity as _, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::scalars::BigInt;
use crate::core::sql::Sql;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::operations::directives::{WorkerInstruction, instruction_now};
use crate::operations::{SyncRun, SyncTable, SyncTableStatus, sync_queue as queue};
use crate::pipelines::worker_runtime::{self as runtime, Directive, Generation, Locked, Refusal};
use crate::pipelines::{Reporter, Worker};

/// The most tables of one report.
const MOST_TABLES: usize = 1_000;

/// The mutation by which workers report progress.
#[derive(Default)]
pub struct SyncReportMutation;

/// How far one table was read.
#[derive(InputObject, Clone)]
pub struct SyncTableProgressInput {
    /// The table.
    pub sync_table_id: Id<SyncTable>,
    /// The rows of it that this generation has read so far, 0 or more.
    pub rows_ingested: BigInt,
    /// Where it stands: `IN_PROGRESS` when left out, else COMPLETED, PARTIAL or FAILED.
    pub status: Option<SyncTableStatus>,
    /// Why it failed; with FAILED only. As with `reportWorker`, the first 10,000 characters are kept.
    pub error_reason: Option<String>,
}

/// How far a worker's snapshot has come.
#[derive(InputObject, Clone)]
pub struct ReportSyncProgressInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that reports; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// The tables that it is reading or has ended, at most 1,000.
    pub tables: Vec<SyncTableProgressInput>,
}

/// What came of a report.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct ReportSyncProgressPayload {
    /// Whether the report was taken.
    pub accepted: bool,
    /// Why it was not taken; null when it was.
    pub refusal: Option<Refusal>,
    /// What the worker has to do now, in one word.
    pub directive: Directive,
    /// The reported tables as they are now.
    pub sync_tables: Vec<SyncTable>,
    /// Who is answered.
    #[graphql(skip)]
    who: (Id<Worker>, Id<Generation>),
}

#[ComplexObject]
impl ReportSyncProgressPayload {
    /// All that the worker has to do now, as `workerDirectives` would say it: for workers that hold no socket.
    async fn instruction(&self, ctx: &Context<'_>) -> Result<WorkerInstruction> {
        instruction_now(ctx, self.who).await
    }
}

#[Object]
impl SyncReportMutation {
    /// Takes a worker's report of how far the tables are read that it was told to read. Reports may be repeated and
    /// may come late: rows never go down until the worker boots again, and a table that has ended stays as it ended.
    async fn report_sync_progress(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How far the worker's snapshot has come.")] input: ReportSyncProgressInput,
    ) -> Result<ReportSyncProgressPayload> {
        write(ctx, input).await
    }
}

/// A table as it is stored, its run locked.
struct Present {
    run: Id<SyncRun>,
    under_way: bool,
    status: SyncTableStatus,
    rows: i64,
}

impl Mutation for ReportSyncProgressInput {
    type Proof = Reporter;
    type Answer = ReportSyncProgressPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Reporter> {
        check(&self.tables)?;
        Reporter::repeated(w, (self.worker_id, self.launch_generation), false).await
    }

    async fn apply(self, w: &mut Write, reporter: Reporter) -> Result<ReportSyncProgressPayload> {
        if self.tables.iter().any(|table| table.status.is_some_and(|status| status != SyncTableStatus::InProgress)) {
            // The next report makes good for a lost one; an end is said once.
            w.insist().await?;
        }
        let who = (self.worker_id, self.launch_generation);
        let worker = match reporter.running(self.launch_generation) {
            Ok(worker) => worker,
            Err(refusal) => {
                let (directive, sync_tables) = (refusal.directive(), Vec::new());
                return Ok(ReportSyncProgressPayload { accepted: false, refusal: Some(refusal), directive, sync_tables, who });
            }
        };
        runtime::heartbeat(w.connection(), worker, None).await?;
        let present = lock_tables(w, worker, &self.tables).await?;
        let (mut told, mut violations) = (Vec::new(), Violations::default());
        for (index, table) in self.tables.iter().enumerate() {
            let field = || format!("tables.{index}.syncTableId");
            let Some(now) = present.get(&table.sync_table_id) else {
                violations.refuse(Error::not_found("sync table").field(field()));
                continue;
            };
            if now.status == SyncTableStatus::Queued && now.under_way {
                violations.refuse(Error::conflict("This table waits for its turn; read it when told to.").field(field()));
                continue;
            }
            if now.under_way && now.status == SyncTableStatus::InProgress {
                told.push((table, now));
            }
        }
        violations.none()?;
        apply(w, &told).await?;
        for run in told.iter().map(|(_, now)| now.run).collect::<HashSet<_>>() {
            queue::finish_if_complete(w.connection(), run).await?;
        }
        let ids: Vec<Uuid> = self.tables.iter().map(|table| table.sync_table_id.uuid()).collect();
        let (directive, sync_tables) = (runtime::directive(worker.state), reread(w, ids).await?);
        Ok(ReportSyncProgressPayload { accepted: true, refusal: None, directive, sync_tables, who })
    }
}

fn check(tables: &[SyncTableProgressInput]) -> Result<()> {
    if tables.is_empty() || tables.len() > MOST_TABLES {
        return Err(Error::validation(format!("A report names 1 to {MOST_TABLES} tables.")).field("tables"));
    }
    let (mut seen, mut violations) = (HashSet::new(), Violations::default());
    for (index, table) in tables.iter().enumerate() {
        let reasoned = table.error_reason.is_some() && table.status != Some(SyncTableStatus::Failed);
        let broken = [
            (!seen.insert(table.sync_table_id), "syncTableId", "This table is named twice."),
            (table.rows_ingested.0 < 0, "rowsIngested", "Rows are 0 or more."),
            (table.status == Some(SyncTableStatus::Queued), "status", "QUEUED cannot be reported."),
            (reasoned, "errorReason", "A reason goes with FAILED only."),
        ];
        for (_, field, rule) in broken.into_iter().filter(|(broken, ..)| *broken) {
            violations.add(format!("tables.{index}.{field}"), rule);
        }
    }
    violations.none()
}

/// Locks the runs of the reported tables, hands what is being read to the worker's generation, then locks the tables.
async fn lock_tables(w: &mut Write, worker: &Locked, tables: &[SyncTableProgressInput]) -> Result<HashMap<Id<SyncTable>, Present>> {
    let ids: Vec<Uuid> = tables.iter().map(|table| table.sync_table_id.uuid()).collect();
    let runs = Sql::new("select r.id, r.status = 'SYNCING' from sync_run r where r.connector_id = ")
        .value(worker.connector)
        .with(" and exists (select 1 from sync_table t where t.sync_run_id = r.id and t.id = any(", ids.clone())
        .text(")) order by r.id for no key update of r");
    let mut under_way = HashMap::new();
    for row in w.rows(runs).await? {
        let (run, running): (Id<SyncRun>, bool) = (row.try_get(0)?, row.try_get(1)?);
        if running {
            queue::adopt(w.connection(), run, worker.generation).await?;
        }
        under_way.insert(run, running);
    }
    // Tables of another connector are as good as none: they are neither looked at nor locked.
    let runs: Vec<Id<SyncRun>> = under_way.keys().copied().collect();
    let sql = Sql::new("select id, sync_run_id, status, rows_ingested from sync_table where id = any(")
        .value(ids)
        .with(") and sync_run_id = any(", runs)
        .text(") order by id for no key update");
    let mut present = HashMap::new();
    for row in w.rows(sql).await? {
        let run = row.try_get(1)?;
        let under_way = under_way.get(&run).copied().unwrap_or(false);
        present.insert(row.try_get(0)?, Present { run, under_way, status: row.try_get(2)?, rows: row.try_get(3)? });
    }
    Ok(present)
}

/// Progress is a rise of rows or a change of status; it ends a stall, whose reason is kept. However many tables are
/// told of, it takes the same few statements.
async fn apply(w: &mut Write, told: &[(&SyncTableProgressInput, &Present)]) -> Result<()> {
    let (progressed, same): (Vec<_>, Vec<_>) = told.iter().copied().partition(|(table, now)| {
        table.rows_ingested.0 > now.rows || table.status.is_some_and(|status| status != SyncTableStatus::InProgress)
    });
    if !progressed.is_empty() {
        let reasons = progressed.iter().map(|(table, _)| table.error_reason.as_deref().map(runtime::kept));
        let statuses = progressed.iter().map(|(table, _)| table.status.unwrap_or(SyncTableStatus::InProgress).stored().to_owned());
        let sql = Sql::new(
            "update sync_table t set rows_ingested = greatest(t.rows_ingested, q.rows), status = q.status, error_reason = q.reason",
        )
        .with(", finished_at = case when q.status <> 'IN_PROGRESS' then clock_timestamp() end from unnest(", ids(&progressed))
        .with(", ", progressed.iter().map(|(table, _)| table.rows_ingested.0).collect::<Vec<_>>())
        .with(", ", statuses.collect::<Vec<_>>())
        .with(", ", reasons.collect::<Vec<_>>())
        .text(") q(id, rows, status, reason) where t.id = q.id");
        w.rows(sql).await?;
        for run in progressed.iter().map(|(_, now)| now.run).collect::<HashSet<_>>() {
            queue::end_stall(w.connection(), run).await?;
        }
    }
    note(w, &progressed, true).await?;
    note(w, &same, false).await
}

/// Notes when tables were told of, and how far they were then.
async fn note(w: &mut Write, told: &[(&SyncTableProgressInput, &Present)], progressed: bool) -> Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    let rows: Vec<i64> = told.iter().map(|(table, now)| table.rows_ingested.0.max(now.rows)).collect();
    let sql = Sql::new("update pumphouse.sync_table_progress p set reported = true, last_progress_at = case when ")
        .value(progressed)
        .text(" then clock_timestamp() else last_progress_at end, first_progress_at = coalesce(first_progress_at, clock_timestamp())")
        // A sample every half minute: the older of two is 30 to 60 seconds old, which is what rates are taken over.
        .text(", prev_sample_rows = case when sample_at < clock_timestamp() - interval '30 seconds' then sample_rows else prev_sample_rows end")
        .text(", prev_sample_at = case when sample_at < clock_timestamp() - interval '30 seconds' then sample_at else prev_sample_at end")
        .text(", sample_rows = case when sample_at >= clock_timestamp() - interval '30 seconds' then sample_rows else q.rows end")
        .text(", sample_at = case when sample_at >= clock_timestamp() - interval '30 seconds' then sample_at else clock_timestamp() end")
        .with(" from unnest(", ids(told))
        .with(", ", rows)
        .text(") q(id, rows) where p.sync_table_id = q.id");
    w.rows(sql).await?;
    Ok(())
}

fn ids(told: &[(&SyncTableProgressInput, &Present)]) -> Vec<Uuid> {
    told.iter().map(|(table, _)| table.sync_table_id.uuid()).collect()
}

async fn reread(w: &mut Write, ids: Vec<Uuid>) -> Result<Vec<SyncTable>> {
    let mut sql = Sql::new("select ");
    sql.push(&columns::<SyncTable>());
    let sql = sql.with(" from sync_table t where t.id = any(", ids).text(") order by t.sync_run_id, t.position");
    w.rows(sql).await?.iter().map(|row| Ok(SyncTable::from_row(row, 0)?)).collect()
}
