//! Who may do what, as clients see it.

mod login;
mod passwords;
mod sign_in;
mod users;
