//! A network of its own, whose cable to the database or to clients is pulled: what is sent is acknowledged by nobody.
//!
//! Always holds: without the right to make networks the test says so and does nothing; the network goes with its test.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pumphouse::server::ServerSettings;
use serde_json::json;
use tokio::time::Instant;

use super::cut::{IMPATIENT, is_ready, says_so};
use super::scene::Scene;
use super::wire::Wire;
use super::writing::Writing;
use crate::program::KEY;
use crate::program::replica::Replica;
use crate::program::running::{PUMPHOUSE, Program};
use crate::program::serve::PASSWORD;
use crate::support::{Server, TestSettings, database, until};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A network with one cable to the database and one to clients.
struct Namespace {
    name: String,
    /// The first three numbers of its addresses.
    prefix: String,
}

const SKIPPED: &str = "skipped: no network can be made here (needs root and `ip netns`)";

/// Runs `ip` with these words; whether that went well.
fn ip(words: &str) -> bool {
    Command::new("ip").args(words.split(' ')).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl Namespace {
    /// Other runs of the tests on this machine have other process numbers, and so other names and addresses; so do two of one run.
    fn make() -> Option<Self> {
        let id = std::process::id() + 1_000_003 * NEXT.fetch_add(1, Ordering::Relaxed);
        let (name, prefix) = (format!("pf{id}"), format!("10.{}.{}", 200 + id / 250 % 50, id % 250));
        let namespace = Self { name: name.clone(), prefix: prefix.clone() };
        let mut made = ip(&format!("netns add {name}"));
        for (cable, here, there) in [("d", 1, 2), ("c", 5, 6)] {
            made = made
                && ip(&format!("link add {name}{cable} type veth peer name {cable}0 netns {name}"))
                && ip(&format!("addr add {prefix}.{here}/30 dev {name}{cable}"))
                && ip(&format!("link set {name}{cable} up"))
                && ip(&format!("-n {name} addr add {prefix}.{there}/30 dev {cable}0"))
                && ip(&format!("-n {name} link set {cable}0 up"));
        }
        made.then_some(namespace)
    }

    /// Pulls the cable of a client that lives there.
    fn pull_client(&self) {
        assert!(ip(&format!("-n {} link set c0 down", self.name)), "the cable");
    }

    /// Pulls the cable to the database, or puts it in again.
    fn database(&self, state: &str) {
        assert!(ip(&format!("link set {}d {state}", self.name)), "the cable");
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _gone = ip(&format!("link del {}d", self.name)) && ip(&format!("link del {}c", self.name));
        let _gone = ip(&format!("netns del {}", self.name));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_whose_cable_is_pulled_answers_codes_and_goes_on_when_it_is_back() {
    let Some(network) = Namespace::make() else {
        println!("{SKIPPED}");
        return;
    };
    let (name, prefix) = (&network.name, &network.prefix);
    let database = database().await;
    let wire = Wire::to(&database.url, &format!("{prefix}.1:0")).await;
    let direct = Replica::start(&database.url, "127.0.0.1:0", &[]).await;
    let mut command = Command::new("ip");
    command.args(["netns", "exec", name, PUMPHOUSE, "serve", "--listen", &format!("{prefix}.6:8080")]);
    command.args(IMPATIENT);
    command.env_clear().env("PATH", std::env::var_os("PATH").expect("a path")).env("PUMPHOUSE_DATABASE_URL", wire.url(&database.url));
    command.envs([("PUMPHOUSE_ENCRYPTION_KEYS", format!("k1:{KEY}")), ("PUMPHOUSE_TOKEN_KEY", KEY.to_owned())]);
    command.env("PUMPHOUSE_ADMIN_PASSWORD", PASSWORD);
    let cut_off = Replica::of(Program::run(command.into(), "")).await;
    let scene = Scene::with(&database.url, &database.pool, vec![direct, cut_off]).await;
    let (mut followers, writing) = (scene.followers().await, Writing::begin(&scene));
    writing.goes_on(Instant::now(), 5).await;
    network.database("down");
    let cut = Instant::now();
    says_so(&scene, 1).await;
    network.database("up");
    let back = Instant::now();
    is_ready(&scene, 1).await;
    let ready = back.elapsed();
    let last = writing.goes_on(back, 1).await;
    followers[1].shows(last).await;
    println!("cable pulled for {:.2?}: ready again after {ready:.2?}, shown after {:.2?}", back - cut, back.elapsed());
    writing.end().await.check(&scene.pool, &[]).await;
    for follower in &mut followers {
        follower.ends_true(&scene.pool).await;
    }
    scene.end().await;
}

/// A client's process, which ends with the test however that ends.
struct Client(Child);

impl Drop for Client {
    fn drop(&mut self) {
        let _gone = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// P05, for a stream of events: what it is told every now and then is acknowledged by nobody.
#[tokio::test]
async fn p05_a_stream_whose_client_vanishes_ends() {
    let Some(network) = Namespace::make() else {
        println!("{SKIPPED}");
        return;
    };
    let (name, prefix) = (&network.name, &network.prefix);
    let settings = ServerSettings {
        ping_interval: Duration::from_millis(200),
        body_timeout: Duration::from_millis(500),
        write_timeout: Duration::from_millis(250),
        ..ServerSettings::at(format!("{prefix}.5:0").parse().expect("an address"))
    };
    let server = Server::start_with(TestSettings { server: settings, ..TestSettings::default() }).await;
    let root = server.superuser().await;
    let body = json!({"query": "subscription { workerChanged { initial } }"}).to_string();
    let (token, length, to) = (root.token.as_deref().expect("a token"), body.len(), server.service.address());
    let request = format!(
        "POST /graphql HTTP/1.1\\r\\nHost: here\\r\\nAccept: text/event-stream\\r\\nContent-Type: application/json\\r\\n\
         Authorization: Bearer {token}\\r\\nContent-Length: {length}\\r\\n\\r\\n"
    );
    let script = format!("exec 3<>/dev/tcp/{}/{}; printf '{request}' >&3; printf '%s' '{body}' >&3; exec cat <&3", to.ip(), to.port());
    let mut command = Command::new("ip");
    command.args(["netns", "exec", name, "bash", "-c", &script]).stdout(Stdio::null());
    let _client = Client(command.spawn().expect("a client"));
    until("it follows", async || server.metric("pumphouse_subscriptions").await == 1.0).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(server.metric("pumphouse_subscriptions").await, 1.0, "one that is there stays, however quiet it is");
    network.pull_client();
    let pulled = Instant::now();
    until("the stream has ended", async || server.metric("pumphouse_subscriptions").await == 0.0).await;
    println!("a client's cable pulled: its stream ended after {:.2?}", pulled.elapsed());
}
