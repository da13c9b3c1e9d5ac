//! What a source's worker hands to the workers of targets: the segments of a topic.
//!
//! A topic is a sequence of segments, each at a position; positions only rise, and what is published stays as it is. The rows of
//! one reading of a table are a snapshot: its segments are numbered from 1, and only its last one says that it is whole. A
//! snapshot that broke off is followed by another one, which begins with 1 again.
//!
//! Always holds: whoever reads a topic in order, and keeps its position with what it did, misses nothing and does nothing
//! twice. Not here: `directory.rs`, the form that this has on one machine; a broker is another form.

use std::io;
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncRead;

/// Where segments are handed over.
pub(super) trait Handover: Send + Sync {
    /// A file of this machine in which a segment is written before it is published.
    fn draft<'a>(&'a self, topic: &'a str, about: &'a About) -> BoxFuture<'a, io::Result<PathBuf>>;

    /// Puts a draft that is whole at the end of its topic; the draft is gone then. With the last segment of a snapshot, what
    /// is older of the same table is no longer needed.
    fn publish<'a>(&'a self, topic: &'a str, draft: &'a Path, about: &'a About) -> BoxFuture<'a, io::Result<()>>;

    /// The segments after a position, in order; from the first one when it is 0, or when the topic has begun anew.
    fn after<'a>(&'a self, topic: &'a str, position: i64) -> BoxFuture<'a, io::Result<Vec<Segment>>>;

    /// The rows of a segment, as CSV; `NotFound` when it is no longer needed.
    fn open<'a>(&'a self, topic: &'a str, segment: &'a Segment) -> BoxFuture<'a, io::Result<Rows>>;
}

/// The bytes of a segment.
pub(super) type Rows = Box<dyn AsyncRead + Send + Unpin>;

/// A published segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) position: i64,
    pub(super) about: About,
}

/// What a segment says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct About {
    /// The sync run that asked for it.
    pub(super) run: String,
    /// One reading of the table from its beginning: another whenever it is begun again.
    pub(super) snapshot: String,
    /// The table, as the run names it.
    pub(super) table: String,
    /// Which one of the snapshot it is, from 1.
    pub(super) number: u32,
    /// Whether the snapshot is whole with it.
    pub(super) last: bool,
    /// How many rows it has.
    pub(super) rows: u64,
    /// The fields of each row, in order.
    pub(super) columns: Vec<Column>,
}

/// A column of a table that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its type as PostgreSQL writes it, such as `numeric(10,2)`; one that other databases need not have is `text`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The same without length and precision, such as `numeric`.
    pub(super) base: String,
    pub(super) nullable: bool,
    /// Its place in the primary key, from 0.
    pub(super) key: Option<i32>,
}
