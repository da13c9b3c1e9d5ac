//! What a request may ask for, held against it before the library sees it.
//!
//! Always holds: the bounds are the same on every transport and for everyone; they are checked in time that grows
//! with the request's length only, whereas the library's own checks write every fragment out. A refusal names its bound,
//! what was asked for and how much may be. Not here: the measuring (`cost.rs`, `tokens.rs`), whether variables fit
//! (`variables.rs`), how often one may ask (`rate.rs`), and time, which the engine bounds.

use std::collections::HashSet;

use async_graphql::parser::types::{ExecutableDocument, Field, OperationDefinition, OperationType, Selection};
use async_graphql::registry::Registry;
use async_graphql::{Name, ObjectType, OutputType as _, SchemaBuilder, SubscriptionType, ValidationMode, Variables};

use crate::core::error::Error;
use crate::graph::{Mutation, Query, Subscription};
use crate::server::cost::{Cost, Meter};
use crate::server::{tokens, variables};

/// Brackets of all kinds inside each other: the parser goes as deep as the document does, to the end of its stack.
const BRACKETS: u64 = 200;
/// Values of the schema's description, by the guess of `cost.rs`. The longest question of the usual tools counts
/// a third of it.
const DESCRIPTION: u64 = 6_000_000;

/// What a request may ask for. Each bound is a setting, by which refusals name it; what is fixed is beside (`DOCUMENT_BRACKETS` here,
/// `DOCUMENT_NESTING` in `cost.rs`, `INTROSPECTION`).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest document, in bytes.
    pub bytes: u64,
    /// Tokens of the document; with these, lists that stand in it are bounded too.
    pub tokens: u64,
    /// Fields inside each other. `getIntrospectionQuery` of graphql-js needs 15, with its nine levels of `ofType`.
    pub depth: u64,
    /// Values that the answer can have at most: every object and every plain value counts one, a list as often as its
    /// page is long.
    pub cost: u64,
    /// Fields, fragments, arguments and directives of the document, with every fragment written out.
    pub fields: u64,
    /// Fields of the operation itself.
    pub root_fields: u64,
    /// Fields under another name, with every fragment written out.
    pub aliases: u64,
    /// Directives in one place (GHSA-5gc2-7c65-8fq8).
    pub directives: u64,
    /// Uses of fragments by name, with every fragment written out.
    pub fragments: u64,
    /// Operations of one request over HTTP; with one, requests are never lists.
    pub batch: u64,
    /// The variables, in bytes.
    pub variables: u64,
    /// Items of one list of the variables.
    pub list: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 100 * 1024,
            tokens: 10_000,
            depth: 20,
            cost: 500_000,
            fields: 5_000,
            root_fields: 100,
            aliases: 250,
            directives: 8,
            fragments: 1_000,
            batch: 1,
            variables: 2 * 1024 * 1024,
            list: 20_000,
        }
    }
}

/// Leaves the bounding and the validation to us. The library's own recursion limit stays as the second line, at what the parser
/// allows.
pub(crate) fn bound<Q, M, S>(builder: SchemaBuilder<Q, M, S>) -> SchemaBuilder<Q, M, S>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
    S: SubscriptionType + 'static,
{
    builder.limit_recursive_depth(64).validation_mode(ValidationMode::Fast)
}

/// What there is to ask for.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry {
        query_type: Query::type_name().into_owned(),
        mutation_type: Some(Mutation::type_name().into_owned()),
        subscription_type: Some(<Subscription as SubscriptionType>::type_name().into_owned()),
        ..Registry::default()
    };
    Query::create_type_info(&mut registry);
    Mutation::create_type_info(&mut registry);
    <Subscription as SubscriptionType>::create_type_info(&mut registry);
    registry
}

/// A document, of which operation it is, and the values for it.
pub(crate) struct ParsedOperation<'a> {
    pub(crate) document: &'a ExecutableDocument,
    pub(crate) operation: Option<&'a OperationDefinition>,
    pub(crate) variables: &'a Variables,
    /// Whether whoever asks may know the schema.
    pub(crate) discloses: bool,
}

/// Root fields that check a password. One for an operation: else a single request could try hundreds.
const PASSWORDS: &[&str] = &["login", "changePassword"];

/// Refuses an operation that has more than one password checked, under whatever aliases and in whatever fragments.
fn check_passwords(roots: &[&Field]) -> Result<(), Error> {
    if roots.iter().filter(|field| PASSWORDS.contains(&field.name.node.as_str())).count() <= 1 {
        return Ok(());
    }
    Err(Error::validation("An operation has one password checked at most: send each login and changePassword on its own."))
}

