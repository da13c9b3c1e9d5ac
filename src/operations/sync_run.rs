//! Sync runs: snapshots of one or more tables of a source.
//!
//! Always holds: at most one run of a connector is under way; the email of who started it outlives
//! the user; a run that is shown under way is shown with what its tables were then. Not here: the tables of a run
//! (`sync_table.rs`) and its computed progress.

use crate::access::User;
use crate::choice;
use crate::core::entity::{TransientValue, computed, to_one};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::operations::SyncRunEnd;
use crate::operations::progress::{self, RunFacts, SyncOutcome, SyncRunProgress};
use crate::pipelines::Connector;
use chrono::{DateTime, Utc};

choice! {
    /// Where a sync run stands.
    SyncRunStatus {
        /// It is under way.
        Syncing = "SYNCING",
        /// Every table has come to its end, well or not.
        Done = "DONE",
        /// It was ended before every table was read, by a user or because it stalled for too long.
        Cancelled = "CANCELLED",
    }
}

choice! {
    /// Why a sync run made no progress.
    StalledReason {
        /// The worker of the connector was not live.
        WorkerNotLive = "WORKER_NOT_LIVE",
        /// The worker had stopped reporting.
        WorkerUnresponsive = "WORKER_UNRESPONSIVE",
        /// The worker reported, but no row came in.
        NoProgress = "NO_PROGRESS",
    }
}

entity! {
    /// A sync: the snapshot of one or more tables of a source connector, read one step after the other.
    SyncRun in "sync_run";
    scope: Scope::Through { column: "connector_id", table: Connector::TABLE, scope: &Connector::SCOPE };
    order: "created_at" Desc;
    // It ends in one commit with the last of its tables.
    passing: TransientValue { column: "status", value: "SYNCING", below: &["syncTables", "progress", "end"], brought };
    columns {
        /// The connector whose tables are read.
        connector_id: Id<Connector> [filter];
        /// Where it stands.
        status: SyncRunStatus [order, filter];
        /// Who started it, while that user exists; `triggeredByEmail` is the author of record.
        triggered_by_user_id: Option<Id<User>> [filter];
        /// The email, at that time, of who started it; null when it was started automatically.
        triggered_by_email: Option<String> [filter, email];
        /// Since when it makes no progress; null while it does.
        stalled_since: Option<DateTime<Utc>> [order, range];
        /// Why it makes or made no progress; kept when it goes on or ends, null when it never stalled.
        stalled_reason: Option<StalledReason> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<SyncRun, Connector>("connector", "id", "connector_id", "The connector whose tables are read.");
        to_one::<SyncRun, User>("triggeredByUser", "id", "triggered_by_user_id", "Who started it; null when that user is gone or it was started automatically.");
        to_one::<SyncRun, SyncRunEnd>("end", "sync_run_id", "id", "How it ended: why, and by whom; null while it is under way.");
        computed::<SyncRun, SyncRunProgress>("progress", |row, ctx| Box::pin(progress::of_run(row, ctx)), "How far it has come.");
        computed::<SyncRun, Option<SyncOutcome>>("outcome", |row, ctx| Box::pin(progress::outcome(row, ctx)), "How it came out; null while it is under way, and when it was cancelled.");
    }
    carries {
        /// What a live event already knows of its progress.
        facts: Option<RunFacts>;
    }
}

fn brought(run: &SyncRun) -> &'static [&'static str] {
    if run.facts.is_some() { &["progress"] } else { &[] }
}
