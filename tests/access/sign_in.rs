//! Sign-in against those who guess: limits for each account and each address, shared and lasting.

use std::time::Duration;

use pumphouse::access::SignInLimits;
use pumphouse::server::ServerSettings;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Reply, Server, TestSettings};

const LOGIN: &str = "mutation($input: LoginInput!) { login(input: $input) { accessToken } }";

async fn login(server: &Server, email: &str, password: &str) -> Reply {
    server.nobody().ask_with(LOGIN, json!({"input": {"email": email, "password": password}})).await
}

/// As a client behind a proxy.
async fn login_from(server: &Server, header: (&str, &str), email: &str, password: &str) -> Reply {
    let body = json!({"query": LOGIN, "variables": {"input": {"email": email, "password": password}}});
    let request = reqwest::Client::new().post(server.url("/graphql")).header(header.0, header.1).json(&body);
    Reply(request.send().await.expect("an answer").json().await.expect("JSON"))
}

fn limits(per_account: i32, per_address: i32) -> TestSettings {
    TestSettings { sign_in: SignInLimits { per_account, per_address, window: Duration::from_mins(15) }, ..TestSettings::default() }
}

async fn count(server: &Server, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&server.database.pool).await.expect("a count")
}

#[tokio::test]
async fn a_user_signs_in_under_every_spelling_of_the_email() {
    let server = Server::start().await;
    server.user_with_password("caf\u{e9}@example.com", false).await;
    for email in ["caf\u{e9}@example.com", " CAF\u{c9}@Example.COM ", "cafe\u{301}@example.com"] {
        login(&server, email, PASSWORD).await.data();
    }
    for email in ["", "cafe", "a\u{0}@b"] {
        let refused = login(&server, email, PASSWORD).await;
        assert_eq!((refused.code(), refused.message()), ("UNAUTHENTICATED", "Email or password is wrong."));
    }
}

#[tokio::test]
async fn an_account_closes_after_its_failures_whether_it_exists_or_not_and_on_every_replica() {
    let server = Server::start().await;
    server.user_with_password("ada@example.com", false).await;
    let mut answers: Vec<Vec<Value>> = Vec::new();
    for email in ["ada@example.com", "nobody@example.com"] {
        let mut of_email = Vec::new();
        for _ in 0..11 {
            let reply = login(&server, email, "wrong").await;
            of_email.push(json!([reply.code(), reply.message()]));
        }
        answers.push(of_email);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0][9][0], "UNAUTHENTICATED");
    assert_eq!(answers[0][10], json!(["RATE_LIMITED", "Too many sign-ins have failed; try again in 15 minutes."]));
    let closed = login(&server, "Ada@example.com", PASSWORD).await;
    assert_eq!(closed.code(), "RATE_LIMITED", "the right password opens nothing");
    let seconds = closed.0["errors"][0]["extensions"]["details"]["retryAfterSeconds"].as_i64().expect("seconds");
    assert!((800..=900).contains(&seconds), "{seconds}");
    // Another process knows no more than this one: the count is in the database.
    let other = Server::on(server.database.again().await, &TestSettings::default()).await;
    assert_eq!(login(&other, "ada@example.com", PASSWORD).await.code(), "RATE_LIMITED");
    let told = "select count(*) from user_log where action = 'login_failed'";
    assert_eq!(count(&server, told).await, 8, "the first three of each and the last");
    sqlx::query("update pumphouse.login_attempt set ends_at = now()").execute(&server.database.pool).await.expect("time passes");
    login(&other, "ada@example.com", PASSWORD).await.data();
    login(&server, "nobody@example.com", "wrong").await;
    assert_eq!(count(&server, "select count(*) from pumphouse.login_attempt").await, 2, "what has ended goes with the next failure");
}

#[tokio::test]
async fn a_success_clears_the_account_but_not_the_address() {
    let server = Server::start_with(limits(3, 5)).await;
    server.user_with_password("ada@example.com", false).await;
    for _ in 0..2 {
        for _ in 0..2 {
            assert_eq!(login(&server, "ada@example.com", "wrong").await.code(), "UNAUTHENTICATED");
        }
        login(&server, "ada@example.com", PASSWORD).await.data();
    }
    assert_eq!(login(&server, "ada@example.com", "wrong").await.code(), "UNAUTHENTICATED");
    assert_eq!(login(&server, "ada@example.com", PASSWORD).await.code(), "RATE_LIMITED");
    assert_eq!(login(&server, "other@example.com", "wrong").await.code(), "RATE_LIMITED");
}

