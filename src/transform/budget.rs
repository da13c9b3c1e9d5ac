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
        self.0 = self
            .0
            .checked_sub(bytes)
            .ok_or("it would make more data out of one message, or look through it more often, than is allowed")?;
        Ok(())
    }

    /// Pays for a new entry with this key and text.
    pub(super) fn entry(&mut self, text: usize) -> Result<(), String> {
        self.spend(text.saturating_add(NODE))
    }
}

/// How much of a message is looked at for the price of one byte made: looking is work too, when it is done a thousand times.
const LOOKED_AT: usize = 64;

impl Budget {
    /// Pays for looking through a message so many times.
    pub(super) fn look(&mut self, message: &Message, times: usize) -> Result<(), String> {
        if times == 0 { Ok(()) } else { self.spend((weight_of(message) / LOOKED_AT).saturating_mul(times)) }
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
