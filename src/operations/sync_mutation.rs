//! Starting, ending and repeating syncs.
//!
//! Always holds: one sync of a connector is under way at most; locks are taken connector, worker, run. Not here: how a run
//! moves (`sync_queue.rs`), and its single tables (`sync_table_mutation.rs`).

use std::collections::HashSet;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use serde_json::json;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::core::audit::About;
use crate::core::entity::{Entity as _, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held};
use crate::core::read::context_data;
use crate::core::scalars::BigInt;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::operations::sync_queue::{self as queue, Steps};
use crate::operations::{SyncEndCause, SyncRun, SyncRunStatus, SyncTable};
use crate::pipelines::{Connector, Way, Worker, WorkerState, connector_of, worker_runtime as runtime};

/// The most tables of a run.
const MOST_TABLES: usize = 10_000;
/// The longest name of a table, in characters.
const LONGEST_NAME: usize = 1_000;
/// The same in bytes: with its run's id it stands in an index, whose rows PostgreSQL bounds.
const LONGEST_NAME_BYTES: usize = 2_000;

/// The mutations of syncs.
#[derive(Default)]
pub struct SyncMutation;

/// A table to be read.
#[derive(InputObject, Clone)]
pub struct SyncTableInput {
    /// Its full name at the source, such as `public.orders`; kept as it is given.
    pub name: String,
    /// How many rows the source estimates for it, 0 or more; null when unknown.
    pub approximate_row_count: Option<BigInt>,
}

/// What to read.
#[derive(InputObject, Clone)]
pub struct StartSyncInput {
    /// The source connector.
    pub connector_id: Id<Connector>,
    /// Its tables in the order to read them: 1 to 10,000, no name twice.
    pub tables: Vec<SyncTableInput>,
}

/// The new run.
#[derive(SimpleObject)]
pub struct StartSyncPayload {
    /// The run that was started.
    pub sync_run: SyncRun,
}

/// Which run to end.
#[derive(InputObject, Clone)]
pub struct CancelSyncInput {
    /// The run.
    pub sync_run_id: Id<SyncRun>,
}

/// The ended run, and what goes on.
#[derive(SimpleObject)]
pub struct CancelSyncPayload {
    /// The run as it is now.
    pub sync_run: SyncRun,
    /// The connector's worker, which a cancelled sync leaves as it is: it goes on running if it does. Null when it is gone.
    pub worker: Option<Worker>,
}

/// Which run to repeat.
#[derive(InputObject, Clone)]
pub struct RetrySyncInput {
    /// A run that has ended.
    pub sync_run_id: Id<SyncRun>,
}

/// The new run.
#[derive(SimpleObject)]
pub struct RetrySyncPayload {
    /// The run that was started.
    pub sync_run: SyncRun,
}

#[Object]
impl SyncMutation {
    /// Starts reading tables of a source. A worker that is PAUSED or in ERROR is started; on one that is STOPPING,
    /// and while another sync of the connector runs, `CONFLICT`, the latter with the run's id in `details.syncRunId`.
    async fn start_sync(&self, ctx: &Context<'_>, #[graphql(desc = "What to read.")] input: StartSyncInput) -> Result<StartSyncPayload> {
        let sync_run = write(ctx, StartSync { input, steps: *context_data(ctx)? }).await?;
        Ok(StartSyncPayload { sync_run })
    }

    /// Ends a sync: what was being read is PARTIAL, what waited has FAILED. A run that has ended stays as it is. The worker is told
    /// to read on no more, and goes on running.
    async fn cancel_sync(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which run to end.")] input: CancelSyncInput,
    ) -> Result<CancelSyncPayload> {
        write(ctx, input).await
    }

    /// Starts a sync of the tables that a run did not read completely, in their order; those that were skipped are among them. When
    /// it read all of them, `CONFLICT`; else as `startSync`.
    async fn retry_sync(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which run to repeat.")] input: RetrySyncInput,
    ) -> Result<RetrySyncPayload> {
        let sync_run = write(ctx, RetrySync { input, steps: *context_data(ctx)? }).await?;
        Ok(RetrySyncPayload { sync_run })
    }
}

