//! Users: a person or a machine that can act.

use crate::access::Env;
use crate::core::entity::to_one;
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

/// The user themselves, and users who share an env or a team, see a user; only superusers change it (domain.md section 1).
const SCOPE: Scope = Scope::Sees(&Scope::AnyOf(&[
    Scope::CurrentUser("id"),
    Scope::AnyChild { key: "id", table: "env_member", column: "user_id", scope: &Scope::EnvMembers("env_id") },
    Scope::AnyChild {
        key: "id",
        table: "team_member",
        column: "user_id",
        scope: &Scope::Through { column: "team_id", table: "team", scope: &super::team::SCOPE },
    },
]));

entity! {
    /// A person or a machine that can act on this installation. A service account is backed by one.
    User in "\"user\"";
    scope: SCOPE;
    whole: Scope::CurrentUser("id");
    order: "created_at" Asc;
    columns {
        /// The address a person signs in with, in lower case.
        email: String [order, search, filter, email];
        /// Whether it may sign in and act at all.
        is_active: bool [filter];
        /// Whether it bypasses the checks of envs and teams.
        is_superuser: bool [filter];
        /// Whether the address was verified.
        is_verified: bool [filter];
        /// Increases with every change of the user.
        version: i32 [order];
        /// The env last selected in the user interface; a preference, never a right.
        active_env_id: Option<Id<Env>> [filter, outlined];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: DateTime<Utc> [order, range];
    }
    fields {
        to_one::<User, Env>("activeEnv", "id", "active_env_id", "The env that the user interface last had selected.");
    }
}
