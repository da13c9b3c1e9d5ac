//! Making, changing and deleting envs.

use serde_json::{Value, json};
use uuid::Uuid;

use super::organisation::{Organisation, bad_names, mutate};
use crate::support::{Caller, Reply, id};

const ENV: &str = "env { id name configHash updatedAt retentionConfiguration }";
const CONFIGURATION: &str = "select retention_configuration from env where id = $1";

async fn create(caller: &Caller, input: Value) -> Reply {
    mutate(caller, "createEnv", ENV, input).await
}

async fn update(caller: &Caller, input: Value) -> Reply {
    mutate(caller, "updateEnv", ENV, input).await
}

async fn delete(caller: &Caller, env: Uuid) -> Reply {
    mutate(caller, "deleteEnv", "env { id name }", json!({"envId": env})).await
}

/// The configuration as only the server can read it.
async fn plain(org: &Organisation, env: Uuid) -> Value {
    let sealed = org.value(CONFIGURATION, env).await;
    let keys = &org.world.keys;
    serde_json::from_str(keys.open(env, &sealed.to_string()).expect("it opens for its env").reveal()).expect("JSON")
}

#[tokio::test]
async fn a_superuser_makes_an_env_whose_configuration_is_sealed_and_shown_without_secrets() {
    let org = Organisation::open().await;
    let sent = json!({"saslPassword": "hunter2", "bootstrapServers": "kafka:9092", "hours": 24.0});
    let env = create(&org.root, json!({"name": " east ", "retentionConfiguration": sent})).await.data()["createEnv"]["env"].clone();
    assert_eq!(env["name"], "east");
    assert_eq!(
        env["retentionConfiguration"],
        json!({"saslPassword": {"$secret": "stored"}, "bootstrapServers": "kafka:9092", "hours": 24.0})
    );
    // `printf '{"bootstrapServers":"kafka:9092","hours":24,"saslPassword":"hunter2"}' | sha256sum`
    assert_eq!(env["configHash"], "ef003df7d9a4b3d07499b2166493ca9c5ef0fbc534a91ba18ae65364d1b52fe1");
    let east = id(&env["id"]);
    assert!(!org.value(CONFIGURATION, east).await.to_string().contains("hunter2"));
    assert_eq!(plain(&org, east).await, sent);
    assert_eq!(org.log().await, [json!(["create", "Env", "east", false, true, ["name", "retentionConfiguration"]])]);
    let bare = create(&org.root, json!({"name": "bare"})).await.data();
    assert_eq!(bare["createEnv"]["env"]["retentionConfiguration"], json!({}));
}

#[tokio::test]
async fn k05_a_configuration_that_is_sent_back_as_it_was_shown_keeps_its_secrets_and_writes_nothing() {
    let org = Organisation::open().await;
    let secret = json!({"bootstrapServers": "kafka:9092", "saslPassword": "hunter2", "registry": "https://u:pw@registry/x", "hours": 24});
    let env = create(&org.root, json!({"name": "east", "retentionConfiguration": secret})).await.data()["createEnv"]["env"].clone();
    let east = id(&env["id"]);
    let admin = org.member("admin@example.com", "admin", &[east]).await;
    let same = update(&admin, json!({"envId": east, "name": "east", "retentionConfiguration": env["retentionConfiguration"]})).await.data();
    assert_eq!(same["updateEnv"]["env"], env);
    assert_eq!(org.log().await.len(), 1, "nothing was changed");

    let mut edited = env["retentionConfiguration"].clone();
    edited["hours"] = json!(48);
    let changed = update(&admin, json!({"envId": east, "retentionConfiguration": edited})).await.data();
    assert_ne!(changed["updateEnv"]["env"]["configHash"], env["configHash"]);
    assert_eq!(plain(&org, east).await["saslPassword"], "hunter2");
    assert_eq!(plain(&org, east).await["registry"], "https://u:pw@registry/x");
    assert_eq!(org.log().await[1], json!(["update", "Env", "east", false, true, ["configHash", "retentionConfiguration"]]));

    edited["saslPassword"] = json!("***");
    update(&admin, json!({"envId": east, "retentionConfiguration": edited})).await.data();
    assert_eq!(plain(&org, east).await["saslPassword"], "***", "any text is a new value");
}

