//! Signing in and out.

use serde_json::json;

use crate::support::Server;

const LOGIN: &str = "mutation($input: LoginInput!) { login(input: $input) { accessToken user { email } } }";

#[tokio::test]
async fn a_user_signs_in_and_out() {
    let server = Server::start().await;
    server.user_with_password("ada@example.com", true).await;
    let nobody = server.nobody();
    assert_eq!(nobody.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");

    let input = json!({"input": {"email": " Ada@Example.com ", "password": "correct horse battery staple"}});
    let login = nobody.ask_with(LOGIN, input).await.data();
    assert_eq!(login["login"]["user"]["email"], "ada@example.com");
    let ada = server.with_token(login["login"]["accessToken"].as_str().expect("a token"));
    let viewer = ada.ask("{ viewer { user { email isSuperuser } envs { role } teams { admin } } }").await.data();
    assert_eq!(viewer["viewer"], json!({"user": {"email": "ada@example.com", "isSuperuser": true}, "envs": [], "teams": []}));

    ada.ask("mutation { logout { expiresAt } }").await.data();
    assert_eq!(ada.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_get_one_answer() {
    let server = Server::start().await;
    server.user_with_password("ada@example.com", false).await;
    let mut answers = Vec::new();
    for (email, password) in [("ada@example.com", "wrong password"), ("nobody@example.com", "wrong password")] {
        let reply = server.nobody().ask_with(LOGIN, json!({"input": {"email": email, "password": password}})).await;
        answers.push((reply.code().to_owned(), reply.message().to_owned()));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].0, "UNAUTHENTICATED");
    assert_eq!(server.with_token("not.a.token").ask("{ envs { totalCount } }").await.code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_token_of_a_worker_sees_nothing_of_the_graph() {
    let server = Server::start().await;
    let worker = server.worker(uuid::Uuid::new_v4(), uuid::Uuid::new_v4());
    assert_eq!(worker.ask("{ viewer { user { id } } }").await.code(), "FORBIDDEN");
    let seen = worker.ask("{ license { licenseActive } users { totalCount } schemaSubjects { totalCount } }").await.data();
    assert_eq!(seen, json!({"license": null, "users": {"totalCount": 0}, "schemaSubjects": {"totalCount": 0}}));
}
