//! The launcher of processes: what it takes for lost, and what it launches again.

use std::path::PathBuf;
use std::time::Duration;

use pumphouse::launcher::ProcessSettings;
use serde_json::json;

use crate::support::{Server, Stage, TestSettings, database, settings};

/// A server whose workers are this program.
async fn launching(program: &str, silence: Option<Duration>) -> Stage {
    let database = database().await;
    let mut settings = settings(&database.url, &TestSettings::default());
    settings.launcher = Some(ProcessSettings {
        program: PathBuf::from(program),
        log: None,
        token_lifetime: Duration::from_hours(1),
        silence,
        environment: Vec::new(),
    });
    Stage::on(Server::with(database, settings).await).await
}

async fn attempts(stage: &Stage) -> i32 {
    sqlx::query_scalar("select attempts from pumphouse.worker_launch where worker_id = $1")
        .bind(stage.worker)
        .fetch_one(&stage.world.pool)
        .await
        .expect("a launch")
}

/// Makes the worker one that another replica launched and that has just reported.
async fn launched_elsewhere(stage: &Stage) -> uuid::Uuid {
    let generation = uuid::Uuid::new_v4();
    let change = "with l as (update pumphouse.worker_launch set generation = $2, launched_by = 'process', launched_at = now() - interval '5 minutes',
            asked_at = now() - interval '5 minutes', attempts = 1 where worker_id = $1)
        update worker set state = 'LIVE', launch_generation = $2, last_heartbeat_at = clock_timestamp() where id = $1";
    sqlx::query(change).bind(stage.worker).bind(generation).execute(&stage.world.pool).await.expect("a launch elsewhere");
    generation
}

#[tokio::test]
async fn a_process_that_ends_at_once_is_launched_again() {
    for program in ["/bin/false", "/nowhere/pumphouse"] {
        let stage = launching(program, Some(Duration::from_secs(90))).await;
        let first = stage.start().await;
        let end = tokio::time::Instant::now() + crate::support::PATIENCE;
        while attempts(&stage).await < 2 || stage.generation().await == first {
            assert!(tokio::time::Instant::now() < end, "{program} is not launched again");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test]
async fn a_worker_of_another_replica_is_lost_when_it_is_silent_and_not_before() {
    let stage = launching("/bin/false", Some(Duration::from_mins(1))).await;
    let generation = launched_elsewhere(&stage).await;
    // Another worker is launched meanwhile: the launcher has looked at both by then, and more than once.
    let (_, other) = stage.world.source(stage.team, "other").await;
    stage.command(&stage.root, "startWorker", other).await.data();
    let tried = "select attempts from pumphouse.worker_launch where worker_id = $1";
    let end = tokio::time::Instant::now() + crate::support::PATIENCE;
    while sqlx::query_scalar::<_, i32>(tried).bind(other).fetch_one(&stage.world.pool).await.expect("a launch") < 2 {
        assert!(tokio::time::Instant::now() < end, "the launcher does nothing");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((stage.generation().await, stage.worker_now().await["state"].clone()), (generation, json!("LIVE")));
    stage.write("update worker set last_heartbeat_at = now() - interval '2 minutes' where state = 'LIVE'").await;
    stage.write("update pumphouse.leader set hearing_since = now() - interval '1 hour'").await;
    stage.worker_when(|worker| worker["state"] == "BUILDING").await;
    assert_ne!(stage.generation().await, generation);
}

#[tokio::test]
async fn where_there_is_one_replica_what_it_did_not_start_is_gone() {
    let stage = launching("/bin/false", None).await;
    let generation = launched_elsewhere(&stage).await;
    stage.worker_when(|worker| worker["state"] == "BUILDING").await;
    assert_ne!(stage.generation().await, generation);
}

/// R11: a stop is no lost worker.
#[tokio::test]
async fn r11_a_worker_that_was_stopped_is_not_launched_again() {
    let stage = launching("/bin/false", None).await;
    stage.start().await;
    let end = tokio::time::Instant::now() + crate::support::PATIENCE;
    while attempts(&stage).await < 1 {
        assert!(tokio::time::Instant::now() < end, "it is not launched");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stage.stop().await;
    stage.worker_when(|worker| worker["state"] == "PAUSED").await;
    let after = stage.transitions().await;
    // Another worker is launched meanwhile, more than once: the launcher has looked at both by then.
    let (_, other) = stage.world.source(stage.team, "other").await;
    stage.command(&stage.root, "startWorker", other).await.data();
    let tried = "select attempts from pumphouse.worker_launch where worker_id = $1";
    while sqlx::query_scalar::<_, i32>(tried).bind(other).fetch_one(&stage.world.pool).await.expect("a launch") < 2 {
        assert!(tokio::time::Instant::now() < end, "the launcher does nothing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(stage.transitions().await, after);
}
