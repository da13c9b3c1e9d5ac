//! Schema documents: the text of a schema, once per distinct content.
//!
//! Always holds: the text is the first one registered and is never rewritten. Members of any env or team may read it. Not
//! here: which subjects use it (`version.rs`).

use crate::choice;
use crate::core::entity::{WideKind, wide};
use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

choice! {
    /// The language of a schema.
    SchemaType {
        /// JSON Schema.
        Json = "json",
        /// Apache Avro.
        Avro = "avro",
    }
}

entity! {
    /// A schema document, stored once per distinct content: the same document under twenty subjects is one document with
    /// twenty versions that point at it.
    SchemaDocument in "schema";
    scope: Scope::AnyMember;
    order: "created_at" Asc;
    columns {
        /// The language of the document.
        kind as "type" "type": SchemaType;
        /// SHA-256 of the type and the document in canonical form, 64 hexadecimal digits; equal for equal content.
        hash: String;
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        wide::<SchemaDocument>("schema", "schema", WideKind::Text, "The document itself, exactly as it was first registered.");
    }
}
