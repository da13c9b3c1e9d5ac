//! Tokens of service accounts: an account may have several, each with its own lifetime.
//!
//! Always holds: a token's text is shown once, in the answer that issued it, and is never stored. Each token can be revoked
//! separately, and all end when the account is deleted (domain.md section 1).

use std::collections::HashMap;
use std::time::Duration;

use async_graphql::{ComplexObject, Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::access::ServiceAccount;
use crate::access::grant;
use crate::access::service_account_mutation::manage;
use crate::access::token::TokenKey;
use crate::core::audit::About;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Identity;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The longest name of a token, in characters.
const LONGEST_NAME: usize = 100;
/// The maximum lifetime of a token, in seconds: a year.
const LONGEST_LIFETIME: u64 = 366 * 24 * 60 * 60;
/// The maximum number of unexpired tokens per account.
const MAX_TOKENS: i64 = 100;

/// The mutations of the tokens of service accounts.
#[derive(Default)]
pub struct AccountTokenMutation;

/// A token to issue.
#[derive(InputObject, Clone)]
pub struct IssueServiceAccountTokenInput {
    /// The account; you administer every grant that it has.
    pub service_account_id: Id<ServiceAccount>,
    /// What the token is for, at most 100 characters.
    pub name: Option<String>,
    /// How long it lives, in seconds: 1 to 31,622,400, which is a year. A service account issues tokens that end no later than the one
    /// that it uses.
    pub lifetime: i32,
}

/// The new token.
#[derive(SimpleObject)]
pub struct IssueServiceAccountTokenPayload {
    /// The token to send as `Authorization: Bearer ...`; it is shown this once.
    pub access_token: String,
    /// When it expires.
    pub expires_at: Time,
    /// The token as the account lists it.
    pub service_account_token: ServiceAccountToken,
}

/// Which token to revoke.
#[derive(InputObject, Clone)]
pub struct RevokeServiceAccountTokenInput {
    /// The token's id, as the account lists it.
    pub token_id: Id<ServiceAccountToken>,
}

/// The revoked token.
#[derive(SimpleObject)]
pub struct RevokeServiceAccountTokenPayload {
    /// The token as it is now.
    pub service_account_token: ServiceAccountToken,
}

/// A token that was issued for a service account, without its text.
#[derive(SimpleObject, Clone)]
#[graphql(complex)]
pub struct ServiceAccountToken {
    /// What it is for.
    name: Option<String>,
    /// When it was issued.
    created_at: Time,
    /// When it expires.
    expires_at: Time,
    /// When it was revoked; null when it was not revoked.
    revoked_at: Option<Time>,
    #[graphql(skip)]
    token: Id<Self>,
}

#[ComplexObject]
impl ServiceAccountToken {
    /// The id by which it is revoked.
    async fn id(&self) -> ID {
        ID(self.token.to_string())
    }
}

impl ServiceAccountToken {
    fn read(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self {
            token: row.try_get(1)?,
            name: row.try_get(2)?,
            created_at: Time(row.try_get(3)?),
            expires_at: Time(row.try_get(4)?),
            revoked_at: row.try_get::<Option<DateTime<Utc>>, _>(5)?.map(Time),
        })
    }
}

/// The columns of [`ServiceAccountToken::read`], after the account.
const COLUMNS: &str = "select t.service_account_id, t.token_id, t.name, t.created_at, t.expires_at, r.revoked_at";
const REVOKED: &str = " left join pumphouse.revoked_token r on r.token_id = t.token_id";

#[Object]
impl AccountTokenMutation {
    /// Issues a token for a service account. Its text appears only in this answer, so this mutation takes no idempotency
    /// key.
    async fn issue_service_account_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token to issue.")] input: IssueServiceAccountTokenInput,
    ) -> Result<IssueServiceAccountTokenPayload> {
        write(ctx, IssueServiceAccountToken { input, key: TokenKey::of(ctx)? }).await
    }

    /// Revokes one token of a service account; its other tokens stay valid. Revoking a revoked token changes nothing.
    async fn revoke_service_account_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which token to revoke.")] input: RevokeServiceAccountTokenInput,
    ) -> Result<RevokeServiceAccountTokenPayload> {
        let service_account_token = write(ctx, input).await?;
        Ok(RevokeServiceAccountTokenPayload { service_account_token })
    }
}

/// A token to issue, with its signing key.
#[derive(Clone)]
struct IssueServiceAccountToken {
    input: IssueServiceAccountTokenInput,
    key: TokenKey,
}

