//! `pumphouse worker`: the client that really reads tables.
//!
//! A client of the public API like any other: its documents are files checked against `schema.graphql`.
//! Always holds: an obeyed directive ends it with `Ok`; memory is flat whatever a table's size; killed at
//! any instruction and started again, it ends with the right numbers. A `PostgreSQL` target boots, checks,
//! reports and obeys; it does not deliver yet, nor does a source do backfills. Of the server it uses the wiped `Secret` only.

pub(crate) mod api;
pub(crate) mod backoff;
mod board;
mod bootstrap;
mod check;
mod consistent;
mod csv;
mod directives;
mod error;
mod heartbeat;
mod postgres;
mod progress;
mod run;
mod secrets;
mod segments;
pub(crate) mod settings;
mod shared;
mod snapshot;
mod socket;
mod table;
mod table_name;
mod topics;

pub use api::DOCUMENTS;
pub use error::WorkerError;
pub use run::run;
pub use settings::Settings;
