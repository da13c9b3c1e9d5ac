//! How a worker lives: boots, checks, reports, obeys, ends.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::Source;
use super::api::{Api, until};
use super::process::{Directory, Worker};

#[tokio::test(flavor = "multi_thread")]
async fn a_source_is_live_once_its_database_answers() {
    let source = Source::new("select 1").await;
    let mut configuration = source.configuration();
    let late = format!("{}_late", configuration["database"].as_str().unwrap());
    configuration["database"] = json!(late);
    let (api, directory) = (Api::start("POSTGRES_SOURCE", configuration).await, Directory::new("late"));
    let mut worker = Worker::launch(&api, &directory, &[]);
    assert_eq!(api.reported("ERROR").await.unwrap(), format!("database \"{late}\" does not exist (3D000)"));
    source.run(&format!("create database {late}")).await;
    assert_eq!(api.reported("LIVE").await, None);
    let beats = api.states().len();
    until("heartbeats", || (api.states().len() > beats + 1).then_some(())).await;
    api.answer("STOP");
    assert!(worker.end().await.success());
    assert_eq!(api.states().last().unwrap().0, "PAUSED");
    source.run(&format!("drop database {late}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_boots_checks_reports_and_obeys() {
    let source = Source::new("create table public.orders (id int)").await;
    let (api, directory) = (Api::start("POSTGRES_TARGET", source.configuration()).await, Directory::new("target"));
    let mut worker = Worker::launch(&api, &directory, &[]);
    api.reported("LIVE").await;
    until("a socket", || (api.sockets() == 1).then_some(())).await;
    api.snapshot(&["public.orders"]);
    sleep(Duration::from_millis(500)).await;
    assert!(api.reports("public.orders").is_empty() && worker.is_running());
    api.instruct("STOP");
    assert!(worker.end().await.success());
    assert_eq!(api.states().last().unwrap().0, "PAUSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_type_is_an_error_that_still_obeys() {
    let (api, directory) = (Api::start("MYSQL_SOURCE", json!({})).await, Directory::new("other"));
    let mut worker = Worker::launch(&api, &directory, &[]);
    assert_eq!(api.reported("ERROR").await.unwrap(), "this worker does not run MYSQL_SOURCE yet");
    api.instruct("EXIT");
    assert!(worker.end().await.success());
    assert!(api.states().iter().all(|(state, _)| state == "ERROR"), "EXIT is obeyed without a report");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_boot_is_an_order_or_a_failure() {
    for (status, success) in [(401, false), (409, true), (403, false)] {
        let (api, directory) = (Api::start("POSTGRES_SOURCE", json!({})).await, Directory::new("boot"));
        api.refuse_boot(status);
        let mut worker = Worker::launch(&api, &directory, &[]);
        assert_eq!(worker.end().await.success(), success, "{status}");
        if status == 401 {
            // It may never have been one, which nobody hears of who is told that all is well.
            worker.says("Check PUMPHOUSE_WORKER_TOKEN").await;
        }
        assert!(api.states().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_is_not_there_yet_is_waited_for() {
    let source = Source::new("select 1").await;
    let (api, directory) = (Api::start("POSTGRES_SOURCE", source.configuration()).await, Directory::new("wait"));
    api.refuse_boot(503);
    let worker = Worker::launch(&api, &directory, &[]);
    worker.says("the API does not answer yet").await;
    assert!(api.states().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_superseded_worker_exits_without_a_word() {
    let source = Source::new("select 1").await;
    let (api, directory) = (Api::start("POSTGRES_SOURCE", source.configuration()).await, Directory::new("superseded"));
    let mut worker = Worker::launch(&api, &directory, &[]);
    api.reported("LIVE").await;
    api.supersede("gen-2");
    assert!(worker.end().await.success());
    assert!(api.states().iter().all(|(state, _)| state != "PAUSED"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_it_and_is_a_stop_only_when_the_api_says_so() {
    let source = Source::new("select 1").await;
    for (directive, last) in [("RUN", "LIVE"), ("STOP", "PAUSED")] {
        let (api, directory) = (Api::start("POSTGRES_SOURCE", source.configuration()).await, Directory::new("signal"));
        let mut worker = Worker::launch(&api, &directory, &[("PUMPHOUSE_HEARTBEAT_SECONDS", "60")]);
        api.reported("LIVE").await;
        api.answer(directive);
        worker.signal("TERM");
        assert!(worker.end().await.success());
        assert_eq!(api.states().last().unwrap().0, last);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_mode_of_tls_ends_in_a_reason() {
    for mode in ["require", "verify-ca", "verify-full"] {
        // Agrees to TLS, then hangs up in the middle of the handshake.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 8];
                stream.read_exact(&mut request).await.unwrap();
                stream.write_all(b"S").await.unwrap();
            }
        });
        let configuration = json!({"host": "127.0.0.1", "port": port, "database": "shop", "user": "reader", "sslMode": mode});
        let (api, directory) = (Api::start("POSTGRES_SOURCE", configuration).await, Directory::new(mode));
        let _worker = Worker::launch(&api, &directory, &[]);
        let reason = api.reported("ERROR").await.unwrap();
        assert!(reason.starts_with("the database cannot be reached"), "{mode}: {reason}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_looked_up_and_neither_shown_nor_said() {
    let source = Source::new("select 1").await;
    let mut configuration = source.configuration();
    configuration["password"] = json!({"$secret": "env:PUMPHOUSE_SECRET_SHOP"});
    let (api, directory) = (Api::start("POSTGRES_SOURCE", configuration).await, Directory::new("secret"));
    let without = Worker::launch(&api, &directory, &[]);
    assert_eq!(api.reported("ERROR").await.unwrap(), "the secret env:PUMPHOUSE_SECRET_SHOP is not set where the worker runs");
    drop(without);
    let with = Worker::launch(&api, &directory, &[("PUMPHOUSE_SECRET_SHOP", "hunter2hunter2")]);
    api.reported("LIVE").await;
    assert!(!with.log().contains("hunter2") && !with.log().contains(super::api::TOKEN), "{}", with.log());
}
