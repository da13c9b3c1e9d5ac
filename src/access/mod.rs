//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod env;
mod login;
mod member;
mod team;
pub mod token;
mod user;
mod viewer_query;

pub use env::Env;
pub use member::EnvRole;
pub use login::{LoginMutation, TokenLifetime, create_user};
pub use team::Team;
pub use user::User;
pub use viewer_query::ViewerQuery;
