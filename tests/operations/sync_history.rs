//! What became of syncs: ends that outlive everything, the last failure beside the present, one table over all runs.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Stage};

const CONNECTOR: &str =
    "query($id: ID!) { connector(id: $id) { currentSyncRun { id status } lastSyncRun { id outcome } lastFailedSyncRun { id outcome } } }";
const TABLES: &str = "query($id: ID!, $names: [String!]!) { connector(id: $id) { tableSyncs(names: $names) {
    tableName state latest { status } lastCompleted { syncRunId } lastFailed { syncRunId errorReason } history(first: 3) { syncRunId status } } } }";
const ENDS: &str =
    "{ syncRunEnds { totalCount nodes { cause reason byEmail connectorId connectorName tablesTotal tablesCompleted rowsIngested
    triggeredByEmail teamId envId syncRun { id } connector { id } } } }";

async fn finish(stage: &Stage, generation: Uuid, run: Uuid, statuses: &[&str]) {
    for (place, status) in statuses.iter().enumerate() {
        stage.begun(run, place).await;
        let table = stage.tables(run).await[place];
        let reason = if *status == "FAILED" { json!("disk full") } else { Value::Null };
        let report = json!([{"syncTableId": table, "rowsIngested": 7, "status": status, "errorReason": reason}]);
        stage.progress(generation, report).await.data();
    }
}

async fn connector(stage: &Stage) -> Value {
    stage.root.ask_with(CONNECTOR, json!({"id": stage.connector})).await.data()["connector"].clone()
}

async fn tables(stage: &Stage, names: &[&str]) -> Value {
    stage.root.ask_with(TABLES, json!({"id": stage.connector, "names": names})).await.data()["connector"]["tableSyncs"].clone()
}

#[tokio::test]
async fn l05_what_failed_last_is_shown_beside_what_runs_now() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    assert_eq!(connector(&stage).await, json!({"currentSyncRun": null, "lastSyncRun": null, "lastFailedSyncRun": null}));
    let failed = stage.sync(&[("a", None)]).await;
    finish(&stage, generation, failed, &["FAILED"]).await;
    let second = stage.sync(&[("a", None)]).await;
    let bad = json!({"id": failed, "outcome": "FAILED"});
    let now = connector(&stage).await;
    assert_eq!(now, json!({"currentSyncRun": {"id": second, "status": "SYNCING"}, "lastSyncRun": bad, "lastFailedSyncRun": bad}));
    finish(&stage, generation, second, &["COMPLETED"]).await;
    let good = json!({"id": second, "outcome": "SUCCEEDED"});
    assert_eq!(connector(&stage).await, json!({"currentSyncRun": null, "lastSyncRun": good, "lastFailedSyncRun": bad}));
    // What a user cancels has not failed.
    let third = stage.sync(&[("a", None)]).await;
    stage.cancel(&stage.root, third).await.data();
    let now = connector(&stage).await;
    assert_eq!(json!([now["lastSyncRun"]["id"], now["lastFailedSyncRun"]["id"]]), json!([third, failed]));
}

#[tokio::test]
async fn l07_a_table_that_was_never_read_says_so_whatever_the_others_did() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let first = stage.sync(&[("a", None), ("b", None)]).await;
    finish(&stage, generation, first, &["COMPLETED", "FAILED"]).await;
    let shown = tables(&stage, &["a", "b", "new", "A"]).await;
    let never = |name: &str| json!({"tableName": name, "state": "NEVER_SYNCED", "latest": null, "lastCompleted": null, "lastFailed": null, "history": []});
    assert_eq!(
        shown[0],
        json!({"tableName": "a", "state": "SYNCED", "latest": {"status": "COMPLETED"}, "lastCompleted": {"syncRunId": first},
        "lastFailed": null, "history": [{"syncRunId": first, "status": "COMPLETED"}]})
    );
    assert_eq!(shown[1]["state"], "FAILED");
    assert_eq!(shown[1]["lastFailed"], json!({"syncRunId": first, "errorReason": "disk full"}));
    assert_eq!(json!([shown[2], shown[3]]), json!([never("new"), never("A")]));

    let second = stage.sync(&[("b", None), ("new", None)]).await;
    stage.begun(second, 0).await;
    let shown = tables(&stage, &["b", "new"]).await;
    assert_eq!(json!([shown[0]["state"], shown[1]["state"]]), json!(["SYNCING", "PENDING"]));
    assert_eq!(shown[0]["history"], json!([{"syncRunId": second, "status": "IN_PROGRESS"}, {"syncRunId": first, "status": "FAILED"}]));
    assert_eq!(json!([shown[0]["lastCompleted"], shown[0]["lastFailed"]["syncRunId"]]), json!([null, first]));
    finish(&stage, generation, second, &["COMPLETED", "PARTIAL"]).await;
    let shown = tables(&stage, &["b", "new"]).await;
    assert_eq!(json!([shown[0]["state"], shown[0]["lastCompleted"]["syncRunId"]]), json!(["SYNCED", second]));
    assert_eq!(json!([shown[1]["state"], shown[1]["lastCompleted"]]), json!(["PARTIAL", null]));
    let many: Vec<String> = (0..51).map(|number| format!("t{number}")).collect();
    let refused = stage.root.ask_with(TABLES, json!({"id": stage.connector, "names": many})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("names")));
}

