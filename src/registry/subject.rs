//! Subjects of the registry: a name that groups the versions of a schema.
//!
//! Always holds: a subject exists exactly while it has a version. It has no row, so its name identifies it. Not here:
//! registering and deleting.

use async_graphql::{ComplexObject, Context, Object, SimpleObject};
use futures_util::future::BoxFuture;
use sqlx::Row as _;

use crate::core::cursor;
use crate::core::entity::{
    ColumnType as _, Direction, Entity as _, FieldDef, Filter, Order, computed, from_visible, select_list, to_many_by,
};
use crate::core::error::{Error, Result};
use crate::core::page::{PageInfo, Travel};
use crate::core::read::Read;
use crate::core::sql::Sql;
use crate::object;
use crate::registry::{SchemaCompatibility, SchemaVersion};

/// A subject of the registry.
#[derive(Clone, Debug)]
pub struct SchemaSubject {
    name: String,
    versions: i64,
}

impl SchemaSubject {
    pub(super) fn new(name: String, versions: i64) -> Self {
        Self { name, versions }
    }
}

const FIELDS: &[&dyn FieldDef<SchemaSubject>] = &[
    &computed::<SchemaSubject, String>(
        "name",
        |subject, _| ready(subject.name.clone()),
        "The name, by convention `<topic>-key` or `<topic>-value`.",
    ),
    &computed::<SchemaSubject, i64>("versionCount", |subject, _| ready(subject.versions), "How many versions it has."),
    &computed::<SchemaSubject, SchemaVersion>("latestVersion", |subject, ctx| Box::pin(latest(&subject.name, ctx)), "Its newest version."),
    &computed::<SchemaSubject, SchemaCompatibility>(
        "compatibility",
        |subject, ctx| Box::pin(compatibility(&subject.name, ctx)),
        "What a new version must be able to do with the earlier ones.",
    ),
    &to_many_by::<SchemaSubject, SchemaVersion>("versions", "subject", |subject| subject.name.bind(), "Its versions, newest first."),
];

object!(SchemaSubject, "A subject of the schema registry: a name under which versions of a schema follow one another.", FIELDS);

fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, Result<T>> {
    Box::pin(async { Ok(value) })
}

/// Returns the newest version of a subject, in one statement for all subjects of the request.
async fn latest(name: &str, ctx: &Context<'_>) -> Result<SchemaVersion> {
    let read = Read::of(ctx)?;
    let found = read
        .batch("latest version of subject", name.to_owned(), move |read, names: Vec<String>| async move {
            let mut sql = Sql::new("select distinct on (t.subject) t.subject, ");
            select_list::<SchemaVersion>(&mut sql, read.viewer());
            from_visible::<SchemaVersion>(&mut sql, read.viewer());
            let sql = sql.with(" and t.subject = any(", names).text(") order by t.subject, t.version desc");
            read.db().rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, SchemaVersion::from_row(row, 1)?))).collect()
        })
        .await?;
    found.ok_or_else(|| Error::not_found("schema subject"))
}

/// Returns the compatibility of a subject, in one statement for all subjects of the request.
async fn compatibility(name: &str, ctx: &Context<'_>) -> Result<SchemaCompatibility> {
    let read = Read::of(ctx)?;
    let found = read
        .batch("compatibility of subject", name.to_owned(), move |read, names: Vec<String>| async move {
            let sql =
                Sql::new("select subject, compatibility from pumphouse.schema_subject").with(" where subject = any(", names).text(")");
            read.db().rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await?;
    Ok(found.unwrap_or(SchemaCompatibility::None))
}

/// One page of subjects, with cursors to continue from.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct SchemaSubjectConnection {
    /// The subjects of the page, each with its cursor.
    edges: Vec<SchemaSubjectEdge>,
    /// The subjects of the page.
    nodes: Vec<SchemaSubject>,
    /// The position of the page in the list.
    page_info: PageInfo,
    #[graphql(skip)]
    filter: Filter<SchemaVersion>,
}

/// One subject of a page with the cursor that points at it.
#[derive(SimpleObject)]
pub struct SchemaSubjectEdge {
    /// The cursor of this subject; pass it as `after`.
    cursor: String,
    /// The subject.
    node: SchemaSubject,
}

#[ComplexObject]
impl SchemaSubjectConnection {
    /// The number of subjects in the whole list, regardless of the page; counted only when selected.
    async fn total_count(&self, ctx: &Context<'_>) -> Result<i64> {
        let read = Read::of(ctx)?;
        let mut sql = Sql::new("select count(distinct t.subject)");
        from_visible::<SchemaVersion>(&mut sql, read.viewer());
        self.filter.write(&mut sql, read.viewer());
        read.rows(sql).await?.first().map_or(Ok(0), |row| Ok(row.try_get(0)?))
    }
}

/// The roots that read the registry by subject.
///
/// An error in `Option<Result<_>>` nulls its field alone; in `Result<Option<_>>` it would null the whole answer.
#[derive(Default)]
pub struct SubjectQuery;

#[Object]
impl SubjectQuery {
    /// The subjects of the schema registry, by name.
    async fn schema_subjects(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only subjects whose name contains this text, whatever the case.")] search: Option<String>,
        #[graphql(desc = "This many subjects, at most 200; 50 when it is not given.")] first: Option<i32>,
        #[graphql(desc = "Only subjects after the one with this cursor.")] after: Option<String>,
        #[graphql(desc = "This many subjects from the end or before `before`, at most 200.")] last: Option<i32>,
        #[graphql(desc = "Only subjects before the one with this cursor.")] before: Option<String>,
    ) -> Result<SchemaSubjectConnection> {
        let filter = match search {
            Some(text) => Filter::containing(&text).map_err(|message| Error::validation(message).field("search"))?,
            None => Filter::default(),
        };
        subjects(&Read::of(ctx)?, filter, Travel::new((first, after), (last, before))?).await
    }

    /// The subject of the schema registry with this name. `NOT_FOUND` when it has no version.
    async fn schema_subject(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The name of the subject.")] name: String,
    ) -> Option<Result<SchemaSubject>> {
        Some(subject(ctx, name).await)
    }

    /// One version of a subject of the schema registry. `NOT_FOUND` when there is no such version.
    async fn schema_version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The name of the subject.")] subject: String,
        #[graphql(desc = "The number of the version, counting from 1.")] version: i32,
    ) -> Option<Result<SchemaVersion>> {
        Some(match Read::of(ctx) {
            Ok(read) => numbered(&read, &subject, version, "version").await,
            Err(error) => Err(error),
        })
    }
}

