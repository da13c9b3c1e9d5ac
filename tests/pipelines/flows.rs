//! Datamodels, pipelines and subscriptions: made, changed, deleted, and refused.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Flow, id};

#[tokio::test]
async fn a_pipeline_is_made_changed_and_deleted_and_every_step_is_audited() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    assert_eq!(flow.now(flow.pipeline).await["isCompleted"], true);
    assert_eq!(flow.version().await, 2, "making its subscription has raised it");
    let change = |input: Value| async move {
        root.change("updatePipeline", input, "pipeline { version name jsonConfiguration errorTableConfig }").await
    };
    let settings = json!({"retries": 3, "nested": {"a": [1.5, null]}});
    let errors = json!({"connectorId": flow.target, "table": "rejected"});
    let input = json!({"pipelineId": flow.pipeline, "name": "renamed", "jsonConfiguration": settings, "errorTableConfig": errors});
    let updated = change(input.clone()).await.data()["updatePipeline"]["pipeline"].clone();
    assert_eq!(updated, json!({"version": 3, "name": "renamed", "jsonConfiguration": settings, "errorTableConfig": errors}));
    // The same again changes nothing: no version, no audit row.
    let before = flow.written().await;
    assert_eq!(change(input).await.data()["updatePipeline"]["pipeline"]["version"], 3);
    assert_eq!(flow.written().await, before);
    let deleted = root.change("deletePipeline", json!({"pipelineId": flow.pipeline}), "pipeline { name } workersLeftRunning { id }").await;
    assert_eq!(deleted.data()["deletePipeline"], json!({"pipeline": {"name": "renamed"}, "workersLeftRunning": []}));
    let audited = flow.stage.audited().await;
    assert_eq!(audited, ["create", "create", "create", "update", "delete"]);
    let fields: Vec<Vec<String>> =
        sqlx::query_scalar("select changed_fields from pumphouse.audit_detail where entity_type = 'Pipeline' order by timestamp")
            .fetch_all(&flow.stage.world.pool)
            .await
            .expect("details");
    assert_eq!(fields[1], ["name", "jsonConfiguration", "errorTableConfig"]);
    let owned: Vec<Option<Uuid>> =
        sqlx::query_scalar("select distinct team_id from pumphouse.audit_detail").fetch_all(&flow.stage.world.pool).await.expect("teams");
    assert_eq!(owned, [Some(flow.stage.team)]);
}

#[tokio::test]
async fn deleting_a_pipeline_ends_its_deliveries_and_keeps_them_unless_told_otherwise() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let other = flow.new_pipeline("other").await;
    let gone = flow.new_subscription(other, flow.datamodel, "elsewhere").await;
    flow.live().await;
    let reply = root.change("deletePipeline", json!({"pipelineId": flow.pipeline}), "workersLeftRunning { id }").await.data();
    let left = reply["deletePipeline"]["workersLeftRunning"].as_array().expect("workers").len();
    assert_eq!(left, 2, "deleting stops no worker, and says so");
    let query = "query($id: ID!) { pipelineSubscription(id: $id) { enabled pipelineId } }";
    let kept = root.ask_with(query, json!({"id": flow.subscription})).await.data();
    assert_eq!(kept["pipelineSubscription"], json!({"enabled": false, "pipelineId": null}));
    root.change("deletePipeline", json!({"pipelineId": other, "withSubscriptions": true}), "pipeline { id }").await.data();
    assert_eq!(root.ask_with(query, json!({"id": gone})).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn the_version_rises_by_one_with_what_users_change_of_it_and_with_nothing_else() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let mut version = flow.version().await;
    let subscription = |change: Value| {
        let mut input = change;
        input["pipelineSubscriptionId"] = json!(flow.subscription);
        async move { root.change("updatePipelineSubscription", input, "pipelineSubscription { id }").await.data() }
    };
    for change in [json!({"name": "new"}), json!({"transformConfig": []}), json!({"enabled": true}), json!({"config": {"a": 1}})] {
        let same = change == json!({"transformConfig": []});
        subscription(change.clone()).await;
        version += i64::from(!same);
        assert_eq!(flow.version().await, version, "{change}");
    }
    // Moving it raises both.
    let other = flow.new_pipeline("other").await;
    subscription(json!({"pipelineId": other})).await;
    assert_eq!((flow.version().await, flow.now(other).await["version"].as_i64()), (version + 1, Some(2)));
    subscription(json!({"pipelineId": flow.pipeline})).await;
    version += 2;
    // Starting and pausing it; not what its workers say, nor what becomes of its connectors, datamodels and team.
    let (source, _) = flow.live().await;
    assert_eq!(flow.version().await, version, "its subscription was enabled already");
    stage.report(source, "ERROR", Some("x")).await;
    flow.run(root, "pausePipeline", flow.pipeline).await.data();
    version += 1;
    assert_eq!(flow.version().await, version);
    root.change("updateDatamodel", json!({"datamodelId": flow.datamodel, "name": "renamed"}), "datamodel { id }").await.data();
    let env = stage.world.env("elsewhere").await;
    root.change("moveTeam", json!({"teamId": stage.team, "envId": env}), "team { id }").await.data();
    sqlx::query("delete from datamodel where id = $1").bind(flow.datamodel).execute(&stage.world.pool).await.expect("gone");
    let now = flow.now(flow.pipeline).await;
    assert_eq!((now["version"].as_i64(), &now["isCompleted"]), (Some(version), &json!(false)));
    root.change("deletePipelineSubscription", json!({"pipelineSubscriptionId": flow.subscription}), "pipelineSubscription { id }")
        .await
        .data();
    assert_eq!(flow.version().await, version + 1);
}

