//! A `PostgreSQL` server as a worker reaches it: its configuration, its connections, its refusals.
//!
//! Always holds: the password is resolved at each connection and wiped after it; a reason is the server's
//! own message with its code, never with the password; a source is read only. Not here: reading
//! tables (`consistent.rs`, `table.rs`), writing them (`target/`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::secrets::resolve;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A reason is a sentence for a person, not a log.
const LONGEST_REASON: usize = 1000;
/// A shorter password is no secret, and hiding it would make nonsense of the reason.
const SHORTEST_SECRET: usize = 4;

/// A worker sits in a transaction for as long as a table takes, whatever the server's limits are; and values are written the same on
/// both sides, whatever the settings of database or role are.
const SESSION: &str = "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; \
                       set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set lc_monetary = 'C'; \
                       set extra_float_digits = 3";
/// A policy that would hide rows makes the table fail with that reason, instead of being complete with fewer rows.
const READS_ONLY: &str = "set row_security = off; set default_transaction_read_only = on";
/// Servers before 14 know of no such limit.
const IDLE_SESSION: &str = "set idle_session_timeout = 0";
const IDLE_SESSION_TIMEOUT_SINCE: u32 = 140_000;

/// Where the database is and as whom it is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Configuration {
    host: String,
    #[serde(default = "default_port")]
    port: u16,
    database: String,
    user: String,
    password: Option<Value>,
    #[serde(default)]
    ssl_mode: SslMode,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SslMode {
    Disable,
    #[default]
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

fn default_port() -> u16 {
    5432
}

/// A server that a worker connects to.
pub(super) struct Postgres {
    configuration: Result<Configuration, String>,
    secrets_dir: Option<PathBuf>,
}

/// Why the database refused, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub(super) struct Refusal {
    words: String,
    /// Whether the server may simply not be there yet.
    pub(super) passing: bool,
}

impl Postgres {
    /// A configuration that cannot be read is a refusal at each connection, with its reason.
    pub(super) fn new(configuration: Value, secrets_dir: Option<PathBuf>) -> Self {
        // Without the offending value: it could be a password in the wrong place.
        let configuration = serde_json::from_value(configuration)
            .map_err(|_| "the configuration needs host, port, database, user, password and sslMode of a PostgreSQL server".to_owned());
        Self { configuration, secrets_dir }
    }

    /// Opens a connection that only reads, ready for long transactions.
    pub(super) async fn connect(&self) -> Result<PgConnection, Refusal> {
        self.open(READS_ONLY).await
    }

    /// Opens a connection that may write, ready for long transactions.
    pub(super) async fn connect_to_write(&self) -> Result<PgConnection, Refusal> {
        self.open("").await
    }

    async fn open(&self, also: &'static str) -> Result<PgConnection, Refusal> {
        let (options, password) = self.options(self.secrets_dir.as_deref())?;
        let open = async {
            let mut connection = options.connect().await?;
            let since = connection.server_version_num().unwrap_or(IDLE_SESSION_TIMEOUT_SINCE);
            connection.execute(SESSION).await?;
            connection.execute(also).await?;
            if since >= IDLE_SESSION_TIMEOUT_SINCE {
                connection.execute(IDLE_SESSION).await?;
            }
            Ok::<_, sqlx::Error>(connection)
        };
        match timeout(CONNECT_TIMEOUT, open).await {
            Ok(Ok(connection)) => Ok(connection),
            Ok(Err(error)) => Err(Refusal::of(&error).without(password.as_deref())),
            Err(_) => Err(Refusal::silent()),
        }
    }

    /// Whether the database can be reached and answers.
    pub(super) async fn check(&self) -> Result<(), Refusal> {
        let mut connection = self.connect().await?;
        timeout(CONNECT_TIMEOUT, connection.ping()).await.map_err(|_| Refusal::silent())?.map_err(|error| Refusal::of(&error))?;
        // A connection that does not close nicely has still proved the point.
        let _ = timeout(CONNECT_TIMEOUT, connection.close()).await;
        Ok(())
    }

