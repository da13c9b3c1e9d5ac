//! What an outside control plane asks: envs kept as it wants them, users followed without a gap.

use serde_json::{Value, json};
use uuid::Uuid;

use super::organisation::{Organisation, mutate};
use crate::support::{Caller, Reply};

const CHANGES: &str =
    "query($since: DateTime, $after: String, $first: Int) { usersChangedSince(since: $since, after: $after, first: $first) {
    upTo pageInfo { endCursor hasNextPage } edges { cursor } nodes { id deleted changedAt user { email isActive } } } }";

async fn upsert(caller: &Caller, envs: Value) -> Reply {
    mutate(caller, "upsertEnvs", "envs { id name configHash updatedAt retentionConfiguration }", json!({"envs": envs})).await
}

async fn changes(caller: &Caller, variables: Value) -> Value {
    caller.ask_with(CHANGES, variables).await.data()["usersChangedSince"].clone()
}

fn ids(page: &Value) -> Vec<Value> {
    page["nodes"].as_array().expect("nodes").iter().map(|change| change["id"].clone()).collect()
}

/// Everything that has changed after a cursor, page by page, and the cursor to go on from.
async fn follow(caller: &Caller, after: Value) -> (Vec<Value>, Value) {
    let (mut all, mut after) = (Vec::new(), after);
    loop {
        let page = changes(caller, json!({"after": after, "first": 2})).await;
        all.extend(ids(&page));
        after = page["pageInfo"]["endCursor"].clone();
        if page["pageInfo"]["hasNextPage"] == false {
            return (all, after);
        }
    }
}

/// Waits until every transaction has ended that runs now, the leader's jobs too: changes are shown up to the start of the
/// oldest one.
async fn settled(org: &Organisation) {
    let now: chrono::DateTime<chrono::Utc> = sqlx::query_scalar("select clock_timestamp()").fetch_one(org.pool()).await.expect("a time");
    let older = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start < $1";
    crate::support::until("older transactions have ended", || async {
        sqlx::query_scalar::<_, i64>(older).bind(now).fetch_one(org.pool()).await.expect("a count") == 0
    })
    .await;
}

async fn touch(org: &Organisation, user: Uuid) {
    sqlx::query("update \"user\" set is_verified = not is_verified where id = $1").bind(user).execute(org.pool()).await.expect("a change");
}

#[tokio::test]
async fn envs_are_made_and_changed_by_their_id_and_left_alone_when_they_are_as_wanted() {
    let org = Organisation::open().await;
    let new = Uuid::new_v4();
    let wanted = json!([
        {"id": new, "name": "new", "retentionConfiguration": {"brokers": "kafka:9092", "password": "hunter2"}},
        {"id": org.north, "name": "North", "retentionConfiguration": {"b": 1, "a": 2}},
    ]);
    let first = upsert(&org.root, wanted).await.data()["upsertEnvs"]["envs"].clone();
    assert_eq!((&first[0]["id"], &first[0]["name"], &first[1]["name"]), (&json!(new), &json!("new"), &json!("North")));
    let mut log = org.log().await;
    log.sort_by_key(ToString::to_string);
    assert_eq!(
        log,
        [
            json!(["create", "Env", "new", false, true, ["name", "retentionConfiguration"]]),
            json!(["update", "Env", "North", false, true, ["name", "configHash", "retentionConfiguration"]]),
        ]
    );
    let again = json!([
        {"id": new, "name": "new ", "retentionConfiguration": {"password": {"$secret": "stored"}, "brokers": "kafka:9092"}},
        {"id": org.north, "name": "North", "retentionConfiguration": {"a": 2.0, "b": 1}},
    ]);
    let second = upsert(&org.root, again).await.data()["upsertEnvs"]["envs"].clone();
    assert_eq!(second[0], first[0]);
    assert_eq!(second[1]["updatedAt"], first[1]["updatedAt"]);
    assert_eq!(org.log().await.len(), 2, "nothing was written");
}

#[tokio::test]
async fn the_same_upsert_ten_times_at_once_makes_one_env_and_one_audit_row() {
    let org = Organisation::open().await;
    let wanted = json!([{"id": Uuid::new_v4(), "name": "a", "retentionConfiguration": {}}, {"id": Uuid::new_v4(), "name": "b", "retentionConfiguration": {}}]);
    let reversed = json!([wanted[1], wanted[0]]);
    let calls = (0..10).map(|index| upsert(&org.root, if index % 2 == 0 { wanted.clone() } else { reversed.clone() }));
    for reply in futures_util::future::join_all(calls).await {
        reply.data();
    }
    assert_eq!(org.log().await.len(), 2);
}

