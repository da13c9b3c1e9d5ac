//! Secrets of a chain: named in the configuration, resolved where it delivers.
//!
//! Always holds: a secret is `{"$secret": "env:NAME"}` or `{"$secret": "file:NAME"}`, never a text, so that none is
//! stored; what was resolved is wiped with the chain. Until then its work shows a mask.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::core::redact::{MARK, is_resolvable};

/// The rule, as it is told.
pub(super) const RULE: &str = "A secret is only named: {\"$secret\": \"env:PUMPHOUSE_SECRET_...\"} or {\"$secret\": \"file:NAME\"}, which the worker reads where it runs. Never write the secret itself.";

/// Where a secret is, not what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference(String);

impl Reference {
    /// Reads a reference; the worker would resolve no other.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let map = value.as_object().filter(|map| map.len() == 1)?;
        let text = map.get(MARK)?.as_str()?;
        is_resolvable(text).then(|| Self(text.to_owned()))
    }

    /// The form it has in a configuration.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({ MARK: self.0 })
    }
}

/// What a secret has to look like.
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

    /// The name of the parameter that it was given by.
    pub(super) fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// Takes the secret.
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

    /// The secret, once it was resolved.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_ref().map(|bytes| bytes.as_slice())
    }
}