impl Mutation for IssueServiceAccountToken {
    type Proof = Held<ServiceAccount, Administered>;
    type Answer = IssueServiceAccountTokenPayload;
    const SECRET: bool = true;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        manage(w, self.input.service_account_id, "serviceAccountId").await
    }

    async fn apply(self, w: &mut Write, account: Self::Proof) -> Result<IssueServiceAccountTokenPayload> {
        let mut violations = Violations::default();
        let name = self.input.name.map(|name| violations.name("name", &name, LONGEST_NAME));
        let lifetime = lifetime(&mut violations, self.input.lifetime);
        let own_end = w.viewer().token().expires_at;
        if matches!(w.viewer().identity(), Identity::User { service_account: Some(_), .. })
            && w.holds(Sql::new("select now() + ").value(lifetime).with(" > ", own_end)).await?
        {
            violations.add("lifetime", "A service account issues tokens that end no later than the one that it uses.");
        }
        violations.none()?;
        let living = Sql::new("select count(*) >= ")
            .value(MAX_TOKENS)
            .text(" from pumphouse.service_account_token t")
            .text(REVOKED)
            .with(" where t.expires_at > now() and r.token_id is null and t.service_account_id = ", account.id);
        if w.holds(living).await? {
            return Err(
                Error::conflict(format!("An account has at most {MAX_TOKENS} tokens at a time; revoke one.")).field("serviceAccountId")
            );
        }
        let sql = Sql::new("select epoch, date_trunc('second', now()) + ")
            .value(lifetime)
            .with(" from pumphouse.credential where user_id = ", account.user_id);
        let rows = w.rows(sql).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let token = self.key.for_user(account.user_id.uuid(), row.try_get(0)?, Some(account.id.uuid()), row.try_get(1)?)?;
        let sql =
            Sql::new("with t as (insert into pumphouse.service_account_token (token_id, service_account_id, name, expires_at) values (")
                .value(token.id)
                .with(", ", account.id)
                .with(", ", name)
                .with(", ", token.expires_at)
                .text(") returning *) ")
                .text(COLUMNS)
                .text(" from t")
                .text(REVOKED);
        let rows = w.rows(sql).await?;
        let service_account_token = ServiceAccountToken::read(rows.first().ok_or(sqlx::Error::RowNotFound)?)?;
        record(w, Verb::Issue, &account).await?;
        Ok(IssueServiceAccountTokenPayload { access_token: token.text, expires_at: Time(token.expires_at), service_account_token })
    }
}

impl Mutation for RevokeServiceAccountTokenInput {
    type Proof = Held<ServiceAccount, Administered>;
    type Answer = ServiceAccountToken;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        let sql = Sql::new("select service_account_id from pumphouse.service_account_token where token_id = ").value(self.token_id);
        // An unknown token is looked up in a nonexistent account, so both cases get the same answer at the same cost.
        let account = w.rows(sql).await?.first().map_or(Ok(Id::random()), |row| row.try_get(0))?;
        manage(w, account, "tokenId").await
    }

    async fn apply(self, w: &mut Write, account: Self::Proof) -> Result<ServiceAccountToken> {
        let sql = Sql::new("insert into pumphouse.revoked_token (token_id, user_id, expires_at) select token_id, ")
            .value(account.user_id)
            .with(", expires_at from pumphouse.service_account_token where token_id = ", self.token_id)
            .text(" on conflict do nothing returning token_id");
        if !w.rows(sql).await?.is_empty() {
            record(w, Verb::Revoke, &account).await?;
        }
        let sql = Sql::new(COLUMNS).text(" from pumphouse.service_account_token t").text(REVOKED);
        let rows = w.rows(sql.with(" where t.token_id = ", self.token_id)).await?;
        Ok(ServiceAccountToken::read(rows.first().ok_or(sqlx::Error::RowNotFound)?)?)
    }
}

async fn record(w: &mut Write, verb: Verb, account: &Held<ServiceAccount, Administered>) -> Result<()> {
    let owner = grant::owner(w, account.id).await?;
    let about = About::row(account.id).name(Some(&account.name)).owner(owner).fields(&["tokens"]).target(account.user_id.uuid());
    w.record(verb, about).await
}

/// Validates a token lifetime, given in seconds.
pub fn lifetime(violations: &mut Violations, seconds: i32) -> Duration {
    match u64::try_from(seconds) {
        Ok(seconds) if (1..=LONGEST_LIFETIME).contains(&seconds) => Duration::from_secs(seconds),
        _ => {
            violations.add("lifetime", format!("A token lives 1 to {LONGEST_LIFETIME} seconds."));
            Duration::ZERO
        }
    }
}

/// Returns the tokens of an account that the viewer sees; batched across accounts.
pub(crate) async fn of_account(account: &ServiceAccount, ctx: &Context<'_>) -> Result<Rows<ServiceAccountToken>> {
    let read = Read::of(ctx)?;
    let found: Option<Vec<ServiceAccountToken>> = read
        .batch("service account tokens", account.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let sql = Sql::new(COLUMNS)
                .with(" from unnest(", ids)
                .text(") a(id) cross join lateral (select * from pumphouse.service_account_token t where t.service_account_id = a.id")
                .text(" order by t.created_at desc, t.token_id desc limit 200) t")
                .text(REVOKED)
                .text(" order by t.created_at desc, t.token_id desc");
            let mut found: HashMap<Uuid, Vec<ServiceAccountToken>> = HashMap::new();
            for row in read.db().rows(sql).await? {
                found.entry(row.try_get(0)?).or_default().push(ServiceAccountToken::read(&row)?);
            }
            Ok(found)
        })
        .await?;
    Ok(Rows(found.unwrap_or_default()))
}
