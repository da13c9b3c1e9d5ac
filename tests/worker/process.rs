//! A worker as a process of its own, which can be killed: this test binary, run again with
//! `the_worker_itself` as its only test.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use pumphouse::worker::{Settings, run};
use tokio::time::sleep;

use super::api::{Api, TOKEN, until};

/// Tells the worker that it is meant to be one.
const MARK: &str = "PUMPHOUSE_TEST_IS_WORKER";

/// A directory that goes with its test.
pub struct Directory(pub PathBuf);

impl Directory {
    pub fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("pumphouse-worker-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The files below it, sorted, as paths from it.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        for folder in std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
            for file in std::fs::read_dir(folder).unwrap() {
                found.push(file.unwrap().path().strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned());
            }
        }
        found.sort();
        found
    }

    /// All bytes of a topic's segments, in their order.
    pub fn topic(&self, topic: &str) -> Vec<u8> {
        let inside = format!("{topic}/");
        let files = self.files().into_iter().filter(|file| file.starts_with(&inside) && file.ends_with(".csv"));
        files.flat_map(|file| std::fs::read(self.0.join(file)).unwrap()).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What is left in a directory for temporary files harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running worker.
pub struct Worker {
    child: Child,
    log: PathBuf,
}

impl Worker {
    /// Launches one for this API.
    pub fn launch(api: &Api, directory: &Directory, more: &[(&str, &str)]) -> Self {
        Self::launch_at((&api.url, TOKEN), directory, more)
    }

    /// Launches one for the API at this address, with this token.
    pub fn launch_at((url, token): (&str, &str), directory: &Directory, more: &[(&str, &str)]) -> Self {
        let log = directory.0.join("worker.log");
        let stderr = File::options().create(true).append(true).open(&log).unwrap();
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "worker::process::the_worker_itself", "--ignored", "--nocapture", "--test-threads=1"])
            .env_clear()
            .envs([(MARK, "yes"), ("PUMPHOUSE_URL", url), ("PUMPHOUSE_WORKER_TOKEN", token), ("PUMPHOUSE_HEARTBEAT_SECONDS", "1")])
            .env("PUMPHOUSE_SEGMENTS_DIR", &directory.0)
            .envs(more.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .unwrap();
        Self { child, log }
    }

    /// Sends it a signal by name. By the shell's own `kill`: a minimal machine has no such program.
    pub fn signal(&self, name: &str) {
        assert!(Command::new("sh").args(["-c", "kill -s $0 $1", name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Waits for its end.
    pub async fn end(&mut self) -> ExitStatus {
        for _ in 0..1500 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("the worker does not end; its log:\n{}", self.log())
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// The most memory it ever had, in MiB.
    pub fn peak_mib(&self) -> u64 {
        let status = std::fs::read_to_string(Path::new("/proc").join(self.child.id().to_string()).join("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// Waits for a line of its log.
    pub async fn says(&self, words: &str) {
        until(words, || self.log().contains(words).then_some(())).await;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "is the worker of the other tests"]
fn the_worker_itself() {
    if env::var_os(MARK).is_none() {
        return;
    }
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let ended = runtime.block_on(async { run(Settings::from_env()?).await });
    if let Err(error) = &ended {
        tracing::error!(%error);
    }
    std::process::exit(i32::from(ended.is_err()));
}
