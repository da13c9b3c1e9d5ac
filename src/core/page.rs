//! Connections: every list of the graph, at a root or inside a list, as a page with a keyset cursor.
//!
//! Always holds: a page of every parent in the request is one statement; the order ends in the id, so
//! that rows inserted or deleted between pages make no other row appear twice or vanish; counts and
//! the far end of the page are read only when selected. Not here: cursors (`core/cursor.rs`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{MetaInputValue, Registry};
use async_graphql::{Context, InputType, Object, SimpleObject, TypeName};
use sqlx::Row as _;

use crate::core::cursor::{self, Position, Side};
use crate::core::entity::{Direction, Entity, Filter, Key, Order, argument, from_visible, push_column, push_shown, select_list};
use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scope::{self, Part};
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::Right;

/// Rows of a page when nothing is asked for.
pub(crate) const DEFAULT_SIZE: i32 = 50;
/// Most rows of a page.
pub(crate) const LARGEST_SIZE: i32 = 200;
/// Most steps of an order.
const MOST_STEPS: usize = 4;

/// Whose list it is.
#[derive(Clone, Debug)]
pub(crate) enum Parent {
    /// Nobody's: all rows.
    All,
    /// The rows whose column holds this key.
    One(&'static str, Key),
    /// The parent has no key, so the list is empty.
    Nobody,
}

/// What was asked for.
struct Spec<E: Entity> {
    column: Option<&'static str>,
    filter: Filter<E>,
    order: Vec<Order<E>>,
    travel: Travel,
    cursor: Option<Position>,
    /// Equal for equal filter and order; cursors are bound to it.
    list: String,
}

/// One page of a list.
pub struct Page<E: Entity> {
    spec: Arc<Spec<E>>,
    parent: Parent,
    rows: Vec<E>,
    /// There are rows beyond the page in the direction of travel.
    more: bool,
}

/// One row of a page with the cursor that points at it.
pub struct Edge<E: Entity> {
    cursor: String,
    node: E,
}

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
    Ask(Box<dyn Fn() -> futures_util::future::BoxFuture<'static, Result<bool>> + Send + Sync>),
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

/// Loads the page that the field asks for.
pub(crate) async fn load<E: Entity>(ctx: &Context<'_>, parent: Parent) -> Result<Page<E>> {
    let first: Option<i32> = argument(ctx, "first")?;
    let last: Option<i32> = argument(ctx, "last")?;
    let after: Option<String> = argument(ctx, "after")?;
    let before: Option<String> = argument(ctx, "before")?;
    let filter: Option<Filter<E>> = argument(ctx, "filter")?;
    let order: Option<Vec<Order<E>>> = argument(ctx, "orderBy")?;
    let travel = Travel::new((first, after), (last, before))?;
    let spec = Spec::new(&parent, travel, filter.unwrap_or_default(), order.unwrap_or_default())?;
    Page::load(Read::of(ctx)?, Arc::new(spec), parent).await
}

impl<E: Entity> Spec<E> {
    fn new(parent: &Parent, travel: Travel, filter: Filter<E>, mut order: Vec<Order<E>>) -> Result<Self> {
        if order.len() > MOST_STEPS {
            return Err(Error::validation(format!("An order has at most {MOST_STEPS} steps.")).field("orderBy"));
        }
        let (default, direction) = E::DEFAULT_ORDER;
        if order.is_empty() {
            order.extend(E::COLUMNS.iter().find(|column| column.sql == default).map(|column| Order { column, direction }));
        }
        let direction = order.last().map_or(Direction::Asc, |last| last.direction);
        order.extend(E::COLUMNS.first().map(|column| Order { column, direction }));
        let column = match parent {
            Parent::One(column, _) => Some(*column),
            Parent::All | Parent::Nobody => None,
        };
        let list = format!(
            "{}.{}|{}|{}",
            E::NAME,
            column.unwrap_or("*"),
            filter.fingerprint(),
            order.iter().map(|step| format!("{}{:?}", step.column.sql, step.direction)).collect::<Vec<_>>().join(",")
        );
        let cursor = travel.position(&list, &order)?;
        Ok(Self { column, filter, order, travel, cursor, list })
    }

    fn cursor_of(&self, row: &E) -> String {
        cursor::write(&self.list, &self.order.iter().map(|step| (step.column.bind)(row)).collect::<Vec<Bind>>())
    }

    fn order_by(&self, sql: &mut Sql, read: &Read) {
        for (index, step) in self.order.iter().enumerate() {
            sql.push(if index == 0 { " order by " } else { ", " });
            push_column(sql, read.viewer(), step.column);
            // Ascending with nulls last and descending with nulls first are PostgreSQL's own, so one
            // index serves both directions.
            if (step.direction == Direction::Desc) != self.travel.backward {
                sql.push(" desc");
            }
        }
    }

    /// The rows of `alias t` that the viewer sees, in the filter, for one parent when there is one.
    fn selected(&self, sql: &mut Sql, read: &Read, parent: &str) {
        from_visible::<E>(sql, read.viewer());
        if let Some(column) = self.column {
            sql.push(&format!(" and t.{column} = {parent}"));
            push_shown::<E>(sql, read.viewer(), column);
        }
        self.filter.write(sql, read.viewer());
    }

    fn slot(&self, what: &str) -> String {
        format!(
            "{what} {}.{} {} {} {} {:?}",
            E::TABLE,
            self.column.unwrap_or("*"),
            self.list,
            self.travel.size,
            self.travel.backward,
            self.cursor
        )
    }
}

impl<E: Entity> Page<E> {
    async fn load(read: Read, spec: Arc<Spec<E>>, parent: Parent) -> Result<Self> {
        let mut rows = match &parent {
            Parent::Nobody => Vec::new(),
            Parent::All => {
                let sql = spec.whole_page(&read);
                read.rows(sql).await?.iter().map(|row| E::from_row(row, 0)).collect::<Result<_, _>>()?
            }
            Parent::One(_, key) => {
                let loaders = read.loaders().clone();
                let (read, spec) = (read.clone(), Arc::clone(&spec));
                let found = loaders
                    .load(&spec.slot("page"), key.clone(), || Box::new(move |keys| Box::pin(pages(read.clone(), Arc::clone(&spec), keys))))
                    .await?;
                found.map(|rows: Arc<Vec<E>>| Arc::try_unwrap(rows).unwrap_or_else(|rows| (*rows).clone())).unwrap_or_default()
            }
        };
        let size = usize::try_from(spec.travel.size).unwrap_or_default();
        let more = rows.len() > size;
        rows.truncate(size);
        if spec.travel.backward {
            rows.reverse();
        }
        Ok(Self { spec, parent, rows, more })
    }

    /// Whether there are rows before the page, or after it: in the direction of travel that is known,
    /// behind the traveller are the rows up to the cursor that the page was asked from.
    fn beyond(&self, read: &Read, before: bool) -> Far {
        if before == self.spec.travel.backward {
            return Far::Known(self.more);
        }
        if self.spec.cursor.is_none() {
            return Far::Known(false);
        }
        let (read, spec, parent) = (read.clone(), Arc::clone(&self.spec), self.parent.clone());
        Far::Ask(Box::new(move || Box::pin(behind(read.clone(), Arc::clone(&spec), parent.clone()))))
    }
}

impl<E: Entity> Spec<E> {
    /// The page of nobody's list. Where its rows have owners to be read apart, it is the first of the first rows of each.
    fn whole_page(&self, read: &Read) -> Sql {
        let parts = scope::parts(read.viewer(), &E::SCOPE);
        let mut sql = Sql::new("select ");
        if parts.is_empty() {
            select_list::<E>(&mut sql, read.viewer());
            self.page(&mut sql, read, "");
            return sql;
        }
        sql.push("* from (");
        for (index, part) in parts.iter().enumerate() {
            sql.push(if index > 0 { " union (select " } else { "(select " });
            select_list::<E>(&mut sql, read.viewer());
            self.of_part(&mut sql, read, part);
            self.first(&mut sql, read);
            sql.push(") t)");
        }
        sql.push(") t");
        self.order_by(&mut sql, read);
        sql.push(" limit ");
        sql.bind(self.travel.size + 1);
        sql
    }

    /// The rows of `alias t` that each of some owners has, in the filter; begins a lateral statement for one of them.
    fn of_part(&self, sql: &mut Sql, read: &Read, part: &Part) {
        sql.push(" from unnest(");
        sql.bind(part.owners.clone());
        sql.push(&format!(") o(id) cross join lateral (select t.* from {} t where t.{} = o.id", E::TABLE, part.column));
        self.filter.write(sql, read.viewer());
    }

    fn page(&self, sql: &mut Sql, read: &Read, parent: &str) {
        self.selected(sql, read, parent);
        self.first(sql, read);
    }

    /// The first of the rows selected, in the direction of travel.
    fn first(&self, sql: &mut Sql, read: &Read) {
        if let Some(cursor) = &self.cursor {
            sql.push(" and ");
            cursor::lies(sql, read.viewer(), &self.order, cursor, self.travel.onward());
        }
        self.order_by(sql, read);
        sql.push(" limit ");
        sql.bind(self.travel.size + 1);
    }

    /// Whether there is a row that a traveller has passed, for one parent when there is one.
    fn passed(&self, sql: &mut Sql, read: &Read, parent: &str) {
        sql.push("exists (select 1");
        self.selected(sql, read, parent);
        self.up_to_cursor(sql, read);
        sql.push(")");
    }

    /// Whether there is a row of nobody's list that a traveller has passed.
    fn passed_any(&self, read: &Read) -> Sql {
        let parts = scope::parts(read.viewer(), &E::SCOPE);
        let mut sql = Sql::new("select ");
        if parts.is_empty() {
            self.passed(&mut sql, read, "");
        }
        for (index, part) in parts.iter().enumerate() {
            sql.push(if index > 0 { " or exists (select 1" } else { "exists (select 1" });
            self.of_part(&mut sql, read, part);
            self.up_to_cursor(&mut sql, read);
            sql.push(" limit 1) t)");
        }
        sql
    }

    fn up_to_cursor(&self, sql: &mut Sql, read: &Read) {
        if let Some(cursor) = &self.cursor {
            sql.push(" and ");
            cursor::lies(sql, read.viewer(), &self.order, cursor, self.travel.behind());
        }
    }
}

/// One page for each of many parents, in one statement.
async fn pages<E: Entity>(read: Read, spec: Arc<Spec<E>>, keys: Vec<Key>) -> Result<HashMap<Key, Arc<Vec<E>>>> {
    let mut sql = Sql::new("select p.key, c.* from ");
    Key::bind_rows(&keys, &mut sql);
    sql.push(" cross join lateral (select ");
    select_list::<E>(&mut sql, read.viewer());
    spec.page(&mut sql, &read, "p.key");
    sql.push(") c");
    let mut found: HashMap<Key, Vec<E>> = HashMap::with_capacity(keys.len());
    for row in read.db().rows(sql).await? {
        found.entry(Key::read(&row, 0)?).or_default().push(E::from_row(&row, 1)?);
    }
    Ok(found.into_iter().map(|(key, rows)| (key, Arc::new(rows))).collect())
}

async fn count<E: Entity>(read: &Read, spec: &Arc<Spec<E>>, parent: &Parent) -> Result<i64> {
    match parent {
        Parent::Nobody => Ok(0),
        Parent::All => {
            let mut sql = Sql::new("select count(*)");
            spec.selected(&mut sql, read, "");
            read.rows(sql).await?.first().map_or(Ok(0), |row| Ok(row.try_get(0)?))
        }
        Parent::One(column, key) => {
            let slot = format!("count {}.{column} {}", E::TABLE, spec.list);
            let column = *column;
            let (of_batch, spec) = (read.clone(), Arc::clone(spec));
            let found = read
                .loaders()
                .load(&slot, key.clone(), || {
                    Box::new(move |keys: Vec<Key>| {
                        let (read, spec) = (of_batch.clone(), Arc::clone(&spec));
                        Box::pin(async move {
                            let mut sql = Sql::new(&format!("select t.{column}, count(*) from {} t where t.{column} = any(", E::TABLE));
                            Key::bind_all(&keys, &mut sql);
                            sql.push(") and ");
                            scope::predicate(&mut sql, read.viewer(), &E::SCOPE, Right::See, "t");
                            push_shown::<E>(&mut sql, read.viewer(), column);
                            spec.filter.write(&mut sql, read.viewer());
                            sql.push(&format!(" group by t.{column}"));
                            read.db().rows(sql).await?.iter().map(|row| Ok((Key::read(row, 0)?, row.try_get(1)?))).collect()
                        })
                    })
                })
                .await?;
            Ok(found.unwrap_or(0))
        }
    }
}

/// Whether there are rows behind the traveller; of all parents of the request in one statement.
async fn behind<E: Entity>(read: Read, spec: Arc<Spec<E>>, parent: Parent) -> Result<bool> {
    match parent {
        Parent::Nobody => Ok(false),
        Parent::All => {
            let sql = spec.passed_any(&read);
            read.rows(sql).await?.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
        }
        Parent::One(_, key) => {
            let loaders = read.loaders().clone();
            let slot = spec.slot("behind");
            let found = loaders.load(&slot, key, || {
                Box::new(move |keys: Vec<Key>| {
                    let (read, spec) = (read.clone(), Arc::clone(&spec));
                    Box::pin(async move {
                        let mut sql = Sql::new("select p.key, ");
                        spec.passed(&mut sql, &read, "p.key");
                        sql.push(" from unnest(");
                        Key::bind_all(&keys, &mut sql);
                        sql.push(") p(key)");
                        read.db().rows(sql).await?.iter().map(|row| Ok((Key::read(row, 0)?, row.try_get(1)?))).collect()
                    })
                })
            });
            Ok(found.await?.unwrap_or(false))
        }
    }
}

impl<E: Entity> TypeName for Page<E> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", E::NAME).into()
    }
}

