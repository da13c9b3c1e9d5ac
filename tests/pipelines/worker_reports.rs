//! What workers are answered: refusals in one word, all that is to be done, and what is kept of what they say.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::Stage;

const REPORT: &str = "mutation($i: ReportWorkerInput!) { reportWorker(input: $i) { accepted refusal directive
    instruction { directive tables { tableName } } worker { state reason clockSkewSeconds health } } }";
const PROGRESS: &str = "mutation($i: ReportSyncProgressInput!) { reportSyncProgress(input: $i) { accepted refusal directive
    instruction { directive tables { tableName } } } }";

/// A report of the worker with further fields.
async fn report(stage: &Stage, generation: Uuid, state: &str, more: Value) -> Value {
    let mut input = json!({"workerId": stage.worker, "launchGeneration": generation, "state": state});
    input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    stage.server.worker(stage.worker, generation).ask_with(REPORT, json!({"i": input})).await.data()["reportWorker"].clone()
}

async fn progress(stage: &Stage, generation: Uuid, table: Uuid, rows: i64) -> Value {
    let input = json!({"workerId": stage.worker, "launchGeneration": generation, "tables": [{"syncTableId": table, "rowsIngested": rows}]});
    stage.server.worker(stage.worker, generation).ask_with(PROGRESS, json!({"i": input})).await.data()["reportSyncProgress"].clone()
}

/// Accepted, why not, the word, and all of it.
fn answer(of: &Value) -> Value {
    let tables: Vec<&Value> = of["instruction"]["tables"].as_array().expect("tables").iter().map(|table| &table["tableName"]).collect();
    json!([of["accepted"], of["refusal"], of["directive"], of["instruction"]["directive"], tables])
}

#[tokio::test]
async fn every_answer_says_all_that_is_to_be_done_and_every_refusal_its_one_word() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    assert_eq!(answer(&report(&stage, generation, "BUILDING", json!({})).await), json!([true, null, "RUN", "RUN", []]));
    let run = stage.sync(&[("a", Some(1)), ("b", Some(1))]).await;
    let table = stage.tables(run).await[0];
    report(&stage, generation, "LIVE", json!({})).await;
    stage.begun(run, 1).await;
    let reading = json!([true, null, "RUN", "SNAPSHOT", ["a", "b"]]);
    assert_eq!(answer(&report(&stage, generation, "LIVE", json!({})).await), reading);
    assert_eq!(answer(&progress(&stage, generation, table, 1).await), reading);

    stage.stop().await;
    assert_eq!(answer(&report(&stage, generation, "LIVE", json!({})).await), json!([false, "STOPPING", "STOP", "STOP", []]));
    // What a worker that finishes has still read is taken.
    assert_eq!(answer(&progress(&stage, generation, table, 2).await), json!([true, null, "STOP", "STOP", []]));
    assert_eq!(answer(&report(&stage, generation, "PAUSED", json!({})).await), json!([true, null, "EXIT", "EXIT", []]));
    let paused = json!([false, "PAUSED", "EXIT", "EXIT", []]);
    assert_eq!(answer(&report(&stage, generation, "LIVE", json!({})).await), paused);
    assert_eq!(answer(&progress(&stage, generation, table, 3).await), paused);

    stage.start().await;
    let superseded = json!([false, "SUPERSEDED", "EXIT", "EXIT", []]);
    for state in ["BUILDING", "LIVE", "PAUSED", "ERROR", "STOPPING"] {
        assert_eq!(answer(&report(&stage, generation, state, json!({})).await), superseded);
    }
    assert_eq!(answer(&progress(&stage, generation, table, 4).await), superseded);
    let boot = reqwest::Client::new().post(stage.server.url("/worker/bootstrap"));
    let token = stage.server.worker(stage.worker, generation).token.expect("a token");
    let boot: Value = boot.bearer_auth(token).send().await.expect("an answer").json().await.expect("JSON");
    let extensions = &boot["errors"][0]["extensions"];
    assert_eq!(json!([extensions["code"], extensions["details"]]), json!(["CONFLICT", {"refusal": "SUPERSEDED", "directive": "EXIT"}]));

    stage.write("delete from worker where id = $1").await;
    let gone = json!([false, "GONE", "EXIT", "EXIT", []]);
    assert_eq!(answer(&report(&stage, generation, "LIVE", json!({})).await), gone);
    assert_eq!(answer(&progress(&stage, generation, table, 5).await), gone);
}

