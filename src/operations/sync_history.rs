//! What became of a connector's syncs, and of one table across them.
//!
//! Always holds: what happens now, what came last and what failed last are fields apart, so no old failure is shown as the
//! present state; a table that was never read says so. All of it is read in batches, along indexes. Not here: the list
//! of a connector's runs, which is its edge `syncRuns`.

use std::collections::HashMap;

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{MetaField, MetaInputValue, Registry};
use async_graphql::{Context, Enum, InputType, Object, OutputType, ServerResult, Value};
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::{Entity, FieldDef, answer, argument, select_list};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::operations::{SyncRun, SyncTable, SyncTableStatus};
use crate::pipelines::Connector;

/// The most tables that are asked for at once, and the most of a history.
const MOST: usize = 50;

/// The latest run of each connector for which a condition about the run `t` and its tally `y` holds.
async fn latest(connector: &Connector, ctx: &Context<'_>, slot: &'static str, condition: &'static str) -> Result<Option<SyncRun>> {
    let read = Read::of(ctx)?;
    read.batch(slot, connector.id.uuid(), move |read, ids: Vec<Uuid>| async move {
        let mut sql = Sql::new("select k.id, r.* from unnest(").value(ids).text(") k(id) cross join lateral (select ");
        select_list::<SyncRun>(&mut sql, read.viewer());
        sql.push(" from sync_run t join pumphouse.sync_run_tally y on y.sync_run_id = t.id where t.connector_id = k.id and ");
        scope::predicate(&mut sql, read.viewer(), &SyncRun::SCOPE, Right::See, "t");
        let sql = sql.text(" and ").text(condition).text(" order by t.created_at desc, t.id desc limit 1) r");
        let rows = read.db().rows(sql).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, SyncRun::from_row(row, 1)?))).collect::<Result<HashMap<_, _>>>()
    })
    .await
}

/// The run of a connector that is under way.
///
/// # Errors
/// When the database cannot be asked.
pub async fn current_run(connector: &Connector, ctx: &Context<'_>) -> Result<Option<SyncRun>> {
    // As the key says it that allows one.
    latest(connector, ctx, "current run", "(case when t.status = 'SYNCING' then t.connector_id end) = k.id").await
}

/// The run of a connector that ended last.
///
/// # Errors
/// When the database cannot be asked.
pub async fn last_run(connector: &Connector, ctx: &Context<'_>) -> Result<Option<SyncRun>> {
    latest(connector, ctx, "last run", "t.status <> 'SYNCING'").await
}

/// The latest run of a connector that did not read all its tables, and that no user cancelled.
///
/// # Errors
/// When the database cannot be asked.
pub async fn last_failed_run(connector: &Connector, ctx: &Context<'_>) -> Result<Option<SyncRun>> {
    let failed = "(t.status = 'DONE' and y.completed < y.tables or t.status = 'CANCELLED' and exists (
        select 1 from pumphouse.sync_run_end e where e.sync_run_id = t.id and e.cause = 'ABANDONED'))";
    latest(connector, ctx, "last failed run", failed).await
}

/// Where a table of a source stands, seen over all syncs of its connector.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSyncState {
    /// No sync has ever had it.
    NeverSynced,
    /// It waits for its turn in the sync that is under way.
    Pending,
    /// It is being read.
    Syncing,
    /// The last sync that had it read all of it.
    Synced,
    /// The last sync that had it read some of it.
    Partial,
    /// The last sync that had it did not read it.
    Failed,
}

/// One table of a source, seen over all syncs of its connector.
pub struct TableSync {
    connector: Id<Connector>,
    name: String,
}

/// Which of the places that a table had in syncs.
#[derive(Clone, Copy)]
struct Places {
    /// What tells this question from others.
    slot: &'static str,
    /// A condition about the place `t`.
    condition: &'static str,
    /// The most, from the latest on.
    most: usize,
}

impl TableSync {
    /// The latest places that this table had.
    async fn places(&self, ctx: &Context<'_>, places: Places) -> Result<Vec<SyncTable>> {
        let read = Read::of(ctx)?;
        let key = (self.connector.uuid(), self.name.clone());
        let Places { slot, condition, most } = places;
        let slot = format!("{slot} {most}");
        let found = read.batch(&slot, key, move |read, keys: Vec<(Uuid, String)>| async move {
            let (connectors, names): (Vec<Uuid>, Vec<String>) = keys.into_iter().unzip();
            let mut sql = Sql::new("select k.connector_id, k.name, p.* from unnest(").value(connectors).with(", ", names);
            sql.push(") k(connector_id, name) cross join lateral (select ");
            select_list::<SyncTable>(&mut sql, read.viewer());
            sql.push(" from sync_run r join sync_table t on t.sync_run_id = r.id and t.table_name = k.name");
            sql.push(" where r.connector_id = k.connector_id and ");
            scope::predicate(&mut sql, read.viewer(), &SyncTable::SCOPE, Right::See, "t");
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let sql = sql.text(condition).with(" order by r.created_at desc, r.id desc limit ", most).text(") p");
            let mut found: HashMap<(Uuid, String), Vec<SyncTable>> = HashMap::new();
            for row in read.db().rows(sql).await? {
                found.entry((row.try_get(0)?, row.try_get(1)?)).or_default().push(SyncTable::from_row(&row, 2)?);
            }
            Ok(found)
        });
        Ok(found.await?.unwrap_or_default())
    }

