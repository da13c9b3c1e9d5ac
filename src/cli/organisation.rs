//! `pumphouse organisation`: people, envs, teams and memberships as one document.
//!
//! Not here: the document and its rules (`access/organisation`).

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::output::{Failure, print, table};
use super::run::{block_on, database, database_as_it_is};
use crate::access::organisation::{self, Action, Document, Plan, Refused};
use crate::config::{Config, DatabaseFlags, Purpose};
use crate::telemetry;

/// Write the organisation down as one document, or bring one in.
#[derive(Args)]
#[command(after_help = "Examples:
  pumphouse organisation export > organisation.json
  pumphouse organisation import organisation.json --dry-run
  pumphouse organisation import organisation.json")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Export(Export),
    Import(Import),
}

/// Print users, envs, teams and memberships as one JSON document.
#[derive(Args)]
#[command(
    after_help = "It holds no secret: neither passwords nor the configuration of a broker. Service accounts and requests are not in it.

Examples:
  pumphouse organisation export > organisation.json"
)]
struct Export {
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Make and change what a document of `export` says; nothing is taken away.
#[derive(Args)]
#[command(after_help = "Envs and teams are known by their ids, people by id or email, so importing the same again changes nothing. All \
happens in one transaction, or nothing when the document breaks a rule. New people have no password (`pumphouse users \
set-password`); new envs have an empty configuration, sealed with PUMPHOUSE_ENCRYPTION_KEYS.

Examples:
  pumphouse organisation import organisation.json --dry-run
  ssh old-host pumphouse organisation export | pumphouse organisation import -")]
struct Import {
    /// The document; `-` for standard input.
    file: PathBuf,
    /// Only print what would be done, in a database that is migrated already: it is done and taken back.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Runs one of the commands.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Export(arguments) => export(arguments),
        Command::Import(arguments) => import(arguments),
    }
}

fn export(arguments: &Export) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags.0, Purpose::Database)?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    block_on(async {
        let document = organisation::export(&database_as_it_is(&config).await?).await?;
        print(serde_json::to_string_pretty(&document).map_err(Failure::failed)? + "\n")
    })
}

fn import(arguments: &Import) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags.0, Purpose::Database)?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    let document = read(&arguments.file)?;
    block_on(async {
        let db = if arguments.dry_run { database_as_it_is(&config).await? } else { database(&config).await? };
        match organisation::import(&db, config.auth.encryption_keys.as_ref(), document, arguments.dry_run).await {
            Ok(plan) => print(told(&plan, arguments.dry_run)),
            Err(Refused::Failed(error)) => Err(error.into()),
            Err(Refused::Broken(violations)) => {
                let lines: String = violations.iter().map(|(path, rule)| format!("\n  {path}: {rule}")).collect();
                Err(Failure::Usage(format!("the document breaks {} rules; nothing was changed{lines}", violations.len())))
            }
        }
    })
}

fn read(file: &Path) -> Result<Document, Failure> {
    let mut text = String::new();
    let done = if file == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).map(drop)
    } else {
        fs::read_to_string(file).map(|read| text = read)
    };
    done.map_err(|error| Failure::Usage(format!("{} cannot be read: {error}", file.display())))?;
    serde_json::from_str(&text).map_err(|error| Failure::Usage(format!("{} is no document of `export`: {error}", file.display())))
}

fn told(plan: &Plan, dry_run: bool) -> String {
    let row =
        |step: &organisation::Step| vec![step.action.as_str().to_owned(), step.kind.to_owned(), step.name.clone(), step.fields.join(", ")];
    let rows: Vec<Vec<String>> = plan.0.iter().map(row).collect();
    let count = |action| plan.count(action);
    let end = if dry_run { "nothing was changed: this was a dry run" } else { "done" };
    format!(
        "{}{} to create, {} to update, {} unchanged; {end}\n",
        table(&["ACTION", "WHAT", "NAME", "CHANGES"], &rows),
        count(Action::Create),
        count(Action::Update),
        count(Action::Unchanged)
    )
}
