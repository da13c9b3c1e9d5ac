//! Requests to join teams and invitations to them in the graph: the names of what `request_mutation.rs` and
//! `decision.rs` do.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::access::decision::{Accept, Cancel, Decline};
use crate::access::request_mutation::{Invite, Join};
use crate::access::{Team, TeamMember, TeamRequest};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::write::write;

/// The mutations of requests to join teams, and of invitations to them.
#[derive(Default)]
pub struct TeamRequestMutation;

/// What to join.
#[derive(InputObject, Clone)]
pub struct RequestToJoinTeamInput {
    /// The team. Its id is enough, as whoever told you has it; you need not see the team.
    pub team_id: Id<Team>,
    /// Whether you ask to administer it.
    #[graphql(default)]
    pub admin: bool,
}

/// The new request.
#[derive(SimpleObject)]
pub struct RequestToJoinTeamPayload {
    /// The request, which is pending.
    pub team_request: TeamRequest,
}

/// The user to invite.
#[derive(InputObject, Clone)]
pub struct InviteToTeamInput {
    /// The team.
    pub team_id: Id<Team>,
    /// The exact email address, whatever the case.
    pub email: String,
    /// Whether acceptance makes them an admin of the team.
    #[graphql(default)]
    pub admin: bool,
}

/// A stored invitation; the answer is the same whether or not a user has the address.
#[derive(SimpleObject)]
pub struct InviteToTeamPayload {
    /// The address as it is stored: trimmed and in lower case.
    pub email: String,
    /// The team.
    pub team: Team,
}

/// Which request or invitation to accept.
#[derive(InputObject, Clone)]
pub struct AcceptTeamRequestInput {
    /// The request.
    pub request_id: Id<TeamRequest>,
}

/// The accepted request and the resulting membership.
#[derive(SimpleObject)]
pub struct AcceptTeamRequestPayload {
    /// The request, which is accepted.
    pub team_request: TeamRequest,
    /// The membership as it is now.
    pub team_member: TeamMember,
}

/// Which request or invitation to decline.
#[derive(InputObject, Clone)]
pub struct DeclineTeamRequestInput {
    /// The request.
    pub request_id: Id<TeamRequest>,
}

/// The declined request.
#[derive(SimpleObject)]
pub struct DeclineTeamRequestPayload {
    /// The request, which is declined.
    pub team_request: TeamRequest,
}

/// Which request or invitation to cancel.
#[derive(InputObject, Clone)]
pub struct CancelTeamRequestInput {
    /// The request.
    pub request_id: Id<TeamRequest>,
}

/// The cancelled request.
#[derive(SimpleObject)]
pub struct CancelTeamRequestPayload {
    /// The request, which is cancelled.
    pub team_request: TeamRequest,
}

#[Object]
impl TeamRequestMutation {
    /// Requests to become a member of a team, or, as a member, to administer it; decided by the admins of the team and of
    /// its env. `CONFLICT` when you have that role already, or when a request or an invitation is pending already, with its
    /// id in `details.requestId`.
    async fn request_to_join_team(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to join.")] input: RequestToJoinTeamInput,
    ) -> Result<RequestToJoinTeamPayload> {
        let team_request = write(ctx, Join { group: input.team_id, role: input.admin }).await?;
        Ok(RequestToJoinTeamPayload { team_request })
    }

    /// Invites the user with this address to become a member of a team, or a member to administer it. For admins of the team
    /// and of its env. The answer is the same whether or not a user has the address; for an address without a user, the
    /// invitation stays valid for 30 days. `CONFLICT` when the user has that role already, or when an invitation or a
    /// request of theirs is pending already.
    async fn invite_to_team(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whom to invite.")] input: InviteToTeamInput,
    ) -> Result<InviteToTeamPayload> {
        let (email, team) = write(ctx, Invite { group: input.team_id, email: input.email, role: input.admin }).await?;
        Ok(InviteToTeamPayload { email, team })
    }

    /// Accepts a request to join, as an admin of the team or of its env, or an invitation, as the invited user. A user who
    /// already administers the team continues to do so. `CONFLICT` when it is no longer pending, with its status in
    /// `details.status`; when the user to add was deactivated; and when the author of an invitation no longer administers
    /// the team.
    async fn accept_team_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to accept.")] input: AcceptTeamRequestInput,
    ) -> Result<AcceptTeamRequestPayload> {
        let (team_request, team_member) = write(ctx, Accept::<Team>(input.request_id)).await?;
        Ok(AcceptTeamRequestPayload { team_request, team_member })
    }

    /// Declines a request to join, as an admin of the team or of its env, or an invitation, as the invited user. `CONFLICT`
    /// when it is no longer pending, with its status in `details.status`.
    async fn decline_team_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to decline.")] input: DeclineTeamRequestInput,
    ) -> Result<DeclineTeamRequestPayload> {
        let team_request = write(ctx, Decline::<Team>(input.request_id)).await?;
        Ok(DeclineTeamRequestPayload { team_request })
    }

    /// Cancels a request to join or an invitation, as its author or as an admin of the team or of its env. `CONFLICT` when
    /// it is no longer pending, with its status in `details.status`.
    async fn cancel_team_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to cancel.")] input: CancelTeamRequestInput,
    ) -> Result<CancelTeamRequestPayload> {
        let team_request = write(ctx, Cancel::<Team>(input.request_id)).await?;
        Ok(CancelTeamRequestPayload { team_request })
    }
}
