//! What the fleet did, counted, and where the API told another story.
//!
//! Always holds: bounded, however long the fleet runs and however often the API lies; every difference is counted, the
//! first thousand are kept.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::core::lock::lock;

const MOST_KEPT: usize = 1_000;

/// One point at which what was read is not what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whose: the name of a connector, or of the env.
    pub place: String,
    /// Of what.
    pub what: String,
    /// What the fleet did.
    pub done: String,
    /// What the API says.
    pub read: String,
}

impl Difference {
    #[expect(clippy::needless_pass_by_value, reason = "texts and numbers alike are handed over, most of them just made")]
    pub(super) fn new(place: &str, what: impl Into<String>, done: impl ToString, read: impl ToString) -> Self {
        Self { place: place.to_owned(), what: what.into(), done: done.to_string(), read: read.to_string() }
    }
}

#[derive(Default)]
struct Book {
    counts: BTreeMap<&'static str, u64>,
    differences: Vec<Difference>,
    found: u64,
}

/// The common book of all workers.
#[derive(Default)]
pub(super) struct Ledger(Mutex<Book>);

impl Ledger {
    fn book(&self) -> MutexGuard<'_, Book> {
        lock(&self.0)
    }

    /// Counts something that was done.
    pub(super) fn count(&self, what: &'static str) {
        self.add(what, 1);
    }

    /// Counts so many of something.
    pub(super) fn add(&self, what: &'static str, many: u64) {
        *self.book().counts.entry(what).or_default() += many;
    }

    /// Notes a difference.
    pub(super) fn differs(&self, difference: Difference) {
        let mut book = self.book();
        book.found += 1;
        if book.differences.len() < MOST_KEPT {
            book.differences.push(difference);
        }
    }

    /// Notes a difference unless both sides say the same.
    #[expect(clippy::needless_pass_by_value, reason = "texts and numbers alike are handed over, most of them just made")]
    pub(super) fn compare(&self, place: &str, what: &str, done: impl ToString, read: impl ToString) {
        let (done, read) = (done.to_string(), read.to_string());
        self.count("comparisons");
        if done != read {
            self.differs(Difference::new(place, what, done, read));
        }
    }

    /// How much was done so far, in one line.
    pub(super) fn line(&self) -> String {
        let book = self.book();
        let of = |what| book.counts.get(what).copied().unwrap_or_default();
        format!("{} reports, {} batches, {} syncs, {} differences", of(super::REPORTS), of(super::BATCHES), of(super::SYNCS), book.found)
    }

    /// The whole story.
    pub(super) fn close(self) -> Outcome {
        let Book { counts, differences, found } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Outcome { env: String::new(), counts: counts.into_iter().collect(), differences, found }
    }
}

/// What became of a fleet.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the env that it made, which stays.
    pub env: String,
    /// What it did, by name.
    pub counts: Vec<(&'static str, u64)>,
    /// Where the API told another story: the first thousand points.
    pub differences: Vec<Difference>,
    /// How many there were.
    pub found: u64,
}
