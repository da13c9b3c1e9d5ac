//! The GraphQL mutations of requests to join envs and of invitations; implemented in `request_mutation.rs` and
//! `decision.rs`.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::access::decision::{Accept, Cancel, Decline};
use crate::access::request_mutation::{Invite, Join};
use crate::access::{Env, EnvMember, EnvRequest, EnvRole};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::write::write;

/// The mutations of requests to join envs, and of invitations to them.
#[derive(Default)]
pub struct EnvRequestMutation;

/// The env to join.
#[derive(InputObject, Clone)]
pub struct RequestToJoinEnvInput {
    /// The env. Its id is enough; you need not see the env.
    pub env_id: Id<Env>,
    /// The requested role.
    pub role: EnvRole,
}

/// The new request.
#[derive(SimpleObject)]
pub struct RequestToJoinEnvPayload {
    /// The request, which is pending.
    pub env_request: EnvRequest,
}

/// The user to invite.
#[derive(InputObject, Clone)]
pub struct InviteToEnvInput {
    /// The env.
    pub env_id: Id<Env>,
    /// The exact email address, whatever the case.
    pub email: String,
    /// The role that acceptance gives.
    pub role: EnvRole,
}

/// A stored invitation; the answer is the same whether or not a user has the address.
#[derive(SimpleObject)]
pub struct InviteToEnvPayload {
    /// The address as it is stored: trimmed and in lower case.
    pub email: String,
    /// The env.
    pub env: Env,
}

/// Which request or invitation to accept.
#[derive(InputObject, Clone)]
pub struct AcceptEnvRequestInput {
    /// The request.
    pub request_id: Id<EnvRequest>,
}

/// The accepted request and the resulting membership.
#[derive(SimpleObject)]
pub struct AcceptEnvRequestPayload {
    /// The request, which is accepted.
    pub env_request: EnvRequest,
    /// The membership as it is now.
    pub env_member: EnvMember,
}

/// Which request or invitation to decline.
#[derive(InputObject, Clone)]
pub struct DeclineEnvRequestInput {
    /// The request.
    pub request_id: Id<EnvRequest>,
}

/// The declined request.
#[derive(SimpleObject)]
pub struct DeclineEnvRequestPayload {
    /// The request, which is declined.
    pub env_request: EnvRequest,
}

/// Which request or invitation to cancel.
#[derive(InputObject, Clone)]
pub struct CancelEnvRequestInput {
    /// The request.
    pub request_id: Id<EnvRequest>,
}

/// The cancelled request.
#[derive(SimpleObject)]
pub struct CancelEnvRequestPayload {
    /// The request, which is cancelled.
    pub env_request: EnvRequest,
}

#[Object]
impl EnvRequestMutation {
    /// Requests to become a member of an env, or a higher role in it; decided by its admins. `CONFLICT` when you have the
    /// role or a higher one, or when a request or an invitation is pending already, with its id in `details.requestId`.
    async fn request_to_join_env(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to join.")] input: RequestToJoinEnvInput,
    ) -> Result<RequestToJoinEnvPayload> {
        let env_request = write(ctx, Join { group: input.env_id, role: input.role }).await?;
        Ok(RequestToJoinEnvPayload { env_request })
    }

    /// Invites the user with this address to become a member of an env, or a member to a higher role. For admins of the env.
    /// The answer is the same whether or not a user has the address; for an address without a user, the invitation stays
    /// valid for 30 days. `CONFLICT` when the user has the role or a higher one, or when an invitation or a request of
    /// theirs is pending already.
    async fn invite_to_env(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whom to invite.")] input: InviteToEnvInput,
    ) -> Result<InviteToEnvPayload> {
        let (email, env) = write(ctx, Invite { group: input.env_id, email: input.email, role: input.role }).await?;
        Ok(InviteToEnvPayload { email, env })
    }

    /// Accepts a request to join, as an admin of the env, or an invitation, as the invited user. A member keeps a higher
    /// role. `CONFLICT` when it is no longer pending, with its status in `details.status`; when the user to add was
    /// deactivated; and when the author of an invitation no longer administers the env.
    async fn accept_env_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to accept.")] input: AcceptEnvRequestInput,
    ) -> Result<AcceptEnvRequestPayload> {
        let (env_request, env_member) = write(ctx, Accept::<Env>(input.request_id)).await?;
        Ok(AcceptEnvRequestPayload { env_request, env_member })
    }

    /// Declines a request to join, as an admin of the env, or an invitation, as the invited user. `CONFLICT` when it is no
    /// longer pending, with its status in `details.status`.
    async fn decline_env_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to decline.")] input: DeclineEnvRequestInput,
    ) -> Result<DeclineEnvRequestPayload> {
        let env_request = write(ctx, Decline::<Env>(input.request_id)).await?;
        Ok(DeclineEnvRequestPayload { env_request })
    }

    /// Cancels a request to join or an invitation, as its author or as an admin of the env. `CONFLICT` when it is no longer
    /// pending, with its status in `details.status`.
    async fn cancel_env_request(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which request or invitation to cancel.")] input: CancelEnvRequestInput,
    ) -> Result<CancelEnvRequestPayload> {
        let env_request = write(ctx, Cancel::<Env>(input.request_id)).await?;
        Ok(CancelEnvRequestPayload { env_request })
    }
}
