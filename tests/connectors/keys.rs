//! K07: the keys that seal configurations are changed while servers run.

use std::cell::Cell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pumphouse::core::secret::KeyRing;
use pumphouse::pipelines::rotation::{self, Sealed};
use serde_json::{Value, json};

use super::{made, postgres, update};
use crate::access::mutate;
use crate::support::{Caller, Server, Stage, TestSettings, settings};

const CONFIGURATIONS: &str = "{ connectors(first: 200) { nodes { name updatedAt jsonConfiguration worker { savedRevision } } }
    envs { nodes { updatedAt retentionConfiguration } } }";
/// The env of the stage and its source, and the connectors that a test adds.
const ALL: i64 = 12;

/// A key of 32 times this byte.
fn key(id: &str, byte: u8) -> String {
    format!("{id}:{}", STANDARD.encode([byte; 32]))
}

fn ring(keys: &[String]) -> KeyRing {
    KeyRing::parse(&keys.join(",")).expect("a key ring")
}

/// The key of all tests' servers.
fn old() -> String {
    key("test", 7)
}

/// A stage with ten connectors beside its source.
async fn stage() -> Stage {
    let stage = Stage::open().await;
    for index in 0..10 {
        made(&stage, &format!("connector {index}"), "POSTGRES_SOURCE", postgres("db")).await;
    }
    stage
}

/// A further server on the database of the stage with these keys, and its caller.
async fn server(stage: &Stage, keys: &KeyRing) -> (Server, Caller) {
    let database = stage.server.database.again().await;
    let mut settings = settings(&database.url, &TestSettings::default());
    settings.keys = keys.clone();
    let server = Server::with(database, settings).await;
    let caller = server.with_token(stage.root.token.as_deref().expect("a token"));
    (server, caller)
}

fn sealed(counts: &[(&str, i64)]) -> Vec<Sealed> {
    counts.iter().map(|(key, count)| Sealed { key: Some((*key).to_owned()), count: *count }).collect()
}

#[tokio::test]
async fn k07_a_rotation_that_is_killed_goes_on_later_and_all_is_readable_at_every_step() {
    let stage = stage().await;
    let both = ring(&[key("new", 8), old()]);
    let (replica, root) = server(&stage, &both).await;
    let (db, before) = (replica.service.db(), root.ask(CONFIGURATIONS).await.data());
    assert_eq!(before["connectors"]["nodes"].as_array().map(Vec::len), Some(11));

    // Killed after three rows: whatever it was doing is dropped.
    let done = Cell::new(0);
    let rotating = rotation::rotate(db, &both, 1, |count| done.set(count));
    let killed = async {
        while done.get() < 3 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = killed => {}
        rotated = rotating => panic!("it was not killed in time: {rotated:?}"),
    }
    let counts = rotation::keys(db).await.expect("counts");
    assert!(counts.len() == 2 && counts.iter().map(|sealed| sealed.count).sum::<i64>() == ALL, "{counts:?}");
    assert_eq!(root.ask(CONFIGURATIONS).await.data(), before, "half way");

    let rotated = rotation::rotate(db, &both, 4, drop).await.expect("a rotation");
    assert!(rotated.unreadable.is_empty() && (1..=9).contains(&rotated.anew), "{rotated:?}");
    assert_eq!(rotation::keys(db).await.expect("counts"), sealed(&[("new", ALL)]));
    assert_eq!(rotation::rotate(db, &both, 4, drop).await.expect("a rotation").anew, 0, "nothing is left to do");
    assert_eq!(root.ask(CONFIGURATIONS).await.data(), before, "neither revision nor updatedAt has moved");
    assert!(stage.audited().await.ends_with(&["rotate".to_owned()]));

    let (last, root) = server(&stage, &ring(&[key("new", 8)])).await;
    assert_eq!(root.ask(CONFIGURATIONS).await.data(), before, "without the old key");
    for server in [replica, last] {
        server.service.stop().await;
    }
}

