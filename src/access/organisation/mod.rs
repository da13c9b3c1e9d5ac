//! The organisation as one document: people, envs, teams and memberships.
//!
//! Always holds: a document contains no secrets, neither passwords nor broker configurations. An import is one atomic
//! transaction, and importing the same document again changes nothing. Not here: service accounts, which are created with
//! their grants; requests, which people decide; deleting anything.

mod document;
mod export;
mod import;
mod plan;

pub use document::{Document, EnvDocument, EnvMembership, TeamDocument, TeamMembership, UserDocument};
pub use export::export;
pub use import::{Refused, import};
pub use plan::{Action, Plan, Step};
