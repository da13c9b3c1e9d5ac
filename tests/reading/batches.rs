//! Exact batches: how many statements a request costs, in every one of a thousand requests.
//!
//! The sum proves each: no request can do with fewer, so a sum of the fewest possible means that every one was exact.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::{Caller, Server};

const BOARD: &str = "{ pipelines(first: COUNT) { nodes { id sourceConnector { id worker { state } } targetConnector { id worker { state } } \
    datamodel { id } pipelineSubscriptions(first: 10) { nodes { id } } } } }";

/// Pipelines, both kinds of connectors with workers, datamodels and subscriptions on one page, and who asks.
const FEWEST: u64 = 5;
const REQUESTS: u64 = 1_000;
/// Every so many requests ask for all hundred pipelines, the others for four, as rows cost time without optimisation;
/// how requests are batched does not depend on them.
const WHOLE: u64 = if cfg!(debug_assertions) { 40 } else { 1 };

/// A hundred pipelines, each with its own source, target and datamodel and with three deliveries.
const ROWS: &str = "
create temp table n as select g, gen_random_uuid() s, gen_random_uuid() t, gen_random_uuid() d, gen_random_uuid() p from generate_series(1, 100) g;
insert into env (id, name, retention_configuration) values (gen_random_uuid(), 'prod', '{}');
insert into team (id, name, env_id) select gen_random_uuid(), 'core', id from env;
insert into connector (id, name, connector_type, json_configuration, way, team_id)
  select s, 'source ' || g, 'POSTGRES_SOURCE', '{}'::json, 'SOURCE', (select id from team) from n
  union all select t, 'target ' || g, 'POSTGRES_TARGET', '{}'::json, 'TARGET', (select id from team) from n;
insert into worker (id, state, connector_id, launch_generation) select gen_random_uuid(), 'PAUSED', id, gen_random_uuid() from connector;
insert into datamodel (id, name, config, source_connector_id) select d, 'model ' || g, '{}', s from n;
insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id, target_connector_id, datamodel_id)
  select p, 'pipeline ' || g, '{}', 1, true, (select id from team), s, t, d from n;
insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name)
  select gen_random_uuid(), 'to ' || k, '{}', '[]', p, d, t, false, 'table ' || k from n cross join generate_series(1, 3) k;";

async fn board() -> (Server, Caller) {
    let server = Server::start().await;
    let root = server.superuser().await;
    sqlx::raw_sql(ROWS).execute(&server.database.pool).await.expect("a hundred pipelines");
    (server, root)
}

/// What one request costs beside the viewer.
async fn cost(server: &Server, caller: &Caller, query: &str) -> u64 {
    let before = server.statements();
    caller.ask(query).await.data();
    server.statements() - before
}

