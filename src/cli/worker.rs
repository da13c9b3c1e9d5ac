//! `pumphouse worker`: runs one worker, as a launcher starts it.

use std::io::Read as _;

use clap::Args;

use super::output::Failure;
use super::run::block_on;
use crate::config::{LogFormat, Telemetry};
use crate::telemetry;
use crate::worker::{self, Settings};

/// Run one worker: the process that reads a source or writes a target.
#[derive(Args)]
#[command(after_help = "A launcher starts it; by hand it needs a token of the worker's present generation.

Variables:
  PUMPHOUSE_URL                 where the API is (http://127.0.0.1:8080)
  PUMPHOUSE_WORKER_TOKEN        the worker's token
  PUMPHOUSE_SEGMENTS_DIR        where sources put rows and targets take them, one folder a topic; without it a source only
                                counts rows, and a target delivers nothing
  PUMPHOUSE_SECRETS_DIR         where {\"$secret\": \"file:NAME\"} is looked up
  PUMPHOUSE_SECRET_NAME         what {\"$secret\": \"env:NAME\"} stands for
  PUMPHOUSE_HEARTBEAT_SECONDS   how often it reports (10)
  PUMPHOUSE_ROWS_PER_SECOND     a brake for each table, for demonstrations")]
pub(super) struct Arguments {
    /// End when standard input ends, as it does when the launcher is gone.
    #[arg(long)]
    tethered: bool,
}

/// Runs the worker until it is told to end.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    telemetry::log(&Telemetry { log_level: "info".to_owned(), log_format: LogFormat::Text }).map_err(Failure::failed)?;
    let settings = Settings::from_env().map_err(|error| Failure::Usage(error.to_string()))?;
    if arguments.tethered {
        tether();
    }
    block_on(async { worker::run(settings).await.map_err(Failure::failed) })
}

/// Ends the process at once when standard input ends: whoever held the other end is gone.
fn tether() {
    std::thread::spawn(|| {
        let mut sink = [0_u8; 64];
        while std::io::stdin().read(&mut sink).is_ok_and(|read| read > 0) {}
        std::process::exit(0);
    });
}
