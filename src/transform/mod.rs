//! Single-message transforms: what `transform_config` says and what it does to a message (domain.md section 2).
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
//! Parts of a message are named by paths: `address.city`, or `["a.b", "city"]` where a key has a dot. What each type
//! takes is told once, in its entry of [`TYPES`]: errors, schemas and documentation come from there.
//!
//! Always holds: a configuration is refused with all its faults at once; a run makes at most a bounded amount of new
//! data, so that no message exhausts the memory; an error says which transform refused and why, never a value; a secret
//! is a reference, resolved by whoever delivers, and a preview shows a mask in its place. Not here: storing
//! configurations, reading secrets, delivering.

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

/// The most transforms of a chain.
const MOST_TRANSFORMS: usize = 50;
/// What a delivery may make out of one message, in bytes of memory.
const RUN_BYTES: usize = 64 * 1024 * 1024;
/// The same for a preview, which many may ask for at once.
const PREVIEW_BYTES: usize = 4 * 1024 * 1024;

/// Something wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer into the configuration.
    pub pointer: String,
    /// What is wrong and what would be right; never what was written there.
    pub message: String,
}

/// Why a message cannot be transformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("transform {} ({transform}): {reason}", index + 1)]
pub struct RunError {
    /// Which transform of the chain, counting from 0 as the configuration's pointers do.
    pub index: usize,
    /// The id of its type.
    pub transform: &'static str,
    /// Why; names fields, never values.
    pub reason: String,
}

/// What one transform does.
trait Transform: Send + Sync {
    /// Passes on what becomes of the message: nothing, one message or several.
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String>;

    /// The secret that it works with, to be resolved before it delivers.
    fn key(&mut self) -> Option<&mut key::Key> {
        None
    }
}

/// Where a transform puts its messages.
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
    /// The place of its secret, and what it refers to.
    secret: Option<(String, Reference)>,
}

/// A checked configuration. It can be tried out; to deliver, its secrets are resolved first.
pub struct Chain(Vec<Step>);

/// A chain with all its secrets: what delivers. It has no `Debug`.
pub struct Runner(Vec<Step>);

impl Chain {
    /// Reads a configuration.
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

    /// Tries the chain out on a message. What a secret is needed for reads as a mask.
    ///
    /// # Errors
    /// The transform that refused, and why.
    pub fn preview(&self, message: Message) -> Result<Vec<Message>, RunError> {
        run(&self.0, message, PREVIEW_BYTES)
    }

    /// The secrets that it names, each with the JSON pointer of its place; a preview shows masks for them.
    pub fn secrets(&self) -> impl Iterator<Item = &(String, Reference)> {
        self.0.iter().filter_map(|step| step.secret.as_ref())
    }

    /// Resolves the secrets, so that the chain can deliver.
    ///
    /// # Errors
    /// The faults of all secrets that cannot be had or are of the wrong form, in the resolver's words.
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
    /// Transforms a message: into none when a filter drops it, into several when a splitter splits it.
    ///
    /// # Errors
    /// The transform that refused, and why.
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
