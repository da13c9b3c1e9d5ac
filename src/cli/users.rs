//! `pumphouse users`: users from the shell.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::output::{Failure, print};
use super::password;
use super::run::block_on;
use crate::access::create_user;
use crate::config::{Config, DatabaseFlags, Purpose};
use crate::core::db::Db;
use crate::core::migrate;
use crate::telemetry;

/// Make and manage users from the shell.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Create(Create),
}

/// Make a user who signs in with a password.
#[derive(Args)]
#[command(after_help = "The password is asked for at a terminal, read as one line of standard input elsewhere, or generated.

Examples:
  pumphouse users create --email ada@example.com
  pumphouse users create --email ops@example.com --superuser --generate
  pass show pumphouse/ada | pumphouse users create --email ada@example.com")]
struct Create {
    /// The email address to sign in with.
    #[arg(long)]
    email: String,
    /// Let the user bypass the checks of envs and teams.
    #[arg(long)]
    superuser: bool,
    /// Generate the password and print it.
    #[arg(long)]
    generate: bool,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Runs one of the commands.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Command::Create(create) = &arguments.command;
    self::create(create)
}

fn create(arguments: &Create) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags.0, Purpose::Database)?;
    let url = config.database.url()?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    let new = password::new(arguments.generate)?;
    block_on(async {
        migrate::migrate(&url, Duration::from_secs(30)).await.map_err(Failure::failed)?;
        let db = Db::new(&config.database.pool(url));
        let id = create_user(&db, &arguments.email, &new.password, arguments.superuser).await?;
        let shown = if new.generated { format!("password: {}\n", new.password.reveal()) } else { String::new() };
        print(format!("created user {} ({id})\n{shown}", arguments.email.trim().to_lowercase()))
    })
}
