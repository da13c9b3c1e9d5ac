//! What the fuzz targets reach of the inside (`fuzz/`): entry points and nothing else.
//!
//! Always holds: it is part of no program that serves, only of tests and of builds with the feature `fuzzing`. Not here: what must
//! hold of the answers, which is said in `fuzz/src`.

use async_graphql::parser::parse_query;
use async_graphql::registry::Registry;
use async_graphql::{Request, Variables};
use axum::Router;
use tokio_util::sync::CancellationToken;

use crate::core::cursor;
use crate::core::entity::{Direction, Entity, Order};
use crate::core::error::Result;
use crate::core::redact_text;
use crate::core::sql::{Bind, Sql};
use crate::server::cost::Meter;
use crate::server::engine::{Engine, meant};
use crate::server::{App, keyed, limits, tokens};

/// The list that cursors are of.
const LIST: &str = "fuzz";

/// Everything that the transports serve, without a listener.
pub fn router(app: App) -> Router {
    super::router(Engine::new(app, CancellationToken::new()), true)
}

/// How many tokens a document has, and how deep its brackets stand inside each other.
#[must_use]
pub fn measure(document: &str) -> (u64, u64) {
    let measure = tokens::measure(document);
    (measure.tokens, measure.nesting)
}

/// The document without what carries no meaning.
#[must_use]
pub fn minified(document: &str) -> String {
    tokens::minified(document)
}

/// What there is to ask for.
pub struct Schema(Registry);

/// What the one operation of a document asks for, with every fragment written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Fields, fragments, arguments and directives.
    pub fields: u64,
    /// Fields under another name.
    pub aliases: u64,
    /// Fields inside each other.
    pub depth: u64,
    /// Fields at the root.
    pub roots: u64,
    /// Uses of fragments.
    pub spreads: u64,
    /// Values that the answer can have.
    pub values: u64,
}

impl Schema {
    /// The schema of the API.
    #[must_use]
    pub fn new() -> Self {
        Self(limits::registry())
    }

    /// Measures a document; none when it has not exactly one operation, or is too deep to be followed.
    #[must_use]
    pub fn count(&self, document: &str) -> Option<Counted> {
        let document = parse_query(document).ok()?;
        let operation = meant(&document, None)?;
        let variables = Variables::default();
        let cost = Meter::new(&self.0, &document, operation, &variables).operation(operation).ok()?;
        Some(Counted {
            fields: cost.fields,
            aliases: cost.aliases,
            depth: cost.depth,
            roots: cost.own,
            spreads: cost.spreads,
            values: cost.values,
        })
    }
}

impl Default for Schema {
    fn default() -> Self {
        Self::new()
    }
}

/// By what a request with an idempotency key is known again.
///
/// # Errors
/// When its variables have no JSON form.
pub fn request_hash(request: &Request) -> Result<String> {
    keyed::hash(request)
}

/// The text with its secrets masked.
#[must_use]
pub fn redacted(text: &str) -> String {
    redact_text::redact_text(text)
}

/// A cursor with these values, in the order of a list.
#[must_use]
pub fn cursor_of(values: &[Bind]) -> String {
    cursor::write(LIST, values)
}

/// Reads a cursor of a list that is ordered by one of the entity's columns and its id. What it answers can be bound.
#[must_use]
pub fn read_cursor<E: Entity>(text: &str, column: usize) -> Option<Vec<Bind>> {
    let (column, id) = (E::COLUMNS.get(column % E::COLUMNS.len())?, E::COLUMNS.first()?);
    let order = [column, id].map(|column| Order { column, direction: Direction::Asc });
    cursor::read(text, LIST, &order)
}

/// Whether a statement can carry these values.
#[must_use]
pub fn can_be_bound(values: &[Bind]) -> bool {
    let mut sql = Sql::default();
    for value in values {
        value.push(&mut sql);
    }
    sql.into_parts().is_ok()
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::operations::UserLog;
    use crate::pipelines::{Pipeline, Worker};
    use crate::throughput::ProductionMetricDaily;

    type Read = fn(&str, usize) -> Option<Vec<Bind>>;

    const LISTS: &[Read] = &[read_cursor::<Pipeline>, read_cursor::<Worker>, read_cursor::<UserLog>, read_cursor::<ProductionMetricDaily>];

    /// What may stand in a cursor, and what may not.
    fn values() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "(-|\\+)?[0-9]{4,6}-[01][0-9]-[0-3][0-9]".prop_map(Value::from),
            any::<u128>().prop_map(|id| json!(uuid::Uuid::from_u128(id))),
        ]
    }

    /// A cursor with these values behind the mark of the list.
    fn cursor(values: Vec<Value>) -> String {
        let mut parts: Vec<Value> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(cursor_of(&[])).unwrap()).unwrap();
        parts.extend(values);
        URL_SAFE_NO_PAD.encode(Value::Array(parts).to_string())
    }

    proptest! {
        #[test]
        fn any_text_is_no_cursor(text in any::<String>(), encoded in "[A-Za-z0-9_-]{0,60}", column in 0..40_usize) {
            for read in LISTS {
                prop_assert!(read(&text, column).is_none() && read(&encoded, column).is_none());
            }
        }

        #[test]
        fn a_cursor_is_refused_or_reads_as_what_it_is_written_from(first in values(), id in any::<u128>(), column in 0..40_usize) {
            let text = cursor(vec![first, json!(uuid::Uuid::from_u128(id))]);
            for read in LISTS {
                if let Some(values) = read(&text, column) {
                    prop_assert!(can_be_bound(&values));
                    let again = read(&cursor_of(&values), column);
                    prop_assert_eq!(again, Some(values));
                }
            }
        }
    }
}
