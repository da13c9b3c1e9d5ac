//! Reading inside one request: the viewer, the database and the loaders together.
//!
//! Always holds: nothing of the graph is read without a viewer, and every statement that a request
//! runs is known to its loaders.

use async_graphql::Context;
use sqlx::postgres::PgRow;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::loader::Loaders;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;

/// The reading handle of one request.
#[derive(Clone)]
pub struct Read {
    db: Db,
    loaders: Loaders,
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

impl Read {
    /// The handle of the request that this resolver belongs to.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when nobody is signed in.
    pub fn of(ctx: &Context<'_>) -> Result<Self> {
        let viewer = match ctx.data_opt::<Caller>() {
            Some(Caller::Known(viewer)) => viewer.clone(),
            Some(Caller::Nobody) | None => {
                return Err(Error::unauthenticated("Sign in first: send a token as `Authorization: Bearer ...`."));
            }
        };
        let (Some(db), Some(loaders)) = (ctx.data_opt::<Db>(), ctx.data_opt::<Loaders>()) else {
            return Err(Error::internal(std::io::Error::other("the request carries no database")));
        };
        Ok(Self { db: db.clone(), loaders: loaders.clone(), viewer })
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

    /// Runs a resolver's own statement.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses the statement.
    pub async fn rows(&self, sql: Sql) -> Result<Vec<PgRow>> {
        self.loaders.alone(self.db.rows(sql)).await
    }
}
