//! Secrets at rest: sealed with AES-256-GCM, bound to the row they belong to.
//!
//! Always holds: a fresh random nonce each time; the row's id is associated data, so a sealed value
//! copied to another row does not open; the envelope names its key, so several keys work at once:
//! the first seals, all open (domain.md section 2). Plain text and keys have no `Debug` and are wiped.
//! Not here: which parts of an opened configuration may be shown (`core/redact.rs`).

use std::ops::Deref;
use std::sync::Arc;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use zeroize::{Zeroize as _, Zeroizing};

use crate::core::error::{Error, Result};

/// A value that is wiped when dropped and never printed.
pub struct Secret<T: zeroize::Zeroize>(Zeroizing<T>);

impl<T: zeroize::Zeroize> Secret<T> {
    /// Takes charge of a value.
    pub fn new(value: T) -> Self {
        Self(Zeroizing::new(value))
    }

    /// The value itself; every call is a place to look at twice.
    pub fn reveal(&self) -> &T {
        &self.0
    }
}

impl<T: zeroize::Zeroize + Clone> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A document that holds secrets: its texts are wiped when it is dropped, and it is never printed.
#[derive(Clone)]
pub struct PlainJson(Value);

impl PlainJson {
    /// Takes charge of a document.
    #[must_use]
    pub fn new(document: Value) -> Self {
        Self(document)
    }
}

impl Deref for PlainJson {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Drop for PlainJson {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(map) => map.values_mut().for_each(wipe),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The keys that seal and open.
#[derive(Clone)]
pub struct KeyRing(Arc<Vec<RingKey>>);

struct RingKey {
    id: String,
    cipher: Aes256Gcm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    #[serde(rename = "$sealed")]
    version: u8,
    key: String,
    nonce: String,
    data: String,
}

/// Why the text of the keys is not a key ring.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyRingError {
    /// Nothing was given.
    #[error("no encryption key is set; write `id:key`, the key being 32 bytes in base64, such as the output of `openssl rand -base64 32`")]
    Empty,
    /// An entry has no id.
    #[error("encryption key {0} has no id; write `id:key`")]
    NoId(usize),
    /// An entry's key is not 32 bytes of base64.
    #[error("encryption key {0:?} is not 32 bytes in base64")]
    NotAKey(String),
    /// Two entries have the same id.
    #[error("encryption key id {0:?} is given twice")]
    Twice(String),
}

impl KeyRing {
    /// Reads `id:key` pairs separated by commas; the first one seals.
    ///
    /// # Errors
    /// When a pair is not an id and 32 bytes of base64.
    pub fn parse(text: &str) -> Result<Self, KeyRingError> {
        let mut keys: Vec<RingKey> = Vec::new();
        for (index, entry) in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).enumerate() {
            let (id, key) = entry.split_once(':').ok_or(KeyRingError::NoId(index + 1))?;
            let bytes = Zeroizing::new(STANDARD.decode(key).map_err(|_| KeyRingError::NotAKey(id.to_owned()))?);
            let key = <&Key<Aes256Gcm>>::try_from(bytes.as_slice()).map_err(|_| KeyRingError::NotAKey(id.to_owned()))?;
            if keys.iter().any(|known| known.id == id) {
                return Err(KeyRingError::Twice(id.to_owned()));
            }
            keys.push(RingKey { id: id.to_owned(), cipher: Aes256Gcm::new(key) });
        }
        if keys.is_empty() { Err(KeyRingError::Empty) } else { Ok(Self(Arc::new(keys))) }
    }

