//! Runs the programs of PostgreSQL so that none outlives this process.
//!
//! Always holds: a program has SIGINT as its death signal, set after the change of user (which would
//! clear it) and before PostgreSQL begins; it does not begin when its parent died before that.
//! As root it runs as somebody else and gets its directory as an open handle, so no directory above
//! needs to let that user in. Of our variables it sees `PATH` only. Not here: what the programs are told.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::EmbeddedError;
use super::find::Server;
use super::process::Process;

/// Begins a program only under the parent named in `$0`, with the directory it was given as handle 3.
const GUARD: &str = r#"test "$PPID" = "$0" && exec "$@" 3<&0 </dev/null"#;

/// The name of handle 3 for the program itself.
const HANDLE: &str = "/proc/self/fd/3";

/// The log is emptied at a start that finds it larger than this.
const LOG_BYTES: u64 = 10 * 1024 * 1024;

/// How much of the end of the log an error looks at, and how many lines of that it shows.
const TAIL_BYTES: u64 = 8 * 1024;
const TAIL_LINES: usize = 10;

/// An account of this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// As whom programs run, and where their output goes.
#[derive(Debug)]
pub(super) struct Runner {
    user: Option<User>,
    setpriv: bool,
    log: PathBuf,
}

impl Runner {
    /// Give `user` when this process is root.
    pub(super) fn new(user: Option<User>, log: PathBuf) -> Result<Self, EmbeddedError> {
        let setpriv =
            program("setpriv").args(["--pdeathsig", "INT", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        match (setpriv, user) {
            (false, Some(_)) => return Err(EmbeddedError::NoSetpriv),
            (false, None) => tracing::warn!(
                "setpriv of util-linux is missing: a Pumphouse that is killed leaves its PostgreSQL running until the next start"
            ),
            (true, _) => {}
        }
        Ok(Self { user, setpriv, log })
    }

    /// Starts the program `name` of `server` on `directory`.
    pub(super) fn run(
        &self,
        server: &Server,
        name: &'static str,
        directory: &Path,
        arguments: &[String],
    ) -> Result<Running, EmbeddedError> {
        let handle = File::open(directory).map_err(EmbeddedError::unusable(directory))?;
        let (log, errors, log_begin) = self.open_log().map_err(EmbeddedError::unusable(&self.log))?;

        let mut command = if self.setpriv { program("setpriv") } else { program("sh") };
        if self.setpriv {
            command.args(["--pdeathsig", "INT"]);
            if let Some(User { uid, gid }) = self.user {
                command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".into()]);
            }
            command.arg("sh");
        }
        command.args(["-c", GUARD]).arg(std::process::id().to_string());
        command.arg(server.program(name)).arg("-D");
        command.arg(if self.user.is_some() { Path::new(HANDLE) } else { directory }).args(arguments);
        command.stdin(handle).stdout(log).stderr(errors);

        let process = Process::spawn(command).map_err(|cause| EmbeddedError::NotRun { program: name, cause })?;
        Ok(Running { process, name, log: self.log.clone(), log_begin })
    }

    /// The log for output, the same for errors, and where this run begins in it.
    fn open_log(&self) -> io::Result<(File, File, u64)> {
        let log = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.log)?;
        if log.metadata()?.len() > LOG_BYTES {
            log.set_len(0)?;
        }
        let begin = log.metadata()?.len();
        Ok((log.try_clone()?, log, begin))
    }
}

/// A program that was started, and its part of the log.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) process: Process,
    name: &'static str,
    log: PathBuf,
    log_begin: u64,
}

impl Running {
    /// The error for an end that should not be.
    pub(super) fn refused(&self) -> EmbeddedError {
        EmbeddedError::Refused { program: self.name, log: self.log.clone(), lines: self.last_lines() }
    }

    /// The error for a server that nobody stopped.
    pub(super) fn ended(&self) -> EmbeddedError {
        EmbeddedError::Ended { log: self.log.clone(), lines: self.last_lines() }
    }

    /// The error for a server that stays mute.
    pub(super) fn not_ready(&self, seconds: u64) -> EmbeddedError {
        EmbeddedError::NotReady { seconds, log: self.log.clone(), lines: self.last_lines() }
    }

    /// The last lines that this run wrote; empty when the log cannot be read.
    fn last_lines(&self) -> String {
        let read = || -> io::Result<String> {
            let mut log = File::open(&self.log)?;
            let begin = self.log_begin.max(log.metadata()?.len().saturating_sub(TAIL_BYTES));
            log.seek(SeekFrom::Start(begin))?;
            let mut bytes = Vec::new();
            log.read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = read().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let from = lines.len().saturating_sub(TAIL_LINES);
        lines.get(from..).unwrap_or_default().join("\n")
    }
}

/// A command that inherits of our variables `PATH` only, and no directory, in a process group of its own so that
/// Ctrl-C in a terminal does not reach it.
fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    let path = env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("LC_ALL", "C").current_dir("/").process_group(0);
    command
}
