//! The columns of an entity: what a Rust type means in SQL, in the graph and in a cursor.

use async_graphql::registry::Registry;
use async_graphql::{InputType, InputValueError, OutputType, Pos, Value};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::postgres::PgRow;
use sqlx::{Row as _, ValueRef as _};

use crate::core::error::sentence;
use crate::core::id::Id;
use crate::core::scalars::{BigInt, Date, Time};
use crate::core::sql::{Bind, Kind};

/// One column of `E`.
pub struct Column<E: 'static> {
    /// Its name in SQL.
    pub sql: &'static str,
    /// Its name in the graph.
    pub name: &'static str,
    /// What it means, for the graph.
    pub description: &'static str,
    /// How lists may use it.
    pub flags: Flags,
    /// How its values compare.
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) output: fn(&mut Registry) -> String,
    pub(crate) input: fn(&mut Registry) -> String,
    pub(crate) parse: fn(Value) -> Result<Bind, String>,
    pub(crate) value: fn(&E) -> Value,
    pub(crate) bind: fn(&E) -> Bind,
    /// The same from a row of the database, at a place in it.
    pub(crate) read: fn(&PgRow, usize) -> sqlx::Result<Value>,
    pub(crate) read_bind: fn(&PgRow, usize) -> sqlx::Result<Bind>,
}

/// How lists may use a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Filter by equality, and by a set of values.
    pub filter: bool,
    /// Filter by a range, `from` included and `to` not.
    pub range: bool,
    /// Order by it.
    pub order: bool,
    /// `search` looks in it.
    pub search: bool,
    /// Null for those who see the row only in outline.
    pub outlined: bool,
    /// No column: its SQL is an expression over the row `t`.
    pub computed: bool,
    /// It holds addresses, which are stored in lower case and compare whatever the case (`core/email.rs`).
    pub email: bool,
}

impl Flags {
    /// The flags of a column without any.
    pub const NONE: Self =
        Self { filter: false, range: false, order: false, search: false, outlined: false, computed: false, email: false };

    /// Adds filtering by equality.
    #[must_use]
    pub const fn filter(self) -> Self {
        Self { filter: true, ..self }
    }
    /// Adds filtering by range.
    #[must_use]
    pub const fn range(self) -> Self {
        Self { range: true, ..self }
    }
    /// Adds ordering.
    #[must_use]
    pub const fn order(self) -> Self {
        Self { order: true, ..self }
    }
    /// Adds searching.
    #[must_use]
    pub const fn search(self) -> Self {
        Self { search: true, ..self }
    }
    /// Compares as addresses do.
    #[must_use]
    pub const fn email(self) -> Self {
        Self { email: true, ..self }
    }
    /// Hides the column from those who see the row only in outline.
    #[must_use]
    pub const fn outlined(self) -> Self {
        Self { outlined: true, ..self }
    }
}

impl<E: 'static> Column<E> {
    /// What rows are filtered by though no column holds it: an SQL expression over the row `t`.
    #[must_use]
    pub const fn computed<T: ColumnType>(name: &'static str, sql: &'static str, description: &'static str) -> Self {
        Self {
            sql,
            name,
            description,
            flags: Flags { computed: true, ..Flags::NONE.filter() },
            kind: T::KIND,
            nullable: T::NULLABLE,
            output: T::output,
            input: T::input,
            parse: T::parse,
            value: |_| Value::Null,
            bind: |_| Bind::Null,
            read: T::read,
            read_bind: T::read_bind,
        }
    }
}

/// A Rust type that can stand for a column.
pub trait ColumnType: Clone + Send + Sync + Sized + 'static {
    /// How values compare.
    const KIND: Kind;
    /// Whether NULL is one of the values.
    const NULLABLE: bool = false;

    /// The type in the graph's output.
    fn output(registry: &mut Registry) -> String;
    /// The nullable type in the graph's input.
    fn input(registry: &mut Registry) -> String;
    /// Reads it from a row.
    ///
    /// # Errors
    /// When the column has another type.
    fn get(row: &PgRow, index: usize) -> sqlx::Result<Self>;
    /// The value for an answer.
    fn value(&self) -> Value;
    /// The value for a condition or a cursor.
    fn bind(&self) -> Bind;
    /// The value for an answer, from a row.
    ///
    /// # Errors
    /// When the column has another type.
    fn read(row: &PgRow, index: usize) -> sqlx::Result<Value> {
        Self::get(row, index).map(Self::into_value)
    }
    /// The value for a condition or a cursor, from a row.
    ///
    /// # Errors
    /// When the column has another type.
    fn read_bind(row: &PgRow, index: usize) -> sqlx::Result<Bind> {
        Self::get(row, index).map(|value| value.bind())
    }
    /// The value for an answer, of what is needed for nothing else.
    fn into_value(self) -> Value {
        self.value()
    }
    /// Reads an input.
    ///
    /// # Errors
    /// When the input has another type.
    fn parse(value: Value) -> Result<Bind, String>;
}

