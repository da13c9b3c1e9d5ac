//! Requests: a user requests to join an env or a team, or is invited to it. Both have the same shape.
//!
//! Always holds: author and target are equal in a request to join, which an admin decides. They differ in an invitation,
//! which the target decides. A request is decided once. The user who decides sees its author and, for an invitation, the
//! name of the env or team, even without other rights on them.

use std::collections::HashMap;

use async_graphql::Context;
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::access::group::Group as _;
use crate::access::{Env, EnvRole, Team, User};
use crate::choice;
use crate::core::entity::{Entity, computed, to_one};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope::Scope;
use crate::core::sql::Sql;
use crate::entity;

choice! {
    /// Where a request to join or an invitation stands.
    RequestStatus {
        /// Not decided yet.
        Pending = "PENDING",
        /// It was accepted; the target is a member.
        Accepted = "ACCEPTED",
        /// It was declined by the user who had to decide.
        Declined = "DECLINED",
        /// It was withdrawn before a decision.
        Cancelled = "CANCELLED",
    }
}

/// Requests not created from an invitation to an address. Those are visible only to the user with that address.
const OPEN: Scope = Scope::NotIn("pumphouse.invitation");

entity! {
    /// A request to join an env, or an invitation to it. Seen by its author, its target, and the admins and readers of the
    /// env. An invitation of a user whom the author does not see is shown to its target only; see `Env.invitations`.
    EnvRequest in "env_request";
    scope: Scope::Sees(&Scope::AnyOf(&[
        Scope::AllOf(&[OPEN, Scope::AnyOf(&[Env::OFFICERS, Scope::CurrentUser("from_user_id")])]),
        Scope::CurrentUser("to_user_id"),
    ]));
    order: "created_at" Desc;
    columns {
        /// The role that acceptance gives.
        role: EnvRole [filter];
        /// The env to join.
        env_id: Id<Env> [filter];
        /// The author of the request; the same as the target when users request for themselves.
        from_user_id: Id<User> [filter];
        /// The user who becomes a member when it is accepted.
        to_user_id: Id<User> [filter];
        /// The status of the request.
        status: RequestStatus [order, filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<EnvRequest, Env>("env", "id", "env_id", "The env to join; null for those who do not see it yet.");
        to_one::<EnvRequest, User>("fromUser", "id", "from_user_id", "Who wrote the request; null for those who do not see them yet.");
        computed::<EnvRequest, Option<String>>("envName", |row, ctx| Box::pin(offered::<Env>(row.from_user_id != row.to_user_id, row.env_id.uuid(), ctx)), "The name of the env that the target is invited to, who does not see it yet; null in a request to join.");
        computed::<EnvRequest, Option<String>>("fromEmail", |row, ctx| Box::pin(text::<User>("email", row.from_user_id.uuid(), ctx)), "The email of who wrote the request, for those too who do not see them yet.");
        to_one::<EnvRequest, User>("toUser", "id", "to_user_id", "Who becomes a member when it is accepted; null for those who do not see them yet.");
    }
}

entity! {
    /// A request to join a team, or an invitation to it. Seen by its author, its target, the admins of the team, and the
    /// admins and readers of the env. An invitation of a user whom the author does not see is shown to its target only; see
    /// `Team.invitations`.
    TeamRequest in "team_request";
    scope: Scope::Sees(&Scope::AnyOf(&[
        Scope::AllOf(&[OPEN, Scope::AnyOf(&[Team::OFFICERS, Scope::CurrentUser("from_user_id")])]),
        Scope::CurrentUser("to_user_id"),
    ]));
    order: "created_at" Desc;
    columns {
        /// Whether acceptance makes the target an admin of the team.
        admin: bool [filter];
        /// The team to join.
        team_id: Id<Team> [filter];
        /// The author of the request; the same as the target when users request for themselves.
        from_user_id: Id<User> [filter];
        /// The user who becomes a member when it is accepted.
        to_user_id: Id<User> [filter];
        /// The status of the request.
        status: RequestStatus [order, filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<TeamRequest, Team>("team", "id", "team_id", "The team to join; null for those who do not see it yet.");
        to_one::<TeamRequest, User>("fromUser", "id", "from_user_id", "Who wrote the request; null for those who do not see them yet.");
        computed::<TeamRequest, Option<String>>("teamName", |row, ctx| Box::pin(offered::<Team>(row.from_user_id != row.to_user_id, row.team_id.uuid(), ctx)), "The name of the team that the target is invited to, who does not see it yet; null in a request to join.");
        computed::<TeamRequest, Option<String>>("fromEmail", |row, ctx| Box::pin(text::<User>("email", row.from_user_id.uuid(), ctx)), "The email of who wrote the request, for those too who do not see them yet.");
        to_one::<TeamRequest, User>("toUser", "id", "to_user_id", "Who becomes a member when it is accepted; null for those who do not see them yet.");
    }
}

/// Returns the name of the env or team of an invitation. `None` for a request to join, which anyone who has the id may
/// write.
async fn offered<E: Entity>(invitation: bool, id: Uuid, ctx: &Context<'_>) -> Result<Option<String>> {
    if invitation { text::<E>("name", id, ctx).await } else { Ok(None) }
}

/// Reads one column of a row that the viewer may not see as a whole.
async fn text<E: Entity>(column: &'static str, id: Uuid, ctx: &Context<'_>) -> Result<Option<String>> {
    let found: Option<Option<String>> = Read::of(ctx)?
        .batch(&format!("{} of {}", column, E::NAME), id, move |read, ids: Vec<Uuid>| async move {
            let sql = Sql::new("select id, ").text(column).text(" from ").text(E::TABLE).with(" where id = any(", ids).text(")");
            read.db().rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<HashMap<_, _>>>()
        })
        .await?;
    Ok(found.flatten())
}
