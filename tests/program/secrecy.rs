//! K01: a password that is sent to a server which logs all that it can is found nowhere afterwards.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::{serve, sign_in};
use crate::support::database;

const CANARY: &str = "canary-31d7-password";

#[tokio::test]
async fn k01_a_password_is_in_no_log_error_audit_row_or_idempotency_record() {
    let database = database().await;
    let mut program = serve::start(&database.url, &["--log-level", "trace,pumphouse=trace"]);
    let base = serve::started(&mut program).await;
    let root = sign_in(&base, serve::PASSWORD).await;
    let user = |email: &str, password: &str| json!({"query": "mutation($i: CreateUserInput!) { createUser(input: $i) { user { id } } }", "variables": {"i": {"email": email, "password": password}}});
    let login = |email: &str, password: &str| json!({"query": "mutation($i: LoginInput!) { login(input: $i) { accessToken } }", "variables": {"i": {"email": email, "password": password}}});
    let change = |current: &str, new: &str| json!({"query": "mutation($i: ChangePasswordInput!) { changePassword(input: $i) { accessToken } }", "variables": {"i": {"currentPassword": current, "newPassword": new}}});
    let literal = format!("mutation {{ login(input: {{email: \"ada@example.com\", password: \"{CANARY}\"}}) {{ accessToken }} }}");
    let mut answers = String::new();
    let mut token = None;
    for (token, key, body) in [
        (Some(&root), Some("k1"), user("ada@example.com", CANARY)),
        (Some(&root), Some("k1"), user("ada@example.com", CANARY)),
        (Some(&root), None, user("ada@example.com", CANARY)),
        (Some(&root), None, user("no address", CANARY)),
        (None, None, login("ada@example.com", CANARY)),
        (None, None, login("ada@example.com", &format!("{CANARY}, wrong"))),
        (None, None, login("nobody@example.com", CANARY)),
        (None, None, json!({"query": literal})),
        (None, None, json!({"query": literal.replace("accessToken", "noSuchField")})),
        (None, None, json!({"query": literal.replace("email:", "email")})),
        (
            None,
            None,
            json!({"query": "mutation($i: LoginInput!) { login(input: $i) { accessToken } }", "variables": {"i": {"password": CANARY}}}),
        ),
        (Some(&root), Some("k2"), change(CANARY, CANARY)),
        (Some(&root), None, change(CANARY, "short")),
        (Some(&root), None, change(CANARY, CANARY)),
    ] {
        let mut request = reqwest::Client::new().post(format!("{base}/graphql")).json(&body);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        answers += &request.send().await.unwrap().text().await.unwrap();
        answers.push('\n');
    }
    let ada = answers
        .lines()
        .find_map(|line| serde_json::from_str::<Value>(line).unwrap()["data"]["login"]["accessToken"].as_str().map(str::to_owned));
    token = token.or(ada);
    let request = reqwest::Client::new()
        .post(format!("{base}/graphql"))
        .bearer_auth(token.expect("ada signed in"))
        .json(&change(CANARY, &format!("{CANARY}, new")));
    answers += &request.send().await.unwrap().text().await.unwrap();
    assert!(answers.contains("\"changePassword\":{\"accessToken\""), "{answers}");
    program.signal("TERM");
    let ended = program.end().await;
    assert!(ended.err.contains("DEBUG"), "{}", ended.err);
    for (place, text) in [("an answer", &answers), ("standard output", &ended.out), ("the log", &ended.err)] {
        assert!(!text.contains(CANARY), "{place} holds it: {text}");
    }
    let tables: Vec<String> = sqlx::query_scalar("select format('%I.%I', table_schema, table_name) from information_schema.tables where table_schema in ('public', 'pumphouse') and table_type = 'BASE TABLE'")
        .fetch_all(&database.pool)
        .await
        .unwrap();
    for table in tables {
        let sql = format!("select count(*) from {table} t where t::text like '%canary-31d7%'");
        let found: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&database.pool).await.unwrap();
        assert_eq!(found, 0, "{table} holds it");
    }
}
