//! Changing your own password.
//!
//! Always holds: the present password is checked, at the cost and under the limits of a login. All earlier tokens are
//! invalid from the commit on, as the database raises the credential's epoch with the password. Not here: passwords set by
//! an operator (`administration.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::login::SignIn;
use crate::access::throttle::Throttle;
use crate::access::token::TokenKey;
use crate::access::{TokenLifetime, User};
use crate::core::audit::{About, Actor};
use crate::core::error::{Error, Result};
use crate::core::password;
use crate::core::proof::CurrentUser;
use crate::core::read::Read;
use crate::core::scalars::Time;
use crate::core::secret::Secret;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Identity;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The mutation of passwords.
#[derive(Default)]
pub struct PasswordMutation;

/// The present and the new password.
#[derive(InputObject, Clone)]
pub struct ChangePasswordInput {
    /// The present password.
    #[graphql(secret)]
    pub current_password: String,
    /// The new password, 8 to 1,000 characters.
    #[graphql(secret)]
    pub new_password: String,
}

/// The token that replaces all earlier ones.
#[derive(SimpleObject)]
pub struct ChangePasswordPayload {
    /// The token to send as `Authorization: Bearer ...` from now on; it is shown this once.
    pub access_token: String,
    /// When it expires.
    pub expires_at: Time,
    /// The user.
    pub user: User,
}

#[Object]
impl PasswordMutation {
    /// Changes the viewer's own password and returns a new token. All earlier tokens are invalidated, including this
    /// request's; sockets opened with one close within seconds. A wrong present password is `VALIDATION` on
    /// `currentPassword` and counts as a failed sign-in, with the same limits (`RATE_LIMITED`). Refused for service
    /// accounts, which have tokens instead (`FORBIDDEN`), and for users who authenticate elsewhere (`CONFLICT`).
    async fn change_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The passwords before and after.")] input: ChangePasswordInput,
    ) -> Result<ChangePasswordPayload> {
        write(ctx, ChangePassword::prepare(ctx, input).await?).await
    }
}

/// A change whose present password was verified. Passwords are hashed beforehand, so no transaction waits for hashing.
#[derive(Clone)]
struct ChangePassword {
    before: String,
    after: String,
    key: TokenKey,
    lifetime: TokenLifetime,
}

impl ChangePassword {
    async fn prepare(ctx: &Context<'_>, input: ChangePasswordInput) -> Result<Self> {
        let (current, new) = (Secret::new(input.current_password), Secret::new(input.new_password));
        let read = Read::of(ctx)?;
        if read.db().key().is_some() {
            return Err(Error::secret_answer());
        }
        let (id, email) = match read.viewer().identity() {
            Identity::User { id, email, service_account: None } => (*id, email.clone()),
            Identity::User { .. } => return Err(Error::forbidden("A service account has tokens and no password.")),
            Identity::Worker { .. } => return Err(Error::no_user()),
        };
        let mut violations = Violations::default();
        if let Some(fault) = password::fault(&new) {
            violations.add("newPassword", fault);
        }
        violations.none()?;
        let sign_in = SignIn::of(ctx)?;
        // Boxed because the future is large.
        read.loaders().alone(Box::pin(Self::confirmed(sign_in, (id, email), current, &new))).await
    }

    async fn confirmed(sign_in: SignIn, (id, email): (Uuid, String), current: Secret<String>, new: &Secret<String>) -> Result<Self> {
        let SignIn { key, lifetime, throttle } = sign_in;
        let sql = Sql::new("select hashed_password from \"user\" where id = ").value(id);
        let attempt = throttle.clone().attempt(email.clone()).await?;
        let before: Option<String> = throttle.db.rows(sql).await?.first().map_or(Ok(None), |row| row.try_get(0))?;
        let Some(before) = before else {
            return Err(Error::conflict("This user authenticates elsewhere and has no password here to change."));
        };
        let actor = Actor::User { id, email, service: false };
        if !attempt.judge(current, Some(before.clone()), actor).await? {
            return Err(Error::validation("This is not the present password.").field("currentPassword"));
        }
        Ok(Self { before, after: password::hash(new).await?, key, lifetime })
    }
}

impl Mutation for ChangePassword {
    type Proof = CurrentUser;
    type Answer = ChangePasswordPayload;
    const LICENSED: bool = false;
    const SECRET: bool = true;

    async fn authorize(&self, w: &mut Write) -> Result<CurrentUser> {
        w.oneself()
    }

    async fn apply(self, w: &mut Write, oneself: CurrentUser) -> Result<ChangePasswordPayload> {
        let sql = Sql::new("update \"user\" set hashed_password = ")
            .value(self.after)
            .with(" where id = ", oneself.id)
            .with(" and hashed_password = ", self.before)
            .text(" returning id");
        if w.rows(sql).await?.is_empty() {
            return Err(Error::conflict("The password was changed meanwhile; sign in again."));
        }
        let user: User = w.reread(oneself.id.into()).await?;
        Throttle::passed(w.connection(), &user.email).await?;
        let sql = Sql::new("select epoch, now() + ").value(self.lifetime.0).with(" from pumphouse.credential where user_id = ", oneself.id);
        let rows = w.rows(sql).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let expires_at: DateTime<Utc> = row.try_get(1)?;
        let token = self.key.for_user(oneself.id, row.try_get(0)?, None, expires_at)?;
        w.record(Verb::ChangePassword, About::row(user.id).name(Some(&user.email)).fields(&["password"]).target(oneself.id)).await?;
        Ok(ChangePasswordPayload { access_token: token.text, expires_at: Time(token.expires_at), user })
    }
}