/// The sentence of an input error.
pub(crate) fn message<T: InputType>(error: InputValueError<T>) -> String {
    sentence(&error.into_server_error(Pos::default()).message).to_owned()
}

macro_rules! column_type {
    ($type:ty, $graph:ident, $kind:ident, |$it:ident| $to_graph:expr, |$input:ident| $from_graph:expr, |$stored:ident: $read_as:ty| $from_stored:expr $(, |$owned:ident| $into:expr)?) => {
        impl ColumnType for $type {
            const KIND: Kind = Kind::$kind;

            fn output(registry: &mut Registry) -> String {
                <$graph as OutputType>::create_type_info(registry)
            }
            fn input(registry: &mut Registry) -> String {
                <Option<$graph> as InputType>::create_type_info(registry)
            }
            fn get(row: &PgRow, index: usize) -> sqlx::Result<Self> {
                row.try_get::<$read_as, _>(index).map(|$stored| $from_stored)
            }
            fn value(&self) -> Value {
                let $it = self;
                InputType::to_value(&$to_graph)
            }
            $(fn into_value(self) -> Value {
                let $owned = self;
                $into
            })?
            fn bind(&self) -> Bind {
                Bind::$kind(self.clone().into())
            }
            fn parse(value: Value) -> Result<Bind, String> {
                let $input = <$graph as InputType>::parse(Some(value)).map_err(message)?;
                Ok(Bind::$kind($from_graph))
            }
        }
    };
}

// Text is moved into an answer where it can be.
column_type!(String, String, Text, |it| it.clone(), |input| input, |stored: Self| stored, |owned| Value::String(owned));
column_type!(i32, i32, Int, |it| *it, |input| input, |stored: Self| stored);
column_type!(i64, BigInt, BigInt, |it| BigInt(*it), |input| input.0, |stored: Self| stored);
column_type!(DateTime<Utc>, Time, Time, |it| Time(*it), |input| input.0, |stored: Time| stored.0);
column_type!(NaiveDate, Date, Date, |it| Date(*it), |input| input.0, |stored: Date| stored.0);

/// Optional booleans of the reference read NULL as false (domain.md, head).
impl ColumnType for bool {
    const KIND: Kind = Kind::Bool;

    fn output(registry: &mut Registry) -> String {
        <Self as OutputType>::create_type_info(registry)
    }
    fn input(registry: &mut Registry) -> String {
        <Option<Self> as InputType>::create_type_info(registry)
    }
    fn get(row: &PgRow, index: usize) -> sqlx::Result<Self> {
        Ok(row.try_get::<Option<Self>, _>(index)?.unwrap_or(false))
    }
    fn value(&self) -> Value {
        Value::Boolean(*self)
    }
    fn bind(&self) -> Bind {
        Bind::Bool(*self)
    }
    fn parse(value: Value) -> Result<Bind, String> {
        <Self as InputType>::parse(Some(value)).map(Bind::Bool).map_err(message)
    }
}

impl<E: 'static> ColumnType for Id<E> {
    const KIND: Kind = Kind::Uuid;

    fn output(registry: &mut Registry) -> String {
        <async_graphql::ID as OutputType>::create_type_info(registry)
    }
    fn input(registry: &mut Registry) -> String {
        <Option<async_graphql::ID> as InputType>::create_type_info(registry)
    }
    fn get(row: &PgRow, index: usize) -> sqlx::Result<Self> {
        row.try_get(index)
    }
    fn value(&self) -> Value {
        Value::String(self.uuid().to_string())
    }
    fn bind(&self) -> Bind {
        Bind::Uuid(self.uuid())
    }
    fn parse(value: Value) -> Result<Bind, String> {
        <Self as InputType>::parse(Some(value)).map(|id| Bind::Uuid(id.uuid())).map_err(message)
    }
}

impl<T: ColumnType> ColumnType for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;

    fn output(registry: &mut Registry) -> String {
        T::output(registry).trim_end_matches('!').to_owned()
    }
    fn input(registry: &mut Registry) -> String {
        T::input(registry)
    }
    fn get(row: &PgRow, index: usize) -> sqlx::Result<Self> {
        if row.try_get_raw(index)?.is_null() { Ok(None) } else { T::get(row, index).map(Some) }
    }
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::value)
    }
    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
    }
    fn bind(&self) -> Bind {
        self.as_ref().map_or(Bind::Null, T::bind)
    }
    fn parse(value: Value) -> Result<Bind, String> {
        T::parse(value)
    }
}