async fn ends(caller: &Caller) -> Value {
    caller.ask(ENDS).await.data()["syncRunEnds"].clone()
}

/// L11: by hand, by the ceiling, by the deletion of the connector; readable when run and connector are gone.
#[tokio::test]
async fn l11_three_ends_have_three_causes_and_outlive_the_connector() {
    let stage = Stage::open().await;
    stage.live().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let stranger = stage.server.user("stranger@example.com", false).await;
    stage.world.join_team(stranger.id, stage.world.team(stage.env, "other").await, false).await;
    let cancelled = stage.sync(&[("a", Some(9)), ("b", None)]).await;
    stage.cancel(&member, cancelled).await.data();
    let abandoned = stage.sync(&[("a", None)]).await;
    stage.begun(abandoned, 0).await;
    let past = "update sync_run set stalled_since = now() - interval '1 hour', stalled_reason = 'NO_PROGRESS' where status = 'SYNCING'";
    sqlx::query("update pumphouse.leader set hearing_since = now() - interval '1 day'").execute(&stage.world.pool).await.expect("a past");
    sqlx::query(past).execute(&stage.world.pool).await.expect("a past");
    stage.run_when(abandoned, |run| run["status"] == "CANCELLED").await;
    let deleted = stage.sync(&[("a", None)]).await;
    let mut transaction = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select set_config('pumphouse.acting', 'boss@example.com', true)").execute(&mut *transaction).await.expect("who");
    sqlx::query("delete from connector where id = $1").bind(stage.connector).execute(&mut *transaction).await.expect("gone");
    transaction.commit().await.expect("commit");

    let shown = ends(&member).await;
    assert_eq!(shown["totalCount"], 3);
    let of = |place: usize| {
        let end = &shown["nodes"][place];
        assert_eq!(json!([end["syncRun"], end["connector"], end["connectorName"]]), json!([null, null, "shop"]));
        assert_eq!(json!([end["triggeredByEmail"], end["teamId"], end["envId"]]), json!(["root@example.com", stage.team, stage.env]));
        json!([end["cause"], end["byEmail"], end["tablesTotal"], end["tablesCompleted"]])
    };
    assert_eq!(of(0), json!(["CONNECTOR_DELETED", "boss@example.com", 1, 0]));
    assert_eq!(of(1), json!(["ABANDONED", null, 1, 0]));
    assert_eq!(of(2), json!(["CANCELLED", "member@example.com", 2, 0]));
    assert_eq!(ends(&stranger).await["totalCount"], 0);
    let filtered = format!("{{ syncRunEnds(filter: {{syncRunId: \"{deleted}\"}}) {{ nodes {{ id cause }} }} }}");
    let node = member.ask(&filtered).await.data()["syncRunEnds"]["nodes"][0].clone();
    let node_query = format!("{{ node(id: {}) {{ ... on SyncRunEnd {{ cause }} }} }}", node["id"]);
    assert_eq!(member.ask(&node_query).await.data()["node"]["cause"], "CONNECTOR_DELETED");
    assert_eq!(stranger.ask(&node_query).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn ends_follow_their_connector_and_their_team() {
    let stage = Stage::open().await;
    let (elsewhere, other) = (stage.world.env("elsewhere").await, stage.world.team(stage.env, "other").await);
    let reader = stage.server.user("reader@example.com", false).await;
    stage.world.join_env(reader.id, elsewhere, "reader").await;
    let run = stage.sync(&[("a", None)]).await;
    stage.cancel(&stage.root, run).await.data();
    let owner = async || {
        let end = ends(&stage.root).await["nodes"][0].clone();
        json!([end["teamId"], end["envId"]])
    };
    sqlx::query("update connector set team_id = $2 where id = $1")
        .bind(stage.connector)
        .bind(other)
        .execute(&stage.world.pool)
        .await
        .expect("moved");
    assert_eq!(owner().await, json!([other, stage.env]));
    let to = |env: Uuid| format!("mutation {{ moveTeam(input: {{teamId: \"{other}\", envId: \"{env}\"}}) {{ team {{ id }} }} }}");
    stage.root.ask(&to(elsewhere)).await.data();
    assert_eq!(owner().await, json!([other, elsewhere]));
    assert_eq!(ends(&reader).await["totalCount"], 1);
    sqlx::query("delete from connector where id = $1").bind(stage.connector).execute(&stage.world.pool).await.expect("gone");
    stage.root.ask(&to(stage.env)).await.data();
    assert_eq!(owner().await, json!([other, stage.env]));
    assert_eq!(ends(&reader).await["totalCount"], 0);
}

/// S08: 2,000 tables in each of 50 runs. Whatever is asked, it comes in pages and in the same few statements.
#[tokio::test]
async fn s08_fifty_runs_of_two_thousand_tables_are_shown_in_pages() {
    let stage = Stage::open().await;
    let fill = "with r as (
            insert into sync_run (id, connector_id, status, triggered_by_email, created_at)
            select gen_random_uuid(), $1, 'DONE', 'root@example.com', now() - n * interval '1 hour' from generate_series(1, 50) n returning id)
        insert into sync_table (id, sync_run_id, table_name, position, status, approximate_row_count, rows_ingested)
        select gen_random_uuid(), r.id, 'public.t' || n, n, 'COMPLETED', 10, 10 from r, generate_series(0, 1999) n";
    stage.write_of_connector(fill).await;
    let runs = stage.root.ask_with("query($id: ID!) { connector(id: $id) { syncRuns(first: 50) { totalCount nodes { id outcome progress { percent tablesTotal rows } } } } }", json!({"id": stage.connector})).await.data();
    let runs = runs["connector"]["syncRuns"].clone();
    assert_eq!(runs["totalCount"], 50);
    for run in runs["nodes"].as_array().expect("runs") {
        assert_eq!(json!([run["outcome"], run["progress"]]), json!(["SUCCEEDED", {"percent": 100, "tablesTotal": 2_000, "rows": 20_000}]));
    }
    // All of one run, page by page.
    let page = "query($id: ID!, $after: String) { syncRun(id: $id) { syncTables(first: 200, after: $after) { nodes { tableName position } pageInfo { endCursor hasNextPage } } } }";
    let (mut after, mut seen) = (Value::Null, 0);
    loop {
        let data = stage.root.ask_with(page, json!({"id": runs["nodes"][7]["id"], "after": after})).await.data();
        let tables = data["syncRun"]["syncTables"].clone();
        for table in tables["nodes"].as_array().expect("tables") {
            assert_eq!(table["position"], seen);
            seen += 1;
        }
        after = tables["pageInfo"]["endCursor"].clone();
        if tables["pageInfo"]["hasNextPage"] == false {
            break;
        }
    }
    assert_eq!(seen, 2_000);
    let names: Vec<String> = (0..50).map(|n| format!("public.t{n}")).collect();
    let before = stage.server.statements();
    let shown = tables(&stage, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(shown.as_array().map(Vec::len), Some(50));
    assert!(
        shown
            .as_array()
            .expect("tables")
            .iter()
            .all(|table| table["state"] == "SYNCED" && table["history"].as_array().map(Vec::len) == Some(3))
    );
    assert_eq!(stage.server.statements() - before, 5);
}
