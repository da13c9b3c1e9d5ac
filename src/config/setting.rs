//! What is known about a setting beside its value: names, meaning, default, bounds.
//!
//! Always holds: every spelling of a setting comes from its name. Not here: the settings (`list.rs`).

use super::rule::Rule;

/// What begins every variable.
pub const PREFIX: &str = "PUMPHOUSE_";

/// A setting, as the help and the tables show it.
pub struct Setting {
    /// Its name, which is also its key in the file.
    pub name: &'static str,
    /// The group it belongs to.
    pub section: &'static str,
    /// What the group is about.
    pub about: &'static str,
    /// What it means, a sentence a line; the first line can stand alone.
    pub meaning: &'static str,
    /// What it is when nobody sets it.
    pub preset: Preset,
    /// What may be written.
    pub allowed: fn() -> String,
    /// The text as it may be shown.
    pub shown: fn(&str) -> String,
    /// Whether its value is a secret.
    pub secret: bool,
}

/// What a setting is when nobody sets it.
#[derive(Clone, Copy)]
pub enum Preset {
    /// This text.
    Always(&'static str),
    /// One text in `dev`, another elsewhere.
    InDev(&'static str, &'static str),
    /// Nothing; the words say what follows.
    Absent(&'static str),
    /// Nothing, and these do not start without it; the words say what the others do.
    Needed(&'static [Purpose], &'static str),
}

/// What the settings are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `pumphouse dev`.
    Dev,
    /// `pumphouse serve`.
    Serve,
    /// The commands that need the database alone: `migrate`, `users`.
    Database,
    /// Only to show them.
    Show,
}

impl Setting {
    /// `--pool-size`.
    #[must_use]
    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }

    /// `PUMPHOUSE_POOL_SIZE`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.to_uppercase())
    }

    /// The first line of the meaning.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.meaning.lines().next().unwrap_or_default().trim()
    }

    /// The whole meaning on one line.
    #[must_use]
    pub fn text(&self) -> String {
        self.meaning.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The default of this purpose.
    #[must_use]
    pub const fn default(&self, purpose: Purpose) -> Option<&'static str> {
        match self.preset {
            Preset::Always(text) => Some(text),
            Preset::InDev(dev, otherwise) => Some(if matches!(purpose, Purpose::Dev) { dev } else { otherwise }),
            Preset::Absent(_) | Preset::Needed(..) => None,
        }
    }

    /// The default in words, for the help and the reference page.
    #[must_use]
    pub fn default_in_words(&self) -> String {
        match self.preset {
            Preset::Always(text) => format!("`{text}`"),
            Preset::InDev(dev, otherwise) => format!("`{otherwise}`, in `dev` `{dev}`"),
            Preset::Absent(words) => format!("none: {words}"),
            Preset::Needed(_, words) => format!("none; `serve` needs one, {words}"),
        }
    }
}

/// For constants, where a method of the rule cannot be called.
pub(super) const fn is_secret<R: Rule>(_: &R) -> bool {
    R::SECRET
}
