//! `POST /worker/bootstrap`: the only way in which a configuration leaves, and who gets it.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

use crate::support::{Caller, Stage};

async fn ask(stage: &Stage, caller: &Caller) -> Response {
    let mut request = reqwest::Client::new().post(stage.server.url("/worker/bootstrap"));
    if let Some(token) = &caller.token {
        request = request.bearer_auth(token);
    }
    request.send().await.expect("an answer")
}

async fn ask_for(stage: &Stage, caller: &Caller, worker: Uuid, generation: Uuid) -> (StatusCode, Value) {
    let request = reqwest::Client::new().post(stage.server.url("/worker/bootstrap")).bearer_auth(caller.token.as_deref().expect("a token"));
    let response = request.json(&json!({"workerId": worker, "launchGeneration": generation})).send().await.expect("an answer");
    (response.status(), response.json().await.expect("JSON"))
}

async fn refused(stage: &Stage, caller: &Caller) -> (StatusCode, String) {
    let response = ask(stage, caller).await;
    let status = response.status();
    let body: Value = response.json().await.expect("JSON");
    assert!(!body.to_string().contains("hunter2"));
    (status, body["errors"][0]["extensions"]["code"].as_str().expect("a code").to_owned())
}

#[tokio::test]
async fn the_present_generation_gets_its_configuration_and_the_hand_out_is_audited() {
    let stage = Stage::open().await;
    let datamodel = stage.world.datamodel(stage.connector, "orders").await;
    let generation = stage.start().await;
    let response = ask(&stage, &stage.server.worker(stage.worker, generation)).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(
        response.json::<Value>().await.expect("JSON"),
        json!({
            "workerId": stage.worker, "launchGeneration": generation, "connectorId": stage.connector, "connectorName": "shop",
            "connectorType": "POSTGRES_SOURCE", "way": "SOURCE", "revision": 1,
            "configuration": {"host": "db.example.org", "password": "hunter2"},
            "datamodels": [{"id": datamodel, "name": "orders", "sourceTopic": "topic.orders", "config": {}}],
        })
    );
    let (action, kind, about, text): (String, String, Uuid, String) = sqlx::query_as(
        "select l.action, l.user_type, d.entity_id, (to_jsonb(l) || to_jsonb(d))::text
         from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id order by l.timestamp desc limit 1",
    )
    .fetch_one(&stage.world.pool)
    .await
    .expect("an entry");
    assert_eq!((action.as_str(), kind.as_str(), about), ("bootstrap", "system", stage.connector));
    assert!(!text.contains("hunter2"));
}

