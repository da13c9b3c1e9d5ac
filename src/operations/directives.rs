//! `workerDirectives`: what a worker has to do, pushed to the worker itself.
//!
//! Always holds: an instruction says the whole of what is wanted now, never a step from the last one,
//! so one that was missed is made good by the next; a superseded generation is told to exit.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, ID, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::entity::{Entity as _, columns, columns_of};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, Snapshot, Source, Topic, follow,
};
use crate::core::read::Read;
use crate::core::sql::Sql;
use crate::core::viewer::{Identity, Owner, Viewer};
use crate::operations::SyncTable;
use crate::pipelines::worker_runtime::{Directive, Generation, directive};
use crate::pipelines::{Backfill, DELIVERED, PipelineSubscription, Worker, WorkerState, may_report};

const TOPIC: Topic = "directives";

/// Reads what changes mean for the workers they concern.
pub struct DirectiveFeed;

/// What is wanted of the present generation of a worker.
#[derive(Clone, Debug)]
struct Wanted {
    worker: Uuid,
    connector: Uuid,
    generation: Uuid,
    state: WorkerState,
    tables: Vec<SyncTable>,
    backfill: Option<(Id<Backfill>, PipelineSubscription)>,
    deliveries: Option<String>,
}

/// What a worker has to do.
#[derive(SimpleObject, Clone, Debug)]
pub struct WorkerInstruction {
    /// What to do.
    pub directive: Directive,
    /// The tables to read, with SNAPSHOT: these and no others.
    pub tables: Vec<SyncTable>,
    /// The subscription to deliver again from the start, with BACKFILL; null otherwise. One at a time, the one that was asked
    /// for first.
    pub subscription: Option<PipelineSubscription>,
    /// What to confirm with `confirmBackfill` when that is done, with BACKFILL; null otherwise.
    pub backfill_id: Option<ID>,
    /// A mark of what a target's worker has to deliver, which is told by `POST /worker/deliveries`: it is another whenever that
    /// has changed. Null when there is nothing to deliver.
    pub deliveries: Option<String>,
}

impl WorkerInstruction {
    /// One without anything to work on.
    fn plain(directive: Directive) -> Self {
        Self { directive, tables: Vec::new(), subscription: None, backfill_id: None, deliveries: None }
    }
}

/// The request that the worker `w` has to obey first: of a subscription that is processed and complete.
const BACKFILL: &str = "left join lateral (
    select b.id as request, s.* from subscription s join pumphouse.backfill_request b on b.subscription_id = s.id and b.confirmed_at is null
    where s.target_connector_id = w.connector_id and s.enabled and s.datamodel_id is not null and s.target_table_name is not null
    order by b.requested_at, b.id limit 1) s on true";

/// The present wants of the workers for which a condition holds, with the snapshot they were read in.
async fn wanted(db: &Db, condition: Sql) -> Result<(Snapshot, Vec<Wanted>)> {
    let (columns, subscription) = (columns::<SyncTable>(), columns_of::<PipelineSubscription>("s"));
    let sql = condition
        .before(&format!(
            "select pg_current_snapshot()::text, w.id, w.connector_id, w.launch_generation, w.state, {columns}, s.request, {subscription}, m.mark
            from (select 1) always left join (worker w left join sync_run r on r.connector_id = w.connector_id and r.status = 'SYNCING'
              left join sync_table t on t.sync_run_id = r.id and t.status = 'IN_PROGRESS' {BACKFILL}
                left join lateral (select md5(string_agg(concat_ws('/', s.id, s.updated_at, d.updated_at, c.name), ',' order by s.id)) as mark
                  from {DELIVERED}) m on true) on "
        ))
        .text(" order by w.id, t.position");
    let rows = db.rows(sql).await?;
    let snapshot = Snapshot::of_rows(&rows)?;
    let mut wants: Vec<Wanted> = Vec::new();
    for row in &rows {
        let Some(worker) = row.try_get::<Option<Uuid>, _>(1)? else { continue };
        if wants.last().is_none_or(|last| last.worker != worker) {
            wants.push(Wanted {
                worker,
                connector: row.try_get(2)?,
                generation: row.try_get(3)?,
                state: row.try_get(4)?,
                tables: Vec::new(),
                backfill: backfill(row)?,
                deliveries: row.try_get("mark")?,
            });
        }
        if let (Some(table), Some(want)) = (table(row)?, wants.last_mut()) {
            want.tables.push(table);
        }
    }
    Ok((snapshot, wants))
}

fn table(row: &PgRow) -> sqlx::Result<Option<SyncTable>> {
    if row.try_get::<Option<Uuid>, _>(5)?.is_none() {
        return Ok(None);
    }
    SyncTable::from_row(row, 5).map(Some)
}

fn backfill(row: &PgRow) -> sqlx::Result<Option<(Id<Backfill>, PipelineSubscription)>> {
    let place = 5 + SyncTable::COLUMNS.len();
    let request: Option<Id<Backfill>> = row.try_get(place)?;
    request.map(|id| Ok((id, PipelineSubscription::from_row(row, place + 1)?))).transpose()
}

impl Feed for DirectiveFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &["worker", "sync_run", "sync_table", "deliveries"]
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let mut transactions: HashMap<Uuid, Vec<u64>> = HashMap::new();
            let mut gone = Vec::new();
            for change in changes {
                if change.table == Worker::TABLE && change.operation == Operation::Deleted {
                    gone.push(nothing(&change));
                } else if let Some(connector) = change.connector {
                    transactions.entry(connector).or_default().push(change.transaction);
                }
            }
            let connectors: Vec<Uuid> = transactions.keys().copied().collect();
            let (_, wants) = wanted(db, Sql::new("w.connector_id = any(").value(connectors).text(")")).await?;
            let publish = |want: Wanted| LiveEvent {
                topic: TOPIC,
                about: want.worker,
                transactions: transactions.get(&want.connector).cloned().unwrap_or_default(),
                owners: Vec::new(),
                said: EventPayload::Body(Arc::new(want)),
            };
            Ok(gone.into_iter().chain(wants.into_iter().map(publish)).collect())
        })
    }
}

