//! Reads one table by COPY, chunk by chunk: counts its rows and writes them down, or counts them only.
//!
//! Always holds: memory is bounded by a chunk (COPY sends a row in one) and one write buffer, whatever the
//! table's size; a stopped or failed table leaves no unfinished segment. Of a table that others inherit from, only its
//! own rows are read, as the others are tables of their own; of a partitioned one those of all its partitions. Not here: the connection and its
//! snapshot (`consistent.rs`).

use std::path::PathBuf;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep_until};

use super::board::Task;
use super::consistent::Reader;
use super::csv::RowCounter;
use super::postgres::Refusal;
use super::segments::{LIMIT, Segments};
use super::table_name::quoted;
use super::topics::Topics;

/// What is asked of a relation before it is read; nothing when there is none of this name.
const KIND: &str = "select c.relkind::text from pg_catalog.pg_class c where c.oid = pg_catalog.to_regclass($1)";

/// Where rows go, and how fast.
pub(super) struct Sink {
    /// Where the folders of the topics are; without it rows are counted only.
    pub(super) directory: Option<PathBuf>,
    pub(super) topics: Topics,
    pub(super) generation: String,
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

/// Reads a table to its end, or until it is no longer wanted.
pub(super) async fn copy(reader: &mut Reader, task: &Task, sink: &Sink) -> Copied {
    let mut segments = match open(task, sink).await {
        Ok(segments) => segments,
        Err(error) => return Copied::Failed(CopyError::from(error).to_string()),
    };
    let copied = tokio::select! {
        biased;
        () = task.cancel.cancelled() => Copied::Stopped,
        read = read(&mut reader.connection, task, sink, segments.as_mut()) => match read {
            Ok(()) => Copied::Whole,
            Err(error) => Copied::Failed(error.to_string()),
        },
    };
    if let (Some(segments), Copied::Stopped | Copied::Failed(_)) = (segments, &copied) {
        segments.discard().await;
    }
    copied
}

async fn open(task: &Task, sink: &Sink) -> std::io::Result<Option<Segments>> {
    let Some(directory) = &sink.directory else { return Ok(None) };
    let folder = directory.join(sink.topics.folder(&task.table.name));
    Segments::begin(folder, (&task.table.run_id, &sink.generation), LIMIT).await.map(Some)
}

async fn read(connection: &mut PgConnection, task: &Task, sink: &Sink, mut segments: Option<&mut Segments>) -> Result<(), CopyError> {
    let statement = statement(connection, &task.table.name).await?;
    let mut chunks = connection.copy_out_raw(&statement).await?;
    let mut counter = RowCounter::default();
    let mut rows = 0_u64;
    let began = Instant::now();
    while let Some(chunk) = chunks.try_next().await? {
        let fed = counter.feed(&chunk);
        if let Some(segments) = segments.as_deref_mut() {
            segments.write(&chunk, fed.last_row_end).await?;
        }
        rows += fed.rows;
        task.set_rows(rows);
        if let Some(rate) = sink.rows_per_second {
            brake(began, rows, rate).await;
        }
    }
    drop(chunks);
    if let Some(segments) = segments {
        segments.finish().await?;
    }
    Ok(())
}

/// A plain table is copied as it is; COPY reads what is made of others (views, partitions) by a query only.
async fn statement(connection: &mut PgConnection, name: &str) -> Result<String, CopyError> {
    let name = quoted(name)?;
    let kind: Option<String> = sqlx::query_scalar(KIND).bind(&name).fetch_optional(connection).await?;
    let from = match kind.as_deref() {
        Some("p" | "v" | "m" | "f") => format!("(select * from {name})"),
        _ => name,
    };
    Ok(format!("copy {from} to stdout (format csv, header false)"))
}

/// Waits until so many rows are due.
async fn brake(began: Instant, rows: u64, rate: u64) {
    let due = began + Duration::from_millis(rows.saturating_mul(1000).checked_div(rate).unwrap_or(0));
    if due > Instant::now() {
        sleep_until(due).await;
    }
}
