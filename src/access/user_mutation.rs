//! Creating, changing and deleting users, for superusers; and the active env, which users set for themselves.
//!
//! Always holds: there is an active superuser. The traces of a deleted user stay in the audit log and in the syncs, under
//! the email. The user behind a service account is changed through the account only, except for `isActive`. Not here:
//! passwords (`password_mutation.rs`), memberships.

use async_graphql::{Context, InputObject, MaybeUndefined, Object, SimpleObject};
use serde_json::json;
use sqlx::Row as _;

use crate::access::{Env, ServiceAccount, User, pending, superusers};
use crate::core::audit::About;
use crate::core::entity::{Entity as _, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::password;
use crate::core::proof::{Administered, CurrentUser, Held, Superuser};
use crate::core::read::Read;
use crate::core::secret::Secret;
use crate::core::sql::{Bind, Sql};
use crate::core::verb::Verb;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The mutations of users.
#[derive(Default)]
pub struct UserMutation;

/// A user to create.
#[derive(InputObject, Clone)]
pub struct CreateUserInput {
    /// The email address, which no other user has; stored trimmed and in lower case, 320 characters at most.
    pub email: String,
    /// The password, 8 to 1,000 characters. A user without one authenticates elsewhere and cannot sign in with a password.
    #[graphql(secret)]
    pub password: Option<String>,
    /// Whether it bypasses the checks of envs and teams.
    #[graphql(default)]
    pub is_superuser: bool,
    /// Whether the address is verified.
    #[graphql(default)]
    pub is_verified: bool,
}

/// The new user.
#[derive(SimpleObject)]
pub struct CreateUserPayload {
    /// The created user.
    pub user: User,
}

/// What to change in a user. Omitted fields stay unchanged; null is refused (`VALIDATION`).
#[derive(InputObject, Clone)]
pub struct UpdateUserInput {
    /// The user.
    pub user_id: Id<User>,
    /// The new email address, which no other user has.
    pub email: MaybeUndefined<String>,
    /// Whether it may sign in and act; `false` ends its tokens and sockets within seconds.
    pub is_active: MaybeUndefined<bool>,
    /// Whether it bypasses the checks of envs and teams.
    pub is_superuser: MaybeUndefined<bool>,
    /// Whether the address is verified.
    pub is_verified: MaybeUndefined<bool>,
    /// The version that was read; `CONFLICT` with the present one when the user has changed since. Null skips this check.
    pub expected_version: Option<i32>,
}

/// The changed user.
#[derive(SimpleObject)]
pub struct UpdateUserPayload {
    /// The user as it is now.
    pub user: User,
}

/// Which user to delete.
#[derive(InputObject, Clone)]
pub struct DeleteUserInput {
    /// The user.
    pub user_id: Id<User>,
    /// The version that was read; `CONFLICT` with the present one when the user has changed since.
    pub expected_version: Option<i32>,
}

/// The deleted user.
#[derive(SimpleObject)]
pub struct DeleteUserPayload {
    /// The user as it last was.
    pub user: User,
}

/// Which env to select.
#[derive(InputObject, Clone)]
pub struct SetActiveEnvInput {
    /// An env that the viewer sees; null for none.
    pub env_id: Option<Id<Env>>,
}

/// The viewer's user.
#[derive(SimpleObject)]
pub struct SetActiveEnvPayload {
    /// The user as it is now.
    pub user: User,
}

#[Object]
impl UserMutation {
    /// Creates a user without memberships. For superusers. `CONFLICT` when the email is taken.
    async fn create_user(&self, ctx: &Context<'_>, #[graphql(desc = "The new user.")] input: CreateUserInput) -> Result<CreateUserPayload> {
        write(ctx, CreateUser::prepare(ctx, input).await?).await
    }

    /// Changes a user. For superusers. The last active superuser cannot be demoted or deactivated (`CONFLICT`). For the user
    /// behind a service account only `isActive` can be changed here (otherwise `CONFLICT`): while it is false, the account's
    /// tokens are refused. Deactivating works without an active licence too.
    async fn update_user(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateUserInput,
    ) -> Result<UpdateUserPayload> {
        write(ctx, input).await
    }

    /// Deletes a user with its memberships and requests; its tokens and sockets end within seconds. Its traces stay in the
    /// audit log and the syncs, under its email. For superusers. `CONFLICT` for the last active superuser, and for the user
    /// behind a service account, which `deleteServiceAccount` deletes.
    async fn delete_user(&self, ctx: &Context<'_>, #[graphql(desc = "Which user.")] input: DeleteUserInput) -> Result<DeleteUserPayload> {
        write(ctx, input).await
    }

    /// Stores the env that the viewer works in: a preference of the user interface, never a right.
    async fn set_active_env(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which env to select.")] input: SetActiveEnvInput,
    ) -> Result<SetActiveEnvPayload> {
        write(ctx, input).await
    }
}

/// A user to create. The password is already hashed: hashing is slow and must not happen within the transaction.
#[derive(Clone)]
struct CreateUser {
    input: CreateUserInput,
    hash: Option<String>,
    fault: Option<String>,
}

impl CreateUser {
    async fn prepare(ctx: &Context<'_>, mut input: CreateUserInput) -> Result<Self> {
        let read = Read::of(ctx)?;
        let password = input.password.take().map(Secret::new);
        let fault = password.as_ref().and_then(password::fault);
        let hash = match password {
            // Callers who may not create users cannot cause a hash.
            Some(password) if fault.is_none() && read.viewer().is_superuser() => {
                Some(read.loaders().alone(password::hash(&password)).await?)
            }
            _ => None,
        };
        Ok(Self { input, hash, fault })
    }
}

impl Mutation for CreateUser {
    type Proof = Superuser;
    type Answer = CreateUserPayload;

    async fn authorize(&self, w: &mut Write) -> Result<Superuser> {
        w.superuser()
    }

    async fn apply(self, w: &mut Write, _superuser: Superuser) -> Result<CreateUserPayload> {
        let Self { input, hash, fault } = self;
        let mut violations = Violations::default();
        let email = violations.email("email", &input.email);
        if let Some(fault) = fault {
            violations.add("password", fault);
        }
        violations.none()?;
        let id = Id::<User>::random();
        let fields: &[&str] =
            if hash.is_some() { &["email", "password", "isSuperuser", "isVerified"] } else { &["email", "isSuperuser", "isVerified"] };
        let sql = Sql::new("insert into \"user\" (id, email, hashed_password, is_active, is_superuser, is_verified, version) values (")
            .value(id)
            .with(", ", email.clone())
            .with(", ", hash)
            .with(", true, ", input.is_superuser)
            .with(", ", input.is_verified)
            .text(", 1)");
        w.rows(sql).await?;
        w.record(Verb::Create, About::row(id).name(Some(&email)).fields(fields).target(id.uuid())).await?;
        Ok(CreateUserPayload { user: w.reread(id).await? })
    }
}

impl UpdateUserInput {
    /// Whether it only removes rights: then it needs no licence.
    fn only_removes_rights(&self) -> bool {
        let given = [&self.is_active, &self.is_superuser, &self.is_verified];
        self.email.is_undefined() && given.iter().all(|given| matches!(given, MaybeUndefined::Undefined | MaybeUndefined::Value(false)))
    }

    /// Whether it only changes `isActive`, which superusers may also set for service accounts.
    fn only_sets_active(&self) -> bool {
        self.is_active.is_value() && self.is_superuser.is_undefined() && self.email.is_undefined() && self.is_verified.is_undefined()
    }
}

impl Mutation for UpdateUserInput {
    type Proof = Held<User, Administered>;
    type Answer = UpdateUserPayload;

    fn is_licensed(&self) -> bool {
        !self.only_removes_rights()
    }

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        let field = if taken(self.is_active) { Some("isActive") } else { taken(self.is_superuser).then_some("isSuperuser") };
        if let Some(field) = field {
            lock_affected(w, self.user_id, field).await?;
        }
        w.administer(self.user_id, "userId").await
    }

    async fn apply(self, w: &mut Write, user: Self::Proof) -> Result<UpdateUserPayload> {
        user.at_version(self.expected_version)?;
        if !self.only_sets_active() {
            refuse_machine(w, user.id).await?;
        }
        let mut violations = Violations::default();
        let email = violations.kept("email", self.email).map(|email| violations.email("email", &email));
        let flags = [("isActive", self.is_active), ("isSuperuser", self.is_superuser), ("isVerified", self.is_verified)];
        let flags = flags.map(|(name, given)| (name, violations.kept(name, given)));
        violations.none()?;
        let mut values: Vec<_> = flags.into_iter().filter_map(|(name, value)| Some((name, Bind::Bool(value?)))).collect();
        values.extend(email.map(|email| ("email", Bind::Text(email))));
        let changed = w.update(&user, &values).await?;
        let user: User = w.reread(user.id).await?;
        if !changed.is_empty() {
            w.record(Verb::Update, About::row(user.id).name(Some(&user.email)).fields(&changed).target(user.id.uuid())).await?;
        }
        Ok(UpdateUserPayload { user })
    }
}

