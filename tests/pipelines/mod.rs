//! Workers: what people ask of them, what they report, what becomes of those that do not.

mod bootstrap;
mod launcher;
mod watchdog;
mod worker_model;
mod worker_reports;
mod worker_rights;
mod worker_states;
