//! Random rows, random ranges, the days summed up as far as chance will have it: what is read is the sum of the raw rows.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use pumphouse::core::leader::{Job, LeaderContext};
use pumphouse::throughput::Today;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Flow, UPKEEP, hours_from_today};
use crate::support::PATIENCE;

const DAY_MS: i64 = 86_400_000;
/// How many days back there are rows.
const DAYS: i64 = 5;

/// A raw row: of one of two topics, when it came in after the first day's start, how much, and how long its interval was.
#[derive(Clone, Debug)]
struct Row {
    other: bool,
    at: i64,
    count: i64,
    span: i64,
}

/// What one case does.
#[derive(Clone, Debug)]
struct Case {
    rows: Vec<Row>,
    /// What is summed up: closed days, or all up to now; and when that ends half way.
    sums: Vec<(bool, Option<u64>)>,
    ranges: Vec<(i64, i64, bool)>,
}

/// Instants at which mistakes show: around midnights of UTC and of other zones.
fn instant() -> impl Strategy<Value = i64> {
    let midnight = (0..=DAYS + 1, prop::sample::select(vec![-1_i64, 0, 1, -19_800_000, 18_000_000, 3_600_000]))
        .prop_map(|(day, shift)| day * DAY_MS + shift);
    prop_oneof![2 => midnight, 1 => 0..(DAYS + 1) * DAY_MS].prop_map(|at| at.clamp(0, (DAYS + 1) * DAY_MS))
}

