//! The hand-over on one machine: a directory with a folder for each topic.
//!
//! A segment at position 7 is `00000000000000000007.csv` with its rows and `00000000000000000007.json` with what it says of
//! itself; the second makes it published. Always holds: a published segment is whole and on disk; two that publish at the same
//! time get two positions; nobody but the workers' user may read it; a table has at most one whole snapshot in its folder, and
//! the one being written. Not here: what the rows are.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt as _;

use super::handover::{About, Handover, Rows, Segment};
use super::topics::safe;

/// How old rows without a description are before they count as left by a worker that was killed: publishing takes moments.
const ABANDONED: Duration = Duration::from_hours(1);

/// A directory that all workers of this machine share.
pub(super) struct Directory(pub(super) PathBuf);

impl Handover for Directory {
    fn draft<'a>(&'a self, topic: &'a str, about: &'a About) -> BoxFuture<'a, io::Result<PathBuf>> {
        Box::pin(async move {
            let folder = self.folder(topic);
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).await?;
            let table = safe(&about.table);
            if about.number == 1 {
                // What a reading of this table left that was killed.
                let left = format!("{table}~");
                for name in names(&folder).await?.iter().filter(|name| name.starts_with(&left)) {
                    remove(&folder.join(name)).await?;
                }
            }
            Ok(folder.join(format!("{table}~{}-{}.part", about.snapshot, about.number)))
        })
    }

    fn publish<'a>(&'a self, topic: &'a str, draft: &'a Path, about: &'a About) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move {
            let folder = self.folder(topic);
            let position = loop {
                let newest = names(&folder).await?.iter().filter_map(|name| position(name)).max().unwrap_or(0);
                match fs::hard_link(draft, folder.join(file(newest + 1, "csv"))).await {
                    Ok(()) => break newest + 1,
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                }
            };
            remove(draft).await?;
            let part = draft.with_extension("about.part");
            let mut written = File::options().write(true).create(true).truncate(true).mode(0o600).open(&part).await?;
            written.write_all(&serde_json::to_vec(about)?).await?;
            written.flush().await?;
            written.sync_all().await?;
            fs::rename(&part, folder.join(file(position, "json"))).await?;
            File::open(&folder).await?.sync_all().await?;
            if about.last { sweep(&folder, position, about).await } else { Ok(()) }
        })
    }

    fn after<'a>(&'a self, topic: &'a str, position: i64) -> BoxFuture<'a, io::Result<Vec<Segment>>> {
        Box::pin(async move { segments(&self.folder(topic), position).await })
    }

    fn open<'a>(&'a self, topic: &'a str, segment: &'a Segment) -> BoxFuture<'a, io::Result<Rows>> {
        Box::pin(async move {
            let file = File::open(self.folder(topic).join(file(segment.position, "csv"))).await?;
            Ok(Box::new(file) as Rows)
        })
    }
}

impl Directory {
    fn folder(&self, topic: &str) -> PathBuf {
        self.0.join(safe(topic))
    }
}

fn file(position: i64, extension: &str) -> String {
    format!("{position:020}.{extension}")
}

fn position(name: &str) -> Option<i64> {
    name.split_once('.')?.0.parse().ok()
}

/// The names in a folder; none where there is no folder yet.
async fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut entries = match fs::read_dir(folder).await {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        names.extend(entry.file_name().into_string());
    }
    Ok(names)
}

async fn segments(folder: &Path, after: i64) -> io::Result<Vec<Segment>> {
    let mut published: Vec<i64> = names(folder).await?.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
    published.sort_unstable();
    // Somebody has emptied the folder: positions begin anew.
    let anew = published.last().is_some_and(|newest| *newest < after);
    let mut segments = Vec::new();
    for position in published.into_iter().filter(|position| anew || *position > after) {
        match fs::read(folder.join(file(position, "json"))).await {
            Ok(text) => segments.push(Segment { position, about: serde_json::from_slice(&text)? }),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(segments)
}

/// Removes what a whole snapshot has made needless: the published segments of the same table that came before it.
async fn sweep(folder: &Path, last: i64, whole: &About) -> io::Result<()> {
    for Segment { position, about } in segments(folder, 0).await? {
        if position < last && about.table == whole.table && about.snapshot != whole.snapshot {
            remove(&folder.join(file(position, "json"))).await?;
            remove(&folder.join(file(position, "csv"))).await?;
        }
    }
    for position in names(folder).await?.iter().filter_map(|name| name.strip_suffix(".csv")?.parse().ok()).filter(|at: &i64| *at < last) {
        let (rows, about) = (folder.join(file(position, "csv")), folder.join(file(position, "json")));
        if !fs::try_exists(&about).await? && is_abandoned(&rows).await {
            remove(&rows).await?;
        }
    }
    Ok(())
}

/// Whether the rows of a segment were left by a worker that was killed before it could publish what they are.
async fn is_abandoned(rows: &Path) -> bool {
    let written = fs::metadata(rows).await.and_then(|file| file.modified());
    written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > ABANDONED))
}

async fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path).await {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;

    fn about(snapshot: &str, number: u32, last: bool) -> About {
        let (run, table) = ("run".to_owned(), "public.orders".to_owned());
        About { run, snapshot: snapshot.to_owned(), table, number, last, rows: 1, columns: Vec::new() }
    }

    async fn publish(directory: &Directory, about: &About) {
        let draft = directory.draft("shop/orders", about).await.unwrap();
        std::fs::write(&draft, format!("{} {}\n", about.snapshot, about.number)).unwrap();
        directory.publish("shop/orders", &draft, about).await.unwrap();
    }

    async fn read(directory: &Directory, after: i64) -> Vec<(i64, String)> {
        let mut seen = Vec::new();
        for segment in directory.after("shop/orders", after).await.unwrap() {
            let mut text = String::new();
            directory.open("shop/orders", &segment).await.unwrap().read_to_string(&mut text).await.unwrap();
            assert_eq!(text, format!("{} {}\n", segment.about.snapshot, segment.about.number));
            seen.push((segment.position, segment.about.snapshot));
        }
        seen
    }

    #[tokio::test]
    async fn segments_come_in_their_order_and_a_whole_snapshot_makes_older_ones_needless() {
        let directory = Directory(std::env::temp_dir().join(format!("pumphouse-handover-{}", std::process::id())));
        assert!(read(&directory, 0).await.is_empty());
        for about in [about("a", 1, false), about("a", 2, true), about("b", 1, false)] {
            publish(&directory, &about).await;
        }
        let (a, b, c) = ("a".to_owned(), "b".to_owned(), "c".to_owned());
        assert_eq!(read(&directory, 0).await, [(1, a.clone()), (2, a), (3, b.clone())]);
        assert_eq!(read(&directory, 2).await, [(3, b)]);
        // A draft of a killed worker goes with the next reading of its table.
        let left = directory.draft("shop/orders", &about("killed", 7, false)).await.unwrap();
        std::fs::write(&left, "half").unwrap();
        publish(&directory, &about("c", 1, true)).await;
        assert!(!left.exists());
        assert_eq!(read(&directory, 3).await, [(4, c.clone())]);
        assert_eq!(read(&directory, 0).await, [(4, c)]);
        // Whoever was further than there is comes back to the beginning.
        std::fs::remove_dir_all(directory.0.join("shop%2Forders")).unwrap();
        publish(&directory, &about("d", 1, true)).await;
        assert_eq!(read(&directory, 4).await, [(1, "d".to_owned())]);
        std::fs::remove_dir_all(&directory.0).unwrap();
    }

    #[tokio::test]
    async fn rows_that_a_killed_worker_never_described_are_removed_once_they_are_old() {
        let directory = Directory(std::env::temp_dir().join(format!("pumphouse-abandoned-{}", std::process::id())));
        publish(&directory, &about("a", 1, true)).await;
        let folder = directory.folder("shop/orders");
        let (old, young) = (folder.join(file(2, "csv")), folder.join(file(3, "csv")));
        for rows in [&old, &young] {
            std::fs::write(rows, "rows\n").unwrap();
        }
        let before = std::fs::metadata(&old).unwrap().modified().unwrap() - ABANDONED * 2;
        std::fs::File::options().write(true).open(&old).unwrap().set_modified(before).unwrap();
        publish(&directory, &about("b", 1, true)).await;
        assert!(!old.exists() && young.exists());
        std::fs::remove_dir_all(&directory.0).unwrap();
    }
}
