//! What the tests share: one private cluster, a fresh database and server for each test, typed callers.

mod cluster;
mod server;
mod socket;
mod world;

pub use cluster::{Database, cluster, database};
pub use server::{Caller, Reply, Server, TestSettings};
pub use socket::Socket;
pub use world::World;
