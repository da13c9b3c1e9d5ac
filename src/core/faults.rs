//! What is wrong with an input, all of it at once; and the one rule for names (that for emails is `email.rs`).
//!
//! Always holds: text of people is trimmed and normalised (NFC) before it is measured in characters and
//! stored, on create and update alike, so that what looks the same is the same. Not here: rules that need
//! the database.

use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::core::email::{self, email};
use crate::core::error::{Error, Result};

/// The violations found so far.
#[derive(Debug, Default)]
pub struct Faults(Vec<(String, String)>);

impl Faults {
    /// Notes a violation of the field at this path.
    pub fn add(&mut self, field: impl Into<String>, rule: impl Into<String>) {
        self.0.push((field.into(), rule.into()));
    }

    /// A name: one line of 1 to `most` characters.
    pub fn name(&mut self, field: &str, text: &str, most: usize) -> String {
        let name = normal(text);
        if name.is_empty() || name.chars().count() > most || name.chars().any(|c| c.is_control() || turns_text(c)) {
            self.add(field, format!("It has 1 to {most} characters, none of them a control character."));
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
        email(text).unwrap_or_else(|| {
            self.add(field, format!("This is not an email address of at most {} characters.", email::LENGTH));
            String::new()
        })
    }

    /// All of them: pairs of a path and a rule.
    #[must_use]
    pub fn into_list(self) -> Vec<(String, String)> {
        self.0
    }

    /// Goes on when there are none.
    ///
    /// # Errors
    /// `VALIDATION` with the first as message and field, and all of them in `details.violations`.
    pub fn none(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.refusal()) }
    }

    /// The refusal that they make.
    #[must_use]
    pub fn refusal(self) -> Error {
        let all: Vec<_> = self.0.iter().map(|(field, rule)| json!({"field": field, "message": rule})).collect();
        let (field, rule) = self.0.into_iter().next().unwrap_or_default();
        Error::validation(rule).field(field).details(json!({"violations": all}))
    }
}

/// Trimmed and normalised.
#[must_use]
pub fn normal(text: &str) -> String {
    text.trim().nfc().collect()
}

/// Controls of the direction of writing: with them a name can look like another.
fn turns_text(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
