//! Pipelines as documents: written down, brought in, compared, refused.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Flow, Reply};

const SELECTION: &str = "dryRun changes { action kind name within fields before after }";

async fn exported(caller: &Caller, env: Uuid) -> Value {
    let query = "query($id: ID!) { envConfiguration(envId: $id) { document } }";
    caller.ask_with(query, json!({"id": env})).await.data()["envConfiguration"]["document"].clone()
}

async fn apply(caller: &Caller, input: Value) -> Reply {
    caller.change("applyPipelineConfiguration", input, SELECTION).await
}

/// What is not as the document says, as "ACTION KIND name: fields".
#[track_caller]
fn told(reply: Reply) -> Vec<String> {
    let data = reply.data();
    let changes = data["applyPipelineConfiguration"]["changes"].as_array().expect("changes").clone();
    let tell = |change: &Value| {
        let [action, kind, name] = ["action", "kind", "name"].map(|field| change[field].as_str().expect("a text").to_owned());
        let fields: Vec<&str> = change["fields"].as_array().expect("fields").iter().filter_map(Value::as_str).collect();
        if action == "UPDATE" { format!("{action} {kind} {name}: {}", fields.join(" ")) } else { format!("{action} {kind} {name}") }
    };
    changes.iter().map(tell).filter(|line| !line.starts_with("UNCHANGED")).collect()
}

/// The flow with configurations that are valid: with a secret, a reference, and a table for errors.
async fn laid_out() -> Flow {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let source = json!({"host": "db.example.org", "database": "shop", "user": "reader", "password": "hunter2-canary"});
    let target =
        json!({"host": "dwh.example.org", "database": "dwh", "user": "writer", "password": {"$secret": "env:PUMPHOUSE_SECRET_DWH"}});
    for (connector, configuration) in [(flow.stage.connector, source), (flow.target, target)] {
        root.change("updateConnector", json!({"connectorId": connector, "configuration": configuration}), "connector { id }").await.data();
    }
    let errors = json!({"connectorId": flow.target, "table": "rejected"});
    let input = json!({"pipelineId": flow.pipeline, "datamodelId": flow.datamodel, "errorTableConfig": errors});
    root.change("updatePipeline", input, "pipeline { id }").await.data();
    flow
}

/// The same with secrets instead of what stands for them.
fn with_secrets(document: &Value) -> Value {
    let text = document.to_string().replace("{\"$secret\":\"stored\"}", "\"fresh-canary\"");
    serde_json::from_str(&text).expect("a document")
}

#[tokio::test]
async fn k02_a_document_shows_references_and_masks_only_and_a_mask_is_never_stored() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let document = exported(root, flow.stage.env).await;
    let configurations: Vec<&Value> =
        document["connectors"].as_array().unwrap().iter().map(|item| &item["configuration"]["password"]).collect();
    assert_eq!(configurations, [&json!({"$secret": "stored"}), &json!({"$secret": "env:PUMPHOUSE_SECRET_DWH"})]);
    let query = "query($id: ID!) { pipelineConfiguration(id: $id) { document version } }";
    let one = root.ask_with(query, json!({"id": flow.pipeline})).await.data()["pipelineConfiguration"].clone();
    assert_eq!((&one["document"], one["version"].as_i64()), (&document, Some(flow.version().await)));
    assert!(!document.to_string().contains("canary"), "{document}");

    // Elsewhere nothing is stored that the mark could stand for.
    let (env, before) = (flow.stage.world.env("copy").await, flow.written().await);
    let team = flow.stage.world.team(env, "other").await;
    let refused = apply(root, json!({"teamId": team, "document": document})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("document/connectors/0/configuration/password")));
    assert_eq!(flow.written().await, before);
    // Here it keeps what is stored, whatever else is changed.
    let mut changed = document.clone();
    changed["connectors"][0]["configuration"]["port"] = json!(5433);
    let refused = apply(root, json!({"envId": flow.stage.env, "document": changed})).await;
    assert_eq!(refused.field(), Some("document/connectors/0/configuration/password"), "a kept secret never travels to a new host");
    changed["connectors"][0]["configuration"].as_object_mut().unwrap().remove("port");
    changed["connectors"][0]["configuration"]["user"] = json!("somebody");
    assert_eq!(told(apply(root, json!({"envId": flow.stage.env, "document": changed})).await), ["UPDATE CONNECTOR shop: configuration"]);
    let sealed: String = sqlx::query_scalar("select json_configuration::text from connector where id = $1")
        .bind(flow.stage.connector)
        .fetch_one(&flow.stage.world.pool)
        .await
        .unwrap();
    let plain = flow.stage.world.keys.open(flow.stage.connector, &sealed).unwrap();
    let plain: Value = serde_json::from_str(plain.reveal()).unwrap();
    assert!(plain["password"] == "hunter2-canary" && plain["user"] == "somebody");
}

