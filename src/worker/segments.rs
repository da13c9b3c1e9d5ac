//! One table's rows as CSV segments in its folder: `<run>-<generation>-<n>.csv`.
//!
//! Always holds: a `.csv` is whole, on disk and ends at a row's end; what is being written is a `.part`;
//! nobody but the worker's user may read it; a segment has at most 64 MB, but for a single row that has more; memory holds one buffer. Beginning a
//! table removes what an earlier attempt at it in the same run left. Not here: rows (`csv.rs`).

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bytes::{Bytes, BytesMut};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt as _;

/// The most bytes of a segment.
pub(super) const LIMIT: u64 = 64_000_000;
const BUFFER: usize = 256 * 1024;

/// Where one table's rows go.
pub(super) struct Segments {
    folder: PathBuf,
    stem: String,
    next: u32,
    limit: u64,
    open: Option<Segment>,
    buffer: BytesMut,
    at_row_start: bool,
}

struct Segment {
    file: File,
    part: PathBuf,
    size: u64,
}

impl Segments {
    /// Begins a table: makes its folder and sweeps up what earlier attempts of this run left in it.
    pub(super) async fn begin(folder: PathBuf, (run, generation): (&str, &str), limit: u64) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).await?;
        sweep(&folder, &format!("{run}-")).await?;
        let stem = format!("{run}-{generation}");
        Ok(Self { folder, stem, next: 1, limit, open: None, buffer: BytesMut::with_capacity(BUFFER), at_row_start: true })
    }

    /// Takes the next bytes, and where in them the last row ended.
    pub(super) async fn write(&mut self, chunk: &Bytes, last_row_end: Option<usize>) -> io::Result<()> {
        let (rows, rest) = chunk.split_at_checked(last_row_end.unwrap_or(0)).unwrap_or((chunk, &[]));
        if !rows.is_empty() {
            self.append(rows).await?;
            self.at_row_start = true;
        }
        if !rest.is_empty() {
            self.append(rest).await?;
            self.at_row_start = false;
        }
        Ok(())
    }

    async fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let full = self.open.as_ref().is_some_and(|segment| segment.size.saturating_add(length) > self.limit);
        if full && self.at_row_start {
            self.finish().await?;
        }
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush().await?;
        }
        let segment = match &mut self.open {
            Some(segment) => segment,
            None => self.open.insert(Segment::create(&self.folder, &self.stem, self.next).await?),
        };
        segment.size += length;
        if bytes.len() > BUFFER {
            segment.file.write_all(bytes).await
        } else {
            self.buffer.extend_from_slice(bytes);
            Ok(())
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        if let Some(segment) = &mut self.open {
            segment.file.write_all(&self.buffer).await?;
        }
        self.buffer.clear();
        Ok(())
    }

    /// Makes the segment under way whole: on disk, under its final name.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        self.flush().await?;
        if let Some(mut segment) = self.open.take() {
            segment.file.flush().await?;
            segment.file.sync_all().await?;
            drop(segment.file);
            fs::rename(&segment.part, segment.part.with_extension("")).await?;
            self.next += 1;
        }
        Ok(())
    }

    /// Gives up the segment under way.
    pub(super) async fn discard(self) {
        if let Some(segment) = self.open {
            drop(segment.file);
            if let Err(error) = fs::remove_file(&segment.part).await {
                tracing::warn!(file = %segment.part.display(), reason = %error, "an unfinished segment stays behind");
            }
        }
    }
}

impl Segment {
    async fn create(folder: &Path, stem: &str, number: u32) -> io::Result<Self> {
        let part = folder.join(format!("{stem}-{number}.csv.part"));
        let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&part).await?;
        Ok(Self { file, part, size: 0 })
    }
}

async fn sweep(folder: &Path, prefix: &str) -> io::Result<()> {
    let mut entries = fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
            match fs::remove_file(entry.path()).await {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::csv::RowCounter;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    async fn write_all(segments: &mut Segments, chunks: &[&'static [u8]]) {
        let mut counter = RowCounter::default();
        for chunk in chunks {
            let fed = counter.feed(chunk);
            segments.write(&Bytes::from_static(chunk), fed.last_row_end).await.unwrap();
        }
    }

    #[tokio::test]
    async fn segments_are_cut_at_row_ends_and_leftovers_are_swept() {
        let folder = std::env::temp_dir().join(format!("pumphouse-segments-{}", std::process::id()));
        let mut segments = Segments::begin(folder.clone(), ("run", "old"), 8).await.unwrap();
        write_all(&mut segments, &[b"1,a\n", b"2,b\n", b"3,\"c\n", b"c\"\n4,d\n5,", b"e\n", b"6,a long row\n"]).await;
        assert!(names(&folder).contains(&"run-old-1.csv".to_owned()));
        segments.finish().await.unwrap();
        let texts: Vec<String> = names(&folder).iter().map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).collect();
        assert_eq!(texts, ["1,a\n2,b\n", "3,\"c\nc\"\n4,d\n", "5,e\n", "6,a long row\n"]);

        std::fs::write(folder.join("other-old-1.csv"), "kept").unwrap();
        let mut segments = Segments::begin(folder.clone(), ("run", "new"), 8).await.unwrap();
        write_all(&mut segments, &[b"1,a\n"]).await;
        assert_eq!(names(&folder), ["other-old-1.csv", "run-new-1.csv.part"]);
        segments.discard().await;
        let mut empty = Segments::begin(folder.clone(), ("run", "new"), 8).await.unwrap();
        empty.finish().await.unwrap();
        assert_eq!(names(&folder), ["other-old-1.csv"]);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
