//! Making and changing connectors.

use serde_json::json;
use uuid::Uuid;

use super::{create, everything, log, made, plain, postgres, stored, update, violations};
use crate::access::bad_names;
use crate::support::{Stage, id};

#[tokio::test]
async fn a_member_makes_a_connector_with_a_worker_that_is_paused_and_its_secrets_are_sealed() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let reply = create(&member, stage.team, " orders ", "POSTGRES_TARGET", postgres("db")).await.data();
    let connector = &reply["createConnector"]["connector"];
    let mut shown = postgres("db");
    shown["password"] = stored();
    assert_eq!(connector["jsonConfiguration"], shown);
    assert_eq!(
        (&connector["name"], &connector["way"], &connector["worker"]["state"]),
        (&json!("orders"), &json!("TARGET"), &json!("PAUSED"))
    );
    assert_eq!((id(&connector["teamId"]), id(&connector["envId"])), (stage.team, stage.env));
    let pool = &stage.world.pool;
    assert_eq!(plain(pool, &stage.world.keys, id(&connector["id"])).await, postgres("db"));
    assert!(!everything(pool).await.to_string().contains("hunter2"));
    assert_eq!(log(pool).await, [json!(["create", "Connector", "orders", ["name", "connectorType", "jsonConfiguration", "teamId"]])]);
}

/// YAML and some languages write whole numbers with a fraction of nothing.
#[tokio::test]
async fn a_whole_number_is_stored_as_one_however_it_is_written() {
    let stage = Stage::open().await;
    let mut configuration = postgres("db");
    configuration["port"] = json!(5432.0);
    let reply = create(&stage.root, stage.team, "orders", "POSTGRES_TARGET", configuration).await.data();
    let connector = &reply["createConnector"]["connector"];
    assert_eq!(plain(&stage.world.pool, &stage.world.keys, id(&connector["id"])).await["port"].as_u64(), Some(5432));
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once_with_its_pointer() {
    let stage = Stage::open().await;
    let before = everything(&stage.world.pool).await;
    let sent = json!({"host": "a b", "port": "hunter2", "user": "u", "password": {"$secret": "hunter2"}, "sslMode": "maybe", "extra": 1});
    let refused = create(&stage.root, stage.team, "", "POSTGRES_SOURCE", sent).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("name")));
    let fields = ["database", "extra", "host", "password", "port", "sslMode"].map(|field| format!("configuration/{field}"));
    let mut told = violations(&refused);
    told.dedup();
    assert_eq!(told, [fields.as_slice(), &["name".to_owned()]].concat());
    assert!(!refused.0.to_string().contains("hunter2"), "{refused:?}");
    let unknown = create(&stage.root, stage.team, "", "POSTGRES", json!({})).await;
    assert_eq!(violations(&unknown), ["connectorType", "name"]);
    for other in [json!([]), json!("x"), json!(7)] {
        let refused = create(&stage.root, stage.team, "x", "POSTGRES_SOURCE", other).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("configuration")), "{refused:?}");
    }
    assert_eq!(everything(&stage.world.pool).await, before);
}

#[tokio::test]
async fn k05_what_is_sent_back_as_it_was_shown_keeps_the_secret_and_any_text_is_a_new_one() {
    let stage = Stage::open().await;
    let (connector, shown) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let (pool, keys) = (&stage.world.pool, &stage.world.keys);
    let before = everything(pool).await;
    let same = update(&stage.root, json!({"connectorId": connector, "name": "orders", "configuration": shown["jsonConfiguration"]})).await;
    assert_eq!(same.data()["updateConnector"]["connector"], shown);
    assert_eq!(everything(pool).await, before, "nothing was changed");

    update(&stage.root, json!({"connectorId": connector, "name": "sales", "configuration": shown["jsonConfiguration"]})).await.data();
    let mut edited = shown["jsonConfiguration"].clone();
    edited["user"] = json!("writer");
    update(&stage.root, json!({"connectorId": connector, "configuration": edited})).await.data();
    assert_eq!(plain(pool, keys, connector).await["password"], "hunter2");
    assert_eq!(
        log(pool).await[1..],
        [json!(["update", "Connector", "sales", ["name"]]), json!(["update", "Connector", "sales", ["jsonConfiguration"]])]
    );

    for text in ["***", "{\"$secret\": \"stored\"}", "stored"] {
        edited["password"] = json!(text);
        update(&stage.root, json!({"connectorId": connector, "configuration": edited})).await.data();
        assert_eq!(plain(pool, keys, connector).await["password"], text, "any text is a new value");
    }
}

