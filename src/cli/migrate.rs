//! `pumphouse migrate`: brings the database to the schema of this binary.
//!
//! Not here: how (`core/migrate.rs`).

use std::time::Duration;

use clap::Args;

use super::output::{Failure, print};
use crate::config::{Config, DatabaseFlags, Purpose};
use crate::core::migrate::{self, Report};
use crate::telemetry;

/// Bring the database of `PUMPHOUSE_DATABASE_URL` up to date.
#[derive(Args)]
#[command(after_help = "Safe to run again, and from several machines at once: one migrates, the others wait.

Examples:
  pumphouse migrate
  pumphouse migrate --database-url postgres://pumphouse@db.example.org/pumphouse --wait 300")]
pub(super) struct Arguments {
    /// Seconds to wait for a lock that somebody else holds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: u64,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Migrates and says what was done.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags.0, Purpose::Database)?;
    let options = config.database.url()?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::failed)?;
    let report = runtime.block_on(migrate::migrate(&options, Duration::from_secs(arguments.wait))).map_err(Failure::failed)?;
    print(told(&report))
}

fn told(report: &Report) -> String {
    let lines: String = report.applied.iter().map(|(version, name)| format!("applied {version:04} {name}\n")).collect();
    let end = if report.applied.is_empty() { "nothing to do" } else { "done" };
    format!("{lines}{end}: the database is at migration {:04}\n", report.version)
}
