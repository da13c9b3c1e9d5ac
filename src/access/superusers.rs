//! The rule that an active superuser always remains.
//!
//! Always holds: a transaction that removes one has locked all of them, by id. So two transactions that remove different
//! ones cannot each rely on the other's. Not here: who may remove one.

use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::error::{Error, Result};
use crate::core::sql::Sql;

/// Locks the active superusers and refuses when this user is the only one. Must come before the lock of the user.
///
/// # Errors
/// `CONFLICT` naming the field.
pub(super) async fn ensure_another(connection: &mut PgConnection, user: Uuid, field: &str) -> Result<()> {
    let sql = Sql::new("select id from \"user\" where is_superuser and is_active order by id for no key update");
    let superusers: Vec<Uuid> = rows_on(connection, sql).await?.iter().map(|row| Ok(row.try_get(0)?)).collect::<Result<_>>()?;
    if superusers == [user] {
        let message = "This is the last active superuser; make another one first, so that somebody can still do what only superusers may.";
        return Err(Error::conflict(message).field(field));
    }
    Ok(())
}

/// Locks the envs and teams of a user who is about to be lost as an admin, so that no other transaction counts admins.
///
/// # Errors
/// When a database query fails.
pub(super) async fn lock_memberships(connection: &mut PgConnection, user: Uuid) -> Result<()> {
    for (group, membership) in [("env", "env_member"), ("team", "team_member")] {
        let sql =
            Sql::new(&format!("select g.id from {group} g where g.id in (select m.{group}_id from {membership} m where m.user_id = "))
                .value(user)
                .text(") order by g.id for no key update");
        rows_on(connection, sql).await?;
    }
    Ok(())
}
