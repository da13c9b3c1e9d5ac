//! What is wrong with an input, all of it at once; and the one rule for names (that for emails is `email.rs`).
//!
//! Always holds: text of people is trimmed and normalised (NFC) before it is measured in characters and
//! stored, on create and update alike, so that what looks the same is the same. Not here: rules that need
//! the database.

use async_graphql::MaybeUndefined;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use crate::core::email::{self, email};
use crate::core::error::{Code, Error, Result};

/// What the field of an update that null is given to may never be.
const NEVER_NULL: &str = "It is never null; leave it out to keep what it is.";

/// The most of them that a refusal tells: an input can have thousands.
const MOST: usize = 1_000;

/// The violations found so far, and the refusals of what the input names, which are told first.
#[derive(Debug, Default)]
pub struct Violations {
    violations: Vec<(String, String)>,
    refusals: Vec<Error>,
}

impl Violations {
    /// Notes a violation of the field at this path.
    pub fn add(&mut self, field: impl Into<String>, rule: impl Into<String>) {
        self.violations.push((field.into(), rule.into()));
    }

    /// Notes that what the input names is not there or not for the viewer; said again of the same field, it counts once.
    pub(crate) fn refuse(&mut self, refusal: Error) {
        if !self.refusals.last().is_some_and(|last| (last.place(), last.code()) == (refusal.place(), refusal.code())) {
            self.refusals.push(refusal);
        }
    }

    /// Takes the violations of a refusal over.
    ///
    /// # Errors
    /// Whatever it is else.
    pub(crate) fn absorb(&mut self, refusal: Error) -> Result<()> {
        if refusal.code() != Code::Validation {
            return Err(refusal);
        }
        let text = |one: &Value, name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match refusal.facts().and_then(|facts| facts.get("violations")).and_then(Value::as_array) {
            Some(all) => all.iter().for_each(|one| self.add(text(one, "field"), text(one, "message"))),
            None => self.add(refusal.place().unwrap_or_default(), refusal.message()),
        }
        Ok(())
    }

    /// Whether something that the input names is refused.
    pub(crate) fn refuses(&self) -> bool {
        !self.refusals.is_empty()
    }

    /// What an update gives for a field that always has a value; none when it leaves it out.
    pub(crate) fn kept<T>(&mut self, field: &str, given: MaybeUndefined<T>) -> Option<T> {
        match given {
            MaybeUndefined::Undefined => None,
            MaybeUndefined::Null => {
                self.add(field, NEVER_NULL);
                None
            }
            MaybeUndefined::Value(value) => Some(value),
        }
    }

    /// A name: one line of 1 to `most` characters.
    pub fn name(&mut self, field: &str, text: &str, most: usize) -> String {
        let name = normal(text);
        if name.is_empty() || name.chars().count() > most || name.chars().any(char::is_control) || hides(&name) {
            self.add(field, format!("It has 1 to {most} characters, none of them a control character or one that nobody sees."));
        }
        name
    }

    /// A line of 1 to `most` characters that is kept as it is given, such as the name of a table or a topic, where a space counts.
    pub fn line(&mut self, field: &str, text: &str, most: usize) {
        if text.trim().is_empty() || text.chars().count() > most || text.chars().any(char::is_control) {
            self.add(field, format!("It has 1 to {most} characters, not only spaces and no control characters."));
        }
    }

    /// Free text of at most `most` characters, which may have several lines.
    pub fn text(&mut self, field: &str, text: &str, most: usize) -> String {
        let text = normal(text);
        if text.chars().count() > most || text.chars().any(|c| c.is_control() && !"\n\r\t".contains(c)) {
            self.add(field, format!("It has at most {most} characters, and no control characters but line breaks and tabs."));
        }
        text
    }

    /// An email address, in lower case.
    pub fn email(&mut self, field: &str, text: &str) -> String {
        email(text).filter(|email| !hides(email)).unwrap_or_else(|| {
            self.add(field, format!("This is not an email address of at most {} characters.", email::LENGTH));
            String::new()
        })
    }

    /// Whether nothing is wrong so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty() && self.refusals.is_empty()
    }

    /// All of them: pairs of a path and a rule.
    #[must_use]
    pub fn into_list(self) -> Vec<(String, String)> {
        let refused = self.refusals.iter().map(|refusal| (refusal.place().unwrap_or_default().to_owned(), refusal.message().to_owned()));
        refused.chain(self.violations).collect()
    }

    /// Goes on when there are none.
    ///
    /// # Errors
    /// `VALIDATION` with the first as message and field, and all of them in `details.violations`, or the first thousand and in
    /// `details.more` how many more there are; the code of a refusal when there is one.
    pub fn none(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.refusal()) }
    }

    /// The refusal that they make. One that stands alone says no more than it ever does.
    #[must_use]
    pub fn refusal(self) -> Error {
        let Self { violations, refusals } = self;
        let count = violations.len() + refusals.len();
        let refused =
            refusals.iter().map(|error| json!({"field": error.place(), "message": error.message(), "code": error.code().as_str()}));
        let broken = violations.iter().map(|(field, rule)| json!({"field": field, "message": rule}));
        let told: Vec<_> = refused.chain(broken).take(MOST).collect();
        let more = count - told.len();
        let all = if more > 0 { json!({"violations": told, "more": more}) } else { json!({"violations": told}) };
        match refusals.into_iter().next() {
            Some(refusal) if count == 1 => refusal,
            Some(refusal) => refusal.details(all),
            None => {
                let (field, rule) = violations.into_iter().next().unwrap_or_default();
                Error::validation(rule).field(field).details(all)
            }
        }
    }
}

/// Trimmed and normalised.
#[must_use]
pub fn normal(text: &str) -> String {
    text.trim().nfc().collect()
}

/// Whether a text has characters that nobody sees, with which it can look like another: those that Unicode shows as nothing, and
/// controls of the direction of writing. What joins letters or picks the form of the one before counts as seen after one beyond
/// ASCII, where scripts and emoji need it, and in the emoji of keys.
fn hides(text: &str) -> bool {
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let alone = before.is_none_or(|before: char| before.is_ascii());
        if is_unseen(letter) || (alone && shapes(letter) && letters.peek() != Some(&'\u{20e3}')) {
            return true;
        }
        before = Some(letter);
    }
    false
}

const fn shapes(letter: char) -> bool {
    matches!(letter,
        '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// What Unicode calls default-ignorable, but for what shapes.
const fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e001f}' | '\u{e0080}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m14_what_nobody_sees_makes_no_other_name() {
        for seen in [
            "orders",
            "M\u{fc}ller",
            "\u{645}\u{6cc}\u{200c}\u{62e}",
            "\u{2764}\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "\u{1f469}\u{200d}\u{1f4bb}",
        ] {
            assert!(!hides(seen), "{seen:?}");
        }
        for hidden in ["Or\u{200b}ders", "\u{2060}", "co\u{ad}re", "a\u{200d}b", "\u{feff}a", "a\u{202e}b", "\u{3164}"] {
            assert!(hides(hidden), "{hidden:?}");
        }
    }
}
