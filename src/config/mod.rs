//! The settings: a flag wins over a `PUMPHOUSE_*` variable, that over the TOML file, that over the default.
//!
//! Always holds: a setting is written once, in `list.rs`; unknown names are refused; all mistakes are reported
//! at once; nothing below this module reads the environment: the areas get the plain structs.
//! Imports `core` alone. Not here: what the settings do.

mod agree;
mod flags;
pub mod kept;
mod list;
mod mistake;
mod reader;
mod rule;
mod secret_rule;
mod setting;
mod show;
mod source;
mod units;

use std::path::{Path, PathBuf};

use sqlx::postgres::PgConnectOptions;

use self::reader::Reader;
use self::source::Written;
use crate::core::db::DbSettings;
use crate::core::secret::KeyRing;

pub use self::flags::{DatabaseFlags, Flags};
pub use self::kept::Keys;
pub use self::list::{
    Auth, Config, Connectors, Database, Introspection, Launcher, LogFormat, OpenIdConnect, ProxyHeader, SETTINGS, Server, Storage, Syncs,
    Telemetry, Throughput, Workers,
};
pub use self::mistake::{Mistake, Mistakes, Origin};
pub use self::setting::{Preset, Purpose, Setting};
pub use self::show::{Present, reference_markdown, table, table_markdown};
pub use self::source::{Environment, FILE, FILE_VARIABLE, TOKEN_VARIABLE};
pub(crate) use self::units::duration;

/// What is written in the file, the environment and the command line, before it is checked.
pub struct Gathered(Written);

impl Gathered {
    /// Reads all three; a file is looked for from `directory`.
    #[must_use]
    pub fn new(flags: &Flags, environment: &Environment, directory: &Path) -> Self {
        Self(Written::gather(flags, environment, directory))
    }

    /// Every setting with its present value and origin, also the wrong ones.
    #[must_use]
    pub fn present(&self, purpose: Purpose) -> Vec<Present> {
        show::present(&self.0, purpose)
    }

    /// The settings.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn config(&self, purpose: Purpose) -> Result<Config, Mistakes> {
        let mut reader = Reader::new(&self.0, purpose);
        let config = Config::read(&mut reader);
        if let Some(config) = &config {
            agree::check(config, &mut reader);
        }
        match config {
            Some(config) if reader.mistakes.is_empty() => Ok(config),
            _ => Err(Mistakes(reader.mistakes)),
        }
    }
}

impl Config {
    /// The settings of this process.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn load(flags: &Flags, purpose: Purpose) -> Result<Self, Mistakes> {
        Gathered::new(flags, &Environment::of_process(), Path::new("")).config(purpose)
    }
}

impl Database {
    /// Where PostgreSQL is; there for whoever loaded the settings to serve or for the database.
    ///
    /// # Errors
    /// When it is not set.
    pub fn url(&self) -> Result<PgConnectOptions, Mistakes> {
        self.database_url.clone().ok_or_else(|| missing(&["database_url"]))
    }

    /// The settings of the pool, for this PostgreSQL.
    #[must_use]
    pub fn pool(&self, options: PgConnectOptions) -> DbSettings {
        DbSettings {
            options,
            pool_size: self.pool_size,
            acquire_timeout: self.acquire_timeout,
            statement_timeout: self.statement_timeout,
            lock_timeout: self.lock_timeout,
        }
    }
}

impl Auth {
    /// The keys of configurations alone, for commands that need no other.
    ///
    /// # Errors
    /// When they are not set.
    pub fn encryption(&self) -> Result<KeyRing, Mistakes> {
        self.encryption_keys.clone().ok_or_else(|| missing(&["encryption_keys"]))
    }

    /// Both keys; there for whoever loaded the settings to serve.
    ///
    /// # Errors
    /// When one is not set.
    pub fn keys(&self) -> Result<Keys, Mistakes> {
        match (&self.encryption_keys, &self.token_key) {
            (Some(encryption), Some(token)) => Ok(Keys { encryption: encryption.clone(), token: token.clone() }),
            (None, Some(_)) => Err(missing(&["encryption_keys"])),
            (Some(_), None) => Err(missing(&["token_key"])),
            (None, None) => Err(missing(&["encryption_keys", "token_key"])),
        }
    }
}

fn missing(names: &[&str]) -> Mistakes {
    Mistakes(SETTINGS.iter().filter(|setting| names.contains(&setting.name)).map(reader::missing).collect())
}

impl Storage {
    /// Where launched workers write their segments.
    #[must_use]
    pub fn segments(&self) -> PathBuf {
        self.segments_dir.clone().unwrap_or_else(|| self.data_dir.join("segments"))
    }
}
