//! Live changes, as clients see them.

mod cancelled;
mod notices;
mod panics;
mod recovery;
mod replicas;
mod syncs;
mod visibility;
mod workers;
