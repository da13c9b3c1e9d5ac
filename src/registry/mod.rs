//! The schema registry: documents, and the versions under which subjects name them (domain.md section 3).

mod avro;
mod comparison_query;
mod compatibility;
mod document;
mod document_text;
mod json_schema;
mod registration;
mod store;
mod subject;
mod subject_mutation;
mod version;

pub use comparison_query::ComparisonQuery;
pub use compatibility::{SchemaCompatibility, SchemaIncompatibility};
pub use document::{SchemaDocument, SchemaType};
pub use registration::RegistryMutation;
pub use subject::{SchemaSubject, SubjectQuery};
pub use version::SchemaVersion;
