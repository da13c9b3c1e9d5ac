//! `pumphouse users`: users from the shell.
//!
//! Always holds: passwords are asked for, read or generated, never arguments. Not here: the rules
//! (`access/administration.rs`).

use clap::{Args, Subcommand};
use serde_json::json;

use super::output::{Failure, print, table};
use super::password;
use super::run::{block_on, database, database_as_it_is};
use crate::access::{self, Listed};
use crate::config::{Config, DatabaseFlags, Purpose};
use crate::core::email;
use crate::telemetry;

/// Make and manage users from the shell.
#[derive(Args)]
#[command(after_help = "Examples:
  pumphouse users create --email ada@example.com
  pumphouse users list
  pumphouse users set-password --email ada@example.com --generate
  pumphouse users deactivate --email ada@example.com")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Create(Create),
    List(List),
    SetPassword(SetPassword),
    Deactivate(Deactivate),
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

/// List the users.
#[derive(Args)]
#[command(after_help = "In columns at a terminal, separated by tabs elsewhere. The database has to be migrated; nothing is changed.

Examples:
  pumphouse users list
  pumphouse users list --json | jq -r '.[] | select(.isSuperuser) | .email'")]
struct List {
    /// Print one JSON array, with the fields of the graph's `User`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Give a user another password, which ends all sessions of the old one.
#[derive(Args)]
#[command(after_help = "The password is asked for at a terminal, read as one line of standard input elsewhere, or generated.

Examples:
  pumphouse users set-password --email ada@example.com
  pumphouse users set-password --email ada@example.com --generate")]
struct SetPassword {
    /// The user's email address.
    #[arg(long)]
    email: String,
    /// Generate the password and print it.
    #[arg(long)]
    generate: bool,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Deactivate a user, which ends all sessions within seconds.
#[derive(Args)]
#[command(after_help = "The last active superuser stays active. updateUser of the graph activates a user again.

Examples:
  pumphouse users deactivate --email ada@example.com")]
struct Deactivate {
    /// The user's email address.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Runs one of the commands.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Create(arguments) => create(arguments),
        Command::List(arguments) => list(arguments),
        Command::SetPassword(arguments) => set_password(arguments),
        Command::Deactivate(arguments) => deactivate(arguments),
    }
}

fn config(flags: &DatabaseFlags) -> Result<Config, Failure> {
    let config = Config::load(&flags.0, Purpose::Database)?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    Ok(config)
}

fn create(arguments: &Create) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    let new = password::new(arguments.generate)?;
    block_on(async {
        let db = database(&config).await?;
        let id = access::create_user(&db, &arguments.email, &new.password, arguments.superuser).await?;
        let email = email::email(&arguments.email).unwrap_or_default();
        new.print(&format!("created user {email} ({id})"), &email)
    })
}

fn set_password(arguments: &SetPassword) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    let new = password::new(arguments.generate)?;
    block_on(async {
        let email = access::set_password(&database(&config).await?, &arguments.email, &new.password).await?;
        new.print(&format!("set the password of {email}; all sessions of the old one end"), &email)
    })
}

fn deactivate(arguments: &Deactivate) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    block_on(async {
        let (email, changed) = access::deactivate(&database(&config).await?, &arguments.email).await?;
        print(if changed { format!("deactivated {email}\n") } else { format!("{email} was not active\n") })
    })
}

fn list(arguments: &List) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    block_on(async {
        let users = access::users(&database_as_it_is(&config).await?).await?;
        if arguments.json {
            let users: Vec<_> = users.iter().map(in_json).collect();
            return print(serde_json::to_string_pretty(&users).map_err(Failure::failed)? + "\n");
        }
        let rows: Vec<Vec<String>> = users.iter().map(in_words).collect();
        print(table(&["EMAIL", "STATE", "RIGHTS", "SIGNS IN", "ID"], &rows))
    })
}

fn in_words(listed: &Listed) -> Vec<String> {
    let Listed { user, has_password, service_account } = listed;
    let signs_in = match service_account {
        Some(name) => format!("as service account {name}"),
        None if *has_password => "with a password".to_owned(),
        None => "elsewhere".to_owned(),
    };
    let state = if user.is_active { "active" } else { "inactive" };
    let rights = if user.is_superuser { "superuser" } else { "member" };
    vec![user.email.clone(), state.to_owned(), rights.to_owned(), signs_in, user.id.to_string()]
}

fn in_json(listed: &Listed) -> serde_json::Value {
    let Listed { user, has_password, service_account } = listed;
    json!({
        "id": user.id.to_string(),
        "email": user.email,
        "isActive": user.is_active,
        "isSuperuser": user.is_superuser,
        "isVerified": user.is_verified,
        "hasPassword": has_password,
        "serviceAccount": service_account,
        "createdAt": user.created_at,
        "updatedAt": user.updated_at,
    })
}
