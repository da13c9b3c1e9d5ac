//! Passwords: Argon2id on blocking threads, a bounded number at a time.
//!
//! Always holds: the parameters are OWASP's, set once; checking a password for an unknown or
//! passwordless account costs what checking a wrong one costs (domain.md section 1).

use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use tokio::sync::Semaphore;

use crate::core::error::{Error, Result};
use crate::core::secret::Secret;

/// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Hashes at a time: each takes a core and 19 MiB, and queries want cores too.
const AT_A_TIME: usize = 2;
/// Fewest and most characters of a password.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=1_000;

static PERMITS: Semaphore = Semaphore::const_new(AT_A_TIME);
/// What a password is checked against when there is no hash: no password matches it.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| hash_now("nobody signs in with this").ok());

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| Error::internal(std::io::Error::other(error.to_string())))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash_now(password: &str) -> Result<String> {
    let hash = argon2()?.hash_password(password.as_bytes()).map_err(|error| Error::internal(std::io::Error::other(error.to_string())))?;
    Ok(hash.to_string())
}

/// Hashes a new password.
///
/// # Errors
/// `VALIDATION` when it is too short or too long.
pub async fn hash(password: &Secret<String>) -> Result<String> {
    if !LENGTH.contains(&password.reveal().chars().count()) {
        return Err(Error::validation(format!("A password has {} to {} characters.", LENGTH.start(), LENGTH.end())).field("password"));
    }
    let password = password.clone();
    blocking(move || hash_now(password.reveal())).await
}

/// Whether the password is the one that was hashed; with no hash, no, at the same cost.
///
/// # Errors
/// When the machine cannot hash.
pub async fn verify(password: &Secret<String>, hash: Option<String>) -> Result<bool> {
    let password = password.clone();
    blocking(move || {
        let known = hash.is_some();
        let Some(hash) = hash.or_else(|| NOBODY.clone()) else { return Ok(false) };
        let Ok(parsed) = PasswordHash::new(&hash) else { return Ok(false) };
        Ok(argon2()?.verify_password(password.reveal().as_bytes(), &parsed).is_ok() && known)
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let _permit = PERMITS.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