    async fn first(&self, ctx: &Context<'_>, slot: &'static str, condition: &'static str) -> Result<Option<SyncTable>> {
        Ok(self.places(ctx, Places { slot, condition, most: 1 }).await?.into_iter().next())
    }

    async fn latest_place(&self, ctx: &Context<'_>) -> Result<Option<SyncTable>> {
        self.first(ctx, "latest place", "").await
    }
}

/// One table of a source, seen over all syncs of its connector.
#[Object]
impl TableSync {
    /// Its full name at the source, as it was asked for.
    async fn table_name(&self) -> &str {
        &self.name
    }

    /// Where it stands now.
    async fn state(&self, ctx: &Context<'_>) -> Result<TableSyncState> {
        Ok(match self.latest_place(ctx).await?.map(|place| place.status) {
            None => TableSyncState::NeverSynced,
            Some(SyncTableStatus::Queued) => TableSyncState::Pending,
            Some(SyncTableStatus::InProgress) => TableSyncState::Syncing,
            Some(SyncTableStatus::Completed) => TableSyncState::Synced,
            Some(SyncTableStatus::Partial) => TableSyncState::Partial,
            Some(SyncTableStatus::Failed) => TableSyncState::Failed,
        })
    }

    /// Its place in the sync that had it last, which may be under way; null when none ever had it.
    async fn latest(&self, ctx: &Context<'_>) -> Result<Option<SyncTable>> {
        self.latest_place(ctx).await
    }

    /// Its place in the latest sync that read all of it; null when none did.
    async fn last_completed(&self, ctx: &Context<'_>) -> Result<Option<SyncTable>> {
        self.first(ctx, "last completed place", " and t.status = 'COMPLETED'").await
    }

    /// Its place in the latest sync that did not read all of it, whatever came after; null when none failed.
    async fn last_failed(&self, ctx: &Context<'_>) -> Result<Option<SyncTable>> {
        self.first(ctx, "last failed place", " and t.status in ('FAILED', 'PARTIAL')").await
    }

    /// Its places in the syncs that had it, the latest first. Older ones are found through `syncRuns`, whose `syncTables` can be
    /// narrowed by `tableName`.
    async fn history(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "This many, 1 to 50.", default = 20)] first: i32,
    ) -> Result<Rows<SyncTable>> {
        let most = usize::try_from(first).ok().filter(|most| (1..=MOST).contains(most));
        let most = most.ok_or_else(|| Error::validation(format!("A history has 1 to {MOST} places.")).field("first"))?;
        Ok(Rows(self.places(ctx, Places { slot: "history of a table", condition: "", most }).await?))
    }
}

/// The field `tableSyncs` of a connector.
pub struct TableSyncs;

/// It.
pub const TABLE_SYNCS: TableSyncs = TableSyncs;

impl FieldDef<Connector> for TableSyncs {
    fn name(&self) -> &'static str {
        "tableSyncs"
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut names = MetaInputValue::new("names", <Vec<String> as InputType>::create_type_info(registry));
        names.description = Some(format!("The full names of the tables at the source, at most {MOST}."));
        let mut field = MetaField::new(self.name(), <Rows<TableSync> as OutputType>::create_type_info(registry));
        field.description =
            Some("These tables of the source, each seen over all syncs of the connector, in the order of the names.".to_owned());
        field.args = IndexMap::from_iter([("names".to_owned(), names)]);
        field
    }

    fn resolve<'a>(&'a self, connector: &'a Connector, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move {
            let names: Vec<String> = match argument(ctx, "names") {
                Ok(names) => names,
                Err(error) => return answer(ctx, false, Err(error)),
            };
            if names.len() > MOST {
                return answer(ctx, false, Err(Error::validation(format!("At most {MOST} tables at once.")).field("names")));
            }
            let tables = Rows(names.into_iter().map(|name| TableSync { connector: connector.id, name }).collect());
            tables.resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item).await
        })
    }
}
