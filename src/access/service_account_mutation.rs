//! Creating, changing and deleting service accounts.
//!
//! Always holds: callers administer every grant that the account has and every grant that it gets. No account changes itself
//! (domain.md section 1). An account that is an admin manages other accounts like any admin, and other admins manage it. Not
//! here: tokens.

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::grant::{self, Asked, Grant, Granting, ServiceAccountGrantInput};
use crate::access::{ServiceAccount, User, pending};
use crate::core::audit::About;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Proof, RightBasis};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::{Identity, Owner};
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The longest name, in characters.
const LONGEST_NAME: usize = 300;

/// The mutations of service accounts.
#[derive(Default)]
pub struct ServiceAccountMutation;

/// A service account to create.
#[derive(InputObject, Clone)]
pub struct CreateServiceAccountInput {
    /// The name, of 1 to 300 characters; several accounts may have the same.
    pub name: String,
    /// Its rights, 1 to 100 grants: each on an env or team that you administer, and all in one env unless you are a
    /// superuser.
    pub grants: Vec<ServiceAccountGrantInput>,
}

/// The new service account.
#[derive(SimpleObject)]
pub struct CreateServiceAccountPayload {
    /// The account; it has no token yet.
    pub service_account: ServiceAccount,
}

/// The new grants of a service account.
#[derive(InputObject, Clone)]
pub struct SetServiceAccountGrantsInput {
    /// The account; you administer every grant that it has now.
    pub service_account_id: Id<ServiceAccount>,
    /// All its grants from now on, 1 to 100: each on an env or team that you administer, and all in one env unless you are a
    /// superuser. Grants that are not listed are withdrawn.
    pub grants: Vec<ServiceAccountGrantInput>,
}

/// The service account with its new grants.
#[derive(SimpleObject)]
pub struct SetServiceAccountGrantsPayload {
    /// The account as it is now.
    pub service_account: ServiceAccount,
}

/// Which service account to delete.
#[derive(InputObject, Clone)]
pub struct DeleteServiceAccountInput {
    /// The account; you administer every grant that it has.
    pub service_account_id: Id<ServiceAccount>,
}

/// The deleted service account.
#[derive(SimpleObject)]
pub struct DeleteServiceAccountPayload {
    /// The account as it was; its user, grants and tokens are deleted.
    pub service_account: ServiceAccount,
}

#[Object]
impl ServiceAccountMutation {
    /// Creates a service account: a machine identity without a password. It can do nothing until a token is issued for it.
    async fn create_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The account to make.")] input: CreateServiceAccountInput,
    ) -> Result<CreateServiceAccountPayload> {
        let service_account = write(ctx, input).await?;
        Ok(CreateServiceAccountPayload { service_account })
    }

    /// Replaces the grants of a service account. Its tokens stay valid, and its live streams reflect the change within
    /// seconds. `CONFLICT` when this would leave an env or a team without an active admin.
    async fn set_service_account_grants(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What it is to be able to do.")] input: SetServiceAccountGrantsInput,
    ) -> Result<SetServiceAccountGrantsPayload> {
        let service_account = write(ctx, input).await?;
        Ok(SetServiceAccountGrantsPayload { service_account })
    }

    /// Deletes a service account with its user. All its tokens become invalid at once; its traces stay in the audit log.
    /// `CONFLICT` when this would leave an env or a team without an active admin.
    async fn delete_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which account to delete.")] input: DeleteServiceAccountInput,
    ) -> Result<DeleteServiceAccountPayload> {
        let service_account = write(ctx, input).await?;
        Ok(DeleteServiceAccountPayload { service_account })
    }
}

/// An account that the viewer administers, with the envs and teams of its present and requested grants.
pub struct ManagedAccount {
    account: Held<ServiceAccount, Administered>,
    before: Vec<Grant>,
    after: Vec<Grant>,
}

impl Proof for ManagedAccount {
    fn stake(&self) -> RightBasis {
        self.account.stake()
    }
}