#[tokio::test]
async fn nobody_else_gets_it_and_nothing_is_remembered() {
    let stage = Stage::open().await;
    let paused = stage.server.worker(stage.worker, stage.generation().await);
    assert_eq!(refused(&stage, &paused).await, (StatusCode::CONFLICT, "CONFLICT".to_owned()));
    let old = stage.live().await;
    stage.stop().await;
    stage.report(old, "PAUSED", None).await;
    stage.start().await;
    let log = stage.audited().await;

    let refusals = [
        (stage.server.nobody(), StatusCode::UNAUTHORIZED, "UNAUTHENTICATED"),
        (stage.server.with_token("no.token.at-all"), StatusCode::UNAUTHORIZED, "UNAUTHENTICATED"),
        (stage.root.clone(), StatusCode::FORBIDDEN, "FORBIDDEN"),
        (stage.server.worker(stage.worker, old), StatusCode::CONFLICT, "CONFLICT"),
        (stage.server.worker(stage.worker, Uuid::new_v4()), StatusCode::CONFLICT, "CONFLICT"),
        (stage.server.worker(Uuid::new_v4(), stage.generation().await), StatusCode::CONFLICT, "CONFLICT"),
    ];
    for (caller, status, code) in refusals {
        assert_eq!(refused(&stage, &caller).await, (status, code.to_owned()));
    }
    let past = chrono::Utc::now() - std::time::Duration::from_secs(5);
    let ended = stage.server.token_key.for_worker(stage.worker, stage.generation().await, past).expect("a token");
    let ended = stage.server.with_token(&ended.text);
    assert_eq!(refused(&stage, &ended).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(stage.audited().await, log);
    assert_eq!(stage.worker_now().await["runningRevision"], Value::Null);
}

/// A service account says for which worker it asks.
#[tokio::test]
async fn a_service_account_gets_it_while_its_grant_on_the_team_says_worker() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let other = stage.world.team(stage.env, "other").await;
    let account = stage.root.new_account(json!([{"teamId": stage.team, "worker": true}])).await;
    let (bearer, _) = stage.bearer(&stage.root, account).await;
    let (status, booted) = ask_for(&stage, &bearer, stage.worker, generation).await;
    assert_eq!((status, &booted["configuration"]["password"]), (StatusCode::OK, &json!("hunter2")));
    let by: (String, Option<String>) = sqlx::query_as("select user_type, user_email from user_log where action = 'bootstrap'")
        .fetch_one(&stage.world.pool)
        .await
        .expect("an entry");
    let email: String =
        sqlx::query_scalar("select u.email from \"user\" u join service_account_user a on a.user_id = u.id where a.id = $1")
            .bind(account)
            .fetch_one(&stage.world.pool)
            .await
            .expect("an email");
    assert_eq!(by, ("service".to_owned(), Some(email)));
    let log = stage.audited().await;

    assert_eq!(refused(&stage, &bearer).await, (StatusCode::BAD_REQUEST, "VALIDATION".to_owned()));
    let itself = stage.server.worker(stage.worker, generation);
    let code = async |caller: &Caller, worker, generation| {
        ask_for(&stage, caller, worker, generation).await.1["errors"][0]["extensions"]["code"].clone()
    };
    assert_eq!(code(&bearer, stage.worker, Uuid::new_v4()).await, "CONFLICT");
    assert_eq!(code(&bearer, Uuid::new_v4(), generation).await, "NOT_FOUND");
    assert_eq!(code(&itself, Uuid::new_v4(), generation).await, "NOT_FOUND");
    assert_eq!(code(&stage.root, stage.worker, generation).await, "FORBIDDEN");
    assert_eq!(stage.audited().await, log);
    stage.root.set_grants(account, json!([{"teamId": stage.team}])).await.data();
    assert_eq!(code(&bearer, stage.worker, generation).await, "FORBIDDEN");
    stage.root.set_grants(account, json!([{"teamId": other, "worker": true}])).await.data();
    assert_eq!(code(&bearer, stage.worker, generation).await, "NOT_FOUND");
}

/// L13: what is saved and what runs.
#[tokio::test]
async fn l13_a_changed_configuration_shows_until_the_worker_has_booted_with_it() {
    let stage = Stage::open().await;
    let shown = || async {
        let now = stage.worker_now().await;
        json!([now["savedRevision"], now["runningRevision"], now["restartNeeded"]])
    };
    assert_eq!(shown().await, json!([1, null, false]));
    let first = stage.start().await;
    ask(&stage, &stage.server.worker(stage.worker, first)).await;
    stage.report(first, "LIVE", None).await;
    assert_eq!(shown().await, json!([1, 1, false]));

    let sealed = stage.world.keys.seal(stage.connector, r#"{"host": "new.example.org"}"#).expect("sealed");
    sqlx::query("update connector set json_configuration = $2 where id = $1")
        .bind(stage.connector)
        .bind(Json(serde_json::from_str::<Value>(&sealed).expect("an envelope")))
        .execute(&stage.world.pool)
        .await
        .expect("a change");
    assert_eq!(shown().await, json!([2, 1, true]));

    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(first, "PAUSED", None).await;
    assert_eq!(shown().await, json!([2, null, false]));
    let second = stage.generation().await;
    let booted: Value = ask(&stage, &stage.server.worker(stage.worker, second)).await.json().await.expect("JSON");
    assert_eq!(booted["configuration"]["host"], "new.example.org");
    assert_eq!(shown().await, json!([2, 2, false]));
}

#[tokio::test]
async fn nobody_without_a_token_is_waited_for() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let stage = Stage::open().await;
    for path in ["bootstrap", "deliveries"] {
        let mut stream = tokio::net::TcpStream::connect(stage.server.service.address()).await.expect("a connection");
        let head = format!("POST /worker/{path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{");
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.expect("an answer before the body is there");
        assert_eq!(answer, *b"HTTP/1.1 401");
    }
}
