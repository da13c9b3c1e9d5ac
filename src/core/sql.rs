//! A statement being written: text and bound values grow together, so that no value of a client ends up in the text.
//! (Midnights that `throughput/series.rs` works out stand in its text, for PostgreSQL to plan by.)
//!
//! Not here: running it, which is `core/db.rs`.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use sqlx::postgres::PgArguments;
use sqlx::{Arguments as _, Encode, Postgres, Type};
use uuid::Uuid;

/// The first whole year that PostgreSQL's dates and times know. Their last one is beyond what ours can hold.
const EARLIEST_YEAR: i32 = -4712;

/// How much of a statement is told in a trace, in bytes.
const TOLD: usize = 2_000;

/// SQL text with its bound values.
#[derive(Default)]
pub struct Sql {
    text: String,
    arguments: PgArguments,
    bound: usize,
    lists: Vec<(Vec<Uuid>, usize)>,
    failed: Option<sqlx::Error>,
}

impl Sql {
    /// A statement that begins with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Binds a value and appends its placeholder.
    pub fn bind<'q, T: Encode<'q, Postgres> + Type<Postgres>>(&mut self, value: T) {
        if let Err(error) = self.arguments.add(value) {
            self.failed = Some(sqlx::Error::Encode(error));
        }
        self.bound += 1;
        self.text.push('$');
        self.text.push_str(&self.bound.to_string());
    }

    /// Binds a list of ids, or appends the placeholder under which this statement has it already: a viewer's lists can
    /// be long, and stand in many places.
    pub fn bind_list(&mut self, ids: &[Uuid]) {
        if let Some((_, place)) = self.lists.iter().find(|(list, _)| list == ids) {
            self.text.push_str(&format!("${place}"));
            return;
        }
        self.bind(ids.to_vec());
        self.lists.push((ids.to_vec(), self.bound));
    }

    /// Appends that what stands before is one of these. One id is a plain comparison, for which PostgreSQL keeps a generic plan.
    pub fn is_among(&mut self, ids: &[Uuid]) {
        if let [id] = ids {
            self.push(" = ");
            self.bind(*id);
        } else {
            self.push(" = any(");
            self.bind_list(ids);
            self.push(")");
        }
    }

    /// [`Sql::push`] then [`Sql::bind`], for building a statement in one expression.
    #[must_use]
    pub fn with<'q, T: Encode<'q, Postgres> + Type<Postgres>>(mut self, text: &str, value: T) -> Self {
        self.push(text);
        self.bind(value);
        self
    }

    /// [`Sql::bind`], for building a statement in one expression.
    #[must_use]
    pub fn value<'q, T: Encode<'q, Postgres> + Type<Postgres>>(mut self, value: T) -> Self {
        self.bind(value);
        self
    }

    /// Appends text, for building a statement in one expression.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.push(text);
        self
    }

    /// The same with text put before it.
    #[must_use]
    pub fn before(mut self, text: &str) -> Self {
        self.text.insert_str(0, text);
        self
    }

    /// Its first word.
    pub(crate) fn verb(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// Its text, without the values; what is too long for a trace is cut off.
    pub(crate) fn excerpt(&self) -> &str {
        self.text.get(..self.text.floor_char_boundary(TOLD)).unwrap_or_default()
    }

    pub(crate) fn into_parts(self) -> sqlx::Result<(String, PgArguments)> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok((self.text, self.arguments)),
        }
    }
}

/// A value of a column, for conditions and cursors.
#[derive(Clone, Debug, PartialEq)]
pub enum Bind {
    /// SQL NULL.
    Null,
    /// A boolean.
    Bool(bool),
    /// A 32-bit integer.
    Int(i32),
    /// A 64-bit integer.
    BigInt(i64),
    /// Text, or an enumerated value in its stored spelling.
    Text(String),
    /// A UUID.
    Uuid(Uuid),
    /// A point in time.
    Time(DateTime<Utc>),
    /// A calendar day.
    Date(NaiveDate),
}

impl Bind {
    /// Binds the value; `Null` is written as `null`, which only assignments want: a comparison with it has another form.
    pub(crate) fn push(&self, sql: &mut Sql) {
        match self {
            Self::Null => sql.push("null"),
            Self::Bool(value) => sql.bind(*value),
            Self::Int(value) => sql.bind(*value),
            Self::BigInt(value) => sql.bind(*value),
            Self::Text(value) => sql.bind(value.clone()),
            Self::Uuid(value) => sql.bind(*value),
            Self::Time(value) => sql.bind(*value),
            Self::Date(value) => sql.bind(*value),
        }
    }

    /// The form a cursor keeps.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::BigInt(value) => (*value).into(),
            Self::Text(value) => value.as_str().into(),
            Self::Uuid(value) => value.to_string().into(),
            Self::Time(value) => value.timestamp_micros().into(),
            Self::Date(value) => value.to_string().into(),
        }
    }

    /// Reads what [`Bind::to_json`] wrote for a column of this kind.
    pub(crate) fn from_json(kind: Kind, value: &serde_json::Value) -> Option<Self> {
        if value.is_null() {
            return Some(Self::Null);
        }
        Some(match kind {
            Kind::Bool => Self::Bool(value.as_bool()?),
            Kind::Int => Self::Int(value.as_i64()?.try_into().ok()?),
            Kind::BigInt => Self::BigInt(value.as_i64()?),
            Kind::Text => Self::Text(value.as_str()?.to_owned()),
            Kind::Uuid => Self::Uuid(value.as_str()?.parse().ok()?),
            Kind::Time => Self::Time(DateTime::from_timestamp_micros(value.as_i64()?).filter(|time| time.year() >= EARLIEST_YEAR)?),
            Kind::Date => Self::Date(value.as_str()?.parse().ok().filter(|day: &NaiveDate| day.year() >= EARLIEST_YEAR)?),
        })
    }
}

/// The kinds of column values that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `boolean`
    Bool,
    /// `integer`
    Int,
    /// `bigint`
    BigInt,
    /// `varchar` and `text`
    Text,
    /// `uuid`
    Uuid,
    /// `timestamptz`
    Time,
    /// `date`
    Date,
}
