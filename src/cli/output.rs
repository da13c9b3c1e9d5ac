//! Printing for people and pipes, and how a command ends.
//!
//! Always holds: a reader that goes away (`| head`) is no failure; colours only on a terminal.

use std::io::{self, IsTerminal as _, Write as _};
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
    /// What was to be checked is not as it should be; the exit code is 3.
    #[error("{0}")]
    Differs(String),
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

/// Tells a person something beside what is printed.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "note: {}", harmless(text));
}

/// Whether standard output wants colours: a terminal, and <https://no-color.org> not asked for.
#[must_use]
pub fn colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A text from elsewhere that must not steer a terminal; line breaks and tabs are kept.
#[must_use]
pub fn harmless(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && !"\n\t".contains(letter), "\u{fffd}")
}

/// Rows under a heading: in columns for a person at a terminal, separated by tabs for a program.
#[must_use]
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let heading: Vec<String> = heading.iter().map(|&word| word.to_owned()).collect();
    lay_out(std::iter::once(&heading).chain(rows), io::stdout().is_terminal())
}

fn lay_out<'a>(lines: impl Iterator<Item = &'a Vec<String>> + Clone, in_columns: bool) -> String {
    // A name from the database must not steer a terminal.
    let plain = |cell: &String| cell.replace(char::is_control, "\u{fffd}");
    let mut widths = Vec::new();
    for line in lines.clone() {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let pad = |(cell, width): (&String, &usize)| format!("{:width$}", plain(cell));
    let line = |line: &Vec<String>| {
        if in_columns {
            return line.iter().zip(&widths).map(pad).collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n";
        }
        line.iter().map(plain).collect::<Vec<_>>().join("\t") + "\n"
    };
    lines.map(line).collect()
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
        Failure::Differs(_) => ExitCode::from(3),
        Failure::Failed(_) => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_columns_for_people_and_tabs_for_programs() {
        let lines = [["EMAIL", "STATE"], ["ada@example.com", "active"], ["j\u{f6}\u{1b}[2J", ""]];
        let lines = lines.map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(lay_out(lines.iter(), true), "EMAIL            STATE\nada@example.com  active\nj\u{f6}\u{fffd}[2J\n");
        assert_eq!(lay_out(lines.iter(), false), "EMAIL\tSTATE\nada@example.com\tactive\nj\u{f6}\u{fffd}[2J\t\n");
    }
}
