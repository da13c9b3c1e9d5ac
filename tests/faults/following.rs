//! A subscriber that comes back when its socket closes.

use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Duration, sleep, timeout};

use super::CONVERGED;
use crate::support::{PATIENCE, Socket};

const CHANGES: &str = "subscription { workerChanged { initial worker { reason } } }";

/// What the worker's reasons, which are numbers here, were shown to be.
#[derive(Default)]
struct Shown {
    last: Option<i64>,
    /// All, in the order in which they came.
    all: Vec<i64>,
}

pub struct Follower {
    shown: watch::Receiver<Shown>,
    task: JoinHandle<()>,
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Follower {
    /// Subscribes at a replica, and has seen the present state.
    pub async fn begin(base: &str, token: &str) -> Self {
        let (tell, shown) = watch::channel(Shown::default());
        let (url, token) = (format!("{base}/graphql"), token.to_owned());
        let (begun, mut begins) = watch::channel(false);
        let task = tokio::spawn(async move {
            loop {
                if let Some(mut socket) = Socket::try_connect(&url, Some(&token)).await {
                    socket.subscribe("1", CHANGES, json!({})).await;
                    while let Some(message) = socket.whenever().await.filter(|message| message["type"] == "next") {
                        begun.send_replace(true);
                        note(&tell, &message["payload"]["data"]["workerChanged"]);
                    }
                }
                sleep(Duration::from_millis(20)).await;
            }
        });
        timeout(PATIENCE, begins.wait_for(|begun| *begun)).await.expect("in time").expect("it begins");
        Self { shown, task }
    }

    /// Waits until this state or a later one was shown.
    pub async fn shows(&mut self, wanted: i64) {
        let seen = self.shown.wait_for(|shown| shown.last.is_some_and(|last| last >= wanted));
        timeout(CONVERGED, seen).await.unwrap_or_else(|_| panic!("never shown: {wanted}")).expect("it follows");
    }

    /// Whether this state or a later one was shown.
    pub fn has_shown(&self, wanted: i64) -> bool {
        self.shown.borrow().last.is_some_and(|last| last >= wanted)
    }

    /// Waits until what was shown last is what the database holds.
    pub async fn ends_true(&mut self, pool: &PgPool) {
        let held: String = sqlx::query_scalar("select reason from worker").fetch_one(pool).await.expect("a reason");
        let held: i64 = held.parse().expect("a number");
        let seen = self.shown.wait_for(|shown| shown.last == Some(held));
        timeout(CONVERGED, seen).await.unwrap_or_else(|_| panic!("never shown: {held}")).expect("it follows");
    }

    /// All that was shown, in order.
    pub fn all(&self) -> Vec<i64> {
        self.shown.borrow().all.clone()
    }
}

fn note(tell: &watch::Sender<Shown>, event: &Value) {
    if let Some(number) = event["worker"]["reason"].as_str().and_then(|reason| reason.parse().ok()) {
        tell.send_modify(|shown| {
            shown.last = Some(number);
            shown.all.push(number);
        });
    }
}
