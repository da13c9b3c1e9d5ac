//! Clients that vanish, stay silent, do not read or hang on (L01, N10, P01, P04, P05, P06), and the server's end.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use super::raw::Raw;
use super::server;
use crate::support::{PATIENCE, Server, World, until};

const CHANGES: &str = "subscription { workerChanged { initial worker { state reason } } }";

async fn worker(world: &World) -> Uuid {
    let team = world.team(world.env("prod").await, "core").await;
    world.source(team, "shop").await.1
}

async fn change(world: &World, worker: Uuid, state: &str, reason: &str) {
    sqlx::query("update worker set state = $1, reason = $2 where id = $3")
        .bind(state)
        .bind(reason)
        .bind(worker)
        .execute(&world.pool)
        .await
        .expect("a change");
}

#[tokio::test]
async fn p05_a_client_that_vanishes_is_dropped_within_two_pings_and_finds_the_true_state_again() {
    let server = server(|settings| settings.ping_interval = Duration::from_millis(300)).await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let worker = worker(&world).await;
    // Nothing is read from this socket any more, so nothing is answered; and nothing closes it.
    let mut lost = Raw::ready(&server, root.token.as_deref()).await;
    lost.subscribe("1", CHANGES).await;
    lost.hear().await;
    let vanished = Instant::now();
    until("the socket is counted", || async { server.metric("pumphouse_sockets").await == 1.0 }).await;
    change(&world, worker, "LIVE", "up").await;
    until("the socket is dropped", || async { server.metric("pumphouse_sockets").await == 0.0 }).await;
    assert_eq!(server.metric("pumphouse_subscriptions").await, 0.0);
    // Two intervals, and what a busy machine adds.
    assert!(vanished.elapsed() < Duration::from_millis(600 + 1_000), "{:?}", vanished.elapsed());
    // Read without answering the pings that stand before it: nobody is there to take that.
    let mut left = Vec::new();
    lost.stream.get_mut().read_to_end(&mut left).await.expect("the end");
    let close_frame = [&3008_u16.to_be_bytes(), "Pings are not answered.".as_bytes()].concat();
    assert!(left.ends_with(&close_frame), "{}", left.escape_ascii());

    let mut again = root.subscribe(CHANGES, Value::Null).await;
    assert_eq!(again.event().await["workerChanged"], json!({"initial": true, "worker": {"state": "LIVE", "reason": "up"}}));
}

#[tokio::test]
async fn p04_p06_a_quiet_socket_sees_pings_and_lives_as_long_as_it_answers_in_either_way() {
    let server = server(|settings| settings.ping_interval = Duration::from_millis(100)).await;
    let mut frames = Raw::ready(&server, None).await;
    for _ in 0..8 {
        // Reading answers the ping before.
        assert!(matches!(frames.stream.next().await, Some(Ok(Message::Ping(_)))));
    }
    frames.say(json!({"type": "ping"})).await;
    assert_eq!(frames.hear().await, json!({"type": "pong"}));

    // Not reading, this one answers no ping frame; its own words show that it lives.
    let mut words = Raw::ready(&server, None).await;
    let mut beat = tokio::time::interval(Duration::from_millis(100));
    for _ in 0..8 {
        beat.tick().await;
        words.say(json!({"type": "pong"})).await;
    }
    words.say(json!({"type": "ping"})).await;
    assert_eq!(words.hear().await, json!({"type": "pong"}));
}

#[tokio::test]
async fn n10_a_client_that_does_not_read_is_cut_off_with_a_code_and_delays_nobody() {
    let server = server(|settings| {
        settings.write_timeout = Duration::from_millis(500);
        settings.socket_buffer = 256 * 1024;
    })
    .await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let worker = worker(&world).await;
    let mut deaf = Raw::ready(&server, root.token.as_deref()).await;
    deaf.subscribe("1", CHANGES).await;
    let mut other = root.subscribe("subscription { workerChanged { initial worker { state } } }", Value::Null).await;
    other.event().await;
    let text = "x".repeat(512 * 1024);
    let mut slowest = Duration::ZERO;
    for round in 0..48 {
        let state = if round % 2 == 0 { "LIVE" } else { "ERROR" };
        let started = Instant::now();
        change(&world, worker, state, &text).await;
        // The watchdog may have its word in between about the health of a worker that has not reported.
        other.until(|event| event["workerChanged"]["worker"]["state"] == state).await;
        slowest = slowest.max(started.elapsed());
    }
    assert!(slowest < Duration::from_secs(2), "the other subscriber waited {slowest:?}");
    until("the deaf client is cut off", || async { server.metric("pumphouse_subscriptions").await == 1.0 }).await;
    let (code, reason) = deaf.closed().await;
    assert_eq!(code, 1013, "{reason}");
    until("one socket is left", || async { server.metric("pumphouse_sockets").await == 1.0 }).await;
}

/// A stream of changes that nobody reads yet.
async fn unread_stream(server: &Server, token: &str) -> TcpStream {
    let client = TcpSocket::new_v4().expect("a socket");
    client.set_recv_buffer_size(4_096).expect("a small buffer");
    let mut client = client.connect(server.service.address()).await.expect("the server listens");
    let body = json!({"query": CHANGES}).to_string();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    client.write_all(head.as_bytes()).await.expect("it is sent");
    until("it is followed", || async { server.metric("pumphouse_subscriptions").await > 0.5 }).await;
    client
}

