//! Deleting a connector, which ends its worker and its sync.
//!
//! Always holds: nothing that names it is left behind but what survives by design: datamodels and subscriptions with a null
//! in its place, and how its syncs ended (domain.md sections 2 and 5). Locks are taken in the order of section 0.

use async_graphql::{Context, InputObject, Object, SimpleObject};
use serde_json::{Map, Value, json};
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::entity::from_visible;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write, write};
use crate::operations::SyncEndCause;
use crate::operations::SyncRun;
use crate::operations::sync_queue as queue;
use crate::pipelines::connector_write::owner;
use crate::pipelines::worker_runtime::{self as runtime, Locked};
use crate::pipelines::{Connector, Pipeline, WorkerState};

/// How many pipelines a refusal lists.
const NAMES: usize = 20;

/// The mutation that deletes connectors.
#[derive(Default)]
pub struct ConnectorEndMutation;

/// Which connector to delete.
#[derive(InputObject, Clone)]
pub struct DeleteConnectorInput {
    /// The connector.
    pub connector_id: Id<Connector>,
    /// Whether a worker that is not PAUSED and a sync that runs are ended with it instead of being in the way.
    #[graphql(default)]
    pub force: bool,
}

/// The deleted connector.
#[derive(SimpleObject)]
pub struct DeleteConnectorPayload {
    /// The connector as it was.
    pub connector: Connector,
}

#[Object]
impl ConnectorEndMutation {
    /// Deletes a connector with its worker and its syncs. `CONFLICT` while a pipeline names it, in its `errorTableConfig`
    /// too (`details.pipelines`: the `count` of
    /// those that you see, and as `nodes` the `id` and `name` of the first 20), its worker is not PAUSED (`details.workerState`) or a
    /// sync runs (`details.syncRunId`); the last two do not stop `force: true`. Datamodels and subscriptions stay, without it.
    async fn delete_connector(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which connector to delete.")] input: DeleteConnectorInput,
    ) -> Result<DeleteConnectorPayload> {
        let connector = write(ctx, input).await?;
        Ok(DeleteConnectorPayload { connector })
    }
}

impl Mutation for DeleteConnectorInput {
    type Proof = Held<Connector, Changeable>;
    type Answer = Connector;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.connector_id, "connectorId").await
    }

    async fn apply(self, w: &mut Write, connector: Self::Proof) -> Result<Connector> {
        delete(w, &connector, self.force, "connectorId").await?;
        Ok(connector.into_row())
    }
}

/// Deletes a connector that is held, or says in this field what is in the way.
pub(crate) async fn delete(w: &mut Write, connector: &Held<Connector, Changeable>, force: bool, field: &str) -> Result<()> {
    lock_neighbours(w, connector).await?;
    let worker = runtime::lock_of_connector(w.connection(), connector.id).await?;
    let busy = worker.filter(|worker| worker.state != WorkerState::Paused);
    let run = running(w, connector).await?;
    let mut obstacles = Obstacles::default();
    obstacles.pipelines(w, connector).await?;
    if !force {
        obstacles.work(busy.as_ref(), run);
    }
    obstacles.none(field)?;
    let (name, owner) = (connector.name.as_deref(), owner(connector));
    if let Some(run) = run {
        let by = w.actor().email().map(str::to_owned);
        queue::cancel(w.connection(), run, SyncEndCause::ConnectorDeleted, "the connector was deleted", by.as_deref()).await?;
        w.record(Verb::Cancel, About::row(run).name(name).owner(owner).fields(&["status"])).await?;
    }
    if let Some(worker) = busy {
        // Its row goes with the connector in this commit: whatever its process says next is answered with EXIT.
        w.record(Verb::Stop, About::row(worker.id).name(name).owner(owner).fields(&["state"])).await?;
    }
    w.delete(connector).await?;
    w.record(Verb::Delete, About::row(connector.id).name(name).owner(owner)).await
}

/// Waits for whoever is naming the connector, and locks what loses its reference.
async fn lock_neighbours(w: &mut Write, connector: &Connector) -> Result<()> {
    let of = |sql: &str| Sql::new(sql).value(connector.id);
    w.rows(of("select 1 from connector where id = ").text(" for update")).await?;
    w.rows(of("select 1 from datamodel where source_connector_id = ").text(" order by id for no key update")).await?;
    let named = of("select 1 from pipeline where id in (select pipeline_id from subscription where target_connector_id = ");
    w.rows(named.text(") order by id for no key update")).await?;
    w.rows(of("select 1 from subscription where target_connector_id = ").text(" order by id for no key update")).await?;
    Ok(())
}

/// The sync of the connector that is under way, locked.
async fn running(w: &mut Write, connector: &Connector) -> Result<Option<Id<SyncRun>>> {
    let sql = Sql::new("select id from sync_run where status = 'SYNCING' and connector_id = ").value(connector.id);
    Ok(w.rows(sql.text(" for no key update")).await?.first().map(|row| row.try_get(0)).transpose()?)
}

/// What is in the way.
#[derive(Default)]
struct Obstacles {
    sentences: Vec<String>,
    details: Map<String, Value>,
}

impl Obstacles {
    async fn pipelines(&mut self, w: &mut Write, connector: &Connector) -> Result<()> {
        let naming = |sql: Sql| {
            sql.with(" and (t.source_connector_id = ", connector.id)
                .with(" or t.target_connector_id = ", connector.id)
                .with(" or pumphouse.ids_in(t.error_table_config) @> array[", connector.id)
                .text("])")
        };
        if !w.holds(naming(Sql::new("select exists (select 1 from pipeline t where true")).text(")")).await? {
            return Ok(());
        }
        let mut sql = Sql::new("select t.id, t.name");
        from_visible::<Pipeline>(&mut sql, w.viewer());
        let rows = w.rows(naming(sql).text(" order by t.name, t.id")).await?;
        let listed = rows.iter().take(NAMES).map(|row| {
            let (id, name): (Id<Pipeline>, Option<String>) = (row.try_get(0)?, row.try_get(1)?);
            Ok(json!({"id": id.to_string(), "name": name}))
        });
        let listed: Vec<Value> = listed.collect::<Result<_>>()?;
        self.sentences.push(match rows.len() {
            0 => "a pipeline that you do not see names it".to_owned(),
            1 => "a pipeline names it".to_owned(),
            count => format!("{count} pipelines name it"),
        });
        self.details.insert("pipelines".to_owned(), json!({"count": rows.len(), "nodes": listed}));
        Ok(())
    }

    fn work(&mut self, busy: Option<&Locked>, run: Option<Id<SyncRun>>) {
        if let Some(worker) = busy {
            self.sentences.push(format!("its worker is {}", worker.state.stored()));
            self.details.insert("workerState".to_owned(), json!(worker.state.stored()));
        }
        if let Some(run) = run {
            self.sentences.push("a sync of it runs".to_owned());
            self.details.insert("syncRunId".to_owned(), json!(run.to_string()));
        }
    }

    fn none(self, field: &str) -> Result<()> {
        if self.sentences.is_empty() {
            return Ok(());
        }
        let message = format!("It cannot be deleted: {}.", self.sentences.join("; "));
        Err(Error::conflict(message).field(field).details(Value::Object(self.details)))
    }
}
