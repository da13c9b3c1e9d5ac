//! Each user of the demo sees what the list of users promises.

use std::fmt::Write as _;

use pumphouse::demo::users;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PASSWORD, organisation};
use crate::support::{Caller, Server};

const EVERYTHING: &str = "{
  envs { totalCount } teams { totalCount } connectors { totalCount } pipelines { totalCount } syncRuns { totalCount } serviceAccounts { totalCount }
  viewer { user { teamRequestsReceived { nodes { status } } } }
}";

/// A caller for this user, without the cost of a password.
async fn caller(server: &Server, email: &str) -> Caller {
    let id: Uuid =
        sqlx::query_scalar("select id from \"user\" where email = $1").bind(email).fetch_one(&server.database.pool).await.unwrap();
    let token = server.token_key.for_user(id, 0, None, chrono::Utc::now() + std::time::Duration::from_hours(1)).unwrap();
    server.with_token(&token.text)
}

#[tokio::test]
async fn each_user_sees_what_is_promised() {
    let server = organisation().await;
    let mut seen = String::new();
    for user in users() {
        let data = caller(&server, user.email).await.ask(EVERYTHING).await.data();
        let counts: Vec<String> = ["envs", "teams", "connectors", "pipelines", "syncRuns", "serviceAccounts"]
            .map(|list| data[list]["totalCount"].to_string())
            .to_vec();
        let pending = data["viewer"]["user"]["teamRequestsReceived"]["nodes"].as_array().unwrap().len();
        writeln!(seen, "{:<28} {} asked {pending}", user.email, counts.join(" ")).unwrap();
        assert!(!user.what.is_empty());
    }
    // Envs, teams, connectors, pipelines, syncs, service accounts, and requests that wait for them.
    let promised = "\
env-admin@example.com        1 2 5 5 2 1 asked 0
env-member@example.com       1 0 0 0 0 0 asked 0
env-reader@example.com       1 2 5 5 2 0 asked 0
commerce-admin@example.com   1 1 2 4 2 1 asked 0
commerce-member@example.com  1 1 2 4 2 0 asked 0
finance-admin@example.com    1 1 3 1 0 0 asked 0
finance-member@example.com   1 1 3 1 0 0 asked 1
staging-admin@example.com    1 1 2 1 0 0 asked 0
newcomer@example.com         0 0 0 0 0 0 asked 1
";
    assert_eq!(seen, promised);
}

#[tokio::test]
async fn who_may_change_what_follows_from_the_role() {
    let server = organisation().await;
    let worker: Uuid =
        sqlx::query_scalar("select w.id from worker w join connector c on c.id = w.connector_id where c.name = 'shop-postgres'")
            .fetch_one(&server.database.pool)
            .await
            .unwrap();
    let start = "mutation($id: ID!) { startWorker(input: {workerId: $id}) { worker { state } } }";
    for (email, code) in [
        ("env-reader@example.com", "FORBIDDEN"),
        ("env-member@example.com", "NOT_FOUND"),
        ("finance-admin@example.com", "NOT_FOUND"),
        ("staging-admin@example.com", "NOT_FOUND"),
        ("newcomer@example.com", "NOT_FOUND"),
    ] {
        let reply = caller(&server, email).await.ask_with(start, json!({"id": worker})).await;
        assert_eq!(reply.code(), code, "{email}");
    }
    for email in ["env-admin@example.com", "commerce-admin@example.com", "commerce-member@example.com"] {
        let data = caller(&server, email).await.ask_with(start, json!({"id": worker})).await.data();
        assert_eq!(data["startWorker"]["worker"]["state"], "BUILDING", "{email}");
    }
}

#[tokio::test]
async fn the_one_password_signs_everybody_in_but_the_machine() {
    let server = organisation().await;
    let login = "mutation($input: LoginInput!) { login(input: $input) { user { email } } }";
    let sign_in = async |email: &str| server.nobody().ask_with(login, json!({"input": {"email": email, "password": PASSWORD}})).await;
    for user in [users()[0], users()[8]] {
        let data: Value = sign_in(user.email).await.data();
        assert_eq!(data["login"]["user"]["email"], user.email);
    }
    assert_eq!(sign_in("deploy-bot@example.com").await.code(), "UNAUTHENTICATED");
}
