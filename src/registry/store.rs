//! The registry's SQL statements that queries and mutations share.

use std::future::Future;

use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::sql::Sql;
use crate::core::write::Write;
use crate::registry::{SchemaCompatibility, SchemaDocument};

/// Runs statements: a query's request, or a mutation in its transaction.
pub(super) trait Rows: Send {
    fn rows(&mut self, sql: Sql) -> impl Future<Output = Result<Vec<PgRow>>> + Send;
}

impl Rows for Read {
    async fn rows(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        Read::rows(self, sql).await
    }
}

impl Rows for Write {
    async fn rows(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        Write::rows(self, sql).await
    }
}

/// Returns the compatibility that a subject requires of its next version.
pub(super) async fn compatibility(reader: &mut impl Rows, subject: &str) -> Result<SchemaCompatibility> {
    let sql = Sql::new("select compatibility from pumphouse.schema_subject").with(" where subject = ", subject.to_owned());
    reader.rows(sql).await?.first().map_or(Ok(SchemaCompatibility::None), |row| Ok(row.try_get(0)?))
}

/// Returns the document with this hash, and its text.
pub(super) async fn by_hash(reader: &mut impl Rows, hash: &str) -> Result<Option<(Id<SchemaDocument>, String)>> {
    let sql = Sql::new("select id, schema from schema").with(" where hash = ", hash.to_owned());
    reader.rows(sql).await?.first().map_or(Ok(None), |row| Ok(Some((row.try_get(0)?, row.try_get(1)?))))
}
