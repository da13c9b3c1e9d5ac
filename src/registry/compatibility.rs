//! Compatibility of a subject's versions: the modes, and the incompatibilities of a schema.
//!
//! Always holds: only Avro is judged; a schema of another language among those compared is incompatible. Not here: Avro's
//! resolution rules (`avro/resolution.rs`), when compatibility is checked (`registration.rs`).

use std::collections::HashMap;

use async_graphql::SimpleObject;
use serde_json::{Value, json};
use sqlx::Row as _;
use uuid::Uuid;

use crate::choice;
use crate::core::error::{Error, Result};
use crate::core::sql::Sql;
use crate::registry::avro::{Schema, unreadable};
use crate::registry::document_text::{Text, parse};
use crate::registry::{SchemaType, store};

choice! {
    /// The compatibility that a new version of a subject needs with its earlier ones. Supported for Avro only.
    SchemaCompatibility {
        /// No restriction.
        None = "NONE",
        /// The new schema can read data written with the latest one: upgrade consumers first.
        Backward = "BACKWARD",
        /// The new schema can read data written with any version.
        BackwardTransitive = "BACKWARD_TRANSITIVE",
        /// The latest schema can read data written with the new one: upgrade producers first.
        Forward = "FORWARD",
        /// Every version can read data written with the new schema.
        ForwardTransitive = "FORWARD_TRANSITIVE",
        /// Both `BACKWARD` and `FORWARD`.
        Full = "FULL",
        /// Both `BACKWARD_TRANSITIVE` and `FORWARD_TRANSITIVE`.
        FullTransitive = "FULL_TRANSITIVE",
    }
}

impl SchemaCompatibility {
    fn backward(self) -> bool {
        matches!(self, Self::Backward | Self::BackwardTransitive | Self::Full | Self::FullTransitive)
    }

    fn forward(self) -> bool {
        matches!(self, Self::Forward | Self::ForwardTransitive | Self::Full | Self::FullTransitive)
    }

    /// The maximum number of versions to compare with, newest first.
    fn depth(self) -> Option<i64> {
        match self {
            Self::None => Some(0),
            Self::Backward | Self::Forward | Self::Full => Some(1),
            Self::BackwardTransitive | Self::ForwardTransitive | Self::FullTransitive => None,
        }
    }
}

/// One reason why a schema is incompatible with a subject's versions.
#[derive(SimpleObject, Clone, Debug)]
pub struct SchemaIncompatibility {
    /// The version compared with.
    pub version: i32,
    /// The direction that fails: `BACKWARD` when the new schema cannot read data written with that version, `FORWARD` when
    /// that version cannot read data written with the new one.
    pub direction: SchemaCompatibility,
    /// The path in the reader's fields: `lines[].payment<shop.Card>.expiry` is the field of the record `shop.Card` in the
    /// union of the field `payment` of the items of `lines`; `{}` are the values of a map. Empty for the schema itself.
    pub path: String,
    /// The reason.
    pub message: String,
}

impl SchemaIncompatibility {
    fn to_json(&self) -> Value {
        json!({"version": self.version, "direction": self.direction.stored(), "path": self.path, "message": self.message})
    }
}

/// The maximum number of reasons returned.
const MAX_REPORTED: usize = 100;
/// The number of earlier documents that are read and compared at a time.
const BATCH_SIZE: usize = 16;

/// Returns the incompatibilities of a schema in this mode, and the schema. Reads a few earlier versions at a time.
///
/// # Errors
/// When a database query fails.
pub(super) async fn against(
    reader: &mut impl store::Rows,
    subject: &str,
    new: Text,
    level: SchemaCompatibility,
) -> Result<(Text, Vec<SchemaIncompatibility>)> {
    let mut sql = Sql::new("select version, schema_id from schema_version").with(" where subject = ", subject.to_owned());
    sql.push(" order by version desc");
    if let Some(depth) = level.depth() {
        sql = sql.with(" limit ", depth);
    }
    let versions: Vec<(i32, Uuid)> =
        reader.rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_>>()?;
    let (mut new, mut found) = (new, Vec::new());
    for chunk in versions.chunks(BATCH_SIZE) {
        let ids: Vec<Uuid> = chunk.iter().map(|(_, id)| *id).collect();
        let rows = reader.rows(Sql::new("select id, type, schema from schema").with(" where id = any(", ids).text(")")).await?;
        let stored: HashMap<Uuid, (SchemaType, String)> =
            rows.iter().map(|row| Ok((row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?)))).collect::<Result<_>>()?;
        let versions = chunk.to_vec();
        // On a blocking thread, to keep the async threads free.
        let compared = tokio::task::spawn_blocking(move || {
            let with = |(version, id): &(i32, Uuid)| stored.get(id).map(|(kind, text)| compare(&new, *version, *kind, text, level));
            let reasons: Vec<SchemaIncompatibility> = versions.iter().filter_map(with).flatten().take(MAX_REPORTED).collect();
            (new, reasons)
        });
        let reasons;
        (new, reasons) = compared.await.map_err(Error::internal)?;
        found.extend(reasons);
        if found.len() >= MAX_REPORTED {
            break;
        }
    }
    found.truncate(MAX_REPORTED);
    Ok((new, found))
}

fn compare(new: &Text, version: i32, kind: SchemaType, text: &str, level: SchemaCompatibility) -> Vec<SchemaIncompatibility> {
    let whole = |message: &str| {
        let direction = if level.backward() { SchemaCompatibility::Backward } else { SchemaCompatibility::Forward };
        vec![SchemaIncompatibility { version, direction, path: String::new(), message: message.to_owned() }]
    };
    let (Some(new), SchemaType::Avro) = (&new.avro, kind) else {
        return whole("Only schemas of Avro can be compared; with compatibility NONE anything may follow.");
    };
    // Documents stored by older software were validated less strictly.
    let Some(old) = parse(text).ok().and_then(|document| Schema::parse(&document).ok()) else {
        return whole("This version is no sound schema, so nothing can be compared with it.");
    };
    let check = |direction: SchemaCompatibility, reader: &Schema, writer: &Schema| {
        let reasons = unreadable(reader, writer).into_iter();
        reasons.map(|reason| SchemaIncompatibility { version, direction, path: reason.path, message: reason.message }).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    if level.backward() {
        found.extend(check(SchemaCompatibility::Backward, new, &old));
    }
    if level.forward() {
        found.extend(check(SchemaCompatibility::Forward, &old, new));
    }
    found
}

/// Returns the error for an incompatible schema.
pub(super) fn refusal(level: SchemaCompatibility, found: &[SchemaIncompatibility]) -> Error {
    let first = found.first().map(|reason| match reason.path.as_str() {
        "" => format!(" Version {}: {}", reason.version, reason.message),
        path => format!(" Version {}, `{path}`: {}", reason.version, reason.message),
    });
    let sentence = format!("The subject asks for compatibility {}, which this schema breaks.{}", level.stored(), first.unwrap_or_default());
    let reasons: Vec<Value> = found.iter().map(SchemaIncompatibility::to_json).collect();
    Error::conflict(sentence).field("schema").details(json!({"incompatibilities": reasons}))
}
