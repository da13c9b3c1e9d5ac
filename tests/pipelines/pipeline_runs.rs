//! Starting and pausing pipelines, with connectors that others need too.

use serde_json::{Value, json};

use crate::support::{Flow, Stage, TestSettings};

#[tokio::test]
async fn a_pipeline_is_started_and_paused_with_both_workers() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let started = flow.run(root, "startPipeline", flow.pipeline).await.data()["startPipeline"]["pipeline"].clone();
    assert_eq!(started, json!({"state": "BUILDING", "version": 3}));
    let before = flow.written().await;
    flow.run(root, "startPipeline", flow.pipeline).await.data();
    assert_eq!(flow.written().await, before, "one that runs already stays as it is");
    flow.live().await;
    assert_eq!(flow.now(flow.pipeline).await["state"], "LIVE");
    let paused = flow.run(root, "pausePipeline", flow.pipeline).await.data()["pausePipeline"].clone();
    assert_eq!(paused, json!({"pipeline": {"state": "PAUSED", "version": 4}, "workersLeftRunning": [], "syncRunsLeftRunning": []}));
    assert_eq!(flow.stage.worker_now().await["state"], "STOPPING");
    let starting = flow.run(root, "startPipeline", flow.pipeline).await;
    assert_eq!((starting.code(), starting.field()), ("CONFLICT", Some("pipelineId")));
    assert_eq!(flow.now(flow.pipeline).await["pipelineSubscriptions"]["nodes"][0]["enabled"], false, "nothing is half done");
    let audited = flow.stage.audited().await;
    assert_eq!(audited[3..], ["start", "start", "start", "stop", "stop", "stop"], "the pipeline and both workers, each time");
}

#[tokio::test]
async fn a_draft_is_not_started_and_is_told_what_it_lacks() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let all = ["sourceConnectorId", "targetConnectorId", "pipelineSubscriptions"];
    let empty = root.change("createPipeline", json!({"teamId": flow.stage.team, "name": "empty"}), "pipeline { id }").await.data();
    let empty = crate::support::id(&empty["createPipeline"]["pipeline"]["id"]);
    let half = flow.new_pipeline("half").await;
    for (pipeline, missing) in [(empty, &all[..]), (half, &all[2..])] {
        let refused = flow.run(root, "startPipeline", pipeline).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("pipelineId")));
        assert_eq!(refused.0["errors"][0]["extensions"]["details"], json!({"missing": missing}));
    }
    assert_eq!(flow.stage.worker_now().await["state"], "PAUSED");
    flow.run(root, "pausePipeline", empty).await.data();
}

#[tokio::test]
async fn r07_a_worker_that_another_pipeline_needs_is_left_running_and_named() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    // Another pipeline reads the same source into a target of its own.
    let (lake, lake_worker) = stage.world.target(stage.team, "lake").await;
    let other = flow.new_pipeline("to the lake").await;
    root.change("updatePipeline", json!({"pipelineId": other, "targetConnectorId": lake}), "pipeline { id }").await.data();
    let input =
        json!({"pipelineId": other, "datamodelId": flow.datamodel, "targetConnectorId": lake, "targetTableName": "orders", "name": "s"});
    root.change("createPipelineSubscription", input, "__typename").await.data();
    flow.live().await;
    flow.run(root, "startPipeline", other).await.data();
    stage.report_of(lake_worker, stage.world.generation(lake_worker).await, "LIVE", None).await;
    // In the middle of a sync.
    let run = stage.sync(&[("public.orders", None)]).await;
    let paused = flow.run(root, "pausePipeline", flow.pipeline).await.data()["pausePipeline"].clone();
    assert_eq!(paused["workersLeftRunning"], json!([{"id": stage.worker}]));
    assert_eq!(paused["syncRunsLeftRunning"], json!([{"id": run}]));
    assert_eq!(stage.worker_now().await["state"], "LIVE");
    assert_eq!((&flow.now(flow.pipeline).await["state"], &flow.now(other).await["state"]), (&json!("PAUSED"), &json!("LIVE")));
    // The sync goes on, and can be cancelled.
    stage.cancel(root, run).await.data();
    assert_eq!(stage.run(run).await["status"], "CANCELLED");
    // Nothing needs the source any more.
    let paused = flow.run(root, "pausePipeline", other).await.data()["pausePipeline"].clone();
    assert_eq!(paused["workersLeftRunning"], json!([]));
    assert_eq!(stage.worker_now().await["state"], "STOPPING");
}