#[tokio::test]
async fn a_kept_secret_never_travels_to_a_new_host_and_is_never_made_up() {
    let org = Organisation::open().await;
    let secret = json!({"bootstrapServers": "kafka:9092", "saslPassword": "hunter2"});
    let env = create(&org.root, json!({"name": "east", "retentionConfiguration": secret})).await.data()["createEnv"]["env"]["id"].clone();
    let before = org.everything().await;
    let stored = json!({"$secret": "stored"});
    for (sent, field) in [
        (json!({"bootstrapServers": "evil:9092", "saslPassword": stored}), "retentionConfiguration/saslPassword"),
        (json!({"bootstrapServers": "kafka:9092", "other": stored}), "retentionConfiguration/other"),
        (json!({"saslPassword": {"$secret": "hunter2"}}), "retentionConfiguration/saslPassword"),
        (json!(["a list"]), "retentionConfiguration"),
    ] {
        let refused = update(&org.root, json!({"envId": env, "retentionConfiguration": sent})).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some(field)));
        assert!(!refused.0.to_string().contains("hunter2"));
    }
    let refused = create(&org.root, json!({"name": "new", "retentionConfiguration": {"password": stored}})).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("retentionConfiguration/password")));
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn a_kept_secret_is_neither_shown_by_another_name_beside_it_nor_led_elsewhere_from_below_a_secrets_name() {
    let org = Organisation::open().await;
    let stored = json!({"$secret": "stored"});
    for (kept, sent, place) in [
        (
            json!({"setting": {"name": "password", "value": "hunter2"}}),
            json!({"setting": {"name": "user", "value": stored}}),
            "/setting/value",
        ),
        (
            json!({"setting": {"name": "password", "value": {"a": "hunter2"}}}),
            json!({"setting": {"name": "user", "value": {"a": stored}}}),
            "/setting/value/a",
        ),
        (
            json!({"credentials": {"url": "https://good", "password": "hunter2"}}),
            json!({"credentials": {"url": "https://evil", "password": stored}}),
            "/credentials/password",
        ),
        (
            json!({"connectionString": "Server=good;Pwd=x", "password": "hunter2"}),
            json!({"connectionString": "Server=evil;Pwd=x", "password": stored}),
            "/password",
        ),
    ] {
        let env = create(&org.root, json!({"name": place.replace('/', "-"), "retentionConfiguration": kept})).await.data();
        let env = env["createEnv"]["env"]["id"].clone();
        let refused = update(&org.root, json!({"envId": env, "retentionConfiguration": sent})).await;
        let field = format!("retentionConfiguration{place}");
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some(field.as_str())), "{}", refused.0);
        assert!(!refused.0.to_string().contains("hunter2"));
        assert_eq!(plain(&org, id(&env)).await, kept);
    }
}

#[tokio::test]
async fn all_below_the_name_of_a_secret_and_every_form_of_a_setting_in_a_text_is_hidden_and_comes_back_whole() {
    let org = Organisation::open().await;
    let sent = json!({
        "auth": {"type": "hunter2"}, "headers": [["Authorization", "hunter2"]], "command": ["psql", "--password", "hunter2"],
        "list": [{"headerName": "X-Auth", "headerValue": "hunter2"}],
        "texts": [
            "password: hunter2", "password:hunter2", "password = hunter2", "password => hunter2", "a: b\npassword: |\n  hunter2",
            "{'password':'hunter2'}", "x {\"password\":\"hunter2\"}", "<password>hunter2</password>", "X-Api-Key:hunter2",
            "Authorization: Digest response=\"hunter2\"", "Cookie: a=b; sid=hunter2", "(user=u)(password=hunter2)", "scott/hunter2@h:1521/x",
            "https://h/?to=https%3A%2F%2Fu%3Ahunter2%40h2%2F", "password=a b hunter2", "password=a&hunter2",
        ],
    });
    let env = create(&org.root, json!({"name": "east", "retentionConfiguration": sent})).await.data()["createEnv"]["env"].clone();
    assert!(!env.to_string().contains("hunter2"), "{env}");
    let mut edited = env["retentionConfiguration"].clone();
    edited["hours"] = json!(1);
    update(&org.root, json!({"envId": env["id"], "retentionConfiguration": edited})).await.data();
    let mut whole = sent;
    whole["hours"] = json!(1);
    assert_eq!(plain(&org, id(&env["id"])).await, whole);
}

#[tokio::test]
async fn a_configuration_that_no_key_opens_can_be_replaced_whole_and_kept_by_nobody() {
    let org = Organisation::open().await;
    sqlx::query("update env set retention_configuration = (select retention_configuration from env where id = $2) where id = $1")
        .bind(org.north)
        .bind(org.south)
        .execute(org.pool())
        .await
        .expect("a copy from another env");
    let keep = update(&org.root, json!({"envId": org.north, "retentionConfiguration": {"password": {"$secret": "stored"}}})).await;
    assert_eq!(keep.code(), "INTERNAL");
    assert!(keep.message().contains("encryption keys"));
    update(&org.root, json!({"envId": org.north, "retentionConfiguration": {"password": "new"}})).await.data();
    assert_eq!(plain(&org, org.north).await, json!({"password": "new"}));
}

