//! What a selection asks of rows, and the answers of many rows at once.
//!
//! Always holds: whatever many rows of one place in the document select is worked out once and followed together, one future and
//! one batch for an edge, however many rows there are; only the columns are read that are asked for; a fault stands at each row
//! that it concerns, as if each had been answered alone; a row is of one instant with what it says together with them
//! ([`TransientValue`]). What this does not know, such as a name that is asked for twice with
//! different selections below, is left to the library, row by row. Not here: the edges (`one.rs`, `page/many.rs`).

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Field, Selection, SelectionSet};
use async_graphql::resolver_utils::resolve_container;
use async_graphql::{Context, ContextSelectionSet, Name, Positioned, QueryPathNode, QueryPathSegment, ServerError, ServerResult, Value};
use futures_util::future::{BoxFuture, join_all};

use crate::core::entity::one::records;
use crate::core::entity::record::{Columns, Row};
use crate::core::entity::{Entity, FieldDef, Key, TransientValue, find_field};
use crate::core::error::Error;
use crate::core::loader::Loaders;
use crate::core::read::Read;
use crate::core::sql::Bind;

/// So many rows are answered between pauses.
const STRIDE: usize = 256;

/// What a selection asks of rows of `E`.
pub(crate) struct Plan<'a, E: Entity> {
    set: &'a Positioned<SelectionSet>,
    /// The columns that it takes.
    pub(crate) columns: Columns,
    how: How<'a, E>,
    passes: Option<Passes<E>>,
}

/// That rows are asked for what they say for a while only, and for what goes with it.
struct Passes<E: 'static> {
    passing: TransientValue<E>,
    /// The place of the column.
    column: usize,
    /// What goes with it and is asked for.
    below: Vec<&'static str>,
}

impl<E: Entity> Passes<E> {
    fn of(is_asked: impl Fn(&str) -> bool) -> Option<Self> {
        let passing = E::PASSING?;
        let column = E::COLUMNS.iter().position(|column| column.sql == passing.column && is_asked(column.name))?;
        let below: Vec<_> = passing.below.iter().copied().filter(|name| is_asked(name)).collect();
        (!below.is_empty()).then_some(Self { passing, column, below })
    }

    /// Whether the row says it, as far as is known.
    fn says(&self, row: Row<'_, E>) -> bool {
        matches!(row.bind(self.column), Ok(Bind::Text(text)) if text == self.passing.value)
    }

    /// Whether something that goes with it was read after the row.
    fn may_be_belied(&self, row: Row<'_, E>) -> bool {
        let brought = if let Row::Made(row) = row { (self.passing.brought)(row) } else { &[] };
        self.says(row) && self.below.iter().any(|name| !brought.contains(name))
    }
}

enum How<'a, E: Entity> {
    /// The values of an answer, by the names that were asked for.
    Values { values: Vec<(&'a Name, What)>, fields: Vec<Asked<'a, E>> },
    /// The library answers each row.
    Library,
}

enum What {
    Typename,
    Column(usize),
    /// One of the fields.
    Field(usize),
}

/// A field that needs a future.
enum Asked<'a, E: 'static> {
    /// All rows together.
    Edge(&'a Positioned<Field>, Edge<'a>),
    /// Each row by itself.
    Own(&'a Positioned<Field>, &'static dyn FieldDef<E>),
}

/// An edge that many rows follow together.
pub struct Edge<'a> {
    /// The place of the column that holds a row's key.
    pub(crate) from: usize,
    pub(crate) follow: Box<dyn Follow + 'a>,
}

/// What lies behind an edge.
pub trait Follow: Send + Sync {
    /// The answers for these keys; `names` are the places of the field, one for each key.
    fn follow<'c>(
        &'c self,
        ctx: &'c ContextSelectionSet<'c>,
        keys: Vec<Bind>,
        names: &'c [QueryPathNode<'c>],
    ) -> BoxFuture<'c, Vec<ServerResult<Value>>>;
}

