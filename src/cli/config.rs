//! `pumphouse config`: every setting with its present value and where that was set.
//!
//! Always holds: secrets are masked; the table is shown also when settings are wrong, and then what is wrong.

use std::path::Path;

use clap::Args;

use super::output::{Failure, print};
use crate::config::{Environment, Flags, Gathered, Purpose, reference_markdown, table, table_markdown};

/// List every setting with its present value (secrets masked) and origin.
#[derive(Args)]
#[command(after_help = "Examples:
  pumphouse config                                  as `serve` has them
  pumphouse config --dev --listen 0.0.0.0:8080      as `dev` would have them with this flag
  pumphouse config --reference > settings.md        all settings with their meaning, for reading")]
pub(super) struct Arguments {
    /// Show them as `dev` has them.
    #[arg(long)]
    dev: bool,
    /// Print the table as Markdown.
    #[arg(long)]
    markdown: bool,
    /// Print names, defaults, bounds and meanings instead of values, as Markdown.
    #[arg(long, conflicts_with_all = ["markdown", "dev"])]
    reference: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Prints the table.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.reference {
        return print(reference_markdown());
    }
    let gathered = Gathered::new(&arguments.flags, &Environment::of_process(), Path::new(""));
    let rows = gathered.present(if arguments.dev { Purpose::Dev } else { Purpose::Show });
    print(if arguments.markdown { table_markdown(&rows) } else { table(&rows) })?;
    gathered.config(if arguments.dev { Purpose::Dev } else { Purpose::Show }).map(drop).map_err(Failure::from)
}