#[tokio::test]
async fn what_one_may_not_do_to_an_env_is_refused_and_changes_nothing() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    let admin = org.member("admin@example.com", "admin", &[org.north]).await;
    let member = org.member("member@example.com", "member", &[org.north]).await;
    let insider = org.team_member("insider@example.com", team, true).await;
    let stranger = org.member("stranger@example.com", "admin", &[org.south]).await;
    let before = org.everything().await;
    for caller in [&admin, &member, &insider, &stranger] {
        assert_eq!(create(caller, json!({"name": "east"})).await.code(), "FORBIDDEN");
        let (present, missing) = (delete(caller, org.north).await, delete(caller, Uuid::new_v4()).await);
        assert_eq!((present.code(), present.message()), ("FORBIDDEN", missing.message()));
    }
    for caller in [&member, &insider] {
        assert_eq!(update(caller, json!({"envId": org.north, "name": "x"})).await.code(), "FORBIDDEN");
    }
    let hidden = update(&stranger, json!({"envId": org.north, "name": "x"})).await;
    let missing = update(&stranger, json!({"envId": Uuid::new_v4(), "name": "x"})).await;
    assert_eq!((hidden.code(), hidden.field(), hidden.message()), ("NOT_FOUND", Some("envId"), missing.message()));
    assert_eq!(create(&org.server.nobody(), json!({"name": "east"})).await.code(), "UNAUTHENTICATED");
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn m14_the_rule_for_names_of_envs_is_one_on_create_and_update() {
    let org = Organisation::open().await;
    for name in bad_names() {
        for refused in [create(&org.root, json!({"name": name})).await, update(&org.root, json!({"envId": org.north, "name": name})).await]
        {
            assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("name")), "{name:?}");
        }
    }
    // `e` with a combining accent is the letter with the accent; 100 characters are 100, whatever they weigh.
    let long = "\u{1F6B0}".repeat(100);
    for (sent, kept) in [(" Cafe\u{301} ", "Caf\u{e9}"), (long.as_str(), long.as_str())] {
        assert_eq!(create(&org.root, json!({"name": sent})).await.data()["createEnv"]["env"]["name"], kept);
        assert_eq!(update(&org.root, json!({"envId": org.north, "name": sent})).await.data()["updateEnv"]["env"]["name"], kept);
    }
}

#[tokio::test]
async fn i06_two_who_change_an_env_at_once_do_not_overwrite_each_other() {
    let org = Organisation::open().await;
    let read = org.root.ask(&format!("{{ env(id: \"{}\") {{ updatedAt }} }}", org.north)).await.data()["env"]["updatedAt"].clone();
    let first = update(&org.root, json!({"envId": org.north, "name": "one", "updatedAt": read})).await.data();
    let second = update(&org.root, json!({"envId": org.north, "name": "two", "updatedAt": read})).await;
    assert_eq!((second.code(), second.field()), ("CONFLICT", Some("updatedAt")));
    assert_eq!(second.0["errors"][0]["extensions"]["details"]["updatedAt"], first["updateEnv"]["env"]["updatedAt"]);
}

#[tokio::test]
async fn m12_an_env_is_deleted_once_its_teams_own_nothing_and_they_stay() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    let admin = org.member("admin@example.com", "admin", &[org.north]).await;
    for index in 0..21 {
        org.world.source(team, &format!("source {index:02}")).await;
    }
    let refused = delete(&org.root, org.north).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("envId")));
    let details = &refused.0["errors"][0]["extensions"]["details"];
    let names: Vec<String> = (0..20).map(|index| format!("source {index:02}")).collect();
    assert_eq!(*details, json!({"connectors": {"count": 21, "names": names}, "pipelines": {"count": 0, "names": []}}));
    sqlx::raw_sql("delete from worker; delete from connector").execute(org.pool()).await.expect("nothing is left");

    assert_eq!(delete(&org.root, org.north).await.data()["deleteEnv"]["env"]["name"], "north");
    assert_eq!(org.value("select to_jsonb(t) from team t where id = $1", team).await["env_id"], Value::Null);
    assert_eq!(admin.ask("{ envs { totalCount } }").await.data()["envs"]["totalCount"], 0);
    assert_eq!(org.log().await, [json!(["delete", "Env", "north", false, true, []])]);
    create(&org.root, json!({"name": "north"})).await.data();
}
