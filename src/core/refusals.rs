//! Errors that several places answer with, each in its words once.
//!
//! Not here: what an error is (`error.rs`), and refusals that one place gives.

use std::borrow::Cow;

use crate::core::error::{Code, Error};

/// What PostgreSQL's text does not know.
pub const NO_NUL: &str = "Text may not contain the character NUL.";
/// What is said of an id that is none, as a part of a sentence.
pub(crate) const NO_ID: &str = "an id is a UUID such as 6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11";
/// Another user has this address.
pub(crate) const EMAIL_TAKEN: &str = "A user with this email exists already.";
/// A token has as many streams open as it may.
pub(crate) const CROWDED: &str = "This token has too many sockets and streams already; close some first.";
/// The end of a session, where nothing says why it came.
pub(crate) const SESSION_ENDED: &str = "The session has ended; sign in again.";

/// A part of a sentence as one of its own: it begins with a capital and ends with a full stop.
pub(crate) fn in_full(part: &str) -> String {
    let mut letters = part.chars();
    let begun = letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
    if begun.ends_with(['.', '?', '!']) { begun } else { begun + "." }
}

/// The name of a type as people say it: `PipelineSubscription` is a pipeline subscription.
pub(crate) fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 2);
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// What always holds did not.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Invariant(Cow<'static, str>);

impl Error {
    /// A fault of ours that nobody else's error is the cause of: something that always holds did not. Only the log is told what.
    #[must_use]
    pub fn invariant(what: impl Into<Cow<'static, str>>) -> Self {
        Self::internal(Invariant(what.into()))
    }

    /// Nobody is signed in.
    #[must_use]
    pub(crate) fn not_signed_in() -> Self {
        Self::unauthenticated("Sign in first: send a token as `Authorization: Bearer ...`.")
    }

    /// A token came, and does not count.
    #[must_use]
    pub(crate) fn token_refused() -> Self {
        Self::unauthenticated("The token is not valid, or no longer: sign in again, and send it as `Authorization: Bearer ...`.")
    }

    /// The object of this type does not exist for this viewer, whether it is not there or not theirs.
    #[must_use]
    pub fn no_such(name: &str) -> Self {
        Self::new(Code::NotFound, format!("No such {}.", in_words(name)))
    }

    /// Only superusers may.
    #[must_use]
    pub(crate) fn only_superusers() -> Self {
        Self::forbidden("Only a superuser may do this.")
    }

    /// A user is needed, and a worker's token came.
    #[must_use]
    pub(crate) fn no_user() -> Self {
        Self::forbidden("A worker's token speaks for no user.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_in_words_and_parts_become_sentences() {
        for (name, words) in [("Env", "env"), ("PipelineSubscription", "pipeline subscription"), ("schema version", "schema version")] {
            assert_eq!(Error::no_such(name).message(), format!("No such {words}."));
        }
        assert_eq!(in_full("it is `null`"), "It is `null`.");
        assert_eq!(in_full("Did you mean \"id\"?"), "Did you mean \"id\"?");
    }
}
