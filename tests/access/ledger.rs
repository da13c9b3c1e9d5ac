//! What was changed in a database, and the way back.
//!
//! Always holds: every table is watched but the leader's, which beats by itself; triggers sleep while the past is put
//! back, so nobody hears of it.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, PgConnection, Row as _};

use crate::support::Server;

/// The lock by which replicas agree on their leader (`core/leader.rs`).
const LEADER: i64 = 0x7075_6d70_686f_7573;

/// A database as it was, and as it is.
pub struct Ledger {
    connection: PgConnection,
    sums: String,
    /// As it was when it was opened or last put back.
    kept: Sums,
    /// As it was before the act that is judged.
    before: Sums,
}

/// A table's rows and versions of rows, by the table's name.
type Sums = BTreeMap<String, (i64, i64)>;

const TABLES: &str = "select n.nspname || '.' || quote_ident(c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pumphouse') and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('leader', '_sqlx_migrations') order by 1";

impl Ledger {
    /// Keeps a copy of every table, once nobody works on them by themselves: it takes the leader's lock.
    pub async fn open(server: &Server) -> Self {
        let mut connection = server.database.pool.acquire().await.expect("a connection").detach();
        let end = "select count(pg_terminate_backend(pid, 5000)) from pg_locks where locktype = 'advisory' and granted
            and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()";
        loop {
            let got: bool =
                sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(LEADER).fetch_one(&mut connection).await.expect("a lock");
            if got {
                break;
            }
            sqlx::query(end).execute(&mut connection).await.expect("the leader ends");
        }
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut connection).await.expect("tables");
        run(&mut connection, "create schema pristine").await;
        for table in &tables {
            run(&mut connection, &format!("create table pristine.\"{}\" as table {table}", table.replace('"', ""))).await;
        }
        let sum = |table: &String| format!("select '{table}', count(*), coalesce(sum(xmin::text::bigint), 0)::bigint from {table}");
        let sums = tables.iter().map(sum).collect::<Vec<_>>().join(" union all ");
        let mut ledger = Self { connection, sums, kept: Sums::new(), before: Sums::new() };
        ledger.kept = ledger.sums().await;
        ledger.before = ledger.kept.clone();
        ledger
    }

    async fn sums(&mut self) -> Sums {
        let rows = sqlx::query(AssertSqlSafe(self.sums.clone())).fetch_all(&mut self.connection).await.expect("sums");
        rows.iter().map(|row| (row.get(0), (row.get(1), row.get(2)))).collect()
    }

    /// Puts back every table that is not as it was.
    pub async fn restore(&mut self) {
        let now = self.sums().await;
        let changed = differences(&self.kept, &now);
        if changed.is_empty() {
            return;
        }
        let mut sql = "begin; set local session_replication_role = replica;".to_owned();
        for table in &changed {
            let copy = table.replace('"', "");
            sql.push_str(&format!("delete from {table}; insert into {table} overriding system value table pristine.\"{copy}\";"));
        }
        run(&mut self.connection, &format!("{sql} commit")).await;
        self.kept = self.sums().await;
        self.before = self.kept.clone();
    }

    /// Makes the state that an act needs.
    pub async fn prepare(&mut self, given: &[String]) {
        for sql in given {
            run(&mut self.connection, sql).await;
        }
        self.before = self.sums().await;
    }

    /// The tables that the last act has changed.
    pub async fn changed(&mut self) -> Vec<String> {
        let now = self.sums().await;
        differences(&self.before, &now)
    }

    /// What the audit says of it.
    pub async fn verbs(&mut self) -> Vec<String> {
        let sql = "select action from user_log where id not in (select id from pristine.\"public.user_log\") order by timestamp, action";
        sqlx::query_scalar(sql).fetch_all(&mut self.connection).await.expect("the log")
    }
}

fn differences(one: &Sums, other: &Sums) -> Vec<String> {
    one.iter().filter(|(table, sums)| other.get(*table) != Some(sums)).map(|(table, _)| table.clone()).collect()
}

async fn run(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await.unwrap_or_else(|error| panic!("{error}: {sql}"));
}
