//! Signing in and out.
//!
//! Always holds: an unknown email, a wrong password, an inactive user and a user without a password get the same answer at
//! the same cost. A token is shown once, in the answer to the login (domain.md section 1). Not here: rate limits
//! (`throttle.rs`).

use std::time::Duration;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;

use crate::access::User;
use crate::access::session::{self, Authenticated};
use crate::access::throttle::Throttle;
use crate::access::token::TokenKey;
use crate::core::audit::{About, Actor};
use crate::core::db::Db;
use crate::core::email;
use crate::core::error::{Error, Result};
use crate::core::loader::Loaders;
use crate::core::proof::CurrentUser;
use crate::core::read::context_data;
use crate::core::request::RequestId;
use crate::core::scalars::Time;
use crate::core::secret::Secret;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write, write};

/// How long the tokens of a login live.
#[derive(Clone, Copy, Debug)]
pub struct TokenLifetime(pub Duration);

/// The mutations for signing in and out.
#[derive(Default)]
pub struct LoginMutation;

/// The credentials of a user.
#[derive(InputObject, Clone)]
pub struct LoginInput {
    /// The email address, whatever the case.
    pub email: String,
    /// The password.
    #[graphql(secret)]
    pub password: String,
}

/// A new token.
#[derive(SimpleObject)]
pub struct LoginPayload {
    /// The token to send as `Authorization: Bearer ...`; it is shown this once.
    pub access_token: String,
    /// When the token expires.
    pub expires_at: Time,
    /// The signed-in user.
    pub user: User,
}

/// A revoked token.
#[derive(SimpleObject)]
pub struct LogoutPayload {
    /// When the token would have expired.
    pub expires_at: Time,
}

/// The sign-in settings of this server, and the metadata of a sign-in request.
#[derive(Clone)]
pub struct SignIn {
    /// The key that signs the token.
    pub key: TokenKey,
    /// How long the token lives.
    pub lifetime: TokenLifetime,
    /// How often a password may be tried.
    pub throttle: Throttle,
}

#[Object]
impl LoginMutation {
    /// Signs in with email and password. `UNAUTHENTICATED` when they do not match an active user. `RATE_LIMITED` after too
    /// many failures for this account or from this address, whether or not the account exists, with the time to wait in
    /// `details.retryAfterSeconds`. An operation checks at most one password.
    async fn login(&self, ctx: &Context<'_>, #[graphql(desc = "Who signs in.")] input: LoginInput) -> Result<LoginPayload> {
        let sign_in = SignIn::of(ctx)?;
        // Boxed because the future is large.
        let work = Box::pin(login(&sign_in, input));
        context_data::<Loaders>(ctx)?.alone(work).await
    }

    /// Revokes the token that authenticates this request.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        write(ctx, Logout).await
    }
}

impl SignIn {
    /// Returns the sign-in context of a request.
    pub(super) fn of(ctx: &Context<'_>) -> Result<Self> {
        let throttle = Throttle {
            db: context_data::<Db>(ctx)?.clone(),
            limits: *context_data(ctx)?,
            address: ctx.data_opt().copied(),
            request: ctx.data_opt::<RequestId>().map(|id| id.0.clone()),
        };
        Ok(Self { key: TokenKey::of(ctx)?, lifetime: *context_data(ctx)?, throttle })
    }
}

/// Signs in with email and password.
///
/// # Errors
/// `UNAUTHENTICATED` when they do not match an active user, `RATE_LIMITED` after too many failures.
pub async fn login(sign_in: &SignIn, input: LoginInput) -> Result<LoginPayload> {
    const WRONG_CREDENTIALS: &str = "Email or password is wrong.";
    let password = Secret::new(input.password);
    // An invalid address belongs to no user; the client can tell that by itself.
    let email = email::email(&input.email).ok_or_else(|| Error::unauthenticated(WRONG_CREDENTIALS))?;
    let SignIn { key, lifetime, throttle } = sign_in;
    let attempt = throttle.clone().attempt(email.clone()).await?;
    let sql = "select t.id, t.hashed_password, c.epoch from \"user\" t join pumphouse.credential c on c.user_id = t.id where t.is_active and t.email = ";
    let found = throttle.db.rows(Sql::new(sql).value(email.clone())).await?.into_iter().next();
    let hash: Option<String> = match &found {
        Some(row) => row.try_get(1)?,
        None => None,
    };
    let right = attempt.judge(password, hash, Actor::Claimed(email.clone())).await?;
    let row = found.filter(|_| right).ok_or_else(|| Error::unauthenticated(WRONG_CREDENTIALS))?;
    let shown = Authenticated { user: row.try_get(0)?, epoch: Some(row.try_get(2)?) };
    let mut transaction = throttle.db.begin().await?;
    Throttle::passed(&mut transaction, &email).await?;
    let session = session::begin(&mut transaction, key, *lifetime, shown, throttle.request.as_deref()).await?;
    transaction.commit().await?;
    session.ok_or_else(|| Error::unauthenticated(WRONG_CREDENTIALS))
}

/// Revokes the token that authenticates the request.
#[derive(Clone)]
struct Logout;

impl Mutation for Logout {
    type Proof = CurrentUser;
    type Answer = LogoutPayload;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<CurrentUser> {
        w.oneself()
    }

    async fn apply(self, w: &mut Write, oneself: CurrentUser) -> Result<LogoutPayload> {
        let viewer = w.viewer().clone();
        let sql = Sql::new("insert into pumphouse.revoked_token (token_id, user_id, expires_at) values (")
            .value(viewer.token_id())
            .with(", ", oneself.id)
            .with(", ", viewer.expires_at())
            .text(") on conflict do nothing");
        w.rows(sql).await?;
        w.record(Verb::Logout, About::row::<User>(oneself.id.into())).await?;
        Ok(LogoutPayload { expires_at: Time(viewer.expires_at()) })
    }
}
