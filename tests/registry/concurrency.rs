//! Registrations that arrive at once, at two replicas.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{record, register, replica, rows};
use crate::support::Stage;

fn schema(number: usize) -> Value {
    record(json!([{"name": format!("f{number}"), "type": "int"}]))
}

#[tokio::test]
async fn g07_fifty_registrations_of_ten_schemas_give_versions_one_to_ten() {
    let stage = Stage::open().await;
    let (other, there) = replica(&stage, &stage.root).await;
    let schemas: Vec<Value> = (0..10).map(schema).collect();
    let all = (0..50).map(|n| register(if n % 2 == 0 { &stage.root } else { &there }, "s", &schemas[n % 10]));
    let answers = join_all(all).await;
    let distinct: BTreeSet<(i64, Uuid)> = answers.iter().copied().collect();
    assert_eq!(distinct.iter().map(|(version, _)| *version).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    for (n, answer) in answers.iter().enumerate() {
        assert_eq!(*answer, answers[n % 10], "equal content has one version");
    }
    assert_eq!(rows(&stage).await, (10, 10));
    assert_eq!(stage.audited().await.len(), 10);
    other.service.stop().await;
}

#[tokio::test]
async fn g08_one_schema_under_twenty_subjects_at_once_is_one_row() {
    let stage = Stage::open().await;
    let (other, there) = replica(&stage, &stage.root).await;
    let shared = schema(0);
    let subjects: Vec<String> = (0..20).map(|n| format!("s{n}")).collect();
    let all = subjects.iter().enumerate().map(|(n, subject)| register(if n % 2 == 0 { &stage.root } else { &there }, subject, &shared));
    let answers: BTreeSet<(i64, Uuid)> = join_all(all).await.into_iter().collect();
    assert_eq!(answers.len(), 1);
    assert_eq!(rows(&stage).await, (1, 20));
    other.service.stop().await;
}

#[tokio::test]
async fn deletions_among_registrations_never_give_a_number_twice() {
    let stage = Stage::open().await;
    let (other, there) = replica(&stage, &stage.root).await;
    let registered = join_all((0..24).map(|n| {
        let (caller, there) = (&stage.root, &there);
        async move {
            if n % 6 == 5 {
                caller.ask("mutation { deleteSchemaSubject(input: {subject: \"s\"}) { lastVersion } }").await;
                return None;
            }
            Some(register(if n % 2 == 0 { caller } else { there }, "s", &schema(n)).await)
        }
    }));
    let mut documents: BTreeMap<i64, Uuid> = BTreeMap::new();
    for (version, document) in registered.await.into_iter().flatten() {
        assert_eq!(documents.insert(version, document), None, "version {version} was given twice");
    }
    assert_eq!(documents.keys().copied().collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    other.service.stop().await;
}
