//! What operators did and what ran: snapshot syncs, the audit log, replay protection, the licence (domain.md section 5).

mod directives;
mod eviction;
mod idempotency_record;
mod license;
mod license_mutation;
mod orchestrator;
mod progress;
mod sync_end;
mod sync_history;
mod sync_live;
mod sync_mutation;
mod sync_queue;
mod sync_report;
mod sync_run;
mod sync_table;
mod sync_table_mutation;
mod user_log;
mod worker_report;

pub use directives::{DirectiveFeed, DirectiveSubscription, WorkerInstruction};
pub use eviction::Eviction;
pub use idempotency_record::IdempotencyRecord;
pub use license::{LicenseState, current_license};
pub use license_mutation::LicenseMutation;
pub use orchestrator::{Orchestrator, StallTimings};
pub use progress::{SyncOutcome, SyncRunProgress, SyncTableProgress};
pub use sync_end::{SyncEndCause, SyncRunEnd};
pub use sync_history::{TABLE_SYNCS, current_run, last_failed_run, last_run};
pub use sync_live::{SyncFeed, SyncSubscription};
pub use sync_mutation::SyncMutation;
pub use sync_queue::Steps;
pub use sync_report::SyncReportMutation;
pub use sync_run::{StalledReason, SyncRun, SyncRunStatus};
pub use sync_table::{Step, SyncTable, SyncTableStatus};
pub use sync_table_mutation::SyncTableMutation;
pub use user_log::{UserLog, UserType};
pub use worker_report::WorkerReportMutation;
