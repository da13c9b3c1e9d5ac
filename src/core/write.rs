//! Changing things: one mutation is one transaction.
//!
//! Always holds: permission, lock, change and audit row commit together or not at all; a deadlock or
//! serialisation failure runs the whole mutation again, at most three times. What is changed was seen
//! (else `NOT_FOUND`), allowed (else `FORBIDDEN`) and locked, in that order: an update takes the
//! [`Held`] that proves it. Not here: the rules of any entity.

use std::marker::PhantomData;
use std::ops::Deref;

use async_graphql::Context;
use futures_util::future::BoxFuture;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Postgres, Row as _, Transaction};
use uuid::Uuid;

use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity, columns, from_visible, select_list};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};

/// Times a mutation is run again after a deadlock or serialisation failure.
const RETRIES: u32 = 3;

/// The id of the request, for the audit and the log.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// The writing handle: a transaction and who is behind it.
pub struct Write {
    transaction: Transaction<'static, Postgres>,
    viewer: Viewer,
    request: Option<String>,
}

/// Proof of a right to change: the row, locked until the transaction ends.
pub struct Held<E, R> {
    row: E,
    right: PhantomData<R>,
}

/// Marks what may be changed as members of its team do.
pub struct Changeable(());
/// Marks what may be administered.
pub struct Administered(());

impl<E, R> Held<E, R> {
    /// The row as it was when it was locked.
    pub fn into_row(self) -> E {
        self.row
    }
}

impl<E, R> Deref for Held<E, R> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.row
    }
}

/// The body of a mutation.
pub type Mutate<I, T> = for<'a> fn(&'a mut Write, I) -> BoxFuture<'a, Result<T>>;

/// Runs a mutation for the viewer of this request.
///
/// # Errors
/// What the mutation answered; then nothing was changed.
pub async fn write<I: Clone + Send, T: Send>(ctx: &Context<'_>, input: I, mutate: Mutate<I, T>) -> Result<T> {
    let read = Read::of(ctx)?;
    let request = ctx.data_opt::<RequestId>().map(|id| id.0.clone());
    let loaders = read.loaders().clone();
    loaders.alone(transact(read.db(), read.viewer(), request, input, mutate)).await
}

async fn transact<I: Clone + Send, T: Send>(
    db: &Db,
    viewer: &Viewer,
    request: Option<String>,
    input: I,
    mutate: Mutate<I, T>,
) -> Result<T> {
    let mut tries = 0;
    loop {
        let mut write = Write { transaction: db.begin().await?, viewer: viewer.clone(), request: request.clone() };
        let done = match mutate(&mut write, input.clone()).await {
            Ok(answer) => write.transaction.commit().await.map(|()| answer).map_err(Error::from),
            Err(error) => Err(error),
        };
        match done {
            Err(error) if error.is_retryable() && tries < RETRIES => tries += 1,
            done => return done,
        }
    }
}

impl Write {
    /// Who asks.
    #[must_use]
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    pub(crate) fn request(&self) -> Option<&str> {
        self.request.as_deref()
    }

    /// The transaction's connection, for functions that jobs call too.
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }

    /// Runs a statement in the transaction.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn rows(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        rows_on(&mut self.transaction, sql).await
    }

    /// Lets the commit return before it is on disk: for reports that are repeated anyway.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn tolerate_loss(&mut self) -> Result<()> {
        self.rows(Sql::new("set local synchronous_commit = off")).await?;
        Ok(())
    }

    /// A row as this transaction has left it, for the answer of the mutation that changed it.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn reread<E: Entity>(&mut self, id: Id<E>) -> Result<Option<E>> {
        let mut sql = Sql::new("select ");
        sql.push(&columns::<E>());
        let sql = sql.text(" from ").text(E::TABLE).with(" t where t.id = ", id);
        Ok(self.rows(sql).await?.first().map(|row| E::from_row(row, 0)).transpose()?)
    }

    /// The row with this id if the viewer may change it, locked.
    ///
    /// # Errors
    /// `NOT_FOUND` when they do not see it, `FORBIDDEN` when they see it and may not change it.
    pub async fn change<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<Held<E, Changeable>> {
        let row = self.hold(id.uuid(), Right::Change, field).await?;
        Ok(Held { row, right: PhantomData })
    }

    /// The row with this id if the viewer administers it, locked.
    ///
    /// # Errors
    /// `NOT_FOUND` when they do not see it, `FORBIDDEN` when they see it and do not administer it.
    pub async fn administer<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<Held<E, Administered>> {
        let row = self.hold(id.uuid(), Right::Administer, field).await?;
        Ok(Held { row, right: PhantomData })
    }

    async fn hold<E: Entity>(&mut self, id: Uuid, right: Right, field: &str) -> Result<E> {
        let viewer = self.viewer.clone();
        let mut sql = Sql::new("select ");
        scope::predicate(&mut sql, &viewer, &E::SCOPE, right, "t");
        sql.push(", ");
        select_list::<E>(&mut sql, &viewer);
        from_visible::<E>(&mut sql, &viewer);
        let sql = sql.with(" and t.id = ", id).text(" for no key update of t");
        let rows = self.rows(sql).await?;
        let Some(row) = rows.first() else { return Err(Error::not_found(E::NAME).field(field)) };
        if row.try_get::<Option<bool>, _>(0)? != Some(true) {
            return Err(Error::forbidden(format!("You see this {} but may not do this to it.", E::NAME)).field(field));
        }
        Ok(E::from_row(row, 1)?)
    }
}
