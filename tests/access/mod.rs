//! Who may do what, as clients see it.

mod login;
mod oidc;
