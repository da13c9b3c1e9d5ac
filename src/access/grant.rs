//! The grants of service accounts, from which the memberships of their users are derived.
//!
//! Always holds: callers grant only what they administer. All grants of an account lie in one env, unless a superuser gave
//! them. The memberships of an account's user are exactly those of its grants, written in one transaction; the database
//! refuses any other (domain.md section 1). Not here: the accounts themselves, and their tokens.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_graphql::{ComplexObject, Context, ID, InputObject, SimpleObject};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::access::{Env, EnvRole, ServiceAccount, Team, User};
use crate::core::entity::by_id;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Right};
use crate::core::violations::Violations;
use crate::core::write::Write;

/// The maximum number of grants per account.
const MAX_GRANTS: usize = 100;

/// A grant to a service account: a role in an env (`envId`, `role`), or membership of a team (`teamId`, `admin`, `worker`).
#[derive(InputObject, Clone)]
pub struct ServiceAccountGrantInput {
    /// The env in which a role is given. Requires `role`, and excludes the other fields.
    pub env_id: Option<Id<Env>>,
    /// What the account may do in the env.
    pub role: Option<EnvRole>,
    /// The team that the account becomes a member of.
    pub team_id: Option<Id<Team>>,
    /// Whether the account administers the team.
    #[graphql(default)]
    pub admin: bool,
    /// Whether the account may act for the team's workers: receive their configurations and commands, and report for them.
    #[graphql(default)]
    pub worker: bool,
}

/// A grant. The order is the lock order: envs before teams, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grant {
    Env { env: Id<Env>, role: EnvRole },
    Team { team: Id<Team>, admin: bool, worker: bool },
}

impl Grant {
    /// The env or team of the grant, in lock order.
    pub(crate) fn place(self) -> (bool, Uuid) {
        match self {
            Self::Env { env, .. } => (false, env.uuid()),
            Self::Team { team, .. } => (true, team.uuid()),
        }
    }

    /// Whether `other` covers everything that this grant gives.
    pub(crate) fn is_within(self, other: Self) -> bool {
        match (self, other) {
            (Self::Env { env, role }, Self::Env { env: same, role: had }) => env == same && role <= had,
            (Self::Team { team, admin, worker }, Self::Team { team: same, admin: administered, worker: worked }) => {
                team == same && admin <= administered && worker <= worked
            }
            _ => false,
        }
    }

    /// Whether the grant makes the account an admin.
    pub(crate) fn is_admin(self) -> bool {
        matches!(self, Self::Env { role: EnvRole::Admin, .. } | Self::Team { admin: true, .. })
    }

    fn read(row: &PgRow, first: usize) -> sqlx::Result<Self> {
        Ok(match row.try_get::<Option<Id<Env>>, _>(first)? {
            Some(env) => Self::Env { env, role: row.try_get(first + 2)? },
            None => Self::Team { team: row.try_get(first + 1)?, admin: row.try_get(first + 3)?, worker: row.try_get(first + 4)? },
        })
    }
}

/// The columns of [`Grant::read`], in order.
const COLUMNS: &str = "env_id, team_id, role, admin, worker from pumphouse.service_account_grant";

/// A grant and the input field that requests it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) grant: Grant,
    pub(crate) field: String,
}

/// Reads the grants of an input, in lock order.
///
/// `VALIDATION` when a grant is on neither an env nor a team, or two are on the same one; includes the violations that
/// `rest` finds in the rest of the input.
pub(crate) fn asked(inputs: &[ServiceAccountGrantInput], rest: impl FnOnce(&mut Violations)) -> Result<Vec<Asked>> {
    let mut violations = Violations::default();
    if inputs.is_empty() || inputs.len() > MAX_GRANTS {
        violations.add("grants", format!("An account has 1 to {MAX_GRANTS} grants."));
    }
    let mut asked: Vec<Asked> = Vec::new();
    let mut places = BTreeSet::new();
    for (index, input) in inputs.iter().enumerate() {
        let (grant, name) = match (input.env_id, input.role, input.team_id) {
            (Some(env), Some(role), None) if !input.admin && !input.worker => (Grant::Env { env, role }, "envId"),
            (None, None, Some(team)) => (Grant::Team { team, admin: input.admin, worker: input.worker }, "teamId"),
            _ => {
                violations.add(format!("grants.{index}"), "A grant has `envId` and `role`, or `teamId` with `admin` and `worker`.");
                continue;
            }
        };
        let field = format!("grants.{index}.{name}");
        if !places.insert(grant.place()) {
            violations.add(field.clone(), "There is one grant for each env and team.");
        }
        asked.push(Asked { grant, field });
    }
    if !violations.is_empty() {
        rest(&mut violations);
        return Err(violations.refusal());
    }
    asked.sort_by_key(|asked| asked.grant.place());
    Ok(asked)
}

/// The env of each grant's env or team, by [`Grant::place`].
pub(crate) type Homes = BTreeMap<(bool, Uuid), Option<Uuid>>;