#[tokio::test]
async fn a_document_makes_it_all_again_for_another_team_and_a_second_time_changes_nothing() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let document = exported(root, flow.stage.env).await;
    let env = flow.stage.world.env("copy").await;
    let team = flow.stage.world.team(env, "other").await;
    let ann = flow.stage.server.user("ann@example.com", false).await;
    flow.stage.world.join_team(ann.id, team, false).await;
    // A topic belongs to one env's readers: the copy reads one of its own.
    let mut fresh = with_secrets(&document);
    fresh["datamodels"][0]["sourceTopic"] = json!("copy.orders");
    let created = [
        "CREATE CONNECTOR shop",
        "CREATE CONNECTOR warehouse",
        "CREATE DATAMODEL orders",
        "CREATE PIPELINE shop to warehouse",
        "CREATE SUBSCRIPTION orders",
    ];
    let before = flow.written().await;
    assert_eq!(told(apply(&ann, json!({"teamId": team, "document": fresh, "dryRun": true})).await), created);
    assert_eq!(flow.written().await, before, "a dry run changes nothing");
    // The order of things does not matter.
    let mut turned = fresh.clone();
    turned["connectors"].as_array_mut().unwrap().reverse();
    assert_eq!(told(apply(&ann, json!({"teamId": team, "document": turned})).await), created);
    let mut copy = exported(&ann, env).await;
    assert_eq!(copy["pipelines"][0]["errorTableConfig"], json!({"connectorId": {"$connector": "warehouse"}, "table": "rejected"}));
    let versions = "select version from pipeline where env_id = $1";
    let version = async || sqlx::query_scalar::<_, i32>(versions).bind(env).fetch_one(&flow.stage.world.pool).await.unwrap();
    assert_eq!(version().await, 1);
    // But for its team and topic it is the same.
    for kind in ["connectors", "pipelines"] {
        copy[kind].as_array_mut().unwrap().iter_mut().for_each(|item| item["team"] = json!("core"));
    }
    copy["datamodels"][0]["sourceTopic"] = document["datamodels"][0]["sourceTopic"].clone();
    assert_eq!(copy, document);
    // Twice changes nothing: with marks, with the secrets again, in either order.
    let again = exported(&ann, env).await;
    let before = flow.written().await;
    for document in [again.clone(), with_secrets(&again), turned] {
        assert_eq!(told(apply(&ann, json!({"teamId": team, "document": document})).await), Vec::<String>::new());
        assert_eq!(flow.written().await, before);
    }
    // Another secret is a change, though both read alike.
    let other = with_secrets(&again).to_string().replace("fresh-canary", "rotated");
    let other: Value = serde_json::from_str(&other).unwrap();
    assert_eq!(told(apply(&ann, json!({"envId": env, "document": other})).await), ["UPDATE CONNECTOR shop: configuration"]);
}

#[tokio::test]
async fn whoever_brings_in_the_same_at_the_same_time_finds_it_done() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let mut fresh = with_secrets(&exported(root, flow.stage.env).await);
    fresh["datamodels"][0]["sourceTopic"] = json!("copy.orders");
    let env = flow.stage.world.env("copy").await;
    let team = flow.stage.world.team(env, "other").await;
    let all = (0..6).map(|_| apply(root, json!({"teamId": team, "document": fresh})));
    let done = futures_util::future::join_all(all).await;
    let mut counts: Vec<usize> = done.into_iter().map(|reply| told(reply).len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [0, 0, 0, 0, 0, 5]);
}

