//! Changing one's own password: what ends with it, and who is refused.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Caller, PASSWORD, Reply, Server, Stage};

const CHANGE: &str =
    "mutation($input: ChangePasswordInput!) { changePassword(input: $input) { accessToken expiresAt user { email version } } }";
const LOGIN: &str = "mutation($input: LoginInput!) { login(input: $input) { accessToken } }";
const NEW: &str = "another horse, another staple";

async fn change(caller: &Caller, current: &str, new: &str) -> Reply {
    caller.ask_with(CHANGE, json!({"input": {"currentPassword": current, "newPassword": new}})).await
}

async fn login(server: &Server, password: &str) -> Reply {
    server.nobody().ask_with(LOGIN, json!({"input": {"email": "ada@example.com", "password": password}})).await
}

async fn ada(server: &Server) -> Caller {
    server.user_with_password("ada@example.com", false).await;
    let token = login(server, PASSWORD).await.data()["login"]["accessToken"].as_str().expect("a token").to_owned();
    server.with_token(&token)
}

#[tokio::test]
async fn a_new_password_ends_every_older_token_and_socket_and_answers_a_fresh_token() {
    let server = Server::start().await;
    let (first, second) = (ada(&server).await, login(&server, PASSWORD).await.data());
    let second = server.with_token(second["login"]["accessToken"].as_str().expect("a token"));
    let mut socket = second.subscribe("subscription { workerChanged { initial } }", json!({})).await;
    let changed = change(&first, PASSWORD, NEW).await.data();
    let started = Instant::now();
    for old in [&first, &second] {
        assert_eq!(old.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
    }
    while socket.message().await.is_some() {}
    assert!(started.elapsed() < Duration::from_secs(5));
    let fresh = server.with_token(changed["changePassword"]["accessToken"].as_str().expect("a token"));
    fresh.ask("{ viewer { user { id } } }").await.data();
    assert_eq!(login(&server, PASSWORD).await.code(), "UNAUTHENTICATED");
    login(&server, NEW).await.data();
    let verbs: Vec<String> =
        sqlx::query_scalar("select action from user_log where action = 'change_password' and user_id = target_user_id")
            .fetch_all(&server.database.pool)
            .await
            .expect("the log");
    assert_eq!(verbs.len(), 1);
}

#[tokio::test]
async fn a_wrong_present_password_is_counted_like_a_failed_login() {
    let server = Server::start().await;
    let ada = ada(&server).await;
    for _ in 0..10 {
        let refused = change(&ada, "wrong", NEW).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("currentPassword")));
    }
    assert_eq!(change(&ada, PASSWORD, NEW).await.code(), "RATE_LIMITED");
    assert_eq!(login(&server, PASSWORD).await.code(), "RATE_LIMITED");
    ada.ask("{ viewer { user { id } } }").await.data();
}

#[tokio::test]
async fn who_has_no_password_here_is_told_so() {
    let stage = Stage::open().await;
    let robot = stage.service_account(stage.team, false).await;
    assert_eq!(change(&robot, PASSWORD, NEW).await.code(), "FORBIDDEN");
    let elsewhere = stage.server.user("elsewhere@example.com", false).await;
    assert_eq!(change(&elsewhere, PASSWORD, NEW).await.code(), "CONFLICT");
    let short = change(&elsewhere, PASSWORD, "short").await;
    assert_eq!((short.code(), short.field()), ("VALIDATION", Some("newPassword")));
    assert_eq!(change(&stage.server.nobody(), PASSWORD, NEW).await.code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn of_many_changes_at_once_one_comes_through() {
    let server = Server::start().await;
    let ada = ada(&server).await;
    let all = futures_util::future::join_all((0..6).map(|_| change(&ada, PASSWORD, NEW))).await;
    assert_eq!(all.iter().filter(|reply| reply.0.get("errors").is_none()).count(), 1, "{all:?}");
    assert!(
        all.iter().all(|reply| reply.0.get("errors").is_none() || ["CONFLICT", "UNAUTHENTICATED", "VALIDATION"].contains(&reply.code()))
    );
}

#[tokio::test]
async fn an_answer_with_a_token_takes_no_idempotency_key() {
    let server = Server::start().await;
    let ada = ada(&server).await;
    let body = json!({"query": CHANGE, "variables": {"input": {"currentPassword": PASSWORD, "newPassword": NEW}}});
    let request = reqwest::Client::new()
        .post(server.url("/graphql"))
        .bearer_auth(ada.token.as_deref().expect("a token"))
        .header("idempotency-key", "k1");
    let refused = Reply(request.json(&body).send().await.expect("an answer").json().await.expect("JSON"));
    assert_eq!(refused.code(), "VALIDATION");
    login(&server, PASSWORD).await.data();
}
