//! The table that a subscription delivers into: made when it is not there, looked at when it is.
//!
//! Always holds: a table is never dropped or changed, and its rows are never touched unless they are this subscription's. One that
//! is there fits when it has all columns, of types that take what the source has, and needs no others; and when it is empty or
//! holds what this subscription delivered. Not here: rows (`exchange.rs`).

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::worker::columns::identifier;
use crate::worker::handover::Column;
use crate::worker::table_name::quoted;

use super::error::DeliveryError;
use super::ledger::{self, Progress};
use super::shape::Fields;
use super::wanted::Subscription;

/// A field that is to be delivered.
pub(super) struct Field {
    name: String,
    /// Its type when the table is made.
    kind: String,
    base: String,
    nullable: bool,
    key: Option<i32>,
    /// Whether it is a text that a transform made, which any type may understand.
    loose: bool,
}

/// A table that takes rows.
pub(super) struct Ready {
    pub(super) name: String,
    /// Its columns, each with the type that a text becomes, as SQL.
    pub(super) columns: Vec<(String, String)>,
}

/// A column of a table that is there.
#[derive(sqlx::FromRow)]
struct There {
    name: String,
    base: String,
    /// Whether every PostgreSQL has its type.
    plain: bool,
    /// Whether it cannot do without a value.
    needed: bool,
    generated: bool,
}

const COLUMNS: &str =
    "select a.attname::text as name, format_type(a.atttypid, -1) as base, t.typnamespace = 'pg_catalog'::regnamespace as plain,
  a.attnotnull and not a.atthasdef and a.attidentity = '' as needed, a.attgenerated <> '' as generated
from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
where a.attrelid = $1::bigint::oid and a.attnum > 0 and not a.attisdropped order by a.attnum";

/// The fields of rows that go on as they are.
pub(super) fn plain(columns: &[Column]) -> Vec<Field> {
    let field = |column: &Column| {
        let Column { name, kind, base, nullable, key } = column.clone();
        Field { name, kind, base, nullable, key, loose: false }
    };
    columns.iter().map(field).collect()
}

/// The fields that transforms have made: those of the source first, in its order.
pub(super) fn shaped(columns: &[Column], fields: &Fields) -> Vec<Field> {
    let known = columns.iter().filter_map(|column| fields.get_key_value(&column.name));
    let made = fields.iter().filter(|(name, _)| !columns.iter().any(|column| column.name == **name));
    let field = |(name, kind): (&String, &Option<String>)| {
        let source = columns.iter().find(|column| column.name == *name);
        let kind = kind.as_deref().or(source.map(|column| column.kind.as_str())).unwrap_or("text");
        let base = source.filter(|column| column.kind == kind).map_or(kind, |column| column.base.as_str());
        Field { name: name.clone(), kind: kind.to_owned(), base: base.to_owned(), nullable: true, key: None, loose: base == "text" }
    };
    known.chain(made).map(field).collect()
}

/// Makes the table or sees that it fits, and takes it over. Without fields there is nothing to make a table of: none then, unless it
/// is there.
pub(super) async fn ready(
    connection: &mut PgConnection,
    subscription: &Subscription,
    fields: &[Field],
    progress: &mut Progress,
) -> Result<Option<Ready>, DeliveryError> {
    let name = quoted(&subscription.target_table)?;
    let find = "select c.oid::bigint, c.relkind::text from pg_catalog.pg_class c where c.oid = to_regclass($1)";
    let mut found: Option<(i64, String)> = sqlx::query_as(find).bind(&name).fetch_optional(&mut *connection).await?;
    if found.is_none() {
        if fields.is_empty() {
            return Ok(None);
        }
        connection.execute(AssertSqlSafe(create(&name, fields))).await?;
        found = sqlx::query_as(find).bind(&name).fetch_optional(&mut *connection).await?;
    }
    let (id, kind) = found.ok_or(sqlx::Error::RowNotFound)?;
    let unfit = |words: String| DeliveryError::Unfit(format!("table {name} does not fit: {words}"));
    if !matches!(kind.as_str(), "r" | "p") {
        return Err(unfit("it is no table".to_owned()));
    }
    let there: Vec<There> = sqlx::query_as(COLUMNS).bind(id).fetch_all(&mut *connection).await?;
    let columns = fitting(&there, fields).map_err(unfit)?;
    if progress.table_id != Some(id) {
        let full: bool =
            sqlx::query_scalar(AssertSqlSafe(format!("select exists (select from {name})"))).fetch_one(&mut *connection).await?;
        if full {
            return Err(unfit("it has rows that this subscription did not deliver; empty it, or name another table".to_owned()));
        }
        ledger::take_over(connection, &subscription.id, id).await?;
        progress.table_id = Some(id);
    }
    Ok(Some(Ready { name, columns }))
}

