//! What a document may cost before it is executed: the cheap bounds.
//!
//! Always holds: every bound is the same on every transport. Left to a pass of our own: cost with page
//! sizes, introspection counted apart (the library counts it like all else, so the depth must let the
//! introspection of code generators pass), the number of tokens, root fields, fragments and errors, and
//! the repetition of a field under many aliases through fragments.

use std::collections::HashSet;

use async_graphql::parser::types::{OperationType, Selection};
use async_graphql::{ObjectType, Request, SchemaBuilder, ServerError, SubscriptionType};

use crate::core::error::Error;

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

/// Root fields that check a password. One for an operation: else a single request could try hundreds.
const PASSWORDS: &[&str] = &["login", "changePassword"];

/// Refuses an operation that has more than one password checked, under whatever aliases and in whatever fragments.
pub(crate) fn check_passwords(request: &mut Request) -> Result<(), ServerError> {
    let name = request.operation_name.clone();
    let document = request.parsed_query()?;
    let mut operations = document.operations.iter();
    let operation = operations.find(|(known, _)| name.is_none() || known.map(async_graphql::Name::as_str) == name.as_deref());
    let Some((_, operation)) = operation.filter(|(_, operation)| operation.node.ty == OperationType::Mutation) else { return Ok(()) };
    let mut count = 0;
    let mut entered = HashSet::new();
    let mut waiting = vec![&operation.node.selection_set.node];
    while let Some(selections) = waiting.pop() {
        for selection in &selections.items {
            match &selection.node {
                Selection::Field(field) => count += usize::from(PASSWORDS.contains(&field.node.name.node.as_str())),
                Selection::InlineFragment(fragment) => waiting.push(&fragment.node.selection_set.node),
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if entered.insert(name)
                        && let Some(fragment) = document.fragments.get(name)
                    {
                        waiting.push(&fragment.node.selection_set.node);
                    }
                }
            }
        }
    }
    if count <= 1 {
        return Ok(());
    }
    let message = "An operation has one password checked at most: send each login and changePassword on its own.";
    Err(async_graphql::Error::from(Error::validation(message)).into_server_error(operation.pos))
}

/// Refuses a document that is too long to be parsed.
pub(crate) fn check_length(document: &str) -> Result<(), ServerError> {
    if document.len() <= DOCUMENT {
        return Ok(());
    }
    Err(ServerError::new(format!("The document is longer than {} kB; use variables for data.", DOCUMENT / 1024), None))
}
