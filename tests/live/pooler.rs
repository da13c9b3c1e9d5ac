//! Behind a pooler in transaction mode LISTEN is taken and nothing is ever heard: changes are looked for instead.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pumphouse::core::live::ListenRetry;
use pumphouse::service::ServiceSettings;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use crate::support::{Database, Server, Stage, TestSettings, database, settings, until};

const PORT: u16 = 5432;
const WORKERS: &str = "subscription { workerChanged { initial worker { id state reason } } }";

/// Passes on all that the server says but, until it `passes` them, what it was not asked for: notices.
async fn deafened(
    mut from: impl tokio::io::AsyncRead + Unpin,
    mut to: impl tokio::io::AsyncWrite + Unpin,
    passes: Arc<AtomicBool>,
) -> std::io::Result<()> {
    let mut head = [0_u8; 5];
    loop {
        from.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize - 4;
        let mut body = vec![0; length];
        from.read_exact(&mut body).await?;
        if head[0] != b'A' || passes.load(Ordering::Relaxed) {
            to.write_all(&head).await?;
            to.write_all(&body).await?;
            to.flush().await?;
        }
    }
}

/// A pooler as far as it matters here, before the server that listens at this socket.
struct Pooler {
    folder: PathBuf,
    passes: Arc<AtomicBool>,
}

impl Pooler {
    fn open(folder: &Path, server: PathBuf) -> Self {
        std::fs::create_dir_all(folder).expect("a folder");
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{PORT}"))).expect("a socket");
        let passes = Arc::<AtomicBool>::default();
        let passing = Arc::clone(&passes);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, passing) = (server.clone(), Arc::clone(&passing));
                tokio::spawn(async move {
                    let Ok(server) = UnixStream::connect(server).await else { return };
                    let ((mut from_client, to_client), (from_server, mut to_server)) = (client.into_split(), server.into_split());
                    tokio::select! {
                        _ = tokio::io::copy(&mut from_client, &mut to_server) => {}
                        _ = deafened(from_server, to_client, passing) => {}
                    }
                });
            }
        });
        Self { folder: folder.to_owned(), passes }
    }
}

/// A stage behind a pooler.
async fn stage_behind_a_pooler(name: &str) -> (Stage, Pooler) {
    let direct = database().await;
    let value = |key: &str| direct.url.split(['?', '&']).find_map(|pair| pair.strip_prefix(key)).expect("a socket").to_owned();
    let socket = PathBuf::from(value("host=")).join(format!(".s.PGSQL.{}", value("port=")));
    let database: String = sqlx::query_scalar("select current_database()").fetch_one(&direct.pool).await.expect("a name");
    let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    let pooler = Pooler::open(&folder, socket);
    let url = format!("postgres:///{database}?host={}&port={PORT}&user=pumphouse&sslmode=disable", folder.display());
    let settings = ServiceSettings { listen_retry: ListenRetry(Duration::from_secs(1)), ..settings(&url, &TestSettings::default()) };
    (Stage::on(Server::with(Database { url, pool: direct.pool.clone() }, settings).await).await, pooler)
}

async fn readyz(stage: &Stage) -> String {
    reqwest::get(stage.server.url("/readyz")).await.expect("an answer").text().await.expect("text")
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_listen_cannot_work_changes_are_looked_for_and_the_server_says_so() {
    let (stage, _pooler) = stage_behind_a_pooler("deaf").await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    assert_eq!(socket.event().await["workerChanged"]["worker"]["state"], "PAUSED");

    until("the server finds out and says so", async || readyz(&stage).await.contains("polled")).await;
    assert!((stage.server.metric("pumphouse_polling").await - 1.0).abs() < 0.5);
    assert!(stage.server.metric("pumphouse_listening").await < 0.5);

    // Each transition, in order, and by another writer, too.
    let generation = stage.start().await;
    stage.report(generation, "LIVE", None).await;
    stage.write("update worker set state = 'ERROR', reason = 'by hand' where id = $1").await;
    let mut states = Vec::new();
    while states.last() != Some(&json!("ERROR")) {
        let event: Value = socket.event().await["workerChanged"].clone();
        // The present state comes again when it is known that all writers know.
        if event["initial"] == false {
            states.push(event["worker"]["state"].clone());
        }
    }
    let asked = std::time::Instant::now();
    stage.start().await;
    socket.until(|event| event["workerChanged"]["worker"]["state"] == "BUILDING").await;
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());

    // Rights that end are honoured as ever.
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let document = "subscription { workerChanged { initial removed workerId } }";
    let mut socket = member.subscribe(document, json!({})).await;
    socket.event().await;
    sqlx::query("delete from team_member where user_id = $1").bind(member.id).execute(&stage.world.pool).await.expect("gone");
    let gone = socket.until(|event| event["workerChanged"]["removed"] == true);
    let gone = tokio::time::timeout(Duration::from_secs(5), gone).await.expect("within 5 s");
    assert_eq!(gone["workerChanged"]["workerId"], json!(stage.worker));
    let Stage { server, .. } = stage;
    server.service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_listen_works_again_changes_are_listened_for_again_and_none_is_missed() {
    let (stage, pooler) = stage_behind_a_pooler("healed").await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    socket.event().await;
    until("changes are looked for", async || readyz(&stage).await.contains("polled")).await;
    stage.give_reason("polled").await;
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == "polled").await;
    pooler.passes.store(true, Ordering::Relaxed);
    stage.give_reason("between").await;
    until("changes are listened for", async || readyz(&stage).await == "ok\n").await;
    assert!(stage.server.metric("pumphouse_polling").await < 0.5);
    assert!((stage.server.metric("pumphouse_listening").await - 1.0).abs() < 0.5);
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == "between").await;
    stage.give_reason("heard").await;
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == "heard").await;
    let Stage { server, .. } = stage;
    server.service.stop().await;
}
