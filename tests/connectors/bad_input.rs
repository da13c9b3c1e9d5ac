//! What nobody should send: a code and a field each time, and nothing is written.

use serde_json::{Value, json};

use super::{CONNECTOR, create, everything, made, postgres, update};
use crate::access::mutate;
use crate::support::Stage;

/// Configurations that nothing good can come of, each in the place of one that is fine.
fn bad_configurations() -> Vec<Value> {
    let deep = (0..50).fold(json!("x"), |inner, _| json!({"a": inner}));
    let with = |name: &str, value: Value| {
        let mut configuration = postgres("db");
        configuration[name] = value;
        configuration
    };
    let many: serde_json::Map<String, Value> = (0..5_000).map(|index| (format!("field{index}"), json!(index))).collect();
    vec![
        deep.clone(),
        json!(many),
        with("host", json!("x".repeat(3_000))),
        with("host", deep),
        with("host", json!("db/../../etc")),
        with("host", json!("user:pw@db")),
        with("host", json!("")),
        with("port", json!(0)),
        with("port", json!(65_536)),
        with("port", json!(54.5)),
        with("port", json!(-1)),
        with("port", json!("5432")),
        with("port", json!(1e300)),
        with("user", json!("a\u{0}b")),
        with("user", json!("a\nb")),
        with("password", json!("x".repeat(70_000))),
        with("password", json!({"$secret": "env:"})),
        with("password", json!({"$secret": ["stored"]})),
        with("password", json!({"$secret": "stored", "$secret2": "stored"})),
        with("sslMode", json!("DISABLE")),
        with("$secret", json!("stored")),
        with("__proto__", json!({})),
        with("", json!(1)),
        with("~/0~1", json!(1)),
    ]
}

#[tokio::test]
async fn a_bad_configuration_is_refused_with_a_field_on_create_and_update_alike() {
    let stage = Stage::open().await;
    let (connector, _) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let before = everything(&stage.world.pool).await;
    for configuration in bad_configurations() {
        let created = create(&stage.root, stage.team, "new", "POSTGRES_SOURCE", configuration.clone()).await;
        let updated = update(&stage.root, json!({"connectorId": connector, "configuration": configuration})).await;
        for refused in [created, updated] {
            assert_eq!(refused.code(), "VALIDATION", "{refused:?}");
            assert!(refused.field().is_some_and(|field| field.starts_with("configuration")), "{refused:?}");
            assert!(refused.0.to_string().len() < 100_000, "a refusal of bounded length");
        }
    }
    assert_eq!(everything(&stage.world.pool).await, before);
}

#[tokio::test]
async fn an_input_of_the_wrong_shape_is_refused_before_anything_happens() {
    let stage = Stage::open().await;
    let before = everything(&stage.world.pool).await;
    let fine = json!({"teamId": stage.team, "name": "new", "connectorType": "POSTGRES_SOURCE", "configuration": postgres("db")});
    for (name, value) in [
        ("teamId", json!("no id")),
        ("teamId", json!(7)),
        ("teamId", Value::Null),
        ("name", json!(7)),
        ("name", Value::Null),
        ("connectorType", json!(["POSTGRES_SOURCE"])),
        ("way", json!("TARGET")),
    ] {
        let mut input = fine.clone();
        input[name] = value;
        let refused = mutate(&stage.root, "createConnector", CONNECTOR, input).await;
        assert!(["VALIDATION", "GRAPHQL_VALIDATION_FAILED"].contains(&refused.code()), "{name}: {refused:?}");
        assert!(!refused.0.to_string().contains("hunter2"), "{refused:?}");
    }
    for kind in ["", "postgres_source", "POSTGRES_SOURCE ", "POSTGRES_SOURCE\u{0}"] {
        let refused = create(&stage.root, stage.team, "new", kind, postgres("db")).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("connectorType")), "{kind:?}");
    }
    assert_eq!(everything(&stage.world.pool).await, before);
}