impl<E: Entity> TypeName for Edge<E> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", E::NAME).into()
    }
}

/// One page of a list, with cursors to go on from.
#[Object(name_type)]
impl<E: Entity> Page<E> {
    /// The rows of the page, each with its cursor.
    async fn edges(&self) -> Rows<Edge<E>> {
        Rows(self.rows.iter().map(|row| Edge { cursor: self.spec.cursor_of(row), node: row.clone() }).collect())
    }

    /// The rows of the page.
    async fn nodes(&self) -> Rows<&E> {
        Rows(self.rows.iter().collect())
    }

    /// Where the page stands in the list.
    async fn page_info(&self, ctx: &Context<'_>) -> Result<PageInfo> {
        let read = Read::of(ctx)?;
        Ok(PageInfo {
            start_cursor: self.rows.first().map(|row| self.spec.cursor_of(row)),
            end_cursor: self.rows.last().map(|row| self.spec.cursor_of(row)),
            ends: Ends { before: self.beyond(&read, true), after: self.beyond(&read, false) },
        })
    }

    /// How many rows the whole list has for the viewer, whatever the page; counted only when selected.
    async fn total_count(&self, ctx: &Context<'_>) -> Result<i64> {
        count(&Read::of(ctx)?, &self.spec, &self.parent).await
    }
}

/// One row of a page with the cursor that points at it.
#[Object(name_type)]
impl<E: Entity> Edge<E> {
    /// Where this row stands in the list; pass it as `after` or `before`.
    async fn cursor(&self) -> &str {
        &self.cursor
    }

    /// The row.
    async fn node(&self) -> &E {
        &self.node
    }
}
