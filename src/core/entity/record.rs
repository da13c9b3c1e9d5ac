//! Rows of which only the columns were read that somebody asked for.
//!
//! Always holds: a record answers for the columns that it was read with and for no others; what needs more of a row than its
//! columns gets all of it. Not here: who asks for which columns (`selection.rs`).

use std::borrow::Cow;
use std::marker::PhantomData;

use async_graphql::Value;
use sqlx::postgres::PgRow;

use crate::core::entity::{Entity, Key, push_column};
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::Viewer;

/// The most columns that an entity has.
pub(crate) const MOST_COLUMNS: usize = 64;

/// Some columns of an entity, by their places in its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns(u64);

impl Columns {
    /// The id alone: a row is read with it always.
    pub(crate) const ID: Self = Self(1);

    /// All columns of `E`.
    pub(crate) fn all<E: Entity>() -> Self {
        const { assert!(E::COLUMNS.len() <= MOST_COLUMNS, "an entity has more columns than fit") };
        Self(u64::MAX >> (MOST_COLUMNS - E::COLUMNS.len()))
    }

    /// As loaders have them, a bit each.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// From what loaders have.
    pub(crate) fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// These and the one at this place.
    #[must_use]
    pub(crate) fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    /// These and those.
    #[must_use]
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    fn has(self, place: usize) -> bool {
        self.0 & (1 << place) != 0
    }

    /// How many of them stand before this place.
    fn before(self, place: usize) -> usize {
        (self.0 & ((1 << place) - 1)).count_ones() as usize
    }

    /// Appends these columns for the alias `t`, as the viewer sees them.
    pub(crate) fn select<E: Entity>(self, sql: &mut Sql, viewer: &Viewer) {
        for (place, column) in E::COLUMNS.iter().enumerate().filter(|(place, _)| self.has(*place)) {
            if self.before(place) > 0 {
                sql.push(", ");
            }
            push_column(sql, viewer, column);
        }
    }
}

/// A row as the database gave it.
pub(crate) struct Record<E> {
    row: PgRow,
    /// Where its columns begin.
    first: usize,
    columns: Columns,
    entity: PhantomData<fn() -> E>,
}

impl<E: Entity> Record<E> {
    /// A row that was selected with these columns, the first at place `first`.
    pub(crate) fn new(row: PgRow, first: usize, columns: Columns) -> Self {
        Self { row, first, columns, entity: PhantomData }
    }

    /// The value of a column for an answer.
    fn value(&self, place: usize) -> sqlx::Result<Value> {
        self.get(place, |column| column.read)
    }

    /// The value of a column for a condition or a cursor.
    pub(crate) fn bind(&self, place: usize) -> sqlx::Result<Bind> {
        self.get(place, |column| column.read_bind)
    }

    fn get<T>(&self, place: usize, how: impl Fn(&super::Column<E>) -> fn(&PgRow, usize) -> sqlx::Result<T>) -> sqlx::Result<T> {
        let column = E::COLUMNS
            .get(place)
            .filter(|_| self.columns.has(place))
            .ok_or(sqlx::Error::ColumnIndexOutOfBounds { index: place, len: E::COLUMNS.len() })?;
        how(column)(&self.row, self.first + self.columns.before(place))
    }

    /// All of the row, which must have been read.
    pub(crate) fn whole(&self) -> sqlx::Result<E> {
        if self.columns != Columns::all::<E>() {
            return Err(sqlx::Error::ColumnIndexOutOfBounds { index: E::COLUMNS.len(), len: 0 });
        }
        E::from_row(&self.row, self.first)
    }
}

/// A row that is to be answered.
pub(crate) enum Row<'a, E> {
    /// Some columns, as the driver has them.
    Read(&'a Record<E>),
    /// A whole row from elsewhere, such as what a mutation made or a live event carries.
    Made(&'a E),
}

impl<E> Clone for Row<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Row<'_, E> {}

impl<'a, E: Entity> Row<'a, E> {
    /// The value of a column for an answer.
    pub(crate) fn value(self, place: usize) -> sqlx::Result<Value> {
        match self {
            Self::Read(record) => record.value(place),
            Self::Made(row) => Ok(E::COLUMNS.get(place).map_or(Value::Null, |column| (column.value)(row))),
        }
    }

    /// The value of a column for a condition.
    pub(crate) fn bind(self, place: usize) -> sqlx::Result<Bind> {
        match self {
            Self::Read(record) => record.bind(place),
            Self::Made(row) => Ok(E::COLUMNS.get(place).map_or(Bind::Null, |column| (column.bind)(row))),
        }
    }

    /// Its id, which every row is read with.
    pub(crate) fn key(self) -> Option<Key> {
        self.bind(0).ok().and_then(Key::of)
    }

    /// All of the row.
    pub(crate) fn whole(self) -> sqlx::Result<Cow<'a, E>> {
        match self {
            Self::Read(record) => record.whole().map(Cow::Owned),
            Self::Made(row) => Ok(Cow::Borrowed(row)),
        }
    }
}