/// Returns the account if the viewer administers it. Locked, so no other transaction changes it or its grants.
///
/// # Errors
/// `NOT_FOUND` when the viewer does not see it, `FORBIDDEN` when they see it but do not administer it, or are the account
/// itself.
pub(crate) async fn manage(w: &mut Write, id: Id<ServiceAccount>, field: &str) -> Result<Held<ServiceAccount, Administered>> {
    w.refuse_strangers(id, field).await?;
    // The right depends on the grants, so they are read once any transaction that changes them has ended.
    w.lock_pair(id.uuid(), id.uuid()).await?;
    let account = w.administer(id, field).await?;
    if matches!(w.viewer().identity(), Identity::User { service_account: Some(own), .. } if *own == id.uuid()) {
        return Err(Error::forbidden("A service account does not change itself.").field(field));
    }
    Ok(account)
}

impl ManagedAccount {
    /// Proves the right to replace the present grants of an account by these.
    async fn of(w: &mut Write, id: Id<ServiceAccount>, asked: Vec<Asked>) -> Result<Self> {
        let account = manage(w, id, "serviceAccountId").await?;
        let before = grant::present(w, id).await?;
        let after: Vec<Grant> = asked.iter().map(|asked| asked.grant).collect();
        // Withdrawn grants are locked too, so that concurrent removals of admins count one after the other.
        let withdrawn = before.iter().filter(|had| after.iter().all(|kept| kept.place() != had.place()));
        let withdrawn = withdrawn.map(|grant| Asked { grant: *grant, field: "serviceAccountId".to_owned() });
        let mut all: Vec<Asked> = asked.iter().cloned().chain(withdrawn).collect();
        all.sort_by_key(|asked| asked.grant.place());
        let homes = grant::administer(w, &all, |_| ()).await?;
        grant::in_one_env(w, &asked, &homes)?;
        Ok(Self { account, before, after })
    }
}

impl Mutation for CreateServiceAccountInput {
    type Proof = Granting;
    type Answer = ServiceAccount;

    async fn authorize(&self, w: &mut Write) -> Result<Granting> {
        let rest = |violations: &mut Violations| drop(violations.name("name", &self.name, LONGEST_NAME));
        Granting::of(w, &grant::asked(&self.grants, rest)?, rest).await
    }

    async fn apply(self, w: &mut Write, granting: Granting) -> Result<ServiceAccount> {
        let mut violations = Violations::default();
        let name = violations.name("name", &self.name, LONGEST_NAME);
        violations.none()?;
        let (account, user) = (Id::<ServiceAccount>::random(), Id::<User>::random());
        // RFC 2606: nobody can own an address in `.invalid`.
        let insert = Sql::new("insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (")
            .value(user)
            .with(", ", format!("{user}@service.invalid"))
            .text(", true, false, true, 1)");
        w.rows(insert).await?;
        let insert = Sql::new("insert into service_account_user (id, name, user_id) values (")
            .value(account)
            .with(", ", name.clone())
            .with(", ", user)
            .text(")");
        w.rows(insert).await?;
        grant::put(w, account, user, &granting.grants).await?;
        let owner = grant::owner(w, account).await?;
        let about = About::row(account).name(Some(&name)).owner(owner).fields(&["name", "grants"]).target(user.uuid());
        w.record(Verb::Create, about).await?;
        w.reread(account).await
    }
}

impl Mutation for SetServiceAccountGrantsInput {
    type Proof = ManagedAccount;
    type Answer = ServiceAccount;
    // Withdrawing grants needs no licence.
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<ManagedAccount> {
        let asked = grant::asked(&self.grants, |_| ())?;
        ManagedAccount::of(w, self.service_account_id, asked).await
    }

