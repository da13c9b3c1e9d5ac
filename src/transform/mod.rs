//! Single-message transforms: the syntax of `transform_config` and its effect on a message (domain.md section 2).
//!
//! A configuration is a list of transforms, applied in order to a message, which is a JSON object:
//!
//! ```json
//! [
//!   {"type": "unenvelope"},
//!   {"type": "filter", "where": {"field": "country", "op": "in", "value": ["FR", "DE"]}},
//!   {"type": "hash", "fields": ["email"], "salt": {"$secret": "env:PUMPHOUSE_SECRET_SALT"}},
//!   {"type": "flattener", "separator": "_"}
//! ]
//! ```
//!
//! Paths address the parts of a message: `address.city`, or `["a.b", "city"]` where a key has a dot. The parameters of each
//! type are declared once, in its entry of [`TYPES`]: errors, schemas and documentation come from there.
//!
//! Always holds:
//! a configuration is refused with all its faults at once;
//! a run creates a bounded amount of new data, so that no message exhausts the memory;
//! an error names the failed transform and the reason, never a value;
//! a secret is a reference, resolved by the delivering process; a preview shows a mask in its place.
//! Not here: storing configurations, reading secrets, delivering.

mod budget;
mod condition;
mod encrypt;
mod filter;
mod flattener;
mod given;
mod hash;
mod key;
mod key_filter;
mod mapper;
mod movers;
mod parameter;
mod path;
mod sanitize_key;
mod splitter;
mod stringify;
mod types;
mod unenvelope;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};
use zeroize::Zeroizing;

use budget::Budget;
pub use key::Reference;
pub use types::{TYPES, TransformType};

/// A message: a JSON object, such as the row of a table.
pub type Message = Map<String, Value>;

/// The maximum number of transforms in a chain.
const MOST_TRANSFORMS: usize = 50;
/// The budget of a delivery per message, in bytes of memory.
const RUN_BYTES: usize = 64 * 1024 * 1024;
/// The budget of a preview per message; lower, as many clients may request previews at once.
const PREVIEW_BYTES: usize = 4 * 1024 * 1024;

/// A fault in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position, as a JSON pointer into the configuration.
    pub pointer: String,
    /// The fault and the accepted values; never the configured value.
    pub message: String,
}

/// Why a message cannot be transformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("transform {} ({transform}): {reason}", index + 1)]
pub struct RunError {
    /// The index of the transform in the chain, counting from 0 as the configuration's pointers do.
    pub index: usize,
    /// The id of its type.
    pub transform: &'static str,
    /// The reason; names fields, never values.
    pub reason: String,
}

/// The implementation of one transform.
trait Transform: Send + Sync {
    /// Emits the results for a message: none, one or several.
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String>;

    /// Returns its secret, to be resolved before it delivers.
    fn key(&mut self) -> Option<&mut key::Key> {
        None
    }
}

/// Receives the messages that a transform emits.
struct Output<'a> {
    messages: Vec<Message>,
    budget: &'a mut Budget,
}

impl Output<'_> {
    fn push(&mut self, message: Message) {
        self.messages.push(message);
    }
}

struct Step {
    id: &'static str,
    transform: Box<dyn Transform>,
    /// The position of its secret, and the reference.
    secret: Option<(String, Reference)>,
}

/// A validated configuration. It can be previewed; before delivering, its secrets must be resolved.
pub struct Chain(Vec<Step>);

/// A chain with all its secrets, ready to deliver. It has no `Debug`.
pub struct Runner(Vec<Step>);

impl Chain {
    /// Parses a configuration.
    ///
    /// # Errors
    /// All faults at once, each with its JSON pointer.
    pub fn parse(config: &Value) -> Result<Self, Vec<Fault>> {
        let fault = |message: String| vec![Fault { pointer: String::new(), message }];
        let Value::Array(items) = config else {
            return Err(fault("The transforms are a list, applied in order; an empty list changes nothing.".to_owned()));
        };
        if items.len() > MOST_TRANSFORMS {
            return Err(fault(format!("A chain has at most {MOST_TRANSFORMS} transforms.")));
        }
        let mut violations = Vec::new();
        let steps = items.iter().enumerate().filter_map(|(index, item)| types::read(item, &format!("/{index}"), &mut violations)).collect();
        if violations.is_empty() { Ok(Self(steps)) } else { Err(violations) }
    }

    /// Previews the chain on a message. Results that need a secret are masked.
    ///
    /// # Errors
    /// The failed transform and the reason.
    pub fn preview(&self, message: Message) -> Result<Vec<Message>, RunError> {
        run(&self.0, message, PREVIEW_BYTES)
    }

    /// Returns the secret references, each with the JSON pointer of its position; a preview shows masks for them.
    pub fn secrets(&self) -> impl Iterator<Item = &(String, Reference)> {
        self.0.iter().filter_map(|step| step.secret.as_ref())
    }

    /// Resolves the secrets, so that the chain can deliver.
    ///
    /// # Errors
    /// The faults of all secrets that are unavailable or malformed, as worded by the resolver.
    pub fn unlock(mut self, mut resolve: impl FnMut(&Reference) -> Result<Zeroizing<String>, String>) -> Result<Runner, Vec<Fault>> {
        let mut violations = Vec::new();
        for step in &mut self.0 {
            let (Some((pointer, reference)), Some(key)) = (&step.secret, step.transform.key()) else { continue };
            if let Err(message) = resolve(reference).and_then(|text| key.fill(&text)) {
                violations.push(Fault { pointer: pointer.clone(), message });
            }
        }
        if violations.is_empty() { Ok(Runner(self.0)) } else { Err(violations) }
    }
}

impl Runner {
    /// Transforms a message. Returns no message when a filter drops it, several when a splitter splits it.
    ///
    /// # Errors
    /// The failed transform and the reason.
    pub fn run(&self, message: Message) -> Result<Vec<Message>, RunError> {
        run(&self.0, message, RUN_BYTES)
    }
}

fn run(steps: &[Step], message: Message, bytes: usize) -> Result<Vec<Message>, RunError> {
    let mut budget = Budget::new(bytes);
    let mut messages = vec![message];
    for (index, step) in steps.iter().enumerate() {
        let mut output = Output { messages: Vec::with_capacity(messages.len()), budget: &mut budget };
        for message in messages {
            let applied = step.transform.apply(message, &mut output);
            applied.map_err(|reason| RunError { index, transform: step.id, reason })?;
        }
        messages = output.messages;
    }
    Ok(messages)
}
