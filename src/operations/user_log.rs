//! The audit log: who did what, and to whom.
//!
//! Always holds: entries are only added; the email of who acted outlives the user. Not here: writing
//! it, which every mutation does in its own transaction.

use crate::access::User;
use crate::choice;
use crate::core::entity::{ColumnType as _, to_one};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::core::verb::Verb;
use crate::entity;
use chrono::{DateTime, Utc};

choice! {
    /// What kind of identity acted.
    UserType {
        /// A person.
        RealUser = "real_user",
        /// A service account.
        Service = "service",
        /// The system itself.
        System = "system",
    }
}

/// One's own, and those of an env or a team that one administers (domain.md section 1).
const SCOPE: Scope = Scope::Sees(&Scope::AnyOf(&[
    Scope::Oneself("user_id"),
    Scope::AnyChild {
        key: "id",
        table: "pumphouse.audit_detail",
        column: "user_log_id",
        scope: &Scope::Administered { team: "team_id", env: "env_id" },
    },
]));

entity! {
    /// One entry of the audit log: who did what, and about whom. Everyone sees their own entries; admins
    /// see those of their env or team.
    UserLog in "user_log";
    scope: SCOPE;
    order: "timestamp" Desc;
    columns {
        /// When it was done.
        timestamp: DateTime<Utc> [order, range];
        /// What kind of identity acted.
        user_type: UserType [filter];
        /// What was done.
        action: Verb [filter];
        /// Who acted, while that user exists; null does not mean the system, see `userType`.
        user_id: Option<Id<User>> [filter];
        /// The email, at that time, of who acted: the author of record.
        user_email: Option<String> [filter];
        /// Whom it was about, when that was another user who still exists.
        target_user_id: Option<Id<User>> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>>;
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {
        to_one::<UserLog, User>("user", "id", |row| row.user_id.bind(), "Who acted; null when that user is gone.");
        to_one::<UserLog, User>("targetUser", "id", |row| row.target_user_id.bind(), "Whom it was about; null when it was about nobody else or that user is gone.");
    }
}
