//! Signing in and out.
//!
//! Always holds: an unknown email, a wrong password, an inactive user and one without a password give
//! one answer at one cost; a token is shown once, in the answer of the login (domain.md section 1).

use std::time::Duration;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::User;
use crate::access::token::TokenKey;
use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::email;
use crate::core::entity::{Entity as _, columns};
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::loader::Loaders;
use crate::core::password;
use crate::core::proof::Oneself;
use crate::core::scalars::Time;
use crate::core::secret::Secret;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, RequestId, Write, write};

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

#[Object]
impl LoginMutation {
    /// Signs in with email and password. `UNAUTHENTICATED` when they do not match an active user.
    async fn login(&self, ctx: &Context<'_>, #[graphql(desc = "Who signs in.")] input: LoginInput) -> Result<LoginPayload> {
        let (Some(db), Some(key), Some(lifetime)) = (ctx.data_opt::<Db>(), ctx.data_opt::<TokenKey>(), ctx.data_opt::<TokenLifetime>())
        else {
            return Err(Error::internal(std::io::Error::other("the request carries no token key")));
        };
        let request = ctx.data_opt::<RequestId>().map(|id| id.0.clone());
        let work = login(db, key, *lifetime, input, request);
        match ctx.data_opt::<Loaders>() {
            Some(loaders) => loaders.alone(work).await,
            None => work.await,
        }
    }

    /// Ends the token that this request came with.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        write(ctx, Logout).await
    }
}

/// Signs in with email and password.
///
/// # Errors
/// `UNAUTHENTICATED` when they do not match an active user.
pub async fn login(db: &Db, key: &TokenKey, lifetime: TokenLifetime, input: LoginInput, request: Option<String>) -> Result<LoginPayload> {
    let email = input.email.trim().to_lowercase();
    let password = Secret::new(input.password);
    let mut sql = Sql::new("select ");
    sql.push(&columns::<User>());
    let sql = sql
        .text(", t.hashed_password, c.epoch, now() + ")
        .with("", lifetime.0)
        .with(" from \"user\" t join pumphouse.credential c on c.user_id = t.id where t.is_active and t.email = ", email.clone());
    let found = db.rows(sql).await?.into_iter().next();
    let after = User::COLUMNS.len();
    let hash: Option<String> = match &found {
        Some(row) => row.try_get(after)?,
        None => None,
    };
    let right = password::verify(&password, hash).await?;
    let mut transaction = db.begin().await?;
    let Some(row) = found.filter(|_| right) else {
        let about = About { id: None, ..About::row::<User>(Id::random()) };
        audit::record(&mut transaction, &Actor::Claimed(email.chars().take(320).collect()), Verb::LoginFailed, about, request.as_deref())
            .await?;
        transaction.commit().await?;
        return Err(Error::unauthenticated("Email or password is wrong."));
    };
    let user = User::from_row(&row, 0)?;
    let Time(expires_at) = row.try_get(after + 2)?;
    let token = key.for_user(user.id.uuid(), row.try_get(after + 1)?, None, expires_at)?;
    let about = About::row(user.id).name(Some(&user.email));
    let actor = Actor::User { id: user.id.uuid(), email: user.email.clone(), service: false };
    audit::record(&mut transaction, &actor, Verb::Login, about, request.as_deref()).await?;
    transaction.commit().await?;
    Ok(LoginPayload { access_token: token.text, expires_at: Time(token.expires_at), user })
}

/// The end of the token that asks for it.
#[derive(Clone)]
struct Logout;

impl Mutation for Logout {
    type Proof = Oneself;
    type Answer = LogoutPayload;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Oneself> {
        w.oneself()
    }

    async fn apply(self, w: &mut Write, oneself: Oneself) -> Result<LogoutPayload> {
        let viewer = w.viewer().clone();
        let sql = Sql::new("insert into pumphouse.revoked_token (token_id, user_id, expires_at) values (")
            .with("", viewer.token_id())
            .with(", ", oneself.id)
            .with(", ", viewer.expires_at())
            .text(") on conflict do nothing");
        w.rows(sql).await?;
        w.record(Verb::Logout, About::row::<User>(oneself.id.into())).await?;
        Ok(LogoutPayload { expires_at: Time(viewer.expires_at()) })
    }
}

/// Makes a user, for the command line and for the first start; answers its id.
///
/// # Errors
/// `CONFLICT` when the email is taken, `VALIDATION` when it is not one or the password too short.
pub async fn create_user(db: &Db, email: &str, password: &Secret<String>, superuser: bool) -> Result<Uuid> {
    let Some(email) = email::email(email) else {
        return Err(Error::validation("This is not an email address.").field("email"));
    };
    let hash = password::hash(password).await?;
    let id = Id::<User>::random();
    let mut transaction = db.begin().await?;
    let sql =
        Sql::new("insert into \"user\" (id, email, hashed_password, is_active, is_superuser, is_verified, version, updated_at) values (")
            .with("", id)
            .with(", ", email.clone())
            .with(", ", hash)
            .with(", true, ", superuser)
            .text(", true, 1, now()) on conflict (email) do nothing returning id");
    if rows_on(&mut transaction, sql).await?.is_empty() {
        return Err(Error::conflict("A user with this email exists already.").field("email"));
    }
    let about = About::row(id).name(Some(&email)).fields(&["email", "isSuperuser"]);
    audit::record(&mut transaction, &Actor::System("command line".to_owned()), Verb::Create, about, None).await?;
    transaction.commit().await?;
    Ok(id.uuid())
}

/// Makes the first superuser when the database has no user; answers whether one was made.
///
/// # Errors
/// As [`create_user`].
pub async fn first_superuser(db: &Db, email: &str, password: &Secret<String>) -> Result<bool> {
    if !db.rows(Sql::new("select 1 from \"user\" limit 1")).await?.is_empty() {
        return Ok(false);
    }
    match create_user(db, email, password, true).await {
        Ok(_id) => Ok(true),
        // Another replica was first.
        Err(error) if error.code() == Code::Conflict => Ok(false),
        Err(error) => Err(error),
    }
}
