//! The end of a session ends what hangs on it, within five seconds (A01, A04).

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use super::raw::Raw;
use crate::support::{Caller, PASSWORD, Server, World};

const IN_TIME: Duration = Duration::from_secs(5);

async fn follow(server: &Server, caller: &Caller) -> Raw {
    let mut socket = Raw::ready(server, caller.token.as_deref()).await;
    socket.subscribe("1", "subscription { workerChanged { initial } }").await;
    socket.say(json!({"type": "ping"})).await;
    assert_eq!(socket.hear().await["type"], "pong");
    socket
}

async fn assert_ends(mut socket: Raw, word: &str) {
    let (code, reason) = tokio::time::timeout(IN_TIME, socket.closed()).await.expect("the socket closes within five seconds");
    assert_eq!(code, 4403, "{reason}");
    assert!(reason.contains(word), "{reason}");
}

#[tokio::test]
async fn logout_closes_every_socket_of_the_token_and_no_other() {
    let server = Server::start().await;
    let (leaving, staying) = (server.user("a@example.com", false).await, server.user("b@example.com", false).await);
    let (one, two) = (follow(&server, &leaving).await, follow(&server, &leaving).await);
    let mut other = follow(&server, &staying).await;
    leaving.ask("mutation { logout { expiresAt } }").await.data();
    tokio::join!(assert_ends(one, "revoked"), assert_ends(two, "revoked"));
    other.say(json!({"type": "ping"})).await;
    assert_eq!(other.hear().await["type"], "pong");
    let mut again = Raw::open(&server).await;
    again.say(json!({"type": "connection_init", "payload": {"authorization": format!("Bearer {}", leaving.token.unwrap())}})).await;
    assert_eq!(again.closed().await.0, 4403);
}

#[tokio::test]
async fn a_user_who_is_deactivated_deleted_or_given_a_new_password_is_cut_off() {
    let server = Server::start().await;
    for (email, change, word) in [
        ("a@example.com", "update \"user\" set is_active = false where id = $1", "active"),
        ("b@example.com", "delete from \"user\" where id = $1", "active"),
        ("c@example.com", "update \"user\" set hashed_password = 'other' where id = $1", "password"),
    ] {
        let user = server.user(email, false).await;
        let socket = follow(&server, &user).await;
        sqlx::query(change).bind(user.id).execute(&server.database.pool).await.expect("the change");
        assert_ends(socket, word).await;
        assert_eq!(user.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn a01_a_token_that_expires_under_an_open_socket_closes_it_and_a_new_one_resumes() {
    let server = Server::start().await;
    let user = server.user("a@example.com", true).await;
    let soon = chrono::Utc::now() + Duration::from_secs(2);
    let short = server.token_key.for_user(user.id, 0, None, soon).expect("a token");
    let socket = follow(&server, &server.with_token(&short.text)).await;
    let worker = server.token_key.for_worker(Uuid::new_v4(), Uuid::new_v4(), soon).expect("a token");
    let of_worker = Raw::ready(&server, Some(&worker.text)).await;
    tokio::join!(assert_ends(socket, "expired"), assert_ends(of_worker, "expired"));
    follow(&server, &user).await;
}

#[tokio::test]
async fn a03_a_fresh_token_beside_the_old_one_drops_no_socket_and_no_event() {
    let server = Server::start().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    server.user_with_password("ada@example.com", true).await;
    let login = format!("mutation {{ login(input: {{email: \"ada@example.com\", password: \"{PASSWORD}\"}}) {{ accessToken }} }}");
    let fresh = async || {
        let data = server.nobody().ask(&login).await.data();
        server.with_token(data["login"]["accessToken"].as_str().expect("a token"))
    };
    let events = "subscription { workerChanged { worker { state } } }";
    let mut old = fresh().await.subscribe(events, Value::Null).await;
    old.event().await;
    let mut new = fresh().await.subscribe(events, Value::Null).await;
    new.event().await;
    sqlx::query("update worker set state = 'LIVE' where id = $1").bind(worker).execute(&world.pool).await.expect("a change");
    for socket in [&mut old, &mut new] {
        socket.until(|event| event["workerChanged"]["worker"]["state"] == "LIVE").await;
    }
}

#[tokio::test]
async fn a_service_account_lives_by_its_user_and_by_itself() {
    let server = Server::start().await;
    let user = server.user("bot@example.com", false).await;
    let account = Uuid::new_v4();
    sqlx::query("insert into service_account_user (id, name, user_id) values ($1, 'bot', $2)")
        .bind(account)
        .bind(user.id)
        .execute(&server.database.pool)
        .await
        .expect("a service account");
    let token = server.token_key.for_user(user.id, 0, Some(account), chrono::Utc::now() + Duration::from_hours(1)).expect("a token");
    let bot = server.with_token(&token.text);
    let active = |active: bool| {
        sqlx::query("update \"user\" set is_active = $1 where id = $2").bind(active).bind(user.id).execute(&server.database.pool)
    };

    let socket = follow(&server, &bot).await;
    active(false).await.expect("deactivated");
    assert_ends(socket, "active").await;
    for document in ["{ __typename }", "mutation { logout { expiresAt } }"] {
        let refused = bot.ask(document).await;
        assert_eq!(refused.code(), "UNAUTHENTICATED");
    }

    active(true).await.expect("activated");
    bot.ask("{ viewer { user { id } } }").await.data();
    let socket = follow(&server, &bot).await;
    sqlx::query("delete from service_account_user where id = $1").bind(account).execute(&server.database.pool).await.expect("deleted");
    assert_ends(socket, "active").await;
}

#[tokio::test]
async fn a_token_has_so_many_sockets_and_streams_and_others_have_their_own() {
    let server = super::server(|settings| settings.connections_per_token = Some(2)).await;
    let (ada, other) = (server.superuser().await, server.user("other@example.com", false).await);
    let one = follow(&server, &ada).await;
    let stream = || {
        let request = reqwest::Client::new().post(server.url("/graphql")).header("accept", "text/event-stream");
        let query = json!({"query": "subscription { workerChanged { initial } }"});
        request.bearer_auth(ada.token.as_deref().unwrap()).json(&query).send()
    };
    let streaming = stream().await.expect("an answer");
    assert_eq!(streaming.status(), 200);
    assert_eq!(stream().await.expect("an answer").status(), 429);
    let mut third = Raw::open(&server).await;
    third.say(json!({"type": "connection_init", "payload": {"authorization": format!("Bearer {}", ada.token.as_deref().unwrap())}})).await;
    assert_eq!(third.closed().await.0, 1013);
    follow(&server, &other).await;
    drop(streaming);
    crate::support::until("there is room again", || async { stream().await.expect("an answer").status() == 200 }).await;
    drop(one);
}
