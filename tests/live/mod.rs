//! Live changes, as clients see them.

mod cancelled;
mod failover;
mod floods;
mod nested;
mod notices;
mod panics;
mod recovery;
mod replicas;
mod repointed;
mod sockets;
mod syncs;
mod visibility;
mod workers;
