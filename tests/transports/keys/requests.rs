//! Which requests are the same, which keys are keys, and that one key has one effect.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::{WAYS, Way, by, kept, pause, restart, restarts, send, until_somebody_waits};
use crate::support::{Server, Stage, TestSettings, database, settings};

#[tokio::test]
async fn i01_fifty_requests_at_once_of_one_key_have_one_effect_and_one_answer_and_keep_nobody_waiting() {
    let database = database().await;
    let mut settings = settings(&database.url, &TestSettings::default());
    settings.db.pool_size = 3;
    let stage = Stage::on(Server::with(database, settings).await).await;
    let document = restart(&stage);
    let mut lock = stage.world.pool.begin().await.expect("a transaction");
    sqlx::query("select 1 from worker where id = $1 for update").bind(stage.worker).execute(&mut *lock).await.expect("a lock");
    let all = async {
        let requests = (0..50).map(|number| by(WAYS[number % 4], &stage, &stage.root, "k", json!({"query": document})));
        futures_util::future::join_all(requests).await
    };
    let others = async {
        until_somebody_waits(&stage).await;
        for _ in 0..20 {
            let asked = tokio::time::timeout(Duration::from_secs(2), stage.root.ask("{ envs { totalCount } }"));
            asked.await.expect("who waits for a key holds no connection").data();
        }
        assert_eq!(restarts(&stage).await, 0);
        lock.commit().await.expect("the lock ends");
    };
    let (answers, ()) = tokio::join!(all, others);
    let texts: BTreeSet<String> = answers.iter().map(|answer| answer.text.clone()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(answers[0].reply().data()["restartWorker"]["worker"]["state"], "BUILDING");
    assert_eq!((restarts(&stage).await, kept(&stage).await), (1, 1));
    assert_eq!(stage.transitions().await.last().map(String::as_str), Some("BUILDING"));
}

#[tokio::test]
async fn an_answer_is_given_again_on_every_way_byte_for_byte() {
    let stage = Stage::open().await;
    for first in WAYS {
        let key = format!("{first:?}");
        pause(&stage).await;
        let answer = by(first, &stage, &stage.root, &key, json!({"query": restart(&stage)})).await;
        for again in WAYS {
            let replayed = by(again, &stage, &stage.root, &key, json!({"query": restart(&stage)})).await;
            assert_eq!(replayed, answer, "{first:?} then {again:?}");
        }
    }
    assert_eq!(restarts(&stage).await, WAYS.len());
}

#[tokio::test]
async fn i02_a_key_used_for_another_request_is_a_422_and_what_means_the_same_is_the_same() {
    let stage = Stage::open().await;
    let document = "mutation A($i: RestartWorkerInput!) { restartWorker(input: $i) { worker { id state } } }";
    let request = |query: &str, variables: Value| json!({"query": query, "variables": variables});
    let variables = json!({"i": {"workerId": stage.worker}, "a": 1, "b": {"x": 1, "y": [1, 2]}});
    let first = by(Way::Header, &stage, &stage.root, "k", request(document, variables.clone())).await;
    first.reply().data();
    let reordered = json!({"b": {"y": [1, 2], "x": 1}, "a": 1, "i": {"workerId": stage.worker}});
    let spaced = "#a remark\nmutation  A ( $i :RestartWorkerInput! ,) {\r\n\trestartWorker(input:$i){worker{id,state}}}";
    for same in [request(document, reordered.clone()), request(spaced, reordered)] {
        assert_eq!(by(Way::Header, &stage, &stage.root, "k", same).await, first);
    }
    let mut with_name = request(document, variables.clone());
    with_name["operationName"] = json!("A");
    let others = [
        request(&document.replace("id state", "idstate: id state"), variables.clone()),
        request(&document.replace("id state", "state id"), variables.clone()),
        request(document, json!({"i": {"workerId": stage.worker}, "a": 2, "b": {"x": 1, "y": [1, 2]}})),
        request(document, json!({"i": {"workerId": stage.worker}, "a": 1, "b": {"x": 1, "y": [2, 1]}})),
        request(document, json!({"i": {"workerId": stage.worker}, "a": 1, "b": {"x": 1, "y": [1, 2]}, "c": null})),
        request(&document.replace("Input!)", "Input!, $c: Boolean = true)").replace("id state", "id state @include(if: $c)"), variables),
        with_name,
    ];
    for other in others {
        for way in WAYS {
            let refused = by(way, &stage, &stage.root, "k", other.clone()).await;
            assert_eq!(refused.reply().code(), "IDEMPOTENCY_KEY_REUSED", "{way:?} {other}");
            assert!(way == Way::Socket || way == Way::Events || refused.status == 422, "{refused:?}");
        }
    }
    // The same key for another mutation is another key.
    let stop = format!("mutation {{ stopWorker(input: {{workerId: \"{}\"}}) {{ worker {{ state }} }} }}", stage.worker);
    assert_eq!(send(&stage, &stage.root, "k", &stop).await.reply().data()["stopWorker"]["worker"]["state"], "STOPPING");
    assert_eq!(restarts(&stage).await, 1);
}

#[tokio::test]
async fn i05_a_key_has_1_to_200_characters_and_an_expired_one_is_new() {
    let stage = Stage::open().await;
    let request = || json!({"query": restart(&stage)});
    let refused = |key: Value| {
        let request = json!({"query": restart(&stage), "extensions": {"idempotencyKey": key}});
        let sent = reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(stage.root.token.clone().unwrap()).json(&request);
        async move {
            let reply = crate::support::Reply(sent.send().await.unwrap().json().await.unwrap());
            assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("idempotencyKey")), "{request}");
        }
    };
    for key in [json!(""), json!("k".repeat(201)), json!("é".repeat(201)), json!(7), json!({}), json!("a\u{0}b"), json!("a\nb")] {
        refused(key).await;
    }
    for (way, key) in [(Way::Header, ""), (Way::Header, "k2"), (Way::Header, "é")] {
        let key = if key == "k2" { "k".repeat(201) } else { key.to_owned() };
        let answer = by(way, &stage, &stage.root, &key, request()).await;
        assert_eq!((answer.status, answer.reply().field()), (400, Some("idempotencyKey")), "{key}");
    }
    assert_eq!(restarts(&stage).await, 0);
    by(Way::Header, &stage, &stage.root, &"k".repeat(200), request()).await.reply().data();
    let first = by(Way::Extension, &stage, &stage.root, &"é".repeat(200), request()).await;
    assert_eq!(by(Way::Socket, &stage, &stage.root, &"é".repeat(200), request()).await.text, first.text);
    assert_eq!((restarts(&stage).await, kept(&stage).await), (2, 2));

    let kept_for: bool = sqlx::query_scalar("select bool_and(expires_at - created_at = interval '24 h') from idempotency_record")
        .fetch_one(&stage.world.pool)
        .await
        .expect("times");
    assert!(kept_for);
    stage.write("update idempotency_record set expires_at = now() where $1::uuid is not null").await;
    pause(&stage).await;
    let anew = by(Way::Extension, &stage, &stage.root, &"é".repeat(200), request()).await;
    anew.reply().data();
    assert_eq!((restarts(&stage).await, kept(&stage).await), (3, 2));
}

