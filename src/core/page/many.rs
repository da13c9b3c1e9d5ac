//! The edge to a page of rows: the pages of many objects, in one statement.
//!
//! Always holds: it answers as the objects of `whole.rs` do; what it cannot tell without asking anew, such as whether there are
//! rows behind a traveller, it leaves to them.

use std::sync::Arc;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::Field;
use async_graphql::{ContextBase, ContextSelectionSet, Name, Positioned, QueryPathNode, QueryPathSegment, ServerResult, Value};
use futures_util::future::{BoxFuture, join, join_all};

use crate::core::entity::record::{Columns, Record, Row};
use crate::core::entity::selection::{Answers, Follow, Plan, TYPENAME, at, below, fault_at, fields_of, objects};
use crate::core::entity::{Entity, Key, answer};
use crate::core::error::{Error, Result};
use crate::core::loader::Found;
use crate::core::page::spec::{Records, Spec};
use crate::core::read::Read;
use crate::core::sql::Bind;

/// What lies behind an edge to the rows of `C` whose column holds a key, or to all rows.
pub(crate) struct Many<'a, C: Entity> {
    column: Option<&'static str>,
    field: &'a Positioned<Field>,
    spec: Arc<Spec<C>>,
    columns: Columns,
    parts: Vec<(&'a Name, Part<'a, C>)>,
}

/// A part of a connection.
enum Part<'a, C: Entity> {
    Typename,
    Nodes(&'a Positioned<Field>, Plan<'a, C>),
    Edges(&'a Positioned<Field>, Vec<(&'a Name, EdgePart<'a, C>)>),
    PageInfo(Vec<(&'a Name, InfoPart)>),
    Total,
}

enum EdgePart<'a, C: Entity> {
    Typename,
    Cursor,
    Node(&'a Positioned<Field>, Plan<'a, C>),
}

#[derive(Clone, Copy)]
enum InfoPart {
    Typename,
    Start,
    End,
    Before,
    After,
}

/// What was read for many keys.
enum Pages<C> {
    All(Records<C>, i64),
    Each(Found<Key, Records<C>>, Found<Key, i64>),
}

/// One page of them.
struct Sheet<'r, C> {
    /// Its rows, in the order of the list.
    rows: Vec<&'r Record<C>>,
    /// There are rows beyond it in the direction of travel.
    more: bool,
    /// How many rows the whole list has, when that was asked.
    total: i64,
}

impl<'a, C: Entity> Many<'a, C> {
    /// What the field asks; none where the library has to answer it.
    pub(crate) fn of<T>(ctx: &ContextBase<'a, T>, column: Option<&'static str>, field: &'a Positioned<Field>) -> Option<Self> {
        let set = ctx.with_selection_set(&field.node.selection_set);
        let spec = Arc::new(Spec::of(&set.with_field(field), column).ok()?);
        let mut columns = Columns::ID;
        let mut parts = Vec::new();
        for field in fields_of(&set, &format!("{}Connection", C::NAME), &[])? {
            let below = set.with_selection_set(&field.node.selection_set);
            let part = match field.node.name.node.as_str() {
                TYPENAME => Part::Typename,
                "totalCount" => Part::Total,
                "nodes" => {
                    let plan = Plan::of(&below);
                    columns = columns.and(plan.columns);
                    Part::Nodes(field, plan)
                }
                "edges" => Part::Edges(field, edge_parts(&below, &mut columns)?),
                "pageInfo" => Part::PageInfo(info_parts(&below, &spec)?),
                _ => return None,
            };
            parts.push((&field.node.response_key().node, part));
        }
        Some(Self { column, field, spec, columns, parts })
    }

    /// The pages of these keys, and how many rows their lists have, as far as that is asked.
    async fn read(&self, ctx: &ContextSelectionSet<'_>, keys: &[Option<Key>]) -> Result<Pages<C>> {
        let read = Read::of(ctx)?;
        let total = self.parts.iter().any(|(_, part)| matches!(part, Part::Total));
        let rows = self.parts.iter().any(|(_, part)| !matches!(part, Part::Typename | Part::Total));
        let Some(column) = self.column else {
            let (rows, total) = match (rows, total) {
                (true, true) => self.spec.all_counted(&read, self.columns).await?,
                (true, false) => (self.spec.all(&read, self.columns).await?, 0),
                (false, true) => (Arc::default(), self.spec.count_all(&read).await?),
                (false, false) => (Arc::default(), 0),
            };
            return Ok(Pages::All(rows, total));
        };
        let known = |asked: bool| if asked { keys.iter().flatten().cloned().collect() } else { Vec::new() };
        let rows = self.spec.pages(&read, known(rows), self.columns);
        let (rows, totals) = join(rows, self.spec.counts(&read, column, known(total))).await;
        Ok(Pages::Each(rows, totals))
    }

