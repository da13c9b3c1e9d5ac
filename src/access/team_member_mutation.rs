//! The GraphQL mutations of team memberships; implemented in `member_mutation.rs`.

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

/// A user's role in a team.
#[derive(InputObject, Clone)]
pub struct SetTeamMemberInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The user; one that you see, and no service account.
    pub user_id: Id<User>,
    /// Whether the user administers the team from now on.
    #[graphql(default)]
    pub admin: bool,
    /// The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites
    /// unconditionally.
    pub updated_at: Option<Time>,
}

/// The membership that was set.
#[derive(SimpleObject)]
pub struct SetTeamMemberPayload {
    /// The membership as it is now.
    pub team_member: TeamMember,
}

/// The membership to end.
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
    /// Makes a user a member of a team, or changes whether they administer it. For admins of the team and of its env. The
    /// user need not belong to the env. Changes nothing when the user already has this role. The last active admin of the
    /// team can only be demoted by a superuser (otherwise `CONFLICT`). A pending request to join for at most this role is
    /// accepted; anything else pending for this user and team is cancelled.
    async fn set_team_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who becomes what in which team.")] input: SetTeamMemberInput,
    ) -> Result<SetTeamMemberPayload> {
        let team_member =
            write(ctx, SetMember { group: input.team_id, user: input.user_id, role: input.admin, updated_at: input.updated_at }).await?;
        Ok(SetTeamMemberPayload { team_member })
    }

    /// Ends a membership of a team: your own, or as an admin of the team or of its env any user's. `NOT_FOUND` on `userId`
    /// when the user is not a member. Only a superuser can remove the last active admin of the team (otherwise `CONFLICT`).
    /// Pending requests of this user for the team are cancelled.
    async fn remove_team_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who leaves which team.")] input: RemoveTeamMemberInput,
    ) -> Result<RemoveTeamMemberPayload> {
        let team_member = write(ctx, RemoveMember { group: input.team_id, user: input.user_id }).await?;
        Ok(RemoveTeamMemberPayload { team_member })
    }
}
