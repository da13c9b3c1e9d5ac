//! Places that are taken for a while: so many over all, and so many of each holder.
//!
//! Always holds: a place is given back when it is dropped; who holds none costs no memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::core::lock::lock;

/// The places.
#[derive(Debug)]
pub(crate) struct KeyedLimit<K> {
    taken: Taken<K>,
    total: Arc<Semaphore>,
    of_holder: usize,
}

type Taken<K> = Arc<Mutex<HashMap<K, usize>>>;

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place<K: Eq + Hash> {
    taken: Taken<K>,
    holder: K,
    _one: OwnedSemaphorePermit,
}

/// Why no place is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// All are taken.
    All,
    /// The holder has as many as they may.
    Holder,
}

impl<K: Clone + Eq + Hash> KeyedLimit<K> {
    /// So many over all, and so many of each holder.
    pub(crate) fn new(total: usize, of_holder: usize) -> Self {
        Self { taken: Arc::default(), total: Arc::new(Semaphore::new(total.min(Semaphore::MAX_PERMITS))), of_holder }
    }

    /// A place for this holder, at once.
    ///
    /// # Errors
    /// When none is to be had.
    pub(crate) fn take(&self, holder: K) -> Result<Place<K>, Full> {
        let one = Arc::clone(&self.total).try_acquire_owned().map_err(|_full| Full::All)?;
        let mut taken = lock(&self.taken);
        let count = taken.entry(holder.clone()).or_default();
        if *count >= self.of_holder {
            return Err(Full::Holder);
        }
        *count += 1;
        Ok(Place { taken: Arc::clone(&self.taken), holder, _one: one })
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(count) = taken.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_over_all_and_of_each_holder_and_all_come_back() {
        let places = KeyedLimit::new(3, 2);
        let held = [places.take("a").unwrap(), places.take("a").unwrap()];
        assert_eq!(places.take("a").unwrap_err(), Full::Holder);
        let other = places.take("b").unwrap();
        assert_eq!(places.take("b").unwrap_err(), Full::All);
        drop((held, other));
        assert!(places.taken.lock().unwrap().is_empty() && places.total.available_permits() == 3);
    }
}