impl<'a> ParsedOperation<'a> {
    /// The fields at the root of an operation, those in fragments too; each fragment is entered once.
    pub(crate) fn roots(&self, operation: &'a OperationDefinition) -> Vec<&'a Field> {
        let mut found = Vec::new();
        let mut entered = HashSet::new();
        let mut waiting = vec![&operation.selection_set.node];
        while let Some(selections) = waiting.pop() {
            for selection in &selections.items {
                match &selection.node {
                    Selection::Field(field) => found.push(&field.node),
                    Selection::InlineFragment(fragment) => waiting.push(&fragment.node.selection_set.node),
                    Selection::FragmentSpread(spread) => {
                        let name = &spread.node.fragment_name.node;
                        if entered.insert(name)
                            && let Some(fragment) = self.document.fragments.get(name)
                        {
                            waiting.push(&fragment.node.selection_set.node);
                        }
                    }
                }
            }
        }
        found
    }
}

impl Limits {
    /// Holds what came against the limits, before any of it is understood.
    ///
    /// # Errors
    /// The first bound that it breaks.
    pub(crate) fn check_size(&self, document: &str, given: &Variables) -> Result<(), Error> {
        let message = "The document has too many bytes; use variables for data";
        within("QUERY_BYTES", message, document.len() as u64, self.bytes)?;
        let measure = tokens::measure(document);
        within("DOCUMENT_BRACKETS", "The document nests too many brackets inside each other", measure.nesting, BRACKETS)?;
        within("QUERY_TOKENS", "The document has too many tokens; use variables for data", measure.tokens, self.tokens)?;
        let size = variables::size(given);
        within("QUERY_VARIABLES", "The variables have too many bytes", size.bytes, self.variables)?;
        within("QUERY_LIST", "A list of the variables has too many items; send it in parts", size.longest, self.list)
    }

    /// Holds a request against the limits, whether its document is valid or not.
    ///
    /// # Errors
    /// The first bound that it breaks; `FORBIDDEN` where it asks for the schema and may not, `VALIDATION` where it has several
    /// passwords checked.
    pub(crate) fn check(&self, registry: &Registry, asked: &ParsedOperation<'_>) -> Result<(), Error> {
        // Which operation is meant is the library's to refuse when it is not clear; it still validates all of them. They stand in
        // no order, and the same is to be said each time.
        let first = asked.document.operations.iter().min_by_key(|(name, _)| name.map(Name::as_str));
        let first = first.map(|(_, operation)| &operation.node);
        let Some(operation) = asked.operation.or(first) else { return Ok(()) };
        let mut meter = Meter::new(registry, asked.document, operation, asked.variables);
        let cost = self.check_cost(&mut meter, operation)?;
        if cost.introspects > 0 && !asked.discloses {
            return Err(undisclosed());
        }
        if operation.ty == OperationType::Mutation { check_passwords(&asked.roots(operation)) } else { Ok(()) }
    }

    fn check_cost<'a>(&self, meter: &mut Meter<'a>, operation: &'a OperationDefinition) -> Result<Cost, Error> {
        let message = "The document has too many fields, counting every use of a fragment";
        within("QUERY_FIELDS", message, meter.everything()?, self.fields)?;
        let cost = meter.operation(operation)?;
        within("QUERY_ROOT_FIELDS", "The operation has too many fields at its root", cost.own, self.root_fields)?;
        within("QUERY_DEPTH", "The operation nests too many fields inside each other", cost.depth, self.depth)?;
        within("QUERY_ALIASES", "The operation has too many aliases", cost.aliases, self.aliases)?;
        within("QUERY_DIRECTIVES", "There are too many directives in one place", cost.directives, self.directives)?;
        within("QUERY_FRAGMENTS", "The operation uses fragments too often", cost.spreads, self.fragments)?;
        within("INTROSPECTION", "The operation asks for the schema more than once", cost.schemas, 1)?;
        within("INTROSPECTION", "The operation asks for too much of the schema's description", cost.schema, DESCRIPTION)?;
        let message = "The answer could have too many values; ask for shorter pages (`first`), or nest fewer of them";
        within("QUERY_COST", message, cost.values, self.cost)?;
        Ok(cost)
    }
}

/// Whoever asks may not know the schema.
fn undisclosed() -> Error {
    let details = serde_json::json!({"guard": "INTROSPECTION"});
    Error::forbidden("This server does not tell its schema to you; ask its operator for it.").details(details)
}

/// Refuses more operations in one request than it may have.
pub(crate) fn check_batch(operations: usize, limit: u64) -> Result<(), Error> {
    within("QUERY_BATCH", "The request has too many operations", operations as u64, limit)
}

fn within(guard: &'static str, message: &'static str, cost: u64, limit: u64) -> Result<(), Error> {
    if cost <= limit {
        return Ok(());
    }
    Err(Error::too_complex(guard, format!("{message}: {cost}, where {limit} are the most."), cost, limit))
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    #[test]
    fn the_same_is_said_each_time_where_it_is_not_clear_which_operation_is_meant() {
        let registry = registry();
        let text = "query B { serverInfo { version } } query A { __schema { queryType { name } } } query C { nothing { id } }";
        for _ in 0..20 {
            let document = parse_query(text).unwrap();
            let asked = ParsedOperation { document: &document, operation: None, variables: &Variables::default(), discloses: false };
            let refused = Limits::default().check(&registry, &asked).unwrap_err();
            assert_eq!(format!("{refused:?}"), format!("{:?}", undisclosed()));
        }
    }
}
