//! `encrypt`: encrypts values, so that only the holder of the key can read them.

use aes_gcm::aead::{Aead as _, KeyInit as _};
use aes_gcm::{Aes256Gcm, Key as CipherKey, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::given::Given;
use super::key::{Form, Key};
use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::stringify::{change_fields, look, plain};
use super::types::TransformType;
use super::{Message, Output, Transform};

/// The text that a preview shows in place of an encrypted value.
pub(super) const MASK: &str = "<encrypted>";

pub(super) const TYPE: TransformType = TransformType {
    id: "encrypt",
    title: "Encrypt",
    description: "Replaces values by base64 of nonce (12 bytes), ciphertext and tag (16 bytes) of AES-256-GCM over a text in UTF-8, or the JSON of all else. The nonce is random, so equal values differ. Null stays null. A preview shows a mask.",
    parameters: &[
        Parameter::needed("fields", Kind::Places, "The fields."),
        Parameter::needed("key", Kind::Secret, "The key, as a reference to a secret that is 32 bytes in base64."),
        Parameter::optional("required", Kind::Flag, "Refuse a message without one of the fields; otherwise it is passed over."),
    ],
    build,
};

struct Encrypt {
    fields: Vec<Path>,
    key: Key,
    required: bool,
}

fn build(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let key = given.key("key", Form::Bytes32)?;
    Some(Box::new(Encrypt { fields: given.paths("fields"), key, required: given.flag("required") }))
}

impl Transform for Encrypt {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        let cipher = match self.key.bytes().map(<&CipherKey<Aes256Gcm>>::try_from) {
            None => None,
            Some(Ok(key)) => Some(Aes256Gcm::new(key)),
            Some(Err(_)) => return Err("the key is not 32 bytes long".to_owned()),
        };
        look(&self.fields, &message, output)?;
        change_fields(&self.fields, self.required, &mut message, &mut |value| {
            if !value.is_null() {
                let text = cipher.as_ref().map_or_else(|| Ok(MASK.to_owned()), |cipher| seal(cipher, &plain(value)))?;
                output.budget.entry(text.len())?;
                *value = Value::String(text);
            }
            Ok(())
        })?;
        output.push(message);
        Ok(())
    }

    fn key(&mut self) -> Option<&mut Key> {
        Some(&mut self.key)
    }
}

fn seal(cipher: &Aes256Gcm, plain: &str) -> Result<String, String> {
    let mut nonce = [0_u8; 12];
    getrandom::fill(&mut nonce).map_err(|error| format!("the machine gives no randomness: {error}"))?;
    let data = cipher.encrypt(&Nonce::from(nonce), plain.as_bytes()).map_err(|_| "a value is too long to be encrypted")?;
    Ok(STANDARD.encode([nonce.as_slice(), &data].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::tests::{one, unlocked, violations};
    use crate::transform::{Chain, Fault};
    use serde_json::json;
    use zeroize::Zeroizing;

    const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    fn config() -> Value {
        json!([{"type": "encrypt", "fields": ["a", "b", "c"], "key": {"$secret": "file:keys/shop"}}])
    }

    #[test]
    fn values_are_read_with_the_key_alone() {
        let message = json!({"a": "text", "b": {"n": 1}, "c": null});
        let [sealed] = &unlocked(config(), KEY, &message)[..] else { panic!("one message") };
        let open = |name: &str| {
            let bytes = STANDARD.decode(sealed[name].as_str().unwrap()).unwrap();
            let (nonce, data) = bytes.split_at(12);
            let key = STANDARD.decode(KEY).unwrap();
            let cipher = Aes256Gcm::new(<&CipherKey<Aes256Gcm>>::try_from(key.as_slice()).unwrap());
            String::from_utf8(cipher.decrypt(&Nonce::from(<[u8; 12]>::try_from(nonce).unwrap()), data).unwrap()).unwrap()
        };
        assert_eq!((open("a").as_str(), open("b").as_str()), ("text", "{\"n\":1}"));
        assert_eq!(sealed["c"], Value::Null);
        assert_ne!(unlocked(config(), KEY, &message)[0]["a"], sealed["a"]);
    }

    #[test]
    fn a_preview_shows_a_mask() {
        assert_eq!(one(config(), &json!({"a": "text", "b": 1, "c": null})), json!({"a": MASK, "b": MASK, "c": null}));
    }

    #[test]
    fn a_plain_key_is_refused_and_not_repeated() {
        for key in [
            json!("hunter2"),
            json!({"$secret": "stored"}),
            json!({"$secret": "env:PATH"}),
            json!({"$secret": "file:../hunter2"}),
            json!({"$secret": "file:a", "more": 1}),
        ] {
            let config = json!([{"type": "encrypt", "fields": ["a"], "key": key}]);
            assert_eq!(violations(config.clone()), ["/0/key"], "{key}");
            let told = Chain::parse(&config).err().unwrap();
            assert!(!told[0].message.contains("hunter2"));
        }
    }

    #[test]
    fn a_secret_that_is_no_key_is_told_by_its_place() {
        let unlocked = Chain::parse(&config()).ok().unwrap().unlock(|_| Ok(Zeroizing::new("hunter2".to_owned())));
        let [Fault { pointer, message }] = &unlocked.err().unwrap()[..] else { panic!("one fault") };
        assert!(pointer == "/0/key" && message.contains("32 bytes") && !message.contains("hunter2"));
    }
}
