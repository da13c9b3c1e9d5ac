//! The demo organisation: the shop that is read, what is laid out, who sees what, the first start.

mod delivery;
mod organisation;
mod roles;
mod shop;
mod start;

use std::time::{Duration, Instant};

use pumphouse::core::secret::Secret;
use pumphouse::demo::{self, DatabaseAccess};
use sqlx::Executor as _;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio::sync::OnceCell;

use crate::support::{Server, TestSettings, cluster, database};

const PASSWORD: &str = "water-under-the-bridge";

/// The demo's databases, made once for all tests, and how long that took.
struct Databases {
    shop: DatabaseAccess,
    warehouse: DatabaseAccess,
    took: Duration,
}

static DATABASES: OnceCell<Databases> = OnceCell::const_new();

async fn databases() -> &'static Databases {
    DATABASES
        .get_or_init(|| async {
            let cluster = cluster().await;
            // The cluster of the tests outlives a run of them.
            let admin = pool(cluster.url("postgres").parse().unwrap()).await;
            for name in ["shop", "warehouse"] {
                admin.execute(sqlx::AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await.unwrap();
            }
            let began = Instant::now();
            let shop = demo::shop(cluster).await.unwrap();
            let took = began.elapsed();
            Databases { shop, warehouse: demo::warehouse(cluster).await.unwrap(), took }
        })
        .await
}

async fn pool(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(2).connect_with(options).await.unwrap()
}

/// A server with the organisation.
async fn organisation() -> Server {
    let databases = databases().await;
    let server = Server::on(database().await, &TestSettings::default()).await;
    assert!(lay_out(&server, databases).await);
    server
}

async fn lay_out(server: &Server, databases: &Databases) -> bool {
    let password = Secret::new(PASSWORD.to_owned());
    demo::lay_out(server.service.db(), &server.keys, &databases.shop, &databases.warehouse, &password).await.unwrap()
}
