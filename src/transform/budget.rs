//! How much a run may make: what is copied or written is paid for first.

use serde_json::Value;

use super::Message;

/// What a value or an entry costs beside its text.
const NODE: usize = 64;

/// What is left to be made, in bytes of memory, roughly.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Pays for something of this size.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.0 = self.0.checked_sub(bytes).ok_or("it would make more data out of one message than a message may become")?;
        Ok(())
    }

    /// Pays for a new entry with this key and text.
    pub(super) fn entry(&mut self, text: usize) -> Result<(), String> {
        self.spend(text.saturating_add(NODE))
    }
}

/// What a value takes in memory, roughly.
pub(super) fn weight(value: &Value) -> usize {
    NODE.saturating_add(match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).fold(0, usize::saturating_add),
        Value::Object(map) => weight_of(map),
        _ => 0,
    })
}

/// What a message takes in memory, roughly.
pub(super) fn weight_of(message: &Message) -> usize {
    message.iter().map(|(key, value)| key.len().saturating_add(weight(value))).fold(NODE, usize::saturating_add)
}
