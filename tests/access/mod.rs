//! Who may do what, as clients see it.

mod escalation;
mod login;
mod service_accounts;
mod worker_tokens;
