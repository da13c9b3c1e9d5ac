//! The members of teams in the graph: the names of what `member_mutation.rs` does.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::access::member_mutation::{RemoveMember, SetMember};
use crate::access::{Team, TeamMember, User};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::scalars::Time;
use crate::core::write::write;

/// The mutations of memberships in teams.
#[derive(Default)]
pub struct TeamMemberMutation;

/// Who becomes what in which team.
#[derive(InputObject, Clone)]
pub struct SetTeamMemberInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The user; one that you see, and no service account.
    pub user_id: Id<User>,
    /// Whether they administer the team from now on.
    #[graphql(default)]
    pub admin: bool,
    /// The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites.
    pub updated_at: Option<Time>,
}

/// The membership that was set.
#[derive(SimpleObject)]
pub struct SetTeamMemberPayload {
    /// The membership as it is now.
    pub team_member: TeamMember,
}

/// Who leaves which team.
#[derive(InputObject, Clone)]
pub struct RemoveTeamMemberInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The member.
    pub user_id: Id<User>,
}

/// The membership that ended.
#[derive(SimpleObject)]
pub struct RemoveTeamMemberPayload {
    /// The membership as it was.
    pub team_member: TeamMember,
}

#[Object]
impl TeamMemberMutation {
    /// Makes a user a member of a team, or changes whether they administer it; for the admins of the team and of its
    /// env. They need not belong to the env. Who stands there already stays as they are. The last active admin of the
    /// team cannot be demoted, unless by a superuser: `CONFLICT`. A pending request to join for no more than this is
    /// accepted with it, anything else that is pending for this user and team is cancelled.
    async fn set_team_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who becomes what in which team.")] input: SetTeamMemberInput,
    ) -> Result<SetTeamMemberPayload> {
        let team_member =
            write(ctx, SetMember { group: input.team_id, user: input.user_id, role: input.admin, updated_at: input.updated_at }).await?;
        Ok(SetTeamMemberPayload { team_member })
    }

    /// Ends a membership of a team: one's own, or for the admins of the team and of its env anybody's. `NOT_FOUND` on
    /// `userId` when they are no member. The last active admin of the team cannot go, unless a superuser says so:
    /// `CONFLICT`. What is pending for this user and team is cancelled.
    async fn remove_team_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who leaves which team.")] input: RemoveTeamMemberInput,
    ) -> Result<RemoveTeamMemberPayload> {
        let team_member = write(ctx, RemoveMember { group: input.team_id, user: input.user_id }).await?;
        Ok(RemoveTeamMemberPayload { team_member })
    }
}
