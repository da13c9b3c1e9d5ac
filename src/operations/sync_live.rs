//! `syncProgressed`: how syncs move, merged to at most four events a second and run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Context, ID, InputObject, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::access::{Env, Team};
use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity as _, columns, select_list};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::live::narrow::{self, one_of, uuids};
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, SeenVersion, Snapshot, Source, Topic, follow,
};
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Right, Viewer};
use crate::operations::progress::{read_run_facts, read_table_facts, select_run_facts, table_facts_columns};
use crate::operations::{SyncRun, SyncRunStatus, SyncTable};
use crate::pipelines::Connector;

const TOPIC: Topic = "sync";
/// Changes within this time are one event: at most four a second and run.
const WINDOW: Duration = Duration::from_millis(250);
/// The most tables of one event; longer lists follow in further events.
const TABLES_AT_ONCE: usize = 200;

/// Reads what changes of sync runs and their tables mean.
pub struct SyncFeed;

#[derive(Clone)]
struct SyncEvent {
    run: SyncRun,
    tables: Vec<SyncTable>,
}

/// What is known of a run from the changes themselves.
#[derive(Default)]
struct Touched {
    transactions: Vec<u64>,
    owners: Vec<Owner>,
    tables: HashSet<Uuid>,
}

impl Feed for SyncFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &["sync_run", "sync_table"]
    }

    fn window(&self) -> Duration {
        WINDOW
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let mut touched: HashMap<Uuid, Touched> = HashMap::new();
            let mut gone = Vec::new();
            for change in changes {
                if change.operation == Operation::Deleted && change.table == SyncRun::TABLE {
                    gone.push(LiveEvent::gone(TOPIC, &change));
                    continue;
                }
                let run = touched.entry(change.run.unwrap_or(change.id)).or_default();
                run.transactions.push(change.transaction);
                run.owners = change.owners;
                if change.run.is_some() {
                    run.tables.insert(change.id);
                }
            }
            // As of one instant: nobody sees a run under way whose tables have all ended.
            let mut reading = db.begin_reading().await?;
            let runs = load_runs(&mut reading, touched.keys().copied().collect()).await?;
            let mut tables = load_tables(&mut reading, touched.values().flat_map(|run| run.tables.iter().copied()).collect()).await?;
            let mut events = Vec::new();
            for run in runs {
                let Some(touched) = touched.remove(&run.id.uuid()) else { continue };
                let tables = tables.remove(&run.id).unwrap_or_default();
                for tables in chunks(tables) {
                    events.push(LiveEvent {
                        topic: TOPIC,
                        about: run.id.uuid(),
                        transactions: touched.transactions.clone(),
                        owners: touched.owners.clone(),
                        said: EventPayload::Body(Arc::new(SyncEvent { run: run.clone(), tables })),
                    });
                }
            }
            // Of a run that is gone nothing more is found; that it is gone comes last.
            events.extend(gone);
            Ok(events)
        })
    }
}

/// The tables in lists of bearable length; one empty list for none.
fn chunks(tables: Vec<SyncTable>) -> Vec<Vec<SyncTable>> {
    if tables.is_empty() { vec![tables] } else { tables.chunks(TABLES_AT_ONCE).map(<[SyncTable]>::to_vec).collect() }
}

async fn load_runs(reading: &mut PgConnection, ids: Vec<Uuid>) -> Result<Vec<SyncRun>> {
    let mut sql = Sql::new("select ");
    sql.push(&columns::<SyncRun>());
    let sql = sql.with(" from sync_run t where t.id = any(", ids.clone()).text(")");
    let mut runs = rows_on(reading, sql).await?.iter().map(|row| SyncRun::from_row(row, 0)).collect::<sqlx::Result<Vec<_>>>()?;
    add_facts(reading, &mut runs, ids).await?;
    Ok(runs)
}

async fn add_facts(reading: &mut PgConnection, runs: &mut [SyncRun], ids: Vec<Uuid>) -> Result<()> {
    let rows = rows_on(reading, select_run_facts(ids)).await?;
    let mut facts = rows.iter().map(read_run_facts).collect::<sqlx::Result<HashMap<_, _>>>()?;
    for run in runs {
        run.facts = facts.remove(&run.id.uuid());
    }
    Ok(())
}

async fn load_tables(reading: &mut PgConnection, ids: Vec<Uuid>) -> Result<HashMap<Id<SyncRun>, Vec<SyncTable>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    tables_where(reading, Sql::new("t.id = any(").value(ids).text(")")).await
}

async fn tables_where(reading: &mut PgConnection, condition: Sql) -> Result<HashMap<Id<SyncRun>, Vec<SyncTable>>> {
    let mut sql = condition.before(&format!(
        "select {}, {} from sync_table t join pumphouse.sync_table_progress p on p.sync_table_id = t.id where ",
        table_facts_columns(),
        columns::<SyncTable>(),
    ));
    sql.push(" order by t.sync_run_id, t.position");
    let mut tables: HashMap<Id<SyncRun>, Vec<SyncTable>> = HashMap::new();
    for row in rows_on(reading, sql).await? {
        let mut table = SyncTable::from_row(&row, 4)?;
        table.facts = Some(read_table_facts(&row, 0)?);
        tables.entry(table.sync_run_id).or_default().push(table);
    }
    Ok(tables)
}

/// Which syncs to follow; all given conditions hold together.
#[derive(InputObject, Clone, Default)]
pub struct SyncProgressedFilter {
    /// Only these runs, at most 500, also when they have ended.
    pub sync_run_ids: Option<Vec<Id<SyncRun>>>,
    /// Only runs of these connectors, at most 500.
    pub connector_ids: Option<Vec<Id<Connector>>>,
    /// Only runs of this team's connectors.
    pub team_id: Option<Id<Team>>,
    /// Only runs of this env's connectors.
    pub env_id: Option<Id<Env>>,
}

