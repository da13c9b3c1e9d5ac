//! The network between a replica and the database falls silent: nothing arrives, nothing is closed.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::CONVERGED;
use super::client::{Client, Trouble};
use super::scene::Scene;
use super::wire::Wire;
use super::writing::{CREATE, Writing};
use crate::program::probe;
use crate::program::replica::Replica;
use crate::support::{database, until};

/// The patience of the replica behind the wire.
pub const IMPATIENT: [&str; 8] =
    ["--request-timeout", "1s", "--statement-timeout", "1s", "--lock-timeout", "900ms", "--acquire-timeout", "500ms"];
/// When a request is answered at the latest: its deadline, and what a busy machine adds.
const ANSWERED: Duration = Duration::from_secs(4);

/// A replica that reaches the database directly, and leads; one behind a wire.
async fn behind_a_wire(more: &[&str]) -> (Scene, Wire) {
    let database = database().await;
    let direct = Replica::start(&database.url, "127.0.0.1:0", &[]).await;
    until("it leads", async || direct.leads().await).await;
    let wire = Wire::to(&database.url, "127.0.0.1:0").await;
    let cut_off = Replica::start(&wire.url(&database.url), "127.0.0.1:0", &[&IMPATIENT, more].concat()).await;
    (Scene::with(&database.url, &database.pool, vec![direct, cut_off]).await, wire)
}

/// What a replica that is cut off says: a code, in time, and of its probes the truth. The other one goes on.
pub async fn says_so(scene: &Scene, place: usize) {
    let base = &scene.replicas[place].base;
    let asked = Instant::now();
    let answer = scene.root.at(base).attempt(None, "{ envs { totalCount } }", &json!({})).await;
    assert!(matches!(answer, Err(Trouble::Code(_))), "{answer:?}");
    assert!(asked.elapsed() < ANSWERED, "{:?}", asked.elapsed());
    assert_eq!(probe(base, "readyz").await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(probe(base, "livez").await, StatusCode::OK);
    let other = scene.root.at(&scene.replicas[1 - place].base);
    other.attempt(Some("meanwhile"), CREATE, &json!({"name": "meanwhile"})).await.expect("the other goes on");
}

pub async fn is_ready(scene: &Scene, place: usize) {
    until("it is ready", async || probe(&scene.replicas[place].base, "readyz").await == StatusCode::OK).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_on_a_silent_network_answers_codes_and_goes_on_when_bytes_pass_again() {
    let (scene, wire) = behind_a_wire(&[]).await;
    let (mut followers, writing) = (scene.followers().await, Writing::begin(&scene));
    writing.goes_on(Instant::now(), 5).await;
    wire.fall_silent();
    let cut = Instant::now();
    says_so(&scene, 1).await;
    wire.pass();
    let back = Instant::now();
    is_ready(&scene, 1).await;
    let ready = back.elapsed();
    let last = writing.goes_on(back, 2).await;
    followers[1].shows(last).await;
    println!("network silent for {:.2?}: ready again after {ready:.2?}, shown after {:.2?}", back - cut, back.elapsed());
    writing.end().await.check(&scene.pool, &[]).await;
    for follower in &mut followers {
        follower.ends_true(&scene.pool).await;
    }
    scene.end().await;
}

/// Asks for so much that this many connections are in use at once, then does something.
async fn all_at_once(scene: &Scene, here: &Client, many: i64, then: impl FnOnce()) -> Vec<Result<Value, Trouble>> {
    let mut lock = scene.pool.begin().await.expect("a transaction");
    sqlx::query("lock table license_state").execute(&mut *lock).await.expect("a lock");
    let asked = json!({});
    let mut asking = join_all((0..many).map(|_| here.attempt(None, "{ license { id } }", &asked)));
    let wait = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    tokio::select! {
        answers = &mut asking => panic!("not {many} at once: {answers:?}"),
        () = until("all wait", async || scene.number(wait).await == many) => {}
    }
    then();
    lock.commit().await.expect("the lock ends");
    asking.await
}

/// Half-open connections that rest: one that does not answer is enough to give up all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_died_at_rest_are_given_up_together() {
    let (scene, wire) = behind_a_wire(&["--pool-size", "4"]).await;
    let here = scene.root.at(&scene.replicas[1].base);
    let answers = all_at_once(&scene, &here, 4, || {}).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    // Whether they live is asked of those alone that have rested for a second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    wire.lose();
    let lost = Instant::now();
    here.insist(None, "{ envs { totalCount } }", json!({})).await;
    println!("connections half-open, all at rest: answered after {:.2?}", lost.elapsed());
    let answers = all_at_once(&scene, &here, 4, || {}).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    scene.end().await;
}

/// Half-open connections: every one that requests may have waits for an answer that will never come, and takes up its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_died_without_a_word_are_replaced_also_those_in_use() {
    let (scene, wire) = behind_a_wire(&["--pool-size", "2"]).await;
    let here = scene.root.at(&scene.replicas[1].base);
    let mut lost = Instant::now();
    let answers = all_at_once(&scene, &here, 2, || {
        wire.lose();
        lost = Instant::now();
    });
    assert!(answers.await.iter().all(|answer| matches!(answer, Err(Trouble::Code(_)))));
    here.insist(None, "{ envs { totalCount } }", json!({})).await;
    println!("connections half-open, all in use: answered after {:.2?}", lost.elapsed());
    assert!(lost.elapsed() < CONVERGED, "{:?}", lost.elapsed());
    scene.end().await;
}

/// With default settings, and subscribers, and the jobs: what is cut off leads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a minute: make faults"]
async fn a_leader_on_a_silent_network_is_followed_and_half_open_connections_are_found() {
    let database = database().await;
    let wire = Wire::to(&database.url, "127.0.0.1:0").await;
    let cut_off = Replica::start(&wire.url(&database.url), "127.0.0.1:0", &[]).await;
    until("it leads", async || cut_off.leads().await).await;
    let direct = Replica::start(&database.url, "127.0.0.1:0", &[]).await;
    let scene = Scene::with(&database.url, &database.pool, vec![cut_off, direct]).await;
    let (mut followers, writing) = (scene.followers().await, Writing::begin(&scene));
    writing.goes_on(Instant::now(), 5).await;
    wire.fall_silent();
    let cut = Instant::now();
    until("the other leads", async || scene.replicas[1].leads().await).await;
    println!("leader on a silent network: followed after {:.2?}", cut.elapsed());
    // The lock ends within ten seconds, which the other asks for every second.
    assert!(cut.elapsed() < CONVERGED + Duration::from_secs(2), "{:?}", cut.elapsed());
    wire.lose();
    let lost = Instant::now();
    let last = writing.goes_on(lost, 1).await;
    let written = lost.elapsed();
    // Its listener may be silent for twenty seconds until it is taken for dead.
    while !followers[0].has_shown(last) {
        assert!(lost.elapsed() < CONVERGED * 3, "never shown");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("then its connections half-open: written after {written:.2?}, shown after {:.2?}", lost.elapsed());
    is_ready(&scene, 0).await;
    assert!(!scene.replicas[0].leads().await, "it was followed");
    writing.end().await.check(&scene.pool, &[]).await;
    for follower in &mut followers {
        follower.ends_true(&scene.pool).await;
    }
    scene.end().await;
}
