//! N03: what the notices cost writers when nobody listens for them.

use std::time::{Duration, Instant};

use sqlx::postgres::{PgPool, PgPoolOptions};

use crate::support::{Server, World};

const WRITERS: usize = 200;
const SPELL: Duration = Duration::from_secs(3);
const ROUNDS: usize = 4;

/// Heartbeats that 200 writers commit in one spell, each of its own worker.
async fn heartbeats(pool: &PgPool) -> u64 {
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar("select id from worker").fetch_all(pool).await.expect("workers");
    let until = Instant::now() + SPELL;
    let writers = ids.into_iter().map(|id| {
        let pool = pool.clone();
        tokio::spawn(async move {
            let mut done = 0;
            while Instant::now() < until {
                let sql = "update worker set last_heartbeat_at = clock_timestamp() where id = $1";
                sqlx::query(sql).bind(id).execute(&pool).await.expect("a heartbeat");
                done += 1;
            }
            done
        })
    });
    let mut all = 0;
    for writer in writers.collect::<Vec<_>>() {
        all += writer.await.expect("a writer");
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn n03_heartbeats_of_200_writers_with_notices_and_without() {
    let server = Server::start().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    for number in 0..WRITERS {
        world.source(team, &format!("source {number}")).await;
    }
    let Server { service, database, .. } = server;
    let pool = PgPoolOptions::new().max_connections(16).connect(&database.url).await.expect("connect");
    // Nobody is there to be told.
    service.stop().await;
    let (mut with, mut without) = (0, 0);
    // In turns, so that what else the machine does falls on both.
    for _ in 0..ROUNDS {
        for (switch, total) in [("enable", &mut with), ("disable", &mut without)] {
            for table in ["worker", "pumphouse.worker_launch"] {
                let sql = format!("alter table {table} {switch} trigger notify_update");
                sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.expect("a switch");
            }
            *total += heartbeats(&pool).await;
        }
    }
    println!("heartbeats of {WRITERS} writers: {with} with notices, {without} without, ratio {}", with * 100 / without.max(1));
}
