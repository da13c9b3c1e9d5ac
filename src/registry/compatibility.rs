//! Compatibility of a subject's versions: what may be asked for, and what stands against it.
//!
//! Always holds: it is judged for Avro alone; a schema of another language among those that are compared is
//! incompatible. Not here: the rules of reading (`avro/resolution.rs`), when it is asked (`registration.rs`).

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
    /// What a new version of a subject must be able to do with its earlier ones. Judged for Avro alone.
    SchemaCompatibility {
        /// Anything may follow.
        None = "NONE",
        /// The new schema reads what was written with the latest one: consumers first.
        Backward = "BACKWARD",
        /// The new schema reads what was written with any version.
        BackwardTransitive = "BACKWARD_TRANSITIVE",
        /// The latest schema reads what is written with the new one: producers first.
        Forward = "FORWARD",
        /// Every version reads what is written with the new schema.
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

    /// The most versions to compare with, newest first.
    fn depth(self) -> Option<i64> {
        match self {
            Self::None => Some(0),
            Self::Backward | Self::Forward | Self::Full => Some(1),
            Self::BackwardTransitive | Self::ForwardTransitive | Self::FullTransitive => None,
        }
    }
}

/// One reason why a schema does not follow a subject's versions.
#[derive(SimpleObject, Clone, Debug)]
pub struct SchemaIncompatibility {
    /// The version that it was compared with.
    pub version: i32,
    /// Which way it fails: `BACKWARD` when the new schema cannot read what was written with that version, `FORWARD` when that
    /// version cannot read what is written with the new one.
    pub direction: SchemaCompatibility,
    /// Where, from the reader's fields: `lines[].payment<shop.Card>.expiry` is the field of the record `shop.Card` in the union
    /// of the field `payment` of the items of `lines`; `{}` are the values of a map. Empty for the schema itself.
    pub path: String,
    /// Why.
    pub message: String,
}

impl SchemaIncompatibility {
    fn to_json(&self) -> Value {
        json!({"version": self.version, "direction": self.direction.stored(), "path": self.path, "message": self.message})
    }
}

/// The most reasons that are told.
const MOST_TOLD: usize = 100;
/// How many earlier documents are read and compared at a time.
const AT_ONCE: usize = 16;

/// What stands against a schema under this compatibility, and the schema again. Reads a few earlier versions at a time.
///
/// # Errors
/// When the database cannot be asked.
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
    for chunk in versions.chunks(AT_ONCE) {
        let ids: Vec<Uuid> = chunk.iter().map(|(_, id)| *id).collect();
        let rows = reader.rows(Sql::new("select id, type, schema from schema").with(" where id = any(", ids).text(")")).await?;
        let stored: HashMap<Uuid, (SchemaType, String)> =
            rows.iter().map(|row| Ok((row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?)))).collect::<Result<_>>()?;
        let versions = chunk.to_vec();
        // Away from the threads that serve others.
        let compared = tokio::task::spawn_blocking(move || {
            let with = |(version, id): &(i32, Uuid)| stored.get(id).map(|(kind, text)| compare(&new, *version, *kind, text, level));
            let reasons: Vec<SchemaIncompatibility> = versions.iter().filter_map(with).flatten().take(MOST_TOLD).collect();
            (new, reasons)
        });
        let reasons;
        (new, reasons) = compared.await.map_err(Error::internal)?;
        found.extend(reasons);
        if found.len() >= MOST_TOLD {
            break;
        }
    }
    found.truncate(MOST_TOLD);
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
    // Older writers checked less than we do.
    let Some(old) = parse(text).ok().and_then(|document| Schema::parse(&document).ok()) else {
        return whole("This version is no sound schema, so nothing can be compared with it.");
    };
    let told = |direction: SchemaCompatibility, reader: &Schema, writer: &Schema| {
        let reasons = unreadable(reader, writer).into_iter();
        reasons.map(|reason| SchemaIncompatibility { version, direction, path: reason.path, message: reason.message }).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    if level.backward() {
        found.extend(told(SchemaCompatibility::Backward, new, &old));
    }
    if level.forward() {
        found.extend(told(SchemaCompatibility::Forward, &old, new));
    }
    found
}

/// The refusal of a schema that does not follow.
pub(super) fn refusal(level: SchemaCompatibility, found: &[SchemaIncompatibility]) -> Error {
    let first = found.first().map(|reason| match reason.path.as_str() {
        "" => format!(" Version {}: {}", reason.version, reason.message),
        path => format!(" Version {}, `{path}`: {}", reason.version, reason.message),
    });
    let sentence = format!("The subject asks for compatibility {}, which this schema breaks.{}", level.stored(), first.unwrap_or_default());
    let reasons: Vec<Value> = found.iter().map(SchemaIncompatibility::to_json).collect();
    Error::conflict(sentence).field("schema").details(json!({"incompatibilities": reasons}))
}
