//! What a fleet is asked for, judged before anything is done.
//!
//! Always holds: every mistake is told at once; the password comes from a file or a variable, never from an argument, which
//! every user of the machine could read.

use std::path::PathBuf;
use std::time::Duration;

use url::Url;
use zeroize::Zeroizing;

use super::error::FleetError;
use crate::core::secret::Secret;
use crate::worker::settings::{base_url, variable};

const PASSWORD: &str = "PUMPHOUSE_ADMIN_PASSWORD";
const MOST_WORKERS: usize = 10_000;

/// What was asked for, as it was written.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Where the API is; several addresses of one installation.
    pub urls: Vec<String>,
    /// Who signs in.
    pub email: String,
    /// A file whose first line is the password; `PUMPHOUSE_ADMIN_PASSWORD` otherwise.
    pub password_file: Option<PathBuf>,
    /// How many workers.
    pub workers: usize,
    /// Whether there is trouble.
    pub chaos: bool,
    /// How long the workers live.
    pub duration: Duration,
    /// The time between two reports of a worker.
    pub pace: Duration,
    /// The most requests under way at a time.
    pub connections: usize,
    /// Where chance begins; chance itself chooses when it is left out.
    pub seed: Option<u64>,
}

/// What a fleet goes by.
pub struct Settings {
    pub(super) urls: Vec<Url>,
    pub(super) email: String,
    pub(super) password: Secret<String>,
    pub(super) workers: usize,
    pub(super) chaos: bool,
    /// How long the workers live.
    pub duration: Duration,
    pub(super) pace: Duration,
    pub(super) connections: usize,
    /// Where chance begins.
    pub seed: u64,
    pub(super) name: String,
}

impl Wishes {
    /// Judges them and reads the password.
    ///
    /// # Errors
    /// When they cannot be followed; every mistake is named.
    pub fn settle(self) -> Result<Settings, FleetError> {
        let mut mistakes = Vec::new();
        let urls: Vec<Url> = self.urls.iter().filter_map(|text| base_url(text)).collect();
        if urls.is_empty() || urls.len() != self.urls.len() {
            mistakes.push("--url is an http or https address without a user".to_owned());
        }
        if self.workers == 0 || self.workers > MOST_WORKERS {
            mistakes.push(format!("--workers is from 1 to {MOST_WORKERS}"));
        }
        if self.connections == 0 || self.connections > 1_000 {
            mistakes.push("--connections is from 1 to 1,000".to_owned());
        }
        if self.duration.is_zero() || self.duration > Duration::from_hours(7 * 24) {
            mistakes.push("--duration is from 1 s to 7 days".to_owned());
        }
        if self.pace < Duration::from_millis(10) || self.pace > Duration::from_mins(1) {
            mistakes.push("--pace is from 10 ms to 1 minute".to_owned());
        }
        let password = password(self.password_file.as_ref()).map_err(|mistake| mistakes.push(mistake)).ok();
        let mut chance = [0_u8; 16];
        getrandom::fill(&mut chance).map_err(|error| FleetError::Settings(format!("this machine has no randomness: {error}")))?;
        let chance = u128::from_le_bytes(chance);
        match password {
            Some(password) if mistakes.is_empty() => Ok(Settings {
                urls,
                email: self.email,
                password,
                workers: self.workers,
                chaos: self.chaos,
                duration: self.duration,
                pace: self.pace,
                connections: self.connections,
                seed: self.seed.unwrap_or_else(|| u64::try_from(chance & u128::from(u64::MAX)).unwrap_or_default()),
                name: format!("fleet-{:08x}", chance >> 96),
            }),
            _ => Err(FleetError::Settings(mistakes.join("; "))),
        }
    }
}

fn password(file: Option<&PathBuf>) -> Result<Secret<String>, String> {
    let text = Zeroizing::new(match file {
        Some(file) => {
            std::fs::read_to_string(file).map_err(|error| format!("--password-file {} cannot be read: {error}", file.display()))?
        }
        None => variable(PASSWORD).unwrap_or_default(),
    });
    match text.lines().next().map(str::to_owned).filter(|line| !line.is_empty()) {
        Some(password) => Ok(Secret::new(password)),
        None => Err(format!("there is no password: set {PASSWORD}, or name a file that holds it with --password-file")),
    }
}