#[tokio::test]
async fn i06_the_second_of_two_editors_is_told_the_present_version() {
    let flow = Flow::open().await;
    let edit = |name: &'static str| {
        let input = json!({"pipelineId": flow.pipeline, "expectedVersion": 2, "name": name});
        let root = &flow.stage.root;
        async move { root.change("updatePipeline", input, "pipeline { version }").await }
    };
    let (one, other) = tokio::join!(edit("one"), edit("other"));
    let (won, lost) = if one.0.get("errors").is_none() { (one, other) } else { (other, one) };
    assert_eq!(won.data()["updatePipeline"]["pipeline"]["version"], 3);
    assert_eq!((lost.code(), lost.field()), ("CONFLICT", Some("expectedVersion")));
    assert_eq!(lost.0["errors"][0]["extensions"]["details"], json!({"version": 3}));
    let input = json!({"pipelineId": flow.pipeline, "expectedVersion": 2});
    let refused = flow.stage.root.change("deletePipeline", input, "pipeline { id }").await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("expectedVersion")));
    // What has no version has its time of change.
    for (mutation, field, row) in [
        ("updateDatamodel", "datamodelId", flow.datamodel),
        ("deleteDatamodel", "datamodelId", flow.datamodel),
        ("updatePipelineSubscription", "pipelineSubscriptionId", flow.subscription),
        ("deletePipelineSubscription", "pipelineSubscriptionId", flow.subscription),
    ] {
        let input = json!({field: row, "updatedAt": "2026-01-01T00:00:00Z"});
        let refused = flow.stage.root.change(mutation, input, "__typename").await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("updatedAt")), "{mutation}");
    }
}

#[tokio::test]
async fn i07_what_was_just_made_can_be_changed_at_the_version_it_was_answered_with() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let input = json!({"teamId": flow.stage.team, "name": "fresh", "sourceConnectorId": flow.stage.connector});
    let made = root.change("createPipeline", input, "pipeline { id version isCompleted state }").await.data()["createPipeline"]["pipeline"]
        .clone();
    assert_eq!((&made["version"], &made["isCompleted"], &made["state"]), (&json!(1), &json!(false), &json!("DRAFT")));
    let input = json!({"pipelineId": made["id"], "expectedVersion": 1, "targetConnectorId": flow.target});
    assert_eq!(root.change("updatePipeline", input, "pipeline { version }").await.data()["updatePipeline"]["pipeline"]["version"], 2);
    // Workers' words in between are no change.
    flow.live().await;
    let input = json!({"pipelineId": made["id"], "expectedVersion": 2, "targetConnectorId": null});
    assert_eq!(root.change("updatePipeline", input, "pipeline { version }").await.data()["updatePipeline"]["pipeline"]["version"], 3);
}

