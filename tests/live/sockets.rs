//! Sockets that come and go beside others (L01, L02, L03, L15).

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::support::{Database, PATIENCE, Server, Socket, Stage, TestSettings, database, settings};

const CHANGES: &str = "subscription { workerChanged { initial asOf worker { state reason } } }";

async fn change(stage: &Stage, reason: &str) {
    sqlx::query("update worker set state = 'ERROR', reason = $2 where id = $1")
        .bind(stage.worker)
        .bind(reason)
        .execute(&stage.world.pool)
        .await
        .expect("a change");
}

/// A socket that is refused: how it is closed.
async fn refused(stage: &Stage) -> u16 {
    let mut request = stage.server.url("/graphql").replacen("http", "ws", 1).into_client_request().expect("a request");
    request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse().expect("a header"));
    let (mut stream, _) = tokio_tungstenite::connect_async(request).await.expect("it opens");
    let init = json!({"type": "connection_init", "payload": {"authorization": "Bearer no.token.of.ours"}});
    stream.send(Message::text(init.to_string())).await.expect("sent");
    loop {
        match tokio::time::timeout(PATIENCE, stream.next()).await.expect("an answer, not silence") {
            Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
            Some(Ok(_)) => {}
            other => panic!("no close frame: {other:?}"),
        }
    }
}

#[tokio::test]
async fn l02_of_several_sockets_one_is_refused_and_the_others_deliver() {
    let stage = Stage::open().await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        let mut socket = Socket::connect(&stage.server.url("/graphql"), stage.root.token.as_deref()).await;
        for number in 0..5 {
            socket.subscribe(&number.to_string(), CHANGES, json!({})).await;
        }
        sockets.push(socket);
    }
    assert_eq!(refused(&stage).await, 4403);
    for socket in &mut sockets {
        for _ in 0..5 {
            assert_eq!(socket.event().await["workerChanged"]["initial"], true);
        }
    }
    change(&stage, "one").await;
    for socket in &mut sockets {
        let mut heard = Vec::new();
        for _ in 0..5 {
            let message = socket.message().await.expect("a message");
            heard.push(message["id"].as_str().expect("an id").to_owned());
            let shown = &message["payload"]["data"]["workerChanged"]["worker"];
            let now = stage.worker_now().await;
            assert_eq!(json!([shown["state"], shown["reason"]]), json!([now["state"], now["reason"]]));
        }
        heard.sort();
        assert_eq!(heard, ["0", "1", "2", "3", "4"]);
    }
}

#[tokio::test]
async fn l15_fifty_reconnects_each_get_the_present_state_and_then_every_change() {
    let stage = Stage::open().await;
    for round in 0..50 {
        change(&stage, &format!("{round} in the gap")).await;
        let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
        let first = socket.event().await["workerChanged"].clone();
        assert_eq!(json!([first["initial"], first["worker"]["reason"]]), json!([true, format!("{round} in the gap")]));
        for later in ["one", "two"] {
            change(&stage, &format!("{round} {later}")).await;
            let event = socket.event().await["workerChanged"].clone();
            assert_eq!(json!([event["initial"], event["worker"]["reason"]]), json!([false, format!("{round} {later}")]));
        }
    }
}

/// L01, its end: what a socket shows first says as of when it is true.
#[tokio::test]
async fn l01_the_present_state_and_every_change_say_as_of_when() {
    let stage = Stage::open().await;
    change(&stage, "before").await;
    let as_of = |event: &Value| {
        let text = event["workerChanged"]["asOf"].as_str().expect("a time").to_owned();
        chrono::DateTime::parse_from_rfc3339(&text).expect("a time").to_utc()
    };
    let now = async || {
        sqlx::query_scalar::<_, chrono::DateTime<chrono::Utc>>("select clock_timestamp()").fetch_one(&stage.world.pool).await.expect("now")
    };
    let before = now().await;
    let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
    let first = as_of(&socket.event().await);
    assert!(before <= first && first <= now().await);
    change(&stage, "after").await;
    let second = as_of(&socket.event().await);
    assert!(first <= second && second <= now().await);
}

