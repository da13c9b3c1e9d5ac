//! Random lives of a sync: whatever is reported in whatever order, its numbers never lie.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Stage, id, statuses};

/// Tables of a sync; the first two are one step.
const TABLES: [(&str, Option<i64>); 4] = [("a", Some(100)), ("b", Some(50)), ("c", Some(200_000)), ("d", Some(0))];

/// What may happen to a sync.
#[derive(Clone, Debug)]
enum Step {
    /// A report on one table, of the present generation or of one before it.
    Report {
        table: usize,
        rows: i64,
        status: Option<&'static str>,
        old: bool,
    },
    /// The worker ends as it was asked to, and a new generation takes over.
    Restart,
    /// The worker is gone without a word, is given up, and is launched anew.
    Crash,
    /// The worker fails and recovers by itself.
    Stumble,
    Skip(usize),
    Cancel,
    Retry,
    NewLeader,
}

fn step() -> impl Strategy<Value = Step> {
    let status = prop_oneof![
        5 => Just(None),
        3 => prop::sample::select(vec![Some("COMPLETED"), Some("PARTIAL"), Some("FAILED")]),
    ];
    let report = (0..TABLES.len(), prop_oneof![0_i64..150, Just(1_000_000)], status, prop::bool::weighted(0.15))
        .prop_map(|(table, rows, status, old)| Step::Report { table, rows, status, old });
    prop_oneof![
        28 => report,
        3 => Just(Step::Restart),
        2 => Just(Step::Crash),
        2 => Just(Step::Stumble),
        3 => (0..TABLES.len()).prop_map(Step::Skip),
        2 => Just(Step::Cancel),
        4 => Just(Step::Retry),
        1 => Just(Step::NewLeader),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_reported_in_whatever_order_numbers_only_rise_and_ends_are_final() {
    // Held for a case at a time, each with a connector of its own.
    let stage = tokio::sync::Mutex::new(Stage::open().await);
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 16, max_shrink_iters: 20, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 8..35), |steps| {
            runtime.block_on(async {
                let mut stage = stage.lock().await;
                (stage.connector, stage.worker) = stage.world.source(stage.team, &Uuid::new_v4().to_string()).await;
                live(&stage, &steps).await;
            });
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

async fn live(stage: &Stage, steps: &[Step]) {
    let mut generations = vec![stage.live().await];
    let mut run = stage.sync(&TABLES).await;
    let mut before = settled(stage, run).await;
    for step in steps {
        if before["status"] == "SYNCING" && !statuses(&before).contains(&"IN_PROGRESS") {
            stage.run_when(run, |run| statuses(run).contains(&"IN_PROGRESS")).await;
            before = settled(stage, run).await;
        }
        if matches!(step, Step::Retry) {
            if let Some(next) = retry(stage, run, &before).await {
                assert_eq!(settled(stage, run).await, before, "a retry leaves the run that it repeats");
                run = next;
                before = settled(stage, run).await;
            }
            continue;
        }
        let tables: Vec<Uuid> = nodes(&before).iter().map(|table| id(&table["id"])).collect();
        take(stage, run, &tables, &mut generations, step, &before).await;
        let now = settled(stage, run).await;
        holds(&before, &now, step);
        agrees(stage, run, &now).await;
        before = now;
    }
    if before["status"] == "SYNCING" {
        stage.cancel(&stage.root, run).await.data();
    }
}

/// Repeats a run; answers the new one, unless there is nothing to repeat or nothing to repeat yet.
async fn retry(stage: &Stage, run: Uuid, before: &Value) -> Option<Uuid> {
    let reply = stage.root.ask(&format!("mutation {{ retrySync(input: {{syncRunId: \"{run}\"}}) {{ syncRun {{ id }} }} }}")).await;
    let left: Vec<Value> =
        nodes(before).iter().filter(|table| table["status"] != "COMPLETED").map(|table| table["tableName"].clone()).collect();
    if before["status"] == "SYNCING" || left.is_empty() {
        assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("syncRunId")));
        return None;
    }
    let next = id(&reply.data()["retrySync"]["syncRun"]["id"]);
    let names: Vec<Value> = nodes(&stage.run(next).await).iter().map(|table| table["tableName"].clone()).collect();
    assert_eq!(names, left);
    Some(next)
}

fn nodes(run: &Value) -> Vec<Value> {
    run["syncTables"]["nodes"].as_array().expect("tables").clone()
}

/// The run as two looks in a row show it: a query is several statements, and a generation may change between them.
async fn settled(stage: &Stage, run: Uuid) -> Value {
    let mut last = stage.run(run).await;
    loop {
        let now = stage.run(run).await;
        if now == last {
            return now;
        }
        last = now;
    }
}

async fn take(stage: &Stage, run: Uuid, tables: &[Uuid], generations: &mut Vec<Uuid>, step: &Step, before: &Value) {
    match step {
        Step::Report { table, rows, status, old } => {
            let superseded = *old && generations.len() > 1;
            let generation = generations[generations.len() - 1 - usize::from(superseded)];
            let report = json!([{"syncTableId": tables[*table % tables.len()], "rowsIngested": rows, "status": status}]);
            let reply = stage.progress(generation, report).await;
            if superseded {
                assert_eq!(reply.data()["reportSyncProgress"]["directive"], "EXIT");
            } else if reply.0.get("errors").is_some() {
                assert_eq!(reply.code(), "CONFLICT", "a table that waits");
            }
        }
        Step::Restart => {
            stage.command(&stage.root, "restartWorker", stage.worker).await.data();
            stage.report(*generations.last().expect("a generation"), "PAUSED", None).await;
            let next = stage.generation().await;
            stage.report(next, "LIVE", None).await;
            generations.push(next);
        }
        Step::Crash => {
            stage.command(&stage.root, "restartWorker", stage.worker).await.data();
            stage.write("update worker set stop_requested_at = now() - interval '121 seconds' where id = $1").await;
            stage.worker_when(|worker| worker["state"] == "BUILDING").await;
            let next = stage.generation().await;
            stage.report(next, "LIVE", None).await;
            generations.push(next);
        }
        Step::Stumble => {
            let generation = *generations.last().expect("a generation");
            stage.report(generation, "ERROR", Some("no route")).await;
            stage.report(generation, "LIVE", None).await;
        }
        Step::Skip(place) => {
            let place = place % tables.len();
            let skip = format!("mutation {{ skipSyncTable(input: {{syncTableId: \"{}\"}}) {{ syncTable {{ status }} }} }}", tables[place]);
            let reply = stage.root.ask(&skip).await;
            // One that waited a moment ago may have been begun since.
            if nodes(before)[place]["status"] != "QUEUED" || reply.0.get("errors").is_some() {
                assert_eq!(reply.code(), "CONFLICT");
            }
        }
        Step::Cancel => {
            stage.cancel(&stage.root, run).await.data();
        }
        Step::NewLeader => stage.new_leader().await,
        Step::Retry => {}
    }
}

/// What must hold between two looks with one step between them.
fn holds(before: &Value, now: &Value, step: &Step) {
    let terminal = |table: &Value| !["QUEUED", "IN_PROGRESS"].contains(&table["status"].as_str().expect("a status"));
    for (earlier, later) in nodes(before).iter().zip(nodes(now)) {
        let context = format!("{step:?}: {earlier} -> {later}");
        if terminal(earlier) {
            assert_eq!(*earlier, later, "{step:?}");
        }
        let same = earlier["progress"]["restarts"] == later["progress"]["restarts"];
        assert!(same || later["progress"]["restarts"].as_i64() > earlier["progress"]["restarts"].as_i64(), "{context}");
        if same {
            assert!(later["rowsIngested"].as_i64() >= earlier["rowsIngested"].as_i64(), "{context}");
            assert!(later["progress"]["percent"].as_i64() >= earlier["progress"]["percent"].as_i64(), "{context}");
        }
        let percent = later["progress"]["percent"].as_i64();
        assert!(percent <= Some(99) || later["status"] == "COMPLETED", "{context}");
        assert!(later["progress"]["remainingRows"].as_i64().is_none_or(|rows| rows >= 0), "{context}");
        assert!(later["errorReason"].is_null() || later["status"] == "FAILED", "{context}");
        assert_eq!(later["finishedAt"].is_string(), terminal(&later), "{context}");
        assert!(later["startedAt"].is_string() || ["QUEUED", "FAILED"].contains(&later["status"].as_str().expect("a status")), "{context}");
    }
    one_step_at_a_time(now);
    let percent = |of: &Value| of["progress"]["percent"].as_i64().expect("a percentage, as every table has an estimate");
    let restarts = |run: &Value| nodes(run).iter().map(|table| table["progress"]["restarts"].clone()).collect::<Vec<_>>();
    if restarts(before) == restarts(now) {
        assert!(percent(now) >= percent(before), "{step:?}");
    }
    let completed = nodes(now).iter().all(|table| table["status"] == "COMPLETED");
    assert_eq!(percent(now) == 100, now["status"] == "DONE" && completed, "{now:#}");
    // What the tables say, weighted by their estimates; each of them was rounded down.
    let estimate = |table: &Value| table["approximateRowCount"].as_i64().unwrap_or(0);
    let said = |more: i64| nodes(now).iter().map(|table| estimate(table) * (percent(table) + more)).sum::<i64>();
    let whole: i64 = nodes(now).iter().map(estimate).sum();
    assert!(percent(now) * whole <= said(1), "{now:#}");
    assert!(percent(now) == 99 || whole == 0 || (percent(now) + 1) * whole > said(0) - whole, "{now:#}");
    let all_ended = nodes(now).iter().all(terminal);
    assert_eq!(now["status"] != "SYNCING", all_ended, "{step:?}: {now:#}");
    let read = nodes(now).iter().any(|table| ["COMPLETED", "PARTIAL"].contains(&table["status"].as_str().expect("a status")));
    let outcome = if completed {
        "SUCCEEDED"
    } else if read {
        "PARTIAL"
    } else {
        "FAILED"
    };
    assert_eq!(now["outcome"], if now["status"] == "DONE" { json!(outcome) } else { Value::Null }, "{now:#}");
    if before["status"] != "SYNCING" {
        assert_eq!(before, now, "{step:?}");
    }
}

/// What is being read is one table or one group, and nothing before it waits.
fn one_step_at_a_time(now: &Value) {
    let tables = nodes(now);
    let reading: Vec<&Value> = tables.iter().filter(|table| table["status"] == "IN_PROGRESS").collect();
    if let Some(first) = reading.first() {
        assert!(
            reading.len() == 1 || reading.iter().all(|table| table["groupId"].is_string() && table["groupId"] == first["groupId"]),
            "{now:#}"
        );
        let waiting = tables.iter().find(|table| table["status"] == "QUEUED").map(|table| table["position"].as_i64());
        assert!(waiting.is_none_or(|position| position > first["position"].as_i64()), "{now:#}");
    }
}

/// What is kept beside the tables says what they say, and an end is there when the run has ended, once.
async fn agrees(stage: &Stage, run: Uuid, now: &Value) {
    let torn: Vec<String> = sqlx::query_scalar(
        "select to_jsonb(y)::text from pumphouse.sync_run_tally y join sync_run r on r.id = y.sync_run_id
            cross join lateral (select count(*) as tables, count(*) filter (where status = 'IN_PROGRESS') as reading,
                count(*) filter (where status not in ('QUEUED', 'IN_PROGRESS')) as ended, count(*) filter (where status = 'COMPLETED') as completed,
                count(*) filter (where status in ('COMPLETED', 'PARTIAL')) as touched, sum(rows_ingested) as rows, sum(approximate_row_count) as estimate,
                sum(case status when 'COMPLETED' then approximate_row_count else least(rows_ingested, approximate_row_count) end) as read,
                coalesce(sum(greatest(approximate_row_count - rows_ingested, 0)) filter (where status in ('QUEUED', 'IN_PROGRESS')), 0) as remaining
              from sync_table t where t.sync_run_id = r.id) c
            where r.connector_id = $1 and (y.tables, y.reading, y.ended, y.completed, y.touched, y.rows, y.estimate, y.read, y.remaining)
              is distinct from (c.tables, c.reading, c.ended, c.completed, c.touched, c.rows, c.estimate, c.read, c.remaining)",
    )
    .bind(stage.connector)
    .fetch_all(&stage.world.pool)
    .await
    .expect("tallies");
    assert_eq!(torn, Vec::<String>::new(), "{now:#}");
    let causes: Vec<String> = sqlx::query_scalar("select cause from pumphouse.sync_run_end where sync_run_id = $1")
        .bind(run)
        .fetch_all(&stage.world.pool)
        .await
        .expect("ends");
    let expected: &[&str] = match now["status"].as_str() {
        Some("DONE") => &["FINISHED"],
        Some("CANCELLED") => &["CANCELLED"],
        _ => &[],
    };
    assert_eq!(causes, expected, "{now:#}");
}
