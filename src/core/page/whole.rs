//! Connections as the library answers them: one parent at a time, with all of each row. What `many.rs` does not know comes here.

use std::borrow::Cow;
use std::sync::Arc;

use async_graphql::{Context, Object, TypeName};

use crate::core::entity::record::{Columns, Row};
use crate::core::entity::{Entity, Key};
use crate::core::error::Result;
use crate::core::page::spec::Spec;
use crate::core::page::{Ends, Far, PageInfo};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::sql::Bind;

/// Whose list it is.
#[derive(Clone, Debug)]
enum Parent {
    /// Nobody's: all rows.
    All,
    /// The rows whose column holds this key.
    One(&'static str, Key),
    /// The parent has no key, so the list is empty.
    Nobody,
}

/// One page of a list.
pub struct Page<E: Entity> {
    spec: Arc<Spec<E>>,
    parent: Parent,
    edges: Vec<Edge<E>>,
    /// There are rows beyond the page in the direction of travel.
    more: bool,
}

/// One row of a page with the cursor that points at it.
pub struct Edge<E: Entity> {
    cursor: String,
    node: E,
}

/// Loads the page that the field asks for: of the rows whose column holds this key, or of all.
pub(crate) async fn load<E: Entity>(ctx: &Context<'_>, column: Option<&'static str>, key: Bind) -> Result<Page<E>> {
    let spec = Arc::new(Spec::of(ctx, column)?);
    let parent = column.map_or(Parent::All, |column| Key::of(key).map_or(Parent::Nobody, |key| Parent::One(column, key)));
    Page::load(&Read::of(ctx)?, spec, parent).await
}

impl<E: Entity> Page<E> {
    async fn load(read: &Read, spec: Arc<Spec<E>>, parent: Parent) -> Result<Self> {
        let columns = Columns::all::<E>();
        let records = match &parent {
            Parent::Nobody => Arc::default(),
            Parent::All => spec.all(read, columns).await?,
            Parent::One(_, key) => spec.pages(read, vec![key.clone()], columns).await.get(key)?.cloned().unwrap_or_default(),
        };
        let more = records.len() > spec.size();
        let of_page = records.iter().take(spec.size());
        let mut edges: Vec<Edge<E>> =
            of_page.map(|record| Ok(Edge { cursor: spec.cursor_of(Row::Read(record))?, node: record.whole()? })).collect::<Result<_>>()?;
        if spec.travel.backward {
            edges.reverse();
        }
        Ok(Self { spec, parent, edges, more })
    }

    /// Whether there are rows before the page, or after it: in the direction of travel that is known,
    /// behind the traveller are the rows up to the cursor that the page was asked from.
    fn beyond(&self, read: &Read, before: bool) -> Far {
        if before == self.spec.travel.backward {
            return Far::Known(self.more);
        }
        if self.spec.cursor.is_none() {
            return Far::Known(false);
        }
        let (read, spec, parent) = (read.clone(), Arc::clone(&self.spec), self.parent.clone());
        Far::Ask(Box::new(move || {
            let (read, spec, parent) = (read.clone(), Arc::clone(&spec), parent.clone());
            Box::pin(async move {
                match parent {
                    Parent::Nobody => Ok(false),
                    Parent::All => spec.behind_all(&read).await,
                    Parent::One(_, key) => spec.behind(&read, key).await,
                }
            })
        }))
    }
}

impl<E: Entity> TypeName for Page<E> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", E::NAME).into()
    }
}

impl<E: Entity> TypeName for Edge<E> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", E::NAME).into()
    }
}

/// One page of a list, with cursors to go on from.
#[Object(name_type)]
impl<E: Entity> Page<E> {
    /// The rows of the page, each with its cursor.
    async fn edges(&self) -> Rows<&Edge<E>> {
        Rows(self.edges.iter().collect())
    }

    /// The rows of the page.
    async fn nodes(&self) -> Rows<&E> {
        Rows(self.edges.iter().map(|edge| &edge.node).collect())
    }

    /// Where the page stands in the list.
    async fn page_info(&self, ctx: &Context<'_>) -> Result<PageInfo> {
        let read = Read::of(ctx)?;
        Ok(PageInfo {
            start_cursor: self.edges.first().map(|edge| edge.cursor.clone()),
            end_cursor: self.edges.last().map(|edge| edge.cursor.clone()),
            ends: Ends { before: self.beyond(&read, true), after: self.beyond(&read, false) },
        })
    }

    /// How many rows the whole list has for the viewer, whatever the page; counted only when selected.
    async fn total_count(&self, ctx: &Context<'_>) -> Result<i64> {
        let read = Read::of(ctx)?;
        match &self.parent {
            Parent::Nobody => Ok(0),
            Parent::All => self.spec.count_all(&read).await,
            Parent::One(column, key) => Ok(self.spec.counts(&read, column, vec![key.clone()]).await.get(key)?.copied().unwrap_or(0)),
        }
    }
}

/// One row of a page with the cursor that points at it.
#[Object(name_type)]
impl<E: Entity> Edge<E> {
    /// Where this row stands in the list; pass it as `after` or `before`.
    async fn cursor(&self) -> &str {
        &self.cursor
    }

    /// The row.
    async fn node(&self) -> &E {
        &self.node
    }
}
