//! Creating, changing and deleting envs.
//!
//! Not here: their members and requests; management by an external control plane (`control_plane.rs`).

use async_graphql::{Context, InputObject, Json, MaybeUndefined, Object, SimpleObject};
use serde_json::Value;

use crate::access::{Env, broker, holdings, service_account_mutation};
use crate::core::audit::About;
use crate::core::canonical;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Superuser};
use crate::core::scalars::Time;
use crate::core::sealed::{self, keys};
use crate::core::secret::KeyRing;
use crate::core::sql::{Bind, Sql};
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The longest name of an env, in characters.
pub(crate) const LONGEST_NAME: usize = 100;

/// The mutations of envs.
#[derive(Default)]
pub struct EnvMutation;

/// A new env.
#[derive(InputObject, Clone)]
pub struct CreateEnvInput {
    /// The name, 1 to 100 characters; envs may have equal names.
    pub name: String,
    /// The configuration of the broker that its teams share: an object, stored encrypted. Empty by default.
    #[graphql(secret)]
    pub retention_configuration: Option<Json<Value>>,
}

/// The new env.
#[derive(SimpleObject)]
pub struct CreateEnvPayload {
    /// The created env.
    pub env: Env,
}

/// What to change in an env. Omitted fields stay unchanged; null is refused (`VALIDATION`).
#[derive(InputObject, Clone)]
pub struct UpdateEnvInput {
    /// The env.
    pub env_id: Id<Env>,
    /// The new name, 1 to 100 characters.
    pub name: MaybeUndefined<String>,
    /// The whole new configuration of its broker: an object. `{"$secret": "stored"}` retains the secret stored in the same
    /// place, unless a host, port or address changes; a string is a new value. `{}` empties it.
    #[graphql(secret)]
    pub retention_configuration: MaybeUndefined<Json<Value>>,
    /// The `updatedAt` that was read with the env; `CONFLICT` when it has changed since, and nothing is written. Null skips
    /// this check.
    pub updated_at: Option<Time>,
}

/// The changed env.
#[derive(SimpleObject)]
pub struct UpdateEnvPayload {
    /// The env as it is now.
    pub env: Env,
}

/// Which env to delete.
#[derive(InputObject, Clone)]
pub struct DeleteEnvInput {
    /// The env.
    pub env_id: Id<Env>,
}

/// The deleted env.
#[derive(SimpleObject)]
pub struct DeleteEnvPayload {
    /// The env as it was.
    pub env: Env,
}

#[Object]
impl EnvMutation {
    /// Creates an env without members. Superusers only.
    async fn create_env(&self, ctx: &Context<'_>, #[graphql(desc = "The new env.")] input: CreateEnvInput) -> Result<CreateEnvPayload> {
        let env = write(ctx, CreateEnv { input, keys: keys(ctx)?.clone() }).await?;
        Ok(CreateEnvPayload { env })
    }

    /// Changes the name of an env, the configuration of its broker, or both. For admins of the env.
    async fn update_env(&self, ctx: &Context<'_>, #[graphql(desc = "What to change.")] input: UpdateEnvInput) -> Result<UpdateEnvPayload> {
        let env = write(ctx, UpdateEnv { input, keys: keys(ctx)?.clone() }).await?;
        Ok(UpdateEnvPayload { env })
    }

    /// Deletes an env with its memberships and requests, and the service accounts that have no other grant; its teams stay,
    /// without an env. Superusers only. `CONFLICT` while its teams own connectors or pipelines: `details.connectors` and
    /// `details.pipelines` contain the count and the first 20 names.
    async fn delete_env(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which env to delete.")] input: DeleteEnvInput,
    ) -> Result<DeleteEnvPayload> {
        let env = write(ctx, input).await?;
        Ok(DeleteEnvPayload { env })
    }
}

#[derive(Clone)]
struct CreateEnv {
    input: CreateEnvInput,
    keys: KeyRing,
}

impl Mutation for CreateEnv {
    type Proof = Superuser;
    type Answer = Env;

    async fn authorize(&self, w: &mut Write) -> Result<Superuser> {
        w.superuser()
    }