#[tokio::test]
async fn an_account_is_guessed_at_no_more_often_by_guessing_at_once() {
    let server = Server::start_with(limits(3, 1_000)).await;
    let all = futures_util::future::join_all((0..40).map(|_| login(&server, "ada@example.com", "wrong"))).await;
    let hashed = all.iter().filter(|reply| reply.code() == "UNAUTHENTICATED").count();
    assert!((3..=4).contains(&hashed), "{hashed} were hashed: the limit, and one beside the last");
    assert!(all.iter().all(|reply| ["UNAUTHENTICATED", "RATE_LIMITED"].contains(&reply.code())));
}

#[tokio::test]
async fn an_address_is_what_a_trusted_proxy_says_and_nobody_else() {
    let open = Server::start_with(limits(100, 2)).await;
    for number in 0..2 {
        let said = format!("203.0.113.{number}");
        assert_eq!(login_from(&open, ("x-forwarded-for", &said), "a@example.com", "wrong").await.code(), "UNAUTHENTICATED");
    }
    assert_eq!(login_from(&open, ("x-forwarded-for", "203.0.113.9"), "b@example.com", "wrong").await.code(), "RATE_LIMITED");

    let mut settings = limits(100, 2);
    let trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    settings.server = ServerSettings { trusted_proxies, ..settings.server };
    let behind = Server::start_with(settings).await;
    for said in ["2001:db8::1", "198.51.100.1, 2001:db8::2"] {
        assert_eq!(login_from(&behind, ("x-forwarded-for", said), "a@example.com", "wrong").await.code(), "UNAUTHENTICATED");
    }
    let neighbour = login_from(&behind, ("x-forwarded-for", "2001:db8::ffff"), "b@example.com", "wrong").await;
    assert_eq!(neighbour.code(), "RATE_LIMITED", "one /64 is one address");
    assert_eq!(login_from(&behind, ("x-forwarded-for", "2001:db8:1::1"), "b@example.com", "wrong").await.code(), "UNAUTHENTICATED");
    let names: Vec<String> = sqlx::query_scalar("select name from pumphouse.login_attempt where kind = 'address' order by 1")
        .fetch_all(&behind.database.pool)
        .await
        .expect("rows");
    assert_eq!(names, ["2001:db8:1::", "2001:db8::"]);
}

#[tokio::test]
async fn the_limits_hold_on_a_socket_too() {
    let server = Server::start_with(limits(2, 100)).await;
    let mut socket = crate::support::Socket::connect(&server.url("/graphql"), None).await;
    let mut codes = Vec::new();
    for number in 0..3 {
        socket.subscribe(&format!("{number}"), LOGIN, json!({"input": {"email": "ada@example.com", "password": "wrong"}})).await;
        let mut answer = socket.message().await.expect("an answer");
        while answer["type"] == "complete" {
            answer = socket.message().await.expect("an answer");
        }
        codes.push(answer["payload"]["errors"][0]["extensions"]["code"].clone());
    }
    assert_eq!(codes, ["UNAUTHENTICATED", "UNAUTHENTICATED", "RATE_LIMITED"]);
    assert_eq!(
        count(&server, "select failures::bigint from pumphouse.login_attempt where kind = 'address' and name = '127.0.0.1'").await,
        2
    );
}

#[tokio::test]
async fn an_operation_checks_one_password_at_most() {
    let server = Server::start().await;
    let one = "login(input: {email: \"ada@example.com\", password: \"wrong\"}) { accessToken }";
    for document in [
        format!("mutation {{ a: {one} b: {one} }}"),
        format!("mutation {{ ...A b: {one} }} fragment A on Mutation {{ a: {one} }}"),
        format!("mutation {{ ... on Mutation {{ a: {one} ... {{ b: {one} }} }} }}"),
        format!("mutation {{ a: {one} changePassword(input: {{currentPassword: \"a\", newPassword: \"b\"}}) {{ accessToken }} }}"),
        format!("mutation {{ ...A }} fragment A on Mutation {{ a: {one} ...B }} fragment B on Mutation {{ b: {one} }}"),
    ] {
        let refused = server.nobody().ask(&document).await;
        assert_eq!(refused.code(), "VALIDATION", "{document}");
        assert!(refused.message().contains("one password"), "{document}");
    }
    assert_eq!(count(&server, "select count(*) from pumphouse.login_attempt").await, 0);
    let other = format!("mutation A {{ a: {one} }} mutation B {{ b: {one} }}");
    let named = json!({"query": other, "operationName": "A"});
    let answer: Value =
        reqwest::Client::new().post(server.url("/graphql")).json(&named).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(Reply(answer).code(), "UNAUTHENTICATED");
}
