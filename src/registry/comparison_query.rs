//! Queries on schema documents: whether a schema is compatible, how two versions differ, which document has a content.
//!
//! Always holds: nothing is written, and only callers who see the registry get a text.

use std::time::Duration;

use async_graphql::{Context, Object, SimpleObject};
use similar::{Algorithm, TextDiff};
use sqlx::Row as _;

use crate::core::entity::{Entity as _, by_id};
use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::sql::Sql;
use crate::core::violations::normal;
use crate::registry::document_text::{Text, parse};
use crate::registry::registration::same;
use crate::registry::subject::numbered;
use crate::registry::{SchemaCompatibility, SchemaDocument, SchemaIncompatibility, SchemaType, SchemaVersion, compatibility, store};

/// The time limit for the best diff; after it a coarser one is used.
const PATIENCE: Duration = Duration::from_millis(200);

/// The root fields that compare schemas.
#[derive(Default)]
pub struct ComparisonQuery;

/// Whether a schema is compatible with the versions of a subject.
#[derive(SimpleObject)]
pub struct SchemaCompatibilityCheck {
    /// Whether there are no incompatibilities.
    compatible: bool,
    /// The compatibility that was checked.
    compatibility: SchemaCompatibility,
    /// The incompatibilities, at most 100.
    incompatibilities: Vec<SchemaIncompatibility>,
}

/// The difference between two versions of a subject.
#[derive(SimpleObject)]
pub struct SchemaDiff {
    /// The version that is compared from.
    from: SchemaVersion,
    /// The version that is compared to.
    to: SchemaVersion,
    /// Whether both have the same content.
    identical: bool,
    /// The removed and added lines, as a unified diff of both documents with their keys sorted; empty when they are
    /// identical.
    unified: String,
}

/// An error in `Option<Result<_>>` nulls its field alone; in `Result<_>` it would null the whole answer.
#[Object]
impl ComparisonQuery {
    /// Whether a schema is compatible with the versions of a subject, as `registerSchema` would check it. A subject without
    /// versions accepts any valid schema. `VALIDATION` when the schema itself is invalid.
    async fn check_schema_compatibility(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The subject.")] subject: String,
        #[graphql(name = "type", desc = "The language that the schema is written in.")] kind: SchemaType,
        #[graphql(desc = "The schema, JSON of at most 512 KiB.")] schema: String,
        #[graphql(desc = "The compatibility to judge by; the subject's own when it is not given, by which `NONE` lets anything follow.")]
        compatibility: Option<SchemaCompatibility>,
    ) -> Option<Result<SchemaCompatibilityCheck>> {
        Some(Box::pin(check(ctx, &subject, (kind, schema), compatibility)).await)
    }

    /// How two versions of a subject differ. `NOT_FOUND` with `field` `from` or `to` when there is no such version.
    async fn schema_diff(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The name of the subject.")] subject: String,
        #[graphql(desc = "The number of the version to compare from.")] from: i32,
        #[graphql(desc = "The number of the version to compare to.")] to: i32,
    ) -> Option<Result<SchemaDiff>> {
        Some(diff(ctx, &subject, from, to).await)
    }

    /// The document with the content of this text, regardless of its formatting; its `versions` show where it is used.
    /// `NOT_FOUND` when no such content was ever registered.
    async fn schema_document_by_content(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "type", desc = "The language that the schema is written in.")] kind: SchemaType,
        #[graphql(desc = "The schema, JSON of at most 512 KiB.")] schema: String,
    ) -> Option<Result<SchemaDocument>> {
        Some(by_content(ctx, kind, schema).await)
    }
}

/// Callers without any membership see nothing of the registry.
fn member(ctx: &Context<'_>, entity: &'static str, field: &'static str) -> Result<Read> {
    let read = Read::of(ctx)?;
    if read.viewer().is_superuser() || read.viewer().is_member_anywhere() { Ok(read) } else { Err(Error::no_such(entity).field(field)) }
}

async fn check(
    ctx: &Context<'_>,
    subject: &str,
    (kind, schema): (SchemaType, String),
    asked: Option<SchemaCompatibility>,
) -> Result<SchemaCompatibilityCheck> {
    let mut read = member(ctx, "schema subject", "subject")?;
    let subject = normal(subject);
    let text = read.loaders().clone().alone(Text::judge(kind, schema)).await?;
    let level = match asked {
        Some(level) => level,
        None => store::compatibility(&mut read, &subject).await?,
    };
    let loaders = read.loaders().clone();
    let (_, found) = loaders.alone(Box::pin(compatibility::against(&mut read, &subject, text, level))).await?;
    Ok(SchemaCompatibilityCheck { compatible: found.is_empty(), compatibility: level, incompatibilities: found })
}

async fn diff(ctx: &Context<'_>, subject: &str, from: i32, to: i32) -> Result<SchemaDiff> {
    let read = Read::of(ctx)?;
    let subject = normal(subject);
    let from = numbered(&read, &subject, from, "from").await?;
    let to = numbered(&read, &subject, to, "to").await?;
    let identical = from.schema_id == to.schema_id;
    let mut unified = String::new();
    if !identical {
        let (one, other) = (text_of(&read, &from).await?, text_of(&read, &to).await?);
        let names = [&from, &to].map(|version| format!("{subject} {}", version.version));
        let compared = async { tokio::task::spawn_blocking(move || compare(&one, &other, &names)).await.map_err(Error::internal) };
        unified = read.loaders().alone(compared).await?;
    }
    Ok(SchemaDiff { from, to, identical, unified })
}

async fn text_of(read: &Read, version: &SchemaVersion) -> Result<String> {
    let sql = Sql::new("select schema from schema").with(" where id = ", version.schema_id);
    let rows = read.rows(sql).await?;
    Ok(rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?)
}

fn compare(one: &str, other: &str, [one_name, other_name]: &[String; 2]) -> String {
    let (one, other) = (lines(one), lines(other));
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(&one, &other);
    diff.unified_diff().context_radius(3).header(one_name, other_name).to_string()
}

/// Formats a document with its keys sorted, one value per line; returns invalid JSON unchanged.
fn lines(text: &str) -> String {
    let pretty = parse(text).ok().and_then(|document| serde_json::to_string_pretty(&document).ok());
    pretty.unwrap_or_else(|| text.to_owned()) + "\n"
}

async fn by_content(ctx: &Context<'_>, kind: SchemaType, schema: String) -> Result<SchemaDocument> {
    let missing = || Error::no_such(SchemaDocument::NAME).field("schema");
    let mut read = member(ctx, SchemaDocument::NAME, "schema")?;
    let text = read.loaders().clone().alone(Text::judge(kind, schema)).await?;
    let (id, stored) = store::by_hash(&mut read, &text.hash).await?.ok_or_else(missing)?;
    same(&text.document, &stored).map_err(|_other| missing())?;
    by_id::<SchemaDocument>(ctx, id.uuid()).await?.ok_or_else(missing)
}
