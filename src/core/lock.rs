//! Locks that are held for a moment, never across an `await`.
//!
//! Always holds: no code panics while it holds one, so what a poisoned lock guards is still whole.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