#[tokio::test]
async fn i07_a_document_is_brought_in_after_a_hand_edit_and_what_workers_write_is_no_difference() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let document = exported(root, flow.stage.env).await;
    let version = flow.version().await;
    let mine = |document: &Value| json!({"envId": flow.stage.env, "document": document});
    flow.live().await;
    flow.run(root, "pausePipeline", flow.pipeline).await.data();
    assert_eq!(told(apply(root, mine(&document)).await), Vec::<String>::new(), "running is no configuration");
    let by_hand = json!({"pipelineSubscriptionId": flow.subscription, "targetTableName": "by_hand"});
    root.change("updatePipelineSubscription", by_hand, "pipelineSubscription { id }").await.data();
    root.change("updatePipeline", json!({"pipelineId": flow.pipeline, "jsonConfiguration": {"x": 1}}), "pipeline { id }").await.data();
    let before = flow.version().await;
    let mut stale = mine(&document);
    stale["expectedVersion"] = json!(version);
    let refused = apply(root, stale).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("expectedVersion")));
    let drift = ["UPDATE PIPELINE shop to warehouse: jsonConfiguration", "UPDATE SUBSCRIPTION orders: targetTableName"];
    let mut dry = mine(&document);
    dry["dryRun"] = json!(true);
    assert_eq!(told(apply(root, dry).await), drift);
    assert_eq!(told(apply(root, mine(&document)).await), drift);
    assert_eq!(flow.version().await, before + 1, "one mutation raises it by one");
    assert_eq!(exported(root, flow.stage.env).await, document);
    // What somebody has added is told, and stays.
    flow.new_subscription(flow.pipeline, flow.datamodel, "added").await;
    assert_eq!(told(apply(root, mine(&document)).await), ["KEPT SUBSCRIPTION added"]);
}

/// What the order of writing would decide is decided by the end.
#[tokio::test]
async fn subscriptions_change_their_tables_among_each_other() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let document = exported(root, flow.stage.env).await;
    let with = |tables: [&str; 2]| {
        let mut document = document.clone();
        let subscriptions = document["pipelines"][0]["subscriptions"].as_array_mut().expect("subscriptions");
        let mut second = subscriptions[0].clone();
        second["name"] = json!("another");
        subscriptions.push(second);
        for (subscription, table) in subscriptions.iter_mut().zip(tables) {
            subscription["targetTableName"] = json!(table);
        }
        json!({"envId": flow.stage.env, "document": document})
    };
    apply(root, with(["one", "two"])).await.data();
    apply(root, with(["two", "one"])).await.data();
    apply(root, with(["one", "three"])).await.data();
    let now = exported(root, flow.stage.env).await;
    let tables = now["pipelines"][0]["subscriptions"].as_array().expect("subscriptions").iter();
    let tables: Vec<_> = tables.map(|one| (one["name"].as_str(), one["targetTableName"].as_str())).collect();
    assert!(tables.contains(&(Some("another"), Some("three"))), "{tables:?}");
    let refused = apply(root, with(["one", "one"])).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("document/pipelines/0/subscriptions/1/targetTableName")));
}

