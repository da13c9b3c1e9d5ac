//! The configuration of an env's broker on its way into the database (domain.md section 2).
//!
//! Always holds: it is an object, stored encrypted for its env. Its hash covers the whole document, secrets included, so
//! that a changed secret counts as a change. Not here: encrypting and reading it (`core/sealed.rs`).

use serde_json::Value;

use crate::access::Env;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::keep::{complete, keeps};
use crate::core::marks::Marks;
use crate::core::sealed;
use crate::core::secret::{KeyRing, PlainJson};
use crate::core::violations::Violations;
use crate::core::write::Write;

/// The configuration has no schema: field names alone decide which values are secrets or addresses.
pub(crate) const MARKS: &Marks = &Marks::none();

/// Returns the submitted document, with the secrets that it retains from the env's present one.
pub(crate) async fn whole(
    w: &mut Write,
    keys: &KeyRing,
    env: Id<Env>,
    sent: Value,
    field: &str,
    violations: &mut Violations,
) -> Result<PlainJson> {
    if !sent.is_object() {
        violations.add(field, "It is an object, such as {\"bootstrapServers\": \"kafka:9092\"}.");
    }
    let stored = if keeps(&sent) { sealed::stored(w, keys, env, "retention_configuration").await? } else { None };
    Ok(complete(sent, stored.as_deref(), MARKS, field, violations))
}
