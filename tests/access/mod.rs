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
mod request_model;
mod requests;
mod service_accounts;
mod team_moves;
mod teams;
mod viewers;
mod worker_tokens;

use crate::transports::until;