async fn subject(ctx: &Context<'_>, name: String) -> Result<SchemaSubject> {
    let read = Read::of(ctx)?;
    let mut sql = Sql::new("select count(*)");
    from_visible::<SchemaVersion>(&mut sql, read.viewer());
    let sql = sql.with(" and t.subject = ", name.clone());
    let versions: i64 = read.rows(sql).await?.first().map_or(Ok(0), |row| row.try_get(0))?;
    if versions == 0 {
        return Err(Error::not_found("schema subject").field("name"));
    }
    Ok(SchemaSubject { name, versions })
}

/// Returns the version of a subject with this number; `field` is the input field of the number.
pub(super) async fn numbered(read: &Read, subject: &str, version: i32, field: &'static str) -> Result<SchemaVersion> {
    let mut sql = Sql::new("select ");
    select_list::<SchemaVersion>(&mut sql, read.viewer());
    from_visible::<SchemaVersion>(&mut sql, read.viewer());
    let sql = sql.with(" and t.subject = ", subject.to_owned()).with(" and t.version = ", version);
    match read.rows(sql).await?.first() {
        Some(row) => Ok(SchemaVersion::from_row(row, 0)?),
        None => Err(Error::not_found("schema version").field(field)),
    }
}

async fn subjects(read: &Read, filter: Filter<SchemaVersion>, travel: Travel) -> Result<SchemaSubjectConnection> {
    let list = format!("subjects|{}", filter.fingerprint());
    let order: Vec<Order<SchemaVersion>> = SchemaVersion::COLUMNS
        .iter()
        .filter(|column| column.sql == "subject")
        .map(|column| Order { column, direction: Direction::Asc })
        .collect();
    let position = travel.position(&list, &order)?;
    let selected = |sql: &mut Sql| {
        from_visible::<SchemaVersion>(sql, read.viewer());
        filter.write(sql, read.viewer());
    };
    let mut sql = Sql::new("select t.subject, count(*)");
    selected(&mut sql);
    let mut behind = false;
    if let Some(position) = &position {
        sql.push(" and ");
        cursor::lies(&mut sql, read.viewer(), &order, position, travel.onward());
        let mut passed = Sql::new("select exists (select 1");
        selected(&mut passed);
        passed.push(" and ");
        cursor::lies(&mut passed, read.viewer(), &order, position, travel.behind());
        behind = read.rows(passed.text(")")).await?.first().map_or(Ok(false), |row| row.try_get(0))?;
    }
    sql.push(" group by t.subject order by t.subject");
    sql.push(if travel.backward { " desc limit " } else { " limit " });
    sql.bind(travel.size + 1);
    let rows = read.rows(sql).await?;
    let size = usize::try_from(travel.size).unwrap_or_default();
    let more = rows.len() > size;
    let mut nodes: Vec<SchemaSubject> =
        rows.iter().take(size).map(|row| Ok(SchemaSubject { name: row.try_get(0)?, versions: row.try_get(1)? })).collect::<Result<_>>()?;
    let (mut before, mut after) = (behind, more);
    if travel.backward {
        nodes.reverse();
        (before, after) = (more, behind);
    }
    let edges: Vec<SchemaSubjectEdge> =
        nodes.iter().map(|node| SchemaSubjectEdge { cursor: cursor::write(&list, &[node.name.bind()]), node: node.clone() }).collect();
    let ends = [edges.first(), edges.last()].map(|edge| edge.map(|edge| edge.cursor.clone()));
    let [start, end] = ends;
    Ok(SchemaSubjectConnection { page_info: PageInfo::known(start, end, before, after), edges, nodes, filter })
}
