//! The members of envs in the graph: the names of what `member_mutation.rs` does.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use crate::access::member_mutation::{RemoveMember, SetMember};
use crate::access::{Env, EnvMember, EnvRole, User};
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::scalars::Time;
use crate::core::write::write;

/// The mutations of memberships in envs.
#[derive(Default)]
pub struct EnvMemberMutation;

/// Who becomes what in which env.
#[derive(InputObject, Clone)]
pub struct SetEnvMemberInput {
    /// The env.
    pub env_id: Id<Env>,
    /// The user; one that you see, and no service account.
    pub user_id: Id<User>,
    /// The role from now on.
    pub role: EnvRole,
    /// The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites.
    pub updated_at: Option<Time>,
}

/// The membership that was set.
#[derive(SimpleObject)]
pub struct SetEnvMemberPayload {
    /// The membership as it is now.
    pub env_member: EnvMember,
}

/// Who leaves which env.
#[derive(InputObject, Clone)]
pub struct RemoveEnvMemberInput {
    /// The env.
    pub env_id: Id<Env>,
    /// The member.
    pub user_id: Id<User>,
}

/// The membership that ended.
#[derive(SimpleObject)]
pub struct RemoveEnvMemberPayload {
    /// The membership as it was.
    pub env_member: EnvMember,
}

#[Object]
impl EnvMemberMutation {
    /// Makes a user a member of an env, or changes their role there; for its admins. Who has the role already stays as
    /// they are. The last active admin cannot be demoted, unless by a superuser: `CONFLICT`. Membership of a team needs
    /// none of its env. A pending request to join for no more than this role is accepted with it, anything else that
    /// is pending for this user and env is cancelled.
    async fn set_env_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who becomes what in which env.")] input: SetEnvMemberInput,
    ) -> Result<SetEnvMemberPayload> {
        let env_member =
            write(ctx, SetMember { group: input.env_id, user: input.user_id, role: input.role, updated_at: input.updated_at }).await?;
        Ok(SetEnvMemberPayload { env_member })
    }

    /// Ends a membership of an env: one's own, or for its admins anybody's. `NOT_FOUND` on `userId` when they are no
    /// member. The last active admin cannot go, unless a superuser says so: `CONFLICT`. What is pending for this user
    /// and env is cancelled. Memberships of its teams stay.
    async fn remove_env_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who leaves which env.")] input: RemoveEnvMemberInput,
    ) -> Result<RemoveEnvMemberPayload> {
        let env_member = write(ctx, RemoveMember { group: input.env_id, user: input.user_id }).await?;
        Ok(RemoveEnvMemberPayload { env_member })
    }
}
