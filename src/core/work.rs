//! The transaction that a mutation works in: its own, or one lent to it by an operation with an idempotency key.
//!
//! Always holds: a lent transaction outlives the mutation, so that the answer is read and kept in it; what a
//! refused mutation has changed is undone to where it began, never more.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use futures_util::lock::{Mutex, MutexGuard, OwnedMutexGuard};
use sqlx::PgConnection;

use crate::core::db::{Db, Transaction, rows_on};
use crate::core::error::{Error, Result};
use crate::core::proof::{RightBasis, Standing};
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;

/// The one transaction of an operation with an idempotency key. Its lock is not `tokio::sync::Mutex`: once a task has used its
/// cooperative budget up, that one answers `Pending` although it is free, and the loaders would take the request for idle.
#[derive(Clone, Debug)]
pub(crate) struct SharedTransaction(Arc<Mutex<Kept>>);

/// A lent transaction and what is known of the mutation in it.
#[derive(Debug)]
pub(crate) struct Kept {
    transaction: Transaction,
    proven: Option<Proven>,
}

/// What a mutation went by: whose right it was, what it hung on, and who owned that.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) viewer: Viewer,
    pub(crate) stake: RightBasis,
    pub(crate) standing: Standing,
}

/// The connection of a [`SharedTransaction`], for one statement.
pub(crate) struct SharedTransactionGuard<'a>(MutexGuard<'a, Kept>);

impl SharedTransaction {
    /// Lends this transaction to everything that the operation does.
    pub(crate) fn new(transaction: Transaction) -> Self {
        Self(Arc::new(Mutex::new(Kept { transaction, proven: None })))
    }

    /// The connection, once nobody else uses it.
    pub(crate) async fn connection(&self) -> SharedTransactionGuard<'_> {
        SharedTransactionGuard(self.0.lock().await)
    }

    /// The transaction back, and what the mutation went by when it had a right.
    ///
    /// # Errors
    /// When part of the operation is still at work.
    pub(crate) fn take_back(self) -> Result<(Transaction, Option<Proven>)> {
        let kept = Arc::into_inner(self.0).ok_or_else(|| Error::invariant("the operation still works"))?.into_inner();
        Ok((kept.transaction, kept.proven))
    }
}

impl Deref for SharedTransactionGuard<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0.transaction
    }
}

impl DerefMut for SharedTransactionGuard<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0.transaction
    }
}

/// What a mutation works in.
pub(crate) enum MutationTransaction {
    /// A transaction of its own.
    Own(Transaction),
    /// The operation's, from a savepoint on.
    Shared(OwnedMutexGuard<Kept>),
}

impl MutationTransaction {
    /// Begins.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub(crate) async fn begin(db: &Db) -> Result<Self> {
        let Some(SharedTransaction(kept)) = db.key() else {
            return Ok(Self::Own(db.begin().await?));
        };
        let mut kept = Arc::clone(kept).lock_owned().await;
        // What an attempt before this one went by counts no more.
        kept.proven = None;
        let mut work = Self::Shared(kept);
        rows_on(&mut work, Sql::new("savepoint mutation")).await?;
        Ok(work)
    }

    /// Remembers what the mutation goes by, where the answer is kept.
    ///
    /// # Errors
    /// When the owners cannot be read.
    pub(crate) async fn note(&mut self, viewer: &Viewer, stake: &RightBasis) -> Result<()> {
        if let Self::Shared(kept) = self {
            let standing = Standing::of(&mut kept.transaction, stake.clone()).await?;
            kept.proven = Some(Proven { viewer: viewer.clone(), stake: stake.clone(), standing });
        }
        Ok(())
    }

    /// Keeps what was done, or undoes it when it was refused.
    ///
    /// # Errors
    /// The refusal, or what kept the transaction from committing.
    pub(crate) async fn end<T>(self, done: Result<T>) -> Result<T> {
        match (self, done) {
            (Self::Own(transaction), Ok(answer)) => Ok(transaction.commit().await.map(|()| answer)?),
            (Self::Own(_rolls_back), Err(refusal)) => Err(refusal),
            (Self::Shared(mut kept), Ok(answer)) => {
                rows_on(&mut kept.transaction, Sql::new("release savepoint mutation")).await?;
                Ok(answer)
            }
            (Self::Shared(mut kept), Err(refusal)) => {
                rows_on(&mut kept.transaction, Sql::new("rollback to savepoint mutation")).await?;
                Err(refusal)
            }
        }
    }
}

impl Deref for MutationTransaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match self {
            Self::Own(transaction) => transaction,
            Self::Shared(kept) => &kept.transaction,
        }
    }
}

impl DerefMut for MutationTransaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match self {
            Self::Own(transaction) => transaction,
            Self::Shared(kept) => &mut kept.transaction,
        }
    }
}
