//! Authentication for the server machine itself, without a signed-in user.
//!
//! Not here: sign-in over the network (`login.rs`).

use std::time::Duration;

use sqlx::Row as _;

use crate::access::token::{Token, TokenKey};
use crate::core::db::Db;
use crate::core::email;
use crate::core::error::Result;
use crate::core::password;
use crate::core::secret::Secret;
use crate::core::sql::Sql;

/// Returns whether this email and password match an active user.
///
/// # Errors
/// When a database query fails.
pub async fn signs_in(db: &Db, email: &str, password: &Secret<String>) -> Result<bool> {
    let sql = Sql::new("select hashed_password from \"user\" where is_active and email = ").value(email::email(email));
    let hash: Option<String> = db.rows(sql).await?.first().map_or(Ok(None), |row| row.try_get(0))?;
    let (right, _turn) = password::turn().await?.verify(password, hash).await?;
    Ok(right)
}

/// Returns a token of the oldest superuser, for the server's own requests; `None` when there is no superuser.
///
/// # Errors
/// When a database query fails.
pub async fn superuser_token(db: &Db, key: &TokenKey, lifetime: Duration) -> Result<Option<Token>> {
    let sql = Sql::new("select u.id, c.epoch, now() + ")
        .value(lifetime)
        .text(" from \"user\" u join pumphouse.credential c on c.user_id = u.id")
        .text(" where u.is_active and u.is_superuser order by u.created_at, u.id limit 1");
    match db.rows(sql).await?.first() {
        Some(row) => key.for_user(row.try_get(0)?, row.try_get(1)?, None, row.try_get(2)?).map(Some),
        None => Ok(None),
    }
}
