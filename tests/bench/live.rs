//! From the commit of a change to its arrival at 100 clients.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc;

use super::tell;
use crate::support::{Server, World};

const SUBSCRIBERS: usize = 100;
const CHANGES: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn from_commit_to_100_clients_over_websocket() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    for _ in 0..SUBSCRIBERS {
        let mut socket = root.subscribe("subscription { workerChanged { initial worker { id state reason } } }", json!({})).await;
        socket.event().await;
        let arrived = arrived.clone();
        tokio::spawn(async move {
            for _ in 0..CHANGES {
                let event = socket.event().await;
                arrived.send((event["workerChanged"]["worker"]["reason"].clone(), Instant::now())).expect("somebody listens");
            }
        });
    }
    let mut times = Vec::new();
    for number in 0..CHANGES {
        let reason = format!("change {number}");
        sqlx::query("update worker set reason = $1 where id = $2").bind(&reason).bind(worker).execute(&world.pool).await.expect("a change");
        let committed = Instant::now();
        for _ in 0..SUBSCRIBERS {
            let (said, at) = arrivals.recv().await.expect("an arrival");
            assert_eq!(said, reason.as_str());
            times.push(at.saturating_duration_since(committed));
        }
        // Fifty changes a second at most.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tell("commit to client, 100 subscribers", times);
}
