//! The audit log as it is read: its fields, its filters, who sees what, and that nobody changes it.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Stage};

const LOGS: &str = "query($filter: UserLogFilter, $first: Int, $after: String) { userLogs(filter: $filter, first: $first, after: $after) { totalCount
    pageInfo { endCursor hasNextPage hasPreviousPage }
    nodes { id action userType userEmail userId actorName entityType entityId entityName changedFields requestId envId teamId env { name } team { name } targetUserId } } }";

async fn logs(caller: &Caller, filter: Value) -> Vec<Value> {
    let page = caller.ask_with(LOGS, json!({"filter": filter})).await.data()["userLogs"].clone();
    let nodes = page["nodes"].as_array().expect("entries").clone();
    assert_eq!(page["totalCount"], nodes.len());
    nodes
}

async fn actions(caller: &Caller, filter: Value) -> Vec<String> {
    logs(caller, filter).await.iter().map(|entry| entry["action"].as_str().expect("a verb").to_lowercase()).collect()
}

#[tokio::test]
async fn an_entry_says_who_did_what_to_what_and_where() {
    let stage = Stage::open().await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let generation = stage.start().await;
    let booted = reqwest::Client::new().post(stage.server.url("/worker/bootstrap"));
    let worker = stage.server.worker(stage.worker, generation);
    booted.bearer_auth(worker.token.as_deref().expect("a token")).send().await.expect("an answer");

    let entries = logs(&stage.root, json!({})).await;
    let user: Uuid = sqlx::query_scalar("select user_id from service_account_user").fetch_one(&stage.world.pool).await.expect("a user");
    let mut made = entries[2].clone();
    assert!(made["requestId"].is_string());
    made["id"].take();
    made["requestId"].take();
    let expected = json!({"id": null, "requestId": null, "action": "CREATE", "userType": "REAL_USER", "userEmail": "root@example.com", "userId": stage.root.id,
        "actorName": null, "entityType": "ServiceAccount", "entityId": account, "entityName": "robot", "changedFields": ["name", "grants"],
        "envId": stage.env, "teamId": stage.team, "env": {"name": "prod"}, "team": {"name": "core"}, "targetUserId": user});
    assert_eq!(made, expected);
    assert_eq!(entries[0]["actorName"], format!("worker {}", stage.worker));
    assert_eq!((&entries[0]["userType"], &entries[0]["userId"]), (&json!("SYSTEM"), &Value::Null));
}

#[tokio::test]
async fn the_log_is_narrowed_by_who_what_whom_when_and_where() {
    let stage = Stage::open().await;
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_env(admin.id, stage.env, "admin").await;
    let other = stage.world.team(stage.env, "other").await;
    let account = admin.new_account(json!([{"teamId": other}])).await;
    stage.bearer(&stage.root, account).await;
    stage.command(&admin, "startWorker", stage.worker).await.data();
    let user: Uuid = sqlx::query_scalar("select user_id from service_account_user").fetch_one(&stage.world.pool).await.expect("a user");
    let start = logs(&stage.root, json!({"action": "START"})).await;
    let at: chrono::DateTime<chrono::Utc> =
        sqlx::query_scalar("select timestamp from user_log where action = 'start'").fetch_one(&stage.world.pool).await.expect("a time");
    let cases = [
        (json!({}), vec!["start", "issue", "create"]),
        (json!({"userEmail": "admin@example.com"}), vec!["start", "create"]),
        (json!({"userEmail": "admin@example.com", "action": "CREATE"}), vec!["create"]),
        (json!({"actionIn": ["ISSUE", "START"]}), vec!["start", "issue"]),
        (json!({"targetUserId": user}), vec!["issue", "create"]),
        (json!({"entityType": "Worker"}), vec!["start"]),
        (json!({"entityId": account}), vec!["issue", "create"]),
        (json!({"teamId": other}), vec!["issue", "create"]),
        (json!({"teamId": stage.team}), vec!["start"]),
        (json!({"envId": stage.env}), vec!["start", "issue", "create"]),
        (json!({"envId": Uuid::new_v4()}), vec![]),
        (json!({"timestampFrom": at}), vec!["start"]),
        (json!({"timestampBefore": at}), vec!["issue", "create"]),
        (json!({"requestId": start[0]["requestId"]}), vec!["start"]),
    ];
    for (filter, expected) in cases {
        assert_eq!(actions(&stage.root, filter.clone()).await, expected, "as a superuser: {filter}");
        assert_eq!(actions(&admin, filter.clone()).await, expected, "as an admin of the env: {filter}");
    }
}

