//! The kinds of fields beside columns: an edge to one, an edge to many, a wide column, a computed value.
//!
//! Always holds: whatever a field reads is read in a batch with its siblings. Not here: which entity
//! has which field.

use std::collections::HashMap;
use std::marker::PhantomData;

use async_graphql::registry::{MetaField, Registry};
use async_graphql::{Context, InputType, OutputType, ServerError, ServerResult, Value};
use futures_util::future::BoxFuture;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::entity::{Entity, description, from_visible, select_list};
use crate::core::error::{Error, Result, sentence};
use crate::core::page::{self, Page, Parent};
use crate::core::read::Read;
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
}

/// What a batch is keyed by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Uuid(Uuid),
    Text(String),
}

impl Key {
    fn of(bind: Bind) -> Option<Self> {
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

    /// Binds one key as itself and several as `any` of them: so the statement for one has a plan of its own, which is kept. In
    /// a plan for any number PostgreSQL expects ten, and therefore makes a better one for one every time, which takes longer
    /// than to read the row.
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

    /// As [`Key::bind_any`], as a list of rows with the one column `key`.
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
        Error::validation(sentence(&error.message).to_owned()).field(field)
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
    key: fn(&T) -> Bind,
    target: PhantomData<fn() -> E>,
}

/// The edge `name` to the row of `E` whose `column` (its id, one that is unique, or one of which the
/// first made row counts) holds `key`.
pub const fn to_one<T, E>(name: &'static str, column: &'static str, key: fn(&T) -> Bind, description: &'static str) -> ToOne<T, E> {
    ToOne { name, description, column, key, target: PhantomData }
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
        let key = Key::of((self.key)(object));
        Box::pin(async move {
            let Some(key) = key else { return Ok(Value::Null) };
            match load_one::<E>(ctx, self.column, key).await {
                Ok(row) => row.resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item).await,
                Err(error) => answer(ctx, true, Err(error)),
            }
        })
    }
}

/// The row of `E` with this value in `column`, as the viewer sees it; one loader per (table, column).
async fn load_one<E: Entity>(ctx: &Context<'_>, column: &'static str, key: Key) -> Result<Option<E>> {
    let read = Read::of(ctx)?;
    let slot = format!("one {}.{column}", E::TABLE);
    let loaders = read.loaders().clone();
    loaders
        .load(&slot, key, || {
            Box::new(move |keys: Vec<Key>| {
                let read = read.clone();
                Box::pin(async move {
                    let mut sql = Sql::new(&format!("select t.{column}, "));
                    select_list::<E>(&mut sql, read.viewer());
                    from_visible::<E>(&mut sql, read.viewer());
                    sql.push(&format!(" and t.{column} = "));
                    Key::bind_any(&keys, &mut sql);
                    // Of several rows with one key, the first made is read last and stays.
                    sql.push(if column == "id" { "" } else { " order by t.created_at desc, t.id desc" });
                    let rows = read.db().rows(sql).await?;
                    rows.iter().map(|row| Ok((Key::read(row, 0)?, E::from_row(row, 1)?))).collect()
                })
            })
        })
        .await
}

/// The row of `E` with this id, as the viewer sees it, in a batch with its siblings.
///
/// # Errors
/// When the database cannot be asked, or nobody is signed in.
pub async fn by_id<E: Entity>(ctx: &Context<'_>, id: Uuid) -> Result<Option<E>> {
    load_one(ctx, "id", Key::Uuid(id)).await
}

/// The edge to the rows of `C` whose `column` holds this object's key: a connection.
pub struct ToMany<T: 'static, C> {
    name: &'static str,
    description: &'static str,
    from: Option<(&'static str, fn(&T) -> Bind)>,
    target: PhantomData<fn() -> C>,
}

/// The connection `name` to the rows of `C` whose `column` holds `key`.
pub const fn to_many<T, C>(name: &'static str, column: &'static str, key: fn(&T) -> Bind, description: &'static str) -> ToMany<T, C> {
    ToMany { name, description, from: Some((column, key)), target: PhantomData }
}

/// The connection `name` to all rows of `C`.
pub const fn root<T, C>(name: &'static str, description: &'static str) -> ToMany<T, C> {
    ToMany { name, description, from: None, target: PhantomData }
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
            let parent = match self.from {
                None => Parent::All,
                Some((column, key)) => Key::of(key(object)).map_or(Parent::Nobody, |key| Parent::One(column, key)),
            };
            match page::load::<C>(ctx, parent).await {
                Ok(page) => page.resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item).await,
                Err(error) => answer(ctx, false, Err(error)),
            }
        })
    }
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
                Box::new(move |ids: Vec<Uuid>| {
                    let read = read.clone();
                    Box::pin(async move {
                        let mut sql = Sql::new(&format!("select t.id, t.{column}::text from {} t where t.id = any(", E::TABLE))
                            .with("", ids)
                            .text(")");
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
