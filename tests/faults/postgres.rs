//! A durable PostgreSQL of a test's own, which it may hurt.

use std::path::{Path, PathBuf};
use std::process::Command;

use pumphouse::embedded::{Cluster, Options};
use sqlx::postgres::{PgPool, PgPoolOptions};
use tokio::sync::OnceCell;

use crate::bench::processes::children;

const DATABASE: &str = "hurt";

/// Making one takes longer than all else, so it is done once and copied.
static KEPT: OnceCell<PathBuf> = OnceCell::const_new();

pub struct Postgres {
    pub cluster: Cluster,
    pub pool: PgPool,
    pub url: String,
    folder: PathBuf,
}

impl Postgres {
    /// One below the folder of tests.
    pub async fn start(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{name}"));
        let _none = std::fs::remove_dir_all(&folder);
        Self::start_in(folder).await
    }

    /// One in this folder, with a migrated database.
    pub async fn start_in(folder: PathBuf) -> Self {
        let kept = KEPT.get_or_init(keep).await;
        std::fs::create_dir_all(&folder).expect("a folder");
        // With its owners: as root, the server's files belong to somebody else.
        assert!(Command::new("cp").arg("-a").arg(kept.join("postgres")).arg(&folder).status().expect("cp runs").success());
        let cluster = start(&folder, true).await;
        let url = cluster.url(DATABASE);
        let pool = PgPoolOptions::new().max_connections(4).connect(&url).await.expect("connect");
        Self { cluster, pool, url, folder }
    }

    /// Kills it with all its processes, as the end of its machine would.
    pub fn kill(&self) {
        let postmaster = self.cluster.pid();
        let all: Vec<String> = [postmaster].into_iter().chain(children(postmaster)).map(|id| id.to_string()).collect();
        // Some may have ended since they were counted.
        Command::new("sh").args(["-c", &format!("kill -9 {} 2>/dev/null || true", all.join(" "))]).status().expect("it is sent");
    }

    /// Ends it in order.
    pub async fn stop(self) {
        self.pool.close().await;
        self.cluster.stop().await.expect("it ends");
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

async fn start(folder: &Path, durable: bool) -> Cluster {
    Cluster::start(Options { data_dir: folder.to_owned(), durable, tcp_port: None }).await.expect("a cluster")
}

async fn keep() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults-kept");
    let _none = std::fs::remove_dir_all(&folder);
    let cluster = start(&folder, false).await;
    cluster.ensure_database(DATABASE).await.expect("a database");
    let pool = PgPool::connect(&cluster.url(DATABASE)).await.expect("connect");
    sqlx::migrate!("./migrations").run(&pool).await.expect("the migrations run");
    pool.close().await;
    cluster.stop().await.expect("it ends");
    folder
}
