//! The directories of one cluster, and the lock that makes them ours.
//!
//! Always holds: while a `Place` lives, no other Pumphouse has its data directory. Its name tells the
//! cluster's processes from all others. The socket lies in a short private directory below `/tmp`
//! (a socket's path has 107 bytes at most) that was made anew and belongs to the server's user.
//! Not here: what lies in the directories.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, lchown};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::process::geteuid;
use sha2::{Digest as _, Sha256};

use super::error::EmbeddedError;
use super::runner::User;

/// Accounts that root runs the server as, the first that exists.
const ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// Where a cluster lies.
#[derive(Debug)]
pub(super) struct Place {
    /// `pumphouse-` and a hash of the data directory; every process of the cluster carries it.
    pub(super) name: String,
    /// The cluster.
    pub(super) cluster: PathBuf,
    /// The cluster while it is being made.
    pub(super) unfinished: PathBuf,
    /// The directory of the socket.
    pub(super) socket: PathBuf,
    /// What PostgreSQL says.
    pub(super) log: PathBuf,
    /// As whom the server runs when we are root.
    pub(super) user: Option<User>,
    _lock: File,
}

impl Place {
    /// Makes the data directory if need be, and takes it.
    pub(super) fn take(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let mut private = DirBuilder::new();
        private.recursive(true).mode(0o700);
        private.create(data_dir).map_err(EmbeddedError::unusable(data_dir))?;
        let data_dir = data_dir.canonicalize().map_err(EmbeddedError::unusable(data_dir))?;
        let lock = lock(&data_dir)?;
        let cluster = data_dir.join("postgres");
        let user = if geteuid().is_root() { Some(server_user(&cluster)?) } else { None };
        let hash = Sha256::digest(data_dir.as_os_str().as_bytes());
        let hash = hash.iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
        let name = format!("pumphouse-{hash:016x}");
        Ok(Self {
            socket: Path::new("/tmp").join(&name),
            name,
            cluster,
            unfinished: data_dir.join("postgres.unfinished"),
            log: data_dir.join("postgres.log"),
            user,
            _lock: lock,
        })
    }

    /// The major version that made the cluster; none if there is no cluster yet.
    pub(super) fn made_by(&self) -> Result<Option<u32>, EmbeddedError> {
        let path = self.cluster.join("PG_VERSION");
        match fs::read_to_string(&path) {
            Ok(text) => {
                let version = text.trim().parse().map_err(|cause| io::Error::new(ErrorKind::InvalidData, cause));
                version.map(Some).map_err(EmbeddedError::unusable(&path))
            }
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(EmbeddedError::unusable(&path)(cause)),
        }
    }

    /// Makes an empty directory for a new cluster, in place of what an interrupted attempt left.
    pub(super) fn make_unfinished(&self) -> Result<(), EmbeddedError> {
        self.make_private(&self.unfinished).map_err(EmbeddedError::unusable(&self.unfinished))
    }

    /// Makes an empty directory for the socket, in place of what a killed server left.
    pub(super) fn make_socket(&self) -> Result<(), EmbeddedError> {
        let ours = [Some(geteuid().as_raw()), self.user.map(|user| user.uid)];
        if let Ok(there) = fs::symlink_metadata(&self.socket)
            && !(there.is_dir() && ours.contains(&Some(there.uid())))
        {
            return Err(EmbeddedError::SocketTaken { path: self.socket.clone() });
        }
        self.make_private(&self.socket).map_err(EmbeddedError::unusable(&self.socket))
    }

    /// An empty directory that only the server's user (and root) enters.
    fn make_private(&self, path: &Path) -> io::Result<()> {
        remove(path)?;
        DirBuilder::new().mode(0o700).create(path)?;
        match self.user {
            Some(User { uid, gid }) => lchown(path, Some(uid), Some(gid)),
            None => Ok(()),
        }
    }
}

impl Drop for Place {
    /// A server that has ended left an empty directory; one that has not keeps it.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.socket);
    }
}

/// Until it runs its own program, a child that another thread starts has our files open, and so still holds what we have
/// just let go.
fn try_for_a_moment(file: &File) -> Result<(), TryLockError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}

/// Takes the lock of a data directory, and writes into it who has it.
fn lock(data_dir: &Path) -> Result<File, EmbeddedError> {
    let path = data_dir.join("lock");
    let mut open = OpenOptions::new();
    open.read(true).write(true).create(true).truncate(false).mode(0o600);
    let mut file = open.open(&path).map_err(EmbeddedError::unusable(&path))?;
    match try_for_a_moment(&file) {
        Ok(()) => {}
        Err(TryLockError::Error(cause)) => return Err(EmbeddedError::unusable(&path)(cause)),
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            file.read_to_string(&mut holder).map_err(EmbeddedError::unusable(&path))?;
            if holder.is_empty() {
                holder = "another Pumphouse".into();
            }
            return Err(EmbeddedError::InUse { path: data_dir.to_owned(), holder });
        }
    }
    let text = format!("process {}", std::process::id());
    file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(EmbeddedError::unusable(&path))?;
    Ok(file)
}

/// Whom root runs the server as: the owner of the cluster that exists, else an account for it.
fn server_user(cluster: &Path) -> Result<User, EmbeddedError> {
    if let Ok(there) = fs::metadata(cluster)
        && there.uid() != 0
    {
        return Ok(User { uid: there.uid(), gid: there.gid() });
    }
    let passwd = Path::new("/etc/passwd");
    let accounts = fs::read_to_string(passwd).map_err(EmbeddedError::unusable(passwd))?;
    ACCOUNTS.iter().find_map(|name| account(&accounts, name)).ok_or(EmbeddedError::NoUser)
}

/// Reads `name:x:uid:gid:...`.
fn account(accounts: &str, name: &str) -> Option<User> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        Some(User { uid, gid })
    })
}

/// Removes a directory; repeated, since a killed `initdb` leaves a child that writes a moment longer.
fn remove(path: &Path) -> io::Result<()> {
    for _ in 0..20 {
        match fs::remove_dir_all(path) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(()),
            Err(cause) if cause.kind() == ErrorKind::DirectoryNotEmpty => thread::sleep(Duration::from_millis(100)),
            removed => return removed,
        }
    }
    fs::remove_dir_all(path)
}
