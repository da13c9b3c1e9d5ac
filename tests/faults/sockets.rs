//! Clients that are cut off or stop reading, many of them, beside one that misses nothing.

use std::time::Duration;

use futures_util::StreamExt as _;
use pumphouse::fleet::Dice;
use sqlx::{AssertSqlSafe, PgPool};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::following::Follower;
use super::scene::Scene;
use crate::bench::processes::{memory, open_files};
use crate::program::replica::Replica;
use crate::support::{PATIENCE, database, until};

const UPGRADE: &str = "GET /graphql HTTP/1.1\r\nHost: faults\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";
const MIB: u64 = 1024 * 1024;
/// A worker without a health that time alone could change: every event is a change of the test's.
const SILENT: &str = "update worker set state = 'ERROR'; update pumphouse.worker_launch set announced_health = 'INACTIVE'";
/// Sockets that are open at a time.
const AT_ONCE: usize = 32;

/// A text as a client's frame; its mask changes nothing.
fn frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("a short text");
    // The last fragment, of text; masked, and its length follows in two bytes.
    let mut bytes = vec![0x81, 0xfe];
    bytes.extend(length.to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(text.as_bytes());
    bytes
}

/// All that a client says once its socket is upgraded.
fn words(token: &str) -> Vec<u8> {
    let (live, query) = ("subscription { workerChanged { initial worker { reason } } }", "{ envs { nodes { id } totalCount } }");
    words_asking(token, &[live, query, live])
}

