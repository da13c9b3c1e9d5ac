//! The edge to one row: the rows that many objects name by their keys, in one statement.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::{Context, ContextSelectionSet, Positioned, QueryPathNode, ServerResult, Value};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::core::entity::record::{Columns, Record, Row};
use crate::core::entity::selection::{Follow, Plan, at};
use crate::core::entity::{Entity, Key, answer, from_visible};
use crate::core::error::Result;
use crate::core::loader::Found;
use crate::core::read::Read;
use crate::core::sql::{Bind, Sql};

/// What lies behind an edge to the row of `E` with a value in a column.
pub(crate) struct One<'a, E: Entity> {
    column: &'static str,
    field: &'a Positioned<Field>,
    plan: Plan<'a, E>,
}

impl<'a, E: Entity> One<'a, E> {
    pub(crate) fn of<T>(ctx: &async_graphql::ContextBase<'a, T>, column: &'static str, field: &'a Positioned<Field>) -> Self {
        Self { column, field, plan: Plan::of(&ctx.with_selection_set(&field.node.selection_set)) }
    }
}

impl<E: Entity> Follow for One<'_, E> {
    fn follow<'c>(
        &'c self,
        ctx: &'c ContextSelectionSet<'c>,
        keys: Vec<Bind>,
        names: &'c [QueryPathNode<'c>],
    ) -> BoxFuture<'c, Vec<ServerResult<Value>>> {
        Box::pin(async move {
            let fail = |name, error| answer(&at(ctx, self.field, name), true, Err(error));
            let keys: Vec<Option<Key>> = keys.into_iter().map(Key::of).collect();
            let found = match Read::of(ctx) {
                Ok(read) => records(&read, self.column, keys.iter().flatten().cloned().collect(), self.plan.columns).await,
                Err(error) => return names.iter().map(|name| fail(*name, error.clone())).collect(),
            };
            let found: Vec<Result<Option<&Arc<Record<E>>>>> =
                keys.iter().map(|key| key.as_ref().map_or(Ok(None), |key| found.get(key))).collect();
            let there = found.iter().zip(names).filter_map(|(record, name)| match record {
                Ok(Some(record)) => Some((Row::Read(record.as_ref()), *name)),
                _ => None,
            });
            let (rows, places): (Vec<Row<'_, E>>, Vec<QueryPathNode<'_>>) = there.unzip();
            let mut answers = self.plan.answer(ctx, &rows, &places).await.into_iter();
            let each = found.into_iter().zip(names).map(|(record, name)| match record {
                Ok(None) => Ok(Value::Null),
                Ok(Some(_)) => Ok(or_null(ctx, answers.next())),
                Err(error) => fail(*name, error),
            });
            each.collect()
        })
    }
}

/// The rows of `E` with these values in `column`, as the viewer sees them; one loader per (table, column).
pub(crate) async fn records<E: Entity>(read: &Read, column: &'static str, keys: Vec<Key>, columns: Columns) -> Found<Key, Arc<Record<E>>> {
    let of_batch = read.clone();
    let fetch = move |keys: Vec<Key>, wanted: u64| {
        let (read, columns) = (of_batch.clone(), Columns::of_bits(wanted));
        async move {
            let mut sql = Sql::new("select t.").text(column).text(", ");
            columns.select::<E>(&mut sql, read.viewer());
            from_visible::<E>(&mut sql, read.viewer());
            sql = sql.text(" and t.").text(column).text(" = ");
            Key::bind_any(&keys, &mut sql);
            // Of several rows with one key, the first made is read last and stays.
            sql.push(if column == "id" { "" } else { " order by t.created_at desc, t.id desc" });
            let rows = read.db().rows(sql).await?.into_iter();
            rows.map(|row| Ok((Key::read(&row, 0)?, Arc::new(Record::new(row, 1, columns))))).collect::<Result<HashMap<_, _>>>()
        }
    };
    let slot = format!("one {}.{column}", E::TABLE);
    read.loaders().load_many(&slot, keys, columns.bits(), || Box::new(move |keys, wanted| Box::pin(fetch(keys, wanted)))).await
}

/// The row of `E` with this id, as the viewer sees it, in a batch with its siblings.
///
/// # Errors
/// When the database cannot be asked, or nobody is signed in.
pub async fn by_id<E: Entity>(ctx: &Context<'_>, id: Uuid) -> Result<Option<E>> {
    let key = Key::Uuid(id);
    let found = records::<E>(&Read::of(ctx)?, "id", vec![key.clone()], Columns::all::<E>()).await;
    Ok(found.get(&key)?.map(|record| record.whole()).transpose()?)
}

/// What the field asks of the row of `E` with this id; none when there is none that the viewer sees.
///
/// # Errors
/// When the database cannot be asked, or nobody is signed in.
pub async fn answer_by_id<E: Entity>(ctx: &Context<'_>, id: Uuid) -> Result<Option<Value>> {
    let set = ctx.with_selection_set(&ctx.item.node.selection_set);
    let plan = Plan::<E>::of(&set);
    let key = Key::Uuid(id);
    let found = records::<E>(&Read::of(ctx)?, "id", vec![key.clone()], plan.columns).await;
    let Some(record) = found.get(&key)? else { return Ok(None) };
    let answered = plan.answer(&set, &[Row::Read(record.as_ref())], ctx.path_node.as_slice()).await.pop();
    Ok(Some(or_null(&set, answered)))
}

/// An answer that can be null, and is where something below it failed.
fn or_null(ctx: &ContextSelectionSet<'_>, answered: Option<ServerResult<Value>>) -> Value {
    answered.unwrap_or(Ok(Value::Null)).unwrap_or_else(|error| {
        ctx.add_error(error);
        Value::Null
    })
}
