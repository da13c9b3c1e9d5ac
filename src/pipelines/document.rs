//! The JSON documents of datamodels, pipelines and subscriptions on their way into the database.
//!
//! Always holds: they hold no secrets, so what stands for a stored one, and in settings what looks like one, is refused rather than stored; they hold nothing that
//! the database could not read back. Not here: the configurations of connectors, which are sealed.

use serde_json::Value;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::error::Result;
use crate::core::redact::{Mark, hidden};
use crate::core::refusals::NO_NUL;
use crate::core::sql::Sql;
use crate::core::violations::Violations;
use crate::core::write::Write;
use crate::pipelines::transform_query::read_transforms;

/// The largest document, in bytes.
const LARGEST: usize = 262_144;
/// The most secrets that are told of.
const MOST_FAULTS: usize = 100;

/// Checks an object that describes data, in which a column may have the name of a secret.
pub(crate) fn object(violations: &mut Violations, field: &str, document: &Value) {
    if !document.is_object() {
        violations.add(field, "It is an object.");
    }
    bounded(violations, field, document);
}

/// Checks an object of settings: what looks like a secret in it is refused where it stands.
pub(crate) fn settings(violations: &mut Violations, field: &str, document: &Value) {
    object(violations, field, document);
    for place in hidden(document).into_iter().take(MOST_FAULTS) {
        let rule = "This looks like a secret, and what stands here is shown: keep it in the configuration of a connector, or only name it, as {\"$secret\": \"env:PUMPHOUSE_SECRET_...\"} or {\"$secret\": \"file:NAME\"}.";
        violations.add(format!("{field}{place}"), rule);
    }
}

/// Checks the transforms of a subscription, every fault at its place.
pub(crate) fn transforms(violations: &mut Violations, field: &str, document: &Value) {
    bounded(violations, field, document);
    read_transforms(document, field, violations);
}

/// The ids in a document: the configuration of an error table names its connector somewhere. The database says what is one, as it is
/// asked who names a connector, too. None of one that is too large, which is refused for that.
pub(crate) async fn ids(w: &mut Write, document: &Value) -> Result<Vec<Uuid>> {
    let text = document.to_string();
    if text.len() > LARGEST {
        return Ok(Vec::new());
    }
    let rows = w.rows(Sql::new("select pumphouse.ids_in(").value(text).text("::json)")).await?;
    Ok(rows.first().map_or(Ok(Vec::new()), |row| row.try_get(0))?)
}

fn bounded(violations: &mut Violations, field: &str, document: &Value) {
    if document.to_string().len() > LARGEST {
        violations.add(field, format!("It has at most {LARGEST} bytes."));
    }
    if any(document, &|text| text.contains('\0')) {
        violations.add(field, NO_NUL);
    }
    if stands_for_stored(document) {
        violations.add(field, "`{\"$secret\": \"stored\"}` stands for a secret of a connector; no secret is stored here.");
    }
}

/// Whether some text in it, names included, is like this.
fn any(document: &Value, like: &dyn Fn(&str) -> bool) -> bool {
    match document {
        Value::Object(map) => map.iter().any(|(name, value)| like(name) || any(value, like)),
        Value::Array(items) => items.iter().any(|item| any(item, like)),
        Value::String(text) => like(text),
        _ => false,
    }
}

fn stands_for_stored(document: &Value) -> bool {
    match document {
        Value::Object(map) => Mark::of(document) == Some(Mark::Stored) || map.values().any(stands_for_stored),
        Value::Array(items) => items.iter().any(stands_for_stored),
        _ => false,
    }
}
