//! How sync runs ended: why, by whom, and with what.
//!
//! Always holds: a run that has ended has one end, written in the same transaction; it stays when the run and its
//! connector are gone, for whoever could see them (domain.md section 5). Not here: ending a run (`sync_queue.rs`).

use chrono::{DateTime, Utc};

use crate::access::{Env, Team};
use crate::choice;
use crate::core::entity::to_one;
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::operations::SyncRun;
use crate::pipelines::Connector;

choice! {
    /// Why a sync run ended.
    SyncEndCause {
        /// Every table had come to its end, well or not.
        Finished = "FINISHED",
        /// Somebody cancelled it.
        Cancelled = "CANCELLED",
        /// It had made no progress for too long.
        Abandoned = "ABANDONED",
        /// Its connector was deleted while it was under way.
        ConnectorDeleted = "CONNECTOR_DELETED",
    }
}

entity! {
    /// How a sync run ended. It stays readable when the run and its connector are gone.
    SyncRunEnd in "pumphouse.sync_run_end";
    scope: Scope::Sees(&Scope::Owned { team: "team_id", env: "env_id" });
    order: "ended_at" Desc;
    announced: false;
    columns {
        /// The run that ended; it may be gone.
        sync_run_id: Id<SyncRun> [filter];
        /// Why it ended.
        cause: SyncEndCause [filter];
        /// The same in words; null when it simply finished.
        reason: Option<String>;
        /// The email, at that time, of who ended it; null when nobody did.
        by_email: Option<String> [filter, email];
        /// When it ended.
        ended_at: DateTime<Utc> [order, range];
        /// The connector whose tables were read; it may be gone.
        connector_id: Id<Connector> [filter];
        /// The connector's name when the run ended.
        connector_name: Option<String>;
        /// The team that owns the connector, or did when it went.
        team_id: Option<Id<Team>> [filter];
        /// The env of that team.
        env_id: Option<Id<Env>> [filter];
        /// The email, at that time, of who started the run; null when it was started automatically.
        triggered_by_email: Option<String> [filter, email];
        /// When the run was started.
        started_at: Option<DateTime<Utc>> [range];
        /// How many tables the run had.
        tables_total: i32;
        /// How many of them were read completely.
        tables_completed: i32;
        /// Rows that were read, of all tables.
        rows_ingested: i64;
        /// When it was written down.
        created_at: DateTime<Utc>;
    }
    fields {
        to_one::<SyncRunEnd, SyncRun>("syncRun", "id", "sync_run_id", "The run that ended; null when it is gone.");
        to_one::<SyncRunEnd, Connector>("connector", "id", "connector_id", "The connector whose tables were read; null when it is gone.");
        to_one::<SyncRunEnd, Team>("team", "id", "team_id", "The team that owns the connector, or did; null when it is gone.");
        to_one::<SyncRunEnd, Env>("env", "id", "env_id", "The env of that team; null when it is gone.");
    }
}
