//! Many who make, change, start, read, stop and delete the same few connectors at once.

use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::{create, delete, postgres, update};
use crate::access::mutate;
use crate::support::{Reply, Stage};

/// What a crowd may be told: that others were faster, and nothing else.
const FINE: &[&str] = &["CONFLICT", "NOT_FOUND"];
/// What must hold whoever was faster: a worker for each connector, and no sync without one.
const WRONG: &str = "select (select count(*) from connector c where (select count(*) from worker w where w.connector_id = c.id) <> 1)
    + (select count(*) from sync_run r where r.status = 'SYNCING' and not exists (select from connector c where c.id = r.connector_id))
    + (select count(*) from pumphouse.connector_revision r where not exists (select from connector c where c.id = r.connector_id))";

async fn act(stage: &Stage, task: usize, connector: Uuid) -> Reply {
    let root = &stage.root;
    match task % 7 {
        0 => create(root, stage.team, &format!("name {}", task % 3), "POSTGRES_SOURCE", postgres("db")).await,
        1 => update(root, json!({"connectorId": connector, "name": format!("name {}", task % 4)})).await,
        2 => update(root, json!({"connectorId": connector, "configuration": postgres(&format!("db{task}"))})).await,
        3 => mutate(root, "startSync", "syncRun { id }", json!({"connectorId": connector, "tables": [{"name": "public.a"}]})).await,
        4 => delete(root, connector, false).await,
        5 => delete(root, connector, task.is_multiple_of(2)).await,
        _ => root.ask(&format!("{{ connector(id: \"{connector}\") {{ name jsonConfiguration worker {{ state restartNeeded }} }} }}")).await,
    }
}

#[tokio::test]
async fn whoever_is_faster_everybody_gets_a_clean_answer_and_nothing_is_half_there() {
    let stage = Stage::open().await;
    for round in 0..6 {
        let mut connectors = Vec::new();
        for index in 0..3 {
            connectors.push(stage.world.source(stage.team, &format!("round {round} {index}")).await.0);
        }
        let replies = join_all((0..42).map(|task| act(&stage, task * 5 + round, connectors[task % 3]))).await;
        for reply in replies {
            if reply.0.get("errors").is_some() {
                assert!(FINE.contains(&reply.code()), "{reply:?}");
            }
        }
        let wrong: i64 = sqlx::query_scalar(WRONG).fetch_one(&stage.world.pool).await.expect("a count");
        assert_eq!(wrong, 0);
    }
    let ends = "select count(*) from sync_run r where r.status <> 'SYNCING' and not exists (select from pumphouse.sync_run_end e where e.sync_run_id = r.id)";
    assert_eq!(sqlx::query_scalar::<_, i64>(ends).fetch_one(&stage.world.pool).await.expect("a count"), 0);
}
