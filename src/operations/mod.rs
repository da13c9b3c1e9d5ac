//! What operators did and what ran: snapshot syncs, the audit log, replay protection, the licence (domain.md section 5).

mod idempotency_record;
mod license;
mod sync_run;
mod sync_table;
mod user_log;

pub use idempotency_record::IdempotencyRecord;
pub use license::{LicenseState, current_license};
pub use sync_run::{StalledReason, SyncRun, SyncRunStatus};
pub use sync_table::{Step, SyncTable, SyncTableStatus};
pub use user_log::{UserLog, UserType};