    async fn apply(self, w: &mut Write, managed: ManagedAccount) -> Result<ServiceAccount> {
        let ManagedAccount { account, before, after } = managed;
        if !after.iter().all(|grant| before.iter().any(|had| grant.is_within(*had))) {
            w.licensed().await?;
        }
        if before != after {
            grant::put(w, account.id, account.user_id, &after).await?;
            keep_admins(w, &before).await?;
            let owner = grant::owner(w, account.id).await?;
            let about = About::row(account.id).name(Some(&account.name)).owner(owner).fields(&["grants"]).target(account.user_id.uuid());
            w.record(Verb::Grant, about).await?;
        }
        w.reread(account.id).await
    }
}

impl Mutation for DeleteServiceAccountInput {
    type Proof = ManagedAccount;
    type Answer = ServiceAccount;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<ManagedAccount> {
        ManagedAccount::of(w, self.service_account_id, Vec::new()).await
    }

    async fn apply(self, w: &mut Write, managed: ManagedAccount) -> Result<ServiceAccount> {
        let ManagedAccount { account, before, .. } = managed;
        let owner = grant::owner(w, account.id).await?;
        w.record(Verb::Delete, About::row(account.id).name(Some(&account.name)).owner(owner)).await?;
        pending::remove_of(w, account.user_id).await?;
        w.rows(Sql::new("delete from \"user\" where id = ").value(account.user_id)).await?;
        keep_admins(w, &before).await?;
        Ok(account.into_row())
    }
}

/// The service accounts with a grant on an env or a team, which `column` names.
pub(crate) async fn granted(w: &mut Write, column: &str, id: Uuid) -> Result<Vec<Uuid>> {
    let sql = Sql::new("select g.service_account_id from pumphouse.service_account_grant g where ");
    w.rows(sql.with(&format!("g.{column} = "), id)).await?.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Deletes those of these accounts that have no grant left: nobody could manage them, and their tokens would stay valid.
pub(crate) async fn delete_without_grants(w: &mut Write, accounts: Vec<Uuid>, owner: Owner) -> Result<()> {
    if accounts.is_empty() {
        return Ok(());
    }
    // Waits for transactions that are adding a grant to one of them.
    w.rows(Sql::new("select 1 from service_account_user where id = any(").value(accounts.clone()).text(") order by id for update")).await?;
    let sql = Sql::new("select s.id, s.user_id, s.name from service_account_user s where s.id = any(")
        .value(accounts)
        .text(") and not exists (select 1 from pumphouse.service_account_grant g where g.service_account_id = s.id) order by s.id");
    for row in w.rows(sql).await? {
        let (account, user): (Uuid, Uuid) = (row.try_get(0)?, row.try_get(1)?);
        let name: Option<String> = row.try_get(2)?;
        w.record(Verb::Delete, About::row(Id::<ServiceAccount>::from(account)).name(name.as_deref()).owner(owner)).await?;
        pending::remove_of(w, user.into()).await?;
        w.rows(Sql::new("delete from \"user\" where id = ").value(user)).await?;
    }
    Ok(())
}

/// Refuses when an env or a team that the account administered has no active admin left, unless the viewer is a superuser.
async fn keep_admins(w: &mut Write, before: &[Grant]) -> Result<()> {
    if w.viewer().is_superuser() {
        return Ok(());
    }
    for grant in before.iter().filter(|grant| grant.is_admin()) {
        let (members, id) = match *grant {
            Grant::Env { env, .. } => ("env_member m where m.role = 'admin' and m.env_id = ", env.uuid()),
            Grant::Team { team, .. } => ("team_member m where m.admin and m.team_id = ", team.uuid()),
        };
        let sql = Sql::new("select exists (select 1 from ").with(members, id);
        if !w.holds(sql.text(" and exists (select 1 from \"user\" u where u.id = m.user_id and u.is_active))")).await? {
            let message = "The account is the last active admin of one of its envs or teams; make somebody else an admin there first.";
            return Err(Error::conflict(message).field("serviceAccountId"));
        }
    }
    Ok(())
}
