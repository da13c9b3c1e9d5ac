//! What the tests share: one private cluster, a fresh database and server for each test, typed callers.

mod account;
mod cluster;
mod flow;
mod server;
mod socket;
mod spy;
mod stage;
mod waiting;
mod world;

pub use cluster::{Database, cluster, database};
pub use flow::Flow;
pub use server::{Caller, PASSWORD, Reply, Server, TestSettings, settings};
pub use socket::{PATIENCE, Socket};
pub use spy::Spy;
pub use stage::{Stage, id, statuses};
pub use waiting::{until, until_somebody_waits};
pub use world::World;
