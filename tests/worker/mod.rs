//! `pumphouse worker` against a real database: what it reads, reports and writes, and how it ends.

mod api;
mod deliveries;
mod exchange;
mod life;
mod line;
pub mod process;
mod snapshot;
mod values;

use std::str::FromStr as _;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Executor as _};
use tokio::time::sleep;

use crate::support::{Database, database};

/// A database to be read, and a role that reads it.
struct Source {
    database: Database,
    role: String,
}

impl Source {
    /// Made by these statements; the role may read all that they make in `public`.
    async fn new(statements: &str) -> Self {
        let database = database().await;
        let options = PgConnectOptions::from_str(&database.url).unwrap();
        let role = format!("reader_of_{}", options.get_database().unwrap());
        let source = Self { database, role };
        source.run(&format!("drop role if exists {role}; create role {role} login; {statements};", role = source.role)).await;
        source.run(&format!("grant select on all tables in schema public to {}", source.role)).await;
        source
    }

    async fn run(&self, statements: &str) {
        self.database.pool.execute(AssertSqlSafe(statements.to_owned())).await.unwrap();
    }

    async fn number(&self, query: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(&self.database.pool).await.unwrap()
    }

    /// Waits until some of the worker's connections are doing something, or none is.
    async fn readers_are_busy(&self, busy: bool) {
        let query = format!("select count(*) from pg_stat_activity where usename = '{}' and state = 'active'", self.role);
        for _ in 0..500 {
            if (self.number(&query).await > 0) == busy {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("waited in vain for the readers")
    }

    fn configuration(&self) -> Value {
        let options = PgConnectOptions::from_str(&self.database.url).unwrap();
        json!({
            "host": options.get_socket().map_or(options.get_host(), |path| path.to_str().unwrap()),
            "port": options.get_port(),
            "database": options.get_database().unwrap(),
            "user": self.role,
        })
    }
}
