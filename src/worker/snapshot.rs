//! Keeps the tables under way equal to those that the newest instruction lists.
//!
//! Always holds: the tables that one instruction adds are read inside one consistent snapshot; nothing is
//! begun while the worker is not LIVE, so a database that is away for a while fails no table; however many
//! instructions there are, at most four tables are read at a time. Not here: reading (`consistent.rs`).

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinSet};

use super::api::WorkerState;
use super::board::{Board, Task};
use super::bootstrap::datamodels;
use super::consistent;
use super::error::WorkerError;
use super::postgres::Postgres;
use super::shared::Shared;
use super::table::Sink;

/// Tables that are read at the same time.
pub(super) const READERS: usize = 4;

/// What reading a set of tables needs.
pub(super) struct Source {
    pub(super) server: Arc<Postgres>,
    pub(super) board: Arc<Board>,
    pub(super) sink: Sink,
    pub(super) readers: Arc<Semaphore>,
}

/// Follows the instructions until the worker ends.
pub(super) async fn follow(shared: Arc<Shared>, source: Arc<Source>) -> Result<(), WorkerError> {
    let mut wanted = shared.wanted.subscribe();
    let mut condition = shared.condition.subscribe();
    let mut sets: JoinSet<()> = JoinSet::new();
    loop {
        let tables = Arc::clone(&wanted.borrow_and_update());
        let live = condition.borrow_and_update().state == WorkerState::LIVE;
        if live || tables.is_empty() {
            let begun = source.board.follow(&tables);
            if !begun.is_empty() {
                tracing::info!(tables = begun.len(), "a snapshot begins");
                sets.spawn(read(Arc::clone(&shared), Arc::clone(&source), begun));
            }
        }
        tokio::select! {
            _ = wanted.changed() => {}
            _ = condition.changed() => {}
            () = source.board.freed.notified() => {}
            Some(ended) = sets.join_next() => ended.map_err(|error: JoinError| WorkerError::Broken(error.to_string()))?,
        }
    }
}

async fn read(shared: Arc<Shared>, source: Arc<Source>, tables: Vec<Arc<Task>>) {
    match datamodels(&shared.api).await {
        Ok(datamodels) => source.sink.topics.renew(&datamodels),
        Err(error) => tracing::warn!(reason = %error, "the topics are those of before"),
    }
    consistent::read(source, tables).await;
}