/// Answers of many rows, in their order.
pub(crate) type Answers = Vec<ServerResult<Value>>;

impl<'a, E: Entity> Plan<'a, E> {
    /// What this selection asks.
    pub(crate) fn of(ctx: &ContextSelectionSet<'a>) -> Self {
        let set = ctx.item;
        Self::values(ctx).unwrap_or_else(|| Self { set, columns: Columns::all::<E>(), how: How::Library, passes: Passes::of(|_| true) })
    }

    fn values(ctx: &ContextSelectionSet<'a>) -> Option<Self> {
        let asked = fields_of(ctx, E::NAME, &["Node"])?;
        let passes = Passes::of(|name| asked.iter().any(|field| field.node.name.node.as_str() == name));
        let mut columns = Columns::ID;
        let (mut values, mut fields) = (Vec::with_capacity(asked.len()), Vec::new());
        for field in asked {
            let name = field.node.name.node.as_str();
            let what = if let Some(place) = E::COLUMNS.iter().position(|column| column.name == name) {
                columns = columns.with(place);
                What::Column(place)
            } else if name == TYPENAME {
                What::Typename
            } else {
                let def = find_field(E::FIELDS, name).or_else(|| find_field(E::REVERSE, name))?;
                let asked = if let Some(edge) = def.edge(ctx, field) {
                    columns = columns.with(edge.from);
                    Asked::Edge(field, edge)
                } else {
                    columns = Columns::all::<E>();
                    Asked::Own(field, def)
                };
                fields.push(asked);
                What::Field(fields.len() - 1)
            };
            values.push((&field.node.response_key().node, what));
        }
        Some(Self { set: ctx.item, columns, how: How::Values { values, fields }, passes })
    }

    /// The answers of these rows, which stand at these places.
    pub(crate) async fn answer<'c>(
        &'c self,
        ctx: &'c ContextSelectionSet<'c>,
        rows: &[Row<'_, E>],
        places: &[QueryPathNode<'c>],
    ) -> Answers {
        if rows.len() <= STRIDE {
            return self.answer_some(ctx, rows, places).await;
        }
        // All of them note their keys before any batch is sent.
        let parts = rows.chunks(STRIDE).zip(places.chunks(STRIDE)).map(|(rows, places)| self.answer_some(ctx, rows, places));
        join_all(parts).await.into_iter().flatten().collect()
    }

    async fn answer_some<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, rows: &[Row<'_, E>], places: &[QueryPathNode<'c>]) -> Answers {
        let mut answers = self.answer_once(ctx, rows, places).await;
        let Some(passes) = &self.passes else { return answers };
        let doubtful: Vec<(usize, Key)> =
            rows.iter().enumerate().filter(|(_, row)| passes.may_be_belied(**row)).filter_map(|(at, row)| Some((at, row.key()?))).collect();
        let Some(read) = Read::of(ctx).ok().filter(|_| !doubtful.is_empty()) else { return answers };
        let columns = self.columns.with(passes.column);
        let now = records::<E>(&read, "id", doubtful.iter().map(|(_, key)| key.clone()).collect(), columns).await;
        // Of one that is gone the answer stands, as of when it was there; so it does where it is not to be had.
        let moved = doubtful.iter().filter_map(|(at, key)| {
            let row = Row::Read(now.get(key).ok()??.as_ref());
            (!passes.says(row)).then_some((*at, row, *places.get(*at)?))
        });
        let (moved, (rows, places)): (Vec<usize>, (Vec<_>, Vec<_>)) = moved.map(|(at, row, place)| (at, (row, place))).unzip();
        if !moved.is_empty() {
            for (at, again) in moved.into_iter().zip(self.answer_once(ctx, &rows, &places).await) {
                if let Some(answer) = answers.get_mut(at) {
                    *answer = again;
                }
            }
        }
        answers
    }