/// A sync, at first as it stands, then whenever it has moved.
#[derive(SimpleObject, Clone)]
pub struct SyncProgressed {
    /// Whether this is the present state, sent first and again whenever changes may have been missed.
    pub initial: bool,
    /// Whether the run is gone, out of your sight, or not among those asked for any more; it was told of before and had not
    /// ended. How runs ended that are gone is said by `syncRunEnds`.
    pub removed: bool,
    /// The run's id.
    pub sync_run_id: ID,
    /// The run as it is now; null when it is removed.
    pub sync_run: Option<SyncRun>,
    /// The tables that have changed; at first all of them, at most 200 an event.
    pub sync_tables: Vec<SyncTable>,
}

impl SyncProgressed {
    fn new(initial: bool, run: SyncRun, sync_tables: Vec<SyncTable>) -> Self {
        Self { initial, removed: false, sync_run_id: ID(run.id.to_string()), sync_run: Some(run), sync_tables }
    }
}

struct Following {
    filter: SyncProgressedFilter,
}

impl Source for Following {
    type Item = SyncProgressed;
    const TOPIC: Topic = TOPIC;

    fn only(&self) -> Option<Vec<Uuid>> {
        uuids(self.filter.sync_run_ids.as_deref())
    }

    async fn present(&mut self, db: &Db, viewer: &Viewer, told: &SeenObjects) -> Result<Present<SyncProgressed>> {
        let mut sql = Sql::new("select pg_current_snapshot()::text, p.* from (select 1) always left join lateral (select ");
        select_list::<SyncRun>(&mut sql, viewer);
        sql.push(" from sync_run t join connector c on c.id = t.connector_id where ");
        scope::predicate(&mut sql, viewer, &SyncRun::SCOPE, Right::See, "t");
        self.narrow(&mut sql, told);
        sql.push(" order by t.created_at, t.id) p on true");
        let mut reading = db.begin_reading().await?;
        let rows = rows_on(&mut reading, sql).await?;
        let snapshot = Snapshot::of_rows(&rows)?;
        let mut runs = Vec::new();
        for row in &rows {
            if row.try_get::<Option<Uuid>, _>(1)?.is_some() {
                runs.push(SyncRun::from_row(row, 1)?);
            }
        }
        let ids: Vec<Uuid> = runs.iter().map(|run| run.id.uuid()).collect();
        add_facts(&mut reading, &mut runs, ids.clone()).await?;
        let mut tables = tables_where(&mut reading, Sql::new("t.sync_run_id = any(").value(ids.clone()).text(")")).await?;
        let mut items = Vec::new();
        for run in runs {
            for sync_tables in chunks(tables.remove(&run.id).unwrap_or_default()) {
                items.push(SyncProgressed::new(true, run.clone(), sync_tables));
            }
        }
        Ok(Present { snapshot, told: ids.into_iter().map(|id| (id, SeenVersion::default())).collect(), items })
    }

    fn event(&mut self, _told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<SyncProgressed>> {
        let SyncEvent { run, tables } = event.body()?;
        let filter = &self.filter;
        let matches = filter.sync_run_ids.as_ref().is_none_or(|ids| ids.contains(&run.id))
            && filter.connector_ids.as_ref().is_none_or(|ids| ids.contains(&run.connector_id))
            && narrow::owned_by(&event.owners, filter.team_id, filter.env_id);
        // One that has ended is history, which stays as it was told, unless it was asked for by name.
        let stays = run.status == SyncRunStatus::Syncing || filter.sync_run_ids.is_some();
        matches.then(|| EventUpdate {
            mark: stays.then(SeenVersion::default),
            ..EventUpdate::of(run.id.uuid(), SyncProgressed::new(false, run.clone(), tables.clone()))
        })
    }

    fn removal(&self, run: Uuid) -> Option<SyncProgressed> {
        Some(SyncProgressed { initial: false, removed: true, sync_run_id: ID(run.to_string()), sync_run: None, sync_tables: Vec::new() })
    }
}

impl Following {
    fn narrow(&self, sql: &mut Sql, told: &SeenObjects) {
        let filter = &self.filter;
        one_of(sql, "t.id", uuids(filter.sync_run_ids.as_deref()));
        one_of(sql, "t.connector_id", uuids(filter.connector_ids.as_deref()));
        one_of(sql, "c.team_id", filter.team_id.map(|id| vec![id.uuid()]));
        one_of(sql, "c.env_id", filter.env_id.map(|id| vec![id.uuid()]));
        // History is asked for by name. Should a run that was told of end while nobody listens, this says so.
        if filter.sync_run_ids.is_none() {
            sql.push(" and (t.status = 'SYNCING' or t.id = any(");
            sql.bind(told.keys().copied().collect::<Vec<_>>());
            sql.push("))");
        }
    }
}

/// The live field of syncs.
#[derive(Default)]
pub struct SyncSubscription;

#[Subscription]
impl SyncSubscription {
    /// The present state of the syncs that match and are under way, or that `syncRunIds` names, then every change of
    /// them and of later ones, merged to at most four events a second and run.
    async fn sync_progressed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which syncs to follow; all that you see when left out.")] filter: Option<SyncProgressedFilter>,
    ) -> Result<impl Stream<Item = Result<SyncProgressed>> + use<>> {
        let filter = filter.unwrap_or_default();
        narrow::check_lists(&[filter.sync_run_ids.as_ref().map(Vec::len), filter.connector_ids.as_ref().map(Vec::len)])?;
        follow(ctx, Following { filter })
    }
}
