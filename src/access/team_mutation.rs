//! Creating, changing and deleting teams.
//!
//! Not here: moving them (`team_move.rs`), their members and requests.

use async_graphql::{Context, InputObject, MaybeUndefined, Object, SimpleObject};
use uuid::Uuid;

use crate::access::team_move::MoveTeamInput;
use crate::access::{Env, Team, holdings, service_account_mutation};
use crate::core::audit::About;
use crate::core::entity::{Entity as _, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Proof, RightBasis};
use crate::core::scalars::Time;
use crate::core::sql::{Bind, Sql};
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The longest name of a team, in characters.
pub(super) const LONGEST_NAME: usize = 100;
/// The longest description of a team, in characters.
pub(super) const LONGEST_DESCRIPTION: usize = 10_000;

/// The mutations of teams.
#[derive(Default)]
pub struct TeamMutation;

/// A new team.
#[derive(InputObject, Clone)]
pub struct CreateTeamInput {
    /// The env of the team.
    pub env_id: Id<Env>,
    /// The name, 1 to 100 characters, unique within the env.
    pub name: String,
    /// The purpose of the team, at most 10,000 characters.
    pub description: Option<String>,
}

/// The new team.
#[derive(SimpleObject)]
pub struct CreateTeamPayload {
    /// The created team.
    pub team: Team,
}

/// What to change in a team. Omitted fields stay unchanged; null is refused (`VALIDATION`) unless the field documents its
/// meaning.
#[derive(InputObject, Clone)]
pub struct UpdateTeamInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The new name, 1 to 100 characters, unique within the env.
    pub name: MaybeUndefined<String>,
    /// The purpose of the team, at most 10,000 characters; null removes the description.
    pub description: MaybeUndefined<String>,
    /// The `updatedAt` that was read with the team; `CONFLICT` when it has changed since, and nothing is written. Null skips
    /// this check.
    pub updated_at: Option<Time>,
}

/// The changed team.
#[derive(SimpleObject)]
pub struct UpdateTeamPayload {
    /// The team as it is now.
    pub team: Team,
}

/// The moved team.
#[derive(SimpleObject)]
pub struct MoveTeamPayload {
    /// The team as it is now.
    pub team: Team,
}

/// Which team to delete.
#[derive(InputObject, Clone)]
pub struct DeleteTeamInput {
    /// The team.
    pub team_id: Id<Team>,
}

/// The deleted team.
#[derive(SimpleObject)]
pub struct DeleteTeamPayload {
    /// The team as it was.
    pub team: Team,
}

#[Object]
impl TeamMutation {
    /// Creates a team in an env. For superusers, and for the env's admins and members, who become the team's admin; not for
    /// its readers. A superuser who does not belong to the env creates it without members.
    async fn create_team(&self, ctx: &Context<'_>, #[graphql(desc = "The new team.")] input: CreateTeamInput) -> Result<CreateTeamPayload> {
        let team = write(ctx, input).await?;
        Ok(CreateTeamPayload { team })
    }

    /// Changes the name or the description of a team. For its admins and the admins of its env.
    async fn update_team(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateTeamInput,
    ) -> Result<UpdateTeamPayload> {
        let team = write(ctx, input).await?;
        Ok(UpdateTeamPayload { team })
    }

    /// Moves a team with all that it owns, its members and its requests to another env. For admins of both envs. `CONFLICT`,
    /// and nothing moves, when a name is taken there (`details.namesTaken`: `type`, `id` and `name` of the objects that
    /// would move) or a reference crosses the boundary of the team (`details.references`: `type`, `id` and `name` of the
    /// referring object, its fields whose other end `moves` and those whose other end `stays`; a datamodel without a source
    /// and pipelines is bound by its `pipelineSubscriptions`).
    async fn move_team(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which team moves where.")] input: MoveTeamInput,
    ) -> Result<MoveTeamPayload> {
        let team = write(ctx, input).await?;
        Ok(MoveTeamPayload { team })
    }

    /// Deletes a team with its memberships and requests, and the service accounts that have no other grant. For its admins and
    /// the admins of its env. `CONFLICT` while it owns connectors or pipelines: `details.connectors` and `details.pipelines`
    /// contain the count and the first 20 names.
    async fn delete_team(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which team to delete.")] input: DeleteTeamInput,
    ) -> Result<DeleteTeamPayload> {
        let team = write(ctx, input).await?;
        Ok(DeleteTeamPayload { team })
    }
}

/// An env, locked against deletion, in which the viewer may create teams.
pub struct EnvForNewTeam(Id<Env>);

impl Proof for EnvForNewTeam {
    fn stake(&self) -> RightBasis {
        RightBasis::EnvMember(self.0.uuid())
    }
}

