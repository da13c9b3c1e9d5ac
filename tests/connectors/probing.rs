//! Testing connections: what works is told, what does not is told in time, and nothing is told that should not be.

use std::time::{Duration, Instant};

use pumphouse::core::network::AddressClass;
use pumphouse::embedded::{Cluster, Options};
use pumphouse::pipelines::ProbeSettings;
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::io::AsyncWriteExt as _;

use super::fake::{Broker, CERTIFICATE, Fake, encrypting_postgres, parrot};
use super::{everything, made, postgres, stored};
use crate::access::mutate;
use crate::support::{Caller, Reply, Stage, TestSettings, database};

const REPORT: &str = "succeeded supported message stage server durationMs";

/// A stage whose tests of connections have this deadline, in milliseconds.
async fn stage(deadline: u64) -> Stage {
    with(ProbeSettings { deadline: Duration::from_millis(deadline), ..ProbeSettings::default() }).await
}

async fn with(probes: ProbeSettings) -> Stage {
    Stage::open_with(TestSettings { probes, ..TestSettings::default() }).await
}

async fn try_test(caller: &Caller, stage: &Stage, kind: &str, configuration: Value) -> Reply {
    let input = json!({"teamId": stage.team, "connectorType": kind, "configuration": configuration});
    mutate(caller, "testConnectorConfiguration", REPORT, input).await
}

async fn test(stage: &Stage, kind: &str, configuration: Value) -> Value {
    let reply = try_test(&stage.root, stage, kind, configuration).await;
    assert!(!reply.0.to_string().contains("hunter2"), "{reply:?}");
    reply.data()["testConnectorConfiguration"].clone()
}

fn at(port: u16) -> Value {
    let mut configuration = postgres("127.0.0.1");
    configuration["port"] = json!(port);
    configuration
}

fn kafka(port: u16, more: &Value) -> Value {
    let mut configuration = json!({"bootstrapServers": format!("127.0.0.1:1,127.0.0.1:{port}"), "topics": ["t"]});
    configuration.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    configuration
}

