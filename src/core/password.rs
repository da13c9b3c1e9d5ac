//! Passwords: Argon2id on a few threads of their own, with bounded waiting.
//!
//! Always holds: the parameters are OWASP's, set once; hashes take half of the cores at most, whoever stops waiting for one, since
//! the right to hash travels with the work; a queue that is full says so at once; checking a password for an unknown
//! or passwordless account costs what checking a wrong one costs (domain.md section 1). Not here: who may try how
//! often (`access/throttle.rs`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use futures_channel::oneshot;
use tokio::sync::{Semaphore, SemaphorePermit};
use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;

use crate::core::error::{Error, Result};
use crate::core::lock::lock;
use crate::core::secret::Secret;

/// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Most hashes at a time, however many cores there are: each takes 19 MiB.
const MOST_AT_A_TIME: usize = 4;
/// Most that wait for their turn: a few seconds of work.
const WAITING: usize = 254;
/// How far queries go before hashes when there are more of both than cores; `tests/bench/logins.rs` measures what 200
/// parallel logins do to queries.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 19;
/// Fewest and most characters of a password.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=1_000;

/// Hashes at a time: each takes a core, and queries want cores too.
static AT_A_TIME: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, MOST_AT_A_TIME)));
static ROOM: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(*AT_A_TIME + WAITING));
static TURNS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(*AT_A_TIME));
/// What a password is checked against when there is no hash: no password matches it.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| hash_now("nobody signs in with this").ok());
static HASHERS: LazyLock<Sender<Work>> = LazyLock::new(hashers);

type Work = Box<dyn FnOnce() + Send>;

/// The right to hash: one of a few. It is not given up before what was begun with it has ended.
pub struct Turn {
    _room: SemaphorePermit<'static>,
    _turn: SemaphorePermit<'static>,
}

/// Waits for the right to hash.
///
/// # Errors
/// `RATE_LIMITED`, at once, when too many wait already.
pub async fn turn() -> Result<Turn> {
    let busy = |_full| Error::rate_limited("Too many people sign in at this moment; try again in a few seconds.");
    let room = ROOM.try_acquire().map_err(busy)?;
    let turn = TURNS.acquire().await.map_err(Error::internal)?;
    Ok(Turn { _room: room, _turn: turn })
}

/// What is wrong with a new password; none when it will do.
pub fn fault(password: &Secret<String>) -> Option<String> {
    let fits = LENGTH.contains(&password.reveal().chars().count());
    (!fits).then(|| format!("A password has {} to {} characters.", LENGTH.start(), LENGTH.end()))
}

/// Hashes a new password.
///
/// # Errors
/// `VALIDATION` when it is too short or too long, `RATE_LIMITED` when too many wait already.
pub async fn hash(password: &Secret<String>) -> Result<String> {
    if let Some(fault) = fault(password) {
        return Err(Error::validation(fault).field("password"));
    }
    let password = password.clone();
    let (hash, _turn) = turn().await?.work(move || hash_now(&typed(&password))).await?;
    Ok(hash)
}

impl Turn {
    /// Whether the password is the one that was hashed; with no hash, no, at the same cost.
    ///
    /// # Errors
    /// When the machine cannot hash.
    pub async fn verify(self, password: &Secret<String>, hash: Option<String>) -> Result<(bool, Self)> {
        let password = password.clone();
        self.work(move || {
            let known = hash.is_some();
            let Some(hash) = hash.or_else(|| NOBODY.clone()) else { return Ok(false) };
            let Ok(parsed) = PasswordHash::new(&hash) else { return Ok(false) };
            let argon2 = argon2()?;
            let is = |text: &str| argon2.verify_password(text.as_bytes(), &parsed).is_ok();
            let normal = typed(&password);
            // One that was set before passwords were normalised is as it was typed.
            let fits = is(&normal) || (*normal != *password.reveal() && is(password.reveal()));
            Ok(fits && known)
        })
        .await
    }

    async fn work<T: Send + 'static>(self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<(T, Self)> {
        let (tell, told) = oneshot::channel();
        let work: Work = Box::new(move || {
            // Nobody may be there to hear it any more.
            let _unheard = tell.send(work().map(|done| (done, self)));
        });
        HASHERS.send(work).map_err(|_| Error::invariant("there is no thread to hash on"))?;
        told.await.map_err(Error::internal)?
    }
}

/// A password in the one form of Unicode, whichever a keyboard gives (RFC 8265, section 4.2).
fn typed(password: &Secret<String>) -> Zeroizing<String> {
    Zeroizing::new(password.reveal().nfc().collect())
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| Error::invariant(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash_now(password: &str) -> Result<String> {
    let hash = argon2()?.hash_password(password.as_bytes()).map_err(|error| Error::invariant(error.to_string()))?;
    Ok(hash.to_string())
}

/// Threads of their own: once a thread has been made nicer it cannot be put back without privileges, so the runtime's blocking
/// threads must not be.
fn hashers() -> Sender<Work> {
    let (queue, work) = mpsc::channel();
    let work = Arc::new(Mutex::new(work));
    for _ in 0..*AT_A_TIME {
        let work = Arc::clone(&work);
        if let Err(error) = thread::Builder::new().name("password".to_owned()).spawn(move || hash_on(&work)) {
            tracing::error!(%error, "a thread for passwords cannot be had");
        }
    }
    queue
}

fn hash_on(work: &Mutex<Receiver<Work>>) {
    // Of this thread alone on Linux, where a thread is a process to the scheduler.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "passwords are hashed at the priority of all else");
    }
    loop {
        let next = lock(work).recv();
        let Ok(next) = next else { return };
        if catch_unwind(AssertUnwindSafe(next)).is_err() {
            tracing::error!("hashing has panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::error::Code;

    /// One test, since the turns are those of the process.
    #[tokio::test]
    async fn a_turn_lasts_as_long_as_its_work_and_waiting_is_bounded() {
        let (release, held) = mpsc::channel::<()>();
        let (begun, begins) = oneshot::channel();
        let first = turn().await.unwrap();
        let work = first.work(move || {
            begun.send(()).unwrap();
            held.recv().map_err(Error::internal)
        });
        // Its client goes away in the middle.
        tokio::select! {
            biased;
            _ = work => panic!("the work cannot end"),
            _ = begins => {}
        }
        assert_eq!((TURNS.available_permits(), ROOM.available_permits()), (*AT_A_TIME - 1, *AT_A_TIME + WAITING - 1));
        let others = ROOM.try_acquire_many(u32::try_from(ROOM.available_permits()).unwrap()).unwrap();
        assert_eq!(turn().await.map(drop).unwrap_err().code(), Code::RateLimited);
        drop(others);

        release.send(()).unwrap();
        let both = TURNS.acquire_many(u32::try_from(*AT_A_TIME).unwrap()).await.unwrap();
        drop(both);
        let hash = hash(&Secret::new("correct horse".to_owned())).await.unwrap();
        for (password, hash, right) in
            [("correct horse", Some(hash.clone()), true), ("wrong horse", Some(hash), false), ("correct horse", None, false)]
        {
            let (said, _turn) = turn().await.unwrap().verify(&Secret::new(password.to_owned()), hash).await.unwrap();
            assert_eq!(said, right);
        }
        // Hashing that panics takes no thread along.
        for _ in 0..=*AT_A_TIME {
            let done = turn().await.unwrap().work::<()>(|| panic!("as tests do")).await;
            assert!(done.is_err());
        }
    }
}
