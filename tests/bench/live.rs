//! Live changes: from the commit of a change to its arrival at clients, and what each costs the server.
//!
//! The server has a runtime of its own, whose threads' processor time is read: what the clients cost in the same process is
//! not counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use uuid::Uuid;

use super::tell;
use crate::support::{Caller, Server, World};

const THREAD: &str = "measured";
const CHANGES: usize = 200;
/// Fifty changes a second.
const PACE: Duration = Duration::from_millis(20);
const WORKERS: &str = "subscription { workerChanged { initial worker { id state reason } } }";

/// A server whose processor time can be read, and a worker that changes.
struct Measured {
    runtime: Option<Runtime>,
    root: Caller,
    world: World,
    worker: Uuid,
    server: Server,
}

impl Measured {
    async fn start() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name(THREAD).enable_all().build().expect("a runtime");
        let start = move || (runtime.block_on(Server::start()), runtime);
        let (server, runtime) = tokio::task::spawn_blocking(start).await.expect("the server starts");
        let root = server.superuser().await;
        let world = World::of(&server);
        let team = world.team(world.env("prod").await, "core").await;
        let (_, worker) = world.source(team, "shop").await;
        Self { runtime: Some(runtime), root, world, worker, server }
    }

    /// What the server's threads have computed so far.
    fn computed() -> Duration {
        let tasks = std::fs::read_dir("/proc/self/task").expect("tasks").flatten();
        let nanoseconds = tasks.filter_map(|task| {
            let read = |file: &str| std::fs::read_to_string(task.path().join(file)).ok();
            let measured = read("comm")?.trim() == THREAD;
            read("schedstat")?.split(' ').next()?.parse::<u64>().ok().filter(|_| measured)
        });
        Duration::from_nanos(nanoseconds.sum())
    }

    /// Resident memory of the process in MiB.
    fn resident() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1_024
    }

    async fn change(&self, number: usize) {
        let sql = "update worker set reason = $1 where id = $2";
        let reason = format!("change {number}.");
        sqlx::query(sql).bind(reason).bind(self.worker).execute(&self.world.pool).await.expect("a change");
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A client that reads without understanding: how often each of its messages says a change, as soon as it comes.
async fn client(url: String, token: String, document: &str, subscriptions: usize, heard: mpsc::UnboundedSender<(usize, Instant)>) {
    let mut request = url.replacen("http", "ws", 1).into_client_request().expect("a request");
    request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().expect("a header"));
    let (mut stream, _) = tokio_tungstenite::connect_async(request).await.expect("the socket opens");
    let init = json!({"type": "connection_init", "payload": {"authorization": format!("Bearer {token}")}});
    stream.send(Message::text(init.to_string())).await.expect("sent");
    for id in 0..subscriptions {
        let subscribe = json!({"id": id.to_string(), "type": "subscribe", "payload": {"query": document}});
        stream.send(Message::text(subscribe.to_string())).await.expect("sent");
    }
    while let Some(Ok(message)) = stream.next().await {
        let Message::Text(text) = message else { continue };
        let at = Instant::now();
        let change = text.split("\"change ").nth(1).and_then(|rest| rest.split('.').next()).and_then(|number| number.parse().ok());
        let initial = text.contains("\"initial\":true").then_some(usize::MAX);
        if let Some(change) = initial.or(change)
            && heard.send((change, at)).is_err()
        {
            return;
        }
    }
}

/// Opens sockets with so many equal subscriptions each; waits until each was told the present state.
async fn clients(measured: &Measured, sockets: usize, each: usize, document: &'static str) -> mpsc::UnboundedReceiver<(usize, Instant)> {
    let (heard, mut hears) = mpsc::unbounded_channel();
    let token = measured.root.token.clone().expect("a token");
    for _ in 0..sockets {
        tokio::spawn(client(measured.server.url("/graphql"), token.clone(), document, each, heard.clone()));
    }
    if document == WORKERS {
        for _ in 0..sockets * each {
            hears.recv().await.expect("the present state");
        }
    }
    hears
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a small number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn l1_from_commit_to_1000_sockets_at_50_changes_a_second() {
    const SOCKETS: usize = 1_000;
    let measured = Measured::start().await;
    let before = Measured::resident();
    let mut heard = clients(&measured, SOCKETS, 1, WORKERS).await;
    println!("1,000 sockets: {} MiB more in the process, clients included", Measured::resident().saturating_sub(before));
    let committed = Arc::new(std::sync::Mutex::new(Vec::new()));
    let computed = Measured::computed();
    let times = {
        let committed = Arc::clone(&committed);
        tokio::spawn(async move {
            let mut arrived = Vec::with_capacity(SOCKETS * CHANGES);
            for _ in 0..SOCKETS * CHANGES {
                arrived.push(heard.recv().await.expect("an arrival"));
            }
            let committed: Vec<Instant> = committed.lock().expect("no panic").clone();
            arrived.into_iter().map(|(change, at)| at.saturating_duration_since(committed[change])).collect::<Vec<_>>()
        })
    };
    let begun = Instant::now();
    for number in 0..CHANGES {
        tokio::time::sleep_until((begun + PACE * u32::try_from(number).expect("few")).into()).await;
        measured.change(number).await;
        committed.lock().expect("no panic").push(Instant::now());
    }
    let times = times.await.expect("all arrive");
    let cost = Measured::computed().saturating_sub(computed);
    tell("commit to client, 1,000 sockets, 50 changes a second", times);
    println!("server: {:.1} us a delivered message", cost.as_secs_f64() * 1e6 / real(SOCKETS * CHANGES));
}

/// What so many equal subscriptions cost the server for each change, and each message.
async fn cost(measured: &Measured, sockets: usize, each: usize, document: &'static str) -> f64 {
    const ROUNDS: usize = 50;
    let mut heard = clients(measured, sockets, each, document).await;
    // One that hears every change says when it has arrived everywhere.
    let mut told = clients(measured, 1, 1, WORKERS).await;
    if document != WORKERS {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let computed = Measured::computed();
    for number in 0..ROUNDS {
        measured.change(number).await;
        told.recv().await.expect("an arrival");
        if document == WORKERS {
            for _ in 0..sockets * each {
                heard.recv().await.expect("an arrival");
            }
        }
    }
    let cost = Measured::computed().saturating_sub(computed).as_secs_f64() * 1e6 / real(ROUNDS);
    let all = sockets * each;
    let what = if document == WORKERS { "told of each change" } else { "of none of which it is a matter" };
    println!("{all} equal subscriptions {what}: server {cost:.0} us a change, {:.2} us a subscription", cost / real(all));
    cost
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn equal_subscriptions_cost_little_more_than_one() {
    const OTHERS: &str = "subscription { workerChanged(filter: {workerIds: [\"00000000-0000-4000-8000-000000000000\"]}) { initial worker { id state reason } } }";
    for document in [OTHERS, WORKERS] {
        let measured = Measured::start().await;
        let hundred = cost(&measured, 100, 1, document).await;
        drop(measured);
        let measured = Measured::start().await;
        let many = cost(&measured, 100, 100, document).await;
        println!("10,000 cost {:.2} times what 100 cost, for a change; {:.2} times for each", many / hundred, many / hundred / 100.0);
    }
}
