//! The private PostgreSQL: every way it starts, ends, and refuses.
//!
//! Always holds: each test has a directory of its own and leaves neither it nor a server behind.
//! A Pumphouse that is killed is played by this test binary itself, run again with
//! `a_pumphouse_to_be_killed` as its only test. Not here: `pumphouse dev`, which has more than a server.

use std::env;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use pumphouse::embedded::{Cluster, EmbeddedError, Options};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

/// Tells the killed Pumphouse its data directory.
const DATA_DIR: &str = "PUMPHOUSE_TEST_DATA_DIR";

/// An account that is not root, for tests that root runs.
const NOBODY: u32 = 65534;

/// A directory that goes with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("embedded-{}-{name}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn options(&self) -> Options {
        options(self.0.join("data"))
    }

    /// A server that says this version, and whose `initdb` fails with these words.
    fn pretend_server(&self, version: &str, words: &str) -> PathBuf {
        let bin = self.0.join(version);
        fs::create_dir(&bin).unwrap();
        for (name, script) in [
            ("postgres", format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")),
            ("initdb", format!("#!/bin/sh\necho '{words}'\nexit 1\n")),
        ] {
            let path = bin.join(name);
            // Written by a child: a file this process had open for writing could not be run while another
            // test starts a child ("text file busy").
            let written = Command::new("sh").args(["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""]).arg(&path).arg(script).status();
            assert!(written.unwrap().success());
        }
        bin
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn options(data_dir: PathBuf) -> Options {
    Options { data_dir, durable: false, tcp_port: None }
}

async fn ask(cluster: &Cluster, database: &str, question: &'static str) -> String {
    let mut connection = PgConnectOptions::from_str(&cluster.url(database)).unwrap().connect().await.unwrap();
    let answer = sqlx::query_scalar(question).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    answer
}

async fn refusal(options: Options, places: &[PathBuf]) -> EmbeddedError {
    Cluster::start_from(options, places).await.expect_err("no cluster")
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

fn lives(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < until, "still waiting until {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Runs a cluster in a process of its own, as `uid` if given; returns it and the server's pid.
fn run_elsewhere(data_dir: &Path, uid: Option<u32>) -> (Child, u32) {
    let test = format!("{}::a_pumphouse_to_be_killed", module_path!().split_once("::").unwrap().1);
    let mut command = match uid {
        None => Command::new("/proc/self/fd/0"),
        Some(uid) => {
            let mut setpriv = Command::new("setpriv");
            setpriv.args([format!("--reuid={uid}"), format!("--regid={uid}"), "--clear-groups".into(), "/proc/self/fd/0".into()]);
            setpriv
        }
    };
    // As an open file, since the other user may not reach the path of this binary.
    command.stdin(File::open(env::current_exe().unwrap()).unwrap()).stdout(Stdio::null());
    command.args([&test, "--exact", "--ignored"]).env(DATA_DIR, data_dir).env("HOME", "/").current_dir("/");
    let child = command.spawn().unwrap();
    let ready = data_dir.join("ready");
    wait_until("the other Pumphouse is ready", || ready.exists());
    let pid = fs::read_to_string(&ready).unwrap().parse().unwrap();
    fs::remove_file(&ready).unwrap();
    (child, pid)
}

#[tokio::test]
#[ignore = "a process for the tests below, which kill it"]
async fn a_pumphouse_to_be_killed() {
    let Some(data_dir) = env::var_os(DATA_DIR).map(PathBuf::from) else { return };
    let cluster = Cluster::start(options(data_dir.clone())).await.unwrap();
    cluster.ensure_database("kept").await.unwrap();
    fs::write(data_dir.join("ready.new"), cluster.pid().to_string()).unwrap();
    fs::rename(data_dir.join("ready.new"), data_dir.join("ready")).unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_cluster_starts_restarts_and_keeps_its_databases() {
    let scratch = Scratch::new("starts");
    let cluster = Cluster::start(scratch.options()).await.unwrap();
    assert!(cluster.version() >= 14);
    let name = "of a \"team\", café/1";
    cluster.ensure_database(name).await.unwrap();
    cluster.ensure_database(name).await.unwrap();
    assert_eq!(ask(&cluster, name, "select current_database()::text").await, name);
    assert_eq!(ask(&cluster, name, "select current_user || ' ' || current_setting('timezone')").await, "pumphouse UTC");

    let before = cluster.pid();
    cluster.restart().await.unwrap();
    assert_ne!(cluster.pid(), before);
    assert!(!lives(before));
    assert_eq!(ask(&cluster, name, "select current_database()::text").await, name);

    let pid = cluster.pid();
    cluster.stop().await.unwrap();
    assert!(!lives(pid));
    let again = Cluster::start(Options { durable: true, ..scratch.options() }).await.unwrap();
    assert_eq!(ask(&again, name, "select current_setting('fsync')").await, "on");
    again.stop().await.unwrap();
}

#[tokio::test]
async fn two_databases_of_one_name_made_at_once_are_one() {
    let scratch = Scratch::new("databases");
    let cluster = Cluster::start(scratch.options()).await.unwrap();
    let (one, other) = tokio::join!(cluster.ensure_database("same"), cluster.ensure_database("same"));
    one.and(other).unwrap();
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_dropped_cluster_ends_and_a_restart_mends_a_killed_server() {
    let scratch = Scratch::new("dropped");
    let cluster = Cluster::start(scratch.options()).await.unwrap();
    assert!(Command::new("sh").args(["-c", "kill -9 $0", &cluster.pid().to_string()]).status().unwrap().success());
    cluster.restart().await.unwrap();
    assert_eq!(ask(&cluster, "postgres", "select 'well'").await, "well");
    let pid = cluster.pid();
    drop(cluster);
    assert!(!lives(pid));
    Cluster::start(scratch.options()).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn a_killed_pumphouse_leaves_no_server_and_the_next_start_works() {
    let scratch = Scratch::new("killed");
    let (mut parent, server) = run_elsewhere(&scratch.options().data_dir, None);
    assert!(lives(server));
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until("the server has ended", || !lives(server));

    let (mut parent, server) = run_elsewhere(&scratch.options().data_dir, None);
    parent.kill().unwrap();
    parent.wait().unwrap();
    let cluster = Cluster::start(scratch.options()).await.unwrap();
    assert!(!lives(server));
    assert_eq!(ask(&cluster, "kept", "select current_database()::text").await, "kept");
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn an_ordinary_user_runs_it_and_root_takes_it_over() {
    if !is_root() {
        return; // Every other test is this one then.
    }
    let scratch = Scratch::new("ordinary");
    let data_dir = scratch.options().data_dir;
    fs::create_dir(&data_dir).unwrap();
    chown(&data_dir, Some(NOBODY), Some(NOBODY)).unwrap();
    let (mut parent, server) = run_elsewhere(&data_dir, Some(NOBODY));
    assert_eq!(fs::metadata(format!("/proc/{server}")).unwrap().uid(), NOBODY);
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until("the server has ended", || !lives(server));

    let cluster = Cluster::start(scratch.options()).await.unwrap();
    assert_eq!(fs::metadata(format!("/proc/{}", cluster.pid())).unwrap().uid(), NOBODY);
    assert_eq!(ask(&cluster, "kept", "select current_database()::text").await, "kept");
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_long_path_below_a_closed_directory_is_as_good_as_any() {
    let scratch = Scratch::new("closed");
    fs::set_permissions(&scratch.0, Permissions::from_mode(0o700)).unwrap();
    let cluster = Cluster::start(options(scratch.0.join("long".repeat(50)).join("data"))).await.unwrap();
    assert_ne!(fs::metadata(format!("/proc/{}", cluster.pid())).unwrap().uid(), 0);
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn of_two_starts_at_once_one_is_told_who_the_other_is() {
    let scratch = Scratch::new("two");
    let (one, other) = tokio::join!(Cluster::start(scratch.options()), Cluster::start(scratch.options()));
    let (cluster, refused) = if one.is_ok() { (one, other) } else { (other, one) };
    let refused = refused.expect_err("one of them");
    assert!(matches!(refused, EmbeddedError::InUse { .. }));
    assert!(refused.to_string().contains(&format!("in use by process {}", std::process::id())), "{refused}");
    cluster.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn an_interrupted_start_does_not_spoil_the_next() {
    let scratch = Scratch::new("interrupted");
    for milliseconds in [50, 200, 350] {
        let start = Cluster::start(scratch.options());
        timeout(Duration::from_millis(milliseconds), start).await.ok();
    }
    let unfinished = scratch.options().data_dir.join("postgres.unfinished");
    fs::create_dir_all(unfinished.join("base")).unwrap();
    fs::write(unfinished.join("PG_VERSION"), "15").unwrap();
    let cluster = Cluster::start(scratch.options()).await.unwrap();
    assert!(cluster.version() >= 14);
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_pid_file_that_names_another_process_is_no_obstacle() {
    let scratch = Scratch::new("stale");
    Cluster::start(scratch.options()).await.unwrap().stop().await.unwrap();
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    let cluster = scratch.options().data_dir.join("postgres");
    fs::write(cluster.join("postmaster.pid"), format!("{}\n{}\n", sleeper.id(), cluster.display())).unwrap();
    Cluster::start(scratch.options()).await.unwrap().stop().await.unwrap();
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
}

#[tokio::test]
async fn a_process_that_serves_the_cluster_already_is_named() {
    let scratch = Scratch::new("served");
    Cluster::start(scratch.options()).await.unwrap().stop().await.unwrap();
    let cluster = scratch.options().data_dir.canonicalize().unwrap().join("postgres");
    let mut server = Command::new("sleep").arg("60").current_dir(&cluster).spawn().unwrap();
    fs::write(cluster.join("postmaster.pid"), format!("{}\n", server.id())).unwrap();
    let refused = Cluster::start(scratch.options()).await.expect_err("in use");
    assert!(refused.to_string().contains(&format!("postgres is in use by process {}", server.id())), "{refused}");
    server.kill().unwrap();
    server.wait().unwrap();
}

#[tokio::test]
async fn no_server_says_how_to_get_one() {
    let scratch = Scratch::new("none");
    let refused = refusal(scratch.options(), std::slice::from_ref(&scratch.0)).await;
    assert!(matches!(refused, EmbeddedError::NoServer));
    assert!(refused.to_string().contains("apt install postgresql"));
    assert!(!refused.to_string().contains('\n'));
}

#[tokio::test]
async fn a_server_too_old_is_refused_and_the_newest_wins() {
    let scratch = Scratch::new("old");
    let old = [scratch.pretend_server("9.6.24", ""), scratch.pretend_server("13.9 (Debian)", "")];
    let refused = refusal(scratch.options(), &old).await;
    assert!(matches!(refused, EmbeddedError::TooOld { found: 13, .. }), "{refused}");

    let mixed = [scratch.pretend_server("14.20", "from 14"), scratch.pretend_server("100beta1", "from 100"), old[1].clone()];
    let refused = refusal(scratch.options(), &mixed).await;
    assert!(matches!(&refused, EmbeddedError::Refused { program: "initdb", lines, .. } if lines == "from 100"), "{refused}");
}

#[tokio::test]
async fn a_cluster_of_another_major_version_is_refused_with_both_named() {
    let scratch = Scratch::new("version");
    let servers = [scratch.pretend_server("15.1", ""), scratch.pretend_server("16.2", "")];
    let cluster = scratch.options().data_dir.join("postgres");
    fs::create_dir_all(&cluster).unwrap();
    fs::write(cluster.join("PG_VERSION"), "14\n").unwrap();
    let refused = refusal(scratch.options(), &servers).await;
    assert!(matches!(refused, EmbeddedError::OtherVersion { made_by: 14, .. }));
    assert!(refused.to_string().contains("made by PostgreSQL 14, and installed here is 16, 15;"), "{refused}");
}

#[tokio::test]
async fn a_server_that_refuses_is_quoted() {
    let scratch = Scratch::new("refuses");
    Cluster::start(scratch.options()).await.unwrap().stop().await.unwrap();
    fs::remove_file(scratch.options().data_dir.join("postgres/global/pg_control")).unwrap();
    let refused = Cluster::start(scratch.options()).await.expect_err("broken");
    assert!(matches!(refused, EmbeddedError::Refused { program: "postgres", .. }));
    assert!(refused.to_string().contains("pg_control"), "{refused}");
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_used_is_refused() {
    let scratch = Scratch::new("unusable");
    fs::write(scratch.0.join("file"), "").unwrap();
    let refused = Cluster::start(options(scratch.0.join("file/data"))).await.expect_err("below a file");
    assert!(matches!(refused, EmbeddedError::Unusable { .. }), "{refused}");
    if !is_root() {
        fs::set_permissions(&scratch.0, Permissions::from_mode(0o500)).unwrap();
        let refused = Cluster::start(scratch.options()).await.expect_err("not writable");
        fs::set_permissions(&scratch.0, Permissions::from_mode(0o700)).unwrap();
        assert!(matches!(refused, EmbeddedError::Unusable { .. }), "{refused}");
    }
}