/// The same of one who asks for this.
fn words_asking(token: &str, queries: &[&str]) -> Vec<u8> {
    let init = format!(r#"{{"type": "connection_init", "payload": {{"authorization": "Bearer {token}"}}}}"#);
    let asked = queries
        .iter()
        .enumerate()
        .map(|(id, query)| frame(&format!(r#"{{"id": "{}", "type": "subscribe", "payload": {{"query": "{query}"}}}}"#, id + 1)));
    std::iter::once(frame(&init)).chain(asked).collect::<Vec<_>>().concat()
}

/// Connects, says so much of it, perhaps reads a little, and is cut off by RST.
async fn cut_off(address: &str, words: &[u8], said: u64, heard: u64) {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    let said = usize::try_from(said).expect("few");
    let head = said.min(UPGRADE.len());
    socket.write_all(&UPGRADE.as_bytes()[..head]).await.expect("it is said");
    let mut bytes = [0; 512];
    if said > head {
        assert!(socket.read(&mut bytes).await.expect("an answer") > 0);
        socket.write_all(&words[..said - head]).await.expect("it is said");
        for _ in 0..heard {
            let _nothing = timeout(Duration::from_millis(5), socket.read(&mut bytes)).await;
        }
    }
    socket.set_zero_linger().expect("linger");
}

/// Cuts off so many, at moments that the dice say.
async fn cut_off_many(scene: &Scene, dice: &mut Dice, count: usize) {
    let (address, words) = (scene.replicas[0].address(), words(&scene.root.token));
    let most = u32::try_from(UPGRADE.len() + words.len() + 1).expect("few");
    let moments: Vec<(u64, u64)> = (0..count).map(|_| (dice.below(most).into(), dice.below(4).into())).collect();
    futures_util::stream::iter(moments).for_each_concurrent(AT_ONCE, |(said, heard)| cut_off(address, &words, said, heard)).await;
}

/// Changes the worker's state, as another writer of the database; the reason that it gives reads as the number.
async fn change(pool: &PgPool, number: i64, reason: &str) {
    let sql = format!("update worker set state = case state when 'PAUSED' then 'ERROR' else 'PAUSED' end, reason = {reason}");
    sqlx::query(AssertSqlSafe(sql)).bind(number.to_string()).execute(pool).await.expect("a change");
}

/// Changes it again and again; ends with the number of changes.
fn changes(scene: &Scene, stop: CancellationToken) -> JoinHandle<i64> {
    let pool = scene.pool.clone();
    tokio::spawn(async move {
        for number in 1.. {
            change(&pool, number, "$1").await;
            if stop.run_until_cancelled(tokio::time::sleep(Duration::from_millis(10))).await.is_none() {
                return number;
            }
        }
        0
    })
}

/// Waits until the replica has only the follower's socket and subscription left.
async fn at_rest(replica: &Replica) {
    until("only the follower is left", async || {
        replica.metric("pumphouse_sockets").await == 1.0 && replica.metric("pumphouse_subscriptions").await == 1.0
    })
    .await;
}

async fn sockets_are_reset(count: usize, seed: u64) {
    let database = database().await;
    let replica = Replica::start(&database.url, "127.0.0.1:0", &["--pool-size", "4"]).await;
    let scene = Scene::with(&database.url, &database.pool, vec![replica]).await;
    let (replica, mut dice) = (&scene.replicas[0], Dice::new(seed, 0));
    scene.write(SILENT).await;
    let mut follower = Follower::begin(&replica.base, &scene.root.token).await;
    let pid = replica.program.pid();
    // The first ones fill what is kept for later ones: connections of the pool, plans, documents.
    cut_off_many(&scene, &mut dice, count / 4).await;
    at_rest(replica).await;
    let before = (memory(pid, "VmRSS"), open_files(pid));
    let stop = CancellationToken::new();
    let changes = changes(&scene, stop.clone());
    let began = Instant::now();
    cut_off_many(&scene, &mut dice, count).await;
    let (took, over) = (began.elapsed(), Instant::now());
    at_rest(replica).await;
    let recovered = over.elapsed();
    stop.cancel();
    let number = changes.await.expect("changes");
    follower.shows(number).await;
    assert_eq!(follower.all(), (1..=number).collect::<Vec<_>>(), "every change, once, in order");
    until("files are closed", async || open_files(pid) <= before.1 + 4).await;
    let after = (memory(pid, "VmRSS"), open_files(pid));
    println!(
        "{count} sockets reset in {took:.2?}: all gone after {recovered:.2?}; {} KiB then {} KiB, {} open files then {}; {number} changes shown",
        before.0 / 1024,
        after.0 / 1024,
        before.1,
        after.1
    );
    assert!(after.0 < before.0 + 8 * MIB, "memory rose");
    drop(follower);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p01_a_thousand_sockets_reset_at_any_moment_leave_nothing_and_others_miss_nothing() {
    sockets_are_reset(1_000, 5).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a minute: make faults"]
async fn p01_ten_thousand_sockets_reset_at_any_moment_leave_nothing_and_others_miss_nothing() {
    sockets_are_reset(10_000, 5).await;
}

/// P02: clients that come again as soon as they are gone, each with a question of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p02_clients_that_reconnect_again_and_again_leave_nothing() {
    const CLIENTS: usize = 100;
    let database = database().await;
    let replica = Replica::start(&database.url, "127.0.0.1:0", &["--pool-size", "4"]).await;
    let scene = Scene::with(&database.url, &database.pool, vec![replica]).await;
    let replica = &scene.replicas[0];
    let (address, pid) = (replica.address(), replica.program.pid());
    let come = async |rounds: std::ops::Range<usize>| {
        for round in rounds {
            let clients = futures_util::stream::iter(0..CLIENTS);
            let all = clients.for_each_concurrent(AT_ONCE, async |client| {
                // Its answers hang on who asks, and it is like no other.
                let own = format!("subscription {{ workerChanged {{ initial a{round}x{client}: worker {{ id connector {{ id }} }} }} }}");
                let words = words_asking(&scene.root.token, &[&own]);
                cut_off(address, &words, (UPGRADE.len() + words.len()) as u64, 2).await;
            });
            all.await;
        }
        for gauge in ["pumphouse_sockets", "pumphouse_subscriptions", "pumphouse_subscription_executions"] {
            until("they are gone", async || replica.metric(gauge).await == 0.0).await;
        }
    };
    // The first ones fill what is kept for later ones: connections of the pool, plans, documents.
    come(0..2).await;
    let before = (memory(pid, "VmRSS"), open_files(pid));
    come(2..7).await;
    until("files are closed", async || open_files(pid) <= before.1 + 4).await;
    let after = memory(pid, "VmRSS");
    println!("{CLIENTS} clients that reconnect five times: {} KiB then {} KiB", before.0 / 1024, after / 1024);
    assert!(after < before.0 + 8 * MIB, "memory rose");
    scene.end().await;
}

/// What waits for those who do not read is bounded for each, and they are cut off; whoever reads sees everything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n10_clients_that_never_read_cost_a_bounded_memory_and_delay_nobody() {
    const DEAF: u32 = 10;
    let database = database().await;
    let few = ["--socket-write-timeout", "500ms", "--socket-buffer", "256KiB"];
    let replica = Replica::start(&database.url, "127.0.0.1:0", &few).await;
    let scene = Scene::with(&database.url, &database.pool, vec![replica]).await;
    let replica = &scene.replicas[0];
    scene.write(SILENT).await;
    let mut follower = Follower::begin(&replica.base, &scene.root.token).await;
    let mut deaf = Vec::new();
    for _ in 0..DEAF {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut socket = socket.connect(replica.address().parse().expect("an address")).await.expect("a connection");
        socket.write_all(&[UPGRADE.as_bytes(), &words(&scene.root.token)].concat()).await.expect("it is said");
        deaf.push(socket);
    }
    until("all subscribe", async || replica.metric("pumphouse_subscriptions").await == f64::from(2 * DEAF + 1)).await;
    let (before, began, mut number) = (memory(replica.program.pid(), "VmHWM"), Instant::now(), 0);
    while replica.metric("pumphouse_subscriptions").await != 1.0 {
        assert!(began.elapsed() < PATIENCE, "they are not cut off");
        number += 1;
        // A number that is read as one, however long it is.
        change(&scene.pool, number, "repeat('0', 60000) || $1").await;
        follower.shows(number).await;
    }
    let cut_off = began.elapsed();
    assert_eq!(follower.all(), (1..=number).collect::<Vec<_>>(), "every change, once, in order");
    let more = memory(replica.program.pid(), "VmHWM") - before;
    println!("{DEAF} clients that never read: cut off after {cut_off:.2?}, {} KiB more at most, {number} changes shown", more / 1024);
    assert!(more < 64 * MIB, "{more} bytes");
    drop(follower);
    drop(deaf);
    scene.end().await;
}
