//! The disk below PostgreSQL is full: codes instead of answers, and when there is room again everything as before.
//!
//! Always holds: without the right to mount a small disk the test says so and does nothing; the disk goes with its test.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout};

use super::client::Trouble;
use super::postgres::Postgres;
use super::scene::Scene;
use super::writing::{CREATE, Writing};
use crate::support::until;

/// A small disk in memory.
struct Disk(PathBuf);

impl Disk {
    fn mount(name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{name}"));
        let disk = Self(folder);
        disk.unmount();
        std::fs::create_dir_all(&disk.0).expect("a folder");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=160m,mode=755", "tmpfs"]).arg(&disk.0).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then_some(disk)
    }

    /// What a test that was killed has left, too.
    fn unmount(&self) {
        let _none = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }

    /// Leaves no room at all.
    fn fill(&self) {
        let mut file = File::create(self.0.join("ballast")).expect("a file");
        let bytes = vec![0; 64 * 1024];
        while file.write_all(&bytes).is_ok() {}
    }

    fn make_room(&self) {
        std::fs::remove_file(self.0.join("ballast")).expect("there is ballast");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.unmount();
        let _gone = std::fs::remove_dir(&self.0);
    }
}

/// Fills the disk under writers; with `log` to the end of what PostgreSQL's log has reserved, which it does not survive.
async fn disk_is_full(name: &str, log: bool) {
    let Some(disk) = Disk::mount(name) else {
        println!("skipped: no disk can be mounted here (needs root)");
        return;
    };
    let postgres = Postgres::start_in(disk.0.join("data")).await;
    let scene = Scene::open(&postgres.url, &postgres.pool, 2).await;
    let mut followers = scene.followers().await;
    let writing = Writing::begin(&scene);
    writing.goes_on(Instant::now(), 10).await;
    disk.fill();
    if log {
        // As far as it comes.
        let _refused = sqlx::query("select pg_switch_wal()").execute(&postgres.pool).await;
    }
    let (full, mut refused) = (Instant::now(), 0);
    until("something is refused", async || {
        // Larger than what is free in the pages that there are.
        let (asked, name) = (Instant::now(), "x".repeat(100));
        let answer = scene.root.attempt(None, CREATE, &json!({"name": name})).await;
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert_ne!(answer, Err(Trouble::Silence));
        refused += i32::from(answer.is_err());
        refused >= 5
    })
    .await;
    let refused_after = full.elapsed();
    disk.make_room();
    let gone = timeout(Duration::from_millis(100), postgres.cluster.ended()).await.is_ok();
    if gone {
        postgres.cluster.restart().await.expect("it starts again");
    }
    let back = Instant::now();
    let last = writing.goes_on(back, 2).await;
    let written = back.elapsed();
    for follower in &mut followers {
        follower.shows(last).await;
    }
    println!("disk full: refused after {refused_after:.2?}; room again: written after {written:.2?}, shown after {:.2?}", back.elapsed());
    println!("  PostgreSQL had {}", if gone { "ended, and was started again" } else { "not ended" });
    let crashes = [(full, back)];
    writing.end().await.check(&postgres.pool, if log || gone { &crashes } else { &[] }).await;
    for follower in &mut followers {
        follower.ends_true(&postgres.pool).await;
    }
    scene.end().await;
    postgres.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_below_postgresql_is_answered_by_codes_and_forgotten_once_there_is_room() {
    disk_is_full("disk", false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: make faults"]
async fn a_disk_too_full_for_the_log_of_postgresql_loses_nothing_that_was_answered() {
    disk_is_full("disk-of-the-log", true).await;
}
