//! Who may do what, as clients see it.

mod clashes;
mod club;
mod control_plane;
mod envs;
mod escalation;
mod ledger;
mod login;
mod matrix;
mod members;
mod oidc;
mod organisation;
mod passwords;
mod request_model;
mod requests;
mod service_accounts;
mod sign_in;
mod team_moves;
mod teams;
mod users;
mod viewers;
mod waits;
mod worker_tokens;

pub use organisation::{bad_names, mutate};
