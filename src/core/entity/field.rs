//! The kinds of fields beside columns: an edge to one, an edge to many, a wide column, a computed value.
//!
//! Always holds: whatever a field reads is read in a batch with its siblings. Not here: which entity
//! has which field.

use std::collections::HashMap;
use std::marker::PhantomData;

use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaField, Registry};
use async_graphql::{Context, ContextSelectionSet, InputType, OutputType, Positioned, ServerError, ServerResult, Value};
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::one::One;
use crate::core::entity::selection::{Edge, Follow};
use crate::core::entity::{Column, Entity, description};
use crate::core::error::{Error, Result, sentence};
use crate::core::page::{self, Many, Page};
use crate::core::read::Read;
use crate::core::refusals::in_full;
use crate::core::scalars::Json;
use crate::core::scope;
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::Right;

/// A field of objects of type `T`.
pub trait FieldDef<T: ?Sized>: Sync {
    /// Its name in the graph.
    fn name(&self) -> &'static str;
    /// Its type, arguments and description.
    fn meta(&self, registry: &mut Registry) -> MetaField;
    /// Its value for one object.
    fn resolve<'a>(&'a self, object: &'a T, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>>;
    /// How many objects follow it together; none when each resolves it by itself.
    fn edge<'a>(&self, _ctx: &ContextSelectionSet<'a>, _field: &'a Positioned<Field>) -> Option<Edge<'a>> {
        None
    }
}

/// The column of this name in SQL, and its place; that there is one is seen when the program is compiled.
#[expect(clippy::panic, reason = "it ends the compilation, not the program")]
const fn column_of<T: Entity>(sql: &str) -> (usize, &'static Column<T>) {
    let mut columns = T::COLUMNS;
    let mut place = 0;
    while let Some((column, others)) = columns.split_first() {
        if same(column.sql.as_bytes(), sql.as_bytes()) {
            return (place, column);
        }
        columns = others;
        place += 1;
    }
    panic!("an edge starts at a column that the entity does not have")
}

const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let (Some((first, rest)), Some((second, others))) = (one.split_first(), other.split_first()) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

/// What a batch is keyed by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Uuid(Uuid),
    Text(String),
}

impl Key {
    pub(crate) fn of(bind: Bind) -> Option<Self> {
        match bind {
            Bind::Uuid(id) => Some(Self::Uuid(id)),
            Bind::Text(text) => Some(Self::Text(text)),
            _ => None,
        }
    }

    /// Binds all keys as one array; keys of one edge are of one kind.
    pub(crate) fn bind_all(keys: &[Self], sql: &mut Sql) {
        let texts: Vec<String> = keys.iter().filter_map(|key| if let Self::Text(text) = key { Some(text.clone()) } else { None }).collect();
        if texts.is_empty() {
            sql.bind(keys.iter().filter_map(|key| if let Self::Uuid(id) = key { Some(*id) } else { None }).collect::<Vec<_>>());
        } else {
            sql.bind(texts);
        }
    }

    /// Binds one key as itself and several as `any` of them. PostgreSQL's generic plan for `any($1)` assumes ten elements, so that
    /// for one key it plans anew each time, which takes longer than to read the row; a plain `= $1` gets a generic plan that is kept.
    pub(crate) fn bind_any(keys: &[Self], sql: &mut Sql) {
        match keys {
            [Self::Uuid(id)] => sql.bind(*id),
            [Self::Text(text)] => sql.bind(text.clone()),
            keys => {
                sql.push("any(");
                Self::bind_all(keys, sql);
                sql.push(")");
            }
        }
    }

    /// The keys as rows with the one column `key`; one UUID, as ids of parents are, as itself: see [`Key::bind_any`].
    pub(crate) fn bind_rows(keys: &[Self], sql: &mut Sql) {
        if let [Self::Uuid(id)] = keys {
            sql.push("(select ");
            sql.bind(*id);
            sql.push("::uuid) p(key)");
            return;
        }
        sql.push("unnest(");
        Self::bind_all(keys, sql);
        sql.push(") p(key)");
    }

    pub(crate) fn read(row: &sqlx::postgres::PgRow, index: usize) -> sqlx::Result<Self> {
        row.try_get(index).map(Self::Uuid).or_else(|_| row.try_get(index).map(Self::Text))
    }
}

/// Turns our error into the library's, at this field; a nullable field answers null beside it.
pub(crate) fn answer(ctx: &Context<'_>, nullable: bool, result: Result<Value>) -> ServerResult<Value> {
    match result {
        Ok(value) => Ok(value),
        Err(error) => null_or_fail(ctx, nullable, async_graphql::Error::from(error).into_server_error(ctx.item.pos)),
    }
}

