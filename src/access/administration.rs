//! User management from the shell. The operator bypasses every rule except that one superuser must remain.
//!
//! Always holds: every change is audited with the command line as its actor. Not here: parsing arguments (`cli/users.rs`).

use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::access::identity;
use crate::access::{User, superusers};
use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::email;
use crate::core::entity::{Entity as _, columns};
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::password;
use crate::core::refusals::EMAIL_TAKEN;
use crate::core::secret::Secret;
use crate::core::sql::Sql;
use crate::core::verb::Verb;

/// Returns the audit actor for shell commands.
pub(super) fn operator() -> Actor {
    Actor::System("command line".to_owned())
}

/// Creates a user, for the command line and for the first start. Returns its id.
///
/// # Errors
/// `CONFLICT` when the email is taken, `VALIDATION` when the email is invalid or the password too short.
pub async fn create_user(db: &Db, email: &str, password: &Secret<String>, superuser: bool) -> Result<Uuid> {
    let email = address(email)?;
    let hash = password::hash(password).await?;
    let id = Id::<User>::random();
    let mut transaction = db.begin().await?;
    let sql =
        Sql::new("insert into \"user\" (id, email, hashed_password, is_active, is_superuser, is_verified, version, updated_at) values (")
            .value(id)
            .with(", ", email.clone())
            .with(", ", hash)
            .with(", true, ", superuser)
            .text(", true, 1, now()) on conflict (email) do nothing returning id");
    if rows_on(&mut transaction, sql).await?.is_empty() {
        return Err(Error::conflict(EMAIL_TAKEN).field("email"));
    }
    let about = About::row(id).name(Some(&email)).fields(&["email", "isSuperuser"]);
    audit::record(&mut transaction, &operator(), Verb::Create, about, None).await?;
    transaction.commit().await?;
    Ok(id.uuid())
}

/// Creates the first superuser when the database has no user. Returns whether one was created.
///
/// # Errors
/// As [`create_user`].
pub async fn first_superuser(db: &Db, email: &str, password: &Secret<String>) -> Result<bool> {
    if !db.rows(Sql::new("select 1 from \"user\" limit 1")).await?.is_empty() {
        return Ok(false);
    }
    match create_user(db, email, password, true).await {
        Ok(_id) => Ok(true),
        // Another replica created it first.
        Err(error) if error.code() == Code::Conflict => Ok(false),
        Err(error) => Err(error),
    }
}

/// A user as the shell lists them.
pub struct Listed {
    /// The user.
    pub user: User,
    /// Whether it can sign in with a password.
    pub has_password: bool,
    /// The name of the service account that this user backs.
    pub service_account: Option<String>,
}

/// All users, by email.
///
/// # Errors
/// When a database query fails.
pub async fn users(db: &Db) -> Result<Vec<Listed>> {
    let sql = Sql::new("select ").text(&columns::<User>()).text(
        ", t.hashed_password is not null, s.name from \"user\" t left join service_account_user s on s.user_id = t.id order by t.email",
    );
    let after = User::COLUMNS.len();
    let listed =
        |row| Ok(Listed { user: User::from_row(row, 0)?, has_password: row.try_get(after)?, service_account: row.try_get(after + 1)? });
    db.rows(sql).await?.iter().map(listed).collect()
}

/// Sets a user's password and invalidates all earlier tokens.
///
/// # Errors
/// `NOT_FOUND` when no user has this email, `CONFLICT` for the user behind a service account, `VALIDATION` when the password
/// is too short.
pub async fn set_password(db: &Db, email: &str, password: &Secret<String>) -> Result<String> {
    let hash = password::hash(password).await?;
    let mut transaction = db.begin().await?;
    let (id, email) = person(&mut transaction, email).await?;
    rows_on(&mut transaction, Sql::new("update \"user\" set hashed_password = ").value(hash).with(" where id = ", id)).await?;
    // A user who was locked out by failed attempts can sign in with the new password.
    super::throttle::Throttle::passed(&mut transaction, &email).await?;
    let about = About::row(id).name(Some(&email)).fields(&["password"]).target(id.uuid());
    audit::record(&mut transaction, &operator(), Verb::ChangePassword, about, None).await?;
    transaction.commit().await?;
    Ok(email)
}

/// Deactivates a user; its tokens and sockets end within seconds. Returns the email, and whether the user was active.
///
/// # Errors
/// `NOT_FOUND` when no user has this email, `CONFLICT` for the last active superuser and the user behind a service account.
pub async fn deactivate(db: &Db, email: &str) -> Result<(String, bool)> {
    let mut transaction = db.begin().await?;
    let (id, email) = person(&mut transaction, email).await?;
    superusers::lock_memberships(&mut transaction, id.uuid()).await?;
    superusers::ensure_another(&mut transaction, id.uuid(), "email").await?;
    let sql = Sql::new("update \"user\" set is_active = false where is_active and id = ").value(id).text(" returning id");
    let changed = !rows_on(&mut transaction, sql).await?.is_empty();
    if changed {
        let about = About::row(id).name(Some(&email)).fields(&["isActive"]).target(id.uuid());
        audit::record(&mut transaction, &operator(), Verb::Update, about, None).await?;
    }
    transaction.commit().await?;
    Ok((email, changed))
}

/// Returns the person with this email, not locked yet.
async fn person(connection: &mut PgConnection, email: &str) -> Result<(Id<User>, String)> {
    let email = address(email)?;
    match identity::with_email(connection, &email).await? {
        None => Err(Error::no_such(User::NAME).field("email")),
        Some((_, true)) => Err(Error::conflict("This user stands behind a service account and changes with it alone.").field("email")),
        Some((id, false)) => Ok((id, email)),
    }
}

fn address(text: &str) -> Result<String> {
    email::email(text).ok_or_else(|| Error::validation("This is not an email address.").field("email"))
}
