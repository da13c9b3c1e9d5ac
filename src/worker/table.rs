//! Reads one table by COPY, chunk by chunk: counts its rows and writes them down, or counts them only.
//!
//! Always holds: memory is bounded by a chunk (COPY sends a row in one) and one write buffer, whatever the
//! table's size; a stopped or failed table leaves no unfinished segment. Not here: which rows (`columns.rs`), the connection
//! and its snapshot (`consistent.rs`).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep_until};

use crate::core::id::Id;

use super::board::Task;
use super::columns::{LookError, Relation};
use super::consistent::Reader;
use super::csv::{Fed, RowCounter};
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

/// What is handed over of a table.
struct Output<'s> {
    segments: Segments,
    production: &'s Production,
    /// The topic that a datamodel names; what goes to others is told to nobody.
    topic: Option<String>,
    /// Until when it was told, in milliseconds since 1970, and when that was.
    told: (i64, Instant),
}

impl Output<'_> {
    async fn write(&mut self, chunk: &Bytes, fed: Fed) -> std::io::Result<()> {
        self.segments.write(chunk, fed).await?;
        self.tell();
        Ok(())
    }

    async fn finish(&mut self) -> std::io::Result<()> {
        self.segments.finish().await?;
        self.tell();
        Ok(())
    }

    /// What was handed over was produced, however the table ends.
    fn tell(&mut self) {
        for (number, rows) in self.segments.take_published() {
            let ((from, since), now) = (self.told, Instant::now());
            let to = from.saturating_add(i64::try_from((now - since).as_millis()).unwrap_or(i64::MAX));
            self.told = (to, now);
            if let Some(topic) = &self.topic {
                let batch = format!("{}-{number}", self.segments.snapshot());
                self.production.add(Produced { batch, topic: topic.clone(), rows, from, to });
            }
        }
    }
}

/// Reads a table to its end, or until it is no longer wanted.
pub(super) async fn copy(reader: &mut Reader, task: &Task, sink: &Sink) -> Copied {
    let mut output = None;
    let copied = tokio::select! {
        biased;
        () = task.cancel.cancelled() => Copied::Stopped,
        read = read(&mut reader.connection, task, sink, &mut output) => match read {
            Ok(()) => Copied::Whole,
            Err(error) => Copied::Failed(error.to_string()),
        },
    };
    if let Some(output) = output {
        output.segments.discard().await;
    }
    copied
}

async fn read<'s>(connection: &mut PgConnection, task: &Task, sink: &'s Sink, output: &mut Option<Output<'s>>) -> Result<(), CopyError> {
    let relation = Relation::look(connection, &task.table.name).await?;
    let mut chunks = connection.copy_out_raw(&relation.statement).await?;
    if let Some(handover) = &sink.handover {
        let (topic, told) = (sink.topics.named(&task.table.name), (relation.at, Instant::now()));
        let segments = Segments::begin(Arc::clone(handover), sink.topics.of(&task.table.name), about(task, relation), LIMIT);
        *output = Some(Output { segments, production: &sink.production, topic, told });
    }
    let mut counter = RowCounter::default();
    let mut rows = 0_u64;
    let began = Instant::now();
    while let Some(chunk) = chunks.try_next().await? {
        let fed = counter.feed(&chunk);
        if let Some(output) = output.as_mut() {
            output.write(&chunk, fed).await?;
        }
        rows += fed.rows;
        task.set_rows(rows);
        if let Some(rate) = sink.rows_per_second {
            brake(began, rows, rate).await;
        }
    }
    drop(chunks);
    if let Some(output) = output {
        output.finish().await?;
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
