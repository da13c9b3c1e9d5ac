//! The computed state and health of pipelines, one by one, counted and filtered.

use serde_json::{Value, json};

use crate::support::{Flow, Server};

#[tokio::test]
async fn l09_health_names_the_part_that_fails_and_the_part_that_is_not_there() {
    let flow = Flow::open().await;
    let stage = &flow.stage;
    assert_eq!(flow.now(flow.pipeline).await["health"], "INACTIVE");
    let (_, target) = flow.live().await;
    assert_eq!(flow.now(flow.pipeline).await["health"], "HEALTHY");
    stage.report_of(flow.target_worker, target, "ERROR", Some("disk full")).await;
    let now = flow.now(flow.pipeline).await;
    assert_eq!((&now["state"], &now["health"]), (&json!("ERROR"), &json!("DEGRADED")));
    assert_eq!(now["degradedParts"], json!([{"part": "TARGET", "fault": "FAILED", "worker": {"id": flow.target_worker}}]));
    sqlx::query("delete from worker where id = $1").bind(flow.target_worker).execute(&stage.world.pool).await.expect("gone");
    let now = flow.now(flow.pipeline).await;
    assert_eq!((&now["state"], &now["health"]), (&json!("PAUSED"), &json!("DEGRADED")));
    assert_eq!(now["degradedParts"], json!([{"part": "TARGET", "fault": "NO_WORKER", "worker": null}]));
    // A worker that has stopped reporting.
    stage.write("update worker set last_heartbeat_at = now() - interval '5 minutes' where id = $1").await;
    sqlx::query("update pumphouse.leader set hearing_since = now() - interval '1 hour'").execute(&stage.world.pool).await.expect("hearing");
    assert_eq!(
        flow.now(flow.pipeline).await["degradedParts"][0],
        json!({"part": "SOURCE", "fault": "UNRESPONSIVE", "worker": {"id": stage.worker}})
    );
    // Of one that is not meant to run nothing is wrong.
    sqlx::query("update subscription set enabled = false").execute(&stage.world.pool).await.expect("an update");
    let now = flow.now(flow.pipeline).await;
    assert_eq!((&now["state"], &now["health"], &now["degradedParts"]), (&json!("PAUSED"), &json!("INACTIVE"), &json!([])));
}

/// Who sees a pipeline and not its target learns which part is degraded and nothing of the worker.
#[tokio::test]
async fn a_worker_that_one_does_not_see_is_not_shown_by_its_pipeline() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let other = stage.world.team(stage.env, "other").await;
    let (lake, lake_worker) = stage.world.target(other, "lake").await;
    root.change("updatePipeline", json!({"pipelineId": flow.pipeline, "targetConnectorId": lake}), "pipeline { id }").await.data();
    flow.run(root, "startPipeline", flow.pipeline).await.data();
    stage.report_of(lake_worker, stage.world.generation(lake_worker).await, "ERROR", Some("a secret of others")).await;
    let member = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let query = "query($id: ID!) { pipeline(id: $id) { state health degradedParts { part fault worker { reason } } } }";
    let seen = member.ask_with(query, json!({"id": flow.pipeline})).await.data();
    let parts = json!([{"part": "TARGET", "fault": "FAILED", "worker": null}]);
    assert_eq!(seen["pipeline"], json!({"state": "ERROR", "health": "DEGRADED", "degradedParts": parts}));
}

/// 600 pipelines in every combination of what decides, and a stranger's; each third belongs to nobody's draft.
const MANY: &str = "
create temp table n as select g, gen_random_uuid() s, gen_random_uuid() t, gen_random_uuid() d, gen_random_uuid() p from generate_series(0, 599) g;
insert into env (id, name, retention_configuration) values (gen_random_uuid(), 'prod', '{}');
insert into team (id, name, env_id) select gen_random_uuid(), 'core', id from env;
insert into connector (id, name, connector_type, json_configuration, way, team_id)
  select s, 'source ' || g, 'POSTGRES_SOURCE', '{}'::json, 'SOURCE', (select id from team) from n
  union all select t, 'target ' || g, 'POSTGRES_TARGET', '{}'::json, 'TARGET', (select id from team) from n;
insert into worker (id, state, connector_id, launch_generation, stop_requested_at)
  select gen_random_uuid(), state, connector, gen_random_uuid(), case when state = 'STOPPING' then now() end
    from (select s as connector, (array['PAUSED', 'BUILDING', 'LIVE', 'ERROR', 'STOPPING'])[1 + g % 5] as state from n
          union all select t, (array['PAUSED', 'BUILDING', 'LIVE', 'ERROR', 'STOPPING'])[1 + (g / 5) % 5] from n where g % 50 <> 7) w;
insert into datamodel (id, name, config, source_connector_id) select d, 'model ' || g, '{}', s from n;
insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id, target_connector_id)
  select p, 'pipeline ' || g, '{}', 1, false, (select id from team), s, case when g % 11 <> 0 then t end from n;
insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name, enabled)
  select gen_random_uuid(), 'to ' || k, '{}', '[]', p, case when g % 13 <> 0 then d end, t, false, 'table ' || k, (g + k) % 3 = 0
    from n cross join generate_series(1, 2) k;";

