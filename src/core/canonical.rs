//! The one text of a JSON document, and its hash.
//!
//! Always holds: documents that differ only in the order of keys, in white space or in the spelling of a
//! number have one text (RFC 8785), so that whoever else computes the hash comes to the same.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::core::error::{Error, Result};
use crate::core::secret::Secret;

/// SHA-256 of the document's canonical text, 64 hexadecimal digits.
///
/// # Errors
/// When a number has no canonical form.
pub fn hash(document: &Value) -> Result<String> {
    digest(Sha256::new(), document)
}

/// The same over a kind, a NUL and the text: documents of two kinds never have one hash.
///
/// # Errors
/// When a number has no canonical form.
pub fn hash_as(kind: &str, document: &Value) -> Result<String> {
    digest(Sha256::new().chain_update(kind).chain_update([0]), document)
}

fn digest(hasher: Sha256, document: &Value) -> Result<String> {
    let text = Secret::new(serde_json_canonicalizer::to_string(document).map_err(Error::internal)?);
    Ok(hex(&hasher.chain_update(text.reveal()).finalize()))
}

/// These bytes in hexadecimal digits, two for each.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_of_a_document_does_not_change_its_hash() {
        let hash_of = |text: &str| hash(&serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(hash_of(r#"{"b": [1.0, "é"], "a": 1e30}"#), hash_of(r#"{"a":1000000000000000000000000000000,"b":[1,"\u00e9"]}"#));
        assert_ne!(hash_of(r#"{"a": 1}"#), hash_of(r#"{"a": "1"}"#));
        // What `printf '{"a":1}' | sha256sum` says.
        assert_eq!(hash_of(r#"{"a": 1}"#), "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862");
    }
}