#[tokio::test]
async fn two_keys_that_differ_are_refused() {
    let stage = Stage::open().await;
    let ask = |extension: &str| {
        let body = json!({"query": restart(&stage), "extensions": {"idempotencyKey": extension}});
        let sent = reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(stage.root.token.clone().unwrap());
        sent.header("idempotency-key", "a").json(&body).send()
    };
    assert_eq!(ask("b").await.unwrap().status(), 400);
    assert_eq!(restarts(&stage).await, 0);
    assert_eq!(ask("a").await.unwrap().status(), 200);
    assert_eq!(restarts(&stage).await, 1);
}

#[tokio::test]
async fn a_key_goes_with_one_mutation_written_as_a_field_whose_answer_holds_no_secret() {
    let stage = Stage::open().await;
    let one = format!("restartWorker(input: {{workerId: \"{}\"}}) {{ worker {{ id }} }}", stage.worker);
    let login = "login(input: {email: \"root@example.com\", password: \"x\"}) { accessToken }";
    let documents = [
        format!("mutation {{ a: {one} b: {one} }}"),
        format!("mutation {{ ...F }} fragment F on Mutation {{ {one} }}"),
        format!("mutation {{ ... on Mutation {{ {one} }} }}"),
        format!("mutation {{ {one} __typename }}"),
        "{ envs { totalCount } }".to_owned(),
        "{ __typename }".to_owned(),
        "subscription { workerChanged { initial } }".to_owned(),
        format!("mutation {{ {login} }}"),
        format!("mutation {{ envs: {login} }}"),
    ];
    for document in documents {
        for way in WAYS {
            if way == Way::Extension || way == Way::Header && document.starts_with("subscription") {
                continue;
            }
            let reply = by(way, &stage, &stage.root, "k", json!({"query": document})).await.reply();
            assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("idempotencyKey")), "{way:?} {document}");
        }
    }
    assert_eq!((stage.audited().await.len(), kept(&stage).await), (0, 0));
    let nobody = send(&stage, &stage.server.nobody(), "k", &format!("mutation {{ {one} }}")).await;
    assert_eq!(nobody.reply().code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn what_the_mutation_changed_is_seen_by_all_of_its_selection() {
    let stage = Stage::open().await;
    let document = format!(
        "mutation {{ startSync(input: {{connectorId: \"{}\", tables: [{{name: \"a\"}}, {{name: \"b\"}}]}}) {{ syncRun {{ status
            syncTables {{ totalCount nodes {{ tableName syncRun {{ status }} }} }}
            connector {{ worker {{ state transitions(first: 5) {{ totalCount }} }} team {{ name }} }} }} }} }}",
        stage.connector
    );
    let plain = document.replace(" transitions(first: 5) { totalCount }", "");
    let run = send(&stage, &stage.root, "k", &plain).await.reply().data()["startSync"]["syncRun"].clone();
    assert_eq!(run["syncTables"]["totalCount"], 2);
    assert_eq!(run["syncTables"]["nodes"][1], json!({"tableName": "b", "syncRun": {"status": "SYNCING"}}));
    assert_eq!(run["connector"], json!({"worker": {"state": "BUILDING"}, "team": {"name": "core"}}));
}