/// Whether this flag is set to false.
fn taken(given: MaybeUndefined<bool>) -> bool {
    given == MaybeUndefined::Value(false)
}

impl Mutation for DeleteUserInput {
    type Proof = Held<User, Administered>;
    type Answer = DeleteUserPayload;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        lock_affected(w, self.user_id, "userId").await?;
        w.administer(self.user_id, "userId").await
    }

    async fn apply(self, w: &mut Write, user: Self::Proof) -> Result<DeleteUserPayload> {
        user.at_version(self.expected_version)?;
        refuse_machine(w, user.id).await?;
        // Recorded while the user's name is still known; the deletion removes the ids from the log and leaves the rest.
        w.record(Verb::Delete, About::row(user.id).name(Some(&user.email)).target(user.id.uuid())).await?;
        pending::remove_of(w, user.id).await?;
        w.delete(&user).await?;
        Ok(DeleteUserPayload { user: user.into_row() })
    }
}

impl Mutation for SetActiveEnvInput {
    type Proof = CurrentUser;
    type Answer = SetActiveEnvPayload;

    async fn authorize(&self, w: &mut Write) -> Result<CurrentUser> {
        w.oneself()
    }

    async fn apply(self, w: &mut Write, oneself: CurrentUser) -> Result<SetActiveEnvPayload> {
        if let Some(env) = self.env_id {
            let viewer = w.viewer().clone();
            let mut sql = Sql::new("select 1");
            from_visible::<Env>(&mut sql, &viewer);
            if w.rows(sql.with(" and t.id = ", env).text(" for key share of t")).await?.is_empty() {
                return Err(Error::no_such(Env::NAME).field("envId"));
            }
        }
        let sql = Sql::new("update \"user\" set active_env_id = ")
            .value(self.env_id)
            .with(" where id = ", oneself.id)
            .with(" and active_env_id is distinct from ", self.env_id)
            .text(" returning id");
        let changed = !w.rows(sql).await?.is_empty();
        let user: User = w.reread(oneself.id.into()).await?;
        if changed {
            w.record(Verb::Update, About::row(user.id).name(Some(&user.email)).fields(&["activeEnvId"]).target(oneself.id)).await?;
        }
        Ok(SetActiveEnvPayload { user })
    }
}

/// Locks the groups that losing this user could leave without an admin, and refuses to remove the last superuser. Applies to
/// superusers; other callers are refused by the next check, and lock nothing.
async fn lock_affected(w: &mut Write, user: Id<User>, field: &str) -> Result<()> {
    if !w.viewer().is_superuser() {
        return Ok(());
    }
    superusers::lock_memberships(w.connection(), user.uuid()).await?;
    superusers::ensure_another(w.connection(), user.uuid(), field).await
}

async fn refuse_machine(w: &mut Write, user: Id<User>) -> Result<()> {
    let sql = Sql::new("select id from service_account_user where user_id = ").value(user);
    let Some(row) = w.rows(sql).await?.into_iter().next() else { return Ok(()) };
    let account: Id<ServiceAccount> = row.try_get(0)?;
    Err(Error::conflict("This user stands behind a service account and changes with it alone; end it with deleteServiceAccount.")
        .field("userId")
        .details(json!({"serviceAccountId": account.to_string()})))
}
