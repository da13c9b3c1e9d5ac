//! Finds the installed servers and chooses one.
//!
//! Always holds: a server counts when `postgres` and `initdb` lie side by side and `postgres` tells its
//! version. The newest wins; a cluster that exists gets the newest of the major version that made it.
//! Not here: installing one.

use std::cmp::Reverse;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::EmbeddedError;

/// The oldest major version that runs Pumphouse.
const OLDEST: u32 = 14;

/// Where packages put servers: below the first, a name with this prefix, and the last in it.
const USUAL: &[(&str, &str, &str)] = &[
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr/lib", "postgresql", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/usr", "pgsql", "bin"),
    ("/usr/local", "pgsql", "bin"),
    ("/usr/local/opt", "postgresql", "bin"),
    ("/opt/homebrew/opt", "postgresql", "bin"),
    ("/Applications/Postgres.app/Contents/Versions", "", "bin"),
];

/// An installed server.
#[derive(Clone, Debug)]
pub(super) struct Server {
    bin: PathBuf,
    version: (u32, u32),
}

impl Server {
    /// The major version.
    pub(super) const fn major(&self) -> u32 {
        self.version.0
    }

    /// One of its programs.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// The server in this directory, if there is one that runs.
    fn at(bin: &Path) -> Option<Self> {
        if !bin.join("initdb").is_file() {
            return None;
        }
        let said = Command::new(bin.join("postgres")).arg("--version").output().ok()?;
        let version = version(&String::from_utf8_lossy(&said.stdout))?;
        Some(Self { bin: bin.to_owned(), version })
    }
}

/// Every directory that may hold a server: `PATH`, what `pg_config` says, the packages' directories.
pub(super) fn usual_places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    if let Ok(said) = Command::new("pg_config").arg("--bindir").output() {
        places.push(PathBuf::from(String::from_utf8_lossy(&said.stdout).trim()));
    }
    for (parent, prefix, rest) in USUAL {
        let Ok(entries) = fs::read_dir(parent) else { continue };
        let named = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
        places.extend(named.map(|entry| entry.path().join(rest)));
    }
    // Programs run from another directory than ours; and root runs nothing from wherever it happens to stand.
    places.retain(|place| place.is_absolute());
    places
}

/// The server for a new cluster, or for the one at `path` which the major version `made_by` made.
pub(super) fn choose(places: &[PathBuf], path: &Path, made_by: Option<u32>) -> Result<Server, EmbeddedError> {
    let mut servers: Vec<Server> = places.iter().filter_map(|bin| Server::at(bin)).collect();
    servers.sort_by_key(|server| Reverse(server.version));
    let newest = servers.first().ok_or(EmbeddedError::NoServer)?;
    if newest.major() < OLDEST {
        return Err(EmbeddedError::TooOld { found: newest.major(), bin: newest.bin.clone(), needed: OLDEST });
    }
    servers.retain(|server| server.major() >= OLDEST);
    let Some(made_by) = made_by else {
        return servers.into_iter().next().ok_or(EmbeddedError::NoServer);
    };
    let mut installed: Vec<String> = servers.iter().map(|server| server.major().to_string()).collect();
    installed.dedup();
    servers.into_iter().find(|server| server.major() == made_by).ok_or_else(|| EmbeddedError::OtherVersion {
        path: path.to_owned(),
        made_by,
        installed: installed.join(", "),
    })
}

/// Reads `postgres (PostgreSQL) 15.14 (Debian ...)`; a version before its release has minor version 0.
fn version(said: &str) -> Option<(u32, u32)> {
    let number = said.strip_prefix("postgres (PostgreSQL) ")?;
    let mut parts = number.split(|c: char| !c.is_ascii_digit());
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    Some((major, minor))
}