    async fn answer_once<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, rows: &[Row<'_, E>], places: &[QueryPathNode<'c>]) -> Answers {
        yield_if_long(ctx).await;
        if !self.takes_whole_rows() {
            return self.answer_columns(ctx, rows, places).await;
        }
        let whole: Vec<Cow<'_, E>> = match rows.iter().map(|row| row.whole()).collect() {
            Ok(whole) => whole,
            Err(error) => return all_at(ctx, places, &sqlx::Error::into(error)),
        };
        let rows: Vec<Row<'_, E>> = whole.iter().map(|row| Row::Made(row.as_ref())).collect();
        self.answer_columns(ctx, &rows, places).await
    }

    async fn answer_columns<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, rows: &[Row<'_, E>], places: &[QueryPathNode<'c>]) -> Answers {
        let How::Values { values, fields } = &self.how else {
            return join_all(rows.iter().zip(places).map(|(row, place)| self.by_library(ctx, *row, *place))).await;
        };
        let mut below: Vec<_> =
            join_all(fields.iter().map(|field| field.answer(ctx, rows, places))).await.into_iter().map(Vec::into_iter).collect();
        // What was below may have been much.
        yield_if_long(ctx).await;
        let mut answer = |(row, place): (&Row<'_, E>, &QueryPathNode<'c>)| {
            object(values.iter().map(|(name, what)| {
                let value = match what {
                    What::Typename => Ok(Value::from(E::NAME)),
                    What::Column(column) => row.value(*column).map_err(|error| fault_at(ctx, *place, error.into())),
                    What::Field(field) => below.get_mut(*field).and_then(Iterator::next).unwrap_or(Ok(Value::Null)),
                };
                (*name, value)
            }))
        };
        rows.iter().zip(places).map(&mut answer).collect()
    }

    fn takes_whole_rows(&self) -> bool {
        match &self.how {
            How::Values { fields, .. } => fields.iter().any(|field| matches!(field, Asked::Own(..))),
            How::Library => true,
        }
    }

    async fn by_library<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, row: Row<'_, E>, place: QueryPathNode<'c>) -> ServerResult<Value> {
        let Row::Made(row) = row else { return Ok(Value::Null) };
        let mut ctx = ctx.with_selection_set(self.set);
        ctx.path_node = Some(place);
        resolve_container(&ctx, row).await
    }
}

impl<E: Entity> Asked<'_, E> {
    async fn answer<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, rows: &[Row<'_, E>], places: &[QueryPathNode<'c>]) -> Answers {
        match self {
            Self::Edge(field, edge) => {
                let names = below(places, field);
                match rows.iter().map(|row| row.bind(edge.from)).collect() {
                    Ok(keys) => edge.follow.follow(ctx, keys, &names).await,
                    Err(error) => all_at(ctx, &names, &sqlx::Error::into(error)),
                }
            }
            Self::Own(field, def) => {
                let names = below(places, field);
                let own = rows.iter().zip(names).map(|(row, name)| async move {
                    let Row::Made(row) = row else { return Ok(Value::Null) };
                    def.resolve(row, &at(ctx, field, name)).await
                });
                join_all(own).await
            }
        }
    }
}