fn outcome(report: &Value) -> (bool, bool, &str) {
    let word = |name: &str| report[name].as_bool().expect("a switch");
    (word("succeeded"), word("supported"), report["stage"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_postgresql_server_is_reached_and_what_it_refuses_is_told_in_its_words() {
    let (stage, database) = (stage(10_000).await, database().await);
    let options: PgConnectOptions = database.url.parse().expect("a URL");
    let mut configuration = at(options.get_port());
    configuration["host"] = json!(options.get_socket().expect("a socket"));
    configuration["database"] = json!(options.get_database());
    configuration["user"] = json!("pumphouse");
    let report = test(&stage, "POSTGRES_SOURCE", configuration.clone()).await;
    assert_eq!(outcome(&report), (true, true, "READY"), "{report}");
    assert!(report["server"].as_str().is_some_and(|server| server.starts_with("PostgreSQL 1")), "{report}");
    configuration["database"] = json!("nowhere");
    let report = test(&stage, "POSTGRES_TARGET", configuration).await;
    assert_eq!(outcome(&report), (false, true, "READY"));
    assert_eq!(report["message"], "database \"nowhere\" does not exist (3D000)");
    assert_eq!(stage.audited().await, ["test", "test"]);
}

#[tokio::test]
async fn k06_a_test_of_a_connector_takes_the_stored_secret_unless_it_would_travel() {
    let data_dir = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("scram");
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let cluster = Cluster::start(Options { data_dir: data_dir.clone(), durable: false, tcp_port: Some(port) }).await.expect("a cluster");
    let mut admin = PgConnection::connect(&cluster.url("postgres")).await.expect("connect");
    let rules = "local all pumphouse trust\nhost all old 127.0.0.1/32 md5\nhost all clear 127.0.0.1/32 password\nhost all all 127.0.0.1/32 scram-sha-256\n";
    std::fs::write(data_dir.join("postgres/pg_hba.conf"), rules).expect("the rules of entry");
    sqlx::raw_sql(
        "drop role if exists old; drop role if exists clear; drop role if exists reader; select pg_reload_conf();
         set password_encryption = 'md5'; create role old login password 'hunter2';
         set password_encryption = 'scram-sha-256'; create role clear login password 'hunter2'; create role reader login password 'hunter2'",
    )
    .execute(&mut admin)
    .await
    .expect("roles");

    let stage = stage(10_000).await;
    let mut configuration = at(port);
    configuration["database"] = json!("postgres");
    for user in ["reader", "old", "clear"] {
        configuration["user"] = json!(user);
        let report = test(&stage, "POSTGRES_SOURCE", configuration.clone()).await;
        assert_eq!(outcome(&report), (true, true, "READY"), "{user}: {report}");
    }
    let mut wrong = configuration.clone();
    (wrong["password"], wrong["user"]) = (json!("wrong"), json!("reader"));
    let report = test(&stage, "POSTGRES_SOURCE", wrong.clone()).await;
    assert_eq!(
        (outcome(&report), &report["message"]),
        ((false, true, "SIGN_IN"), &json!("password authentication failed for user \"reader\" (28P01)"))
    );

    configuration["user"] = json!("reader");
    let (connector, shown) = made(&stage, "orders", "POSTGRES_SOURCE", configuration).await;
    let saved = async |edited: Option<Value>| {
        mutate(&stage.root, "testConnector", REPORT, json!({"connectorId": connector, "configuration": edited})).await
    };
    let mut edited = shown["jsonConfiguration"].clone();
    assert_eq!(edited["password"], stored());
    edited["database"] = json!("template1");
    for configuration in [None, Some(edited.clone())] {
        let report = saved(configuration).await.data()["testConnector"].clone();
        assert_eq!(outcome(&report), (true, true, "READY"), "{report}");
    }
    assert_eq!(super::plain(&stage.world.pool, &stage.world.keys, connector).await["database"], "postgres", "nothing is saved");
    let evil = Fake::silent().await;
    edited["port"] = json!(evil.port);
    let refused = saved(Some(edited)).await;
    assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("configuration/password")));
    assert_eq!(evil.connections(), 0, "a kept password never travels");
    cluster.stop().await.expect("stopped");
}

#[tokio::test]
async fn a_connection_is_encrypted_as_the_configuration_asks() {
    let stage = stage(5_000).await;
    let (encrypting, plain) = (encrypting_postgres().await, Fake::saying(b"N").await);
    for (mode, host, expected) in [
        ("require", "localhost", (true, true, "READY")),
        ("prefer", "127.0.0.1", (true, true, "READY")),
        ("verify-ca", "localhost", (false, true, "ENCRYPT")),
        ("verify-full", "localhost", (false, true, "ENCRYPT")),
    ] {
        let mut configuration = at(encrypting.port);
        (configuration["sslMode"], configuration["host"]) = (json!(mode), json!(host));
        let report = test(&stage, "POSTGRES_SOURCE", configuration).await;
        assert_eq!(outcome(&report), expected, "{mode}: {report}");
    }
    let mut configuration = at(plain.port);
    configuration["sslMode"] = json!("require");
    let report = test(&stage, "POSTGRES_SOURCE", configuration).await;
    assert_eq!(
        (outcome(&report), &report["message"]),
        ((false, true, "ENCRYPT"), &json!("The server does not encrypt connections, and `sslMode` asks for it."))
    );
}

#[tokio::test]
async fn a_kafka_broker_is_signed_in_to_and_the_brokers_that_it_names_are_not_followed() {
    let (stage, neighbour) = (stage(5_000).await, Fake::silent().await);
    let broker = Broker { encrypts: false, plain: None, neighbour: neighbour.port };
    let plain = Broker { plain: Some(("ada", "hunter2")), ..broker };
    let sasl = |protocol: &str, password: &str| json!({"securityProtocol": protocol, "saslMechanism": "PLAIN", "saslUsername": "ada", "saslPassword": password});
    let (open, closed) = (broker.start().await, plain.start().await);
    let encrypting = Broker { encrypts: true, ..plain }.start().await;
    let report = test(&stage, "KAFKA_SOURCE", kafka(open.port, &json!({}))).await;
    assert_eq!((outcome(&report), &report["server"]), ((true, true, "READY"), &json!("Apache Kafka, 2 brokers")), "{report}");
    let report = test(&stage, "KAFKA_SOURCE", kafka(closed.port, &sasl("SASL_PLAINTEXT", "hunter2"))).await;
    assert_eq!(outcome(&report), (true, true, "READY"), "{report}");
    let report = test(&stage, "KAFKA_SOURCE", kafka(closed.port, &sasl("SASL_PLAINTEXT", "hunter2-wrong"))).await;
    assert_eq!((outcome(&report), &report["message"]), ((false, true, "SIGN_IN"), &json!("Authentication failed with  ada ***")));
    let mut encrypted = kafka(encrypting.port, &sasl("SASL_SSL", "hunter2"));
    encrypted["bootstrapServers"] = json!(format!("localhost:{}", encrypting.port));
    let report = test(&stage, "KAFKA_SOURCE", encrypted.clone()).await;
    assert_eq!(outcome(&report), (false, true, "ENCRYPT"), "nobody vouches for it: {report}");
    encrypted["sslRootCertificate"] = json!(CERTIFICATE);
    let report = test(&stage, "KAFKA_SOURCE", encrypted).await;
    assert_eq!(outcome(&report), (true, true, "READY"), "{report}");
    assert_eq!(neighbour.connections(), 0);
}

#[tokio::test]
async fn o04_an_end_comes_in_time_whatever_the_other_side_does() {
    let stage = stage(1_500).await;
    let dripping = Fake::start(|mut stream| async move {
        // A refusal whose end never comes.
        let _ = stream.write_all(b"E\0\0\x40\0M").await;
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let closing = Fake::start(|stream| async move { drop(stream) }).await;
    let (silent, web) = (Fake::silent().await, Fake::saying(b"HTTP/1.1 400 Bad Request\r\n\r\nhunter2").await);
    let endless = Fake::saying(b"R\x7f\xff\xff\xff").await;
    for (port, words) in [
        (silent.port, "There was no answer within 1 s."),
        (dripping.port, "There was no answer within 1 s."),
        (closing.port, "The other side closed the connection."),
        (web.port, "Something answers there, but does not speak the protocol of such a service."),
        (endless.port, "Something answers there, but does not speak the protocol of such a service."),
        (1, "127.0.0.1 port 1 cannot be reached: connection refused."),
    ] {
        let began = Instant::now();
        let report = test(&stage, "POSTGRES_SOURCE", at(port)).await;
        let told = report["message"].as_str().expect("a message");
        let broke = port == closing.port && told.starts_with("The connection broke");
        assert!(told == words || broke, "{words}: {report}");
        assert_eq!((report["succeeded"].as_bool(), report["supported"].as_bool()), (Some(false), Some(true)));
        assert!(began.elapsed() < Duration::from_secs(5), "{report}");
    }
    for port in [silent.port, web.port, closing.port] {
        let report = test(&stage, "KAFKA_TARGET", {
            let mut configuration = kafka(port, &json!({}));
            configuration.as_object_mut().expect("an object").remove("topics");
            configuration
        })
        .await;
        assert_eq!(report["succeeded"], false, "{report}");
    }
    // A name that leads nowhere, and an address from which nothing comes back.
    for host in ["nowhere.invalid", "192.0.2.1"] {
        let mut configuration = at(5432);
        configuration["host"] = json!(host);
        let report = test(&stage, "POSTGRES_SOURCE", configuration).await;
        assert_eq!(report["succeeded"], false, "{report}");
    }
}

#[tokio::test]
async fn o04_a_hundred_hanging_tests_slow_nobody_down_and_hold_nothing_of_the_database() {
    let stage = with(ProbeSettings { limit: 60, limit_of_user: 100, deadline: Duration::from_secs(6), ..ProbeSettings::default() }).await;
    let silent = Fake::silent().await;
    let hanging = async {
        let tests = (0..100).map(|_| try_test(&stage.root, &stage, "POSTGRES_SOURCE", at(silent.port)));
        futures_util::future::join_all(tests).await
    };
    let meanwhile = async {
        crate::support::until("the tests hang", async || silent.connections() == 60).await;
        let began = Instant::now();
        for _ in 0..50 {
            stage.root.ask("{ connectors { nodes { name } } }").await.data();
        }
        let took = began.elapsed();
        let held = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and state like 'idle in%'";
        let held: i64 = sqlx::query_scalar(held).fetch_one(&stage.world.pool).await.expect("a count");
        (took, held)
    };
    let (replies, (took, held)) = tokio::join!(hanging, meanwhile);
    assert!(took < Duration::from_secs(5), "50 queries took {took:?}");
    assert_eq!(held, 0, "transactions that were open");
    let refused = replies.iter().filter(|reply| reply.0.get("errors").is_some()).map(Reply::code).collect::<Vec<_>>();
    assert_eq!(refused, ["RATE_LIMITED"; 40]);
    let again = test(&stage, "DATAGEN_SOURCE", json!({"template": "users"})).await;
    assert_eq!(again["supported"], false, "there are turns again");
}

#[tokio::test]
async fn one_user_cannot_take_the_turns_of_all() {
    let stage = with(ProbeSettings { deadline: Duration::from_secs(6), ..ProbeSettings::default() }).await;
    let silent = Fake::silent().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    let hanging = async {
        let tests = (0..10).map(|_| try_test(&stage.root, &stage, "POSTGRES_SOURCE", at(silent.port)));
        futures_util::future::join_all(tests).await
    };
    let meanwhile = async {
        crate::support::until("the tests hang", async || silent.connections() == 4).await;
        try_test(&ada, &stage, "DATAGEN_SOURCE", json!({"template": "users"})).await.data();
    };
    let (replies, ()) = tokio::join!(hanging, meanwhile);
    let refused = replies.iter().filter(|reply| reply.0.get("errors").is_some()).map(Reply::code).collect::<Vec<_>>();
    assert_eq!(refused, ["RATE_LIMITED"; 6]);
    try_test(&stage.root, &stage, "DATAGEN_SOURCE", json!({"template": "users"})).await.data();
}

#[tokio::test]
async fn an_address_that_the_settings_forbid_is_not_connected_to_by_any_name() {
    let stage = with(ProbeSettings { forbidden: AddressClass::ALL.to_vec(), ..ProbeSettings::default() }).await;
    let here = Fake::silent().await;
    for host in
        ["127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "::ffff:7f00:1", "10.0.0.1", "169.254.169.254"]
    {
        let mut configuration = at(here.port);
        configuration["host"] = json!(host);
        let report = test(&stage, "POSTGRES_SOURCE", configuration).await;
        assert_eq!(outcome(&report), (false, true, "ADDRESS"), "{host}: {report}");
        let mut configuration = kafka(here.port, &json!({}));
        configuration["bootstrapServers"] = json!(format!("{host}:{}", here.port));
        let report = test(&stage, "KAFKA_SOURCE", configuration).await;
        assert_eq!(outcome(&report), (false, true, "ADDRESS"), "{host}: {report}");
    }
    let mut socket = at(5432);
    socket["host"] = json!("/tmp");
    let report = test(&stage, "POSTGRES_SOURCE", socket).await;
    assert_eq!((report["supported"].as_bool(), here.connections()), (Some(false), 0), "{report}");
}

#[tokio::test]
async fn what_cannot_be_tested_from_here_says_so_and_a_secret_is_not_repeated() {
    let stage = stage(5_000).await;
    let parrot = parrot().await;
    let report = test(&stage, "POSTGRES_SOURCE", at(parrot.port)).await;
    assert_eq!(report["message"], "no entry with *** ! (28P01)");
    let mut reference = at(parrot.port);
    reference["password"] = json!({"$secret": "env:PUMPHOUSE_SECRET_X"});
    let report = test(&stage, "POSTGRES_SOURCE", reference).await;
    assert_eq!(outcome(&report), (false, false, "SIGN_IN"), "{report}");
    assert!(report["message"].as_str().is_some_and(|words| words.contains("where the worker runs")), "{report}");
    let report =
        test(&stage, "SNOWFLAKE_TARGET", json!({"account": "a", "database": "d", "warehouse": "w", "user": "u", "password": "hunter2"}))
            .await;
    assert_eq!((report["supported"].as_bool(), &report["stage"]), (Some(false), &Value::Null));
    assert!(report["message"].as_str().is_some_and(|words| words.contains("not supported here")), "{report}");

    let before = everything(&stage.world.pool).await;
    let refused = try_test(&stage.root, &stage, "POSTGRES_SOURCE", json!({"host": "db"})).await;
    assert_eq!(super::violations(&refused), ["configuration/database", "configuration/user"]);
    let key = json!({
        "query": format!("mutation {{ testConnector(input: {{connectorId: \"{}\"}}) {{ succeeded }} }}", stage.connector),
        "extensions": {"idempotencyKey": "k"},
    });
    let sent =
        reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(stage.root.token.as_deref().expect("a token")).json(&key);
    let reply = Reply(sent.send().await.expect("an answer").json().await.expect("JSON"));
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("idempotencyKey")));
    assert_eq!(everything(&stage.world.pool).await, before);
}
