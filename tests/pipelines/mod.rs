//! Workers: what people ask of them, what they report, what becomes of those that do not.

mod backfills;
mod bootstrap;
mod configuration;
mod deliveries;
mod flow_faults;
mod flow_model;
mod flows;
mod launcher;
mod nulls;
mod pipeline_runs;
mod pipeline_states;
mod transforms;
mod watchdog;
mod worker_model;
mod worker_reports;
mod worker_rights;
mod worker_states;