#[tokio::test]
async fn an_error_is_taken_whatever_the_length_and_the_letters_of_its_reason() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let kept = async |reason: &str| report(&stage, generation, "ERROR", json!({"reason": reason})).await["worker"]["reason"].clone();
    assert_eq!(kept("x\u{0}y").await, "x\u{fffd}y");
    let full = "é".repeat(10_000);
    assert_eq!(kept(&full).await, json!(full));
    let cut = kept(&"é".repeat(300_000)).await;
    assert_eq!(cut, json!("é".repeat(9_999) + "…"));
    assert_eq!(stage.worker_now().await["state"], "ERROR");
}

/// T06: the clocks of workers are shown and never gone by.
#[tokio::test]
async fn t06_a_clock_that_is_off_is_reported_and_not_punished() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    let skew = async || {
        let query = format!("{{ worker(id: \"{}\") {{ clockSkewSeconds }} }}", stage.worker);
        stage.root.ask(&query).await.data()["worker"]["clockSkewSeconds"].clone()
    };
    assert_eq!(skew().await, Value::Null);
    for minutes in [10_i64, -10] {
        let sent = chrono::Utc::now() + chrono::Duration::minutes(minutes);
        let told = report(&stage, generation, "LIVE", json!({"sentAt": sent.to_rfc3339()})).await;
        assert_eq!(json!([told["accepted"], told["directive"], told["worker"]["health"]]), json!([true, "RUN", "HEALTHY"]));
        let skew = told["worker"]["clockSkewSeconds"].as_f64().expect("a skew");
        #[expect(clippy::cast_precision_loss, reason = "ten minutes")]
        let off = skew - (minutes * 60) as f64;
        assert!((-20.0..=0.1).contains(&off), "{skew}");
        // The heartbeat is by the server's clock.
        let since = "select abs(extract(epoch from clock_timestamp() - last_heartbeat_at))::float8 < 20 from worker where id = $1";
        assert!(sqlx::query_scalar::<_, bool>(since).bind(stage.worker).fetch_one(&stage.world.pool).await.expect("a heartbeat"));
    }
    // Reports without a clock keep what was known; the next launch knows nothing.
    report(&stage, generation, "LIVE", json!({})).await;
    assert!(skew().await.is_number());
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    report(&stage, generation, "PAUSED", json!({"sentAt": "0001-01-01T00:00:00Z"})).await;
    assert_eq!(skew().await, Value::Null);
    // The wildest clock that can be written is only shown.
    let next = stage.generation().await;
    for wild in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
        assert_eq!(report(&stage, next, "LIVE", json!({"sentAt": wild})).await["accepted"], true);
        assert!(skew().await.as_f64().expect("a skew").abs() > 1e9);
    }
}

