//! Turns what was written into values, and remembers everything that is wrong with it.
//!
//! Always holds: one mistake never hides another. Not here: the sources (`source.rs`) and the rules (`rule.rs`).

use super::list::SETTINGS;
use super::mistake::{Mistake, Origin};
use super::rule::Rule;
use super::setting::{Preset, Purpose, Setting};
use super::source::Written;

/// A setting that is not set, and without which this does not start.
pub(super) fn missing(setting: &Setting) -> Mistake {
    Mistake::Missing { name: setting.name, variable: setting.variable(), flag: setting.flag(), allowed: (setting.allowed)() }
}

/// Reads settings one by one.
pub(super) struct Reader<'a> {
    written: &'a Written,
    purpose: Purpose,
    /// Then nobody knows what is not set.
    file_unread: bool,
    pub(super) mistakes: Vec<Mistake>,
}

impl<'a> Reader<'a> {
    /// Starts with the mistakes of the sources.
    pub(super) fn new(written: &'a Written, purpose: Purpose) -> Self {
        let file_unread = written.mistakes.iter().any(|mistake| matches!(mistake, Mistake::File { .. }));
        Self { written, purpose, file_unread, mistakes: written.mistakes.clone() }
    }

    /// The value of a setting; `None` when there is a mistake, which is then noted.
    pub(super) fn take<R: Rule>(&mut self, name: &'static str, rule: &R) -> Option<R::Value> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name)?;
        let given = self.written.values.get(name);
        let default = setting.default(self.purpose);
        let Some(text) = given.map(|(text, _)| text.as_str()).or(default) else {
            if let Preset::Needed(purposes, _) = setting.preset
                && purposes.contains(&self.purpose)
                && !self.file_unread
            {
                self.mistakes.push(missing(setting));
            }
            return rule.absent();
        };
        match rule.read(text) {
            Ok(value) => Some(value),
            Err(allowed) => {
                let origin = given.map_or(Origin::Default, |(_, origin)| origin.clone());
                let shown = if R::SECRET { "the value".to_owned() } else { format!("{text:?}") };
                self.mistakes.push(Mistake::Value { name, shown, origin, allowed });
                None
            }
        }
    }

    /// Notes that a value does not go with another; `rule` ends the sentence "it must be ...".
    pub(super) fn disagree(&mut self, name: &'static str, rule: String) {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        let (text, origin) = match self.written.values.get(name) {
            Some((text, origin)) => (text.clone(), origin.clone()),
            None => (setting.and_then(|setting| setting.default(self.purpose)).unwrap_or_default().to_owned(), Origin::Default),
        };
        self.mistakes.push(Mistake::Disagreement { name, shown: format!("{text:?}"), origin, rule });
    }
}
