//! Abstraction over envs and teams, so that memberships and requests are implemented once.
//!
//! Always holds: both are described here by data and small functions, and are authorized the same way. Not here: any rule.

use std::cmp::Ordering;

use sqlx::{Encode, Postgres, Type};

use crate::access::{Env, EnvMember, EnvRequest, EnvRole, RequestStatus, Team, TeamMember, TeamRequest, User};
use crate::core::entity::Entity;
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::core::viewer::Owner;

/// The role of a member, ordered from fewer to more rights.
pub(crate) trait Role: Copy + PartialOrd + Send + Sync + for<'q> Encode<'q, Postgres> + Type<Postgres> + 'static {
    /// Whether the role gives the right to administer.
    fn is_admin(self) -> bool;
}

/// An env or a team.
pub(crate) trait Group: Entity {
    /// The role that a membership gives.
    type Role: Role;
    /// A membership.
    type Member: Entity;
    /// A request to join or an invitation.
    type Request: Entity;
    /// The column that references it in members and requests.
    const COLUMN: &'static str;
    /// The input field that references it.
    const FIELD: &'static str;
    /// The column of the role in members and requests.
    const ROLE: &'static str;
    /// SQL: whether the membership `m` is an admin's.
    const ADMIN: &'static str;

    /// Who sees the requests and invitations of it: a scope on a table with the column [`Group::COLUMN`].
    const OFFICERS: Scope;

    /// Its id.
    fn id(&self) -> Id<Self> {
        self.key().into()
    }
    /// Its name.
    fn name(&self) -> Option<&str>;
    /// The owner for audit rows about it.
    fn owner(&self) -> Owner;
    /// The role of a membership.
    fn role(member: &Self::Member) -> Self::Role;
    /// The content of a request.
    fn ask(request: &Self::Request) -> Ask<Self>;
}

/// The content of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<G: Group> {
    pub id: Id<G::Request>,
    pub group: Id<G>,
    pub role: G::Role,
    pub from: Id<User>,
    pub to: Id<User>,
    pub status: RequestStatus,
}

impl<G: Group> Ask<G> {
    /// Whether the target decides it. Otherwise the admins of the group do.
    pub(crate) fn is_invitation(&self) -> bool {
        self.from != self.to
    }
}

impl PartialOrd for EnvRole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let rank = |role: &Self| match role {
            Self::Reader => 0,
            Self::Member => 1,
            Self::Admin => 2,
        };
        rank(self).partial_cmp(&rank(other))
    }
}

impl Role for EnvRole {
    fn is_admin(self) -> bool {
        self == Self::Admin
    }
}

impl Role for bool {
    fn is_admin(self) -> bool {
        self
    }
}

impl Group for Env {
    type Role = EnvRole;
    type Member = EnvMember;
    type Request = EnvRequest;
    const COLUMN: &'static str = "env_id";
    const FIELD: &'static str = "envId";
    const ROLE: &'static str = "role";
    const ADMIN: &'static str = "m.role = 'admin'";
    const OFFICERS: Scope = Scope::EnvOfficers("env_id");

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn owner(&self) -> Owner {
        Owner::env(self.id.uuid())
    }

    fn role(member: &EnvMember) -> EnvRole {
        member.role
    }

    fn ask(request: &EnvRequest) -> Ask<Self> {
        let EnvRequest { id, role, env_id, from_user_id, to_user_id, status, .. } = *request;
        Ask { id, group: env_id, role, from: from_user_id, to: to_user_id, status }
    }
}

impl Group for Team {
    type Role = bool;
    type Member = TeamMember;
    type Request = TeamRequest;
    const COLUMN: &'static str = "team_id";
    const FIELD: &'static str = "teamId";
    const ROLE: &'static str = "admin";
    const ADMIN: &'static str = "m.admin";
    /// A team's admins, and its env's admins and readers; not its plain members (domain.md section 1).
    const OFFICERS: Scope = Scope::Through {
        column: "team_id",
        table: Team::TABLE,
        scope: &Scope::AnyOf(&[Scope::Administered { team: "id", env: "env_id" }, Scope::EnvOfficers("env_id")]),
    };

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn owner(&self) -> Owner {
        Owner { team: Some(self.id.uuid()), env: self.env_id.map(Id::uuid) }
    }

    fn role(member: &TeamMember) -> bool {
        member.admin
    }

    fn ask(request: &TeamRequest) -> Ask<Self> {
        let TeamRequest { id, admin, team_id, from_user_id, to_user_id, status, .. } = *request;
        Ask { id, group: team_id, role: admin, from: from_user_id, to: to_user_id, status }
    }
}
