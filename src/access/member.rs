//! Memberships: who belongs to an env or a team, and which rights that gives.
//!
//! Always holds: there is at most one membership per user and env, and per user and team. Every check of a right reads these
//! rows. Only admins of the env or team change them, through their own mutations. Not here: requests to become a member
//! (`request.rs`).

use crate::access::{Env, Team, User, team};
use crate::choice;
use crate::core::entity::to_one;
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

choice! {
    /// What a member of an env may do there.
    EnvRole {
        /// Everything in the env: its settings, members, requests and teams, and all that the teams own.
        Admin = "admin",
        /// See the env and its members, create teams in it, and work in the teams they belong to.
        Member = "member",
        /// See everything in the env and change nothing.
        Reader = "reader",
    }
}

entity! {
    /// The membership of a user in an env, with the role that it gives there.
    EnvMember in "env_member";
    scope: Scope::Sees(&Scope::AnyOf(&[Scope::EnvMembers("env_id"), Scope::CurrentUser("user_id")]));
    order: "created_at" Asc;
    columns {
        /// When the membership was granted.
        timestamp: DateTime<Utc> [order, range];
        /// What the member may do in the env.
        role: EnvRole [order, filter];
        /// The member.
        user_id: Id<User> [filter];
        /// The env the member belongs to.
        env_id: Id<Env> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<EnvMember, User>("user", "id", "user_id", "The member.");
        to_one::<EnvMember, Env>("env", "id", "env_id", "The env they belong to.");
    }
}

entity! {
    /// The membership of a user in a team. Members of a team see and change what the team owns.
    TeamMember in "team_member";
    scope: Scope::Sees(&Scope::AnyOf(&[Scope::Through { column: "team_id", table: Team::TABLE, scope: &team::SCOPE }, Scope::CurrentUser("user_id")]));
    order: "created_at" Asc;
    columns {
        /// When the membership was granted.
        timestamp: DateTime<Utc> [order, range];
        /// Whether the member administers the team: its settings, members and requests.
        admin: bool [filter];
        /// The member.
        user_id: Id<User> [filter];
        /// The team the member belongs to.
        team_id: Id<Team> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<TeamMember, User>("user", "id", "user_id", "The member.");
        to_one::<TeamMember, Team>("team", "id", "team_id", "The team they belong to.");
    }
}