#[tokio::test]
async fn k02_k04_of_a_uri_only_the_secret_is_hidden_and_it_comes_back_whole() {
    let stage = Stage::open().await;
    let uri = "https://user:p%40ss@catalog.example.com/v1?apikey=k&x=1";
    let configuration = json!({"catalogUri": uri, "warehouse": "s3://lake/x", "namespace": "web"});
    let (connector, shown) = made(&stage, "lake", "ICEBERG_TARGET", configuration.clone()).await;
    assert_eq!(shown["jsonConfiguration"]["catalogUri"], "https://user:***@catalog.example.com/v1?apikey=***&x=1");
    let mut edited = shown["jsonConfiguration"].clone();
    edited["namespace"] = json!("shop");
    update(&stage.root, json!({"connectorId": connector, "configuration": edited})).await.data();
    // A mask is no secret, wherever it came from.
    edited["catalogUri"] = json!("https://user:***@elsewhere.example.com/v1");
    let refused = update(&stage.root, json!({"connectorId": connector, "configuration": edited})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("configuration/catalogUri")), "{refused:?}");
    let refused = create(&stage.root, stage.team, "new", "ICEBERG_TARGET", edited).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("configuration/catalogUri")), "{refused:?}");
    assert_eq!(plain(&stage.world.pool, &stage.world.keys, connector).await["catalogUri"], uri);
}

#[tokio::test]
async fn a_kept_secret_never_travels_to_a_new_destination_and_is_never_made_up() {
    let stage = Stage::open().await;
    let lake = json!({"catalogUri": "https://a.example.com", "warehouse": "s3://lake/x", "namespace": "web", "credential": "hunter2"});
    let (postgres_id, postgres_shown) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let (lake_id, lake_shown) = made(&stage, "lake", "ICEBERG_TARGET", lake).await;
    let before = everything(&stage.world.pool).await;
    for (connector, shown, field, value, secret) in [
        (postgres_id, &postgres_shown, "host", json!("evil.example.com"), "password"),
        (postgres_id, &postgres_shown, "port", json!(5433), "password"),
        (lake_id, &lake_shown, "warehouse", json!("s3://evil/x"), "credential"),
        (lake_id, &lake_shown, "oauthUrl", json!("https://evil.example.com"), "credential"),
    ] {
        let mut moved = shown["jsonConfiguration"].clone();
        moved[field] = value;
        let refused = update(&stage.root, json!({"connectorId": connector, "configuration": moved})).await;
        assert_eq!(
            (refused.code(), refused.field().map(str::to_owned)),
            ("VALIDATION", Some(format!("configuration/{secret}"))),
            "{refused:?}"
        );
    }
    let mut empty = postgres("db");
    empty["password"] = stored();
    let refused = create(&stage.root, stage.team, "new", "POSTGRES_SOURCE", empty).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("configuration/password")));
    assert_eq!(everything(&stage.world.pool).await, before);
    update(&stage.root, json!({"connectorId": postgres_id, "configuration": postgres("db2")})).await.data();
}