/// An object of these values; the first that failed, if one did.
fn object<'a>(values: impl ExactSizeIterator<Item = (&'a Name, ServerResult<Value>)>) -> ServerResult<Value> {
    let mut object = IndexMap::with_capacity(values.len());
    let mut fault = None;
    for (name, value) in values {
        match value {
            Ok(value) => drop(object.insert(name.clone(), value)),
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    fault.map_or(Ok(Value::Object(object)), Err)
}

/// So many objects, of values that are there for all of them: for each name the values in the objects' order.
pub(crate) fn objects(names: &[&Name], values: Vec<Answers>, count: usize) -> Answers {
    let mut values: Vec<_> = values.into_iter().map(Vec::into_iter).collect();
    let next = |values: &mut std::vec::IntoIter<ServerResult<Value>>| values.next().unwrap_or(Ok(Value::Null));
    (0..count).map(|_| object(names.iter().zip(&mut values).map(|(name, values)| (*name, next(values))))).collect()
}

/// Lets a request that computes for long pause.
async fn yield_if_long(ctx: &ContextSelectionSet<'_>) {
    if let Some(loaders) = ctx.data_opt::<Loaders>() {
        loaders.yield_if_long().await;
    }
}

/// The name that every object knows.
pub(crate) const TYPENAME: &str = "__typename";

/// The fields of a selection on objects of this type, fragments written out, each name once; none when a name stands for
/// different things or has selections below that would have to be put together.
pub(crate) fn fields_of<'a>(ctx: &ContextSelectionSet<'a>, name: &str, interfaces: &[&str]) -> Option<Vec<&'a Positioned<Field>>> {
    let mut found = Vec::with_capacity(ctx.item.node.items.len());
    collect(ctx, ctx.item, &|on| on == name || interfaces.contains(&on), &mut found)?;
    Some(found)
}

fn collect<'a>(
    ctx: &ContextSelectionSet<'a>,
    set: &'a Positioned<SelectionSet>,
    applies: &impl Fn(&str) -> bool,
    found: &mut Vec<&'a Positioned<Field>>,
) -> Option<()> {
    for item in &set.node.items {
        let (on, set) = match &item.node {
            Selection::Field(field) => {
                add(field, found)?;
                continue;
            }
            Selection::InlineFragment(fragment) => (fragment.node.type_condition.as_ref(), &fragment.node.selection_set),
            Selection::FragmentSpread(spread) => {
                let fragment = ctx.query_env.fragments.get(&spread.node.fragment_name.node)?;
                (Some(&fragment.node.type_condition), &fragment.node.selection_set)
            }
        };
        if on.is_none_or(|on| applies(&on.node.on.node)) {
            collect(ctx, set, applies, found)?;
        }
    }
    Some(())
}

fn add<'a>(field: &'a Positioned<Field>, found: &mut Vec<&'a Positioned<Field>>) -> Option<()> {
    if !field.node.directives.is_empty() {
        return None;
    }
    let key = &field.node.response_key().node;
    match found.iter().find(|known| known.node.response_key().node == *key) {
        None => found.push(field),
        // The library has seen to it that arguments are the same.
        Some(known) if known.node.name.node == field.node.name.node && field.node.selection_set.node.items.is_empty() => {}
        Some(_) => return None,
    }
    Some(())
}

/// The place of a field of the object at a place.
pub(crate) fn named<'c>(place: &'c QueryPathNode<'c>, field: &'c Positioned<Field>) -> QueryPathNode<'c> {
    QueryPathNode { parent: Some(place), segment: QueryPathSegment::Name(&field.node.response_key().node) }
}

/// The same for each of many.
pub(crate) fn below<'c>(places: &'c [QueryPathNode<'c>], field: &'c Positioned<Field>) -> Vec<QueryPathNode<'c>> {
    places.iter().map(|place| named(place, field)).collect()
}

/// The context of a field at its place.
pub(crate) fn at<'c>(ctx: &'c ContextSelectionSet<'c>, field: &'c Positioned<Field>, name: QueryPathNode<'c>) -> Context<'c> {
    let mut ctx = ctx.with_field(field);
    ctx.path_node = Some(name);
    ctx
}

/// A fault at a place.
pub(crate) fn fault_at<'c>(ctx: &ContextSelectionSet<'c>, place: QueryPathNode<'c>, error: Error) -> ServerError {
    let mut ctx = ctx.clone();
    ctx.path_node = Some(place);
    ctx.set_error_path(async_graphql::Error::from(error).into_server_error(ctx.item.pos))
}

/// The same fault at many places.
pub(crate) fn all_at<'c>(ctx: &ContextSelectionSet<'c>, places: &[QueryPathNode<'c>], error: &Error) -> Answers {
    places.iter().map(|place| Err(fault_at(ctx, *place, error.clone()))).collect()
}