/// The statement that makes it: like the source's table, with its key, or as transforms made it.
fn create(name: &str, fields: &[Field]) -> String {
    let column = |field: &Field| format!("{} {}{}", identifier(&field.name), field.kind, if field.nullable { "" } else { " not null" });
    let mut parts: Vec<String> = fields.iter().map(column).collect();
    let mut key: Vec<&Field> = fields.iter().filter(|field| field.key.is_some()).collect();
    key.sort_by_key(|field| field.key);
    if !key.is_empty() {
        parts.push(format!("primary key ({})", key.iter().map(|field| identifier(&field.name)).collect::<Vec<_>>().join(", ")));
    }
    format!("create table {name} ({})", parts.join(", "))
}

/// The columns for the fields, or why there are not such.
fn fitting(there: &[There], fields: &[Field]) -> Result<Vec<(String, String)>, String> {
    let (mut faults, mut columns) = (Vec::new(), Vec::new());
    for field in fields {
        match there.iter().find(|column| column.name == field.name) {
            None => faults.push(format!("it has no column {:?} of type {}", field.name, field.kind)),
            Some(column) if column.generated => faults.push(format!("its column {:?} is generated", field.name)),
            Some(column) if !takes(column, field) => {
                faults.push(format!("its column {:?} is {}, which does not take {}", field.name, column.base, field.kind));
            }
            Some(column) => columns.push((column.name.clone(), column.base.clone())),
        }
    }
    for column in there.iter().filter(|column| column.needed && !fields.is_empty() && !fields.iter().any(|field| field.name == column.name))
    {
        faults.push(format!("its column {:?} must not be null and is not delivered", column.name));
    }
    if faults.is_empty() { Ok(columns) } else { Err(format!("{}; change it, or drop it and it is made anew", faults.join(", "))) }
}

/// Whether every value of the field's type is one of the column's, or each row tells.
fn takes(column: &There, field: &Field) -> bool {
    let wider: &[&str] = match field.base.as_str() {
        "smallint" => &["integer", "bigint", "numeric"],
        "integer" => &["bigint", "numeric"],
        "bigint" => &["numeric"],
        "real" => &["double precision"],
        "json" => &["jsonb"],
        _ => &[],
    };
    let any = matches!(column.base.as_str(), "text" | "character varying") || !column.plain || field.loose;
    any || column.base == field.base || wider.contains(&column.base.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(name: &str, base: &str, needed: bool) -> There {
        There { name: name.to_owned(), base: base.to_owned(), plain: true, needed, generated: false }
    }

    fn column(name: &str, kind: &str, base: &str) -> Column {
        Column { name: name.to_owned(), kind: kind.to_owned(), base: base.to_owned(), nullable: false, key: Some(0) }
    }

    #[test]
    fn a_table_is_made_like_the_source_and_fits_itself() {
        let fields = plain(&[column("id", "bigint", "bigint"), column("say \"hi\"", "numeric(10,2)", "numeric")]);
        let expected = r#"create table "t" ("id" bigint not null, "say ""hi""" numeric(10,2) not null, primary key ("id", "say ""hi"""))"#;
        assert_eq!(create("\"t\"", &fields), expected);
        assert!(fitting(&[there("say \"hi\"", "numeric", true), there("id", "bigint", true)], &fields).is_ok());
    }

    #[test]
    fn what_does_not_fit_is_told_at_once() {
        let fields = plain(&[column("id", "bigint", "bigint"), column("at", "date", "date"), column("gone", "text", "text")]);
        let faults =
            fitting(&[there("id", "integer", true), there("at", "text", false), there("more", "text", true)], &fields).unwrap_err();
        for part in ["\"id\" is integer, which does not take bigint", "no column \"gone\"", "\"more\" must not be null"] {
            assert!(faults.contains(part), "{faults}");
        }
    }

    #[test]
    fn what_transforms_made_has_their_types() {
        let columns = [column("id", "bigint", "bigint"), column("note", "character varying(9)", "character varying")];
        let kinds = [("id", Some("bigint")), ("note", None), ("extra", Some("jsonb")), ("a", None)];
        let fields = kinds.map(|(name, kind)| (name.to_owned(), kind.map(str::to_owned))).into_iter().collect();
        let made: Vec<(String, String)> = shaped(&columns, &fields).into_iter().map(|field| (field.name, field.kind)).collect();
        let expected = [("id", "bigint"), ("note", "character varying(9)"), ("a", "text"), ("extra", "jsonb")];
        assert_eq!(made, expected.map(|(name, kind)| (name.to_owned(), kind.to_owned())));
    }
}