/// Proves that the viewer administers every env and team of these grants, and locks them.
///
/// # Errors
/// `NOT_FOUND` or `FORBIDDEN` naming the fields; includes the violations that `rest` finds in the rest of the input.
pub(crate) async fn administer(w: &mut Write, asked: &[Asked], rest: impl FnOnce(&mut Violations)) -> Result<Homes> {
    let (mut homes, mut refusals) = (Homes::new(), Vec::new());
    for Asked { grant, field } in asked {
        let home = match *grant {
            Grant::Env { env, .. } => w.administer(env, field).await.map(|env| Some(env.id.uuid())),
            Grant::Team { team, .. } => w.administer(team, field).await.map(|team| team.env_id.map(Id::uuid)),
        };
        match home {
            Ok(home) => drop(homes.insert(grant.place(), home)),
            Err(refusal) if refusal.is_refusal() => refusals.push((index(field), refusal)),
            Err(trouble) => return Err(trouble),
        }
    }
    if refusals.is_empty() {
        return Ok(homes);
    }
    // In input order, not in lock order.
    refusals.sort_by_key(|(index, _)| *index);
    let mut violations = Violations::default();
    for (_, refusal) in refusals {
        violations.refuse(refusal);
    }
    rest(&mut violations);
    Err(violations.refusal())
}

/// Returns the index of the grant that a field such as `grants.3.teamId` belongs to; `None` when it belongs to the account.
fn index(field: &str) -> Option<usize> {
    field.split('.').nth(1)?.parse().ok()
}

/// Refuses grants in several envs, unless the viewer is a superuser.
///
/// # Errors
/// `VALIDATION` naming the first grant that lies in another env than the one before it.
pub(crate) fn in_one_env(w: &Write, asked: &[Asked], homes: &Homes) -> Result<()> {
    let home = |asked: &Asked| homes.get(&asked.grant.place());
    let stray = asked.iter().zip(asked.iter().skip(1)).find(|(one, next)| home(one) != home(next));
    match stray {
        Some((_, stray)) if !w.viewer().is_superuser() => {
            Err(Error::validation("The grants of an account lie in one env.").field(stray.field.clone()))
        }
        _ => Ok(()),
    }
}

/// Grants that the viewer may give; their envs and teams are locked.
pub struct Granting {
    pub(crate) grants: Vec<Grant>,
}

impl Proof for Granting {
    /// The first grant's env or team.
    fn stake(&self) -> RightBasis {
        let Some(first) = self.grants.first() else { return RightBasis::Superuser };
        let (is_team, id) = first.place();
        if is_team { RightBasis::on::<Team>(id, Right::Administer) } else { RightBasis::on::<Env>(id, Right::Administer) }
    }
}

impl Granting {
    /// Proves the right to give all of these grants.
    ///
    /// # Errors
    /// See [`administer`] and [`in_one_env`].
    pub(crate) async fn of(w: &mut Write, asked: &[Asked], rest: impl FnOnce(&mut Violations)) -> Result<Self> {
        let homes = administer(w, asked, rest).await?;
        in_one_env(w, asked, &homes)?;
        Ok(Self { grants: asked.iter().map(|asked| asked.grant).collect() })
    }
}

/// Returns the grants of an account, in lock order.
pub(crate) async fn present(w: &mut Write, account: Id<ServiceAccount>) -> Result<Vec<Grant>> {
    let sql = Sql::new("select ").text(COLUMNS).with(" where service_account_id = ", account).text(" order by env_id, team_id");
    Ok(w.rows(sql).await?.iter().map(|row| Grant::read(row, 0)).collect::<sqlx::Result<_>>()?)
}

/// Returns the owner of an account for the audit log: the team of its only grant, and the common env of all grants.
pub(crate) async fn owner(w: &mut Write, account: Id<ServiceAccount>) -> Result<Owner> {
    let sql = Sql::new("select case when count(*) = 1 then (array_agg(g.team_id))[1] end,")
        .text(" case when count(distinct coalesce(g.env_id, t.env_id)) = 1 then (array_agg(coalesce(g.env_id, t.env_id)))[1] end")
        .text(" from pumphouse.service_account_grant g left join team t on t.id = g.team_id")
        .with(" where g.service_account_id = ", account);
    match w.rows(sql).await?.first() {
        Some(row) => Ok(Owner { team: row.try_get(0)?, env: row.try_get(1)? }),
        None => Ok(Owner::NONE),
    }
}

