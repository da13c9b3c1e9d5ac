//! Printing for people and pipes, and how a command ends.
//!
//! Always holds: a reader that goes away (`| head`) is no failure; colours only on a terminal.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::config::{Mistake, Mistakes};
use crate::core::error::{Code, Error};
use crate::telemetry;

/// How a command can end badly.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings are wrong; the exit code is 2.
    #[error(transparent)]
    Settings(#[from] Mistakes),
    /// What was asked for cannot be; the exit code is 2.
    #[error("{0}")]
    Usage(String),
    /// Something failed; the exit code is 1.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// For `map_err`.
    pub fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Error> for Failure {
    /// What breaks a rule was asked wrongly; all else failed, and its cause is in the log.
    fn from(error: Error) -> Self {
        error.log();
        let text = error.message().to_owned();
        match error.code() {
            Code::Validation | Code::Conflict | Code::Unauthenticated | Code::Forbidden | Code::NotFound | Code::IdempotencyKeyReused => {
                Self::Usage(text)
            }
            Code::Timeout | Code::Unavailable | Code::Internal | Code::LicenseInactive | Code::RateLimited => Self::failed(text),
            // Said of documents, and the shell has none.
            Code::TooComplex | Code::ParseFailed | Code::ValidationFailed | Code::PersistedQueryNotFound => Self::failed(text),
        }
    }
}

impl From<Mistake> for Failure {
    fn from(mistake: Mistake) -> Self {
        Self::Settings(Mistakes(vec![mistake]))
    }
}

/// Writes to standard output.
///
/// # Errors
/// When it cannot be written to, unless the reader went away.
pub fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_ref()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::failed(error)),
        _ => Ok(()),
    }
}

/// Tells a failure and gives the exit code.
#[must_use]
pub fn exit(done: Result<(), Failure>) -> ExitCode {
    let Err(failure) = done else { return ExitCode::SUCCESS };
    let (red, plain) = if telemetry::colours() { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr(), "{red}error:{plain} {failure}");
    match failure {
        Failure::Settings(_) | Failure::Usage(_) => ExitCode::from(2),
        Failure::Failed(_) => ExitCode::FAILURE,
    }
}
