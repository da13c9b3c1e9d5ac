//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod decision;
mod env;
mod env_member_mutation;
mod env_request_mutation;
mod group;
mod login;
mod member;
mod member_mutation;
mod membership;
mod pending;
mod request;
mod request_mutation;
mod service_account;
mod team;
mod team_member_mutation;
mod team_request_mutation;
pub mod token;
mod user;
mod viewer_query;

pub use env::Env;
pub use env_member_mutation::EnvMemberMutation;
pub use env_request_mutation::EnvRequestMutation;
pub use login::{LoginInput, LoginMutation, TokenLifetime, create_user, first_superuser, login};
pub use member::{EnvMember, EnvRole, TeamMember};
pub use membership::{ensure_not_last_admin, ensure_not_last_superuser};
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use team_member_mutation::TeamMemberMutation;
pub use team_request_mutation::TeamRequestMutation;
pub use user::User;
pub use viewer_query::ViewerQuery;