/// The argument of this name; one that cannot be read is `VALIDATION`, naming it.
pub(crate) fn argument<T: InputType>(ctx: &Context<'_>, name: &'static str) -> Result<T> {
    ctx.param_value(name, None).map(|(_, value)| value).map_err(|error| {
        let field = match error.extensions.as_ref().and_then(|extensions| extensions.get("field")) {
            Some(Value::String(path)) => path.clone(),
            _ => name.to_owned(),
        };
        Error::validation(in_full(sentence(&error.message))).field(field)
    })
}

fn null_or_fail(ctx: &Context<'_>, nullable: bool, error: ServerError) -> ServerResult<Value> {
    let error = ctx.set_error_path(error);
    if nullable {
        ctx.add_error(error);
        Ok(Value::Null)
    } else {
        Err(error)
    }
}

/// The edge to the row of `E` whose `column` holds this object's key.
pub struct ToOne<T: 'static, E> {
    name: &'static str,
    description: &'static str,
    column: &'static str,
    from: usize,
    key: fn(&T) -> Bind,
    target: PhantomData<fn() -> E>,
}

/// The edge `name` to the row of `E` whose `column` (its id, one that is unique, or one of which the
/// first made row counts) holds what the column `from` of this row does.
pub const fn to_one<T: Entity, E>(name: &'static str, column: &'static str, from: &str, description: &'static str) -> ToOne<T, E> {
    let (from, Column { bind: key, .. }) = column_of::<T>(from);
    ToOne { name, description, column, from, key: *key, target: PhantomData }
}

impl<T: Send + Sync, E: Entity> FieldDef<T> for ToOne<T, E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut field = MetaField::new(self.name, <Option<E> as OutputType>::create_type_info(registry));
        field.description = Some(description(self.description));
        field
    }

    fn resolve<'a>(&'a self, object: &'a T, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        let key = (self.key)(object);
        Box::pin(async move { alone(ctx, &One::<E>::of(ctx, self.column, ctx.item), key).await })
    }

    fn edge<'a>(&self, ctx: &ContextSelectionSet<'a>, field: &'a Positioned<Field>) -> Option<Edge<'a>> {
        Some(Edge { from: self.from, follow: Box::new(One::<E>::of(ctx, self.column, field)) })
    }
}

/// The edge to the rows of `C` whose `column` holds this object's key: a connection.
pub struct ToMany<T: 'static, C> {
    name: &'static str,
    description: &'static str,
    from: Start<T>,
    target: PhantomData<fn() -> C>,
}

/// Whose rows a connection leads to.
enum Start<T> {
    /// All there are.
    All,
    /// Those whose column of this name holds what the column of this object at this place does.
    Column(&'static str, usize, fn(&T) -> Bind),
    /// Those whose column of this name holds this.
    Value(&'static str, fn(&T) -> Bind),
}

/// The connection `name` to the rows of `C` whose `column` holds what the column `from` of this row does.
pub const fn to_many<T: Entity, C>(name: &'static str, column: &'static str, from: &str, description: &'static str) -> ToMany<T, C> {
    let (from, Column { bind: key, .. }) = column_of::<T>(from);
    ToMany { name, description, from: Start::Column(column, from, *key), target: PhantomData }
}

/// The same from an object that is no row.
pub const fn to_many_by<T, C>(name: &'static str, column: &'static str, key: fn(&T) -> Bind, description: &'static str) -> ToMany<T, C> {
    ToMany { name, description, from: Start::Value(column, key), target: PhantomData }
}

/// The connection `name` to all rows of `C`.
pub const fn root<T, C>(name: &'static str, description: &'static str) -> ToMany<T, C> {
    ToMany { name, description, from: Start::All, target: PhantomData }
}

impl<T: Send + Sync, C: Entity> FieldDef<T> for ToMany<T, C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut field = MetaField::new(self.name, <Page<C> as OutputType>::create_type_info(registry));
        field.description = Some(description(self.description));
        field.args = page::arguments::<C>(registry);
        field
    }

    fn resolve<'a>(&'a self, object: &'a T, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move {
            let (column, key) = match self.from {
                Start::All => (None, Bind::Null),
                Start::Column(column, _, key) | Start::Value(column, key) => (Some(column), key(object)),
            };
            if let Some(many) = Many::<C>::of(ctx, column, ctx.item) {
                return alone(ctx, &many, key).await;
            }
            match page::load::<C>(ctx, column, key).await {
                Ok(page) => page.resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item).await,
                Err(error) => answer(ctx, false, Err(error)),
            }
        })
    }

    fn edge<'a>(&self, ctx: &ContextSelectionSet<'a>, field: &'a Positioned<Field>) -> Option<Edge<'a>> {
        let Start::Column(column, from, _) = self.from else { return None };
        Some(Edge { from, follow: Box::new(Many::<C>::of(ctx, Some(column), field)?) })
    }
}