#[tokio::test]
async fn pausing_one_and_starting_another_at_once_leaves_no_pipeline_without_its_worker() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let other = flow.new_pipeline("other").await;
    flow.new_subscription(other, flow.datamodel, "elsewhere").await;
    for _ in 0..15 {
        stage.write("update worker set state = 'LIVE', stop_requested_at = null where $1 is not null").await;
        sqlx::query("update subscription set enabled = pipeline_id = $1")
            .bind(flow.pipeline)
            .execute(&stage.world.pool)
            .await
            .expect("set");
        let (paused, started) = tokio::join!(flow.run(root, "pausePipeline", flow.pipeline), flow.run(root, "startPipeline", other));
        let left = paused.data()["pausePipeline"]["workersLeftRunning"].as_array().expect("workers").len();
        let state = flow.now(other).await["state"].clone();
        // Whoever came second saw the first: both workers were left for the other, or it was told that they stop.
        match started.0.get("errors") {
            None => assert_eq!((left, state), (2, json!("LIVE"))),
            Some(_) => assert_eq!((left, started.code(), state), (0, "CONFLICT", json!("PAUSED"))),
        }
    }
}

#[tokio::test]
async fn starting_and_pausing_need_the_right_on_both_connectors() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let other = stage.world.team(stage.env, "other").await;
    let (lake, _) = stage.world.target(other, "lake").await;
    root.change("updatePipeline", json!({"pipelineId": flow.pipeline, "targetConnectorId": lake}), "pipeline { id }").await.data();
    let member = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let before = flow.written().await;
    for verb in ["startPipeline", "pausePipeline"] {
        let refused = flow.run(&member, verb, flow.pipeline).await;
        assert_eq!((refused.code(), refused.field()), ("FORBIDDEN", Some("pipelineId")));
    }
    assert_eq!(flow.written().await, before);
    stage.world.join_team(member.id, other, false).await;
    flow.run(&member, "startPipeline", flow.pipeline).await.data();
    flow.run(&member, "pausePipeline", flow.pipeline).await.data();
}

#[tokio::test]
async fn r11_a_worker_that_was_to_be_restarted_stays_stopped_once_its_pipeline_is_paused() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let (source, _) = flow.live().await;
    stage.command(root, "restartWorker", stage.worker).await.data();
    flow.run(root, "pausePipeline", flow.pipeline).await.data();
    assert_eq!(stage.report(source, "PAUSED", None).await["directive"], "EXIT");
    assert_eq!(stage.worker_now().await["state"], "PAUSED");
    assert_eq!(stage.generation().await, source, "it was not launched again");
}

#[tokio::test]
async fn pausing_goes_on_without_a_licence_and_starting_does_not() {
    let flow = Flow::on(Stage::open_with(TestSettings::default()).await).await;
    flow.live().await;
    let settings = TestSettings { license_enforced: true, ..TestSettings::default() };
    let second = crate::support::Server::on(flow.stage.server.database.again().await, &settings).await;
    let root = second.with_token(flow.stage.root.token.as_deref().expect("a token"));
    assert_eq!(flow.run(&root, "startPipeline", flow.pipeline).await.code(), "LICENSE_INACTIVE");
    let paused: Value = flow.run(&root, "pausePipeline", flow.pipeline).await.data();
    assert_eq!(paused["pausePipeline"]["pipeline"]["state"], "PAUSED");
}

/// Heartbeats between edits, renames and a move of the team: a worker is told to stop only when a stop was asked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w06_heartbeats_are_answered_run_whatever_is_edited_meanwhile() {
    let flow = Flow::open().await;
    let (stage, root) = (&flow.stage, &flow.stage.root);
    let (source, target) = flow.live().await;
    let elsewhere = stage.world.env("elsewhere").await;
    let edits = async {
        for round in 0..12 {
            let name = format!("round {round}");
            let settings = json!({"pipelineId": flow.pipeline, "name": name, "jsonConfiguration": {"round": round}});
            root.change("updatePipeline", settings, "pipeline { id }").await.data();
            root.change("updateDatamodel", json!({"datamodelId": flow.datamodel, "name": name}), "datamodel { id }").await.data();
            let delivery = json!({"pipelineSubscriptionId": flow.subscription, "name": name, "targetTableName": name});
            root.change("updatePipelineSubscription", delivery, "pipelineSubscription { id }").await.data();
            sqlx::query("update connector set name = name || $1")
                .bind(round.to_string())
                .execute(&stage.world.pool)
                .await
                .expect("a rename");
            let env = if round % 2 == 0 { elsewhere } else { stage.env };
            root.change("moveTeam", json!({"teamId": stage.team, "envId": env}), "team { id }").await.data();
        }
    };
    let beats = async {
        for _ in 0..60 {
            for (worker, generation) in [(stage.worker, source), (flow.target_worker, target)] {
                let answer = stage.report_of(worker, generation, "LIVE", None).await;
                assert_eq!((&answer["accepted"], &answer["directive"]), (&json!(true), &json!("RUN")));
            }
        }
    };
    tokio::join!(edits, beats);
    flow.run(root, "pausePipeline", flow.pipeline).await.data();
    assert_eq!(stage.report(source, "LIVE", None).await["directive"], "STOP");
}