/// Replaces the grants of an account, and updates its user's memberships to match.
pub(crate) async fn put(w: &mut Write, account: Id<ServiceAccount>, user: Id<User>, grants: &[Grant]) -> Result<()> {
    enum Row {}
    let (mut envs, mut roles, mut teams, mut admins, mut workers) = (vec![], vec![], vec![], vec![], vec![]);
    for grant in grants {
        match *grant {
            Grant::Env { env, role } => {
                envs.push(env);
                roles.push(role.stored().to_owned());
            }
            Grant::Team { team, admin, worker } => {
                teams.push(team);
                admins.push(admin);
                workers.push(worker);
            }
        }
    }
    let ids = |count: usize| -> Vec<Id<Row>> { (0..count).map(|_| Id::random()).collect() };
    w.rows(Sql::new("delete from pumphouse.service_account_grant where service_account_id = ").value(account)).await?;
    let of_envs = Sql::new("insert into pumphouse.service_account_grant (id, service_account_id, env_id, role) select id, ")
        .value(account)
        .with(", env, role from unnest(", ids(envs.len()))
        .with(", ", envs.clone())
        .with(", ", roles.clone())
        .text(") as q(id, env, role)");
    w.rows(of_envs).await?;
    let of_teams = Sql::new("insert into pumphouse.service_account_grant (id, service_account_id, team_id, admin, worker) select id, ")
        .value(account)
        .with(", team, admin, worker from unnest(", ids(teams.len()))
        .with(", ", teams.clone())
        .with(", ", admins.clone())
        .with(", ", workers)
        .text(") as q(id, team, admin, worker)");
    w.rows(of_teams).await?;

    // No advisory locks needed: the database lets only the holder of the account's lock write these rows.
    let left = Sql::new("delete from env_member where user_id = ").value(user).with(" and not env_id = any(", envs.clone()).text(")");
    w.rows(left).await?;
    let left = Sql::new("delete from team_member where user_id = ").value(user).with(" and not team_id = any(", teams.clone()).text(")");
    w.rows(left).await?;
    let joined = Sql::new("insert into env_member (id, timestamp, role, user_id, env_id) select id, now(), role, ")
        .value(user)
        .with(", env from unnest(", ids(envs.len()))
        .with(", ", envs)
        .with(", ", roles)
        .text(
            ") as q(id, env, role) on conflict (user_id, env_id) do update set role = excluded.role where env_member.role <> excluded.role",
        );
    w.rows(joined).await?;
    let joined = Sql::new("insert into team_member (id, timestamp, admin, user_id, team_id) select id, now(), admin, ")
        .value(user)
        .with(", team from unnest(", ids(teams.len()))
        .with(", ", teams)
        .with(", ", admins)
        .text(") as q(id, team, admin) on conflict (user_id, team_id) do update set admin = excluded.admin")
        .text(" where coalesce(team_member.admin, false) <> excluded.admin");
    w.rows(joined).await?;
    Ok(())
}

/// A right of a service account: a role in an env, or membership of a team.
#[derive(SimpleObject, Clone)]
#[graphql(complex)]
pub struct ServiceAccountGrant {
    /// What the account may do in the env; null for a grant on a team.
    role: Option<EnvRole>,
    /// Whether the account administers the team.
    admin: bool,
    /// Whether the account may act for the workers of the team.
    worker: bool,
    #[graphql(skip)]
    env: Option<Id<Env>>,
    #[graphql(skip)]
    team: Option<Id<Team>>,
}

#[ComplexObject]
impl ServiceAccountGrant {
    /// The env that the grant is on; null for a grant on a team.
    async fn env_id(&self) -> Option<ID> {
        self.env.map(|env| ID(env.to_string()))
    }

    /// The env that the grant is on; null for a grant on a team.
    async fn env(&self, ctx: &Context<'_>) -> Result<Option<Env>> {
        let Some(env) = self.env else { return Ok(None) };
        by_id(ctx, env.uuid()).await
    }

    /// The team that the grant is on; null for a grant on an env.
    async fn team_id(&self) -> Option<ID> {
        self.team.map(|team| ID(team.to_string()))
    }

    /// The team that the grant is on; null for a grant on an env.
    async fn team(&self, ctx: &Context<'_>) -> Result<Option<Team>> {
        let Some(team) = self.team else { return Ok(None) };
        by_id(ctx, team.uuid()).await
    }
}

impl From<Grant> for ServiceAccountGrant {
    fn from(grant: Grant) -> Self {
        match grant {
            Grant::Env { env, role } => Self { role: Some(role), admin: false, worker: false, env: Some(env), team: None },
            Grant::Team { team, admin, worker } => Self { role: None, admin, worker, env: None, team: Some(team) },
        }
    }
}

/// Returns the grants of an account that the viewer sees; batched across accounts.
pub(crate) async fn of_account(account: &ServiceAccount, ctx: &Context<'_>) -> Result<Rows<ServiceAccountGrant>> {
    let read = Read::of(ctx)?;
    let found: Option<Vec<Grant>> = read
        .batch("service account grants", account.id.uuid(), move |read, ids: Vec<Uuid>| async move {
            let sql = Sql::new("select service_account_id, ").text(COLUMNS).with(" where service_account_id = any(", ids);
            let mut found: HashMap<Uuid, Vec<Grant>> = HashMap::new();
            for row in read.db().rows(sql.text(") order by env_id, team_id")).await? {
                found.entry(row.try_get(0)?).or_default().push(Grant::read(&row, 1)?);
            }
            Ok(found)
        })
        .await?;
    Ok(Rows(found.unwrap_or_default().into_iter().map(ServiceAccountGrant::from).collect()))
}