/// What one object finds behind an edge.
async fn alone(ctx: &Context<'_>, edge: &impl Follow, key: Bind) -> ServerResult<Value> {
    let set = ctx.with_selection_set(&ctx.item.node.selection_set);
    edge.follow(&set, vec![key], ctx.path_node.as_slice()).await.pop().unwrap_or(Ok(Value::Null))
}

/// What a wide column holds.
pub enum WideKind<E> {
    /// JSON text, passed on as it is.
    Json,
    /// JSON text that only this function may show: it opens what is sealed and hides what is secret.
    Redacted(fn(&E, &Context<'_>, &str) -> Result<Json>),
    /// Plain text.
    Text,
}

/// A column too wide to be read with every row; read in a batch when it is selected.
pub struct Wide<E: 'static> {
    name: &'static str,
    description: &'static str,
    column: &'static str,
    kind: WideKind<E>,
    nullable: bool,
}

/// The wide column `column` as field `name`.
pub const fn wide<E>(name: &'static str, column: &'static str, kind: WideKind<E>, description: &'static str) -> Wide<E> {
    Wide { name, description, column, kind, nullable: false }
}

impl<E> Wide<E> {
    /// It can be null, by the database or because some viewers see the row only in outline.
    #[must_use]
    pub const fn nullable(self) -> Self {
        Self { nullable: true, ..self }
    }
}

impl<E: Entity> FieldDef<E> for Wide<E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let name = match self.kind {
            WideKind::Json | WideKind::Redacted(_) => Json::create_type_info(registry),
            WideKind::Text => <String as OutputType>::create_type_info(registry),
        };
        let mut field = MetaField::new(self.name, if self.nullable { name.trim_end_matches('!').to_owned() } else { name });
        field.description = Some(description(self.description));
        field
    }

    fn resolve<'a>(&'a self, object: &'a E, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move { answer(ctx, self.nullable, self.load(object, ctx).await) })
    }
}

impl<E: Entity> Wide<E> {
    async fn load(&self, object: &E, ctx: &Context<'_>) -> Result<Value> {
        let read = Read::of(ctx)?;
        let loaders = read.loaders().clone();
        let column = self.column;
        let text: Option<String> = loaders
            .load(&format!("wide {}.{column}", E::TABLE), object.key(), || {
                Box::new(move |ids: Vec<Uuid>, _wanted| {
                    let read = read.clone();
                    Box::pin(async move {
                        let mut sql =
                            Sql::new(&format!("select t.id, t.{column}::text from {} t where t.id = any(", E::TABLE)).value(ids).text(")");
                        if let Some(whole) = E::WHOLE {
                            sql.push(" and ");
                            scope::predicate(&mut sql, read.viewer(), &whole, Right::See, "t");
                        }
                        let mut found = HashMap::new();
                        for row in read.db().rows(sql).await? {
                            if let Some(text) = row.try_get::<Option<String>, _>(1)? {
                                found.insert(row.try_get(0)?, text);
                            }
                        }
                        Ok(found)
                    })
                })
            })
            .await?;
        let Some(text) = text else { return Ok(Value::Null) };
        match self.kind {
            WideKind::Text => Ok(Value::String(text)),
            WideKind::Redacted(redact) => Ok(redact(object, ctx, &text)?.to_value()),
            WideKind::Json => Ok(Json(serde_json::value::RawValue::from_string(text).map_err(Error::internal)?).to_value()),
        }
    }
}

/// A value that the entity's file computes.
pub struct Computed<T: 'static, R: 'static> {
    name: &'static str,
    description: &'static str,
    get: Get<T, R>,
}

type Get<T, R> = for<'a> fn(&'a T, &'a Context<'a>) -> BoxFuture<'a, Result<R>>;

/// The computed field `name`.
pub const fn computed<T, R>(name: &'static str, get: Get<T, R>, description: &'static str) -> Computed<T, R> {
    Computed { name, description, get }
}

impl<T: Send + Sync, R: OutputType + Send + Sync> FieldDef<T> for Computed<T, R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut field = MetaField::new(self.name, R::create_type_info(registry));
        field.description = Some(description(self.description));
        field
    }

    fn resolve<'a>(&'a self, object: &'a T, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move {
            match (self.get)(object, ctx).await {
                Ok(value) => value
                    .resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item)
                    .await
                    .map_err(|error| ctx.set_error_path(error)),
                Err(error) => answer(ctx, !R::qualified_type_name().ends_with('!'), Err(error)),
            }
        })
    }
}