/// A start and how this server puts tables together.
#[derive(Clone)]
struct StartSync {
    input: StartSyncInput,
    steps: Steps,
}

impl Mutation for StartSync {
    type Proof = Held<Connector, Changeable>;
    type Answer = SyncRun;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.input.connector_id, "connectorId").await
    }

    async fn apply(self, w: &mut Write, connector: Self::Proof) -> Result<SyncRun> {
        let Self { input, steps } = self;
        check(&connector, &input)?;
        Start { connector: &connector, tables: &input.tables, steps, verb: Verb::Sync, field: "connectorId" }.run(w).await
    }
}

/// A repetition and how this server puts tables together.
#[derive(Clone)]
struct RetrySync {
    input: RetrySyncInput,
    steps: Steps,
}

impl Mutation for RetrySync {
    type Proof = Held<Connector, Changeable>;
    type Answer = SyncRun;
    const TOUCHES_RIGHTS: bool = false;

    /// The connector's, as for any start; who sees the one sees the other.
    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        let viewer = w.viewer().clone();
        let mut sql = Sql::new("select t.connector_id");
        from_visible::<SyncRun>(&mut sql, &viewer);
        let rows = w.rows(sql.with(" and t.id = ", self.input.sync_run_id)).await?;
        let row = rows.first().ok_or_else(|| Error::no_such(SyncRun::NAME).field("syncRunId"))?;
        w.change(row.try_get(0)?, "syncRunId").await
    }

    async fn apply(self, w: &mut Write, connector: Self::Proof) -> Result<SyncRun> {
        // A count that is not known stays so: `greatest` would make it zero.
        let sql = "select table_name, case when approximate_row_count < 0 then 0 else approximate_row_count end from sync_table where status <> 'COMPLETED' and sync_run_id = ";
        let rows = w.rows(Sql::new(sql).value(self.input.sync_run_id).text(" order by position")).await?;
        let table = |row: &PgRow| -> Result<SyncTableInput> {
            Ok(SyncTableInput { name: row.try_get(0)?, approximate_row_count: row.try_get::<Option<i64>, _>(1)?.map(BigInt) })
        };
        let tables: Vec<SyncTableInput> = rows.iter().map(table).collect::<Result<_>>()?;
        if tables.is_empty() {
            return Err(Error::conflict("Every table of this run was read completely; there is nothing to repeat.").field("syncRunId"));
        }
        Start { connector: &connector, tables: &tables, steps: self.steps, verb: Verb::Retry, field: "syncRunId" }.run(w).await
    }
}

/// A run to start.
struct Start<'a> {
    connector: &'a Connector,
    tables: &'a [SyncTableInput],
    steps: Steps,
    verb: Verb,
    /// What the input calls it.
    field: &'static str,
}

impl Start<'_> {
    async fn run(self, w: &mut Write) -> Result<SyncRun> {
        let Self { connector, tables, steps, verb, field } = self;
        let worker = runtime::lock_of_connector(w.connection(), connector.id).await?;
        let worker = worker.ok_or_else(|| Error::conflict("This connector has no worker.").field(field))?;
        let running = Sql::new("select id from sync_run where (case when status = 'SYNCING' then connector_id end) = ");
        if let Some(row) = w.rows(running.value(connector.id)).await?.first() {
            let id: Id<SyncRun> = row.try_get(0)?;
            return Err(Error::conflict("A sync of this connector is under way already.")
                .field(field)
                .details(json!({"syncRunId": id.to_string()})));
        }
        if worker.state == WorkerState::Stopping {
            return Err(Error::conflict("The worker is still stopping; start the sync once it is PAUSED.").field(field));
        }
        runtime::start(w.connection(), &worker).await?;
        let run = Id::<SyncRun>::random();
        insert(w, run, connector, tables, steps).await?;
        let owner = Owner { team: connector.team_id.map(Id::uuid), env: connector.env_id.map(Id::uuid) };
        w.record(verb, About::row(run).name(connector.name.as_deref()).owner(owner)).await?;
        w.reread(run).await
    }
}

