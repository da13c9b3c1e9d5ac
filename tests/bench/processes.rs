//! What a server and its database cost: processor time, memory and open files of their processes, as the system counts them.

use std::path::Path;

use sqlx::PgPool;

/// Ticks of the clock in which Linux tells processor time.
const TICKS: f64 = 100.0;

/// Who is watched.
pub struct Watched {
    server: u32,
    postmaster: u32,
}

/// Seconds of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    pub server: f64,
    pub database: f64,
}

impl Watched {
    /// This process, and the PostgreSQL behind this pool.
    pub async fn of(server: u32, pool: &PgPool) -> Self {
        let backend: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(pool).await.expect("a process");
        Self { server, postmaster: parent(u32::try_from(backend).expect("a process")) }
    }

    /// What they have spent so far. Of PostgreSQL all processes count, those that have ended too.
    pub fn spent(&self) -> Spent {
        let processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let ids = processes.filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok());
        let backends: f64 =
            ids.filter(|id| Path::new(&format!("/proc/{id}/stat")).exists() && parent(*id) == self.postmaster).map(own).sum();
        Spent { server: own(self.server), database: own(self.postmaster) + seconds(self.postmaster, 13..15) + backends }
    }
}

impl Spent {
    /// Cores that were busy since then, over so many seconds.
    pub fn cores(self, before: Self, seconds: f64) -> (f64, f64) {
        ((self.server - before.server) / seconds, (self.database - before.database) / seconds)
    }
}

/// The numbers behind a process's name.
fn fields(process: u32) -> Vec<u64> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let numbers = line.rsplit(')').next().unwrap_or_default().split_whitespace().skip(1);
    numbers.map(|number| number.parse().unwrap_or_default()).collect()
}

/// The processes that this one has begun and that have not ended.
pub fn children(process: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let ids = processes.filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| parent(*id) == process).collect()
}

/// How much memory a process has, in bytes, by what `/proc` calls it: `VmRSS` now, `VmHWM` at most so far.
pub fn memory(process: u32, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// How many files and sockets a process has open.
pub fn open_files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).expect("a process").count()
}

fn parent(process: u32) -> u32 {
    fields(process).first().and_then(|parent| u32::try_from(*parent).ok()).unwrap_or_default()
}

fn own(process: u32) -> f64 {
    seconds(process, 10..12)
}

#[expect(clippy::cast_precision_loss, reason = "ticks of a measurement")]
fn seconds(process: u32, places: std::ops::Range<usize>) -> f64 {
    fields(process).get(places).map_or(0.0, |ticks| ticks.iter().sum::<u64>() as f64 / TICKS)
}
