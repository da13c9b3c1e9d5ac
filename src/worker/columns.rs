//! The columns of a table that is read, and the rows as COPY is asked for them.
//!
//! Always holds: the fields of each row are the columns, in order, those that are generated included; of a table that others inherit
//! from, only its own rows are read, as the others are tables of their own; of a partitioned one those of all its partitions.

use sqlx::postgres::PgConnection;

use super::handover::Column;
use super::table_name::{NameError, quoted};

/// What is asked of a relation before it is read; nothing when there is none of this name.
const KIND: &str = "select c.relkind::text from pg_catalog.pg_class c where c.oid = pg_catalog.to_regclass($1)";

/// Its columns. A type that every PostgreSQL has keeps its name, a domain over one has that one's, all others are text.
const COLUMNS: &str = "
select a.attname::text, case when p.plain then pg_catalog.format_type(r.id, r.modifier) else 'text' end,
  case when p.plain then pg_catalog.format_type(r.id, -1) else 'text' end, not a.attnotnull,
  pg_catalog.array_position(i.indkey::int2[], a.attnum)
from pg_catalog.pg_attribute a
join pg_catalog.pg_type t on t.oid = a.atttypid
cross join lateral (select case t.typtype when 'd' then t.typbasetype else t.oid end as id,
  case t.typtype when 'd' then t.typtypmod else a.atttypmod end as modifier) r
join pg_catalog.pg_type b on b.oid = r.id
cross join lateral (select b.typnamespace = 'pg_catalog'::regnamespace and b.typtype in ('b', 'r', 'm') and b.typname not like 'reg%'
  and b.typname not like '\\_reg%' as plain) p
left join pg_catalog.pg_index i on i.indrelid = a.attrelid and i.indisprimary
where a.attrelid = pg_catalog.to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum";

/// The database's clock, in milliseconds since 1970.
pub(super) const CLOCK: &str = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

/// Why a table cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub(super) enum LookError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// A table to be read.
pub(super) struct Relation {
    pub(super) columns: Vec<Column>,
    /// What reads its rows.
    pub(super) statement: String,
    /// When it was looked at, in milliseconds since 1970 by the database's clock.
    pub(super) at: i64,
}

impl Relation {
    /// Looks at the table of this name.
    pub(super) async fn look(connection: &mut PgConnection, name: &str) -> Result<Self, LookError> {
        let name = quoted(name)?;
        let kind: Option<String> = sqlx::query_scalar(KIND).bind(&name).fetch_optional(&mut *connection).await?;
        let rows: Vec<(String, String, String, bool, Option<i32>)> =
            sqlx::query_as(COLUMNS).bind(&name).fetch_all(&mut *connection).await?;
        let columns: Vec<Column> =
            rows.into_iter().map(|(name, kind, base, nullable, key)| Column { name, kind, base, nullable, key }).collect();
        let names: Vec<String> = columns.iter().map(|column| identifier(&column.name)).collect();
        let at = sqlx::query_scalar(CLOCK).fetch_one(connection).await?;
        let (names, own) = (names.join(", "), if kind.as_deref() == Some("r") { "only " } else { "" });
        Ok(Self { columns, statement: format!("copy (select {names} from {own}{name}) to stdout (format csv, header false)"), at })
    }
}

/// A name that is one identifier, whatever it has in it.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
