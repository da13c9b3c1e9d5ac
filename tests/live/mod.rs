//! Live changes, as clients see them.

mod cancelled;
mod entities;
mod failover;
mod floods;
mod nested;
mod notices;
mod panics;
mod pipelines;
mod pooler;
mod quiet;
mod recovery;
mod removals;
mod replicas;
mod repointed;
mod requests;
mod sharing;
mod sockets;
mod syncs;
mod topics;
mod visibility;
mod workers;