/// The page's words, written down once more.
fn state(completed: bool, active: bool, source: Option<&str>, target: Option<&str>) -> &'static str {
    let either = |state: &str| source == Some(state) || target == Some(state);
    match () {
        () if !completed => "DRAFT",
        () if !active => "PAUSED",
        () if either("ERROR") => "ERROR",
        () if either("STOPPING") => "STOPPING",
        () if either("BUILDING") => "BUILDING",
        () if either("PAUSED") || source.is_none() || target.is_none() => "PAUSED",
        () => "LIVE",
    }
}

/// The state that a pipeline should be in by all that is shown of it; it says that, and its health fits.
fn judged(pipeline: &Value) -> &'static str {
    let worker = |end: &str| pipeline[end]["worker"]["state"].as_str().map(str::to_owned);
    let (source, target) = (worker("sourceConnector"), worker("targetConnector"));
    let deliveries = pipeline["pipelineSubscriptions"]["nodes"].as_array().expect("nodes");
    let complete = deliveries.iter().any(|delivery| !delivery["datamodelId"].is_null());
    let completed = complete && !pipeline["sourceConnector"].is_null() && !pipeline["targetConnector"].is_null();
    assert_eq!(pipeline["isCompleted"], completed, "{pipeline}");
    let active = deliveries.iter().any(|delivery| delivery["enabled"] == true);
    let expected = state(completed, active, source.as_deref(), target.as_deref());
    assert_eq!(pipeline["state"], expected, "{pipeline}");
    let failing = completed && active && (source.as_deref() == Some("ERROR") || target.as_deref() == Some("ERROR") || target.is_none());
    assert!(!failing || pipeline["health"] == "DEGRADED", "{pipeline}");
    expected
}

#[tokio::test]
async fn q12_the_states_of_six_hundred_pipelines_cost_the_same_statements_as_those_of_one() {
    let server = Server::start().await;
    let root = server.superuser().await;
    sqlx::raw_sql(MANY).execute(&server.database.pool).await.expect("six hundred pipelines");
    let facts = "isCompleted sourceConnector { worker { state } } targetConnector { worker { state } } pipelineSubscriptions { nodes { enabled datamodelId } }";
    let mut all: Vec<Value> = Vec::new();
    let mut cursor = Value::Null;
    let mut costs = Vec::new();
    for size in [1, 199, 200, 200] {
        let query = format!(
            "query($after: String) {{ pipelines(first: {size}, after: $after) {{ pageInfo {{ endCursor }} nodes {{ id state health degradedParts {{ part }} }} }} }}"
        );
        let before = server.statements();
        let page = root.ask_with(&query, json!({"after": cursor})).await.data();
        costs.push(server.statements() - before);
        cursor = page["pipelines"]["pageInfo"]["endCursor"].clone();
        let query = format!(
            "query($ids: [ID!]) {{ pipelines(first: 200, filter: {{ids: $ids}}) {{ nodes {{ id state health degradedParts {{ part }} {facts} }} }} }}"
        );
        let ids: Vec<Value> = page["pipelines"]["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].clone()).collect();
        all.extend(
            root.ask_with(&query, json!({"ids": ids})).await.data()["pipelines"]["nodes"].as_array().expect("nodes").iter().cloned(),
        );
    }
    assert_eq!(costs, [2, 2, 2, 2], "the page, and all that is computed");
    assert_eq!(all.len(), 600);
    let mut counts = std::collections::BTreeMap::new();
    for pipeline in &all {
        let expected = judged(pipeline);
        *counts.entry(expected).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6, "every state occurs: {counts:?}");
    let before = server.statements();
    let counted = root.ask("{ pipelineStateCounts { state count } }").await.data();
    assert_eq!(server.statements() - before, 1);
    for count in counted["pipelineStateCounts"].as_array().expect("counts") {
        assert_eq!(count["count"].as_i64(), counts.get(count["state"].as_str().expect("a state")).copied(), "{count}");
    }
    let some = root.ask("{ pipelineStateCounts(filter: {search: \"pipeline 59\"}) { count } }").await.data();
    let sum: i64 = some["pipelineStateCounts"].as_array().expect("counts").iter().filter_map(|count| count["count"].as_i64()).sum();
    assert_eq!(sum, 11, "59 and 590 to 599");
    // Filtered by state, alone and together with more, a list has what the counts say.
    for (state, count) in &counts {
        let list = root.ask(&format!("{{ pipelines(filter: {{state: {state}}}) {{ totalCount nodes {{ state }} }} }}")).await.data();
        assert_eq!(list["pipelines"]["totalCount"].as_i64(), Some(*count));
        assert!(list["pipelines"]["nodes"].as_array().expect("nodes").iter().all(|node| node["state"] == *state));
    }
    let list = root.ask("{ pipelines(filter: {stateIn: [LIVE, ERROR], isCompleted: true}) { totalCount } }").await.data();
    assert_eq!(list["pipelines"]["totalCount"].as_i64(), Some(counts["LIVE"] + counts["ERROR"]));
    let stranger = server.user("stranger@example.com", false).await;
    let none = stranger.ask("{ pipelineStateCounts { count } }").await.data();
    assert!(none["pipelineStateCounts"].as_array().expect("counts").iter().all(|count| count["count"] == 0));
}
