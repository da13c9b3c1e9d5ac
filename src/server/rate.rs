//! How often one may ask: a token bucket of operations for each address and for each viewer, filled at a steady pace.
//!
//! Always holds: the same on every transport, before a document is read; memory is bounded, and what is forgotten first
//! is who has asked for nothing for longest. It protects this process and is no right: each replica counts for itself.
//! Not here: failed sign-ins, which are counted in the database (`access/throttle.rs`).

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics::counter;
use tokio::time::Instant;
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::lock::lock;
use crate::core::metric;
use crate::server::auth::ClientIdentity;

/// The most buckets of a kind.
const MOST: usize = 100_000;

/// How often one may ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct RateLimits {
    /// Operations a second of one address, if that is bounded.
    pub per_address: Option<u32>,
    /// Operations a second of one viewer, if that is bounded.
    pub per_viewer: Option<u32>,
    /// The size of the token bucket, in seconds of the rate: after so long without any, rate times burst operations may come at once.
    pub burst: u32,
}

/// What everybody has left.
#[derive(Clone)]
pub(crate) struct Rates {
    addresses: Option<Arc<Buckets<IpAddr>>>,
    viewers: Option<Arc<Buckets<Uuid>>>,
}

impl Rates {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self {
            addresses: limits.per_address.map(|rate| Arc::new(Buckets::new("address", rate, limits.burst))),
            viewers: limits.per_viewer.map(|rate| Arc::new(Buckets::new("viewer", rate, limits.burst))),
        }
    }

    /// Takes one operation.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds until one is left again.
    pub(crate) fn take(&self, asker: &ClientIdentity) -> Result<()> {
        let now = Instant::now();
        if let Some((buckets, client)) = self.addresses.as_ref().zip(asker.client) {
            buckets.take(client.network(), now)?;
        }
        if let Some((buckets, token)) = self.viewers.as_ref().zip(asker.presented.token()) {
            buckets.take(token.holder(), now)?;
        }
        Ok(())
    }
}

/// Buckets of one kind.
struct Buckets<K> {
    whose: &'static str,
    /// Operations a second.
    rate: u32,
    /// Operations that a full one has.
    size: f64,
    left: Mutex<HashMap<K, Bucket>>,
}

struct Bucket {
    operations: f64,
    at: Instant,
}

impl<K: Eq + Hash + Clone> Buckets<K> {
    fn new(whose: &'static str, rate: u32, burst: u32) -> Self {
        let rate = rate.max(1);
        Self { whose, rate, size: f64::from(rate) * f64::from(burst.max(1)), left: Mutex::default() }
    }

    fn take(&self, key: K, now: Instant) -> Result<()> {
        let mut left = lock(&self.left);
        if left.len() >= MOST && !left.contains_key(&key) {
            self.make_room(&mut left, now);
        }
        let bucket = left.entry(key).or_insert(Bucket { operations: self.size, at: now });
        bucket.operations = self.filled(bucket, now);
        bucket.at = now;
        if bucket.operations >= 1.0 {
            bucket.operations -= 1.0;
            return Ok(());
        }
        let wait = Duration::from_secs_f64((1.0 - bucket.operations) / f64::from(self.rate));
        drop(left);
        Err(self.refusal(wait))
    }

    fn filled(&self, bucket: &Bucket, now: Instant) -> f64 {
        (bucket.operations + now.saturating_duration_since(bucket.at).as_secs_f64() * f64::from(self.rate)).min(self.size)
    }

    /// Forgets whose bucket is full anyway; when nobody's is, the half that has waited for longest.
    fn make_room(&self, left: &mut HashMap<K, Bucket>, now: Instant) {
        left.retain(|_, bucket| self.filled(bucket, now) < self.size);
        if left.len() < MOST {
            return;
        }
        let mut times: Vec<Instant> = left.values().map(|bucket| bucket.at).collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        left.retain(|_, bucket| bucket.at > median);
    }

    fn refusal(&self, wait: Duration) -> Error {
        counter!(metric::RATE_LIMITED, "by" => self.whose).increment(1);
        let seconds = wait.as_secs() + 1;
        let guard = if self.whose == "address" { "RATE_PER_ADDRESS" } else { "RATE_PER_VIEWER" };
        let message = format!("Too many operations of one {}: {} a second are the most; try again in {seconds} s.", self.whose, self.rate);
        let details = serde_json::json!({"guard": guard, "limit": self.rate, "retryAfterSeconds": seconds});
        Error::rate_limited(message).details(details)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_filled_at_a_steady_pace_up_to_its_burst() {
        let buckets = Buckets::new("viewer", 10, 2);
        let start = Instant::now();
        let taken = |at: Duration| (0..100).take_while(|_| buckets.take(1, start + at).is_ok()).count();
        assert_eq!(taken(Duration::ZERO), 20);
        assert_eq!(taken(Duration::from_millis(550)), 5);
        assert_eq!(taken(Duration::from_hours(1)), 20);
        assert!(buckets.take(2, start).is_ok(), "others have their own");
        let refused = buckets.take(1, start + Duration::from_hours(1)).unwrap_err();
        assert_eq!(refused.facts().unwrap()["retryAfterSeconds"], 1);
    }

    #[test]
    fn the_memory_is_bounded_and_who_asks_is_remembered() {
        let buckets = Buckets::new("address", 1, 1);
        let start = Instant::now();
        for key in 0..MOST {
            let later = u32::try_from(key).unwrap();
            assert!(buckets.take(key, start + Duration::from_nanos(1) * later).is_ok());
        }
        let now = start + Duration::from_millis(1);
        assert!(buckets.take(usize::MAX, now).is_ok());
        assert!(buckets.left.lock().unwrap().len() <= MOST);
        assert!(buckets.take(MOST - 1, now).is_err(), "who has asked just now is still known");
    }
}
