//! What can keep an embedded PostgreSQL from running.
//!
//! Always holds: each kind says in its text what is wrong and what to do next, so the text alone is
//! enough for a terminal. Not here: log lines; the caller decides where an error is shown.

use std::io;
use std::path::{Path, PathBuf};

/// Why the embedded PostgreSQL does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// No server was found in any of the usual places.
    #[error(
        "no PostgreSQL server is installed here; get one with `apt install postgresql`, \
         `dnf install postgresql-server` or `brew install postgresql`"
    )]
    NoServer,
    /// There are servers, all of them too old.
    #[error(
        "the newest PostgreSQL found is {found} in {}, and {needed} or newer is needed; \
         install a newer one beside it, it will be found", bin.display()
    )]
    TooOld {
        /// Major version of the newest server.
        found: u32,
        /// Where that server lies.
        bin: PathBuf,
        /// The oldest major version that would do.
        needed: u32,
    },
    /// The cluster was made by a major version that is not installed.
    #[error(
        "{} was made by PostgreSQL {made_by}, and installed here is {installed}; install PostgreSQL {made_by}, \
         or move the directory away to begin with an empty one", path.display()
    )]
    OtherVersion {
        /// The directory of the cluster.
        path: PathBuf,
        /// Major version that made it.
        made_by: u32,
        /// Major versions that are installed, newest first.
        installed: String,
    },
    /// A living process uses the data directory.
    #[error("{} is in use by {holder}; stop that, or choose another data directory", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Who uses it: `process 4711`.
        holder: String,
    },
    /// A directory or file cannot be read or written.
    #[error(
        "cannot use {}: {cause}; make it readable and writable for this user, or choose another data directory",
        path.display()
    )]
    Unusable {
        /// The directory or file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The place of the socket is taken by something that is not ours.
    #[error("{} belongs to somebody else and would hold the socket; remove it", path.display())]
    SocketTaken {
        /// The directory in question.
        path: PathBuf,
    },
    /// Root, and nobody to run the server as.
    #[error("PostgreSQL does not run as root, and /etc/passwd has neither `postgres` nor `nobody`; add one of them")]
    NoUser,
    /// Root, and no way to become somebody else.
    #[error("PostgreSQL does not run as root, and `setpriv` is missing; install util-linux, or start as an ordinary user")]
    NoSetpriv,
    /// A program of PostgreSQL could not be run at all.
    #[error("cannot run {program}: {cause}; check that it may be executed")]
    NotRun {
        /// Which one.
        program: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// A program of PostgreSQL ended where it should not.
    #[error("{program} refused to start; mend what its last lines in {} say:\n{lines}", log.display())]
    Refused {
        /// Which one: `initdb` or `postgres`.
        program: &'static str,
        /// The log, to read more of it.
        log: PathBuf,
        /// Its last lines.
        lines: String,
    },
    /// The server runs but takes no connection.
    #[error("postgres takes no connection after {seconds} s; the last lines of {}:\n{lines}", log.display())]
    NotReady {
        /// How long it had.
        seconds: u64,
        /// The log, to read more of it.
        log: PathBuf,
        /// Its last lines.
        lines: String,
    },
    /// A server that was to run on has ended.
    #[error("postgres ended before it was told to; start again. The last lines of {}:\n{lines}", log.display())]
    Ended {
        /// The log, to read more of it.
        log: PathBuf,
        /// Its last lines.
        lines: String,
    },
    /// A server outlived every request to end.
    #[error("process {pid} of the embedded PostgreSQL does not end; try `kill -9 {pid}`")]
    WillNotStop {
        /// The process.
        pid: u32,
    },
    /// The running server refused a statement.
    #[error("the embedded PostgreSQL refused: {0}")]
    Database(#[from] sqlx::Error),
}

impl EmbeddedError {
    /// For `map_err` after an operation on `path`.
    pub(super) fn unusable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::Unusable { path: path.to_owned(), cause }
    }
}
