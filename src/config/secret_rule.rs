//! The rules of the settings that nobody may see.
//!
//! Always holds: what is shown leaves the secret out, also when the text is wrong; a refusal never repeats the
//! text. The ids of encryption keys and the host of the database are no secrets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sqlx::postgres::PgConnectOptions;
use url::Url;
use zeroize::Zeroizing;

use super::rule::Rule;
use crate::core::redact_text::redact_text;
use crate::core::secret::{KeyRing, Secret};

/// What stands for a secret.
const MASK: &str = "********";
/// Fewest bytes of a key that signs tokens: as many as HMAC-SHA-256 gives.
const TOKEN_KEY_BYTES: usize = 32;

/// A password.
pub(super) struct Password;

impl Rule for Password {
    type Value = Secret<String>;
    const SECRET: bool = true;

    fn read(&self, text: &str) -> Result<Self::Value, String> {
        if (8..=1_000).contains(&text.chars().count()) { Ok(Secret::new(text.to_owned())) } else { Err(self.allowed()) }
    }
    fn allowed(&self) -> String {
        "8 to 1000 characters".to_owned()
    }
    fn shown(&self, _: &str) -> String {
        MASK.to_owned()
    }
}

/// A secret that somebody else has made.
pub(super) struct Given;

impl Rule for Given {
    type Value = Secret<String>;
    const SECRET: bool = true;

    fn read(&self, text: &str) -> Result<Self::Value, String> {
        if text.is_empty() { Err(self.allowed()) } else { Ok(Secret::new(text.to_owned())) }
    }
    fn allowed(&self) -> String {
        "text that is not empty".to_owned()
    }
    fn shown(&self, _: &str) -> String {
        MASK.to_owned()
    }
}

/// The keys that seal configurations; their ids may be seen.
pub(super) struct EncryptionKeys;

impl Rule for EncryptionKeys {
    type Value = KeyRing;
    const SECRET: bool = true;

    fn read(&self, text: &str) -> Result<KeyRing, String> {
        KeyRing::parse(text).map_err(|error| format!("{}; {error}", self.allowed()))
    }
    fn allowed(&self) -> String {
        "`id:key` pairs separated by commas, each key 32 bytes in base64".to_owned()
    }
    fn shown(&self, text: &str) -> String {
        let entry = |entry: &str| entry.split_once(':').map_or_else(|| MASK.to_owned(), |(id, _)| format!("{}:{MASK}", id.trim()));
        text.split(',').map(entry).collect::<Vec<_>>().join(",")
    }
}

/// The key that signs tokens.
pub(super) struct TokenKey;

impl Rule for TokenKey {
    type Value = Secret<Vec<u8>>;
    const SECRET: bool = true;

    fn read(&self, text: &str) -> Result<Self::Value, String> {
        let key = STANDARD.decode(text.trim()).map(Zeroizing::new).map_err(|_| self.allowed())?;
        if key.len() >= TOKEN_KEY_BYTES { Ok(Secret::new(key.to_vec())) } else { Err(self.allowed()) }
    }
    fn allowed(&self) -> String {
        format!("{TOKEN_KEY_BYTES} or more bytes in base64")
    }
    fn shown(&self, _: &str) -> String {
        MASK.to_owned()
    }
}

/// The parameters of a database's URL that sqlx honours.
const PARAMETERS: &[&str] = &[
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// Where PostgreSQL is; all but the password may be seen.
pub(super) struct DatabaseUrl;

impl Rule for DatabaseUrl {
    type Value = PgConnectOptions;
    const SECRET: bool = true;

    fn read(&self, text: &str) -> Result<PgConnectOptions, String> {
        let fine = text.starts_with("postgres://") || text.starts_with("postgresql://");
        let options = fine.then(|| text.parse().ok()).flatten().ok_or_else(|| self.allowed())?;
        // sqlx ignores parameters that it does not know: with `sslmod=verify-full` nothing would be verified.
        let known = Url::parse(text)
            .is_ok_and(|url| url.query_pairs().all(|(name, _)| PARAMETERS.contains(&&*name) || name.starts_with("options[")));
        // Which one is not said, as a password with a `?` in it would be.
        if known { Ok(options) } else { Err(format!("{}; its parameters are {}", self.allowed(), PARAMETERS.join(", "))) }
    }
    fn allowed(&self) -> String {
        "`postgres://user:password@host:5432/database`, with `?sslmode=verify-full` and the like".to_owned()
    }
    fn shown(&self, text: &str) -> String {
        if self.read(text).is_ok() { redact_text(text) } else { MASK.to_owned() }
    }
}
