//! K01: a password, or a secret of a connector, that is sent to a server which logs all that it can is found nowhere afterwards.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::{serve, sign_in};
use crate::support::{Database, database};

const CANARY: &str = "canary-31d7-password";
const CREATE: &str = "mutation($i: CreateUserInput!) { createUser(input: $i) { user { id } } }";
const LOGIN: &str = "mutation($i: LoginInput!) { login(input: $i) { accessToken } }";
const CHANGE: &str = "mutation($i: ChangePasswordInput!) { changePassword(input: $i) { accessToken } }";

/// Somebody who sends passwords, and all that was answered.
struct Sender {
    url: String,
    answers: String,
}

impl Sender {
    async fn send(&mut self, token: Option<&str>, key: Option<&str>, query: &str, input: Value) -> Value {
        let body = json!({"query": query, "variables": {"i": input}});
        let mut request = reqwest::Client::new().post(&self.url).json(&body);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.send().await.unwrap().text().await.unwrap();
        self.answers += &answer;
        serde_json::from_str(&answer).unwrap()
    }
}

#[tokio::test]
async fn k01_a_password_is_in_no_log_error_audit_row_or_idempotency_record() {
    let database = database().await;
    let mut program = serve::start(&database.url, &["--log-level", "trace,pumphouse=trace"]);
    let base = serve::started(&mut program).await;
    let root = sign_in(&base, serve::PASSWORD).await;
    let root = Some(root.as_str());
    let mut sender = Sender { url: format!("{base}/graphql"), answers: String::new() };
    let ada = |password: &str| json!({"email": "ada@example.com", "password": password});
    for (key, email) in [(Some("k1"), "ada@example.com"), (Some("k1"), "ada@example.com"), (None, "ada@example.com"), (None, "no address")]
    {
        sender.send(root, key, CREATE, json!({"email": email, "password": CANARY})).await;
    }
    sender.send(None, None, LOGIN, ada(&format!("{CANARY}, wrong"))).await;
    sender.send(None, None, LOGIN, json!({"email": "nobody@example.com", "password": CANARY})).await;
    sender.send(None, None, LOGIN, json!({"password": CANARY})).await;
    let literal = format!("mutation {{ login(input: {{email: \"ada@example.com\", password: \"{CANARY}\"}}) {{ accessToken }} }}");
    for document in [literal.replace("accessToken", "noSuchField"), literal.replace("email:", "email"), literal] {
        sender.send(None, None, &document, Value::Null).await;
    }
    let change = |current: &str, new: &str| json!({"currentPassword": current, "newPassword": new});
    for (key, input) in [(Some("k2"), change(CANARY, CANARY)), (None, change(CANARY, "short")), (None, change(CANARY, CANARY))] {
        sender.send(root, key, CHANGE, input).await;
    }
    let token = sender.send(None, None, LOGIN, ada(CANARY)).await["data"]["login"]["accessToken"].as_str().unwrap().to_owned();
    let changed = sender.send(Some(&token), None, CHANGE, change(CANARY, &format!("{CANARY}, new"))).await;
    assert!(changed["data"]["changePassword"]["accessToken"].is_string(), "{changed}");

    program.signal("TERM");
    let ended = program.end().await;
    assert!(ended.err.contains("user_email_key"), "what is logged of a refusal: {}", ended.err);
    for (place, text) in [("an answer", &sender.answers), ("standard output", &ended.out), ("the log", &ended.err)] {
        assert!(!text.contains(CANARY), "{place} holds it: {text}");
    }
    assert_eq!(holding(&database, "canary-31d7").await, Vec::<String>::new());
}