    fn sheet<'r>(&self, pages: &'r Pages<C>, key: Option<&Key>) -> Result<Sheet<'r, C>> {
        let (records, total) = match (pages, key) {
            (Pages::All(records, total), _) => (Some(records), *total),
            (Pages::Each(records, totals), Some(key)) => (records.get(key)?, totals.get(key)?.copied().unwrap_or(0)),
            (Pages::Each(..), None) => (None, 0),
        };
        let records = records.map(|records| records.as_slice()).unwrap_or_default();
        let mut rows: Vec<&Record<C>> = records.iter().take(self.spec.size()).collect();
        if self.spec.travel.backward {
            rows.reverse();
        }
        Ok(Sheet { rows, more: records.len() > self.spec.size(), total })
    }
}

impl<C: Entity> Follow for Many<'_, C> {
    fn follow<'c>(&'c self, ctx: &'c ContextSelectionSet<'c>, keys: Vec<Bind>, names: &'c [QueryPathNode<'c>]) -> BoxFuture<'c, Answers> {
        Box::pin(async move {
            let fail = |error: &Error| names.iter().map(|name| answer(&at(ctx, self.field, *name), false, Err(error.clone()))).collect();
            let keys: Vec<Option<Key>> = keys.into_iter().map(Key::of).collect();
            let pages = match self.read(ctx, &keys).await {
                Ok(pages) => pages,
                Err(error) => return fail(&error),
            };
            let sheets: Vec<Sheet<'_, C>> = match keys.iter().map(|key| self.sheet(&pages, key.as_ref())).collect() {
                Ok(sheets) => sheets,
                Err(error) => return fail(&error),
            };
            let parts = join_all(self.parts.iter().map(|(_, part)| part.answer(ctx, &self.spec, &sheets, names))).await;
            let names_of: Vec<&Name> = self.parts.iter().map(|(name, _)| *name).collect();
            objects(&names_of, parts, sheets.len())
        })
    }
}

impl<C: Entity> Part<'_, C> {
    /// What this part is of each page; `names` are the places of the connections.
    async fn answer<'c>(
        &'c self,
        ctx: &'c ContextSelectionSet<'c>,
        spec: &Spec<C>,
        sheets: &[Sheet<'_, C>],
        names: &[QueryPathNode<'c>],
    ) -> Answers {
        match self {
            Self::Typename => sheets.iter().map(|_| Ok(Value::String(format!("{}Connection", C::NAME)))).collect(),
            Self::Total => sheets.iter().map(|sheet| Ok(Value::from(sheet.total))).collect(),
            Self::PageInfo(parts) => sheets
                .iter()
                .zip(names)
                .map(|(sheet, name)| info(parts, spec, sheet).map_err(|error| fault_at(ctx, *name, error)))
                .collect(),
            Self::Nodes(field, plan) => {
                let lists = below(names, field);
                let places = items(sheets, &lists);
                pack(sheets, plan.answer(ctx, &rows(sheets), &places).await)
            }
            Self::Edges(field, parts) => {
                let lists = below(names, field);
                let places = items(sheets, &lists);
                let rows = rows(sheets);
                let answers = join_all(parts.iter().map(|(_, part)| part.answer(ctx, spec, &rows, &places))).await;
                let names: Vec<&Name> = parts.iter().map(|(name, _)| *name).collect();
                pack(sheets, objects(&names, answers, rows.len()))
            }
        }
    }
}

