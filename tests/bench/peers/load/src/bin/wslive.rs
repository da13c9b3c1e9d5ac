//! Changes on their way to many sockets, over graphql-transport-ws:
//! `wslive --url ws://HOST:PORT/graphql --query TEXT --mode one|all|equal --k 100 --rate 50 --secs 10 --pg CONNECTION [--token TOKEN] [--tree NAME=PID]...`
//!
//! Always holds: a socket has one subscription; with mode `one` it is given a worker of its own as variable `id`, with `equal` all are
//! given the same one, which never changes: what is counted then is a change, not a message. Writers change the
//! state of workers in the database, between the two in which nothing runs, so that nobody's health changes with it, and put the
//! time into their reason, which each message carries back: a latency runs from just before the UPDATE is sent to the message's
//! arrival, on one clock. What a server sends of the present state (`"initial":true`) is waited for first and not counted.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bench_load::{Outcome, connect, find, look, needed, number, percentiles, tell, trees};
use futures_util::{SinkExt as _, StreamExt as _};
use memchr::memmem;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio_postgres::{Client, NoTls};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

const WRITERS: usize = 4;
/// So many workers are changed in turn, at most.
const MOST_CHANGED: usize = 1_000;
/// How long nothing may arrive until all of the present state is taken to be there.
const QUIET: Duration = Duration::from_millis(1500);
const LONGEST: Duration = Duration::from_secs(120);

struct Shared {
    epoch: Instant,
    url: String,
    query: String,
    token: Option<String>,
    ready: AtomicU64,
    /// Messages about the present state.
    present: AtomicU64,
    got: AtomicU64,
    odd: AtomicU64,
    latencies: Mutex<Vec<u64>>,
    gate: Semaphore,
}

fn main() -> Outcome<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}

async fn run() -> Outcome<()> {
    let sockets = number("k", 100.0)? as usize;
    let mode = needed("mode")?;
    let seconds = number("secs", 10.0)?;
    let trees = trees()?;
    let mut ids = workers(sockets.min(MOST_CHANGED) + 1).await?;
    let followed = ids.pop();
    let shared = Arc::new(Shared {
        epoch: Instant::now(),
        url: needed("url")?,
        query: needed("query")?,
        token: find("token"),
        ready: AtomicU64::new(0),
        present: AtomicU64::new(0),
        got: AtomicU64::new(0),
        odd: AtomicU64::new(0),
        latencies: Mutex::new(Vec::new()),
        gate: Semaphore::new(32),
    });
    let opened: Vec<_> = (0..sockets)
        .map(|number| {
            let worker = match mode.as_str() {
                "one" => ids.get(number % ids.len()).copied(),
                "equal" => followed,
                _ => None,
            };
            tokio::spawn(follow(Arc::clone(&shared), worker))
        })
        .collect();
    let settled = settle(&shared, sockets as u64).await;
    let before = look(&trees)?;
    let begin = Instant::now();
    let writers: Vec<_> =
        (0..WRITERS).map(|number| tokio::spawn(write(Arc::clone(&shared), ids.clone(), number, begin, seconds))).collect();
    let (mut changes, mut updates) = (0, Vec::new());
    for writer in writers {
        let took = writer.await??;
        changes += took.len() as u64;
        updates.extend(took);
    }
    let expected = match mode.as_str() {
        "all" => changes * sockets as u64,
        "one" => changes,
        _ => 0,
    };
    while shared.got.load(Ordering::Relaxed) < expected && begin.elapsed().as_secs_f64() < seconds + 15.0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let took = begin.elapsed().as_secs_f64();
    let after = look(&trees)?;
    opened.iter().for_each(|socket| socket.abort());
    let seen = shared.got.load(Ordering::Relaxed);
    let mut latencies = std::mem::take(&mut *shared.latencies.lock().unwrap_or_else(PoisonError::into_inner));
    let mut result = json!({"k": sockets, "open": shared.ready.load(Ordering::Relaxed), "changes": changes, "expected": expected, "seen": seen,
        "present": shared.present.load(Ordering::Relaxed), "present_s": settled.as_secs_f64(), "odd": shared.odd.load(Ordering::Relaxed),
        "msgs_per_s": seen as f64 / took, "ms": percentiles(&mut latencies), "update_ms": percentiles(&mut updates)});
    tell(&mut result, &trees, (&before, &after), took, if mode == "equal" { changes } else { seen } as usize);
    println!("{result}");
    Ok(())
}

