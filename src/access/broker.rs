//! The configuration of an env's broker on its way into the database (domain.md section 2).
//!
//! Always holds: it is an object, stored sealed for its env; its hash is that of the whole document,
//! secrets included, so that a changed secret is a change. Not here: reading it (`core/sealed.rs`).

use serde_json::Value;
use sqlx::Row as _;

use crate::access::Env;
use crate::core::error::{Error, Result};
use crate::core::faults::Faults;
use crate::core::id::Id;
use crate::core::keep::{destinations, keeps, make_whole};
use crate::core::secret::{KeyRing, Secret};
use crate::core::sql::Sql;
use crate::core::write::Write;

/// The document that was sent, with the secrets that it keeps of the env's present one.
pub(crate) async fn whole(w: &mut Write, keys: &KeyRing, env: Id<Env>, sent: Value, field: &str, faults: &mut Faults) -> Result<Value> {
    if !sent.is_object() {
        faults.add(field, "It is an object, such as {\"bootstrapServers\": \"kafka:9092\"}.");
    }
    let stored = if keeps(&sent) { stored(w, keys, env).await? } else { None };
    let mut whole = make_whole(sent, stored.as_ref());
    if stored.is_some_and(|stored| destinations(&stored) != destinations(&whole.document)) {
        whole.leads_elsewhere();
    }
    Ok(whole.checked(field, faults))
}

/// The document as it is stored.
pub(crate) fn sealed(keys: &KeyRing, env: Id<Env>, document: &Value) -> Result<String> {
    keys.seal(env.uuid(), Secret::new(document.to_string()).reveal())
}

async fn stored(w: &mut Write, keys: &KeyRing, env: Id<Env>) -> Result<Option<Value>> {
    let rows = w.rows(Sql::new("select retention_configuration::text from env where id = ").with("", env)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let plain = keys.open(env.uuid(), row.try_get(0)?)?;
    serde_json::from_str(plain.reveal()).map(Some).map_err(Error::internal)
}
