//! Who may do what, as clients see it.

mod club;
mod login;
mod members;
mod request_model;
mod requests;