/// What is wanted of a worker that was deleted: of no generation anything.
fn nothing(change: &Change) -> LiveEvent {
    let want = Wanted {
        worker: change.id,
        connector: change.connector.unwrap_or_default(),
        generation: Uuid::nil(),
        state: WorkerState::Paused,
        tables: Vec::new(),
        backfill: None,
        deliveries: None,
    };
    let said = EventPayload::Body(Arc::new(want));
    LiveEvent { topic: TOPIC, about: change.id, transactions: vec![change.transaction], owners: Vec::new(), said }
}

/// What makes an instruction another one.
type Said = (Directive, Vec<Id<SyncTable>>, Option<ID>, Option<String>);

/// One worker's own stream.
struct Following {
    /// The service account that asks, if it is one.
    account: Option<Uuid>,
    worker: Uuid,
    generation: Uuid,
    /// What was said last; the same is not said again.
    said: Option<Said>,
}

impl Following {
    fn instruction(&self, want: Option<&Wanted>) -> WorkerInstruction {
        let Some(want) = want.filter(|want| want.generation == self.generation) else {
            return WorkerInstruction::plain(Directive::Exit);
        };
        let plain = WorkerInstruction { deliveries: want.deliveries.clone(), ..WorkerInstruction::plain(directive(want.state)) };
        // Only one that has reported itself live is given work.
        if want.state != WorkerState::Live {
            return plain;
        }
        match &want.backfill {
            _ if !want.tables.is_empty() => WorkerInstruction { directive: Directive::Snapshot, tables: want.tables.clone(), ..plain },
            Some((id, subscription)) => WorkerInstruction {
                directive: Directive::Backfill,
                subscription: Some(subscription.clone()),
                backfill_id: Some(ID(id.to_string())),
                ..plain
            },
            None => plain,
        }
    }

    fn say(&mut self, instruction: WorkerInstruction, again: bool) -> Option<WorkerInstruction> {
        let tables = instruction.tables.iter().map(|table| table.id).collect();
        let now = (instruction.directive, tables, instruction.backfill_id.clone(), instruction.deliveries.clone());
        if !again && self.said.as_ref() == Some(&now) {
            return None;
        }
        self.said = Some(now);
        Some(instruction)
    }
}

/// What this generation of the worker would be told now, for the answers of its reports.
pub(crate) async fn instruction_now(ctx: &Context<'_>, (worker, generation): (Id<Worker>, Id<Generation>)) -> Result<WorkerInstruction> {
    let read = Read::of(ctx)?;
    let asking = Following { account: None, worker: worker.uuid(), generation: generation.uuid(), said: None };
    let (_, wants) = read.loaders().alone(wanted(read.db(), Sql::new("w.id = ").value(worker))).await?;
    Ok(asking.instruction(wants.first()))
}

impl Source for Following {
    type Item = WorkerInstruction;
    const TOPIC: Topic = TOPIC;
    /// The same is not said twice.
    const ALONE: bool = true;

    fn only(&self) -> Option<Vec<Uuid>> {
        Some(vec![self.worker])
    }

    /// Whether it may report for the worker hangs on its grants, whose changes are announced as its own.
    fn hangs_on(&self) -> Vec<Uuid> {
        self.account.into_iter().collect()
    }

    async fn present(&mut self, db: &Db, viewer: &Viewer, _told: &SeenObjects) -> Result<Present<WorkerInstruction>> {
        // Asked again whenever the viewer's rights may have changed; a worker that is gone is told so below.
        may_report(db, viewer, (self.worker.into(), self.generation.into())).await?;
        let (snapshot, wants) = wanted(db, Sql::new("w.id = ").value(self.worker)).await?;
        let items = self.say(self.instruction(wants.first()), true).into_iter().collect();
        Ok(Present { snapshot, told: SeenObjects::new(), items })
    }

    /// Whether they may report for the worker was asked with the present state; the events of one worker go to nobody else.
    fn sees(&self, _viewer: &Viewer, _owners: &[Owner]) -> bool {
        true
    }

    fn event(&mut self, _told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<WorkerInstruction>> {
        let want = event.body::<Wanted>()?;
        let instruction = self.say(self.instruction(Some(want)), false)?;
        Some(EventUpdate { mark: None, ..EventUpdate::of(want.worker, instruction) })
    }
}

/// The live field of workers' own instructions.
#[derive(Default)]
pub struct DirectiveSubscription;

#[Subscription]
impl DirectiveSubscription {
    /// What a worker has to do: the present instruction at once, then each new one. For the worker itself, or a
    /// service account whose grant says `worker: true`.
    async fn worker_directives(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The worker.")] worker_id: Id<Worker>,
        #[graphql(desc = "The generation that asks; one that was superseded is told to exit.")] launch_generation: Id<Generation>,
    ) -> Result<impl Stream<Item = Result<WorkerInstruction>> + use<>> {
        let read = Read::of(ctx)?;
        may_report(read.db(), read.viewer(), (worker_id, launch_generation)).await?;
        let account = match read.viewer().identity() {
            Identity::User { service_account, .. } => *service_account,
            Identity::Worker { .. } => None,
        };
        let source = Following { account, worker: worker_id.uuid(), generation: launch_generation.uuid(), said: None };
        follow(ctx, source)
    }
}