async fn database() -> Outcome<Client> {
    let (client, connection) = tokio_postgres::connect(&needed("pg")?, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// As many workers as there are sockets, from all over the table; none of them runs.
async fn workers(count: usize) -> Outcome<Vec<Uuid>> {
    let rows = database().await?.query("SELECT id FROM worker WHERE state IN ('PAUSED', 'ERROR') ORDER BY id", &[]).await?;
    let step = (rows.len() / count).max(1);
    Ok((0..count).filter_map(|number| rows.get(number * step % rows.len().max(1))).map(|row| row.get(0)).collect())
}

/// Waits until every socket has subscribed and the present state has come; answers how long that took.
async fn settle(shared: &Shared, sockets: u64) -> Duration {
    let begin = Instant::now();
    let (mut last, mut since) = (0, Instant::now());
    while begin.elapsed() < LONGEST && (shared.ready.load(Ordering::Relaxed) < sockets || since.elapsed() < QUIET) {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let now = shared.ready.load(Ordering::Relaxed) + shared.present.load(Ordering::Relaxed);
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    since - begin
}

/// One socket, to its end.
async fn follow(shared: Arc<Shared>, worker: Option<Uuid>) {
    if let Err(error) = subscribe(&shared, worker).await {
        eprintln!("a socket has ended: {error}");
    }
}

async fn subscribe(shared: &Shared, worker: Option<Uuid>) -> Outcome<()> {
    let permit = shared.gate.acquire().await?;
    let mut socket = connect(&shared.url, shared.token.as_deref()).await?;
    let variables = worker.map_or(json!({}), |id| json!({"id": id.to_string()}));
    let payload = json!({"query": shared.query, "variables": variables});
    socket.send(Message::text(json!({"id": "1", "type": "subscribe", "payload": payload}).to_string())).await?;
    shared.ready.fetch_add(1, Ordering::Relaxed);
    drop(permit);
    while let Some(message) = socket.next().await {
        match message? {
            Message::Text(text) => {
                if let Some(answer) = shared.count(&text) {
                    socket.send(Message::text(answer)).await?;
                }
            }
            Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
            _ => {}
        }
    }
    Ok(())
}

impl Shared {
    /// Takes note of a message; what it is to be answered with.
    fn count(&self, text: &str) -> Option<&'static str> {
        let now = self.epoch.elapsed().as_nanos() as u64;
        let holds = |part: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
        if holds("\"initial\":true") {
            self.present.fetch_add(1, Ordering::Relaxed);
        } else if let Some(sent) = stamp(text.as_bytes()).filter(|_| holds("\"next\"")) {
            self.latencies.lock().unwrap_or_else(PoisonError::into_inner).push(now.saturating_sub(sent));
            self.got.fetch_add(1, Ordering::Relaxed);
        } else if holds("\"ping\"") {
            return Some(r#"{"type":"pong"}"#);
        } else if self.odd.fetch_add(1, Ordering::Relaxed) < 3 {
            eprintln!("unexpected: {}", text.get(..300).unwrap_or(text));
        }
        None
    }
}

/// The time in a message: the number in a text `"t123"`.
fn stamp(message: &[u8]) -> Option<u64> {
    memmem::find_iter(message, b"\"t").find_map(|place| {
        let rest = &message[place + 2..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest.get(..digits).filter(|number| !number.is_empty() && rest.get(digits) == Some(&b'"'))?;
        std::str::from_utf8(number).ok()?.parse().ok()
    })
}

/// Changes one worker after the other at its part of the rate; answers how long each UPDATE took.
async fn write(shared: Arc<Shared>, ids: Vec<Uuid>, number: usize, begin: Instant, seconds: f64) -> Outcome<Vec<u64>> {
    let client = database().await?;
    let statement = client.prepare("UPDATE worker SET state = $1, reason = $2, updated_at = now() WHERE id = $3").await?;
    let gap = Duration::from_secs_f64(WRITERS as f64 / bench_load::number("rate", 50.0)?);
    let mut due = begin + gap * number as u32 / WRITERS as u32;
    let mut took = Vec::new();
    while begin.elapsed().as_secs_f64() < seconds {
        tokio::time::sleep_until(due.into()).await;
        due += gap;
        let id = ids[(number + took.len() * WRITERS) % ids.len()];
        let sent = shared.epoch.elapsed().as_nanos() as u64;
        let state = ["PAUSED", "ERROR"][took.len() % 2];
        client.execute(&statement, &[&state, &format!("t{sent}"), &id]).await?;
        took.push(shared.epoch.elapsed().as_nanos() as u64 - sent);
    }
    Ok(took)
}