/// The list of who has several owners is put together from theirs: nothing twice, nothing left out, in order.
#[tokio::test]
async fn everyone_sees_their_own_entries_and_those_of_what_they_administer() {
    let stage = Stage::open().await;
    let user = async |name: &str| stage.server.user(&format!("{name}@example.com"), false).await;
    let (env_admin, team_admin, member, stranger) = (user("env").await, user("team").await, user("member").await, user("stranger").await);
    let other = stage.world.team(stage.env, "other").await;
    stage.world.join_env(env_admin.id, stage.env, "admin").await;
    stage.world.join_team(team_admin.id, stage.team, true).await;
    stage.world.join_team(member.id, stage.team, false).await;
    stage.command(&member, "startWorker", stage.worker).await.data();
    for _ in 0..3 {
        stage.report(stage.generation().await, "PAUSED", None).await;
        stage.command(&team_admin, "restartWorker", stage.worker).await.data();
        env_admin.new_account(json!([{"teamId": other}])).await;
    }
    let all = ["create", "restart", "create", "restart", "create", "restart", "start"];
    assert_eq!(actions(&env_admin, json!({})).await, all);
    assert_eq!(actions(&team_admin, json!({})).await, ["restart", "restart", "restart", "start"]);
    assert_eq!(actions(&member, json!({})).await, ["start"]);
    assert!(actions(&stranger, json!({})).await.is_empty());
    for caller in [&stage.root, &env_admin] {
        let (mut seen, mut after) = (Vec::new(), Value::Null);
        loop {
            let page = caller.ask_with(LOGS, json!({"first": 2, "after": after})).await.data()["userLogs"].clone();
            assert_eq!(page["pageInfo"]["hasPreviousPage"], json!(!seen.is_empty()));
            seen.extend(
                page["nodes"].as_array().expect("entries").iter().map(|entry| entry["action"].as_str().expect("a verb").to_lowercase()),
            );
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
        }
        assert_eq!(seen, all);
    }
}

#[tokio::test]
async fn m07_deleting_a_user_erases_nothing_of_the_log() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, true).await;
    stage.command(&ada, "startWorker", stage.worker).await.data();
    let account = ada.new_account(json!([{"teamId": stage.team}])).await;
    stage.root.issue_token(account, 60).await.data();
    let before = actions(&stage.root, json!({})).await;
    stage.root.delete_account(account).await.data();
    sqlx::query("delete from \"user\" where id = $1").bind(ada.id).execute(&stage.world.pool).await.expect("deleted");
    let after = logs(&stage.root, json!({})).await;
    assert_eq!(after.len(), before.len() + 1);
    assert!(after.iter().all(|entry| entry["userId"] != json!(ada.id) && entry["targetUserId"].is_null()));
    assert_eq!(logs(&stage.root, json!({"userEmail": "ada@example.com"})).await.len(), 2);
}

#[tokio::test]
async fn m08_a_filter_by_email_gives_both_lives_of_an_address() {
    let stage = Stage::open().await;
    let mut lives = Vec::new();
    for _ in 0..2 {
        let ada = stage.server.user("ada@example.com", false).await;
        stage.world.join_team(ada.id, stage.team, false).await;
        stage.command(&ada, "restartWorker", stage.worker).await.data();
        lives.push(ada.clone());
        if lives.len() == 1 {
            sqlx::query("delete from \"user\" where id = $1").bind(ada.id).execute(&stage.world.pool).await.expect("deleted");
        }
    }
    assert_ne!(lives[0].id, lives[1].id);
    let both = logs(&stage.root, json!({"userEmail": "ada@example.com"})).await;
    let ids: Vec<&Value> = both.iter().map(|entry| &entry["userId"]).collect();
    assert_eq!(ids, [&json!(lives[1].id), &Value::Null]);
    assert_eq!(lives[0].ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
    assert_eq!(logs(&lives[1], json!({})).await.len(), 1);
}

#[tokio::test]
async fn nobody_changes_or_removes_an_entry() {
    let stage = Stage::open().await;
    stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let before = stage.written().await;
    let attempts = [
        "update user_log set user_email = 'eve@example.com'",
        "update user_log set action = 'delete', user_id = null",
        "update user_log set user_id = (select user_id from service_account_user)",
        "update pumphouse.audit_detail set entity_name = 'x'",
        "update pumphouse.audit_detail set user_email = null",
        "update pumphouse.audit_detail set env_id = null, user_id = null",
        "delete from user_log",
        "delete from pumphouse.audit_detail",
        "delete from pumphouse.audit_entry",
        "truncate user_log cascade",
        "truncate pumphouse.audit_detail",
    ];
    for sql in attempts {
        let refused = sqlx::query(sql).execute(&stage.world.pool).await.expect_err(sql);
        assert_eq!(refused.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref(), Some("23001"), "{sql}");
    }
    assert_eq!(stage.written().await, before);
}

/// The entry and its details are read from one table, which repeats the other.
#[tokio::test]
async fn the_log_as_it_is_read_is_the_log_as_it_is_kept() {
    let stage = Stage::open().await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    stage.start().await;
    stage.root.delete_account(account).await.data();
    let sql = "select count(*) from user_log l full join pumphouse.audit_entry e on (e.id, e.timestamp, e.user_type, e.action) = (l.id, l.timestamp, l.user_type, l.action)
        and (e.user_id, e.user_email, e.target_user_id) is not distinct from (l.user_id, l.user_email, l.target_user_id) where l.id is null or e.id is null";
    let differences: i64 = sqlx::query_scalar(sql).fetch_one(&stage.world.pool).await.expect("a count");
    assert_eq!(differences, 0);
}
