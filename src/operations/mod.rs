//! What operators did and what ran: snapshot syncs, the audit log, replay protection, the licence (domain.md section 5).

mod connector_end;
mod directives;
mod eviction;
mod idempotency_record;
mod license;
mod license_mutation;
mod orchestrator;
mod pipeline_mutation;
mod progress;
mod sync_live;
mod sync_mutation;
mod sync_queue;
mod sync_report;
mod sync_run;
mod sync_table;
mod user_log;

pub use connector_end::ConnectorEndMutation;
pub use directives::{DirectiveFeed, DirectiveSubscription, WorkerInstruction};
pub use eviction::Eviction;
pub use idempotency_record::IdempotencyRecord;
pub use license::{LicenseState, current_license};
pub use license_mutation::LicenseMutation;
pub use orchestrator::{Orchestrator, StallTimings};
pub use pipeline_mutation::PipelineRunMutation;
pub use progress::{SyncOutcome, SyncRunProgress, SyncTableProgress};
pub use sync_live::{SyncFeed, SyncSubscription};
pub use sync_mutation::SyncMutation;
pub use sync_queue::Steps;
pub use sync_report::SyncReportMutation;
pub use sync_run::{StalledReason, SyncRun, SyncRunStatus};
pub use sync_table::{Step, SyncTable, SyncTableStatus};
pub use user_log::{UserLog, UserType};