async fn run(database: &Database, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&database.pool).await.expect("a statement");
}

/// A server that comes to the database by a role of its own.
async fn behind_a_role(database: &Database) -> (String, Stage) {
    let role = format!("l03_{}", uuid::Uuid::new_v4().simple());
    run(database, format!("create role {role} login; grant pg_read_all_data, pg_write_all_data to {role}")).await;
    let mut settings = settings(&database.url, &TestSettings::default());
    settings.db.options = settings.db.options.username(&role);
    // The one that is open serves all, so nobody but the listener comes to the door.
    settings.db.pool_size = 1;
    let stage = Stage::on(Server::with(database.again().await, settings).await).await;
    (role, stage)
}

/// L03: the listener comes in by the same door as everybody; when that is shut, readiness says so.
#[tokio::test]
async fn l03_the_listener_uses_the_login_of_the_pool_and_says_when_it_cannot_connect() {
    let database = database().await;
    let (role, stage) = behind_a_role(&database).await;
    let run = async |sql: String| run(&database, sql).await;
    let ready = async || reqwest::get(stage.server.url("/readyz")).await.expect("an answer");
    let until = async |status: u16| {
        let end = tokio::time::Instant::now() + PATIENCE;
        while ready().await.status().as_u16() != status {
            assert!(tokio::time::Instant::now() < end, "{}", ready().await.text().await.expect("text"));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    until(200).await;
    let listening = "select usename::text from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
    assert_eq!(sqlx::query_scalar::<_, String>(listening).fetch_all(&database.pool).await.expect("sessions"), std::slice::from_ref(&role));
    let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
    socket.event().await;

    run(format!("alter role {role} nologin; select pg_terminate_backend(pid) from pg_stat_activity where usename = '{role}'")).await;
    until(503).await;
    assert!(!ready().await.text().await.expect("text").trim().is_empty());
    let asked = stage.root.ask("{ workers { totalCount } }").await;
    assert_eq!(asked.code(), "UNAVAILABLE");
    run(format!("alter role {role} login")).await;
    until(200).await;
    change(&stage, "back").await;
    socket.until(|event| event["workerChanged"]["worker"]["reason"] == "back").await;
    stage.server.service.stop().await;
    run(format!("drop role {role}")).await;
}

/// L03, the other half: everything else goes on, so only a word to whoever comes tells them that they would hear of nothing.
#[tokio::test]
async fn l03_who_subscribes_while_only_the_listener_cannot_connect_is_refused_and_who_had_subscribed_goes_on() {
    let database = database().await;
    let (role, stage) = behind_a_role(&database).await;
    let run = async |sql: String| run(&database, sql).await;
    let mut early = stage.root.subscribe(CHANGES, json!({})).await;
    early.event().await;

    let listening = "from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
    run(format!("alter role {role} nologin; select pg_terminate_backend(pid) {listening}")).await;
    let end = tokio::time::Instant::now() + PATIENCE;
    let refused = loop {
        let mut socket = stage.root.subscribe(CHANGES, json!({})).await;
        let message = socket.message().await.expect("an answer");
        if message["type"] == "error" {
            break message;
        }
        assert!(tokio::time::Instant::now() < end, "{message:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(refused["payload"][0]["extensions"]["code"], "UNAVAILABLE", "{refused:#}");
    stage.root.ask("{ workers { totalCount } }").await.data();
    change(&stage, "unheard").await;
    run(format!("alter role {role} login")).await;
    early.until(|event| event["workerChanged"]["worker"]["reason"] == "unheard").await;
    stage.root.subscribe(CHANGES, json!({})).await.event().await;
    stage.server.service.stop().await;
    run(format!("drop role {role}")).await;
}
