//! The board: 100 pipelines with both connectors and their workers, the datamodel, 10 deliveries each.

use std::time::Instant;

use sqlx::AssertSqlSafe;

use super::tell;
use crate::support::{Server, World};

const BOARD: &str = "{ pipelines(first: 100) { nodes { id name version isCompleted
  sourceConnector { id name connectorType worker { id state reason lastHeartbeatAt } }
  targetConnector { id name connectorType worker { id state reason lastHeartbeatAt } }
  datamodel { id name enabled } pipelineSubscriptions(first: 10) { nodes { id name targetTableName enabled } } } } }";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn the_board_of_100_pipelines_at_concurrency_1() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    for number in 0..100 {
        let (source, _) = world.source(team, &format!("source-{number:03}")).await;
        let (target, _) = world.target(team, &format!("target-{number:03}")).await;
        let datamodel = world.datamodel(source, &format!("model-{number:03}")).await;
        world.pipeline(team, &format!("pipeline-{number:03}"), source, target, datamodel).await;
    }
    let deliveries = "insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name, enabled)
        select gen_random_uuid(), 'delivery-' || n, '{}', '[]', p.id, p.datamodel_id, p.target_connector_id, false, 'table_' || n, true from pipeline p, generate_series(1, 10) n";
    sqlx::query(AssertSqlSafe(deliveries)).execute(&server.database.pool).await.expect("deliveries");
    sqlx::query("analyze").execute(&server.database.pool).await.expect("statistics");

    let mut times = Vec::new();
    for round in 0..330 {
        let started = Instant::now();
        let answer = root.ask(BOARD).await.data();
        let took = started.elapsed();
        assert_eq!(answer["pipelines"]["nodes"].as_array().map(Vec::len), Some(100));
        assert_eq!(answer["pipelines"]["nodes"][99]["pipelineSubscriptions"]["nodes"].as_array().map(Vec::len), Some(10));
        if round >= 30 {
            times.push(took);
        }
    }
    tell("board of 100 pipelines over HTTP, concurrency 1", times);
}