#[tokio::test]
async fn every_fault_of_a_document_is_told_with_its_pointer_and_nothing_is_half_written() {
    let flow = laid_out().await;
    let root = &flow.stage.root;
    let document = exported(root, flow.stage.env).await;
    let before = flow.written().await;
    let faults = |reply: &Reply| -> Vec<String> {
        let violations = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations").clone();
        violations.iter().map(|one| one["field"].as_str().expect("a field").to_owned()).collect()
    };
    let mut shape = document.clone();
    shape["format"] = json!(1);
    shape["connectors"][0]["colour"] = json!("red");
    shape["pipelines"][0]["subscriptions"][0]["config"] = json!([]);
    shape["datamodels"][0].as_object_mut().unwrap().remove("name");
    let mut told = faults(&apply(root, json!({"envId": flow.stage.env, "document": shape})).await);
    told.sort();
    let expected = ["connectors/0/colour", "datamodels/0/name", "format", "pipelines/0/subscriptions/0/config"];
    assert_eq!(told, expected.map(|place| format!("document/{place}")));

    let mut rules = with_secrets(&document);
    rules["connectors"][0]["name"] = json!("another");
    rules["connectors"][0]["configuration"]["port"] = json!(0);
    rules["connectors"][1]["connectorType"] = json!("POSTGRES_SOURCE");
    rules["datamodels"][0]["sourceConnector"] = json!("another");
    rules["datamodels"][0]["errorTableEnabled"] = json!(true);
    rules["pipelines"][0]["name"] = json!("new");
    rules["pipelines"][0]["sourceConnector"] = json!("nobody");
    rules["pipelines"][0]["targetConnector"] = json!("shop");
    rules["pipelines"][0]["datamodel"] = json!({"sourceConnector": "another", "name": "orders"});
    rules["pipelines"][0]["subscriptions"][0]["transformConfig"] = json!([{"$secret": "stored"}]);
    rules["pipelines"][0]["subscriptions"][0]["targetTableName"] = json!("");
    let mut told = faults(&apply(root, json!({"envId": flow.stage.env, "document": rules})).await);
    told.sort();
    told.dedup();
    let expected = [
        "connectors/0/configuration/port",
        "connectors/1/connectorType",
        "datamodels/0/errorTableName",
        "pipelines/0/sourceConnector",
        "pipelines/0/subscriptions/0/targetTableName",
        "pipelines/0/subscriptions/0/transformConfig",
        "pipelines/0/subscriptions/0/transformConfig/0/type",
        "pipelines/0/targetConnector",
    ];
    assert_eq!(told, expected.map(|place| format!("document/{place}")));
    for input in [json!({"document": document}), json!({"document": document, "envId": flow.stage.env, "teamId": flow.stage.team})] {
        assert_eq!(apply(root, input).await.code(), "VALIDATION");
    }
    assert_eq!(flow.written().await, before);
}

#[tokio::test]
async fn who_may_not_write_is_refused_and_nothing_is_half_written() {
    let flow = laid_out().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let mut document = exported(root, stage.env).await;
    document["connectors"][0]["configuration"]["user"] = json!("somebody");
    document["pipelines"].as_array_mut().unwrap().push(json!({"name": "new", "team": "core"}));
    let (stranger, reader) = (stage.server.user("stranger@example.com", false).await, stage.server.user("reader@example.com", false).await);
    let other = stage.server.user("other@example.com", false).await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let team = stage.world.team(stage.env, "other").await;
    stage.world.join_team(other.id, team, false).await;
    let before = flow.written().await;
    for (caller, input, code, field) in [
        (&stranger, json!({"envId": stage.env}), "NOT_FOUND", "envId"),
        (&stranger, json!({"teamId": stage.team}), "NOT_FOUND", "teamId"),
        (&reader, json!({"envId": stage.env}), "FORBIDDEN", "document/connectors/0"),
        (&reader, json!({"teamId": stage.team}), "FORBIDDEN", "teamId"),
        (&other, json!({"teamId": team}), "CONFLICT", "document/connectors/1/name"),
    ] {
        let mut input = input;
        input["document"] = if code == "CONFLICT" { with_secrets(&document) } else { document.clone() };
        if code == "CONFLICT" {
            // Only the second is refused; the first is taken back with it.
            input["document"]["connectors"][0]["name"] = json!("mine");
        }
        let refused = apply(caller, input).await;
        assert_eq!((refused.code(), refused.field()), (code, Some(field)));
        assert_eq!(flow.written().await, before);
    }
    // Whoever sees nothing of it writes down nothing of it.
    assert_eq!(exported(&other, stage.env).await["connectors"], json!([]));
    let query = "query($id: ID!) { pipelineConfiguration(id: $id) { version } }";
    assert_eq!(other.ask_with(query, json!({"id": flow.pipeline})).await.code(), "NOT_FOUND");
}
