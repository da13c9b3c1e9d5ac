//! `pumphouse keys`: which keys seal the configurations, and sealing them with another.
//!
//! Always holds: keys come from the settings, never from arguments, and only their ids are shown. Not here: how a rotation
//! goes (`pipelines/rotation.rs`).

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::output::{Failure, print, table};
use super::run::{block_on, database, database_as_it_is, sealing_key_fits};
use crate::config::{Config, DatabaseFlags, Purpose};
use crate::core::secret::KeyRing;
use crate::pipelines::rotation::{self, Fit, Rotated, Sealed};
use crate::telemetry;

/// See which keys seal the configurations, and seal them with another.
#[derive(Args)]
#[command(
    after_help = "Configurations of connectors and envs are sealed with the first key of PUMPHOUSE_ENCRYPTION_KEYS; every key there opens \
what it has sealed. To change the key while servers run:

  1. Make one:                      echo \"k2:$(openssl rand -base64 32)\"
  2. Put it behind the others in PUMPHOUSE_ENCRYPTION_KEYS of every server and restart them: now all of them open it.
  3. Put it first and restart them: now they seal with it.
  4. Seal the rest with it:         pumphouse keys rotate
  5. When `pumphouse keys status` shows that the old one seals nothing, take it out.

Examples:
  pumphouse keys status
  PUMPHOUSE_ENCRYPTION_KEYS=k2:...,k1:... pumphouse keys rotate"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Status(Status),
    Rotate(Rotate),
}

/// Show how many configurations each key seals.
#[derive(Args)]
#[command(
    after_help = "In columns at a terminal, separated by tabs elsewhere. The database has to be migrated; nothing is changed. With PUMPHOUSE_ENCRYPTION_KEYS it says \
of each key whether it is there and opens what a key of its id has sealed, which it tries with a few.

Examples:
  pumphouse keys status"
)]
struct Status {
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Seal every configuration with the first key, while servers run.
#[derive(Args)]
#[command(
    after_help = "Safe to stop at any moment and to run again: it goes on with what another key has sealed. What no key opens stays as it \
is, is listed, and makes the exit code 1. When the first key does not open what a key of its id has sealed, \
nothing is done. Servers that run need all the keys, too.

Examples:
  PUMPHOUSE_ENCRYPTION_KEYS=k2:...,k1:... pumphouse keys rotate
  pumphouse keys rotate --batch 20"
)]
struct Rotate {
    /// How many configurations are sealed in one transaction.
    #[arg(long, value_name = "ROWS", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    batch: u16,
    #[command(flatten)]
    flags: DatabaseFlags,
}

/// Runs one of the commands.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Status(arguments) => status(arguments),
        Command::Rotate(arguments) => rotate(arguments),
    }
}

fn config(flags: &DatabaseFlags) -> Result<Config, Failure> {
    let config = Config::load(&flags.0, Purpose::Database)?;
    telemetry::log(&config.telemetry).map_err(Failure::failed)?;
    Ok(config)
}

fn status(arguments: &Status) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    block_on(async {
        let db = database_as_it_is(&config).await?;
        let (sealed, keys) = (rotation::keys(&db).await?, config.auth.encryption_keys.as_ref());
        let fits = match keys {
            Some(keys) => rotation::fits(&db, keys).await?,
            None => BTreeMap::new(),
        };
        let rows: Vec<Vec<String>> = sealed.iter().map(|sealed| in_words(sealed, keys, &fits)).collect();
        print(table(&["KEY", "SEALS", "HERE"], &rows))
    })
}

fn in_words(sealed: &Sealed, keys: Option<&KeyRing>, fits: &BTreeMap<String, Fit>) -> Vec<String> {
    let place = |keys: &KeyRing| keys.ids().position(|id| Some(id) == sealed.key.as_deref());
    let fit = sealed.key.as_ref().and_then(|key| fits.get(key));
    let here = match (keys.map(place), fit) {
        (None, _) => "no keys given",
        (Some(None), _) => "missing",
        (Some(Some(_)), Some(Fit::None)) => "does not open: another key",
        (Some(Some(_)), Some(Fit::Some)) => "opens some",
        (Some(Some(0)), _) => "seals and opens",
        (Some(Some(_)), _) => "opens",
    };
    vec![sealed.key.clone().unwrap_or_else(|| "none".to_owned()), sealed.count.to_string(), here.to_owned()]
}

fn rotate(arguments: &Rotate) -> Result<(), Failure> {
    let config = config(&arguments.flags)?;
    let keys = config.auth.encryption()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} configurations, {eta} left").map_err(Failure::failed)?;
    block_on(async {
        let db = database(&config).await?;
        // Sealed with it, the rest would need two keys of one id.
        sealing_key_fits(&db, &keys).await.map_err(Failure::failed)?;
        let bar = ProgressBar::new(elsewhere(&rotation::keys(&db).await?, &keys)).with_style(style);
        let rotated = rotation::rotate(&db, &keys, arguments.batch, |done| bar.set_position(done)).await;
        bar.finish_and_clear();
        let rotated = rotated?;
        told(&rotated, elsewhere(&rotation::keys(&db).await?, &keys), &keys)
    })
}

/// How many configurations another key than the first one seals.
fn elsewhere(sealed: &[Sealed], keys: &KeyRing) -> u64 {
    let first = keys.ids().next();
    sealed.iter().filter(|sealed| sealed.key.as_deref() != first).map(|sealed| u64::try_from(sealed.count).unwrap_or_default()).sum()
}

fn told(rotated: &Rotated, left: u64, keys: &KeyRing) -> Result<(), Failure> {
    let first = keys.ids().next().unwrap_or_default();
    print(format!("sealed {} configurations with key {first}\n", rotated.anew))?;
    if !rotated.unreadable.is_empty() {
        let each = rotated.unreadable.iter().map(|one| {
            let key = one.key.as_deref().map_or_else(|| "no key".to_owned(), |key| format!("key {key}"));
            format!("\n  {} {}, sealed with {key}", one.entity, one.id)
        });
        let list: String = each.collect();
        let count = rotated.unreadable.len();
        return Err(Failure::failed(format!(
            "{count} configurations do not open with these keys and stay as they were; add the key they were sealed with:{list}"
        )));
    }
    if left > 0 {
        return Err(Failure::failed(format!(
            "{left} configurations were sealed with another key meanwhile: a server still seals with it; put {first} first there, restart it, and rotate again"
        )));
    }
    Ok(())
}
