//! The two databases of the demo in the private cluster: `shop`, which is read, and `warehouse`, which is written.
//!
//! Always holds: each is made whole or not at all, and never touched again once it is there. The cluster trusts
//! whoever reaches its socket, so the passwords guard nothing; they are there to be seen redacted.
//! Not here: what the shop is made of (`shop.sql`, and `tables.rs` for those who read it).

use std::str::FromStr as _;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use super::error::DemoError;
use crate::embedded::Cluster;

/// The statements that make the shop.
const SHOP: &str = include_str!("shop.sql");

/// Who reads the shop for the commerce team: everything but the payroll.
const SHOP_READER: (&str, &str) = ("shop_reader", "read-only-and-curious");
/// Who reads the shop for the finance team: orders and payments.
const BILLING_READER: (&str, &str) = ("billing_reader", "counts-every-cent");
/// Who writes the warehouse.
const WAREHOUSE_WRITER: (&str, &str) = ("warehouse_writer", "forklift-licence");

/// Where a database of the demo is, and as whom it is used.
#[derive(Clone, Debug)]
pub struct DatabaseAccess {
    /// The directory of the server's socket.
    pub host: String,
    /// The port, which is a part of the socket's name.
    pub port: u16,
    /// The database.
    pub database: &'static str,
    /// The role.
    pub user: &'static str,
    /// The role's password, which the private cluster does not ask for.
    pub password: &'static str,
}

impl DatabaseAccess {
    /// The same database for the finance team.
    pub(super) fn for_billing(&self) -> Self {
        let (user, password) = BILLING_READER;
        Self { user, password, ..self.clone() }
    }
}

/// Creates database `shop` with its tables and rows when it is not there yet, and the roles that read it.
///
/// # Errors
/// When the cluster refuses.
pub async fn shop(cluster: &Cluster) -> Result<DatabaseAccess, DemoError> {
    let (options, mut connection) = open(cluster, "shop").await?;
    let mut transaction = begin(&mut connection).await?;
    let there: bool = sqlx::query_scalar("select to_regclass('public.order_items') is not null").fetch_one(&mut *transaction).await?;
    if !there {
        role(&mut transaction, SHOP_READER).await?;
        role(&mut transaction, BILLING_READER).await?;
        sqlx::raw_sql(SHOP).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    connection.close().await?;
    Ok(access(&options, "shop", SHOP_READER))
}

/// Creates database `warehouse`, empty, when it is not there yet, and the role that writes into it.
///
/// # Errors
/// When the cluster refuses.
pub async fn warehouse(cluster: &Cluster) -> Result<DatabaseAccess, DemoError> {
    let (options, mut connection) = open(cluster, "warehouse").await?;
    let mut transaction = begin(&mut connection).await?;
    role(&mut transaction, WAREHOUSE_WRITER).await?;
    let grants = "grant create on database warehouse to warehouse_writer; grant create on schema public to warehouse_writer";
    sqlx::raw_sql(grants).execute(&mut *transaction).await?;
    transaction.commit().await?;
    connection.close().await?;
    Ok(access(&options, "warehouse", WAREHOUSE_WRITER))
}

async fn open(cluster: &Cluster, database: &'static str) -> Result<(PgConnectOptions, PgConnection), DemoError> {
    cluster.ensure_database(database).await?;
    // A statement as long as the shop's belongs into no log.
    let options = PgConnectOptions::from_str(&cluster.url(database))?.disable_statement_logging();
    let connection = options.connect().await?;
    Ok((options, connection))
}

/// A transaction that no other of the same kind runs beside, in this database.
async fn begin(connection: &mut PgConnection) -> Result<sqlx::Transaction<'_, sqlx::Postgres>, DemoError> {
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql("select pg_advisory_xact_lock(1)").execute(&mut *transaction).await?;
    Ok(transaction)
}

/// Creates a role unless it exists; roles belong to the cluster, so it may have outlived its database.
async fn role(connection: &mut PgConnection, (name, password): (&str, &str)) -> Result<(), DemoError> {
    let create = format!(
        "do $$ begin create role {name} login password '{password}'; exception when duplicate_object or unique_violation then null; end $$"
    );
    sqlx::raw_sql(AssertSqlSafe(create)).execute(connection).await?;
    Ok(())
}

fn access(options: &PgConnectOptions, database: &'static str, (user, password): (&'static str, &'static str)) -> DatabaseAccess {
    let socket = options.get_socket().map(|socket| socket.display().to_string());
    let host = socket.unwrap_or_else(|| options.get_host().to_owned());
    DatabaseAccess { host, port: options.get_port(), database, user, password }
}