#[tokio::test]
async fn k01_a_secret_of_a_connector_is_in_no_log_error_audit_row_or_idempotency_record() {
    let database = database().await;
    let mut program = serve::start(&database.url, &["--log-level", "trace,pumphouse=trace", "--connection-test-forbids", "none"]);
    let base = serve::started(&mut program).await;
    let root = sign_in(&base, serve::PASSWORD).await;
    let root = Some(root.as_str());
    let mut sender = Sender { url: format!("{base}/graphql"), answers: String::new() };
    let made = sender.send(root, None, "mutation { createEnv(input: {name: \"e\"}) { env { id } } }", Value::Null).await;
    let team =
        format!("mutation {{ createTeam(input: {{envId: {}, name: \"t\"}}) {{ team {{ id }} }} }}", made["data"]["createEnv"]["env"]["id"]);
    let team = sender.send(root, None, &team, Value::Null).await["data"]["createTeam"]["team"]["id"].clone();
    let silent = crate::connectors::Fake::saying(b"garbage").await;
    let good = json!({"host": "127.0.0.1", "port": silent.port, "database": "d", "user": "u", "password": CANARY, "sslMode": "disable"});
    let bad = json!({"host": CANARY, "port": CANARY, "database": [CANARY], "password": {"$secret": CANARY}, "sslMode": CANARY});
    let mutation =
        |verb: &str, kind: &str, selection: &str| format!("mutation($i: {kind}Input!) {{ {verb}(input: $i) {{ {selection} }} }}");
    let (create, update) = (
        mutation("createConnector", "CreateConnector", "connector { id jsonConfiguration }"),
        mutation("updateConnector", "UpdateConnector", "connector { jsonConfiguration }"),
    );
    let (test, saved) = (
        mutation("testConnectorConfiguration", "TestConnectorConfiguration", "message"),
        mutation("testConnector", "TestConnector", "message"),
    );
    let new = |name: &str, configuration: &Value| json!({"teamId": team, "name": name, "connectorType": "POSTGRES_SOURCE", "configuration": configuration});
    let first = sender.send(root, Some("c1"), &create, new("a", &good)).await["data"]["createConnector"]["connector"]["id"].clone();
    assert!(first.is_string(), "{}", sender.answers);
    for (key, name, configuration) in [(Some("c1"), "a", &good), (None, "a", &good), (None, "b", &bad), (Some("c2"), "b", &bad)] {
        sender.send(root, key, &create, new(name, configuration)).await;
    }
    for configuration in [&good, &bad] {
        sender.send(root, None, &update, json!({"connectorId": first, "configuration": configuration})).await;
        sender.send(root, None, &saved, json!({"connectorId": first, "configuration": configuration})).await;
        sender.send(root, None, &test, json!({"teamId": team, "connectorType": "POSTGRES_SOURCE", "configuration": configuration})).await;
    }
    sender.send(root, None, &saved, json!({"connectorId": first})).await;
    let unread = format!(
        "mutation {{ testConnectorConfiguration(input: {{teamId: {team}, connectorType: \"X\", configuration: {{password: \"{CANARY}\"}}}}) {{ message }}"
    );
    sender.send(root, None, &unread, Value::Null).await;
    let broken =
        reqwest::Client::new().post(&sender.url).header("content-type", "application/json").body(format!("{{\"query\": \"{CANARY}"));
    sender.answers += &broken.send().await.unwrap().text().await.unwrap();
    assert!(sender.answers.contains("does not speak the protocol") && silent.connections() == 3, "{}", sender.answers);

    program.signal("TERM");
    let ended = program.end().await;
    for (place, text) in [("an answer", &sender.answers), ("standard output", &ended.out), ("the log", &ended.err)] {
        assert!(!text.contains(CANARY), "{place} holds it: {text}");
    }
    assert_eq!(holding(&database, "canary-31d7").await, Vec::<String>::new());
}

/// The tables with a row that holds this text.
async fn holding(database: &Database, text: &str) -> Vec<String> {
    let tables = "select format('%I.%I', table_schema, table_name) from information_schema.tables
        where table_schema in ('public', 'pumphouse') and table_type = 'BASE TABLE'";
    let mut holding: Vec<String> = sqlx::query_scalar(tables).fetch_all(&database.pool).await.unwrap();
    assert!(holding.len() > 24);
    let mut places = 0..holding.len();
    while let Some(place) = places.next_back() {
        let sql = format!("select count(*) from {} t where t::text like '%{text}%'", holding[place]);
        let found: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&database.pool).await.unwrap();
        if found == 0 {
            holding.remove(place);
        }
    }
    holding
}
