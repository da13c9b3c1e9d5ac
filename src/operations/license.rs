//! The licence: the latest verdict that was reported.
//!
//! Always holds: there is one row or none, and none means inactive. Not here: what is refused without
//! a licence.

use async_graphql::Context;

use crate::core::entity::{Entity as _, from_visible, select_list};
use crate::core::error::Result;
use crate::core::read::Read;
use crate::core::scope::Scope;
use crate::core::sql::Sql;
use crate::entity;
use chrono::{DateTime, Utc};

entity! {
    /// The latest verdict on the licence of this installation.
    LicenseState in "license_state";
    scope: Scope::SignedIn;
    order: "created_at" Asc;
    columns {
        /// Whether the licence was active.
        license_active: bool;
        /// When the licence ends; null when it does not.
        license_expires_at: Option<DateTime<Utc>>;
        /// When the verdict was reported.
        last_seen_at: DateTime<Utc>;
        /// When it was created.
        created_at: Option<DateTime<Utc>>;
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {}
}

/// The only row there can be.
///
/// # Errors
/// When the database cannot be asked, or nobody is signed in.
pub async fn current_license(ctx: &Context<'_>) -> Result<Option<LicenseState>> {
    let read = Read::of(ctx)?;
    let mut sql = Sql::new("select ");
    select_list::<LicenseState>(&mut sql, read.viewer());
    from_visible::<LicenseState>(&mut sql, read.viewer());
    Ok(read.rows(sql).await?.first().map(|row| LicenseState::from_row(row, 0)).transpose()?)
}
