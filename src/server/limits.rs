//! What a document may cost before it is executed: the cheap bounds.
//!
//! Always holds: every bound is the same on every transport. Left to a pass of our own: cost with page
//! sizes, introspection counted apart (the library counts it like all else, so the depth must let the
//! introspection of code generators pass), the number of tokens, root fields, fragments and errors, and
//! the repetition of a field under many aliases through fragments.

use async_graphql::{ObjectType, SchemaBuilder, ServerError, SubscriptionType};

/// The longest document, in bytes. It bounds tokens too: the library counts none.
const DOCUMENT: usize = 100 * 1024;
/// Fields inside each other. `getIntrospectionQuery` of graphql-js needs 15, with its nine levels of `ofType`.
const DEPTH: usize = 20;
/// Selection sets inside each other while parsing, fragments included; the library's own default.
const RECURSION: usize = 32;
/// Directives on one field (GHSA-5gc2-7c65-8fq8).
const DIRECTIVES: usize = 8;
/// Aliases in a document.
const ALIASES: usize = 250;

/// Sets the bounds that the library keeps.
#[must_use]
pub fn bound<Q, M, S>(builder: SchemaBuilder<Q, M, S>) -> SchemaBuilder<Q, M, S>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
    S: SubscriptionType + 'static,
{
    builder.limit_depth(DEPTH).limit_recursive_depth(RECURSION).limit_directives(DIRECTIVES).limit_aliases(ALIASES)
}

/// Refuses a document that is too long to be parsed.
pub(crate) fn check_length(document: &str) -> Result<(), ServerError> {
    if document.len() <= DOCUMENT {
        return Ok(());
    }
    Err(ServerError::new(format!("The document is longer than {} kB; use variables for data.", DOCUMENT / 1024), None))
}
