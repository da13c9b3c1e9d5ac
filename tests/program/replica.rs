//! A replica as a process: where it serves, whether it leads, and its death by force.
//!
//! Always holds: it ends with its test. Not here: replicas inside the test's own process (`support::Server`).

use std::time::{Duration, Instant};

use super::running::{Ended, Program};
use super::serve;

/// A replica that comes back where it was.
pub struct Replica {
    pub program: Program,
    pub base: String,
}

impl Replica {
    /// Starts one on the database of this URL, at this address, with further arguments.
    pub async fn start(url: &str, listen: &str, more: &[&str]) -> Self {
        Self::of(serve::start(url, &[&["--listen", listen], more].concat())).await
    }

    /// The replica that this program is.
    pub async fn of(mut program: Program) -> Self {
        let base = serve::started(&mut program).await;
        Self { program, base }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }

    pub async fn leads(&self) -> bool {
        self.metric("pumphouse_leader").await == 1.0
    }

    /// What its `/metrics` say of a metric without labels; 0 when they say nothing.
    pub async fn metric(&self, name: &str) -> f64 {
        let told = reqwest::get(format!("{}/metrics", self.base)).await.unwrap().text().await.unwrap();
        told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()).unwrap_or_default()
    }

    /// Ends it by force.
    pub async fn die(self) {
        self.program.signal("KILL");
        let Ended { code, err, .. } = self.program.end().await;
        assert_eq!(code, None, "{err}");
        assert!(!err.contains("panic"), "{err}");
    }

    /// Ends it by force, and starts another in its place.
    pub async fn perish(self, url: &str) -> Self {
        let listen = self.address().to_owned();
        self.die().await;
        Self::start(url, &listen, &[]).await
    }

    /// Asks it to end, which it does in time, whatever has happened before, and without a panic.
    pub async fn stop(self) {
        let told = Instant::now();
        self.program.signal("TERM");
        let Ended { code, err, .. } = self.program.end().await;
        assert_eq!(code, Some(0), "{err}");
        // Ten, and what a busy machine adds.
        assert!(told.elapsed() < Duration::from_secs(13), "{:?}", told.elapsed());
        assert!(!err.contains("panic") && !err.contains("ERROR"), "{err}");
    }
}
