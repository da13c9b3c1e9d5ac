//! The schema registry: documents, and the versions under which subjects name them (domain.md section 3).

mod document;
mod subject;
mod version;

pub use document::{SchemaDocument, SchemaType};
pub use subject::{SchemaSubject, SubjectQuery};
pub use version::SchemaVersion;
