//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod env;
pub mod identity;
mod login;
mod member;
pub mod oidc;
mod request;
mod service_account;
mod session;
mod team;
pub mod token;
mod user;
mod viewer_query;

pub use env::Env;
pub use login::{LoginInput, LoginMutation, LoginPayload, TokenLifetime, create_user, first_superuser, login};
pub use member::{EnvMember, EnvRole, TeamMember};
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use user::User;
pub use viewer_query::ViewerQuery;
