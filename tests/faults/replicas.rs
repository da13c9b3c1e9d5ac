//! A replica is killed while it carries out a mutation: its client asks again, with the same key, at another.

use pumphouse::fleet::Dice;
use serde_json::json;
use tokio::time::Instant;

use super::client::Trouble;
use super::scene::Scene;
use super::writing::{CREATE, Writing};
use crate::program::replica::Replica;
use crate::support::{database, until_somebody_waits};

/// What a mutation with a key writes, in order: wherever it is stopped, it is all there once, or not at all.
const WRITES: [&str; 4] = ["env", "user_log", "idempotency_record", "pumphouse.idempotency_standing"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i03_a_replica_killed_in_mid_mutation_leaves_one_effect_and_one_audit_row_under_its_key() {
    let database = database().await;
    let mut scene = Scene::open(&database.url, &database.pool, 2).await;
    let other = scene.root.at(&scene.replicas[1].base);
    for table in WRITES {
        let (name, variables) = (format!("until {table}"), json!({"name": format!("until {table}")}));
        let mut lock = scene.pool.begin().await.expect("a transaction");
        sqlx::query(sqlx::AssertSqlSafe(format!("lock table {table} in share mode"))).execute(&mut *lock).await.expect("a lock");
        let (one, key, sent) = (scene.root.at(&scene.replicas[0].base), name.clone(), variables.clone());
        let cut = tokio::spawn(async move { one.attempt(Some(&key), CREATE, &sent).await });
        until_somebody_waits(&scene.pool).await;
        let replica = scene.replicas.remove(0);
        let listen = replica.address().to_owned();
        replica.die().await;
        assert_eq!(cut.await.expect("it ends"), Err(Trouble::Silence));
        let died = Instant::now();
        lock.commit().await.expect("the lock ends");
        let answer = other.insist(Some(&name), CREATE, variables.clone()).await;
        println!("a replica killed in mid-mutation, before {table}: answered by the other after {:.2?}", died.elapsed());
        assert_eq!(other.insist(Some(&name), CREATE, variables).await, answer, "the same again is the same answer");
        for rows in ["env where name", "pumphouse.audit_detail where entity_name", "idempotency_record where key"] {
            assert_eq!(scene.number(&format!("select count(*) from {rows} = '{name}'")).await, 1, "{rows}");
        }
        scene.replicas.insert(0, Replica::start(&scene.url, &listen, &[]).await);
    }
    scene.end().await;
}

/// Kills one replica or the other so often, whatever it is just doing.
async fn replicas_are_killed(times: u64, seed: u64) {
    let database = database().await;
    let mut scene = Scene::open(&database.url, &database.pool, 2).await;
    let (mut followers, writing, mut dice) = (scene.followers().await, Writing::begin(&scene), Dice::new(seed, 0));
    for time in 0..times {
        writing.goes_on(Instant::now(), 3 + usize::try_from(dice.below(10)).expect("few")).await;
        let (place, killed) = (usize::try_from(dice.below(2)).expect("few"), Instant::now());
        scene.replicas[place].program.signal("KILL");
        let last = writing.goes_on(killed, 1).await;
        let written = killed.elapsed();
        scene.perish(place).await;
        let back = Instant::now();
        for follower in &mut followers {
            follower.shows(last).await;
        }
        println!("replica {place} killed, time {time}: written after {written:.2?}; once it was back, shown after {:.2?}", back.elapsed());
    }
    writing.end().await.check(&database.pool, &[]).await;
    for follower in &mut followers {
        follower.ends_true(&database.pool).await;
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_killed_at_any_moment_lose_nothing_and_do_nothing_twice() {
    replicas_are_killed(3, 7).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "two minutes: make faults"]
async fn replicas_killed_a_hundred_times_lose_nothing_and_do_nothing_twice() {
    replicas_are_killed(100, 11).await;
}
