//! Live changes, as clients see them.

mod notices;
mod recovery;
mod replicas;
mod syncs;
mod visibility;
mod workers;
