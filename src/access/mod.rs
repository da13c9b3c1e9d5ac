//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod env;
mod team;
mod user;

pub use env::Env;
pub use team::Team;
pub use user::User;
