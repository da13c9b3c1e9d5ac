//! `issueWorkerToken`: who gets a token for a worker that nobody launches, and how long it counts.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Reply, Stage, id};

async fn issue(caller: &Caller, worker: Uuid) -> Reply {
    let query = "mutation($id: ID!) { issueWorkerToken(input: {workerId: $id, lifetime: 3600}) { accessToken expiresAt launchGeneration worker { id } } }";
    caller.ask_with(query, json!({"id": worker})).await
}

const REPORT: &str =
    "mutation($w: ID!, $g: ID!) { reportWorker(input: {workerId: $w, launchGeneration: $g, state: LIVE}) { accepted directive } }";

#[tokio::test]
async fn whoever_administers_the_team_runs_a_worker_by_hand() {
    let stage = Stage::open().await;
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_team(admin.id, stage.team, true).await;
    assert_eq!(issue(&admin, stage.worker).await.code(), "CONFLICT");
    let generation = stage.start().await;
    let issued = issue(&admin, stage.worker).await.data()["issueWorkerToken"].clone();
    assert_eq!(id(&issued["launchGeneration"]), generation);
    let worker = stage.server.with_token(issued["accessToken"].as_str().expect("a token"));
    let report = async || worker.ask_with(REPORT, json!({"w": stage.worker, "g": generation})).await.data()["reportWorker"].clone();
    assert_eq!(report().await, json!({"accepted": true, "directive": "RUN"}));
    let booted = reqwest::Client::new().post(stage.server.url("/worker/bootstrap")).bearer_auth(worker.token.as_deref().expect("a token"));
    let booted: Value = booted.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(booted["configuration"]["password"], "hunter2");
    assert_eq!(stage.audited().await, ["start", "issue", "bootstrap"]);
    // A new generation ends it.
    stage.stop().await;
    stage.report(generation, "PAUSED", None).await;
    let next = stage.start().await;
    assert_eq!(report().await, json!({"accepted": false, "directive": "EXIT"}));
    // And it speaks for no other, though everybody in the team can read which is the present one.
    let lie = worker.ask_with(REPORT, json!({"w": stage.worker, "g": next})).await;
    assert_eq!((lie.code(), lie.field()), ("FORBIDDEN", Some("launchGeneration")));
    let lie = reqwest::Client::new()
        .post(stage.server.url("/worker/bootstrap"))
        .bearer_auth(worker.token.as_deref().expect("a token"))
        .json(&json!({"workerId": stage.worker, "launchGeneration": next}))
        .send()
        .await
        .expect("an answer");
    assert_eq!(lie.status(), 403);
    assert!(!lie.text().await.expect("a body").contains("hunter2"));
}

#[tokio::test]
async fn nobody_else_is_given_one() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let user = async |name: &str| stage.server.user(&format!("{name}@example.com"), false).await;
    let (member, reader, stranger) = (user("member").await, user("reader").await, user("stranger").await);
    stage.world.join_team(member.id, stage.team, false).await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let before = stage.written().await;
    for (caller, code) in
        [(&member, "FORBIDDEN"), (&reader, "FORBIDDEN"), (&stranger, "NOT_FOUND"), (&stage.server.nobody(), "UNAUTHENTICATED")]
    {
        assert_eq!(issue(caller, stage.worker).await.code(), code);
    }
    assert_eq!(issue(&stage.server.worker(stage.worker, generation), stage.worker).await.code(), "NOT_FOUND");
    assert_eq!(issue(&stage.root, Uuid::new_v4()).await.field(), Some("workerId"));
    assert_eq!(stage.written().await, before);
}