    /// The ids of the keys; the first one seals.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| key.id.as_str())
    }

    /// Seals what is sealed for this row anew, with the key that seals.
    ///
    /// # Errors
    /// As [`KeyRing::open`].
    pub fn reseal(&self, row: Uuid, sealed: &str) -> Result<String> {
        self.seal(row, self.open(row, sealed)?.reveal())
    }

    /// Seals JSON text for the row with this id; the answer is JSON too.
    ///
    /// # Errors
    /// When the machine has no randomness to give.
    pub fn seal(&self, row: Uuid, plain: &str) -> Result<String> {
        let Some(key) = self.0.first() else { return Err(unreadable(row)) };
        let mut nonce = [0_u8; 12];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        let payload = Payload { msg: plain.as_bytes(), aad: row.as_bytes() };
        let data = key.cipher.encrypt(&Nonce::from(nonce), payload).map_err(|_| unreadable(row))?;
        let envelope = Envelope { version: 1, key: key.id.clone(), nonce: STANDARD.encode(nonce), data: STANDARD.encode(data) };
        serde_json::to_string(&envelope).map_err(Error::internal)
    }

    /// Opens what [`KeyRing::seal`] sealed for this row.
    ///
    /// # Errors
    /// When the key is missing or wrong, or the value was sealed for another row.
    pub fn open(&self, row: Uuid, sealed: &str) -> Result<Secret<String>> {
        let envelope: Envelope = serde_json::from_str(sealed).map_err(|_| unreadable(row))?;
        let key = self.0.iter().find(|key| key.id == envelope.key).ok_or_else(|| unreadable(row))?;
        let nonce: [u8; 12] =
            STANDARD.decode(&envelope.nonce).ok().and_then(|nonce| nonce.try_into().ok()).ok_or_else(|| unreadable(row))?;
        let data = STANDARD.decode(&envelope.data).map_err(|_| unreadable(row))?;
        let payload = Payload { msg: &data, aad: row.as_bytes() };
        let plain = key.cipher.decrypt(&Nonce::from(nonce), payload).map_err(|_| unreadable(row))?;
        String::from_utf8(plain).map(Secret::new).map_err(|error| {
            error.into_bytes().zeroize();
            unreadable(row)
        })
    }
}

/// One clear error for every way in which a sealed value cannot be read.
fn unreadable(row: Uuid) -> Error {
    #[derive(Debug, thiserror::Error)]
    #[error("the configuration of {0} does not open with the encryption keys of this server")]
    struct Unreadable(Uuid);
    Error::unreadable_secret(Unreadable(row))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROW: Uuid = Uuid::from_u128(1);

    fn ring() -> KeyRing {
        KeyRing::parse("new:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=,old:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=").unwrap()
    }

    fn refuses(row: Uuid, sealed: &str) -> bool {
        ring().open(row, sealed).is_err()
    }

    proptest! {
        #[test]
        fn what_is_not_sealed_here_is_refused(
            text in any::<String>(), key in "new|old|x?", nonce in "[A-Za-z0-9+/=]{0,20}", data in "[A-Za-z0-9+/=]{0,60}", version in any::<u8>(),
        ) {
            prop_assert!(refuses(ROW, &text));
            let envelope = Envelope { version, key, nonce, data };
            prop_assert!(refuses(ROW, &serde_json::to_string(&envelope).unwrap()));
        }

        #[test]
        fn what_is_sealed_opens_as_it_was_and_with_no_bit_changed(plain in any::<String>(), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
            let sealed = ring().seal(ROW, &plain).unwrap();
            prop_assert!(ring().open(ROW, &sealed).is_ok_and(|opened| *opened.reveal() == plain));
            prop_assert!(refuses(Uuid::from_u128(2), &sealed));
            let changed = |text: &str| {
                let mut bytes = STANDARD.decode(text).unwrap();
                let at = at.index(bytes.len());
                bytes[at] ^= 1_u8 << bit;
                STANDARD.encode(bytes)
            };
            let envelope = || serde_json::from_str::<Envelope>(&sealed).unwrap();
            for other in [
                Envelope { nonce: changed(&envelope().nonce), ..envelope() },
                Envelope { data: changed(&envelope().data), ..envelope() },
                Envelope { key: "old".to_owned(), ..envelope() },
            ] {
                prop_assert!(refuses(ROW, &serde_json::to_string(&other).unwrap()));
            }
        }
    }
}
