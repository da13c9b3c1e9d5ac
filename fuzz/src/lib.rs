//! What must hold of everything that comes from outside: a property for each target of `fuzz_targets/`, which panics where it does not.
//!
//! Always holds: nothing here needs a database, a file or a clock; the same bytes do the same each time. Not here: how the inside is
//! reached (`src/server/fuzz.rs`).

pub mod cursors;
pub mod documents;
pub mod envelopes;
pub mod frames;
pub mod redaction;
mod server;
mod sockets;
pub mod transforms;
pub mod variables;

/// A secret that is put into what is tried, and must not come out. It is no name, which refusals may repeat.
pub(crate) const CANARY: &str = "zQ9 canary!";

/// The first line and the rest.
pub(crate) fn split(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// The same without the secret in names, which refusals repeat to say where something is wrong.
pub(crate) fn renamed(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(map) => map.into_iter().map(|(name, value)| (name.replace(CANARY, "name"), renamed(value))).collect(),
        Value::Array(items) => items.into_iter().map(renamed).collect(),
        other => other,
    }
}
