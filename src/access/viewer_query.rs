//! `viewer`: the signed-in user, their memberships and rights.

use async_graphql::{ComplexObject, Context, Enum, Object, SimpleObject};
use sqlx::Row as _;

use crate::access::{Env, EnvRole, ServiceAccount, Team, User};
use crate::core::entity::{Entity as _, by_id};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Identity, Right};

/// The maximum number of memberships returned at once.
const MAX_MEMBERSHIPS: i32 = 1_000;

/// The root `viewer`.
#[derive(Default)]
pub struct ViewerQuery;

/// The signed-in user.
#[derive(SimpleObject)]
#[graphql(complex, name = "Viewer")]
pub struct ViewerObject {
    /// The user behind the token.
    user: User,
}

/// An env that the viewer belongs to.
#[derive(SimpleObject)]
pub struct ViewerEnv {
    /// The viewer's role in the env.
    role: EnvRole,
    /// The env.
    env: Option<Env>,
}

/// A team that the viewer belongs to.
#[derive(SimpleObject)]
pub struct ViewerTeam {
    /// Whether the viewer administers the team.
    admin: bool,
    /// The team.
    team: Option<Team>,
}

/// A right on an object.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(name = "Right")]
pub enum RightInput {
    /// Read it.
    See,
    /// Change it, as members of the owning team do.
    Change,
    /// Change its settings, members and requests, as admins do.
    Administer,
}

#[Object]
impl ViewerQuery {
    /// The signed-in user, their memberships and rights.
    async fn viewer(&self, ctx: &Context<'_>) -> Result<ViewerObject> {
        let read = Read::of(ctx)?;
        let Some(id) = read.viewer().user_id() else {
            return Err(Error::no_user());
        };
        let user = by_id::<User>(ctx, id).await?.ok_or_else(|| Error::not_found("user"))?;
        Ok(ViewerObject { user })
    }
}

#[ComplexObject]
impl ViewerObject {
    /// The service account that the token was issued for; null for a person.
    async fn service_account(&self, ctx: &Context<'_>) -> Result<Option<ServiceAccount>> {
        match Read::of(ctx)?.viewer().identity() {
            Identity::User { service_account: Some(id), .. } => by_id(ctx, *id).await,
            Identity::User { service_account: None, .. } | Identity::Worker { .. } => Ok(None),
        }
    }

    /// The envs that the viewer is a member of, by name. The list `envs` has all envs that the viewer sees.
    async fn envs(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "This many, 1 to 1,000.", default = 1_000)] first: i32,
    ) -> Result<Vec<ViewerEnv>> {
        let read = Read::of(ctx)?;
        let sql = Sql::new("select m.env_id, m.role from env_member m join env e on e.id = m.env_id where m.user_id = ")
            .value(self.user.id)
            .with(" order by e.name, e.id limit ", most(first)?);
        let rows = read.rows(sql).await?;
        let envs = rows.iter().map(|row| async move { Ok(ViewerEnv { role: row.try_get(1)?, env: by_id(ctx, row.try_get(0)?).await? }) });
        futures_util::future::try_join_all(envs).await
    }

    /// The teams that the viewer is a member of, by name. The list `teams` has all teams that the viewer sees.
    async fn teams(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "This many, 1 to 1,000.", default = 1_000)] first: i32,
    ) -> Result<Vec<ViewerTeam>> {
        let read = Read::of(ctx)?;
        let sql =
            Sql::new("select m.team_id, coalesce(m.admin, false) from team_member m join team t on t.id = m.team_id where m.user_id = ")
                .value(self.user.id)
                .with(" order by t.name, t.id limit ", most(first)?);
        let rows = read.rows(sql).await?;
        let teams =
            rows.iter().map(|row| async move { Ok(ViewerTeam { admin: row.try_get(1)?, team: by_id(ctx, row.try_get(0)?).await? }) });
        futures_util::future::try_join_all(teams).await
    }

    /// Whether the viewer has a right on a team, and thus on all that it owns; false also when there is no such team.
    async fn can(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The right asked about.")] right: RightInput,
        #[graphql(desc = "The team asked about.")] team_id: Id<Team>,
    ) -> Result<bool> {
        let read = Read::of(ctx)?;
        let right = match right {
            RightInput::See => Right::See,
            RightInput::Change => Right::Change,
            RightInput::Administer => Right::Administer,
        };
        let mut sql = Sql::new("select exists (select 1 from team t where t.id = ").value(team_id).text(" and ");
        scope::predicate(&mut sql, read.viewer(), &Team::SCOPE, right, "t");
        sql.push(")");
        read.rows(sql).await?.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
    }
}

/// Checks the row limit of a list that is not a connection.
fn most(first: i32) -> Result<i64> {
    if (1..=MAX_MEMBERSHIPS).contains(&first) { Ok(first.into()) } else { Err(Error::validation("`first` is 1 to 1,000.").field("first")) }
}