impl EnvForNewTeam {
    async fn of(w: &mut Write, env: Id<Env>) -> Result<Self> {
        let mut sql = Sql::new("select 1");
        from_visible::<Env>(&mut sql, w.viewer());
        if w.rows(sql.with(" and t.id = ", env).text(" for key share of t")).await?.is_empty() {
            return Err(Error::no_such(Env::NAME).field("envId"));
        }
        if !w.viewer().may_write_in(env.uuid()) {
            return Err(Error::forbidden("Only members and admins of an env make teams in it.").field("envId"));
        }
        Ok(Self(env))
    }
}

impl Mutation for CreateTeamInput {
    type Proof = EnvForNewTeam;
    type Answer = Team;

    async fn authorize(&self, w: &mut Write) -> Result<EnvForNewTeam> {
        EnvForNewTeam::of(w, self.env_id).await
    }

    async fn apply(self, w: &mut Write, EnvForNewTeam(env): EnvForNewTeam) -> Result<Team> {
        let mut violations = Violations::default();
        let name = violations.name("name", &self.name, LONGEST_NAME);
        let description = self.description.and_then(|text| normalize_description(&mut violations, &text));
        violations.none()?;
        let team = Id::<Team>::random();
        let sql = Sql::new("insert into team (id, name, description, env_id) values (").value(team).with(", ", name.clone());
        w.rows(sql.with(", ", description).with(", ", env).text(")")).await?;
        let owner = Owner { team: Some(team.uuid()), env: Some(env.uuid()) };
        w.record(Verb::Create, About::row(team).name(Some(&name)).owner(owner).fields(&["name", "description", "envId"])).await?;
        if let Some(user) = w.viewer().user_id().filter(|_| w.viewer().member_envs().contains(&env.uuid())) {
            make_admin(w, user, team).await?;
        }
        w.reread(team).await
    }
}

impl Mutation for UpdateTeamInput {
    type Proof = Held<Team, Administered>;
    type Answer = Team;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.administer(self.team_id, "teamId").await
    }

    async fn apply(self, w: &mut Write, team: Self::Proof) -> Result<Team> {
        team.unchanged_since(self.updated_at)?;
        let mut violations = Violations::default();
        let name = violations.kept("name", self.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        let description = match self.description {
            MaybeUndefined::Undefined => None,
            MaybeUndefined::Null => Some(None),
            MaybeUndefined::Value(text) => Some(normalize_description(&mut violations, &text)),
        };
        violations.none()?;
        let mut values = Vec::new();
        values.extend(name.clone().map(|name| ("name", Bind::Text(name))));
        values.extend(description.map(|text| ("description", text.map_or(Bind::Null, Bind::Text))));
        let changed = w.update(&team, &values).await?;
        if !changed.is_empty() {
            let name = name.as_deref().or(team.name.as_deref());
            w.record(Verb::Update, About::row(team.id).name(name).owner(owner(&team)).fields(&changed)).await?;
        }
        w.reread(team.id).await
    }
}

impl Mutation for DeleteTeamInput {
    type Proof = Held<Team, Administered>;
    type Answer = Team;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.administer(self.team_id, "teamId").await
    }

    async fn apply(self, w: &mut Write, team: Self::Proof) -> Result<Team> {
        // Waits for transactions that create a connector or pipeline of the team; later ones find no team.
        w.rows(Sql::new("select 1 from team where id = ").value(team.id).text(" for update")).await?;
        holdings::refuse_while_owning(w, "team_id", team.id.uuid(), "teamId").await?;
        w.rows(Sql::new("delete from team_request where team_id = ").value(team.id)).await?;
        let accounts = service_account_mutation::granted(w, "team_id", team.id.uuid()).await?;
        w.delete(&team).await?;
        service_account_mutation::delete_without_grants(w, accounts, owner(&team)).await?;
        w.record(Verb::Delete, About::row(team.id).name(team.name.as_deref()).owner(owner(&team))).await?;
        Ok(team.into_row())
    }
}

/// Returns the team as an audit owner.
pub(crate) fn owner(team: &Team) -> Owner {
    Owner { team: Some(team.id.uuid()), env: team.env_id.map(Id::uuid) }
}

/// Normalizes a description; an empty one becomes `None`.
fn normalize_description(violations: &mut Violations, text: &str) -> Option<String> {
    Some(violations.text("description", text, LONGEST_DESCRIPTION)).filter(|text| !text.is_empty())
}

/// Makes the creator of a team its admin. A service account gets a grant, as all its memberships come from grants.
async fn make_admin(w: &mut Write, user: Uuid, team: Id<Team>) -> Result<()> {
    let (membership, grant) = (Id::<Team>::random(), Id::<Team>::random());
    let sql = Sql::new("with member as (insert into team_member (id, timestamp, admin, user_id, team_id) values (")
        .value(membership)
        .with(", now(), true, ", user)
        .with(", ", team)
        .with(")) insert into pumphouse.service_account_grant (id, service_account_id, team_id, admin) select ", grant)
        .with(", s.id, ", team)
        .with(", true from service_account_user s where s.user_id = ", user);
    w.rows(sql).await?;
    Ok(())
}