#[tokio::test]
async fn the_transitions_of_a_worker_are_listed_and_forgotten_after_thirty_days() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    stage.report(generation, "ERROR", Some("no route")).await;
    stage.report(generation, "ERROR", Some("no route to host")).await;
    let reader = stage.server.user("reader@example.com", false).await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let query = format!(
        "{{ worker(id: \"{}\") {{ transitions(first: 3) {{ totalCount nodes {{ fromState toState reason launchGeneration }} pageInfo {{ hasNextPage }} }} }} }}",
        stage.worker
    );
    let shown = |generation: Value| {
        json!({"totalCount": 5, "pageInfo": {"hasNextPage": true}, "nodes": [
            {"fromState": "ERROR", "toState": "ERROR", "reason": "no route to host", "launchGeneration": generation},
            {"fromState": "LIVE", "toState": "ERROR", "reason": "no route", "launchGeneration": generation},
            {"fromState": "BUILDING", "toState": "LIVE", "reason": null, "launchGeneration": generation},
        ]})
    };
    assert_eq!(stage.root.ask(&query).await.data()["worker"]["transitions"], shown(json!(generation)));
    assert_eq!(reader.ask(&query).await.data()["worker"]["transitions"], shown(Value::Null));

    stage.write("update pumphouse.worker_transition set at = at - interval '30 days' - interval '1 minute' where worker_id = $1 and to_state <> 'ERROR'").await;
    let server = crate::support::Server::on(stage.server.database.again().await, &crate::support::TestSettings::default()).await;
    stage.server.service.stop().await;
    // The next leader forgets at once.
    let left = "select count(*) from pumphouse.worker_transition where worker_id = $1";
    let end = tokio::time::Instant::now() + crate::support::PATIENCE;
    while sqlx::query_scalar::<_, i64>(left).bind(stage.worker).fetch_one(&stage.world.pool).await.expect("a count") != 2 {
        assert!(tokio::time::Instant::now() < end, "old transitions stay");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    server.service.stop().await;
}

/// L10: the numbers say what the query says, and nothing of a state that has passed.
#[tokio::test]
async fn l10_metrics_and_query_agree_in_every_state() {
    let stage = Stage::open().await;
    let agree = async |expected: &str| {
        let text = reqwest::get(stage.server.url("/metrics")).await.expect("an answer").text().await.expect("text");
        let now = stage.worker_now().await;
        assert_eq!(now["state"], expected);
        let series: Vec<&str> = text.lines().filter(|line| line.starts_with("pumphouse_workers{")).collect();
        let expected = format!("pumphouse_workers{{state=\"{expected}\",health=\"{}\"}} 1", now["health"].as_str().expect("a health"));
        assert_eq!(series, [expected]);
    };
    agree("PAUSED").await;
    let generation = stage.start().await;
    agree("BUILDING").await;
    for state in ["LIVE", "ERROR", "LIVE"] {
        stage.report(generation, state, None).await;
        agree(state).await;
    }
    stage.stop().await;
    agree("STOPPING").await;
    stage.report(generation, "PAUSED", None).await;
    agree("PAUSED").await;
}

/// W06: whatever else is changed meanwhile, a worker is told to end by a stop or a new generation alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w06_heartbeats_among_edits_renames_and_moves_are_told_to_run() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    let (other, another) = (stage.world.team(stage.env, "other").await, stage.world.env("elsewhere").await);
    let beats = async {
        for _ in 0..60 {
            let told = report(&stage, generation, "LIVE", json!({})).await;
            assert_eq!(answer(&told), json!([true, null, "RUN", "RUN", []]));
        }
    };
    let edits = async {
        for round in 0..10 {
            let sealed = stage.world.keys.seal(stage.connector, &format!("{{\"host\": \"h{round}.example.org\"}}")).expect("sealed");
            sqlx::query("update connector set json_configuration = $2::json, name = $3, team_id = $4 where id = $1")
                .bind(stage.connector)
                .bind(sealed)
                .bind(format!("shop {round}"))
                .bind(if round % 2 == 0 { other } else { stage.team })
                .execute(&stage.world.pool)
                .await
                .expect("an edit");
            let moved = format!(
                "mutation {{ moveTeam(input: {{teamId: \"{}\", envId: \"{}\"}}) {{ team {{ id }} }} }}",
                stage.team,
                if round % 2 == 0 { another } else { stage.env }
            );
            stage.root.ask(&moved).await.data();
        }
    };
    tokio::join!(beats, edits);
    assert_eq!(stage.worker_now().await["restartNeeded"], false, "it has not booted");
    stage.stop().await;
    assert_eq!(report(&stage, generation, "LIVE", json!({})).await["directive"], "STOP");
}

#[tokio::test]
async fn a_restart_that_is_wished_for_already_changes_nothing() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    for _ in 0..2 {
        stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    }
    assert_eq!(stage.audited().await, ["start", "restart"]);
    // One that is stopping for good can still be wished back.
    stage.stop().await;
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    assert_eq!(stage.report(generation, "PAUSED", None).await["worker"]["state"], "BUILDING");
    assert_eq!(stage.audited().await, ["start", "restart", "stop", "restart"]);
}

