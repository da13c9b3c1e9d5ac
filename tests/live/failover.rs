//! The database fails over to another host, as behind a virtual address or a name that is pointed elsewhere.

use std::path::{Path, PathBuf};
use std::process::Command;

use pumphouse::embedded::{Cluster, Options};
use serde_json::json;
use sqlx::postgres::PgPoolOptions;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use uuid::Uuid;

use super::recovery::{CONVERGED, WORKERS, reported};
use crate::support::{Database, Server, Stage, TestSettings, until};

/// The port that sockets of clusters are named after.
const PORT: u16 = 5432;

/// An address that leads to one host, then to another; whoever is connected when it moves is cut off.
struct Address {
    folder: PathBuf,
    leads_to: watch::Sender<Option<PathBuf>>,
}

impl Address {
    fn open(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("a folder");
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{PORT}"))).expect("a socket");
        let (leads_to, host) = watch::channel(None);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut host = host.clone();
                tokio::spawn(async move {
                    let Some(path) = host.borrow_and_update().clone() else { return };
                    let Ok(mut server) = UnixStream::connect(path).await else { return };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                        _ = host.changed() => {}
                    }
                });
            }
        });
        Self { folder: folder.to_owned(), leads_to }
    }

    fn lead_to(&self, cluster: Option<&Cluster>) {
        self.leads_to.send_replace(cluster.map(|cluster| {
            let url = cluster.url("postgres");
            let value = |key: &str| url.split(['?', '&']).find_map(|pair| pair.strip_prefix(key)).expect("a socket").to_owned();
            PathBuf::from(value("host=")).join(format!(".s.PGSQL.{}", value("port=")))
        }));
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&port={PORT}&user=pumphouse&sslmode=disable", self.folder.display())
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

async fn cluster(data_dir: &Path) -> Cluster {
    Cluster::start(Options { data_dir: data_dir.to_owned(), durable: false, tcp_port: None }).await.expect("a cluster")
}

#[tokio::test]
async fn n06_after_a_failover_to_another_host_queries_and_events_flow_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (first, second) = (folder.join("failover-first"), folder.join("failover-second"));
    for old in [&first, &second] {
        let _none = std::fs::remove_dir_all(old);
    }
    let address = Address::open(&std::env::temp_dir().join(format!("failover-{}", std::process::id())));
    let primary = cluster(&first).await;
    primary.ensure_database("failover").await.expect("a database");
    address.lead_to(Some(&primary));
    let url = address.url("failover");
    let pool = PgPoolOptions::new().max_connections(4).connect(&url).await.expect("connect");
    sqlx::migrate!("./migrations").run(&pool).await.expect("the migrations run");
    let stage = Stage::on(Server::on(Database { url, pool }, &TestSettings::default()).await).await;
    let generation = stage.live().await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "LIVE");

    let ready = async || reqwest::get(stage.server.url("/readyz")).await.expect("an answer").status().as_u16();
    address.lead_to(None);
    primary.stop().await.expect("the first host ends");
    until("the server is not ready", || async { ready().await == 503 }).await;
    // The other host has what the first one had; a standby gets it by replication.
    assert!(Command::new("cp").arg("-a").args([&first, &second]).status().expect("cp runs").success());
    let standby = cluster(&second).await;
    address.lead_to(Some(&standby));
    until("the server is ready", || async { ready().await == 200 }).await;

    let reason = Uuid::new_v4().to_string();
    reported(&stage, generation, &reason).await;
    let seen = socket.until(|event| event["workerChanged"]["worker"]["reason"] == json!(reason));
    tokio::time::timeout(CONVERGED, seen).await.expect("events within ten seconds");
    let Stage { server, world, .. } = stage;
    server.service.stop().await;
    world.pool.close().await;
    standby.stop().await.expect("the second host ends");
    for old in [&first, &second] {
        let _gone = std::fs::remove_dir_all(old);
    }
}
