//! Deleting connectors.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{create, delete, everything, log, postgres};
use crate::support::{Stage, until_somebody_waits};

fn details(reply: &crate::support::Reply) -> &Value {
    &reply.0["errors"][0]["extensions"]["details"]
}

#[tokio::test]
async fn a_connector_that_pipelines_name_stays_and_they_are_listed() {
    let stage = Stage::open().await;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    let model = stage.world.datamodel(stage.connector, "orders").await;
    let flow = stage.world.pipeline(stage.team, "flow", stage.connector, target, model).await;
    let before = everything(&stage.world.pool).await;
    for connector in [stage.connector, target] {
        let refused = delete(&stage.root, connector, true).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("connectorId")));
        assert_eq!(*details(&refused), json!({"pipelines": {"count": 1, "nodes": [{"id": flow.to_string(), "name": "flow"}]}}));
    }
    // Of a pipeline that one does not see, one learns that it is there, and nothing else.
    let other = stage.world.team(stage.env, "other").await;
    sqlx::query("update pipeline set team_id = $1").bind(other).execute(&stage.world.pool).await.expect("moved");
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let refused = delete(&member, stage.connector, true).await;
    assert_eq!(refused.message(), "It cannot be deleted: a pipeline that you do not see names it.");
    assert_eq!(*details(&refused), json!({"pipelines": {"count": 0, "nodes": []}}));
    assert_eq!(everything(&stage.world.pool).await, before);
}

#[tokio::test]
async fn a_connector_that_the_error_table_of_a_pipeline_names_stays_also_when_forced() {
    let stage = Stage::open().await;
    let (spare, _) = stage.world.target(stage.team, "spare").await;
    let input = json!({"teamId": stage.team, "name": "flow", "errorTableConfig": {"tables": [{"connector": spare}], "keep": 7}});
    let flow = stage.root.change("createPipeline", input, "pipeline { id }").await.data()["createPipeline"]["pipeline"]["id"].clone();
    let before = everything(&stage.world.pool).await;
    for force in [false, true] {
        let refused = delete(&stage.root, spare, force).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("connectorId")));
        assert_eq!(*details(&refused), json!({"pipelines": {"count": 1, "nodes": [{"id": flow, "name": "flow"}]}}));
    }
    assert_eq!(everything(&stage.world.pool).await, before);
    stage.root.change("updatePipeline", json!({"pipelineId": flow, "errorTableConfig": null}), "pipeline { id }").await.data();
    delete(&stage.root, spare, false).await.data();
}

#[tokio::test]
async fn m12_a_connector_is_deleted_with_its_worker_what_it_fed_stays_and_its_name_is_free() {
    let stage = Stage::open().await;
    let pool = &stage.world.pool;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    let model = stage.world.datamodel(stage.connector, "orders").await;
    let subscription = Uuid::new_v4();
    sqlx::query("insert into subscription (id, name, config, transform_config, datamodel_id, target_connector_id, error_table_enabled) values ($1, 's', '{}', '[]', $2, $3, false)")
        .bind(subscription).bind(model).bind(target).execute(pool).await.expect("a subscription");
    for connector in [stage.connector, target] {
        delete(&stage.root, connector, false).await.data();
    }
    let left: (i64, i64, Option<Uuid>, Option<Uuid>) = sqlx::query_as(
        "select (select count(*) from connector), (select count(*) from worker), (select source_connector_id from datamodel), (select target_connector_id from subscription)",
    )
    .fetch_one(pool)
    .await
    .expect("what is left");
    assert_eq!(left, (0, 0, None, None));
    assert_eq!(log(pool).await, [json!(["delete", "Connector", "shop", []]), json!(["delete", "Connector", "dwh", []])]);
    let again = delete(&stage.root, stage.connector, false).await;
    assert_eq!((again.code(), again.field()), ("NOT_FOUND", Some("connectorId")));
    create(&stage.root, stage.team, "shop", "POSTGRES_SOURCE", postgres("db")).await.data();
}

#[tokio::test]
async fn l11_work_is_in_the_way_of_a_deletion_unless_it_is_forced_and_then_ends_with_its_own_cause() {
    let stage = Stage::open().await;
    let pool = &stage.world.pool;
    let generation = stage.live().await;
    let run = stage.sync(&[("public.a", None), ("public.b", None)]).await;
    let before = everything(pool).await;
    let refused = delete(&stage.root, stage.connector, false).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("connectorId")));
    assert_eq!(*details(&refused), json!({"workerState": "LIVE", "syncRunId": run.to_string()}));
    assert_eq!(everything(pool).await, before);

    delete(&stage.root, stage.connector, true).await.data();
    let end: (String, Option<String>, Option<String>, i32) =
        sqlx::query_as("select cause, by_email, connector_name, tables_total from pumphouse.sync_run_end where sync_run_id = $1")
            .bind(run)
            .fetch_one(pool)
            .await
            .expect("how it ended outlives it");
    let words = |text: &str| Some(text.to_owned());
    assert_eq!(end, ("CONNECTOR_DELETED".to_owned(), words("root@example.com"), words("shop"), 2));
    assert_eq!(stage.audited().await[2..], ["cancel", "stop", "delete"]);
    let late = stage.report(generation, "LIVE", None).await;
    assert_eq!((&late["accepted"], &late["directive"]), (&json!(false), &json!("EXIT")));
}

#[tokio::test]
async fn r09_whoever_names_a_connector_that_is_being_deleted_waits_and_is_seen() {
    let stage = Stage::open().await;
    let (target, _) = stage.world.target(stage.team, "dwh").await;
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query(
        "insert into pipeline (id, name, json_configuration, version, team_id, source_connector_id) values ($1, 'late', '{}', 1, $2, $3)",
    )
    .bind(Uuid::new_v4())
    .bind(stage.team)
    .bind(target)
    .execute(&mut *other)
    .await
    .expect("a pipeline");
    let committing = async {
        until_somebody_waits(&stage.world.pool).await;
        other.commit().await.expect("the pipeline stays");
    };
    let (refused, ()) = tokio::join!(delete(&stage.root, target, true), committing);
    assert_eq!(refused.code(), "CONFLICT");
    assert_eq!(details(&refused)["pipelines"]["nodes"][0]["name"], "late");
}

#[tokio::test]
async fn a_team_that_is_deleted_meanwhile_gets_no_connector() {
    let stage = Stage::open().await;
    let doomed = stage.world.team(stage.env, "doomed").await;
    let mut other = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("delete from team where id = $1").bind(doomed).execute(&mut *other).await.expect("deleted");
    let committing = async {
        until_somebody_waits(&stage.world.pool).await;
        other.commit().await.expect("the team is gone");
    };
    let (refused, ()) = tokio::join!(create(&stage.root, doomed, "x", "POSTGRES_SOURCE", postgres("db")), committing);
    assert_eq!((refused.code(), refused.field()), ("NOT_FOUND", Some("teamId")));
}
