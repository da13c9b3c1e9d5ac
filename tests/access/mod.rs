//! Who may do what, as clients see it.

mod clashes;
mod club;
mod control_plane;
mod envs;
mod ledger;
mod login;
mod matrix;
mod members;
mod oidc;
mod organisation;
mod request_model;
mod requests;
mod team_moves;
mod teams;
mod viewers;

use crate::transports::until;
