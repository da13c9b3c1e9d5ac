//! The budget of a run: data is charged before it is copied or written.

use serde_json::Value;

use super::Message;

/// The overhead of a value or an entry beside its text.
const NODE: usize = 64;

/// The remaining budget, in bytes of memory, roughly.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Charges for data of this size.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.0 = self
            .0
            .checked_sub(bytes)
            .ok_or("it would make more data out of one message, or look through it more often, than is allowed")?;
        Ok(())
    }

    /// Charges for a new entry with this key and text.
    pub(super) fn entry(&mut self, text: usize) -> Result<(), String> {
        self.spend(text.saturating_add(NODE))
    }
}

/// The number of message bytes that can be scanned for the price of one byte created; scanning is work too, when done a
/// thousand times.
const LOOKED_AT: usize = 64;

impl Budget {
    /// Charges for scanning a message this many times.
    pub(super) fn look(&mut self, message: &Message, times: usize) -> Result<(), String> {
        if times == 0 { Ok(()) } else { self.spend((weight_of(message) / LOOKED_AT).saturating_mul(times)) }
    }
}

/// Returns the memory size of a value, roughly.
pub(super) fn weight(value: &Value) -> usize {
    NODE.saturating_add(match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).fold(0, usize::saturating_add),
        Value::Object(map) => weight_of(map),
        _ => 0,
    })
}

/// Returns the memory size of a message, roughly.
pub(super) fn weight_of(message: &Message) -> usize {
    message.iter().map(|(key, value)| key.len().saturating_add(weight(value))).fold(NODE, usize::saturating_add)
}