#[tokio::test]
async fn a_subscription_is_known_by_datamodel_target_and_table_also_when_twenty_come_at_once() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let create = |table: &'static str| {
        let input = json!({"pipelineId": flow.pipeline, "datamodelId": flow.datamodel, "targetConnectorId": flow.target,
            "targetTableName": table, "name": "s"});
        async move { root.change("createPipelineSubscription", input, "pipelineSubscription { id consumerId }").await }
    };
    let twice = create("orders").await;
    assert_eq!((twice.code(), twice.field()), ("CONFLICT", Some("targetTableName")));
    let replies = futures_util::future::join_all((0..20).map(|_| create("many"))).await;
    let (made, refused): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.0.get("errors").is_none());
    assert_eq!((made.len(), refused.len()), (1, 19));
    assert!(refused.iter().all(|reply| (reply.code(), reply.field()) == ("CONFLICT", Some("targetTableName"))));
    let subscription = made[0].0["data"]["createPipelineSubscription"]["pipelineSubscription"].clone();
    assert_eq!(subscription["consumerId"], subscription["id"], "its own id unless told otherwise");
    assert_eq!(flow.version().await, 3, "those that were refused have raised nothing");
    // Changing another into it is refused as well; names in other spelling are other tables.
    let other = flow.new_subscription(flow.pipeline, flow.datamodel, "Many").await;
    let input = json!({"pipelineSubscriptionId": other, "targetTableName": "many"});
    let refused = root.change("updatePipelineSubscription", input, "pipelineSubscription { id }").await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("targetTableName")));
    // M12: what is deleted is free again.
    root.change("deletePipelineSubscription", json!({"pipelineSubscriptionId": subscription["id"]}), "__typename").await.data();
    create("many").await.data();
}

#[tokio::test]
async fn a_consumer_group_that_is_taken_away_is_the_subscriptions_own_id_again() {
    let flow = Flow::open().await;
    for (given, stored) in [(json!("mine"), json!("mine")), (json!(null), json!(flow.subscription))] {
        let input = json!({"pipelineSubscriptionId": flow.subscription, "consumerId": given});
        let reply = flow.stage.root.change("updatePipelineSubscription", input, "pipelineSubscription { consumerId }").await.data();
        assert_eq!(reply["updatePipelineSubscription"]["pipelineSubscription"]["consumerId"], stored);
    }
}

#[tokio::test]
async fn transforms_are_stored_in_their_order_once_they_are_sound_and_a_key_is_only_named() {
    let flow = Flow::open().await;
    let change = |transforms: &Value| {
        let input = json!({"pipelineSubscriptionId": flow.subscription, "transformConfig": transforms});
        let root = &flow.stage.root;
        async move { root.change("updatePipelineSubscription", input, "pipelineSubscription { transformConfig }").await }
    };
    let key = json!({"$secret": "env:PUMPHOUSE_SECRET_KEY"});
    let sound = json!([{"type": "flattener"}, {"type": "encrypt", "fields": ["email"], "key": key}, {"type": "hash", "fields": ["id"]}]);
    assert_eq!(change(&sound).await.data()["updatePipelineSubscription"]["pipelineSubscription"]["transformConfig"], sound);
    let before = flow.written().await;
    let canary = "Y2FuYXJ5LWNhbmFyeS1jYW5hcnktY2FuYXJ5LWNhbmE=";
    for (transforms, field) in [
        (json!([{"type": "flattener"}, {"type": "encrypt", "fields": ["email"], "key": canary}]), "transformConfig/1/key"),
        (json!([{"type": "encrypt", "fields": ["email"], "key": {"$secret": "stored"}}]), "transformConfig"),
        (json!([{"type": "nothing of the kind"}]), "transformConfig/0/type"),
    ] {
        let refused = change(&transforms).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some(field)));
        assert!(!refused.0.to_string().contains(canary), "{refused:?}");
    }
    assert_eq!(flow.written().await, before);
}

#[tokio::test]
async fn a_topic_in_use_by_what_one_does_not_see_is_a_conflict_that_shows_nothing() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let member = stage.server.user("ada@example.com", false).await;
    let other = stage.world.team(stage.env, "other").await;
    stage.world.join_team(member.id, other, false).await;
    let (source, _) = stage.world.source(other, "till").await;
    let create = |name: &'static str, topic: &'static str| {
        let input = json!({"sourceConnectorId": source, "name": name, "sourceTopic": topic});
        let member = member.clone();
        async move { member.change("createDatamodel", input, "datamodel { id }").await }
    };
    let foreign = create("spy", "shop.orders").await;
    assert_eq!((foreign.code(), foreign.field()), ("CONFLICT", Some("sourceTopic")));
    let said = foreign.0.to_string();
    assert!(
        !said.contains("shop")
            && !said.contains(&flow.datamodel.to_string())
            && foreign.0["errors"][0]["extensions"].get("details").is_none(),
        "{said}"
    );
    // One's own topic may be read twice; nobody moves to a foreign one either.
    create("till", "till.sales").await.data();
    let second = id(&create("again", "till.sales").await.data()["createDatamodel"]["datamodel"]["id"]);
    let input = json!({"datamodelId": second, "sourceTopic": "shop.orders"});
    let moved = member.change("updateDatamodel", input, "datamodel { id }").await;
    assert_eq!((moved.code(), moved.field()), ("CONFLICT", Some("sourceTopic")));
    // Who sees both may.
    root.change("updateDatamodel", json!({"datamodelId": second, "sourceTopic": "shop.orders"}), "datamodel { id }").await.data();
    // At once: neither team sees what the other has just begun.
    let mine = stage.server.user("bob@example.com", false).await;
    stage.world.join_team(mine.id, stage.team, false).await;
    let input = json!({"sourceConnectorId": stage.connector, "name": "n", "sourceTopic": "fresh"});
    let (one, two) = tokio::join!(mine.change("createDatamodel", input, "datamodel { id }"), create("n", "fresh"));
    let refused = [&one, &two].into_iter().filter(|reply| reply.0.get("errors").is_some()).count();
    assert_eq!(refused, 1, "{one:?} {two:?}");
}

