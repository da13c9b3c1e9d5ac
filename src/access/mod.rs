//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod env;
mod member;
mod request;
mod service_account;
mod team;
mod user;

pub use env::Env;
pub use member::{EnvMember, EnvRole, TeamMember};
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use user::User;
