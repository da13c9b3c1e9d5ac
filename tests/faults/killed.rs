//! PostgreSQL, or what listens to it, is killed under two replicas that are written to and followed.

use tokio::time::Instant;

use super::postgres::Postgres;
use super::scene::Scene;
use super::writing::Writing;
use crate::support::database;

/// Kills PostgreSQL, every process of it at once, and starts it again, so often.
async fn postgresql_is_killed(name: &str, rounds: usize) {
    let postgres = Postgres::start(name).await;
    let scene = Scene::open(&postgres.url, &postgres.pool, 2).await;
    let mut followers = scene.followers().await;
    let writing = Writing::begin(&scene);
    let mut crashes = Vec::new();
    for round in 0..rounds {
        writing.goes_on(Instant::now(), 10).await;
        let crash = Instant::now();
        postgres.kill();
        postgres.cluster.restart().await.expect("it starts again");
        let back = Instant::now();
        crashes.push((crash, back));
        let last = writing.goes_on(back, 1).await;
        let written = back.elapsed();
        for follower in &mut followers {
            follower.shows(last).await;
        }
        let down = back - crash;
        println!(
            "PostgreSQL killed, round {round}: back after {down:.2?}; then written after {written:.2?}, shown after {:.2?}",
            back.elapsed()
        );
    }
    let written = writing.end().await;
    written.check(&postgres.pool, &crashes).await;
    for follower in &mut followers {
        follower.ends_true(&postgres.pool).await;
    }
    scene.end().await;
    postgres.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_killed_under_two_replicas_loses_nothing_that_was_answered() {
    postgresql_is_killed("killed", 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a minute: make faults"]
async fn a_postgresql_killed_thirty_times_loses_nothing_that_was_answered() {
    postgresql_is_killed("killed-often", 30).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_listener_ended_again_and_again_under_writers_loses_nothing() {
    let database = database().await;
    let scene = Scene::open(&database.url, &database.pool, 2).await;
    let mut followers = scene.followers().await;
    let writing = Writing::begin(&scene);
    for round in 0..4 {
        writing.goes_on(Instant::now(), 5).await;
        let listeners = "select count(pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()";
        let (ended, cut) = (scene.number(listeners).await, Instant::now());
        assert_eq!(ended, 2, "each replica listens");
        let last = writing.goes_on(cut, 1).await;
        for follower in &mut followers {
            follower.shows(last).await;
        }
        println!("both listeners ended, round {round}: shown after {:.2?}", cut.elapsed());
    }
    writing.end().await.check(&database.pool, &[]).await;
    for follower in &mut followers {
        follower.ends_true(&database.pool).await;
    }
    scene.end().await;
}
