//! Reading inside one request: the viewer, the database and the loaders together.
//!
//! Always holds: nothing of the graph is read without a viewer, and every statement that a request
//! runs is known to its loaders.

use std::any::{Any, type_name};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};

use async_graphql::{Context, ContextBase};
use sqlx::postgres::PgRow;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::loader::{Key, Loaders, Value};
use crate::core::lock::lock;
use crate::core::refusals::SESSION_ENDED;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::core::viewers::Viewers;

/// The reading handle of one request.
#[derive(Clone)]
pub struct Read {
    db: Db,
    loaders: Loaders,
    asking: CurrentCaller,
    viewer: Viewer,
}

/// What the server knows of the caller before any rule is asked. A token that is not valid makes no caller.
#[derive(Clone, Debug)]
pub enum Caller {
    /// No token came.
    Nobody,
    /// A valid token came.
    Known(Viewer),
}

impl Caller {
    /// The viewer behind a valid token.
    #[must_use]
    pub fn viewer(&self) -> Option<&Viewer> {
        match self {
            Self::Known(viewer) => Some(viewer),
            Self::Nobody => None,
        }
    }
}

/// Who asks, for everything that a request selects. A live stream outlives the rights that it began with; then they are
/// replaced here.
#[derive(Clone)]
pub struct CurrentCaller(Arc<Mutex<Caller>>);

impl CurrentCaller {
    /// This caller.
    #[must_use]
    pub fn new(caller: Caller) -> Self {
        Self(Arc::new(Mutex::new(caller)))
    }

    fn caller(&self) -> MutexGuard<'_, Caller> {
        lock(&self.0)
    }
}

/// What the server gives every request, such as its settings. Where it is missing nothing is guessed: what one is to be held
/// to may be in it.
///
/// # Errors
/// `INTERNAL` when the request carries none.
pub fn context_data<'a, T: Any + Send + Sync>(ctx: &Context<'a>) -> Result<&'a T> {
    ctx.data_opt().ok_or_else(|| Error::invariant(format!("the request carries no {}", type_name::<T>())))
}

impl Read {
    /// The handle of the request that this place in its document belongs to.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when nobody is signed in.
    pub fn of<T>(ctx: &ContextBase<'_, T>) -> Result<Self> {
        let (Some(db), Some(loaders), Some(asking)) = (ctx.data_opt::<Db>(), ctx.data_opt::<Loaders>(), ctx.data_opt::<CurrentCaller>())
        else {
            return Err(Error::invariant("the request carries no database"));
        };
        let viewer = match &*asking.caller() {
            Caller::Known(viewer) => viewer.clone(),
            Caller::Nobody => return Err(Error::not_signed_in()),
        };
        Ok(Self { db: db.clone(), loaders: loaders.clone(), asking: asking.clone(), viewer })
    }

    /// Asks anew what the viewer may; from here on that holds for all that the request selects, too.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when their token does not count any more.
    pub(crate) async fn renew(&mut self, viewers: &Viewers) -> Result<()> {
        let viewer = viewers.load(&self.db, self.viewer.token()).await?;
        self.go_on_as(viewer.ok_or_else(|| Error::unauthenticated(SESSION_ENDED))?);
        Ok(())
    }

    /// From here on the viewer, with the rights that they have by now, is this one for all that the request selects.
    pub(crate) fn go_on_as(&mut self, viewer: Viewer) {
        self.viewer = viewer;
        *self.asking.caller() = Caller::Known(self.viewer.clone());
        // Batches ask as whoever was first to load through them.
        self.loaders.forget();
    }

    /// Who asks.
    #[must_use]
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// The loaders of the request.
    #[must_use]
    pub fn loaders(&self) -> &Loaders {
        &self.loaders
    }

    pub(crate) fn db(&self) -> &Db {
        &self.db
    }

    /// The value of one key, from the next batch of the loader named `slot`: what `fetch` answers for all keys that wait. Only the
    /// `fetch` of a slot's first load is used.
    ///
    /// # Errors
    /// What the batch's statement answered.
    pub(crate) async fn batch<K: Key, V: Value, F>(
        &self,
        slot: &str,
        key: K,
        fetch: impl Fn(Self, Vec<K>) -> F + Send + Sync + 'static,
    ) -> Result<Option<V>>
    where
        F: Future<Output = Result<HashMap<K, V>>> + Send + 'static,
    {
        let read = self.clone();
        self.loaders.load(slot, key, || Box::new(move |keys, _wanted| Box::pin(fetch(read.clone(), keys)))).await
    }

    /// Runs a resolver's own statement.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses the statement.
    pub async fn rows(&self, sql: Sql) -> Result<Vec<PgRow>> {
        self.loaders.alone(self.db.rows(sql)).await
    }
}
