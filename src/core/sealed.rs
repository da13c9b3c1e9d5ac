//! Sealed configurations: on their way in, and opened on their way to a reader, redacted, never shown otherwise.

use async_graphql::Context;
use serde_json::Value;
use serde_json::value::RawValue;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::Entity;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::marks::Marks;
use crate::core::read::context_data;
use crate::core::redact::redact;
use crate::core::scalars::Json;
use crate::core::secret::{KeyRing, PlainJson, Secret};
use crate::core::sql::Sql;
use crate::core::write::Write;

/// The configuration that was sealed for the row with this id, as a reader may see it.
pub(crate) fn shown(ctx: &Context<'_>, row: Uuid, sealed: &str, marks: &Marks) -> Result<Json> {
    let plain = open(keys(ctx)?, row, sealed)?;
    let redacted = redact(&plain, marks);
    RawValue::from_string(redacted.to_string()).map(Json).map_err(Error::internal)
}

/// The configuration as it is stored for the row with this id.
pub(crate) fn seal(keys: &KeyRing, row: Uuid, document: &Value) -> Result<String> {
    keys.seal(row, Secret::new(document.to_string()).reveal())
}

/// The configuration in this column of a row, opened; none when there is no such row.
pub(crate) async fn stored<E: Entity>(w: &mut Write, keys: &KeyRing, id: Id<E>, column: &str) -> Result<Option<PlainJson>> {
    let sql = Sql::new("select ").text(column).text("::text from ").text(E::TABLE).with(" where id = ", id);
    let rows = w.rows(sql).await?;
    rows.first().map(|row| open(keys, id.uuid(), row.try_get(0)?)).transpose()
}

/// The configuration that was sealed for the row with this id.
///
/// # Errors
/// When no key of this server opens it.
pub(crate) fn open(keys: &KeyRing, row: Uuid, sealed: &str) -> Result<PlainJson> {
    let plain = keys.open(row, sealed)?;
    // The parser's own words quote what it stumbled over.
    serde_json::from_str(plain.reveal()).map(PlainJson::new).map_err(|_| Error::invariant("a sealed configuration is no JSON"))
}

/// The keys of this server.
pub(crate) fn keys<'a>(ctx: &Context<'a>) -> Result<&'a KeyRing> {
    context_data(ctx)
}