impl<C: Entity> EdgePart<'_, C> {
    async fn answer<'c>(
        &'c self,
        ctx: &'c ContextSelectionSet<'c>,
        spec: &Spec<C>,
        rows: &[Row<'_, C>],
        places: &[QueryPathNode<'c>],
    ) -> Answers {
        match self {
            Self::Typename => rows.iter().map(|_| Ok(Value::String(format!("{}Edge", C::NAME)))).collect(),
            Self::Cursor => {
                let cursors = rows.iter().zip(places);
                cursors.map(|(row, place)| spec.cursor_of(*row).map(Value::String).map_err(|error| fault_at(ctx, *place, error))).collect()
            }
            Self::Node(field, plan) => plan.answer(ctx, rows, &below(places, field)).await,
        }
    }
}

fn edge_parts<'a, C: Entity>(ctx: &ContextSelectionSet<'a>, columns: &mut Columns) -> Option<Vec<(&'a Name, EdgePart<'a, C>)>> {
    let mut parts = Vec::new();
    for field in fields_of(ctx, &format!("{}Edge", C::NAME), &[])? {
        let part = match field.node.name.node.as_str() {
            TYPENAME => EdgePart::Typename,
            "cursor" => EdgePart::Cursor,
            "node" => {
                let plan = Plan::of(&ctx.with_selection_set(&field.node.selection_set));
                *columns = columns.and(plan.columns);
                EdgePart::Node(field, plan)
            }
            _ => return None,
        };
        parts.push((&field.node.response_key().node, part));
    }
    Some(parts)
}

/// Behind a traveller with a cursor there may be rows, which takes a statement of its own.
fn info_parts<'a, C: Entity>(ctx: &ContextSelectionSet<'a>, spec: &Spec<C>) -> Option<Vec<(&'a Name, InfoPart)>> {
    let unknown = |behind: bool| behind && spec.cursor.is_some();
    let mut parts = Vec::new();
    for field in fields_of(ctx, "PageInfo", &[])? {
        let part = match field.node.name.node.as_str() {
            TYPENAME => InfoPart::Typename,
            "startCursor" => InfoPart::Start,
            "endCursor" => InfoPart::End,
            "hasPreviousPage" if !unknown(!spec.travel.backward) => InfoPart::Before,
            "hasNextPage" if !unknown(spec.travel.backward) => InfoPart::After,
            _ => return None,
        };
        parts.push((&field.node.response_key().node, part));
    }
    Some(parts)
}

fn info<C: Entity>(parts: &[(&Name, InfoPart)], spec: &Spec<C>, sheet: &Sheet<'_, C>) -> Result<Value> {
    let cursor = |record: Option<&&Record<C>>| -> Result<Value> {
        record.map_or(Ok(Value::Null), |record| spec.cursor_of(Row::Read(record)).map(Value::String))
    };
    let mut object = IndexMap::with_capacity(parts.len());
    for (name, part) in parts {
        let value = match part {
            InfoPart::Typename => Value::from("PageInfo"),
            InfoPart::Start => cursor(sheet.rows.first())?,
            InfoPart::End => cursor(sheet.rows.last())?,
            InfoPart::Before => Value::from(sheet.more && spec.travel.backward),
            InfoPart::After => Value::from(sheet.more && !spec.travel.backward),
        };
        object.insert((*name).clone(), value);
    }
    Ok(Value::Object(object))
}

/// The rows of all pages, one after the other.
fn rows<'r, C: Entity>(sheets: &[Sheet<'r, C>]) -> Vec<Row<'r, C>> {
    sheets.iter().flat_map(|sheet| &sheet.rows).map(|record| Row::Read(record)).collect()
}

/// Their places, in the list of each page.
fn items<'c, C>(sheets: &[Sheet<'_, C>], lists: &'c [QueryPathNode<'c>]) -> Vec<QueryPathNode<'c>> {
    let item = |list, index| QueryPathNode { parent: Some(list), segment: QueryPathSegment::Index(index) };
    sheets.iter().zip(lists).flat_map(|(sheet, list)| (0..sheet.rows.len()).map(move |index| item(list, index))).collect()
}

/// The answers of all rows as one list for each page, which fails with the first of its rows that does.
fn pack<C>(sheets: &[Sheet<'_, C>], answers: Answers) -> Answers {
    let mut answers = answers.into_iter();
    let list = |sheet: &Sheet<'_, C>| {
        let of_page: Vec<ServerResult<Value>> = answers.by_ref().take(sheet.rows.len()).collect();
        of_page.into_iter().collect::<ServerResult<Vec<Value>>>().map(Value::List)
    };
    sheets.iter().map(list).collect()
}
