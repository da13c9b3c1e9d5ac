//! Random lives of a sync: whatever is reported in whatever order, its numbers never lie.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Stage, statuses};

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
    /// The worker ends and a new generation takes over.
    Restart,
    Cancel,
}

fn step() -> impl Strategy<Value = Step> {
    let status = prop_oneof![
        5 => Just(None),
        3 => prop::sample::select(vec![Some("COMPLETED"), Some("PARTIAL"), Some("FAILED")]),
    ];
    let report = (0..TABLES.len(), prop_oneof![0_i64..150, Just(1_000_000)], status, prop::bool::weighted(0.15))
        .prop_map(|(table, rows, status, old)| Step::Report { table, rows, status, old });
    prop_oneof![14 => report, 2 => Just(Step::Restart), 1 => Just(Step::Cancel)]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_reported_in_whatever_order_numbers_only_rise_and_ends_are_final() {
    // Held for a case at a time, each with a connector of its own.
    let stage = tokio::sync::Mutex::new(Stage::open().await);
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 12, max_shrink_iters: 30, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 5..25), |steps| {
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
    let run = stage.sync(&TABLES).await;
    let tables = stage.tables(run).await;
    let mut before = settled(stage, run).await;
    for step in steps {
        if before["status"] == "SYNCING" && !statuses(&before).contains(&"IN_PROGRESS") {
            stage.run_when(run, |run| statuses(run).contains(&"IN_PROGRESS")).await;
        }
        take(stage, run, &tables, &mut generations, step).await;
        let now = settled(stage, run).await;
        holds(&before, &now, step);
        before = now;
    }
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

async fn take(stage: &Stage, run: Uuid, tables: &[Uuid], generations: &mut Vec<Uuid>, step: &Step) {
    match step {
        Step::Report { table, rows, status, old } => {
            let superseded = *old && generations.len() > 1;
            let generation = generations[generations.len() - 1 - usize::from(superseded)];
            let report = json!([{"syncTableId": tables[*table], "rowsIngested": rows, "status": status}]);
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
        Step::Cancel => {
            stage.cancel(&stage.root, run).await.data();
        }
    }
}

/// What must hold between two looks with one step between them.
fn holds(before: &Value, now: &Value, step: &Step) {
    let tables = |run: &Value| run["syncTables"]["nodes"].as_array().expect("tables").clone();
    let terminal = |table: &Value| !["QUEUED", "IN_PROGRESS"].contains(&table["status"].as_str().expect("a status"));
    for (earlier, later) in tables(before).iter().zip(tables(now)) {
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
    }
    let percent = |of: &Value| of["progress"]["percent"].as_i64().expect("a percentage, as every table has an estimate");
    let restarts = |run: &Value| tables(run).iter().map(|table| table["progress"]["restarts"].clone()).collect::<Vec<_>>();
    if restarts(before) == restarts(now) {
        assert!(percent(now) >= percent(before), "{step:?}");
    }
    let completed = tables(now).iter().all(|table| table["status"] == "COMPLETED");
    assert_eq!(percent(now) == 100, now["status"] == "DONE" && completed, "{now:#}");
    // What the tables say, weighted by their estimates; each of them was rounded down.
    let said =
        |more: i64| TABLES.iter().zip(tables(now)).map(|((_, rows), table)| rows.unwrap_or(0) * (percent(&table) + more)).sum::<i64>();
    let whole: i64 = TABLES.iter().filter_map(|(_, rows)| *rows).sum();
    assert!(percent(now) * whole <= said(1), "{now:#}");
    assert!(percent(now) == 99 || (percent(now) + 1) * whole > said(0) - whole, "{now:#}");
    let all_ended = tables(now).iter().all(terminal);
    assert_eq!(now["status"] != "SYNCING", all_ended, "{step:?}: {now:#}");
    if before["status"] != "SYNCING" {
        assert_eq!(before, now, "{step:?}");
    }
}
