//! A private PostgreSQL for `pumphouse dev` and for the tests, from a server installed on this machine.
//!
//! Always holds: one Pumphouse per data directory (a lock on `lock`); no server outlives the process
//! that started it; a left-over of a killed process never stands in the way of the next start; nobody
//! but root and the server's own user reaches the socket. The data stay where the caller wants them,
//! also below a directory the server's user cannot enter.
//! Not here: downloading a server, the schema, and signals to Pumphouse itself (the caller of `stop`).

mod cluster;
mod error;
mod find;
mod leftover;
mod place;
mod process;
mod runner;

pub use cluster::{Cluster, Options};
pub use error::EmbeddedError;
