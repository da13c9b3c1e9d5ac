//! One snapshot of a table, cut into segments that are handed over as they become whole.
//!
//! Always holds: a segment ends at a row's end and has at most 64 MB, but for a single row that has more; memory holds one
//! buffer; the last segment is published when the table has been read to its end, also when it has no rows. Not here: where segments
//! go (`handover.rs`), what a row is (`csv.rs`).

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt as _;

use super::csv::Fed;
use super::handover::{About, Handover};

/// The most bytes of a segment.
pub(super) const LIMIT: u64 = 64_000_000;
const BUFFER: usize = 256 * 1024;

/// Where one table's rows go.
pub(super) struct Segments {
    handover: Arc<dyn Handover>,
    topic: String,
    /// The segment under way, or the next one.
    about: About,
    limit: u64,
    open: Option<Draft>,
    buffer: BytesMut,
    at_row_start: bool,
    published: u64,
}

struct Draft {
    file: File,
    path: PathBuf,
    size: u64,
}

impl Segments {
    /// Begins a snapshot; `about` says what its first segment is.
    pub(super) fn begin(handover: Arc<dyn Handover>, topic: String, about: About, limit: u64) -> Self {
        Self { handover, topic, about, limit, open: None, buffer: BytesMut::with_capacity(BUFFER), at_row_start: true, published: 0 }
    }

    /// Takes the next bytes, and what rows ended in them.
    pub(super) async fn write(&mut self, chunk: &Bytes, fed: Fed) -> io::Result<()> {
        let (rows, rest) = chunk.split_at_checked(fed.last_row_end.unwrap_or(0)).unwrap_or((chunk, &[]));
        if !rows.is_empty() {
            self.append(rows).await?;
            self.at_row_start = true;
            self.about.rows += fed.rows;
        }
        if !rest.is_empty() {
            self.append(rest).await?;
            self.at_row_start = false;
        }
        Ok(())
    }

    async fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let full = self.open.as_ref().is_some_and(|draft| draft.size.saturating_add(length) > self.limit);
        if full && self.at_row_start {
            self.publish().await?;
        }
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush().await?;
        }
        let draft = self.draft().await?;
        draft.size += length;
        if bytes.len() > BUFFER {
            draft.file.write_all(bytes).await
        } else {
            self.buffer.extend_from_slice(bytes);
            Ok(())
        }
    }

    async fn draft(&mut self) -> io::Result<&mut Draft> {
        let draft = if let Some(draft) = self.open.take() {
            draft
        } else {
            let path = self.handover.draft(&self.topic, &self.about).await?;
            let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&path).await?;
            Draft { file, path, size: 0 }
        };
        Ok(self.open.insert(draft))
    }

    async fn flush(&mut self) -> io::Result<()> {
        if let Some(draft) = &mut self.open {
            draft.file.write_all(&self.buffer).await?;
        }
        self.buffer.clear();
        Ok(())
    }

    /// Hands the segment under way over.
    async fn publish(&mut self) -> io::Result<()> {
        self.draft().await?;
        self.flush().await?;
        if let Some(mut draft) = self.open.take() {
            draft.file.flush().await?;
            draft.file.sync_all().await?;
            self.handover.publish(&self.topic, &draft.path, &self.about).await?;
            self.published += self.about.rows;
            self.about.number += 1;
            self.about.rows = 0;
        }
        Ok(())
    }

    /// The table has been read to its end: hands the last segment over.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        self.about.last = true;
        self.publish().await
    }

    /// The snapshot that it is.
    pub(super) fn snapshot(&self) -> &str {
        &self.about.snapshot
    }

    /// How many rows were handed over.
    pub(super) fn published(&self) -> u64 {
        self.published
    }

    /// Gives up the segment under way, if there is one.
    pub(super) async fn discard(self) {
        if let Some(draft) = self.open {
            drop(draft.file);
            if let Err(error) = fs::remove_file(&draft.path).await {
                tracing::warn!(file = %draft.path.display(), reason = %error, "an unfinished segment stays behind");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::csv::RowCounter;
    use crate::worker::directory::Directory;
    use tokio::io::AsyncReadExt as _;

    async fn write_all(segments: &mut Segments, chunks: &[&'static [u8]]) {
        let mut counter = RowCounter::default();
        for chunk in chunks {
            let fed = counter.feed(chunk);
            segments.write(&Bytes::from_static(chunk), fed).await.unwrap();
        }
    }

    #[tokio::test]
    async fn segments_are_cut_at_row_ends_and_the_last_one_says_so() {
        let folder = std::env::temp_dir().join(format!("pumphouse-segments-{}", std::process::id()));
        let handover: Arc<dyn Handover> = Arc::new(Directory(folder.clone()));
        let begin = |snapshot: &str| {
            let about = About {
                run: "run".to_owned(),
                snapshot: snapshot.to_owned(),
                table: "t".to_owned(),
                number: 1,
                last: false,
                rows: 0,
                columns: Vec::new(),
            };
            Segments::begin(Arc::clone(&handover), "topic".to_owned(), about, 8)
        };
        let mut segments = begin("first");
        write_all(&mut segments, &[b"1,a\n", b"2,b\n", b"3,\"c\n", b"c\"\n4,d\n5,", b"e\n", b"6,a long row\n"]).await;
        segments.finish().await.unwrap();
        assert_eq!(segments.published(), 6);
        let mut seen = Vec::new();
        for segment in handover.after("topic", 0).await.unwrap() {
            let mut text = String::new();
            handover.open("topic", &segment).await.unwrap().read_to_string(&mut text).await.unwrap();
            seen.push((segment.about.number, segment.about.last, segment.about.rows, text));
        }
        let expected =
            [(1, false, 2, "1,a\n2,b\n"), (2, false, 2, "3,\"c\nc\"\n4,d\n"), (3, false, 1, "5,e\n"), (4, true, 1, "6,a long row\n")];
        assert_eq!(seen, expected.map(|(number, last, rows, text)| (number, last, rows, text.to_owned())));

        let mut given_up = begin("second");
        write_all(&mut given_up, &[b"1,a\n"]).await;
        given_up.discard().await;
        assert_eq!(handover.after("topic", 0).await.unwrap().len(), 4);
        let mut empty = begin("third");
        empty.finish().await.unwrap();
        let left = handover.after("topic", 0).await.unwrap();
        assert_eq!((left.len(), left[0].about.rows, left[0].about.last), (1, 0, true));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
