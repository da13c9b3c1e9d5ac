//! The GraphQL mutations of env memberships; implemented in `member_mutation.rs`.

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

/// A user's role in an env.
#[derive(InputObject, Clone)]
pub struct SetEnvMemberInput {
    /// The env.
    pub env_id: Id<Env>,
    /// The user; one that you see, and no service account.
    pub user_id: Id<User>,
    /// The role from now on.
    pub role: EnvRole,
    /// The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites
    /// unconditionally.
    pub updated_at: Option<Time>,
}

/// The membership that was set.
#[derive(SimpleObject)]
pub struct SetEnvMemberPayload {
    /// The membership as it is now.
    pub env_member: EnvMember,
}

/// The membership to end.
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
    /// Makes a user a member of an env, or changes their role there. For admins of the env. Changes nothing when the user
    /// already has the role. The last active admin can only be demoted by a superuser (otherwise `CONFLICT`). Membership of
    /// a team does not require membership of its env. A pending request to join for at most this role is accepted; anything
    /// else pending for this user and env is cancelled.
    async fn set_env_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who becomes what in which env.")] input: SetEnvMemberInput,
    ) -> Result<SetEnvMemberPayload> {
        let env_member =
            write(ctx, SetMember { group: input.env_id, user: input.user_id, role: input.role, updated_at: input.updated_at }).await?;
        Ok(SetEnvMemberPayload { env_member })
    }

    /// Ends a membership of an env: your own, or as an admin any user's. `NOT_FOUND` on `userId` when the user is not a
    /// member. Only a superuser can remove the last active admin (otherwise `CONFLICT`). Pending requests of this user for
    /// the env are cancelled. Memberships of its teams stay.
    async fn remove_env_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who leaves which env.")] input: RemoveEnvMemberInput,
    ) -> Result<RemoveEnvMemberPayload> {
        let env_member = write(ctx, RemoveMember { group: input.env_id, user: input.user_id }).await?;
        Ok(RemoveEnvMemberPayload { env_member })
    }
}
