//! What a connection was asked for, and the statements that read it.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::Context;
use futures_util::future::try_join;
use sqlx::Row as _;

use crate::core::cursor::{self, Position};
use crate::core::entity::record::{Columns, Record, Row};
use crate::core::entity::{Direction, Entity, Filter, Key, Order, argument, from_visible, push_column, push_shown};
use crate::core::error::{Error, Result};
use crate::core::loader::Found;
use crate::core::page::{MOST_STEPS, Travel};
use crate::core::read::Read;
use crate::core::scope::{self, Part};
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::Right;

/// The rows of a page in the direction of travel, and one more when there is one.
pub(super) type Records<E> = Arc<Vec<Record<E>>>;

/// What was asked for.
pub(super) struct Spec<E: Entity> {
    /// The column that holds the parent's key; none for a list of all rows.
    column: Option<&'static str>,
    filter: Filter<E>,
    order: Vec<Order<E>>,
    pub(super) travel: Travel,
    pub(super) cursor: Option<Position>,
    /// Equal for equal filter and order; cursors are bound to it.
    list: String,
}

impl<E: Entity> Spec<E> {
    /// Reads the arguments of the field, which leads to the rows whose `column` holds a key, or to all.
    ///
    /// # Errors
    /// `VALIDATION` naming the argument.
    pub(super) fn of(ctx: &Context<'_>, column: Option<&'static str>) -> Result<Self> {
        let first: Option<i32> = argument(ctx, "first")?;
        let last: Option<i32> = argument(ctx, "last")?;
        let after: Option<String> = argument(ctx, "after")?;
        let before: Option<String> = argument(ctx, "before")?;
        let filter: Option<Filter<E>> = argument(ctx, "filter")?;
        let order: Option<Vec<Order<E>>> = argument(ctx, "orderBy")?;
        let travel = Travel::new((first, after), (last, before))?;
        Self::new(column, travel, filter.unwrap_or_default(), order.unwrap_or_default())
    }