#[tokio::test]
async fn a_datamodel_that_a_pipeline_carries_stays() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    root.change("updatePipeline", json!({"pipelineId": flow.pipeline, "datamodelId": flow.datamodel}), "pipeline { id }").await.data();
    let delete = || async { root.change("deleteDatamodel", json!({"datamodelId": flow.datamodel}), "datamodel { name }").await };
    let refused = delete().await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("datamodelId")));
    let listed = json!({"pipelines": {"count": 1, "names": ["shop to warehouse"], "others": false}});
    assert_eq!(refused.0["errors"][0]["extensions"]["details"], listed);
    // A pipeline of a team that one does not see is in the way and is not shown.
    let other = stage.world.team(stage.env, "other").await;
    root.change("createPipeline", json!({"teamId": other, "name": "hidden", "datamodelId": flow.datamodel}), "pipeline { id }")
        .await
        .data();
    let member = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let refused = member.change("deleteDatamodel", json!({"datamodelId": flow.datamodel}), "datamodel { name }").await;
    assert_eq!(
        refused.0["errors"][0]["extensions"]["details"]["pipelines"],
        json!({"count": 1, "names": ["shop to warehouse"], "others": true})
    );
    sqlx::query("update pipeline set datamodel_id = null").execute(&stage.world.pool).await.expect("an update");
    assert_eq!(delete().await.data()["deleteDatamodel"]["datamodel"]["name"], "orders");
    let now = flow.now(flow.pipeline).await;
    assert_eq!((&now["isCompleted"], &now["state"]), (&json!(false), &json!("DRAFT")), "its subscription delivers nothing any more");
}

#[tokio::test]
async fn m11_m12_names_of_pipelines_are_taken_and_free_again() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let other = flow.new_pipeline("other").await;
    let renamed = root.change("updatePipeline", json!({"pipelineId": other, "name": "shop to warehouse"}), "pipeline { id }").await;
    assert_eq!((renamed.code(), renamed.field()), ("CONFLICT", Some("name")));
    root.change("deletePipeline", json!({"pipelineId": flow.pipeline}), "pipeline { id }").await.data();
    flow.new_pipeline("shop to warehouse").await;
}

#[tokio::test]
async fn m13_a_name_is_taken_within_its_env_and_shows_nothing_of_who_has_it() {
    let flow = Flow::open().await;
    let stage = &flow.stage;
    let member = stage.server.user("ada@example.com", false).await;
    let elsewhere = stage.world.env("elsewhere").await;
    for (env, outcome) in [(elsewhere, None), (stage.env, Some("CONFLICT"))] {
        let team = stage.world.team(env, "other").await;
        stage.world.join_team(member.id, team, false).await;
        let input = json!({"teamId": team, "name": "shop to warehouse"});
        let reply = member.change("createPipeline", input, "pipeline { id }").await;
        match outcome {
            None => drop(reply.data()),
            Some(code) => {
                assert_eq!((reply.code(), reply.field()), (code, Some("name")));
                assert!(!reply.0.to_string().contains(&flow.pipeline.to_string()));
                assert_eq!(reply.0["errors"][0]["extensions"].get("details"), None);
            }
        }
    }
}

#[tokio::test]
async fn m14_one_rule_says_what_a_name_is_whether_it_is_made_or_changed() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let other = flow.new_pipeline("other").await;
    flow.new_pipeline("Caf\u{e9}").await;
    // Spaces around and the way in which letters are composed make no other name; case and look-alike letters do.
    for (name, taken) in
        [("  shop to warehouse\t", true), ("Cafe\u{301}", true), ("Shop to warehouse", false), ("\u{455}hop to warehouse", false)]
    {
        let update = root.change("updatePipeline", json!({"pipelineId": other, "name": name}), "pipeline { name }").await;
        if !taken {
            root.change("updatePipeline", json!({"pipelineId": other, "name": "other"}), "pipeline { name }").await.data();
        }
        let create = root.change("createPipeline", json!({"teamId": stage.team, "name": name}), "pipeline { name }").await;
        for reply in [update, create] {
            let refused = reply.0.get("errors").is_some();
            assert_eq!(refused, taken, "{name:?}: {reply:?}");
            if refused {
                assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("name")));
            }
        }
    }
}

