//! Starting a session: issuing a token for a user who has authenticated.
//!
//! Always holds: the token and its audit row are written in one transaction that holds a lock on the user's row, so a user
//! who is being deactivated cannot sign in. Not here: how the user authenticates.

use sqlx::{PgConnection, Row as _};

use crate::access::User;
use crate::access::login::{LoginPayload, TokenLifetime};
use crate::access::token::TokenKey;
use crate::core::audit::{self, About, Actor};
use crate::core::db::rows_on;
use crate::core::entity::{Entity as _, columns};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::verb::Verb;

/// A user who has authenticated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Authenticated {
    /// The user.
    pub user: Id<User>,
    /// The credential epoch of the password used; `None` when the user signed in without a password.
    pub epoch: Option<i32>,
}

/// Begins a session. Returns `None` when the user is inactive, deleted, or has changed the password since.
///
/// # Errors
/// When a database query fails.
pub(crate) async fn begin(
    connection: &mut PgConnection,
    key: &TokenKey,
    lifetime: TokenLifetime,
    shown: Authenticated,
    request: Option<&str>,
) -> Result<Option<LoginPayload>> {
    let sql = Sql::new("select ")
        .text(&columns::<User>())
        .with(", c.epoch, now() + ", lifetime.0)
        .with(" from \"user\" t join pumphouse.credential c on c.user_id = t.id where t.is_active and t.id = ", shown.user)
        .with(" and coalesce(c.epoch = ", shown.epoch)
        .text(", true) for share of t");
    let rows = rows_on(connection, sql).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let user = User::from_row(row, 0)?;
    let epoch: i32 = row.try_get(User::COLUMNS.len())?;
    let Time(expires_at) = row.try_get(User::COLUMNS.len() + 1)?;
    let token = key.for_user(user.id.uuid(), epoch, None, expires_at)?;
    let actor = Actor::User { id: user.id.uuid(), email: user.email.clone(), service: false };
    audit::record(connection, &actor, Verb::Login, About::row(user.id).name(Some(&user.email)), request).await?;
    Ok(Some(LoginPayload { access_token: token.text, expires_at: Time(token.expires_at), user }))
}