async fn thousand_boards(at_a_time: u64) {
    let (server, root) = board().await;
    let mut lengths = Vec::new();
    for count in [100, 4] {
        let answer = root.ask(&BOARD.replace("COUNT", &count.to_string())).await.data();
        assert_eq!(answer["pipelines"]["nodes"].as_array().map(Vec::len), Some(count));
        lengths.push((count, json!({ "data": answer }).to_string().len()));
    }
    let boards: Arc<Vec<(String, usize)>> =
        Arc::new(lengths.into_iter().map(|(count, length)| (BOARD.replace("COUNT", &count.to_string()), length)).collect());
    let before = server.statements();
    let clients = (0..at_a_time).map(|client| {
        let (root, boards) = (root.clone(), Arc::clone(&boards));
        tokio::spawn(async move {
            for request in (client..REQUESTS).step_by(usize::try_from(at_a_time).expect("few")) {
                let (board, length) = &boards[usize::from(!request.is_multiple_of(WHOLE))];
                assert_eq!(root.bytes(board).await.len(), *length, "every answer is the same");
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.expect("a client");
    }
    assert_eq!(server.statements() - before, REQUESTS * FEWEST);
    server.service.stop().await;
}

#[tokio::test]
async fn one_request_at_a_time_on_one_thread_is_exact() {
    thousand_boards(1).await;
}

#[tokio::test]
async fn sixteen_requests_at_a_time_on_one_thread_are_exact() {
    thousand_boards(16).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_request_at_a_time_on_two_threads_is_exact() {
    thousand_boards(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_requests_at_a_time_on_two_threads_are_exact() {
    thousand_boards(16).await;
}

#[tokio::test]
async fn a_page_inside_a_list_is_one_statement_whatever_the_number_of_parents() {
    let (server, root) = board().await;
    let nested = |parents: u32, selection: &str| format!("{{ pipelines(first: {parents}) {{ nodes {{ {selection} }} }} }}");
    let cursor = root.ask("{ pipelines(first: 1) { nodes { pipelineSubscriptions(first: 1) { pageInfo { endCursor } } } } }").await.data();
    let cursor = cursor["pipelines"]["nodes"][0]["pipelineSubscriptions"]["pageInfo"]["endCursor"].clone();
    for parents in [1, 10, 100] {
        let page = "pipelineSubscriptions(first: 2) { nodes { id } pageInfo { endCursor hasNextPage hasPreviousPage } }";
        assert_eq!(cost(&server, &root, &nested(parents, page)).await, 2, "{parents} parents");
        let counted = "pipelineSubscriptions(first: 2) { totalCount nodes { id } }";
        assert_eq!(cost(&server, &root, &nested(parents, counted)).await, 3, "{parents} parents, counted");
        let later = format!("pipelineSubscriptions(first: 2, after: {cursor}) {{ nodes {{ id }} pageInfo {{ hasPreviousPage }} }}");
        assert_eq!(cost(&server, &root, &nested(parents, &later)).await, 3, "{parents} parents, looking back");
        let two = "a: pipelineSubscriptions(first: 2) { nodes { id } } b: pipelineSubscriptions(last: 2) { nodes { id } }";
        assert_eq!(cost(&server, &root, &nested(parents, two)).await, 3, "{parents} parents, two pages");
    }
}

#[tokio::test]
async fn edges_to_one_type_share_one_statement() {
    let (server, root) = board().await;
    let both = "{ pipelines(first: 100) { nodes { sourceConnector { id } targetConnector { id } } } }";
    assert_eq!(cost(&server, &root, both).await, 2);
    let through_two_ways = "{ pipelines(first: 100) { nodes { team { name } sourceConnector { team { name } } } } }";
    assert_eq!(cost(&server, &root, through_two_ways).await, 4);
    let wide = "{ pipelines(first: 100) { nodes { name jsonConfiguration errorTableConfig } } }";
    assert_eq!(cost(&server, &root, wide).await, 3);
    let computed = "{ workers(first: 100) { nodes { health savedRevision runningRevision restartNeeded launchGeneration } } }";
    assert_eq!(cost(&server, &root, computed).await, 3);
}

#[tokio::test]
async fn a_query_of_depth_d_costs_at_most_d_batches() {
    let (server, root) = board().await;
    // One kind of edge a level: the number of statements is the number of batches.
    let levels = [
        ("pipelines(first: 100) { nodes", "} "),
        ("sourceConnector", ""),
        ("datamodels(first: 5) { nodes", "} "),
        ("pipelineSubscriptions(first: 5) { nodes", "} "),
        ("targetConnector", ""),
        ("worker", ""),
        ("connector", ""),
        ("team", ""),
        ("env", ""),
        ("teams(first: 5) { nodes", "} "),
        ("connectors(first: 3) { nodes", "} "),
    ];
    for depth in 1..=levels.len() {
        let opened: String = levels[..depth].iter().map(|(open, _)| format!("{open} {{ id ")).collect();
        let closed: String = levels[..depth].iter().rev().map(|(_, close)| format!("}} {close}")).collect();
        let spent = cost(&server, &root, &format!("{{ {opened}{closed}}}")).await;
        assert_eq!(spent, u64::try_from(depth).expect("small"), "depth {depth}");
    }
}

#[tokio::test]
async fn roots_of_one_query_do_not_multiply_what_hangs_below_them() {
    let (server, root) = board().await;
    let query = "{ a: pipelines(first: 10) { nodes { team { id } } } b: connectors(first: 10) { nodes { team { id } } } \
        c: pipelines(last: 10) { nodes { team { id } } } }";
    assert_eq!(cost(&server, &root, query).await, 4, "three lists and one batch of teams");
    let ids = root.ask("{ pipelines(first: 100) { nodes { id } } }").await.data();
    let ids: Vec<&Value> = ids["pipelines"]["nodes"].as_array().expect("rows").iter().map(|row| &row["id"]).collect();
    let aliases: String = ids.iter().enumerate().map(|(place, id)| format!("p{place}: pipeline(id: {id}) {{ name }} ")).collect();
    assert_eq!(cost(&server, &root, &format!("{{ {aliases} }}")).await, 1, "a hundred lookups, one statement");
}

/// Six hundred connectors with workers, and a sync of each that has ended.
const CONNECTORS: &str = "
insert into env (id, name, retention_configuration) values (gen_random_uuid(), 'prod', '{}');
insert into team (id, name, env_id) select gen_random_uuid(), 'team ' || g, env.id from env, generate_series(1, 20) g;
insert into connector (id, name, connector_type, json_configuration, way, team_id)
  select gen_random_uuid(), 'source ' || g, 'POSTGRES_SOURCE', '{}'::json, 'SOURCE', (select id from team where name = 'team ' || (1 + g % 20))
  from generate_series(1, 600) g;
insert into worker (id, state, connector_id, launch_generation) select gen_random_uuid(), 'PAUSED', id, gen_random_uuid() from connector;
insert into datamodel (id, name, config, source_connector_id, source_topic) select gen_random_uuid(), name, '{}', id, name from connector;
insert into sync_run (id, connector_id, status) select gen_random_uuid(), id, 'DONE' from connector;";

#[tokio::test]
async fn q12_six_hundred_connectors_with_all_that_a_list_shows_cost_the_same_statements_as_one() {
    let server = Server::start().await;
    let root = server.superuser().await;
    sqlx::raw_sql(CONNECTORS).execute(&server.database.pool).await.expect("six hundred connectors");
    let query = "query($size: Int, $after: String, $from: DateTime!, $to: DateTime!) {
        connectors(first: $size, after: $after) { pageInfo { endCursor } nodes { id name team { name } worker { state health }
            lastSyncRun { status outcome } currentSyncRun { id }
            datamodels(first: 1) { nodes { production(from: $from, to: $to, bucket: HOUR) { summary { total } } } } } } }";
    let now = chrono::Utc::now();
    let (from, to) = ((now - chrono::Duration::hours(24)).to_rfc3339(), now.to_rfc3339());
    let (mut after, mut seen, mut costs) = (Value::Null, 0, Vec::new());
    for size in [1, 199, 200, 200] {
        let before = server.statements();
        let page = root.ask_with(query, json!({"size": size, "after": after, "from": from, "to": to})).await.data()["connectors"].clone();
        costs.push(server.statements() - before);
        let nodes = page["nodes"].as_array().expect("connectors");
        assert!(nodes.iter().all(|node| node["lastSyncRun"]["status"] == "DONE" && node["team"]["name"].is_string()), "{page:#}");
        assert!(nodes.iter().all(|node| node["datamodels"]["nodes"][0]["production"]["summary"]["total"] == 0), "{page:#}");
        seen += nodes.len();
        after = page["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(seen, 600);
    assert!(costs.iter().all(|cost| *cost == costs[0] && *cost <= 9), "{costs:?}");
}