    fn new(column: Option<&'static str>, travel: Travel, filter: Filter<E>, mut order: Vec<Order<E>>) -> Result<Self> {
        if order.len() > MOST_STEPS {
            return Err(Error::validation(format!("An order has at most {MOST_STEPS} steps.")).field("orderBy"));
        }
        let (default, direction) = E::DEFAULT_ORDER;
        if order.is_empty() {
            order.extend(E::COLUMNS.iter().find(|column| column.sql == default).map(|column| Order { column, direction }));
        }
        let direction = order.last().map_or(Direction::Asc, |last| last.direction);
        order.extend(E::COLUMNS.first().map(|column| Order { column, direction }));
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

    /// The columns that cursors are made of.
    pub(super) fn columns(&self) -> Columns {
        self.places().fold(Columns::ID, Columns::with)
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        self.order.iter().filter_map(|step| E::COLUMNS.iter().position(|column| column.sql == step.column.sql))
    }

    /// The cursor of a row.
    ///
    /// # Errors
    /// When a column has another type than described.
    pub(super) fn cursor_of(&self, row: Row<'_, E>) -> Result<String> {
        let values: Vec<Bind> = self.places().map(|place| row.bind(place)).collect::<Result<_, _>>()?;
        Ok(cursor::write(&self.list, &values))
    }

    /// How many rows the page has at most.
    pub(super) fn size(&self) -> usize {
        usize::try_from(self.travel.size).unwrap_or_default()
    }

    fn order_by(&self, sql: &mut Sql, read: &Read) {
        self.order_by_each(sql, |sql, _, step| push_column(sql, read.viewer(), step.column));
    }

    fn order_by_each(&self, sql: &mut Sql, push: impl Fn(&mut Sql, usize, &Order<E>)) {
        for (index, step) in self.order.iter().enumerate() {
            sql.push(if index == 0 { " order by " } else { ", " });
            push(sql, index, step);
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

impl<E: Entity> Spec<E> {
    /// The page of a root list, which has no parent. For a scope of `EachOf` it is the first rows of each owner, one more than the page
    /// has, merged and cut off.
    fn whole_page(&self, read: &Read, columns: Columns) -> Sql {
        let parts = scope::parts(read.viewer(), &E::SCOPE);
        let mut sql = Sql::new("select ");
        if parts.is_empty() {
            columns.select::<E>(&mut sql, read.viewer());
            self.page(&mut sql, read, "");
            return sql;
        }
        sql.push("* from (");
        for (index, part) in parts.iter().enumerate() {
            sql.push(if index > 0 { " union (select " } else { "(select " });
            columns.select::<E>(&mut sql, read.viewer());
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

    /// The page of a root list beside how many rows the list has: that number, whether there is a row, the steps of the order, and the
    /// row. What is searched for is found once, and kept with whether it lies on the page's side of the cursor.
    fn found_page(&self, read: &Read, columns: Columns) -> Sql {
        let mut sql = Sql::new("with found as materialized (select (");
        match &self.cursor {
            Some(cursor) => cursor::lies(&mut sql, read.viewer(), &self.order, cursor, self.travel.onward()),
            None => sql.push("true"),
        }
        sql.push(") as onward, ");
        for (index, step) in self.order.iter().enumerate() {
            push_column(&mut sql, read.viewer(), step.column);
            sql.push(&format!(" as step{index}, "));
        }
        columns.select::<E>(&mut sql, read.viewer());
        self.selected(&mut sql, read, "");
        sql.push(") select n.n, t.* from (select count(*) from found) n(n) left join lateral (select * from found where onward");
        self.order_by_each(&mut sql, |sql, index, _| sql.push(&format!("step{index}")));
        sql.push(" limit ");
        sql.bind(self.travel.size + 1);
        sql.push(") t on true");
        sql
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

impl<E: Entity> Spec<E> {
    /// The page of the list of all rows, read with these columns.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(super) async fn all(&self, read: &Read, columns: Columns) -> Result<Records<E>> {
        let columns = columns.and(self.columns());
        let rows = read.rows(self.whole_page(read, columns)).await?;
        Ok(Arc::new(rows.into_iter().map(|row| Record::new(row, 0, columns)).collect()))
    }

    /// The page of the list of all rows, and how many rows the whole list has.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(super) async fn all_counted(&self, read: &Read, columns: Columns) -> Result<(Records<E>, i64)> {
        if !self.filter.searches() {
            // An index has the page's rows in their order, which needs not all of the list; and a count needs no columns.
            return try_join(self.all(read, columns), self.count_all(read)).await;
        }
        let columns = columns.and(self.columns());
        let first = 2 + self.order.len();
        let rows = read.rows(self.found_page(read, columns)).await?;
        let total = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
        let mut records = Vec::with_capacity(rows.len());
        for row in rows {
            // Without any on its page the number stands alone.
            if row.try_get::<Option<bool>, _>(1)?.is_some() {
                records.push(Record::new(row, first, columns));
            }
        }
        Ok((Arc::new(records), total))
    }

    /// The pages of many parents, read with these columns, in one statement.
    pub(super) async fn pages(self: &Arc<Self>, read: &Read, keys: Vec<Key>, columns: Columns) -> Found<Key, Records<E>> {
        let (of_batch, spec) = (read.clone(), Arc::clone(self));
        let fetch = move |keys: Vec<Key>, wanted: u64| {
            let (read, spec, columns) = (of_batch.clone(), Arc::clone(&spec), Columns::of_bits(wanted));
            async move {
                let mut sql = Sql::new("select p.key, c.* from ");
                Key::bind_rows(&keys, &mut sql);
                sql.push(" cross join lateral (select ");
                columns.select::<E>(&mut sql, read.viewer());
                spec.page(&mut sql, &read, "p.key");
                sql.push(") c");
                let mut found: HashMap<Key, Vec<Record<E>>> = HashMap::with_capacity(keys.len());
                for row in read.db().rows(sql).await? {
                    found.entry(Key::read(&row, 0)?).or_default().push(Record::new(row, 1, columns));
                }
                Ok(found.into_iter().map(|(key, rows)| (key, Arc::new(rows))).collect())
            }
        };
        let wanted = columns.and(self.columns()).bits();
        read.loaders().load_many(&self.slot("page"), keys, wanted, || Box::new(move |keys, wanted| Box::pin(fetch(keys, wanted)))).await
    }

    /// How many rows the whole list of all rows has.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(super) async fn count_all(&self, read: &Read) -> Result<i64> {
        let mut sql = Sql::new("select count(*)");
        self.selected(&mut sql, read, "");
        read.rows(sql).await?.first().map_or(Ok(0), |row| Ok(row.try_get(0)?))
    }

    /// How many rows the whole lists of many parents have; none is zero.
    pub(super) async fn counts(self: &Arc<Self>, read: &Read, column: &'static str, keys: Vec<Key>) -> Found<Key, i64> {
        let (of_batch, spec) = (read.clone(), Arc::clone(self));
        let fetch = move |keys: Vec<Key>| {
            let (read, spec) = (of_batch.clone(), Arc::clone(&spec));
            async move {
                let mut sql = Sql::new(&format!("select t.{column}, count(*) from {} t where t.{column} = any(", E::TABLE));
                Key::bind_all(&keys, &mut sql);
                sql.push(") and ");
                scope::predicate(&mut sql, read.viewer(), &E::SCOPE, Right::See, "t");
                push_shown::<E>(&mut sql, read.viewer(), column);
                spec.filter.write(&mut sql, read.viewer());
                sql.push(&format!(" group by t.{column}"));
                read.db().rows(sql).await?.iter().map(|row| Ok((Key::read(row, 0)?, row.try_get(1)?))).collect()
            }
        };
        let slot = format!("count {}.{column} {}", E::TABLE, self.list);
        read.loaders().load_many(&slot, keys, 0, || Box::new(move |keys, _wanted| Box::pin(fetch(keys)))).await
    }

    /// Whether there are rows behind a traveller through the list of all rows.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(super) async fn behind_all(&self, read: &Read) -> Result<bool> {
        read.rows(self.passed_any(read)).await?.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
    }

    /// Whether there are rows behind the traveller through a parent's list; of all parents of the request in one statement.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(super) async fn behind(self: &Arc<Self>, read: &Read, key: Key) -> Result<bool> {
        let spec = Arc::clone(self);
        let fetch = move |read: Read, keys: Vec<Key>| {
            let spec = Arc::clone(&spec);
            async move {
                let mut sql = Sql::new("select p.key, ");
                spec.passed(&mut sql, &read, "p.key");
                sql.push(" from unnest(");
                Key::bind_all(&keys, &mut sql);
                sql.push(") p(key)");
                read.db().rows(sql).await?.iter().map(|row| Ok((Key::read(row, 0)?, row.try_get(1)?))).collect()
            }
        };
        Ok(read.batch(&self.slot("behind"), key, fetch).await?.unwrap_or(false))
    }
}
