//! `pumphouse worker`: the client that really reads tables, and delivers them.
//!
//! A client of the public API like any other: its documents are files checked against `schema.graphql`.
//! Always holds: an obeyed directive ends it with `Ok`; memory is flat whatever a table's size; killed at
//! any instruction and started again, it ends with the right numbers. A `PostgreSQL` source reads the tables of a sync into segments
//! (`snapshot.rs`), which are handed over (`handover.rs`) to a `PostgreSQL` target that delivers them (`target/`). Of the server
//! it uses the wiped `Secret`, ids and the transforms only.

pub(crate) mod api;
pub(crate) mod backoff;
mod board;
mod bootstrap;
mod check;
mod columns;
mod consistent;
mod counts;
mod csv;
mod directives;
mod directory;
mod error;
mod handover;
mod heartbeat;
mod postgres;
mod production;
mod progress;
mod record;
mod run;
mod secrets;
mod segments;
pub(crate) mod settings;
mod shared;
mod snapshot;
mod socket;
mod table;
mod table_name;
mod target;
mod topics;

pub use error::WorkerError;
pub use run::run;
pub use settings::Settings;
