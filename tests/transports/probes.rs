//! Probes and metrics.

use std::time::{Duration, Instant};

use pumphouse::core::metric;
use reqwest::StatusCode;

use super::server;
use crate::support::{Caller, Server, TestSettings, World, database, until};

async fn get(url: &str) -> (StatusCode, String) {
    let answer = reqwest::get(url).await.expect("an answer");
    (answer.status(), answer.text().await.expect("text"))
}

#[tokio::test]
async fn every_metric_that_is_shown_has_its_help() {
    let server = Server::start().await;
    let world = World::of(&server);
    world.source(world.team(world.env("prod").await, "core").await, "shop").await;
    server.nobody().ask("{ __typename }").await.data();
    let (_, text) = get(&server.url("/metrics")).await;
    for metric in metric::ALL {
        let shown = text.lines().any(|line| line.starts_with(metric.name));
        let help = format!("# HELP {} {}", metric.name, metric.help);
        assert!(!shown || text.contains(&help), "{help}\n{text}");
    }
    for name in
        [metric::POOL_CONNECTIONS, metric::REQUESTS, metric::REQUEST_SECONDS, metric::SOCKETS, metric::NOTIFY_QUEUE, metric::WORKERS]
    {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name} is missing\n{text}");
    }
}

#[tokio::test]
async fn metrics_and_graph_agree_on_every_state_of_a_worker_and_the_old_state_is_gone() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    for state in ["PAUSED", "BUILDING", "LIVE", "ERROR", "STOPPING", "PAUSED"] {
        sqlx::query("update worker set state = $1, stop_requested_at = case when $1 = 'STOPPING' then now() end where id = $2")
            .bind(state)
            .bind(worker)
            .execute(&world.pool)
            .await
            .expect("a change");
        let (_, text) = get(&server.url("/metrics")).await;
        let data = root.ask("{ workers { nodes { state health } } }").await.data();
        let health = data["workers"]["nodes"][0]["health"].as_str().expect("a health");
        let counted: Vec<&str> = text.lines().filter(|line| line.starts_with("pumphouse_workers{")).collect();
        assert_eq!(counted, [format!("pumphouse_workers{{state=\"{state}\",health=\"{health}\"}} 1")]);
    }
}

#[tokio::test]
async fn a_server_whose_database_is_away_is_not_ready_and_still_tells_what_it_knows() {
    let mut away = database().await;
    away.url = away.url.replacen("/test_", "/no_such_test_", 1);
    let server = Server::on(away, &TestSettings::default()).await;
    assert_eq!(get(&server.url("/livez")).await, (StatusCode::OK, "ok\n".to_owned()));
    let (status, reason) = get(&server.url("/readyz")).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(reason.len() > 5, "{reason}");
    let started = Instant::now();
    let (status, text) = get(&server.url("/metrics")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(text.contains("pumphouse_sockets"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_server_is_ready_once_it_listens_and_metrics_may_have_a_port_of_their_own() {
    let server = server(|settings| settings.metrics_listen = Some(([127, 0, 0, 1], 0).into())).await;
    until("the server is ready", || async { get(&server.url("/readyz")).await.0 == StatusCode::OK }).await;
    assert_eq!(get(&server.url("/metrics")).await.0, StatusCode::NOT_FOUND);
    let apart = format!("http://{}", server.service.metrics_address().expect("an address"));
    assert!(get(&format!("{apart}/metrics")).await.1.contains("pumphouse_listening"));
    assert_eq!(get(&format!("{apart}/graphql")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn operations_are_told_apart_by_name_but_nobody_can_fill_the_metrics_with_names() {
    let server = Server::start().await;
    let root = server.superuser().await;
    for n in 0..150 {
        server.nobody().ask(&format!("query Strange{n} {{ __typename }}")).await.data();
        root.ask(&format!("query Wrong{n} {{ nothing }}")).await;
    }
    let mut viewers = Vec::new();
    for viewer in 0..12 {
        let viewer = server.user(&format!("named{viewer}@example.com"), false).await;
        for n in 0..12 {
            viewer.ask(&format!("query Named{n}Of{} {{ envs {{ totalCount }} }}", viewer.id.simple())).await.data();
        }
        viewers.push(viewer);
    }
    root.ask("query Late { envs { totalCount } }").await.data();
    let (first, last) = (&viewers[0], &viewers[11]);
    first.ask(&format!("query Named7Of{} {{ envs(first: -1) {{ totalCount }} }}", first.id.simple())).await;
    root.ask("{ envs { totalCount } }").await.data();
    let (_, text) = get(&server.url("/metrics")).await;
    let names = |prefix: &str| text.lines().filter(|line| line.starts_with("pumphouse_requests_total{") && line.contains(prefix)).count();
    assert_eq!((names("operation=\"Strange"), names("operation=\"Wrong")), (0, 0), "{text}");
    // One of them has two outcomes; nobody brings more than ten, and there are a hundred.
    assert_eq!((names("operation=\"Named"), names("operation=\"Late")), (101, 0), "{text}");
    let of = |viewer: &Caller| names(&format!("Of{}", viewer.id.simple()));
    assert_eq!((of(first), of(last)), (11, 0));
    let seventh = format!("operation=\"Named7Of{}\"", first.id.simple());
    for line in [
        format!("pumphouse_requests_total{{type=\"query\",{seventh},outcome=\"VALIDATION\"}} 1"),
        format!("pumphouse_request_seconds_count{{type=\"query\",{seventh}}} 2"),
        "pumphouse_requests_total{type=\"query\",operation=\"unnamed\",outcome=\"ok\"}".to_owned(),
        "pumphouse_requests_total{type=\"unread\",operation=\"unnamed\",outcome=\"GRAPHQL_VALIDATION_FAILED\"}".to_owned(),
        "pumphouse_requests_total{type=\"query\",operation=\"other\",outcome=\"ok\"}".to_owned(),
    ] {
        assert!(text.lines().any(|known| known.starts_with(&line)), "{line} is missing\n{text}");
    }
}

#[tokio::test]
async fn waits_batches_jobs_sockets_and_the_lag_of_events_are_measured() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let (_, worker) = world.source(team, "shop").await;
    root.ask("{ connectors { nodes { team { name } worker { state } } } }").await.data();
    let mut socket = root.subscribe("subscription { workerChanged { initial worker { state } } }", serde_json::Value::Null).await;
    socket.event().await;
    sqlx::query("update worker set state = 'LIVE' where id = $1").bind(worker).execute(&world.pool).await.expect("a change");
    socket.until(|event| event["workerChanged"]["worker"]["state"] == "LIVE").await;
    drop(socket);
    until("the socket's end is counted", || async { server.metric("pumphouse_socket_closes_total").await >= 1.0 }).await;
    until("jobs have run", || async { server.metric("pumphouse_job_seconds_count").await >= 1.0 }).await;
    let (_, text) = get(&server.url("/metrics")).await;
    for name in [
        metric::POOL_WAIT_SECONDS,
        metric::LOADER_BATCH,
        metric::EVENT_LAG_SECONDS,
        metric::JOB_SECONDS,
        metric::JOB_RUNS,
        metric::EVENTS,
        metric::LEADER,
        metric::SQL_STATEMENTS,
    ] {
        assert!(text.lines().any(|line| line.starts_with(name) && !line.ends_with(" 0")), "{name} is missing\n{text}");
    }
    let bucket = |line: &str| line.starts_with("pumphouse_event_lag_seconds_bucket") && line.contains("le=\"+Inf\"");
    assert!(text.lines().any(bucket), "it is a histogram\n{text}");
}
