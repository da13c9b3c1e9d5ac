//! Who may do what, as clients see it.

mod control_plane;
mod envs;
mod login;
mod organisation;
mod team_moves;
mod teams;