    fn options(&self, secrets_dir: Option<&Path>) -> Result<(PgConnectOptions, Option<Zeroizing<String>>), Refusal> {
        let configuration = self.configuration.as_ref().map_err(|words| Refusal::words(words.clone()))?;
        let password =
            resolve("password", configuration.password.as_ref(), secrets_dir).map_err(|error| Refusal::words(error.to_string()))?;
        let mut options = PgConnectOptions::new_without_pgpass()
            .port(configuration.port)
            .database(&configuration.database)
            .username(&configuration.user)
            .ssl_mode(match configuration.ssl_mode {
                SslMode::Disable => PgSslMode::Disable,
                SslMode::Prefer => PgSslMode::Prefer,
                SslMode::Require => PgSslMode::Require,
                SslMode::VerifyCa => PgSslMode::VerifyCa,
                SslMode::VerifyFull => PgSslMode::VerifyFull,
            })
            .application_name("pumphouse worker")
            .statement_cache_capacity(4)
            .disable_statement_logging();
        options = if configuration.host.starts_with('/') { options.socket(&configuration.host) } else { options.host(&configuration.host) };
        if let Some(password) = &password {
            options = options.password(password);
        }
        Ok((options, password))
    }
}

impl Refusal {
    /// The reason of an error, as the server gave it.
    pub(super) fn of(error: &sqlx::Error) -> Self {
        let (words, passing) = match error {
            sqlx::Error::Database(refused) => {
                let code = refused.code().unwrap_or_default();
                // Starting up, or no connection free.
                let passing = matches!(code.as_ref(), "57P03" | "53300");
                (format!("{} ({code})", refused.message()), passing)
            }
            sqlx::Error::Io(cause) => (format!("the database cannot be reached: {cause}"), true),
            sqlx::Error::Tls(cause) => (format!("the database cannot be reached over TLS: {cause}"), false),
            other => (other.to_string(), false),
        };
        Self { words: shortened(words), passing }
    }

    /// The reason of an error in the middle of a table, which the server may not have lived to tell.
    pub(super) fn midway(error: &sqlx::Error) -> Self {
        let words = match error {
            sqlx::Error::Io(cause) => {
                format!("the connection broke off while the table was read, because the database stopped or the network failed: {cause}")
            }
            sqlx::Error::Database(refused) if matches!(refused.code().as_deref(), Some("57P01" | "57P02" | "57P03")) => {
                format!("the database stopped or crashed while the table was read: {}", Self::of(error))
            }
            _ => return Self::of(error),
        };
        Self { words: shortened(format!("{words}; sync it again")), passing: true }
    }

    /// A reason of this worker's own.
    pub(super) fn words(words: impl Into<String>) -> Self {
        Self { words: shortened(words.into()), passing: false }
    }

    fn silent() -> Self {
        Self { words: format!("the database did not answer within {} s", CONNECT_TIMEOUT.as_secs()), passing: true }
    }

    /// No message of `PostgreSQL` holds the password; should one ever do, it does not leave here.
    fn without(mut self, password: Option<&String>) -> Self {
        if let Some(password) = password.filter(|password| password.len() >= SHORTEST_SECRET) {
            self.words = self.words.replace(password.as_str(), "***");
        }
        self
    }
}

fn shortened(words: String) -> String {
    if words.chars().nth(LONGEST_REASON).is_none() {
        return words;
    }
    words.chars().take(LONGEST_REASON - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_configuration_is_read_with_its_defaults() {
        let server = Postgres::new(json!({"host": "/run/pg", "database": "shop", "user": "reader", "extra": 1}), None);
        let (options, password) = server.options(None).unwrap();
        assert_eq!((options.get_port(), options.get_username(), options.get_database()), (5432, "reader", Some("shop")));
        assert_eq!(options.get_socket().map(PathBuf::as_path), Some(Path::new("/run/pg")));
        assert!(matches!(options.get_ssl_mode(), PgSslMode::Prefer));
        assert!(password.is_none());
    }

    #[test]
    fn a_wrong_configuration_shows_no_value() {
        let server = Postgres::new(json!({"host": "db", "database": "shop", "user": "reader", "sslMode": "hunter2"}), None);
        let words = server.options(None).map(|_| ()).unwrap_err().to_string();
        assert!(!words.contains("hunter2"), "{words}");
    }

    #[test]
    fn the_password_never_shows() {
        let refusal = Refusal::words("no entry with hunter2").without(Some(&"hunter2".to_owned()));
        assert_eq!(refusal.to_string(), "no entry with ***");
        assert_eq!(Refusal::words("x".repeat(5000)).to_string().chars().count(), LONGEST_REASON);
    }
}