fn case() -> impl Strategy<Value = Case> {
    let row = (any::<bool>(), instant(), 0_i64..1_000, prop_oneof![Just(0_i64), 1_i64..100_000]).prop_map(|(other, at, count, span)| Row {
        other,
        at,
        count,
        span,
    });
    let range = (instant(), instant(), any::<bool>())
        .prop_filter_map("a range has a length", |(one, two, hours)| (one != two).then(|| (one.min(two), one.max(two), hours)));
    (
        prop::collection::vec(row, 1..25),
        prop::collection::vec((any::<bool>(), prop::option::of(500_u64..40_000)), 0..4),
        prop::collection::vec(range, 1..5),
    )
        .prop_map(|(rows, sums, ranges)| Case { rows, sums, ranges })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t02_t03_t05_the_totals_of_any_range_are_the_sum_of_the_raw_rows_however_far_they_are_summed() {
    let flow = Flow::open().await;
    flow.write("do $$ begin execute format('alter database %I set timezone = ''America/New_York''', current_database()); end $$").await;
    let system = flow.leader().await;
    let start: DateTime<Utc> = hours_from_today(-24 * DAYS).parse().expect("a time");
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 24, max_shrink_iters: 60, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&case(), |case| {
            runtime.block_on(live(&flow, &system, start, &case));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

async fn live(flow: &Flow, system: &LeaderContext, start: DateTime<Utc>, case: &Case) {
    // What was added up of a day before there were marks is not there.
    flow.write("truncate production_metric, production_metric_daily, consumption_metric, consumption_metric_daily; delete from pumphouse.job_watermark").await;
    // Days are closed for good once they are summed: the rows come in in the order of their time.
    let mut rows = case.rows.clone();
    rows.sort_by_key(|row| row.at);
    for row in &rows {
        insert(flow, start, row).await;
    }
    for (closed, half_way) in &case.sums {
        let job: &dyn Job = if *closed { &UPKEEP } else { &Today };
        let patience = half_way.map_or(PATIENCE, Duration::from_micros);
        let ended = tokio::time::timeout(patience, job.run(system)).await;
        assert!(half_way.is_some() || ended.is_ok_and(|outcome| outcome.is_ok()));
        for (from, to, hours) in &case.ranges {
            compare(flow, start, &rows, (*from, *to, *hours)).await;
        }
    }
    for (from, to, hours) in &case.ranges {
        compare(flow, start, &rows, (*from, *to, *hours)).await;
    }
}

async fn insert(flow: &Flow, start: DateTime<Utc>, row: &Row) {
    let sql = "with p as (insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
        values (gen_random_uuid(), 7, 7 + $3, $1, json_build_object('u', $4::bigint, 'total', $4::bigint), $2))
        insert into consumption_metric (id, from_ts, to_ts, topic, subscription_id, consumed_count, delivered_count, error_count, created_at)
        values (gen_random_uuid(), 7, 7 + $3, $1, $5, $4, $4, 0, $2)";
    sqlx::query(sql)
        .bind(if row.other { "topic.other" } else { "topic.orders" })
        .bind(start + chrono::Duration::milliseconds(row.at))
        .bind(row.span)
        .bind(row.count)
        .bind(if row.other { Uuid::nil() } else { flow.subscription })
        .execute(&flow.stage.world.pool)
        .await
        .expect("raw rows");
}

/// What is read of a range against the raw rows.
async fn compare(flow: &Flow, start: DateTime<Utc>, rows: &[Row], (from, to, hours): (i64, i64, bool)) {
    let query = "query($p: ID!, $d: ID!, $s: ID!, $from: DateTime!, $to: DateTime!, $b: ThroughputBucket!) {
        datamodel(id: $d) { production(from: $from, to: $to, bucket: $b) { points { start updates total } summary { updates total messagesPerSecond } } }
        pipelineSubscription(id: $s) { consumption(from: $from, to: $to, bucket: $b) { points { start consumed } summary { consumed delivered total messagesPerSecond } } }
        pipeline(id: $p) { throughput(from: $from, to: $to, bucket: $b) { points { start total consumed } summary { total consumed messagesPerSecond consumedPerSecond } } } }";
    let at = |ms: i64| start + chrono::Duration::milliseconds(ms);
    let variables = json!({"p": flow.pipeline, "d": flow.datamodel, "s": flow.subscription, "from": at(from).to_rfc3339(), "to": at(to).to_rfc3339(),
        "b": if hours { "HOUR" } else { "DAY" }});
    let told = flow.stage.root.ask_with(query, variables).await.data();
    let (production, consumption) = (&told["datamodel"]["production"], &told["pipelineSubscription"]["consumption"]);
    let throughput = &told["pipeline"]["throughput"];
    let within: Vec<&Row> = rows.iter().filter(|row| !row.other && row.at >= from && row.at < to).collect();
    let total: i64 = within.iter().map(|row| row.count).sum();
    let context = format!("{from} {to} {hours}: {told:#}");
    for sum in [
        &production["summary"]["total"],
        &production["summary"]["updates"],
        &consumption["summary"]["consumed"],
        &consumption["summary"]["delivered"],
        &throughput["summary"]["total"],
        &throughput["summary"]["consumed"],
    ] {
        assert_eq!(*sum, total, "{context}");
    }
    let length = if hours { 3_600_000 } else { DAY_MS };
    let mut expected: BTreeMap<i64, i64> = BTreeMap::new();
    let mut next = from;
    while next < to {
        expected.insert(next, 0);
        next = (next.div_euclid(length) + 1) * length;
    }
    for row in &within {
        *expected.entry((row.at.div_euclid(length) * length).max(from)).or_default() += row.count;
    }
    let points = |series: &Value, count: &str| -> BTreeMap<i64, i64> {
        let point = |point: &Value| {
            let at: DateTime<Utc> = point["start"].as_str().expect("a start").parse().expect("a time");
            ((at - start).num_milliseconds(), point[count].as_i64().expect("a count"))
        };
        series["points"].as_array().expect("points").iter().map(point).collect()
    };
    for (series, count) in [(production, "updates"), (consumption, "consumed"), (throughput, "total"), (throughput, "consumed")] {
        assert_eq!(points(series, count), expected, "{context}");
    }
    let span: i64 = within.iter().map(|row| row.span).sum();
    let duration = if span > 0 { span } else { 1_000 * i64::try_from(within.len()).expect("a number") };
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let rate = if within.is_empty() { 0.0 } else { total as f64 * 1_000.0 / duration as f64 };
    for told in [
        &production["summary"]["messagesPerSecond"],
        &consumption["summary"]["messagesPerSecond"],
        &throughput["summary"]["messagesPerSecond"],
        &throughput["summary"]["consumedPerSecond"],
    ] {
        assert!((told.as_f64().expect("a rate") - rate).abs() <= rate * 1e-9, "{told} for {rate}: {context}");
    }
}
