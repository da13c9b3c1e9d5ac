//! Syncs: starting and ending them, what workers report of them, what becomes of those that stall.

mod audit;
mod directives;
mod license;
mod stalls;
mod sync_history;
mod sync_model;
mod sync_readers;
mod sync_reports;
mod sync_runs;
mod sync_tables;
