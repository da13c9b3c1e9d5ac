//! How long to wait before trying again: from half a second to ten, doubling, with jitter.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

/// Waits that grow with every failure in a row.
#[derive(Debug)]
pub(crate) struct Backoff(Duration);

impl Backoff {
    pub(crate) fn new() -> Self {
        Self(FIRST)
    }

    /// It worked: the next failure waits the shortest again.
    pub(crate) fn reset(&mut self) {
        self.0 = FIRST;
    }

    /// The wait after one more failure: between half of the present step and all of it, so that a
    /// thousand workers do not come back at the same instant.
    pub(crate) fn next(&mut self) -> Duration {
        let step = self.0;
        self.0 = step.saturating_mul(2).min(LONGEST);
        step / 2 + step.mul_f64(share() / 2.0)
    }
}

/// A random share of one; one half on a machine without randomness.
fn share() -> f64 {
    let mut byte = [0_u8; 1];
    match getrandom::fill(&mut byte) {
        Ok(()) => f64::from(u8::from_le_bytes(byte)) / 255.0,
        Err(_) => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_the_longest_and_start_again() {
        let mut backoff = Backoff::new();
        for expected in [500, 1000, 2000, 4000, 8000, 10_000, 10_000] {
            let wait = backoff.next();
            let step = Duration::from_millis(expected);
            assert!(wait >= step / 2 && wait <= step, "{wait:?} is not within {step:?}");
        }
        backoff.reset();
        assert!(backoff.next() <= FIRST);
    }
}
