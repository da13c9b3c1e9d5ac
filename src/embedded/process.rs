//! Runs a program of PostgreSQL as a child that cannot outlive this process.
//!
//! Always holds: the child asks the kernel for SIGINT at the death of its parent, after the change of
//! user and before it becomes PostgreSQL (`setpriv`), and does not begin when the parent died before that.
//! The kernel means the parent's *thread*, so each child has a thread of its own which waits for its end.
//! Root hands the directory over as an open handle, so no directory above it must be open to the
//! server's user. A dropped process is asked to end. Not here: what the programs are told.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;
use tokio::time::timeout;

use super::error::EmbeddedError;
use super::find::Server;

/// What PostgreSQL is sent to end, and how long it has: fast shutdown, immediate shutdown, the axe.
pub(super) const STAGES: [(Signal, Duration); 3] = [
    (Signal::INT, Duration::from_secs(30)),
    (Signal::QUIT, Duration::from_secs(10)),
    (Signal::KILL, Duration::from_secs(5)),
];

/// Begins the program only under the parent named in `$0`, with the directory it was given as handle 3.
const GUARD: &str = r#"test "$PPID" = "$0" && exec "$@" 3<&0 </dev/null"#;

/// The log is emptied at a start that finds it larger than this.
const LOG_BYTES: u64 = 10 * 1024 * 1024;

/// How much of the end of the log is read for an error, and how many lines of it are shown.
const TAIL: (u64, usize) = (8 * 1024, 10);

/// An account of this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// As whom programs are run, and where their output goes.
#[derive(Debug)]
pub(super) struct Runner {
    user: Option<User>,
    setpriv: bool,
    log: PathBuf,
}

impl Runner {
    /// `user` is given when this process is root.
    pub(super) fn new(user: Option<User>, log: PathBuf) -> Result<Self, EmbeddedError> {
        let setpriv = Command::new("setpriv")
            .args(["--pdeathsig", "INT", "true"])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !setpriv && user.is_some() {
            return Err(EmbeddedError::NoSetpriv);
        }
        if !setpriv {
            tracing::warn!("setpriv of util-linux is missing: a killed Pumphouse leaves its PostgreSQL running until the next start");
        }
        Ok(Self { user, setpriv, log })
    }

    /// Starts a program of the server on `directory`.
    pub(super) fn run(
        &self,
        (server, program): (&Server, &'static str),
        directory: &Path,
        arguments: &[String],
    ) -> Result<Process, EmbeddedError> {
        let log = self.open_log().map_err(EmbeddedError::unusable(&self.log))?;
        let log_start = log.metadata().map_or(0, |log| log.len());
        let errors = log.try_clone().map_err(EmbeddedError::unusable(&self.log))?;
        let handle = File::open(directory).map_err(EmbeddedError::unusable(directory))?;

        let mut words: Vec<OsString> = Vec::new();
        if self.setpriv {
            words.extend(["setpriv", "--pdeathsig", "INT"].map(OsString::from));
        }
        let mut seen_as = directory.as_os_str().to_owned();
        if let Some(User { uid, gid }) = self.user {
            words.extend([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".into()].map(OsString::from));
            seen_as = "/proc/self/fd/3".into();
        }
        words.extend(["sh", "-c", GUARD].map(OsString::from));
        words.push(std::process::id().to_string().into());
        words.extend([server.program(program).into(), "-D".into(), seen_as]);
        words.extend(arguments.iter().map(OsString::from));

        // Through `env`, so that there is one command whatever its first word is, and no variable of
        // ours (keys, PG*) reaches the server.
        let mut command = Command::new("env");
        command.arg("-i").arg(format!("PATH={PATH}")).arg("LC_ALL=C").args(words);
        command.current_dir("/").process_group(0).stdin(handle).stdout(log).stderr(errors);
        Process::spawn(command).map_err(|cause| EmbeddedError::NotRun { program, cause })
    }
}
