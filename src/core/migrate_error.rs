//! Why a database was not migrated, in words for a terminal.
//!
//! Always holds: each says what to do next; whoever is in the way is named by process number, user and
//! application, never by the text of its statement, which may hold somebody's data.

use std::fmt;
use std::time::Duration;

/// Why a database was not brought to the schema of this binary.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// No connection.
    #[error("PostgreSQL cannot be reached: {}; check that it runs, and the setting database_url", said(.0))]
    Unreachable(#[source] sqlx::Error),
    /// The server answers, and does not let us in.
    #[error("PostgreSQL refuses the connection: {}; check user, password and database in the setting database_url", said(.0))]
    Refused(#[source] sqlx::Error),
    /// The server is too old.
    #[error("the server is PostgreSQL {found}, and {needed} or newer is needed; upgrade it, or point database_url at another")]
    OldServer {
        /// Its major version.
        found: i32,
        /// The oldest that will do.
        needed: i32,
    },
    /// The database cannot hold every text.
    #[error("the database's encoding is {0}; create it with encoding UTF8 (`create database ... encoding 'UTF8' template template0`)")]
    OtherEncoding(String),
    /// Another migration runs.
    #[error(
        "another pumphouse has been migrating this database for more than {} s{}; wait for it to end, then start again",
        waited.as_secs(), holder.as_ref().map(|holder| format!(": {holder}")).unwrap_or_default()
    )]
    Busy {
        /// How long was waited.
        waited: Duration,
        /// Who migrates.
        holder: Option<Session>,
    },
    /// A lock was not to be had.
    #[error(
        "{} waited {} s for a lock and gave up; {}",
        version.map_or_else(|| "the note of what was migrated (_sqlx_migrations)".to_owned(), |version| format!("migration {version}")),
        waited.as_secs(), in_the_way(by)
    )]
    Blocked {
        /// The migration; none where the table that notes them was locked.
        version: Option<i64>,
        /// How long was waited.
        waited: Duration,
        /// Who held it, as far as was seen.
        by: Vec<Session>,
    },
    /// The database has not all migrations of this binary, and what was asked for changes nothing.
    #[error(
        "the database {} and this program needs migration {needed}; if database_url names the right one, run `pumphouse migrate`",
        found.map_or_else(|| "has no migration of pumphouse yet".to_owned(), |found| format!("is at migration {found}"))
    )]
    Behind {
        /// The newest that it has.
        found: Option<i64>,
        /// The newest of this binary.
        needed: i64,
    },
    /// The database belongs to a newer Pumphouse.
    #[error(
        "the database has migration {found}, and this pumphouse knows them up to {known}: \
         a newer one was here; install that version or a later one"
    )]
    Newer {
        /// A migration that is not in this binary.
        found: i64,
        /// The newest that is.
        known: i64,
    },
    /// The database has a migration that never was one of ours.
    #[error("the database has a migration {0} that this pumphouse does not know; is it the database of another program?")]
    Unknown(i64),
    /// A migration was changed after it was applied.
    #[error(
        "migration {0} differs from the one that this database has; applied migrations never change: \
         use the pumphouse that made the database, or a release later than it"
    )]
    Edited(i64),
    /// A migration began outside a transaction and did not end.
    #[error("migration {0} began and did not end; repair what it left, delete its row from _sqlx_migrations, and start again")]
    Unfinished(i64),
    /// A migration fails.
    #[error("migration {version} failed and was undone: {}", said(error))]
    Failed {
        /// The migration.
        version: i64,
        /// What the database said.
        error: sqlx::Error,
    },
    /// The database refused something else.
    #[error("the database refused: {}", said(.0))]
    Database(#[from] sqlx::Error),
}

impl MigrateError {
    /// Why there is no connection: a password or a name that will not do wants another cure than a server that is down,
    /// starts, stops or is full.
    pub(super) fn not_connected(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        let refused = code.is_some_and(|code| ["28", "3D", "42"].iter().any(|class| code.starts_with(class)));
        if refused { Self::Refused(error) } else { Self::Unreachable(error) }
    }
}

/// A session of the database server.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    /// Its process number.
    pub pid: i32,
    /// As whom it is connected.
    pub usename: Option<String>,
    /// What it calls itself.
    pub application_name: Option<String>,
    /// What it does: `active`, `idle in transaction`, ...
    pub state: Option<String>,
    /// For how long its transaction has been open.
    pub seconds: Option<i64>,
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |word: &Option<String>| word.as_deref().filter(|word| !word.is_empty()).unwrap_or("unnamed").to_owned();
        write!(
            f,
            "session {} (user {}, application {}, {}",
            self.pid,
            word(&self.usename),
            word(&self.application_name),
            word(&self.state)
        )?;
        if let Some(seconds) = self.seconds {
            write!(f, ", in its transaction for {seconds} s")?;
        }
        f.write_str(")")
    }
}

/// What the server said, without the place in its source.
fn said(error: &sqlx::Error) -> String {
    match error {
        // No permission, and none for any schema to make tables in.
        sqlx::Error::Database(error) if error.code().is_some_and(|code| code == "42501" || code == "3F000") => {
            format!("{}; the role must own the database (`alter database ... owner to ...`)", error.message())
        }
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::PoolTimedOut => "no answer".to_owned(),
        other => other.to_string(),
    }
}

fn in_the_way(by: &[Session]) -> String {
    let Some(first) = by.first() else {
        return "whoever held it is gone; start again".to_owned();
    };
    let all: Vec<String> = by.iter().map(ToString::to_string).collect();
    format!("in its way: {}; end it, such as by `select pg_terminate_backend({})`, and start again", all.join(", "), first.pid)
}