impl Mutation for CancelSyncInput {
    type Proof = Held<SyncRun, Changeable>;
    type Answer = CancelSyncPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.sync_run_id, "syncRunId").await
    }

    async fn apply(self, w: &mut Write, run: Self::Proof) -> Result<CancelSyncPayload> {
        if run.status == SyncRunStatus::Syncing {
            let actor = w.actor();
            queue::cancel(w.connection(), run.id, SyncEndCause::Cancelled, "cancelled", actor.email()).await?;
            let (name, owner) = connector_of(w, run.connector_id).await?;
            w.record(Verb::Cancel, About::row(run.id).name(name.as_deref()).owner(owner).fields(&["status"])).await?;
        }
        let worker = w.rows(Sql::new("select id from worker where connector_id = ").value(run.connector_id)).await?;
        let worker = match worker.first() {
            Some(row) => Some(w.reread(row.try_get(0)?).await?),
            None => None,
        };
        Ok(CancelSyncPayload { sync_run: w.reread(run.id).await?, worker })
    }
}

fn check(connector: &Connector, input: &StartSyncInput) -> Result<()> {
    let (mut seen, mut violations) = (HashSet::new(), Violations::default());
    if connector.way != Way::Source {
        violations.add("connectorId", "Only the tables of a source can be read.");
    }
    if input.tables.is_empty() || input.tables.len() > MOST_TABLES {
        violations.add("tables", format!("A sync reads 1 to {MOST_TABLES} tables."));
        return violations.none();
    }
    for (index, table) in input.tables.iter().enumerate() {
        let name = &table.name;
        if name.trim().is_empty()
            || name.chars().count() > LONGEST_NAME
            || name.len() > LONGEST_NAME_BYTES
            || name.chars().any(char::is_control)
        {
            let rule = format!(
                "A table's name has 1 to {LONGEST_NAME} characters in at most {LONGEST_NAME_BYTES} bytes, none of them a control character."
            );
            violations.add(format!("tables.{index}.name"), rule);
        } else if !seen.insert(name.as_str()) {
            violations.add(format!("tables.{index}.name"), format!("The table {name} is listed twice."));
        }
        if table.approximate_row_count.is_some_and(|rows| rows.0 < 0) {
            violations.add(format!("tables.{index}.approximateRowCount"), "An estimate of rows is 0 or more, or null.");
        }
    }
    violations.none()
}

async fn insert(w: &mut Write, run: Id<SyncRun>, connector: &Connector, tables: &[SyncTableInput], steps: Steps) -> Result<()> {
    let actor = w.actor();
    let sql = Sql::new("insert into sync_run (id, connector_id, status, triggered_by_user_id, triggered_by_email) values (")
        .value(run)
        .with(", ", connector.id)
        .with(", 'SYNCING', ", actor.user_id())
        .with(", ", actor.email().map(str::to_owned))
        .text(")");
    w.rows(sql).await?;
    let estimates: Vec<Option<i64>> = tables.iter().map(|table| table.approximate_row_count.map(|rows| rows.0)).collect();
    let groups = queue::groups(&estimates, steps);
    let ids: Vec<Id<SyncTable>> = tables.iter().map(|_| Id::random()).collect();
    let names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    let sql = Sql::new("insert into sync_table (id, sync_run_id, table_name, position, status, approximate_row_count, group_id, rows_ingested) select id, ")
        .value(run)
        .with(", name, ordinality - 1, 'QUEUED', estimate, step, 0 from unnest(", ids)
        .with(", ", names)
        .with(", ", estimates)
        .with(", ", groups)
        .text(") with ordinality q(id, name, estimate, step, ordinality)");
    w.rows(sql).await?;
    Ok(())
}
