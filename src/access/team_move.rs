//! Moving a team to another env, with all that it owns.
//!
//! Always holds: the move is atomic. The database itself updates the mirrored `env_id` of connectors and pipelines
//! (migrations/0004). While a team moves, nobody can create anything below it or refer to what it owns: earlier transactions
//! are waited for, later ones see the team in its new env.

use async_graphql::InputObject;
use serde_json::{Value, json};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::team_mutation::owner;
use crate::access::{Env, Team};
use crate::core::audit::About;
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Proof, RightBasis};
use crate::core::sql::{Bind, Sql};
use crate::core::verb::Verb;
use crate::core::viewer::{Owner, Right};
use crate::core::write::{Mutation, Write};

/// Which team moves where.
#[derive(InputObject, Clone)]
pub struct MoveTeamInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The target env. When the team is already in it, nothing happens.
    pub env_id: Id<Env>,
}

/// A team and its target env. The viewer administers both, and the team's present env.
pub struct MovableTeam {
    team: Held<Team, Administered>,
    env: Held<Env, Administered>,
}

impl Proof for MovableTeam {
    fn stake(&self) -> RightBasis {
        self.team.stake()
    }
}

impl Mutation for MoveTeamInput {
    type Proof = MovableTeam;
    type Answer = Team;

    async fn authorize(&self, w: &mut Write) -> Result<MovableTeam> {
        let env = w.administer(self.env_id, "envId").await?;
        let team = w.administer(self.team_id, "teamId").await?;
        let from = Owner { team: None, env: team.env_id.map(Id::uuid) };
        if !w.viewer().holds(Right::Administer, &[from]) {
            return Err(Error::forbidden("Only those who administer the team's present env too may move it.").field("teamId"));
        }
        Ok(MovableTeam { team, env })
    }

    async fn apply(self, w: &mut Write, MovableTeam { team, env }: MovableTeam) -> Result<Team> {
        if team.env_id == Some(env.id) {
            return Ok(team.into_row());
        }
        lock(w, team.id).await?;
        let taken_names = find_taken_names(w, &team, env.id).await?;
        let references = references(w, &team, env.id).await?;
        if !taken_names.is_empty() || !references.is_empty() {
            let message = format!(
                "The team cannot move: {} names are taken there, and {} references would lead to another env; see `details`.",
                taken_names.len(),
                references.len()
            );
            let details = json!({"namesTaken": taken_names, "references": references});
            return Err(Error::conflict(message).field("envId").details(details));
        }
        let changed = w.update(&team, &[("envId", Bind::Uuid(env.id.uuid()))]).await.map_err(name_conflict)?;
        let owner = Owner { env: Some(env.id.uuid()), ..owner(&team) };
        w.record(Verb::Move, About::row(team.id).name(team.name.as_deref()).owner(owner).fields(&changed)).await?;
        w.reread(team.id).await
    }
}

/// Locks out transactions that create something below the team or refer to what it owns.
async fn lock(w: &mut Write, team: Id<Team>) -> Result<()> {
    let locks = [
        Sql::new("select 1 from team where id = ").value(team),
        Sql::new("select 1 from connector where team_id = ").value(team),
        Sql::new("select 1 from datamodel where source_connector_id in (select id from connector where team_id = ")
            .value(team)
            .with(") or id in (select datamodel_id from pipeline where team_id = ", team)
            // Datamodels without a source belong to the subscriptions that name them.
            .with(") or source_connector_id is null and id in (select s.datamodel_id from subscription s join pipeline p on p.id = s.pipeline_id where p.team_id = ", team)
            .with(" union select s.datamodel_id from subscription s join connector c on c.id in (s.target_connector_id, s.error_table_target_id) where c.team_id = ", team)
            .text(")"),
        Sql::new("select 1 from pipeline where team_id = ").value(team),
    ];
    for rows in locks {
        w.rows(rows.text(" order by id for update")).await?;
    }
    Ok(())
}

/// Returns names of the team's objects that are taken in the target env, or that occur twice within the team, which is
/// possible for a team without an env.
async fn find_taken_names(w: &mut Write, team: &Team, env: Id<Env>) -> Result<Vec<Value>> {
    let sql = Sql::new("select 'Team', t.id, t.name from team t join team o using (name) where t.id = ")
        .value(team.id)
        .with(" and o.env_id = ", env)
        .with(
            " union all select * from (select 'Connector', t.id, t.name from connector t join connector o using (name) where o.id <> t.id and t.team_id = ",
            team.id,
        )
        .with(" and (o.team_id = t.team_id or o.env_id = ", env)
        .with(") union all select 'Pipeline', t.id, t.name from pipeline t join pipeline o using (name) where o.id <> t.id and t.team_id = ", team.id)
        .with(" and (o.team_id = t.team_id or o.env_id = ", env)
        .text(") order by 1, 3) owned");
    let rows = w.rows(sql).await?;
    let listed = rows.iter().map(|row| {
        let (kind, id, name): (&str, Uuid, Option<&str>) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(json!({"type": kind, "id": id, "name": name}))
    });
    listed.collect()
}

/// Returns references between the team's objects and objects that stay outside the target env. References to objects that
/// are in neither env should not exist; they are counted, and named to superusers only.
async fn references(w: &mut Write, team: &Team, env: Id<Env>) -> Result<Vec<Value>> {
    let sees_all = w.viewer().is_superuser();
    // By ids, so that the view is not read in full.
    let sql = Sql::new("with moves as materialized (select * from pumphouse.tie where team_id = ")
        .value(team.id)
        .with("), stays as (select * from pumphouse.tie where id = any(array(select id from moves)) and team_id is distinct from ", team.id)
        .with(" and env_id is distinct from ", env)
        .text(") select moves.type, moves.id, moves.name, array_agg(distinct moves.field), array_agg(distinct stays.field), ")
        .with("bool_or(", sees_all)
        .with(" or stays.env_id = ", team.env_id)
        .text(") from moves join stays using (type, id) group by 1, 2, 3 order by 1, 3, 2");
    let rows = w.rows(sql).await?;
    let listed = rows.iter().map(|row| {
        let (kind, id, name): (&str, Uuid, Option<&str>) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let (moves, stays): (Vec<String>, Vec<String>) = (row.try_get(3)?, row.try_get(4)?);
        let seen = row.try_get::<Option<bool>, _>(5)? == Some(true);
        Ok(json!({"type": kind, "id": seen.then_some(id), "name": name.filter(|_| seen), "moves": moves, "stays": stays}))
    });
    listed.collect()
}

/// The error for a name that was free at the check, but taken since.
fn name_conflict(error: Error) -> Error {
    if error.code() != Code::Conflict {
        return error;
    }
    Error::conflict("A name of what the team owns was taken in the new env at this very moment; try again to see which.").field("envId")
}
