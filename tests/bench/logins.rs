//! What 200 who sign in at once cost those who are in already.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pumphouse::access::SignInLimits;
use serde_json::json;

use super::{percentile, tell};
use crate::support::{Caller, PASSWORD, Server, TestSettings, World};

const LOGINS: usize = 200;
const QUERIES: usize = 1_500;
/// At rest and beside logins by turns, as the machine has better and worse moments.
const TURNS: usize = 3;
const QUERY: &str = "{ viewer { user { email } } teams(first: 50) { nodes { id name env { name } members(first: 10) { nodes { admin user { email } } } } } }";
const LOGIN: &str = "mutation($input: LoginInput!) { login(input: $input) { accessToken } }";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn queries_beside_200_parallel_logins() {
    let sign_in = SignInLimits { per_account: 1_000, per_address: 1_000_000, window: Duration::from_mins(15) };
    let server = Arc::new(Server::start_with(TestSettings { sign_in, ..TestSettings::default() }).await);
    let root = server.superuser().await;
    server.user_with_password("u0@example.com", false).await;
    let more = "insert into \"user\" (id, email, hashed_password, is_active, is_superuser, is_verified, version)
        select gen_random_uuid(), 'u' || n || '@example.com', u.hashed_password, true, false, true, 1 from \"user\" u, generate_series(1, 199) n where u.email = 'u0@example.com'";
    sqlx::query(more).execute(&server.database.pool).await.expect("users");
    let world = World::of(&server);
    let env = world.env("prod").await;
    for number in 0..50 {
        let team = world.team(env, &format!("team-{number:02}")).await;
        world.join_team(root.id, team, true).await;
    }
    queries(&root).await;
    let (mut rest, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        rest.extend(queries(&root).await);
        beside.extend(queries_beside_logins(&server, &root).await);
    }
    rest.sort_unstable();
    beside.sort_unstable();
    let ratio = percentile(&beside, 0.99).as_secs_f64() / percentile(&rest, 0.99).as_secs_f64();
    tell("queries at rest", rest);
    tell("queries beside 200 parallel logins", beside);
    println!("p99 is {ratio:.2} times that at rest");
}

async fn queries_beside_logins(server: &Arc<Server>, root: &Caller) -> Vec<Duration> {
    let (over, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let began = Instant::now();
    let logins: Vec<_> =
        (0..LOGINS).map(|number| tokio::spawn(keep_signing_in(Arc::clone(server), number, Arc::clone(&over), Arc::clone(&done)))).collect();
    while done.load(Ordering::Relaxed) < 4 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let beside = queries(root).await;
    over.store(true, Ordering::Relaxed);
    let (count, took) = (done.load(Ordering::Relaxed), began.elapsed());
    for login in logins {
        login.await.expect("it ends");
    }
    println!("logins: {count} in {took:.1?}");
    beside
}

async fn keep_signing_in(server: Arc<Server>, number: usize, over: Arc<AtomicBool>, done: Arc<AtomicUsize>) {
    let input = json!({"input": {"email": format!("u{number}@example.com"), "password": PASSWORD}});
    while !over.load(Ordering::Relaxed) {
        // On a machine that others use too a login may take longer than a request may.
        let answer = server.nobody().ask_with(LOGIN, input.clone()).await;
        done.fetch_add(usize::from(answer.0.get("errors").is_none()), Ordering::Relaxed);
    }
}

/// How long each of many queries took, one after the other.
async fn queries(caller: &Caller) -> Vec<Duration> {
    let mut times = Vec::with_capacity(QUERIES);
    for _ in 0..QUERIES {
        let started = Instant::now();
        let answer = caller.ask(QUERY).await.data();
        times.push(started.elapsed());
        assert_eq!(answer["teams"]["nodes"].as_array().map(Vec::len), Some(50));
    }
    times
}
