//! Signing in and out.
//!
//! Always holds: an unknown email, a wrong password, an inactive user and one without a password give
//! one answer at one cost; a token is shown once, in the answer of the login (domain.md section 1). Not here: how
//! often it may be tried (`throttle.rs`).

use std::time::Duration;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;

use crate::access::User;
use crate::access::session::{self, Shown};
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

/// Who signs in.
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
    /// When it ends.
    pub expires_at: Time,
    /// Who signed in.
    pub user: User,
}

/// The end of a token.
#[derive(SimpleObject)]
pub struct LogoutPayload {
    /// When the token would have ended by itself.
    pub expires_at: Time,
}

/// How this server lets people in, and what is known of a request that wants to.
#[derive(Clone)]
pub struct SignIn {
    /// Signs the token.
    pub key: TokenKey,
    /// How long the token lives.
    pub lifetime: TokenLifetime,
    /// How often a password may be tried.
    pub throttle: Throttle,
}

#[Object]
impl LoginMutation {
    /// Signs in with email and password. `UNAUTHENTICATED` when they do not match an active user. After too many failures
    /// of this account or from this address `RATE_LIMITED`, whether or not there is such an account, with the time to
    /// wait in `details.retryAfterSeconds`. An operation has one password to check at most.
    async fn login(&self, ctx: &Context<'_>, #[graphql(desc = "Who signs in.")] input: LoginInput) -> Result<LoginPayload> {
        let sign_in = SignIn::of(ctx)?;
        // Boxed: it is large.
        let work = Box::pin(login(&sign_in, input));
        context_data::<Loaders>(ctx)?.alone(work).await
    }

    /// Ends the token that this request came with.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        write(ctx, Logout).await
    }
}

impl SignIn {
    /// As the request carries it.
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
/// `UNAUTHENTICATED` when they do not match an active user, `RATE_LIMITED` when that was so too often.
pub async fn login(sign_in: &SignIn, input: LoginInput) -> Result<LoginPayload> {
    const WRONG: &str = "Email or password is wrong.";
    let password = Secret::new(input.password);
    // What is no address is nobody's, which whoever sent it knows.
    let email = email::email(&input.email).ok_or_else(|| Error::unauthenticated(WRONG))?;
    let SignIn { key, lifetime, throttle } = sign_in;
    let attempt = throttle.clone().attempt(email.clone()).await?;
    let sql = "select t.id, t.hashed_password, c.epoch from \"user\" t join pumphouse.credential c on c.user_id = t.id where t.is_active and t.email = ";
    let found = throttle.db.rows(Sql::new(sql).value(email.clone())).await?.into_iter().next();
    let hash: Option<String> = match &found {
        Some(row) => row.try_get(1)?,
        None => None,
    };
    let right = attempt.judge(password, hash, Actor::Claimed(email.clone())).await?;
    let row = found.filter(|_| right).ok_or_else(|| Error::unauthenticated(WRONG))?;
    let shown = Shown { user: row.try_get(0)?, epoch: Some(row.try_get(2)?) };
    let mut transaction = throttle.db.begin().await?;
    Throttle::passed(&mut transaction, &email).await?;
    let session = session::begin(&mut transaction, key, *lifetime, shown, throttle.request.as_deref()).await?;
    transaction.commit().await?;
    session.ok_or_else(|| Error::unauthenticated(WRONG))
}

/// The end of the token that asks for it.
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