/// W05: whatever a generation that was superseded, or a worker that is gone, sends: one answer, and nothing of it counts.
#[tokio::test]
async fn w05_every_kind_of_report_is_refused_in_the_same_words() {
    let stage = Stage::open().await;
    let old = stage.live().await;
    stage.world.datamodel(stage.connector, "orders").await;
    let run = stage.sync(&[("a", None)]).await;
    stage.begun(run, 0).await;
    let table = stage.tables(run).await[0];
    let who = format!("workerId: \"{}\", launchGeneration: \"{old}\"", stage.worker);
    let some = Uuid::new_v4();
    let reports = [
        format!("reportWorker(input: {{{who}, state: ERROR, reason: \"zombie\"}})"),
        format!("reportSyncProgress(input: {{{who}, tables: [{{syncTableId: \"{table}\", rowsIngested: 9, status: COMPLETED}}]}})"),
        format!(
            "reportProduction(input: {{{who}, batchId: \"b\", rows: [{{topic: \"topic.orders\", fromTs: 0, toTs: 1, events: {{c: 1}}}}]}})"
        ),
        format!(
            "reportConsumption(input: {{{who}, batchId: \"b\", rows: [{{subscriptionId: \"{some}\", fromTs: 0, toTs: 1, consumedCount: 1, deliveredCount: 1}}]}})"
        ),
        format!("confirmBackfill(input: {{{who}, backfillId: \"{some}\"}})"),
    ];
    let answers = async || {
        let itself = stage.server.worker(stage.worker, old);
        let mut answers = Vec::new();
        for report in &reports {
            let data = itself.ask(&format!("mutation {{ answer: {report} {{ accepted refusal directive }} }}")).await.data();
            answers.push(data["answer"].clone());
        }
        answers
    };
    stage.command(&stage.root, "restartWorker", stage.worker).await.data();
    stage.report(old, "PAUSED", None).await;
    let (worker, before) = (stage.worker_now().await, stage.run(run).await);
    let superseded = json!({"accepted": false, "refusal": "SUPERSEDED", "directive": "EXIT"});
    assert_eq!(answers().await, vec![superseded; reports.len()]);
    assert_eq!((stage.worker_now().await, stage.run(run).await), (worker, before));
    let counted = "select (select count(*) from production_metric) + (select count(*) from consumption_metric)";
    assert_eq!(sqlx::query_scalar::<_, i64>(counted).fetch_one(&stage.world.pool).await.expect("a count"), 0);
    stage.write("delete from worker where id = $1").await;
    let gone = json!({"accepted": false, "refusal": "GONE", "directive": "EXIT"});
    assert_eq!(answers().await, vec![gone; reports.len()]);
}

#[tokio::test]
async fn the_secrets_in_the_words_of_a_worker_are_kept_from_readers() {
    let stage = Stage::open().await;
    let generation = stage.start().await;
    let run = stage.sync(&[("a", None)]).await;
    let table = stage.tables(run).await[0];
    let said = "could not reach postgres://u:CANARY@h/db with Pwd=CANARY;";
    let shown = "could not reach postgres://u:***@h/db with Pwd=***;";
    stage.report(generation, "LIVE", None).await;
    stage.begun(run, 1).await;
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 0, "status": "FAILED", "errorReason": said}])).await.data();
    stage.report(generation, "ERROR", Some(said)).await;
    assert_eq!(stage.worker_now().await["reason"], shown);
    let everything =
        "select coalesce(jsonb_agg(t)::text, '') || (select jsonb_agg(s)::text from sync_table s) from pumphouse.worker_transition t";
    let kept: String = sqlx::query_scalar(everything).fetch_one(&stage.world.pool).await.expect("rows");
    assert!(!kept.contains("CANARY") && kept.matches(shown).count() >= 2, "{kept}");
}
