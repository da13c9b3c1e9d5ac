//! What is wrong with the settings, in words that say what to do next.
//!
//! Always holds: all mistakes are reported at once, each with where it was made; the text of a secret is in
//! none of them. Not here: finding them (`source.rs`, `reader.rs`, `agree.rs`).

use std::fmt;
use std::path::PathBuf;

/// Where a value comes from; the later ones win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// A line of the file.
    File(PathBuf),
    /// An environment variable.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Variable(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// One thing that is wrong with the settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// A value that its rule does not take.
    #[error("{name}: {shown} ({origin}) will not do; it takes {allowed}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The value as it may be shown.
        shown: String,
        /// Where it was set.
        origin: Origin,
        /// What would do.
        allowed: String,
    },
    /// Two values that do not go together.
    #[error("{name}: {shown} ({origin}) will not do; it must be {rule}")]
    Disagreement {
        /// The setting to change.
        name: &'static str,
        /// Its value.
        shown: String,
        /// Where it was set.
        origin: Origin,
        /// What would do.
        rule: String,
    },
    /// A setting that cannot be left out here.
    #[error("{name}: is not set; set the variable {variable} (or {flag}, or `{name}` in the file) to {allowed}")]
    Missing {
        /// The setting.
        name: &'static str,
        /// Its variable.
        variable: String,
        /// Its flag.
        flag: String,
        /// What would do.
        allowed: String,
    },
    /// A key or variable that is no setting.
    #[error("{key}: no such setting ({origin}); {hint}")]
    Unknown {
        /// The word used.
        key: String,
        /// Where.
        origin: Origin,
        /// The nearest known one, or how to list them.
        hint: String,
    },
    /// A variable that is not text.
    #[error("{0}: is not UTF-8; write it again")]
    NotText(String),
    /// A file that cannot be read or understood.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        problem: String,
    },
}

/// All that is wrong, at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [mistake] => write!(f, "a setting is wrong\n  {mistake}"),
            many => {
                write!(f, "{} settings are wrong", many.len())?;
                many.iter().try_for_each(|mistake| write!(f, "\n  {mistake}"))
            }
        }
    }
}

impl std::error::Error for Mistakes {}
