//! The demo organisation of `dev`: a shop to read from, a warehouse where it arrives, people, pipelines, and a first snapshot.
//!
//! Always holds: what is there is never changed, so each step may be repeated at every start; the
//! organisation appears whole, in one transaction; workers and syncs are started as a client of the public
//! API would. Not here: when `dev` does which step, and the processes of the workers.
//!
//! In order: [`shop`] and [`warehouse`] on the cluster, [`lay_out`] on the migrated database, and, once the
//! server listens and there is a superuser, [`begin`].

mod connectors;
mod databases;
mod error;
mod flows;
mod history;
mod layout;
mod organisation;
mod people;
mod schemas;
mod start;
mod tables;
mod throughput;

pub use databases::{DatabaseAccess, shop, warehouse};
pub use error::DemoError;
pub use organisation::lay_out;
pub use people::{DemoUser, users};
pub use start::begin;
