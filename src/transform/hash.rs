//! `hash`: hashes values, so that they can be compared but no longer read.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::{Digest as _, Sha256, Sha512};

use super::given::Given;
use super::key::{Form, Key};
use super::parameter::{Kind, Parameter};
use super::path::Path;
use super::stringify::{change_fields, look, plain};
use super::types::TransformType;
use super::{Message, Output, Transform};
use crate::core::canonical::hex;

/// The text that a preview shows in place of a salted hash.
pub(super) const MASK: &str = "<hashed with the salt>";

pub(super) const TYPE: TransformType = TransformType {
    id: "hash",
    title: "Hash",
    description: "Replaces values by their hash in hexadecimal digits: SHA-2 of a text in UTF-8, of all else of its JSON with its keys in order; with a salt the HMAC with it. Null stays null.",
    parameters: &[
        Parameter::needed("fields", Kind::Places, "The fields."),
        Parameter::optional("algorithm", Kind::Choice(&["sha256", "sha512"]), "The hash function; `sha256` when it is not given."),
        Parameter::optional(
            "salt",
            Kind::Secret,
            "A secret without which nobody can try out values, as a reference; a preview shows a mask then.",
        ),
        Parameter::optional("required", Kind::Flag, "Refuse a message without one of the fields; otherwise it is passed over."),
    ],
    build: |given| Some(build(given)),
};

struct Hash {
    fields: Vec<Path>,
    long: bool,
    salt: Option<Key>,
    required: bool,
}

fn build(given: &mut Given<'_>) -> Box<dyn Transform> {
    let (fields, long) = (given.paths("fields"), given.text("algorithm") == Some("sha512"));
    Box::new(Hash { fields, long, salt: given.key("salt", Form::Text), required: given.flag("required") })
}

impl Transform for Hash {
    fn apply(&self, mut message: Message, output: &mut Output<'_>) -> Result<(), String> {
        look(&self.fields, &message, output)?;
        change_fields(&self.fields, self.required, &mut message, &mut |value| {
            if !value.is_null() {
                output.budget.entry(128)?;
                *value = Value::String(self.hash(&plain(value))?);
            }
            Ok(())
        })?;
        output.push(message);
        Ok(())
    }

    fn key(&mut self) -> Option<&mut Key> {
        self.salt.as_mut()
    }
}

impl Hash {
    fn hash(&self, text: &str) -> Result<String, String> {
        let Some(salt) = &self.salt else {
            return Ok(if self.long { hex(&Sha512::digest(text)) } else { hex(&Sha256::digest(text)) });
        };
        let Some(salt) = salt.bytes() else { return Ok(MASK.to_owned()) };
        // HMAC accepts keys of any length.
        let unfit = |_| "the salt is none".to_owned();
        Ok(if self.long {
            hex(&Hmac::<Sha512>::new_from_slice(salt).map_err(unfit)?.chain_update(text).finalize().into_bytes())
        } else {
            hex(&Hmac::<Sha256>::new_from_slice(salt).map_err(unfit)?.chain_update(text).finalize().into_bytes())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::transform::tests::{one, unlocked, violations};
    use serde_json::json;

    #[test]
    fn values_become_their_hash() {
        let config = json!([{"type": "hash", "fields": ["a", "n", "none", "l.*"]}]);
        let hashed = one(config, &json!({"a": "abc", "n": null, "l": [1, "1"]}));
        // The output of `printf abc | sha256sum` and `printf 1 | sha256sum`.
        let one = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
        assert_eq!(hashed, json!({"a": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "n": null, "l": [one, one]}));
    }

    #[test]
    fn a_salt_makes_it_an_hmac_and_a_preview_shows_a_mask() {
        let config = json!([{"type": "hash", "fields": ["a"], "salt": {"$secret": "env:PUMPHOUSE_SECRET_SALT"}}]);
        let message = json!({"a": "what do ya want for nothing?"});
        assert_eq!(one(config.clone(), &message), json!({"a": super::MASK}));
        // RFC 4231, test case 2.
        let hashed = json!({"a": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"});
        assert_eq!(unlocked(config, "Jefe", &message), [hashed]);
    }

    #[test]
    fn a_salt_is_never_written_down() {
        let config = json!([{"type": "hash", "fields": ["a"], "salt": "hunter2", "algorithm": "md5"}]);
        assert_eq!(violations(config), ["/0/algorithm", "/0/salt"]);
    }
}
