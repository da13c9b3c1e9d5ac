//! Envs: the top of the hierarchy.

use crate::access::broker;
use crate::access::invitation::{self, Invitation};
use crate::core::entity::{WideKind, computed, wide};
use crate::core::rows::Rows;
use crate::core::scope::Scope;
use crate::core::sealed;
use crate::entity;
use chrono::{DateTime, Utc};

/// Users with a team in the env see its id and name.
const OUTLINE_SCOPE: Scope =
    Scope::AnyChild { key: "id", table: "team", column: "env_id", scope: &Scope::Owned { team: "id", env: "env_id" } };
/// Members see all fields.
const FULL_SCOPE: Scope = Scope::EnvMembers("id");

entity! {
    /// An environment: its teams and the broker they share. Members of one of its teams who are not members of the env
    /// itself see only its id and name.
    Env in "env";
    scope: Scope::AnyOf(&[FULL_SCOPE, Scope::Sees(&OUTLINE_SCOPE)]);
    whole: FULL_SCOPE;
    order: "created_at" Asc;
    columns {
        /// The name.
        name: Option<String> [order, search, filter];
        /// SHA-256 of the configuration it was deployed with, 64 hexadecimal digits.
        config_hash: Option<String> [outlined];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range, outlined];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range, outlined];
    }
    fields {
        wide::<Env>("retentionConfiguration", "retention_configuration", WideKind::Redacted(|env: &Env, ctx, text| sealed::shown(ctx, env.id.uuid(), text, broker::MARKS)),
            "The configuration of the broker that its teams share, secrets hidden; null for those who do not belong to the env.").nullable();
        computed::<Env, Rows<Invitation>>("invitations", |row, ctx| Box::pin(invitation::of_group(row, ctx)), "The invitations to addresses whose user their author did not see, the newest 200, newest first; for the admins and readers of the env, empty for others.");
    }
}
