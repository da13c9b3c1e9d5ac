//! The organisation as one document: people, envs, teams and who belongs to what.
//!
//! Always holds: no secret is in a document, neither passwords nor the configuration of a broker; an import is one
//! transaction that happens whole or not at all, and importing the same again changes nothing. Not here: service
//! accounts, which are made with their grants; requests, which are for people to decide; taking anything away.

mod document;
mod export;
mod import;
mod plan;

pub use document::{Document, EnvDocument, EnvMembership, TeamDocument, TeamMembership, UserDocument};
pub use export::export;
pub use import::{Refused, import};
pub use plan::{Action, Plan, Step};
