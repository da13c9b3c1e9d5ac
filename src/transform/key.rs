//! Secrets of a chain: named in the configuration, resolved where it delivers.
//!
//! Always holds: a secret is `{"$secret": "env:NAME"}` or `{"$secret": "file:NAME"}`, never a literal, so no secret is
//! stored. A resolved secret is wiped when the chain is dropped. Before it is resolved, the transform's output shows a mask.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::core::redact::{MARK, is_resolvable};

/// The rule, as shown to the client.
pub(super) const RULE: &str = "A secret is only named: {\"$secret\": \"env:PUMPHOUSE_SECRET_...\"} or {\"$secret\": \"file:NAME\"}, which the worker reads where it runs. Never write the secret itself.";

/// A reference to a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference(String);

impl Reference {
    /// Parses a reference; the worker would resolve no other.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let map = value.as_object().filter(|map| map.len() == 1)?;
        let text = map.get(MARK)?.as_str()?;
        is_resolvable(text).then(|| Self(text.to_owned()))
    }

    /// Returns its form in a configuration.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({ MARK: self.0 })
    }
}

/// The format of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Any text.
    Text,
    /// 32 bytes in base64.
    Bytes32,
}

/// A secret of a transform.
pub(super) struct Key {
    parameter: &'static str,
    form: Form,
    reference: Reference,
    bytes: Option<Zeroizing<Vec<u8>>>,
}

impl Key {
    pub(super) fn new(parameter: &'static str, form: Form, reference: Reference) -> Self {
        Self { parameter, form, reference, bytes: None }
    }

    pub(super) fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Returns the name of its parameter.
    pub(super) fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// Sets the resolved secret.
    pub(super) fn fill(&mut self, text: &str) -> Result<(), String> {
        let bytes = match self.form {
            Form::Text => Some(Zeroizing::new(text.as_bytes().to_vec())),
            Form::Bytes32 => STANDARD.decode(text.trim()).ok().map(Zeroizing::new).filter(|bytes| bytes.len() == 32),
        };
        self.bytes = Some(bytes.filter(|bytes| !bytes.is_empty()).ok_or(match self.form {
            Form::Text => "the secret is empty",
            Form::Bytes32 => "the secret is not 32 bytes in base64, such as the output of `openssl rand -base64 32`",
        })?);
        Ok(())
    }

    /// Returns the secret, once it was resolved.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_ref().map(|bytes| bytes.as_slice())
    }
}
