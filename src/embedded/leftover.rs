//! Clears what an earlier Pumphouse, killed, left of its server.
//!
//! Always holds: called by the holder of the data directory's lock only, so a process that carries the
//! cluster's name has no owner any more. A server that somebody started by hand is left alone and
//! reported. Not here: the shared memory of a killed server, which PostgreSQL clears by itself once
//! no process uses it.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::time::{Instant, sleep};

use super::error::EmbeddedError;
use super::place::Place;
use super::process::STAGES;

/// How long processes whose owner has just been killed may take to end by themselves.
const GRACE: Duration = Duration::from_secs(2);

/// How often to look whether they have.
const LOOK: Duration = Duration::from_millis(10);

/// Returns when nothing stands in the way of a server at this place.
pub(super) async fn clear(place: &Place) -> Result<(), EmbeddedError> {
    let stages = STAGES.map(|(signal, patience)| (Some(signal), patience));
    for (signal, patience) in [(None, GRACE)].into_iter().chain(stages) {
        if gone(&place.name, signal, patience).await {
            return clear_pid_file(&place.cluster);
        }
    }
    let pid = survivors(&place.name).first().map_or(0, |pid| pid.as_raw_nonzero().get().unsigned_abs());
    Err(EmbeddedError::WillNotStop { pid })
}

/// Sends the signal to what is there, and tells whether all of it ended in time.
async fn gone(name: &str, signal: Option<Signal>, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    let mut there = survivors(name);
    if let Some(signal) = signal {
        tracing::info!(?there, ?signal, "ending the PostgreSQL that a killed Pumphouse left");
        for pid in &there {
            let _ = kill_process(*pid, signal);
        }
    }
    while !there.is_empty() && Instant::now() < until {
        sleep(LOOK).await;
        there = survivors(name);
    }
    there.is_empty()
}

/// Removes `postmaster.pid` when its process is not a server of this cluster: PostgreSQL would take any
/// living process of that number for one.
fn clear_pid_file(cluster: &Path) -> Result<(), EmbeddedError> {
    let path = cluster.join("postmaster.pid");
    let text = match fs::read_to_string(&path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(()),
        text => text.map_err(EmbeddedError::unusable(&path))?,
    };
    let pid = text.lines().next().unwrap_or_default();
    if serves(pid, cluster) {
        return Err(EmbeddedError::InUse { path: cluster.to_owned(), holder: format!("process {pid}") });
    }
    fs::remove_file(&path).map_err(EmbeddedError::unusable(&path))
}

/// Whether this process works in the cluster's directory, or was told to where only that can be read.
fn serves(pid: &str, cluster: &Path) -> bool {
    let process = Path::new("/proc").join(pid);
    match fs::read_link(process.join("cwd")) {
        Ok(directory) => directory == cluster,
        Err(_) => arguments(&process).any(|argument| OsStr::from_bytes(&argument) == cluster.as_os_str()),
    }
}

/// The living processes of the cluster of this name: the server was told it as an argument, and its
/// children show it in their title.
fn survivors(name: &str) -> Vec<Pid> {
    let argument = format!("cluster_name={name}").into_bytes();
    let title = format!("postgres: {name}: ").into_bytes();
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let carries = |process: &Path| arguments(process).any(|text| text == argument || text.starts_with(&title));
    let found = processes.flatten().filter_map(|process| {
        let pid = process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
        carries(&process.path()).then_some(pid)
    });
    found.collect()
}

/// The command line of a process; nothing for one that has ended.
fn arguments(process: &Path) -> impl Iterator<Item = Vec<u8>> {
    let line = fs::read(process.join("cmdline")).unwrap_or_default();
    let arguments: Vec<Vec<u8>> = line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
    arguments.into_iter()
}