/// Of two who take away the last two subscriptions neither sees what the other does, and still it is a draft in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_two_subscriptions_may_go_at_once() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let mut first = flow.subscription;
    for _ in 0..20 {
        let second = flow.new_subscription(flow.pipeline, flow.datamodel, "second").await;
        let delete = |id: Uuid| async move {
            root.change("deletePipelineSubscription", json!({"pipelineSubscriptionId": id}), "__typename").await.data();
        };
        let by_hand = async {
            sqlx::query("delete from subscription where id = $1").bind(second).execute(&flow.stage.world.pool).await.expect("gone");
        };
        tokio::join!(delete(first), by_hand);
        assert_eq!(flow.now(flow.pipeline).await["isCompleted"], false);
        first = flow.new_subscription(flow.pipeline, flow.datamodel, "first").await;
        assert_eq!(flow.now(flow.pipeline).await["isCompleted"], true);
    }
}

/// Everything at once on the same few rows: whatever comes of it is an answer of its own, and what is stored is true.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_all_kinds_at_once_end_in_answers_and_in_what_is_true() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let elsewhere = stage.world.env("elsewhere").await;
    let other = flow.new_pipeline("other").await;
    for round in 0..8 {
        let datamodel = flow.new_datamodel(&format!("round {round}")).await;
        let (lake, _) = stage.world.target(stage.team, &format!("lake {round}")).await;
        let table = format!("t{round}");
        let made = flow.new_subscription(flow.pipeline, datamodel, &table).await;
        let into_lake = json!({"pipelineSubscriptionId": made, "targetConnectorId": lake});
        root.change("updatePipelineSubscription", into_lake, "__typename").await.data();
        let env = if round % 2 == 0 { elsewhere } else { stage.env };
        let ask = |mutation: &'static str, input: Value| async move { (mutation, root.change(mutation, input, "__typename").await) };
        let changes = [
            ask("deleteDatamodel", json!({"datamodelId": datamodel})),
            ask("updatePipelineSubscription", json!({"pipelineSubscriptionId": made, "pipelineId": other, "backfill": true})),
            ask("updatePipelineSubscription", json!({"pipelineSubscriptionId": made, "datamodelId": flow.datamodel, "name": "n"})),
            ask(
                "createPipelineSubscription",
                json!({"pipelineId": other, "datamodelId": datamodel, "targetConnectorId": lake, "name": "n"}),
            ),
            ask(
                "updatePipeline",
                json!({"pipelineId": flow.pipeline, "targetConnectorId": flow.target, "jsonConfiguration": {"round": round}}),
            ),
            ask("startPipeline", json!({"pipelineId": flow.pipeline})),
            ask("pausePipeline", json!({"pipelineId": flow.pipeline})),
            ask("moveTeam", json!({"teamId": stage.team, "envId": env})),
            ask("deletePipelineSubscription", json!({"pipelineSubscriptionId": made})),
        ];
        let by_hand = async {
            let gone = sqlx::query("delete from connector where id = $1").bind(lake).execute(&stage.world.pool).await;
            // Another writer is not run again after a deadlock.
            let deadlock =
                |error: &sqlx::Error| error.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() == Some("40P01");
            assert!(gone.as_ref().is_ok_and(|done| done.rows_affected() == 1) || gone.as_ref().is_err_and(deadlock), "{gone:?}");
        };
        let (replies, ()) = tokio::join!(futures_util::future::join_all(changes), by_hand);
        for (mutation, reply) in replies {
            let fine = reply.0.get("errors").is_none() || ["NOT_FOUND", "CONFLICT", "VALIDATION"].contains(&reply.code());
            assert!(fine, "{mutation}: {reply:?}");
        }
        let lies = "select count(*) from pipeline p where is_completed is distinct from (source_connector_id is not null and target_connector_id is not null
            and exists (select 1 from subscription s where s.pipeline_id = p.id and s.datamodel_id is not null and s.target_connector_id is not null
                and s.target_table_name is not null))";
        let lies: i64 = sqlx::query_scalar(lies).fetch_one(&stage.world.pool).await.expect("a count");
        assert_eq!(lies, 0);
    }
}