#[tokio::test]
async fn a_list_of_envs_with_a_fault_is_refused_whole_with_every_fault() {
    let org = Organisation::open().await;
    let before = org.everything().await;
    let twice = Uuid::new_v4();
    let refused = upsert(
        &org.root,
        json!([
            {"id": twice, "name": "fine", "retentionConfiguration": {}},
            {"id": twice, "name": " ", "retentionConfiguration": {"password": {"$secret": "stored"}}},
        ]),
    )
    .await;
    assert_eq!(refused.code(), "VALIDATION");
    let violations = refused.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("all").clone();
    let fields: Vec<&Value> = violations.iter().map(|fault| &fault["field"]).collect();
    assert_eq!(fields, ["envs.1.id", "envs.1.name", "envs.1.retentionConfiguration/password"]);
    assert_eq!(upsert(&org.root, json!([])).await.code(), "VALIDATION");
    let admin = org.member("admin@example.com", "admin", &[org.north]).await;
    let forbidden = upsert(&admin, json!([{"id": org.north, "name": "x", "retentionConfiguration": {}}])).await;
    assert_eq!(forbidden.code(), "FORBIDDEN");
    assert_eq!(admin.ask_with(CHANGES, json!({})).await.code(), "FORBIDDEN");
    assert_eq!(org.server.nobody().ask_with(CHANGES, json!({})).await.code(), "UNAUTHENTICATED");
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn changed_users_come_page_by_page_and_again_only_when_they_changed_again() {
    let org = Organisation::open().await;
    let mut users = vec![org.root.id];
    for index in 0..4 {
        users.push(org.server.user(&format!("user{index}@example.com"), false).await.id);
    }
    settled(&org).await;
    let (all, cursor) = follow(&org.root, Value::Null).await;
    assert_eq!(all, users.iter().map(|id| json!(id)).collect::<Vec<_>>());
    let (none, cursor) = follow(&org.root, cursor).await;
    assert_eq!(none, Vec::<Value>::new());
    touch(&org, users[2]).await;
    touch(&org, users[1]).await;
    sqlx::query("delete from \"user\" where id = $1").bind(users[3]).execute(org.pool()).await.expect("a deletion");
    settled(&org).await;
    let page = changes(&org.root, json!({"after": cursor})).await;
    assert_eq!(ids(&page), [json!(users[2]), json!(users[1]), json!(users[3])]);
    assert_eq!(page["nodes"][0]["user"]["email"], "user1@example.com");
    assert_eq!((&page["nodes"][2]["deleted"], &page["nodes"][2]["user"]), (&json!(true), &Value::Null));
    // The same without cursors.
    touch(&org, users[4]).await;
    settled(&org).await;
    let since = changes(&org.root, json!({"since": page["upTo"]})).await;
    assert_eq!(ids(&since), [json!(users[4])]);
    assert_eq!(org.root.ask_with(CHANGES, json!({"after": "nonsense"})).await.field(), Some("after"));
    assert_eq!(org.root.ask_with(CHANGES, json!({"first": 201})).await.field(), Some("first"));
}

#[tokio::test]
async fn a_change_that_is_not_committed_yet_is_never_passed_by() {
    let org = Organisation::open().await;
    let slow = org.server.user("slow@example.com", false).await.id;
    let quick = org.server.user("quick@example.com", false).await.id;
    settled(&org).await;
    let (_, cursor) = follow(&org.root, Value::Null).await;
    let mut open = org.pool().begin().await.expect("a transaction");
    let began: chrono::DateTime<chrono::Utc> = sqlx::query_scalar("select now()").fetch_one(&mut *open).await.expect("a time");
    touch(&org, quick).await;
    sqlx::query("update \"user\" set is_active = false where id = $1").bind(slow).execute(&mut *open).await.expect("a change");
    touch(&org, org.root.id).await;

    let page = changes(&org.root, json!({"after": cursor})).await;
    assert_eq!(ids(&page), Vec::<Value>::new());
    let up_to: chrono::DateTime<chrono::Utc> = page["upTo"].as_str().expect("a time").parse().expect("a time");
    assert_eq!(up_to, began);
    open.commit().await.expect("a commit");
    let (all, _) = follow(&org.root, page["pageInfo"]["endCursor"].clone()).await;
    assert_eq!(all, [json!(quick), json!(slow), json!(org.root.id)]);
}
