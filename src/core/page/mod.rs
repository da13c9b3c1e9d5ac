//! Connections: every list of the graph, at a root or inside a list, as a page with a keyset cursor.
//!
//! Always holds: a page of every parent in the request is one statement; the order ends in the id, so
//! that rows inserted or deleted between pages make no other row appear twice or vanish; counts and
//! the far end of the page are read only when selected. Not here: cursors (`core/cursor.rs`).

mod many;
mod spec;
mod whole;

pub(crate) use many::Many;
pub(crate) use whole::load;
pub use whole::{Edge, Page};

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{MetaInputValue, Registry};
use async_graphql::{InputType, SimpleObject};
use futures_util::future::BoxFuture;

use crate::core::cursor::{self, Position, Side};
use crate::core::entity::{Entity, Filter, Order};
use crate::core::error::{Error, Result};

/// Rows of a page when nothing is asked for.
pub(crate) const DEFAULT_SIZE: i32 = 50;
/// Most rows of a page.
pub(crate) const LARGEST_SIZE: i32 = 200;
/// Most steps of an order.
const MOST_STEPS: usize = 4;

/// Where a page stands in its list.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct PageInfo {
    /// Cursor of the first row of the page.
    start_cursor: Option<String>,
    /// Cursor of the last row of the page.
    end_cursor: Option<String>,
    #[graphql(skip)]
    ends: Ends,
}

struct Ends {
    before: Far,
    after: Far,
}

/// Whether there are rows on one side of the page: known, or to be asked when selected.
enum Far {
    Known(bool),
    Ask(Box<dyn Fn() -> BoxFuture<'static, Result<bool>> + Send + Sync>),
}

impl Far {
    async fn answer(&self) -> Result<bool> {
        match self {
            Self::Known(answer) => Ok(*answer),
            Self::Ask(ask) => ask().await,
        }
    }
}

impl PageInfo {
    /// Of a page whose neighbours are known: whether there are rows before it, and after it.
    pub(crate) fn known(start_cursor: Option<String>, end_cursor: Option<String>, before: bool, after: bool) -> Self {
        Self { start_cursor, end_cursor, ends: Ends { before: Far::Known(before), after: Far::Known(after) } }
    }
}

#[async_graphql::ComplexObject]
impl PageInfo {
    /// Whether there are rows before the page.
    async fn has_previous_page(&self) -> Result<bool> {
        self.ends.before.answer().await
    }

    /// Whether there are rows after the page.
    async fn has_next_page(&self) -> Result<bool> {
        self.ends.after.answer().await
    }
}

/// The arguments of a connection of `E`.
pub(crate) fn arguments<E: Entity>(registry: &mut Registry) -> IndexMap<String, MetaInputValue> {
    let int = <Option<i32> as InputType>::create_type_info(registry);
    let text = <Option<String> as InputType>::create_type_info(registry);
    let filter = <Option<Filter<E>> as InputType>::create_type_info(registry);
    let order = <Option<Vec<Order<E>>> as InputType>::create_type_info(registry);
    let size = format!("at most {LARGEST_SIZE}; {DEFAULT_SIZE} when neither `first` nor `last` is given.");
    [
        ("first", int.clone(), format!("This many rows from the start or after `after`, {size}")),
        ("after", text.clone(), "Only rows after the one with this cursor.".to_owned()),
        ("last", int, format!("This many rows from the end or before `before`, {size}")),
        ("before", text, "Only rows before the one with this cursor.".to_owned()),
        ("filter", filter, "Narrows the list; what is left out does not narrow.".to_owned()),
        ("orderBy", order, format!("The order, at most {MOST_STEPS} steps; rows that are equal in it follow by id.")),
    ]
    .into_iter()
    .map(|(name, ty, about)| {
        let mut value = MetaInputValue::new(name, ty);
        value.description = Some(about);
        (name.to_owned(), value)
    })
    .collect()
}

/// Where a page lies: how many rows, in which direction, from which cursor.
pub(crate) struct Travel {
    pub(crate) size: i64,
    /// From the end instead of the start.
    pub(crate) backward: bool,
    cursor: Option<String>,
}

impl Travel {
    /// Reads the arguments `first` and `after`, `last` and `before`.
    pub(crate) fn new((first, after): (Option<i32>, Option<String>), (last, before): (Option<i32>, Option<String>)) -> Result<Self> {
        let backward = last.is_some() || before.is_some();
        if backward && (first.is_some() || after.is_some()) {
            return Err(Error::validation("Give `first` and `after`, or `last` and `before`, not both.").field("last"));
        }
        let (name, size, cursor) = if backward { ("last", last, before) } else { ("first", first, after) };
        let size = size.unwrap_or(DEFAULT_SIZE);
        if !(1..=LARGEST_SIZE).contains(&size) {
            return Err(Error::validation(format!("A page has 1 to {LARGEST_SIZE} rows.")).field(name));
        }
        Ok(Self { size: size.into(), backward, cursor })
    }

    /// The place of the cursor in this list, which must be where it came from.
    pub(crate) fn position<E: Entity>(&self, list: &str, order: &[Order<E>]) -> Result<Option<Position>> {
        let Some(text) = &self.cursor else { return Ok(None) };
        let position = cursor::read(text, list, order).ok_or_else(|| {
            let field = if self.backward { "before" } else { "after" };
            Error::validation("Invalid cursor for this list: pass a cursor that the same list, with the same filter and order, gave you.")
                .field(field)
        })?;
        Ok(Some(position))
    }

    /// The side of the cursor on which the page lies.
    pub(crate) fn onward(&self) -> Side {
        if self.backward { Side::Before } else { Side::After }
    }

    /// The side of the cursor that the traveller has passed.
    pub(crate) fn behind(&self) -> Side {
        if self.backward { Side::From } else { Side::UpTo }
    }
}