    async fn apply(self, w: &mut Write, by: Superuser) -> Result<Env> {
        let Self { input, keys } = self;
        let env = Id::random();
        let mut violations = Violations::default();
        let name = violations.name("name", &input.name, LONGEST_NAME);
        let sent = input.retention_configuration.map_or_else(|| Value::Object(serde_json::Map::new()), |Json(sent)| sent);
        let document = broker::whole(w, &keys, env, sent, "retentionConfiguration", &mut violations).await?;
        violations.none()?;
        create(w, &by, &keys, env, &name, &document).await?;
        w.reread(env).await
    }
}

#[derive(Clone)]
struct UpdateEnv {
    input: UpdateEnvInput,
    keys: KeyRing,
}

impl Mutation for UpdateEnv {
    type Proof = Held<Env, Administered>;
    type Answer = Env;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.administer(self.input.env_id, "envId").await
    }

    async fn apply(self, w: &mut Write, env: Self::Proof) -> Result<Env> {
        let Self { input, keys } = self;
        env.unchanged_since(input.updated_at)?;
        let mut violations = Violations::default();
        let name = violations.kept("name", input.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        let document = match violations.kept("retentionConfiguration", input.retention_configuration) {
            Some(Json(sent)) => Some(broker::whole(w, &keys, env.id, sent, "retentionConfiguration", &mut violations).await?),
            None => None,
        };
        violations.none()?;
        change(w, &env, &keys, name, document.as_deref()).await?;
        w.reread(env.id).await
    }
}

impl Mutation for DeleteEnvInput {
    type Proof = Superuser;
    type Answer = Env;

    async fn authorize(&self, w: &mut Write) -> Result<Superuser> {
        w.superuser()
    }

    async fn apply(self, w: &mut Write, _by: Superuser) -> Result<Env> {
        let env = w.administer(self.env_id, "envId").await?;
        // From here on no team can join the env, and none of its teams can get a connector or pipeline.
        w.rows(Sql::new("select 1 from env where id = ").value(env.id).text(" for update")).await?;
        w.rows(Sql::new("select 1 from team where env_id = ").value(env.id).text(" order by id for update")).await?;
        holdings::refuse_while_owning(w, "env_id", env.id.uuid(), "envId").await?;
        let accounts = service_account_mutation::granted(w, "env_id", env.id.uuid()).await?;
        w.delete(&env).await?;
        service_account_mutation::delete_without_grants(w, accounts, Owner::env(env.id.uuid())).await?;
        w.record(Verb::Delete, About::row(env.id).name(env.name.as_deref()).owner(Owner::env(env.id.uuid()))).await?;
        Ok(env.into_row())
    }
}

/// Creates an env. Returns false when one with this id exists already.
pub(crate) async fn create(w: &mut Write, _by: &Superuser, keys: &KeyRing, env: Id<Env>, name: &str, document: &Value) -> Result<bool> {
    let sql = Sql::new("insert into env (id, name, retention_configuration, config_hash) values (")
        .value(env)
        .with(", ", name)
        .with(", ", sealed::seal(keys, env.uuid(), document)?)
        .with("::json, ", canonical::hash(document)?)
        .text(") on conflict (id) do nothing returning 1");
    let made = !w.rows(sql).await?.is_empty();
    if made {
        let about = About::row(env).name(Some(name)).owner(Owner::env(env.uuid())).fields(&["name", "retentionConfiguration"]);
        w.record(Verb::Create, about).await?;
    }
    Ok(made)
}

/// Writes what differs: the name, and the configuration when its hash has changed.
pub(crate) async fn change(
    w: &mut Write,
    env: &Held<Env, Administered>,
    keys: &KeyRing,
    name: Option<String>,
    document: Option<&Value>,
) -> Result<()> {
    let named = name.clone().or_else(|| env.name.clone());
    let mut values = Vec::new();
    values.extend(name.map(|name| ("name", Bind::Text(name))));
    if let Some(document) = document {
        values.push(("configHash", Bind::Text(canonical::hash(document)?)));
    }
    let mut changed = w.update(env, &values).await?;
    if let Some(document) = document.filter(|_| changed.contains(&"configHash")) {
        let sql = Sql::new("update env set retention_configuration = ").value(sealed::seal(keys, env.id.uuid(), document)?);
        w.rows(sql.with("::json where id = ", env.id)).await?;
        changed.push("retentionConfiguration");
    }
    if !changed.is_empty() {
        let about = About::row(env.id).name(named.as_deref()).owner(Owner::env(env.id.uuid())).fields(&changed);
        w.record(Verb::Update, about).await?;
    }
    Ok(())
}
