//! What sockets that are told nothing hold of a server's memory, and what is left of those that have gone:
//! `wsidle --url ws://HOST:PORT/graphql --k 5000 --again 10000 --tree server=PID [--token TOKEN]`
//!
//! Always holds: every socket was taken by the server (`connection_ack`) before memory is read.

use std::time::Duration;

use bench_load::{Outcome, Socket, connect, find, needed, number, resident, trees};
use futures_util::future::try_join_all;
use serde_json::json;

/// Sockets that are opened at a time.
const TOGETHER: usize = 50;
/// How long a server may take to let go of what it does not need.
const PAUSE: Duration = Duration::from_secs(3);

fn main() -> Outcome<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}

async fn run() -> Outcome<()> {
    let (count, again) = (number("k", 5_000.0)? as usize, number("again", 10_000.0)? as usize);
    let (url, token) = (needed("url")?, find("token"));
    let trees = trees()?;
    let server = trees.first().ok_or("--tree is missing")?;
    let open = async || -> Outcome<Vec<Socket>> { try_join_all((0..TOGETHER).map(|_| connect(&url, token.as_deref()))).await };
    // What the first ones bring about once is not theirs.
    close(open().await?).await;
    tokio::time::sleep(PAUSE).await;
    let before = resident(server)?;
    let mut sockets = Vec::with_capacity(count);
    while sockets.len() < count {
        sockets.extend(open().await?);
    }
    tokio::time::sleep(PAUSE).await;
    let with = resident(server)?;
    let opened = sockets.len();
    close(sockets).await;
    tokio::time::sleep(PAUSE).await;
    let closed = resident(server)?;
    let mut after = Vec::new();
    for _ in 0..2 {
        for _ in 0..again / 2 / TOGETHER {
            close(open().await?).await;
        }
        tokio::time::sleep(PAUSE).await;
        after.push(resident(server)? as f64 / 1024.0);
    }
    println!(
        "{}",
        json!({"k": opened, "before_mb": before as f64 / 1024.0, "kib_each": with.saturating_sub(before) as f64 / opened as f64,
            "closed_mb": closed as f64 / 1024.0, "again": again, "again_mb": after})
    );
    Ok(())
}

async fn close(sockets: Vec<Socket>) {
    for mut socket in sockets {
        // One that the server has closed is gone too.
        let _gone = socket.close(None).await;
    }
}
