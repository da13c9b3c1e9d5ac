//! Maps an identity of an OIDC provider to a user, and signs that user in.
//!
//! Always holds:
//! a subject that has signed in before is the same user, even if their address has changed;
//! a new subject is matched only by the address that the provider has verified;
//! a service account is never matched.
//! Not here: verifying the identity with the provider (`oidc.rs`).

use sqlx::{PgConnection, Row as _};

use crate::access::User;
use crate::access::login::{LoginPayload, TokenLifetime};
use crate::access::oidc::Identity;
use crate::access::service_account::MACHINE;
use crate::access::session::{self, Authenticated};
use crate::access::token::TokenKey;
use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::email::email;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::verb::Verb;

/// Signs in the user that the provider has authenticated.
///
/// # Errors
/// `UNAUTHENTICATED` when the identity has no active user and none may be created.
pub async fn sign_in(
    db: &Db,
    key: &TokenKey,
    lifetime: TokenLifetime,
    identity: &Identity,
    creates: bool,
    request: Option<&str>,
) -> Result<LoginPayload> {
    let mut transaction = db.begin().await?;
    let user = match known(&mut transaction, identity).await? {
        Some(user) => user,
        None => match_by_email(&mut transaction, identity, creates, request).await?,
    };
    let session = session::begin(&mut transaction, key, lifetime, Authenticated { user, epoch: None }, request).await?;
    transaction.commit().await?;
    session.ok_or_else(|| Error::unauthenticated("This user is not active; ask an administrator."))
}

async fn known(connection: &mut PgConnection, identity: &Identity) -> Result<Option<Id<User>>> {
    let sql = Sql::new("select user_id from pumphouse.oidc_identity where issuer = ")
        .value(identity.issuer.clone())
        .with(" and subject = ", identity.subject.clone());
    Ok(rows_on(connection, sql).await?.first().map(|row| row.try_get(0)).transpose()?)
}

async fn match_by_email(connection: &mut PgConnection, identity: &Identity, creates: bool, request: Option<&str>) -> Result<Id<User>> {
    let email = identity.verified_email.as_deref().and_then(email);
    let email = email.ok_or_else(|| Error::unauthenticated("The provider of identities has not checked an email address of yours."))?;
    let user = match of_email(connection, &email).await? {
        Some(user) => user,
        None if creates => create(connection, &email, request).await?,
        None => return Err(Error::unauthenticated("There is no user with your email address; ask an administrator.")),
    };
    let sql = Sql::new("insert into pumphouse.oidc_identity (issuer, subject, user_id) values (")
        .value(identity.issuer.clone())
        .with(", ", identity.subject.clone())
        .with(", ", user)
        .text(") on conflict (issuer, subject) do nothing");
    rows_on(connection, sql).await?;
    Ok(user)
}

/// Returns the person with this address; refuses service accounts.
async fn of_email(connection: &mut PgConnection, email: &str) -> Result<Option<Id<User>>> {
    match with_email(connection, email).await? {
        Some((_, true)) => Err(Error::unauthenticated("A service account signs in with its own tokens only.")),
        found => Ok(found.map(|(id, _)| id)),
    }
}

/// Returns the user with this address and whether it is a service account; takes no lock.
pub(super) async fn with_email(connection: &mut PgConnection, email: &str) -> Result<Option<(Id<User>, bool)>> {
    let sql = Sql::new(&format!("select u.id, {MACHINE} from \"user\" u where u.email = ")).value(email.to_owned());
    let rows = rows_on(connection, sql).await?;
    rows.first().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose()
}

/// Creates a user without a password. When a concurrent sign-in of the same person creates it first, returns that user.
async fn create(connection: &mut PgConnection, email: &str, request: Option<&str>) -> Result<Id<User>> {
    let id = Id::<User>::random();
    let sql = Sql::new("insert into \"user\" (id, email, is_active, is_superuser, is_verified, version, updated_at) values (")
        .value(id)
        .with(", ", email.to_owned())
        .text(", true, false, true, 1, now()) on conflict (email) do nothing returning id");
    if rows_on(connection, sql).await?.is_empty() {
        return of_email(connection, email).await?.ok_or_else(|| Error::unavailable("The user is being deleted; try again."));
    }
    let actor = Actor::User { id: id.uuid(), email: email.to_owned(), service: false };
    audit::record(connection, &actor, Verb::Create, About::row(id).name(Some(email)).fields(&["email", "isVerified"]), request).await?;
    Ok(id)
}
