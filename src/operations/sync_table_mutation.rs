//! `skipSyncTable`: a table that waits for its turn is left out.

use async_graphql::{Context, InputObject, Object, SimpleObject};
use serde_json::json;
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::entity::{Entity as _, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Proof, RightBasis};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write, write};
use crate::operations::{SyncRun, SyncTable, sync_queue as queue};
use crate::pipelines::connector_of;

/// The mutation of the tables of a run.
#[derive(Default)]
pub struct SyncTableMutation;

/// Which table to leave out.
#[derive(InputObject, Clone)]
pub struct SkipSyncTableInput {
    /// The table's place in a run, which waits for its turn.
    pub sync_table_id: Id<SyncTable>,
}

/// The table that is left out.
#[derive(SimpleObject)]
pub struct SkipSyncTablePayload {
    /// The table as it is now.
    pub sync_table: SyncTable,
}

#[Object]
impl SyncTableMutation {
    /// Leaves out a table that waits for its turn: it has FAILED, with who skipped it as the reason, and the others go on. With the
    /// last table the run ends. On a table that is being read or has come to its end, `CONFLICT` with its state in
    /// `details.status`.
    async fn skip_sync_table(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which table to leave out.")] input: SkipSyncTableInput,
    ) -> Result<SkipSyncTablePayload> {
        let sync_table = write(ctx, input).await?;
        Ok(SkipSyncTablePayload { sync_table })
    }
}

/// The right on a table of a run: the run that it belongs to, locked, as every change of its tables needs it.
pub struct OfRun(Held<SyncRun, Changeable>);

impl Proof for OfRun {
    fn stake(&self) -> RightBasis {
        self.0.stake()
    }
}

impl Mutation for SkipSyncTableInput {
    type Proof = OfRun;
    type Answer = SyncTable;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<OfRun> {
        let viewer = w.viewer().clone();
        let mut sql = Sql::new("select t.sync_run_id");
        from_visible::<SyncTable>(&mut sql, &viewer);
        let rows = w.rows(sql.with(" and t.id = ", self.sync_table_id)).await?;
        let row = rows.first().ok_or_else(|| Error::no_such(SyncTable::NAME).field("syncTableId"))?;
        Ok(OfRun(w.change(row.try_get(0)?, "syncTableId").await?))
    }

    async fn apply(self, w: &mut Write, OfRun(run): OfRun) -> Result<SyncTable> {
        let reason = format!("skipped by {}", w.actor().email().unwrap_or("a worker"));
        if !queue::skip(w.connection(), run.id, self.sync_table_id, reason).await? {
            let table = w.reread(self.sync_table_id).await?;
            return Err(Error::conflict("Only a table that waits for its turn can be skipped.")
                .field("syncTableId")
                .details(json!({"status": table.status.stored()})));
        }
        let table = w.reread(self.sync_table_id).await?;
        let (_, owner) = connector_of(w, run.connector_id).await?;
        w.record(Verb::Skip, About::row(table.id).name(Some(&table.table_name)).owner(owner).fields(&["status"])).await?;
        Ok(table)
    }
}
