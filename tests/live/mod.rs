//! Live changes, as clients see them.

mod cancelled;
mod floods;
mod nested;
mod notices;
mod repointed;
mod panics;
mod recovery;
mod replicas;
mod syncs;
mod visibility;
mod workers;
