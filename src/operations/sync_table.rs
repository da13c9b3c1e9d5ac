//! Sync tables: the place of one table in a sync run, and how far it was read.
//!
//! Always holds: a table that has come to its end never changes again; an error reason stands with
//! failure alone. Not here: percentages and rates, which are computed.

use crate::choice;
use crate::core::entity::{computed, to_one};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::operations::SyncRun;
use crate::operations::progress::{self, SyncTableProgress, TableFacts};
use chrono::{DateTime, Utc};

choice! {
    /// Where one table of a sync run stands.
    SyncTableStatus {
        /// It waits for its turn.
        Queued = "QUEUED",
        /// It is being read.
        InProgress = "IN_PROGRESS",
        /// All of it was read.
        Completed = "COMPLETED",
        /// It was being read when the run ended; some of its rows were read.
        Partial = "PARTIAL",
        /// It could not be read, or was never begun.
        Failed = "FAILED",
    }
}

/// What tables that are read together belong to; it has an id and nothing else.
#[derive(Clone, Copy, Debug)]
pub enum Step {}

entity! {
    /// One table of a sync run: its place in the queue and how far it was read.
    SyncTable in "sync_table";
    scope: Scope::Through { column: "sync_run_id", table: SyncRun::TABLE, scope: &SyncRun::SCOPE };
    order: "position" Asc;
    columns {
        /// The sync run that it belongs to.
        sync_run_id: Id<SyncRun>;
        /// The full name of the table at the source, such as `SCHEMA.TABLE`.
        table_name: String [order, filter];
        /// Its place in the queue, counting from 0.
        position: i32 [order];
        /// Where it stands.
        status: SyncTableStatus [order, filter];
        /// How many rows the source estimates for it; null when the source gives no estimate.
        approximate_row_count: Option<i64> [order];
        /// The same for all tables that are read together in one step; null when it is read alone.
        group_id: Option<Id<Step>> [filter];
        /// Rows that were read so far, as the worker reported.
        rows_ingested: i64 [order];
        /// When reading it began.
        started_at: Option<DateTime<Utc>> [order];
        /// When it came to its end.
        finished_at: Option<DateTime<Utc>> [order];
        /// Why it failed; null for every table that did not.
        error_reason: Option<String>;
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<SyncTable, SyncRun>("syncRun", "id", "sync_run_id", "The sync run that it belongs to.");
        computed::<SyncTable, SyncTableProgress>("progress", |row, ctx| Box::pin(progress::of_table(row, ctx)), "How far it was read.");
    }
    carries {
        /// What a live event already knows of its progress.
        facts: Option<TableFacts>;
    }
}