#[tokio::test]
async fn k08_a_reference_is_stored_and_shown_as_the_reference_it_is() {
    let stage = Stage::open().await;
    let mut configuration = postgres("db");
    configuration["password"] = json!({"$secret": "env:PUMPHOUSE_SECRET_ORDERS"});
    let (connector, shown) = made(&stage, "orders", "POSTGRES_SOURCE", configuration.clone()).await;
    assert_eq!(shown["jsonConfiguration"], configuration);
    // It is no secret that is kept: it may go along to a new host.
    let mut moved = configuration.clone();
    moved["host"] = json!("db2");
    update(&stage.root, json!({"connectorId": connector, "configuration": moved})).await.data();
    moved["password"] = json!({"$secret": "file:orders"});
    let again = update(&stage.root, json!({"connectorId": connector, "configuration": moved})).await.data();
    assert_eq!(again["updateConnector"]["connector"]["jsonConfiguration"], moved);
}

#[tokio::test]
async fn l13_a_saved_revision_differs_from_the_running_one_until_the_new_generation_has_booted() {
    let stage = Stage::open().await;
    let (connector, made) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let worker = id(&made["worker"]["id"]);
    let boot = async || {
        let generation = stage.world.generation(worker).await;
        let token = stage.server.worker(worker, generation).token.expect("a token");
        let boot = reqwest::Client::new().post(stage.server.url("/worker/bootstrap")).bearer_auth(token).send().await.expect("an answer");
        assert!(boot.status().is_success());
        stage.report_of(worker, generation, "LIVE", None).await;
    };
    let seen = async || {
        let query = format!("{{ worker(id: \"{worker}\") {{ savedRevision runningRevision restartNeeded }} }}");
        let worker = stage.root.ask(&query).await.data()["worker"].clone();
        (worker["savedRevision"].as_i64(), worker["runningRevision"].as_i64(), worker["restartNeeded"].as_bool())
    };
    assert_eq!(seen().await, (Some(1), None, Some(false)));
    stage.command(&stage.root, "startWorker", worker).await.data();
    boot().await;
    assert_eq!(seen().await, (Some(1), Some(1), Some(false)));
    update(&stage.root, json!({"connectorId": connector, "name": "sales"})).await.data();
    assert_eq!(seen().await, (Some(1), Some(1), Some(false)), "a name is no configuration");
    update(&stage.root, json!({"connectorId": connector, "configuration": postgres("db2")})).await.data();
    assert_eq!(seen().await, (Some(2), Some(1), Some(true)));
    stage.command(&stage.root, "restartWorker", worker).await.data();
    assert_eq!(seen().await, (Some(2), Some(1), Some(true)), "the old one still runs");
    stage.report_of(worker, stage.world.generation(worker).await, "PAUSED", None).await;
    boot().await;
    assert_eq!(seen().await, (Some(2), Some(2), Some(false)));
}

#[tokio::test]
async fn m11_m13_a_name_is_taken_within_the_env_whoever_has_it_and_free_in_another() {
    let stage = Stage::open().await;
    let (other_team, other_env) = (stage.world.team(stage.env, "other").await, stage.world.env("dev").await);
    let far_team = stage.world.team(other_env, "far").await;
    let member = stage.server.user("member@example.com", false).await;
    for team in [other_team, far_team] {
        stage.world.join_team(member.id, team, false).await;
    }
    let taken = create(&member, other_team, "shop", "POSTGRES_SOURCE", postgres("db")).await;
    assert_eq!((taken.code(), taken.field()), ("CONFLICT", Some("name")));
    assert!(!taken.0.to_string().contains(&stage.connector.to_string()), "{taken:?}");
    create(&member, far_team, "shop", "POSTGRES_SOURCE", postgres("db")).await.data();
    let own = create(&member, other_team, "mine", "POSTGRES_SOURCE", postgres("db")).await.data()["createConnector"]["connector"].clone();
    let renamed = update(&member, json!({"connectorId": own["id"], "name": "shop"})).await;
    assert_eq!((renamed.code(), renamed.field()), ("CONFLICT", Some("name")));
}

