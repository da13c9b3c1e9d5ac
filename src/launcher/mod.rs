//! Launchers: how a worker that should run comes to run.
//!
//! `external`: somebody else, such as Kubernetes, starts a process for each generation in BUILDING.
//! `process`: this machine does, for `dev` and small installations.

mod process;

pub use process::{ProcessLauncher, ProcessSettings};
