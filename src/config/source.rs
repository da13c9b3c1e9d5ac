//! Where settings are written: the file, the environment, the command line.
//!
//! Always holds: this is the one place that reads the environment; what is no setting is refused, with the
//! nearest name that is; an empty variable counts as not set, as `${X:-}` of compose files leaves them.
//! Not here: what the values mean (`reader.rs`).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::flags::Flags;
use super::list::SETTINGS;
use super::mistake::{Mistake, Origin};
use super::setting::{PREFIX, Setting};

/// The variable that names the file.
pub const FILE_VARIABLE: &str = "PUMPHOUSE_CONFIG";
/// The file that is read when it exists and no other is named.
pub const FILE: &str = "pumphouse.toml";

/// The variable with the token of the commands that are clients of the API.
pub const TOKEN_VARIABLE: &str = "PUMPHOUSE_TOKEN";

/// Variables that begin like ours and are no settings of the server: those of workers and of commands that are clients, and
/// those that Kubernetes sets in every pod beside a service named `pumphouse`. `*` stands for any ending. What the help of a
/// command names is here or a setting.
const OTHERS: &[&str] = &[
    FILE_VARIABLE,
    TOKEN_VARIABLE,
    "PUMPHOUSE_SECRET_*",
    "PUMPHOUSE_SECRETS_DIR",
    "PUMPHOUSE_URL",
    "PUMPHOUSE_WORKER_TOKEN",
    "PUMPHOUSE_HEARTBEAT_SECONDS",
    "PUMPHOUSE_ROWS_PER_SECOND",
    "PUMPHOUSE_PORT",
    "PUMPHOUSE_PORT_*",
    "PUMPHOUSE_SERVICE_*",
];

/// The variables whose names begin with `PUMPHOUSE_`.
#[derive(Clone, Debug, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
        let all = std::env::vars_os();
        Self::from_pairs(all.filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// What a launched worker process is given of ours: the secrets that configurations refer to.
    #[must_use]
    pub fn secrets(&self) -> Vec<(String, String)> {
        let secret = |name: &str| name.starts_with("PUMPHOUSE_SECRET_") || name == "PUMPHOUSE_SECRETS_DIR";
        self.0
            .iter()
            .filter(|(name, _)| secret(name))
            .filter_map(|(name, value)| Some((name.clone(), value.to_str()?.to_owned())))
            .collect()
    }

    /// These.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, OsString)>) -> Self {
        Self(pairs.into_iter().filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty()).collect())
    }
}

/// What was written, and where.
#[derive(Default)]
pub(super) struct Written {
    /// By setting, weakest source first.
    pub(super) values: BTreeMap<&'static str, (String, Origin)>,
    /// What is wrong with the sources themselves.
    pub(super) mistakes: Vec<Mistake>,
}

impl Written {
    /// Reads all sources; the later ones win.
    pub(super) fn gather(flags: &Flags, environment: &Environment, directory: &Path) -> Self {
        let mut written = Self::default();
        let named = flags.file.clone().or_else(|| environment.0.get(FILE_VARIABLE).map(PathBuf::from));
        match named {
            Some(path) => written.file(&directory.join(&path), path.clone(), true),
            None => written.file(&directory.join(FILE), PathBuf::from(FILE), false),
        }
        written.environment(environment);
        for (name, value) in &flags.values {
            if let Some(setting) = find(name) {
                written.values.insert(setting.name, (value.clone(), Origin::Flag(setting.flag())));
            }
        }
        written
    }

    fn file(&mut self, path: &Path, shown: PathBuf, must_exist: bool) {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => return,
            Err(error) => return self.bad_file(shown, format!("cannot be read: {error}")),
        };
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            // The error's own text shows the line, which may hold a secret.
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                return self.bad_file(shown, format!("line {line} is not TOML: {}", error.message()));
            }
        };
        for (key, value) in table {
            let Some(setting) = find(&key) else {
                let hint = hint(&key, |setting| setting.name.to_owned());
                self.mistakes.push(Mistake::Unknown { key, origin: Origin::File(shown.clone()), hint });
                continue;
            };
            let text = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(switch) => switch.to_string(),
                other => {
                    self.mistakes.push(Mistake::Value {
                        name: setting.name,
                        shown: format!("a TOML {}", other.type_str()),
                        origin: Origin::File(shown.clone()),
                        allowed: (setting.allowed)(),
                    });
                    continue;
                }
            };
            self.values.insert(setting.name, (text, Origin::File(shown.clone())));
        }
    }

    fn bad_file(&mut self, path: PathBuf, problem: String) {
        self.mistakes.push(Mistake::File { path, problem });
    }

    fn environment(&mut self, environment: &Environment) {
        for (variable, value) in &environment.0 {
            if let Some(setting) = SETTINGS.iter().find(|setting| setting.variable() == *variable) {
                match value.to_str() {
                    Some(text) => {
                        self.values.insert(setting.name, (text.to_owned(), Origin::Variable(variable.clone())));
                    }
                    None => self.mistakes.push(Mistake::NotText(variable.clone())),
                }
            } else if !OTHERS.iter().any(|other| matches(other, variable)) {
                let hint = hint(variable, Setting::variable);
                self.mistakes.push(Mistake::Unknown { key: variable.clone(), origin: Origin::Variable(variable.clone()), hint });
            }
        }
    }
}

fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// The nearest setting in this spelling, when it is near enough to be what was meant.
fn hint(word: &str, spelling: impl Fn(&Setting) -> String) -> String {
    let nearest = SETTINGS.iter().map(&spelling).map(|known| (distance(word, &known), known)).min();
    match nearest {
        Some((steps, known)) if steps <= 3 => format!("did you mean {known}?"),
        _ => "`pumphouse config` lists them all".to_owned(),
    }
}

/// How many letters must be put in, left out or exchanged to make one word the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut corner = line;
        let mut left = line + 1;
        let mut next = vec![left];
        for (above, known) in row.iter().skip(1).zip(other.chars()) {
            left = (corner + usize::from(letter != known)).min(left + 1).min(above + 1);
            corner = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_near() {
        assert_eq!(distance("pool_size", "pool_size"), 0);
        assert_eq!(distance("poolsize", "pool_size"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(hint("pol_size", |setting| setting.name.to_owned()), "did you mean pool_size?");
        assert_eq!(hint("colour_of_the_sky", |setting| setting.name.to_owned()), "`pumphouse config` lists them all");
    }
}
