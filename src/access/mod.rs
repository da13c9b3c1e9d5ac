//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod env;
mod local;
mod login;
mod member;
mod request;
mod service_account;
mod team;
pub mod token;
mod user;
mod viewer_query;

pub use env::Env;
pub use local::{signs_in, superuser_token};
pub use login::{LoginInput, LoginMutation, TokenLifetime, create_user, first_superuser, login};
pub use member::{EnvMember, EnvRole, TeamMember};
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use user::User;
pub use viewer_query::ViewerQuery;
