//! The start of a session: a token for a user who has shown who they are.
//!
//! Always holds: the token and the audit row are made in one transaction with the row read under a lock, so that
//! nobody who is being deactivated slips in. Not here: how they showed it.

use chrono::{DateTime, Utc};
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

/// Begins a session; none when the user is not active, or gone.
///
/// # Errors
/// When the database refuses it.
pub(crate) async fn begin(
    connection: &mut PgConnection,
    key: &TokenKey,
    lifetime: TokenLifetime,
    user: Id<User>,
    request: Option<&str>,
) -> Result<Option<LoginPayload>> {
    let sql = Sql::new("select ")
        .text(&columns::<User>())
        .with(", c.epoch, now() + ", lifetime.0)
        .with(" from \"user\" t join pumphouse.credential c on c.user_id = t.id where t.is_active and t.id = ", user)
        .text(" for share of t");
    let rows = rows_on(connection, sql).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let user = User::from_row(row, 0)?;
    let (epoch, expires_at): (i32, DateTime<Utc>) = (row.try_get(User::COLUMNS.len())?, row.try_get(User::COLUMNS.len() + 1)?);
    let token = key.for_user(user.id.uuid(), epoch, None, expires_at)?;
    let actor = Actor::User { id: user.id.uuid(), email: user.email.clone(), service: false };
    audit::record(connection, &actor, Verb::Login, About::row(user.id).name(Some(&user.email)), request).await?;
    Ok(Some(LoginPayload { access_token: token.text, expires_at: Time(token.expires_at), user }))
}