#[tokio::test]
async fn m14_the_rule_for_names_of_connectors_is_one_on_create_and_update() {
    let stage = Stage::open().await;
    let (connector, _) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    for name in bad_names() {
        let created = create(&stage.root, stage.team, &name, "POSTGRES_SOURCE", postgres("db")).await;
        let updated = update(&stage.root, json!({"connectorId": connector, "name": name})).await;
        for refused in [created, updated] {
            assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("name")), "{name:?}");
        }
    }
    // A trailing space and another form of the same letter are the same name; another case is another name.
    let cafe = made(&stage, "Cafe\u{301}", "POSTGRES_SOURCE", postgres("db")).await.1;
    assert_eq!(cafe["name"], "Caf\u{e9}");
    for twin in ["Caf\u{e9} ", " Cafe\u{301}"] {
        assert_eq!(create(&stage.root, stage.team, twin, "POSTGRES_SOURCE", postgres("db")).await.code(), "CONFLICT");
        assert_eq!(update(&stage.root, json!({"connectorId": connector, "name": twin})).await.code(), "CONFLICT");
    }
    made(&stage, "Orders", "POSTGRES_SOURCE", postgres("db")).await;
}

#[tokio::test]
async fn i06_two_who_change_a_connector_at_once_do_not_overwrite_each_other() {
    let stage = Stage::open().await;
    let (connector, made) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let first = update(&stage.root, json!({"connectorId": connector, "name": "one", "updatedAt": made["updatedAt"]})).await.data();
    let second = update(&stage.root, json!({"connectorId": connector, "name": "two", "updatedAt": made["updatedAt"]})).await;
    assert_eq!((second.code(), second.field()), ("CONFLICT", Some("updatedAt")));
    let present = &second.0["errors"][0]["extensions"]["details"]["updatedAt"];
    assert_eq!(*present, first["updateConnector"]["connector"]["updatedAt"]);
}

#[tokio::test]
async fn k07_a_configuration_that_no_key_opens_can_be_replaced_whole_and_kept_by_nobody() {
    let stage = Stage::open().await;
    let (connector, _) = made(&stage, "orders", "POSTGRES_SOURCE", postgres("db")).await;
    let pool = &stage.world.pool;
    sqlx::query("update connector set json_configuration = (select json_configuration from connector where id = $2) where id = $1")
        .bind(connector)
        .bind(stage.connector)
        .execute(pool)
        .await
        .expect("a copy from another connector");
    let before = everything(pool).await;
    let mut kept = postgres("db");
    kept["password"] = stored();
    let refused = update(&stage.root, json!({"connectorId": connector, "configuration": kept})).await;
    assert_eq!(refused.code(), "INTERNAL");
    assert!(refused.message().contains("encryption keys"), "{refused:?}");
    assert_eq!(everything(pool).await, before);
    let renamed = update(&stage.root, json!({"connectorId": connector, "name": "renamed"})).await;
    assert_eq!(renamed.0["data"]["updateConnector"]["connector"]["name"], "renamed", "the rest works: {renamed:?}");
    update(&stage.root, json!({"connectorId": connector, "configuration": postgres("db2")})).await.data();
    assert_eq!(plain(pool, &stage.world.keys, connector).await, postgres("db2"));
}

#[tokio::test]
async fn r09_a_connector_that_is_deleted_or_elsewhere_is_changed_by_nobody() {
    let stage = Stage::open().await;
    let far = stage.world.team(stage.world.env("dev").await, "far").await;
    let (hidden, _) = stage.world.source(far, "hidden").await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    for gone in [hidden, Uuid::new_v4()] {
        let refused = update(&member, json!({"connectorId": gone, "name": "x"})).await;
        assert_eq!((refused.code(), refused.field(), refused.message()), ("NOT_FOUND", Some("connectorId"), "No such connector."));
        let refused = super::delete(&member, gone, true).await;
        assert_eq!((refused.code(), refused.field(), refused.message()), ("NOT_FOUND", Some("connectorId"), "No such connector."));
        let refused = create(&member, gone, "x", "POSTGRES_SOURCE", postgres("db")).await;
        assert_eq!((refused.code(), refused.field(), refused.message()), ("NOT_FOUND", Some("teamId"), "No such team."));
    }
}
