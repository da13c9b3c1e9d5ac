//! Teams: the unit of ownership.

use crate::access::Env;
use crate::access::invitation::{self, Invitation};
use crate::core::entity::{computed, to_one};
use crate::core::id::Id;
use crate::core::rows::Rows;
use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

/// Seen by its members, and by users who see all of its env.
pub(crate) const SCOPE: Scope = Scope::Owned { team: "id", env: "env_id" };

entity! {
    /// The unit of ownership: every connector and pipeline belongs to exactly one team.
    Team in "team";
    scope: SCOPE;
    order: "created_at" Asc;
    columns {
        /// The name, unique within the env.
        name: Option<String> [order, search, filter];
        /// The purpose of the team.
        description: Option<String>;
        /// The env of the team.
        env_id: Option<Id<Env>> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<Team, Env>("env", "id", "env_id", "The env it lives in.");
        computed::<Team, Rows<Invitation>>("invitations", |row, ctx| Box::pin(invitation::of_group(row, ctx)), "The invitations to addresses whose user their author did not see, the newest 200, newest first; for the admins of the team and the admins and readers of the env, empty for others.");
    }
}
