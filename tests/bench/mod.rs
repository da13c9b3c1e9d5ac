//! The numbers of the house, measured: `make bench` runs these, which the usual run leaves out.
//!
//! Always holds: each prints what it measured and fails when the answer was wrong, never when it was slow:
//! machines differ.

mod audit;
mod board;
mod client;
mod fleet;
mod live;
mod logins;
mod notices;
pub mod processes;
mod syncs;
mod throughput;
mod visibility;

use std::time::Duration;

/// The value that this share of the measurements stays under.
fn percentile(sorted: &[Duration], share: f64) -> Duration {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "a place in a short list")]
    let place = ((sorted.len() as f64) * share) as usize;
    sorted[place.min(sorted.len() - 1)]
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    println!(
        "{what}: {} times, p50 {:.2?}, p95 {:.2?}, p99 {:.2?}, most {:.2?}",
        times.len(),
        percentile(&times, 0.50),
        percentile(&times, 0.95),
        percentile(&times, 0.99),
        percentile(&times, 1.0)
    );
}