#[tokio::test]
async fn n10_a_client_that_does_not_read_a_stream_of_events_is_cut_off_as_soon_as_one_of_a_socket() {
    let server = server(|settings| settings.write_timeout = Duration::from_millis(500)).await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let worker = worker(&world).await;
    let _deaf = unread_stream(&server, root.token.as_deref().unwrap_or_default()).await;
    let text = "x".repeat(512 * 1024);
    for round in 0..24 {
        change(&world, worker, if round % 2 == 0 { "LIVE" } else { "ERROR" }, &text).await;
    }
    // Long before the connection's own patience, of half a minute.
    until("it is cut off", || async { server.metric("pumphouse_subscriptions").await < 0.5 }).await;
    assert!(server.metric("pumphouse_slow_readers_total").await > 0.5);
}

#[tokio::test]
async fn n10_what_waits_for_a_stream_that_is_not_read_is_bounded_and_the_present_state_takes_its_place() {
    let server = server(|settings| {
        settings.write_timeout = Duration::from_mins(1);
        settings.socket_buffer = 64 * 1024;
    })
    .await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let worker = worker(&world).await;
    let mut late = unread_stream(&server, root.token.as_deref().unwrap_or_default()).await;
    let mut other = root.subscribe("subscription { workerChanged { worker { state } } }", Value::Null).await;
    other.event().await;
    let text = "x".repeat(256 * 1024);
    for round in 0..32 {
        let state = if round % 2 == 0 { "LIVE" } else { "ERROR" };
        change(&world, worker, state, &format!("{round} {text}")).await;
        other.until(|event| event["workerChanged"]["worker"]["state"] == state).await;
    }
    let present = br#""initial":true,"worker":{"state":"ERROR","reason":"31 "#;
    let (mut read, mut buffer) = (Vec::new(), vec![0; 1 << 20]);
    let all = async {
        let mut looked = 0_usize;
        while !read[looked..].windows(present.len()).any(|window| window == present) {
            looked = read.len().saturating_sub(present.len());
            let taken = late.read(&mut buffer).await.expect("something is read");
            assert!(taken > 0, "the end");
            read.extend_from_slice(&buffer[..taken]);
        }
    };
    tokio::time::timeout(PATIENCE, all).await.expect("the present state comes");
    // What was on its way is there, up to what the system keeps; not all that was said.
    let told = read.windows(12).filter(|window| window == b"\nevent: next").count();
    assert!((2..28).contains(&told), "{told} events");
}

#[tokio::test]
async fn a_client_that_reads_again_long_after_it_was_cut_off_is_told_why() {
    let server = server(|settings| {
        settings.write_timeout = Duration::from_millis(200);
        settings.socket_buffer = 256 * 1024;
    })
    .await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let worker = worker(&world).await;
    let mut deaf = Raw::ready(&server, root.token.as_deref()).await;
    deaf.subscribe("1", CHANGES).await;
    let text = "x".repeat(512 * 1024);
    for round in 0..48 {
        change(&world, worker, if round % 2 == 0 { "LIVE" } else { "ERROR" }, &text).await;
    }
    until("the deaf client is cut off", || async { server.metric("pumphouse_subscriptions").await == 0.0 }).await;
    // Longer than others have to take their close frame.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let (code, reason) = deaf.closed().await;
    assert_eq!(code, 1013, "{reason}");
    until("no socket is left", || async { server.metric("pumphouse_sockets").await == 0.0 }).await;
}

#[tokio::test]
async fn p01_sockets_cut_at_any_point_leave_nothing_behind() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    worker(&world).await;
    for round in 0..60 {
        let mut socket = if round % 3 == 0 { Raw::open(&server).await } else { Raw::ready(&server, root.token.as_deref()).await };
        if round % 3 == 2 {
            socket.subscribe("1", CHANGES).await;
            socket.subscribe("2", "{ connectors { totalCount } }").await;
            if round % 2 == 0 {
                socket.hear().await;
            }
        }
        socket.reset();
    }
    until("no socket is left", || async { server.metric("pumphouse_sockets").await == 0.0 }).await;
    until("no subscription is left", || async { server.metric("pumphouse_subscriptions").await == 0.0 }).await;
}

#[tokio::test]
async fn a_server_that_stops_tells_it_answers_what_runs_closes_with_1001_and_ends_in_time() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let mut idle = Raw::open(&server).await;
    let mut following = Raw::ready(&server, root.token.as_deref()).await;
    following.subscribe("1", CHANGES).await;
    following.say(json!({"type": "ping"})).await;
    assert_eq!(following.hear().await["type"], "pong");
    let mut busy = Raw::ready(&server, root.token.as_deref()).await;
    let mut lock = server.database.pool.begin().await.expect("a transaction");
    sqlx::query("lock table license_state").execute(&mut *lock).await.expect("a lock");
    busy.subscribe("1", "{ license { id } }").await;
    let waits = "select exists (select from pg_locks where not granted and relation = 'license_state'::regclass)";
    until("the query waits", || async { sqlx::query_scalar(waits).fetch_one(&server.database.pool).await.expect("locks") }).await;
    let Server { service, database, .. } = server;
    let started = Instant::now();
    let ((), (), (), ()) = tokio::join!(
        service.stop(),
        async { assert_eq!(idle.closed().await.0, 1001) },
        async {
            let notice = following.hear().await;
            assert_eq!((&notice["type"], notice["payload"]["notice"].is_string()), (&json!("ping"), true), "{notice}");
            // No complete: the client is to come back, not to think that this was all.
            assert!(matches!(following.next().await, Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1001));
        },
        async {
            assert_eq!(busy.hear().await["type"], "ping", "the notice comes while the query is under way");
            lock.rollback().await.expect("the lock is given back");
            assert_eq!(busy.hear().await["payload"], json!({"data": {"license": null}}));
            assert_eq!(busy.hear().await["type"], "complete");
            assert_eq!(busy.closed().await.0, 1001);
        },
    );
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    drop(database);
}
