//! Who may do what, as clients see it.

mod clashes;
mod ledger;
mod login;
mod matrix;
mod oidc;
mod viewers;
use crate::transports::until;
mod control_plane;
mod envs;
mod organisation;
mod team_moves;
mod teams;
