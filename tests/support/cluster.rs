//! The private cluster of the test run, and databases cloned from one migrated template.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};

use pumphouse::embedded::{Cluster, Options};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};
use tokio::sync::OnceCell;

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
static NEXT: AtomicU32 = AtomicU32::new(0);
const TEMPLATE: &str = "template_migrated";

/// A database of one test.
pub struct Database {
    pub url: String,
    /// Direct access, as another writer would have it.
    pub pool: PgPool,
}

impl Database {
    /// The same database for another server.
    pub async fn again(&self) -> Self {
        Self::at(self.url.clone()).await
    }

    async fn at(url: String) -> Self {
        let options = PgConnectOptions::from_str(&url).expect("a URL");
        let pool = PgPoolOptions::new().max_connections(4).connect_with(options).await.expect("connect");
        Self { url, pool }
    }
}

/// The cluster that all databases of the tests are in.
pub async fn cluster() -> &'static Cluster {
    CLUSTER
        .get_or_init(|| async {
            let cluster = empty_cluster(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cluster")).await;
            let mut admin = admin(&cluster).await;
            admin.execute(AssertSqlSafe(format!("create database {TEMPLATE}"))).await.expect("create");
            let options = PgConnectOptions::from_str(&cluster.url(TEMPLATE)).expect("a URL");
            let mut connection = options.connect().await.expect("connect");
            sqlx::migrate!("./migrations").run(&mut connection).await.expect("the migrations run");
            connection.close().await.expect("close");
            cluster
        })
        .await
}

/// A cluster without databases of an earlier run. Those are many files, which some disks take minutes to delete: they
/// are put aside, and go while the tests run.
async fn empty_cluster(data_dir: &Path) -> Cluster {
    let start = async || {
        let options = Options { data_dir: data_dir.to_owned(), durable: false, tcp_port: None };
        Cluster::start(options).await.expect("the private cluster starts")
    };
    let cluster = start().await;
    let left_over = "select exists (select from pg_database where datname like 'test_%' or datname = 'template_migrated')";
    if !sqlx::query_scalar::<_, bool>(left_over).fetch_one(&mut admin(&cluster).await).await.expect("databases") {
        return cluster;
    }
    cluster.stop().await.expect("the cluster stops");
    let aside = data_dir.with_extension("left");
    fs::create_dir_all(&aside).expect("a directory");
    fs::rename(data_dir, aside.join(std::process::id().to_string())).expect("the cluster is put aside");
    std::thread::spawn(move || fs::remove_dir_all(aside));
    start().await
}

async fn admin(cluster: &Cluster) -> PgConnection {
    PgConnectOptions::from_str(&cluster.url("postgres")).expect("a URL").connect().await.expect("the cluster answers")
}

/// A fresh migrated database.
pub async fn database() -> Database {
    let cluster = cluster().await;
    let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut admin = admin(cluster).await;
    // One at a time: the template may have no other session.
    admin.execute("select pg_advisory_lock(42)").await.expect("lock");
    admin.execute(AssertSqlSafe(format!("create database {name} template {TEMPLATE} strategy file_copy"))).await.expect("clone");
    admin.close().await.expect("close");
    Database::at(cluster.url(&name)).await
}
