//! `pumphouse fleet`: simulated workers, for load and demonstrations; exit code 3 when the API tells another story.
//!
//! Not here: what they do and compare (`fleet/`).

use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tokio_util::sync::CancellationToken;

use super::output::{Failure, print, table};
use super::run::{Stop, block_on};
use crate::config::duration;
use crate::fleet::{self, FleetError, Outcome, Progress, Settings, Wishes};

/// Drive simulated workers through the public API, and check that it says what they did.
#[derive(Args)]
#[command(
    after_help = "It signs in as a superuser, makes an env of its own (which stays) with a source or a target for each worker, starts the \
workers and reports as them: states, heartbeats, production and consumption, snapshots. At the end it stops them and \
compares states, transitions, throughput and syncs with what it did and was acknowledged. The server's launcher has to be \
`external`: the fleet is what runs the workers.

With --chaos: crashes, restarts and stops in the midst of snapshots, cancelled syncs, failures, batches sent twice, reports \
out of order and of generations that were superseded. Replicas may be killed meanwhile: name several with --url. (What \
PostgreSQL itself loses when it is killed is reported as a difference.)

Exit codes: 0 no difference; 1 nothing could be compared; 2 asked wrongly; 3 a difference. Ctrl-C ends the life early and \
compares; before there is a life, and a second time, it ends at once with 1.

Examples:
  PUMPHOUSE_ADMIN_PASSWORD=... pumphouse fleet --workers 20
  pumphouse fleet --workers 200 --chaos --duration 10m --password-file /run/secrets/admin
  pumphouse fleet --workers 50 --chaos --url http://one:8080 --url http://two:8080 --seed 7"
)]
pub(super) struct Arguments {
    /// How many workers.
    #[arg(long, value_name = "N", default_value_t = 20)]
    workers: usize,
    /// Crash, restart, cancel, repeat and come late.
    #[arg(long)]
    chaos: bool,
    /// Where the API is; given several times, the next one is tried when one does not answer.
    #[arg(long = "url", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    urls: Vec<String>,
    /// The superuser to sign in as; the password is in `PUMPHOUSE_ADMIN_PASSWORD`.
    #[arg(long, default_value = "admin@example.com")]
    email: String,
    /// A file whose first line is the password, instead of the variable.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// How long the workers live, such as 60s or 10m.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    duration: Duration,
    /// The time between two reports of a worker, such as 1s or 200ms.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time)]
    pace: Duration,
    /// The most requests, and so connections, at a time.
    #[arg(long, value_name = "N", default_value_t = 32)]
    connections: usize,
    /// Where chance begins: the same number throws the same dice.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Runs the fleet and tells what came of it.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wishes = Wishes {
        urls: arguments.urls.clone(),
        email: arguments.email.clone(),
        password_file: arguments.password_file.clone(),
        workers: arguments.workers,
        chaos: arguments.chaos,
        duration: arguments.duration,
        pace: arguments.pace,
        connections: arguments.connections,
        seed: arguments.seed,
    };
    let settings = wishes.settle().map_err(failure)?;
    block_on(async {
        let bar = bar(settings.duration);
        let outcome = lived(&settings, &bar).await;
        bar.finish_and_clear();
        told(&outcome?, settings.seed)
    })
}

/// Lives as long as it is meant to, or until it is told to stop. Told so before it lives, or again, it ends at once: an API
/// that does not answer is not waited for then.
async fn lived(settings: &Settings, bar: &ProgressBar) -> Result<Outcome, Failure> {
    let early = CancellationToken::new();
    let lives = Cell::new(false);
    let tell = |progress: Progress| {
        lives.set(progress.lived.is_some());
        bar.set_position(progress.lived.map_or(0, |lived| u64::try_from(lived.as_millis()).unwrap_or(u64::MAX)));
        bar.set_message(progress.line);
    };
    let mut fleet = Box::pin(fleet::run(settings, early.clone(), &tell));
    let mut stop = Stop::listen()?;
    let mut outcome = stop.unless_asked(&mut fleet).await;
    if outcome.is_none() && lives.get() {
        early.cancel();
        outcome = stop.unless_asked(&mut fleet).await;
    }
    let outcome = outcome.ok_or_else(|| Failure::failed("told to stop before anything could be compared"))?;
    outcome.map_err(failure)
}

/// Drawn on standard error, and only at a terminal.
fn bar(whole: Duration) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(whole.as_millis()).unwrap_or(u64::MAX));
    // The template is constant; without it the bar has its plain looks.
    if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {bar:30} {percent}% {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn told(outcome: &Outcome, seed: u64) -> Result<(), Failure> {
    let counts: Vec<Vec<String>> = outcome.counts.iter().map(|(what, count)| vec![(*what).to_owned(), count.to_string()]).collect();
    let mut text = format!("{}\n", table(&["DONE", "COUNT"], &counts));
    if outcome.found == 0 {
        text += &format!("no difference in the env {} (seed {seed})\n", outcome.env);
        return print(text);
    }
    let row = |found: &fleet::Difference| vec![found.place.clone(), found.what.clone(), found.done.clone(), found.read.clone()];
    let rows: Vec<Vec<String>> = outcome.differences.iter().map(row).collect();
    text += &table(&["WHERE", "WHAT", "DONE", "READ"], &rows);
    print(text)?;
    let (found, env) = (outcome.found, &outcome.env);
    Err(Failure::Differs(format!("{found} differences between what was done and what the API says (env {env}, seed {seed})")))
}

fn failure(error: FleetError) -> Failure {
    match error {
        FleetError::Settings(mistakes) => Failure::Usage(mistakes),
        error => Failure::failed(error),
    }
}

fn time(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "write numbers with units, such as 60s, 200ms or 1h30m".to_owned())
}
