//! What goes wrong inside the server's own tasks stops no other thing for good.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use pumphouse::core::db::Db;
use pumphouse::core::error::Result;
use pumphouse::core::leader::{Job, LeaderContext};
use pumphouse::core::live::{Change, Feed, Hub, ListenRetry, LiveEvent, Topic};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{Database, Stage, TestSettings, database, settings, until};

const WORKERS: &str = "subscription { workerChanged { initial worker { id reason lastHeartbeatAt } } }";

async fn ready(stage: &Stage) -> bool {
    reqwest::get(stage.server.url("/readyz")).await.expect("an answer").status().is_success()
}

#[tokio::test]
async fn no_table_takes_a_time_that_cannot_be_written() {
    let stage = Stage::open().await;
    for value in ["infinity", "-infinity", "10000-01-01 00:00+00", "0002-12-31 23:59+00 BC"] {
        let taken = sqlx::query("update worker set last_heartbeat_at = $2::text::timestamptz where id = $1")
            .bind(stage.worker)
            .bind(value)
            .execute(&stage.world.pool)
            .await;
        let refused = taken.expect_err(value);
        assert_eq!(refused.as_database_error().and_then(|error| error.constraint()), Some("times_in_range"), "{refused}");
    }
}

/// A database whose rule somebody has dropped.
#[tokio::test]
async fn a_time_that_cannot_be_written_stops_neither_queries_nor_live_fields() {
    let stage = Stage::open().await;
    let (_, other) = stage.world.source(stage.team, "other").await;
    let mut socket = stage.root.subscribe(WORKERS, json!({})).await;
    for _ in 0..2 {
        socket.event().await;
    }
    for sql in
        ["alter table worker drop constraint times_in_range", "alter table pumphouse.worker_transition drop constraint times_in_range"]
    {
        sqlx::query(sql).execute(&stage.world.pool).await.expect("gone");
    }
    for (value, shown) in [("infinity", "9999-12-31T23:59:59.999999Z"), ("-infinity", "0000-01-01T00:00:00.000000Z")] {
        sqlx::query("update worker set last_heartbeat_at = $2::text::timestamptz, reason = $2 where id = $1")
            .bind(stage.worker)
            .bind(value)
            .execute(&stage.world.pool)
            .await
            .expect("taken");
        let event = socket.until(|event| event["workerChanged"]["worker"]["reason"] == value).await;
        assert_eq!(event["workerChanged"]["worker"]["lastHeartbeatAt"], shown);
        assert_eq!(stage.worker_now().await["lastHeartbeatAt"], shown);
        sqlx::query("update worker set reason = $2 where id = $1")
            .bind(other)
            .bind(format!("after {value}"))
            .execute(&stage.world.pool)
            .await
            .expect("a change");
        let event = socket.event().await;
        assert_eq!(event["workerChanged"]["worker"]["reason"], format!("after {value}"));
    }
    until("readiness", async || ready(&stage).await).await;
}

/// Tells of the changes that it is given, after so many panics.
struct Clumsy {
    topic: Option<Topic>,
    panics: AtomicU32,
    told: mpsc::UnboundedSender<Uuid>,
}

impl Clumsy {
    fn new(topic: Option<Topic>, panics: u32) -> (Arc<Self>, mpsc::UnboundedReceiver<Uuid>) {
        let (told, heard) = mpsc::unbounded_channel();
        (Arc::new(Self { topic, panics: AtomicU32::new(panics), told }), heard)
    }
}

impl Feed for Clumsy {
    fn topic(&self) -> Option<Topic> {
        self.topic
    }

    fn tables(&self) -> &'static [&'static str] {
        &["env"]
    }

    fn read<'a>(&'a self, _db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        let left = self.panics.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        assert!(left.is_err(), "clumsy");
        for change in changes {
            self.told.send(change.id).expect("somebody listens");
        }
        Box::pin(async { Ok(Vec::new()) })
    }
}

async fn insert_env(database: &Database) -> Uuid {
    let id = Uuid::new_v4();
    sqlx::query("insert into env (id, name, retention_configuration, config_hash) values ($1, $2, '{}', repeat('0', 64))")
        .bind(id)
        .bind(id.to_string())
        .execute(&database.pool)
        .await
        .expect("an env");
    id
}

#[tokio::test]
async fn a_hub_that_panics_listens_again() {
    let database = database().await;
    let db = Db::new(&settings(&database.url, &TestSettings::default()).db);
    let stop = CancellationToken::new();
    let (clumsy, mut heard) = Clumsy::new(None, 1);
    let hub = Hub::start(db, vec![clumsy], ListenRetry::default(), &stop);
    until("listening", async || hub.is_listening()).await;
    insert_env(&database).await;
    until("the panic", async || !hub.is_listening()).await;
    until("listening", async || hub.is_listening()).await;
    let id = insert_env(&database).await;
    assert_eq!(heard.recv().await, Some(id));
    stop.cancel();
}

#[tokio::test]
async fn changes_that_nobody_follows_are_not_read() {
    let database = database().await;
    let db = Db::new(&settings(&database.url, &TestSettings::default()).db);
    let stop = CancellationToken::new();
    let (deserted, mut nothing) = Clumsy::new(Some("deserted"), 0);
    let (curious, mut heard) = Clumsy::new(None, 0);
    let hub = Hub::start(db, vec![deserted, curious], ListenRetry::default(), &stop);
    until("listening", async || hub.is_listening()).await;
    let id = insert_env(&database).await;
    assert_eq!(heard.recv().await, Some(id));
    assert_eq!(nothing.try_recv(), Err(TryRecvError::Empty), "feeds are asked by turns");
    stop.cancel();
}

/// Panics each second time.
#[derive(Default)]
struct Moody(AtomicU32);

impl Job for Moody {
    fn name(&self) -> &'static str {
        "moody"
    }

    fn every(&self) -> Duration {
        Duration::from_millis(10)
    }

    fn run<'a>(&'a self, _system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        let even = self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        Box::pin(async move {
            assert!(!even, "moody");
            Ok(())
        })
    }
}

#[tokio::test]
async fn a_job_that_panics_runs_again_and_the_others_go_on() {
    let moody = Arc::new(Moody::default());
    let stage = Stage::open_with(TestSettings { jobs: vec![Arc::<Moody>::clone(&moody)], ..TestSettings::default() }).await;
    until("the panics", async || moody.0.load(Ordering::Relaxed) >= 6).await;
    stage.live().await;
    let run = stage.sync(&[("a", None)]).await;
    stage.begun(run, 0).await;
}
