//! New values of a row: its columns by their names in the graph, and its JSON documents.
//!
//! Always holds: what does not differ from what is stored is not written, and documents are compared as JSON: spaces and the
//! order of keys are no difference. Not here: what is right and wrong about a value (`core/violations.rs` and the areas).

use async_graphql::MaybeUndefined;
use serde_json::Value;
use sqlx::Row as _;

use crate::core::entity::{Column, ColumnType, Entity, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Exclusive, Held};
use crate::core::sql::{Bind, Sql};
use crate::core::violations::Violations;
use crate::core::write::Write;

/// Values that are to be written.
#[derive(Clone, Debug, Default)]
pub struct Values {
    columns: Vec<(&'static str, Bind)>,
    documents: Vec<Document>,
}

/// A JSON column; none of `text` is SQL's NULL.
#[derive(Clone, Debug)]
struct Document {
    name: &'static str,
    column: &'static str,
    text: Option<String>,
}

impl Values {
    /// Sets a column, by its name in the graph.
    pub fn set(&mut self, name: &'static str, value: Bind) {
        self.columns.push((name, value));
    }

    /// Sets a column when the input gives it a value.
    pub fn given<T: ColumnType>(&mut self, name: &'static str, value: Option<&T>) {
        self.columns.extend(value.map(|value| (name, value.bind())));
    }

    /// Sets a column to what the input says, null included.
    pub fn maybe<T: ColumnType>(&mut self, name: &'static str, value: &MaybeUndefined<T>) {
        match value {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Null => self.set(name, Bind::Null),
            MaybeUndefined::Value(value) => self.set(name, value.bind()),
        }
    }

    /// Sets a column to a line of text that is kept as it is given ([`Violations::line`]), or to null.
    pub fn line(&mut self, violations: &mut Violations, name: &'static str, text: &MaybeUndefined<String>, most: usize) {
        if let MaybeUndefined::Value(text) = text {
            violations.line(name, text, most);
        }
        self.maybe(name, text);
    }

    /// Sets a JSON column, by its names in the graph and in SQL; none is NULL.
    pub fn document(&mut self, name: &'static str, column: &'static str, value: Option<&Value>) {
        self.documents.push(Document { name, column, text: value.map(Value::to_string) });
    }

    /// What a column is set to, if it is.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Bind> {
        self.columns.iter().find(|(set, _)| *set == name).map(|(_, value)| value)
    }

    /// The names of what is set.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(name, _)| *name).chain(self.documents.iter().map(|document| document.name)).collect()
    }

    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.documents.is_empty()
    }
}

impl Write {
    /// Inserts a row and answers it; columns that are not set have the table's default.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn insert<E: Entity>(&mut self, id: Id<E>, values: &Values) -> Result<E> {
        let mut sql = Sql::new("insert into ").text(E::TABLE).text(" as t (id");
        for (name, _) in &values.columns {
            sql.push(", ");
            sql.push(column::<E>(name)?.sql);
        }
        for document in &values.documents {
            sql.push(", ");
            sql.push(document.column);
        }
        let mut sql = sql.with(") values (", id);
        for (_, value) in &values.columns {
            sql.push(", ");
            value.push(&mut sql);
        }
        for document in &values.documents {
            sql = sql.with(", ", document.text.clone()).text("::json");
        }
        self.written(sql.text(")")).await
    }

    /// Those of the values that differ from what the row that is held has.
    ///
    /// # Errors
    /// When the database cannot compare a document.
    pub async fn differing<E: Entity, R: Exclusive>(&mut self, held: &Held<E, R>, values: Values) -> Result<Values> {
        let mut differing = Values::default();
        for (name, value) in values.columns {
            if (column::<E>(name)?.bind)(held) != value {
                differing.columns.push((name, value));
            }
        }
        if values.documents.is_empty() {
            return Ok(differing);
        }
        let mut sql = Sql::new("select ");
        for (index, document) in values.documents.iter().enumerate() {
            sql.push(if index > 0 { ", " } else { "" });
            sql.push(document.column);
            sql = sql.with("::jsonb is distinct from ", document.text.clone()).text("::jsonb");
        }
        let rows = self.rows(sql.text(" from ").text(E::TABLE).with(" where id = ", held.key())).await?;
        let row = rows.first().ok_or_else(|| Error::no_such(E::NAME))?;
        for (index, document) in values.documents.into_iter().enumerate() {
            if row.try_get(index)? {
                differing.documents.push(document);
            }
        }
        Ok(differing)
    }

    /// Writes values into the row that is held, in one statement, and answers the row; writes nothing when there are none.
    ///
    /// # Errors
    /// When the database refuses them.
    pub async fn put<E: Entity, R: Exclusive>(&mut self, held: &Held<E, R>, values: &Values) -> Result<E> {
        if values.is_empty() {
            return self.reread(held.key().into()).await;
        }
        let mut sql = Sql::new("update ").text(E::TABLE).text(" as t set ");
        let mut next = "";
        for (name, value) in &values.columns {
            sql = sql.text(next).text(column::<E>(name)?.sql).text(" = ");
            value.push(&mut sql);
            next = ", ";
        }
        for document in &values.documents {
            sql = sql.text(next).text(document.column).with(" = ", document.text.clone()).text("::json");
            next = ", ";
        }
        self.written(sql.with(" where t.id = ", held.key())).await
    }

    /// Runs a statement that writes one row `t`, and answers that.
    async fn written<E: Entity>(&mut self, sql: Sql) -> Result<E> {
        let rows = self.rows(sql.text(" returning ").text(&columns::<E>())).await?;
        let row = rows.first().ok_or_else(|| Error::no_such(E::NAME))?;
        Ok(E::from_row(row, 0)?)
    }

    /// Sets columns of a row that is held, given by their names in the graph; answers which of them
    /// really changed. Nothing is written when none did.
    ///
    /// # Errors
    /// When the database refuses the new values.
    pub async fn update<E: Entity, R: Exclusive>(
        &mut self,
        held: &Held<E, R>,
        values: &[(&'static str, Bind)],
    ) -> Result<Vec<&'static str>> {
        let values = self.differing(held, Values { columns: values.to_vec(), documents: Vec::new() }).await?;
        if !values.is_empty() {
            self.put(held, &values).await?;
        }
        Ok(values.names())
    }
}

fn column<E: Entity>(name: &str) -> Result<&'static Column<E>> {
    let found = E::COLUMNS.iter().find(|column| column.name == name);
    found.ok_or_else(|| Error::invariant(format!("{} has no column {name}", E::NAME)))
}
