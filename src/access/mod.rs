//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod broker;
mod control_plane;
mod env;
pub mod identity;
mod env_mutation;
mod holdings;
mod login;
mod member;
pub mod oidc;
mod request;
mod service_account;
mod session;
mod team;
mod team_move;
mod team_mutation;
pub mod token;
mod user;
mod viewer_query;

pub use control_plane::{ControlPlaneMutation, ControlPlaneQuery};
pub use env::Env;
pub use login::{LoginInput, LoginMutation, LoginPayload, TokenLifetime, create_user, first_superuser, login};
pub use env_mutation::EnvMutation;
pub use member::{EnvMember, EnvRole, TeamMember};
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use team_mutation::TeamMutation;
pub use user::User;
pub use viewer_query::ViewerQuery;
