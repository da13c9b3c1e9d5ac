//! Reads one table by COPY, chunk by chunk: counts its rows and writes them down, or counts them only.
//!
//! Always holds: memory is bounded by a chunk (COPY sends a row in one) and one write buffer, whatever the
//! table's size; a stopped or failed table leaves no unfinished segment. Not here: which rows (`columns.rs`), the connection
//! and its snapshot (`consistent.rs`).

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep_until};

use crate::core::id::Id;

use super::board::Task;
use super::columns::{LookError, Relation};
use super::consistent::Reader;
use super::csv::RowCounter;
use super::handover::{About, Handover};
use super::postgres::Refusal;
use super::production::{Produced, Production};
use super::segments::{LIMIT, Segments};
use super::topics::Topics;

/// Where rows go, and how fast.
pub(super) struct Sink {
    /// Where segments are handed over; without it rows are counted only.
    pub(super) handover: Option<Arc<dyn Handover>>,
    pub(super) topics: Topics,
    pub(super) production: Arc<Production>,
    pub(super) rows_per_second: Option<u64>,
}

/// How the reading of a table ended.
pub(super) enum Copied {
    Whole,
    Stopped,
    Failed(String),
}

/// Why a table cannot be read to its end.
#[derive(Debug, thiserror::Error)]
enum CopyError {
    #[error(transparent)]
    Name(#[from] super::table_name::NameError),
    #[error("{}", Refusal::midway(.0))]
    Database(#[from] sqlx::Error),
    #[error("the rows cannot be written to the segments' directory: {0}")]
    Write(#[from] std::io::Error),
}

impl From<LookError> for CopyError {
    fn from(error: LookError) -> Self {
        match error {
            LookError::Name(error) => Self::Name(error),
            LookError::Database(error) => Self::Database(error),
        }
    }
}

/// Reads a table to its end, or until it is no longer wanted.
pub(super) async fn copy(reader: &mut Reader, task: &Task, sink: &Sink) -> Copied {
    let (mut segments, began) = (None, Instant::now());
    let copied = tokio::select! {
        biased;
        () = task.cancel.cancelled() => Copied::Stopped,
        read = read(&mut reader.connection, task, sink, &mut segments) => match read {
            Ok(()) => Copied::Whole,
            Err(error) => Copied::Failed(error.to_string()),
        },
    };
    if let Some((segments, at)) = segments {
        // What was handed over was produced, however the table ended.
        let (snapshot, took) = (segments.snapshot().to_owned(), began.elapsed());
        if let Some(topic) = sink.topics.named(&task.table.name) {
            sink.production.add(Produced { topic, snapshot, rows: segments.published(), at, took });
        }
        segments.discard().await;
    }
    copied
}

async fn read(connection: &mut PgConnection, task: &Task, sink: &Sink, segments: &mut Option<(Segments, i64)>) -> Result<(), CopyError> {
    let relation = Relation::look(connection, &task.table.name).await?;
    let mut chunks = connection.copy_out_raw(&relation.statement).await?;
    if let Some(handover) = &sink.handover {
        let (topic, at) = (sink.topics.of(&task.table.name), relation.at);
        *segments = Some((Segments::begin(Arc::clone(handover), topic, about(task, relation), LIMIT), at));
    }
    let mut counter = RowCounter::default();
    let mut rows = 0_u64;
    let began = Instant::now();
    while let Some(chunk) = chunks.try_next().await? {
        let fed = counter.feed(&chunk);
        if let Some((segments, _)) = segments.as_mut() {
            segments.write(&chunk, fed).await?;
        }
        rows += fed.rows;
        task.set_rows(rows);
        if let Some(rate) = sink.rows_per_second {
            brake(began, rows, rate).await;
        }
    }
    drop(chunks);
    if let Some((segments, _)) = segments {
        segments.finish().await?;
    }
    Ok(())
}

/// The first segment of a snapshot that begins now.
fn about(task: &Task, relation: Relation) -> About {
    enum Snapshot {}
    let (run, table) = (task.table.run_id.clone(), task.table.name.clone());
    About { run, snapshot: Id::<Snapshot>::random().to_string(), table, number: 1, last: false, rows: 0, columns: relation.columns }
}

/// Waits until so many rows are due.
async fn brake(began: Instant, rows: u64, rate: u64) {
    let due = began + Duration::from_millis(rows.saturating_mul(1000).checked_div(rate).unwrap_or(0));
    if due > Instant::now() {
        sleep_until(due).await;
    }
}
