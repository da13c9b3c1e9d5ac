//! Sealed configurations on their way to a reader: opened, redacted, never shown otherwise.

use async_graphql::Context;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::redact::redact;
use crate::core::scalars::Json;
use crate::core::secret::KeyRing;

/// The configuration that was sealed for the row with this id, as a reader may see it.
pub(crate) fn shown(ctx: &Context<'_>, row: Uuid, sealed: &str) -> Result<Json> {
    let plain = keys(ctx)?.open(row, sealed)?;
    let redacted = redact(serde_json::from_str(plain.reveal()).map_err(Error::internal)?);
    RawValue::from_string(redacted.to_string()).map(Json).map_err(Error::internal)
}

/// The keys of this server.
pub(crate) fn keys<'a>(ctx: &Context<'a>) -> Result<&'a KeyRing> {
    ctx.data_opt().ok_or_else(|| Error::internal(std::io::Error::other("the request carries no keys")))
}
