//! Two replicas serve a fleet in trouble while whichever of them leads is killed, again and again: no difference.
//!
//! Always holds: what dies is a process of the program, at whatever instruction it has come to; who leads is what its
//! `/metrics` say. A short storm is a test like any other. The long one, of ten minutes and 500 workers, is asked for by
//! `cargo test --release --test main -- program::storm --ignored --nocapture`; `STORM_SECONDS`, `STORM_WORKERS`,
//! `STORM_EVERY` (seconds between two deaths) and `STORM_SEED` change it.

use std::time::{Duration, Instant};

use super::replica::Replica;
use super::running::{Ended, Program};
use super::serve;
use crate::support::{database, until};

/// How a storm blows.
struct Storm {
    workers: u32,
    seconds: u32,
    /// Between two deaths.
    every: Duration,
    /// What the fleet is told besides.
    more: Vec<String>,
}

/// Lets the fleet live through the storm; answers how it ended, and how many leaders died meanwhile.
async fn blow(storm: Storm) -> (Ended, usize) {
    let database = database().await;
    let start = || Replica::start(&database.url, "127.0.0.1:0", &[]);
    let mut replicas = [start().await, start().await];
    let (workers, duration) = (storm.workers.to_string(), format!("{}s", storm.seconds));
    let mut arguments = vec!["fleet", "--chaos", "--workers", &workers, "--duration", &duration];
    arguments.extend(replicas.iter().flat_map(|replica| ["--url", &replica.base]));
    arguments.extend(storm.more.iter().map(String::as_str));
    let mut fleet = Program::start(&arguments, &[("PUMPHOUSE_ADMIN_PASSWORD", serve::PASSWORD)], "");
    let (began, mut deaths) = (Instant::now(), 0);
    while !fleet.ends_within(storm.every).await {
        let place = leader(&replicas).await;
        replicas = match replicas {
            [one, other] if place == 0 => [one.perish(&database.url).await, other],
            [one, other] => [one, other.perish(&database.url).await],
        };
        deaths += 1;
        println!("{:>4} s: replica {place} led and was killed, the {deaths}. time", began.elapsed().as_secs());
    }
    let fleet = fleet.end().await;
    // The fleet may have ended before anybody followed whoever was killed last.
    leader(&replicas).await;
    for replica in replicas {
        replica.stop().await;
    }
    let epoch: i64 = sqlx::query_scalar("select epoch from pumphouse.leader").fetch_one(&database.pool).await.unwrap();
    assert!(usize::try_from(epoch).unwrap() > deaths, "{epoch} leaderships, {deaths} deaths");
    (fleet, deaths)
}

/// Waits until one of them leads; answers which.
async fn leader(replicas: &[Replica]) -> usize {
    let mut leader = None;
    until("a replica leads", async || {
        for (place, replica) in replicas.iter().enumerate() {
            leader = replica.leads().await.then_some(place).or(leader);
        }
        leader.is_some()
    })
    .await;
    leader.unwrap()
}

#[tokio::test]
async fn a_fleet_finds_no_difference_while_leaders_are_killed() {
    let more = ["--pace", "200ms", "--seed", "7"].map(str::to_owned).to_vec();
    let (fleet, deaths) = blow(Storm { workers: 8, seconds: 10, every: Duration::from_secs(4), more }).await;
    assert!(fleet.done().contains("no difference in the env fleet-"), "{fleet:?}");
    assert!(deaths >= 2, "{deaths}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "ten minutes; the header says how"]
async fn ten_minutes_of_500_workers_find_no_difference_while_leaders_are_killed() {
    let asked = |name, preset| std::env::var(name).map_or(preset, |text| text.parse().unwrap());
    let more = std::env::var("STORM_SEED").map(|seed| vec!["--seed".to_owned(), seed]).unwrap_or_default();
    let (workers, seconds) = (asked("STORM_WORKERS", 500), asked("STORM_SECONDS", 600));
    let every = Duration::from_secs(asked("STORM_EVERY", 20).into());
    let (fleet, deaths) = blow(Storm { workers, seconds, every, more }).await;
    println!("{}{}{deaths} leaders were killed", fleet.out, fleet.err);
    assert!(fleet.done().contains("no difference in the env fleet-"), "the fleet ended with {:?}", fleet.code);
}