#[tokio::test]
async fn k07_what_no_key_opens_is_told_and_left_and_all_else_is_rotated() {
    let stage = stage().await;
    let db = stage.server.service.db();
    let foreign = ring(&[key("lost", 9)]).seal(stage.connector, "{}").expect("sealed");
    sqlx::query("update connector set json_configuration = $2::json where id = $1")
        .bind(stage.connector)
        .bind(&foreign)
        .execute(&stage.world.pool)
        .await
        .expect("sealed with a lost key");
    let rotated = rotation::rotate(db, &ring(&[key("new", 8), old()]), 3, drop).await.expect("a rotation");
    let left: Vec<_> = rotated.unreadable.iter().map(|one| (one.entity, one.id, one.key.as_deref())).collect();
    assert_eq!((rotated.anew, left), (11, vec![("Connector", stage.connector, Some("lost"))]));
    assert_eq!(rotation::keys(db).await.expect("counts"), sealed(&[("lost", 1), ("new", 11)]));

    // The same id with another key: a wrong key opens nothing and changes nothing.
    let before: Value =
        sqlx::query_scalar("select jsonb_agg(c order by id) from connector c").fetch_one(&stage.world.pool).await.expect("rows");
    let wrong = rotation::rotate(db, &ring(&[key("newer", 1), key("new", 2)]), 5, drop).await.expect("a rotation");
    assert_eq!((wrong.anew, wrong.unreadable.len()), (0, 12));
    let after: Value =
        sqlx::query_scalar("select jsonb_agg(c order by id) from connector c").fetch_one(&stage.world.pool).await.expect("rows");
    assert_eq!(after, before);
}

#[tokio::test]
async fn k07_configurations_are_changed_while_they_are_rotated() {
    let stage = stage().await;
    // A server that seals with the old key still, and one that seals with the new one; both open both.
    let (behind, before) = server(&stage, &ring(&[old(), key("new", 8)])).await;
    let both = ring(&[key("new", 8), old()]);
    let (ahead, root) = server(&stage, &both).await;
    let changing = async {
        for port in 1..=20 {
            let made = super::create(&before, stage.team, &format!("late {port}"), "POSTGRES_SOURCE", postgres("db")).await.data();
            let connector = made["createConnector"]["connector"]["id"].clone();
            let mut configuration = postgres("db");
            configuration["port"] = json!(port);
            for caller in [&before, &root] {
                update(caller, json!({"connectorId": connector, "configuration": configuration})).await.data();
                configuration["user"] = json!("other");
            }
        }
    };
    let rotating = async {
        for _ in 0..10 {
            rotation::rotate(ahead.service.db(), &both, 2, drop).await.expect("a rotation");
        }
    };
    tokio::join!(changing, rotating);
    rotation::rotate(ahead.service.db(), &both, 100, drop).await.expect("a rotation");
    assert_eq!(rotation::keys(ahead.service.db()).await.expect("counts"), sealed(&[("new", ALL + 20)]));
    let shown = before.ask(CONFIGURATIONS).await.data();
    let is_late = |one: &&Value| one["name"].as_str().is_some_and(|name| name.starts_with("late"));
    let late: Vec<&Value> = shown["connectors"]["nodes"].as_array().expect("connectors").iter().filter(is_late).collect();
    assert!(late.len() == 20 && late.iter().all(|one| one["jsonConfiguration"]["user"] == "other"), "{late:?}");
    for server in [behind, ahead] {
        server.service.stop().await;
    }
}

#[tokio::test]
async fn k07_with_a_wrong_key_what_needs_it_says_so_and_the_rest_works() {
    let stage = Stage::open().await;
    let (connector, shown) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let generation = stage.start().await;
    // Of the same id, and of another.
    for keys in [key("test", 9), key("other", 9)] {
        let (server, root) = server(&stage, &ring(std::slice::from_ref(&keys))).await;
        let before = super::everything(&stage.world.pool).await;
        let kept = json!({"connectorId": connector, "configuration": shown["jsonConfiguration"]});
        let refused =
            [update(&root, kept.clone()).await, mutate(&root, "testConnector", "succeeded", json!({"connectorId": connector})).await];
        for refused in refused.iter().chain([&mutate(&root, "testConnector", "succeeded", kept).await]) {
            assert_eq!(refused.code(), "INTERNAL", "{refused:?}");
            assert!(refused.message().contains("encryption keys of this server"), "{refused:?}");
        }
        let token = server.worker(stage.worker, generation).token.expect("a token");
        let boot = reqwest::Client::new().post(server.url("/worker/bootstrap")).bearer_auth(token).send().await.expect("an answer");
        assert!(boot.status().is_server_error() && boot.text().await.expect("text").contains("encryption keys of this server"));
        assert_eq!(super::everything(&stage.world.pool).await, before, "nothing is half written");

        let renamed = update(&root, json!({"connectorId": connector, "name": format!("by {keys:.4}")})).await;
        assert!(renamed.0["data"]["updateConnector"]["connector"]["id"].is_string(), "{renamed:?}");
        made_by(&root, &stage, &format!("with {keys:.4}")).await;
        server.service.stop().await;
    }
}

/// A connector that is made by somebody, and readable by them.
async fn made_by(caller: &Caller, stage: &Stage, name: &str) {
    let made = super::create(caller, stage.team, name, "POSTGRES_SOURCE", postgres("db")).await.data();
    assert_eq!(made["createConnector"]["connector"]["jsonConfiguration"]["host"], "db");
}
