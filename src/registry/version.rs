//! Schema versions: the content of a subject at a point in time.
//!
//! Always holds: the versions of a subject count from 1 without gaps. Not here: subjects themselves, which have no rows
//! (`subject.rs`).

use crate::core::entity::to_one;
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::entity;
use crate::registry::SchemaDocument;
use chrono::{DateTime, Utc};

entity! {
    /// One version of one subject. The history of versions lets a consumer read messages that were
    /// written before the current schema.
    SchemaVersion in "schema_version";
    scope: Scope::AnyMember;
    order: "version" Desc;
    columns {
        /// When this version was registered.
        timestamp: DateTime<Utc> [order, range];
        /// Its number within the subject, counting from 1.
        version: i32 [order, filter, range];
        /// The subject, by convention `<topic>-key` or `<topic>-value`.
        subject: String [order, search, filter];
        /// The document of this version.
        schema_id: Id<SchemaDocument> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<SchemaVersion, SchemaDocument>("schema", "id", "schema_id", "The document that this version stands for.");
    }
}
