//! Metrics: rows taken in a second, and dashboards over a month of a thousand topics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::tell;
use crate::support::{Caller, Stage};

const TOPICS: i64 = 1_000;
const SPELL: Duration = Duration::from_secs(10);
const REPORT: &str = "mutation($w: ID!, $g: ID!, $b: String!, $r: [ProductionRowInput!]!) {
    reportProduction(input: {workerId: $w, launchGeneration: $g, batchId: $b, rows: $r}) { accepted } }";

/// A source with a thousand datamodels.
async fn topics(stage: &Stage) {
    let sql = "insert into datamodel (id, name, config, source_connector_id, source_topic, enabled)
        select gen_random_uuid(), 'model ' || n, '{}', $1, 'topic.' || n, true from generate_series(1, 1000) n";
    sqlx::query(sql).bind(stage.connector).execute(&stage.world.pool).await.expect("datamodels");
}

/// Reports batches of so many rows until the spell ends; how long each took.
async fn report(caller: Caller, worker: Uuid, generation: Uuid, rows: usize, until: Instant) -> Vec<Duration> {
    let now = chrono::Utc::now().timestamp_millis();
    let row = |number: usize| {
        json!({"topic": format!("topic.{}", 1 + number % 1_000), "fromTs": now - 10_000, "toTs": now,
            "events": {"total": 6, "r": 0, "c": 3, "u": 2, "d": 1}})
    };
    let rows = Value::Array((0..rows).map(row).collect());
    let mut times = Vec::new();
    while Instant::now() < until {
        let started = Instant::now();
        let variables = json!({"w": worker, "g": generation, "b": Uuid::new_v4(), "r": rows});
        assert_eq!(caller.ask_with(REPORT, variables).await.data()["reportProduction"]["accepted"], true);
        times.push(started.elapsed());
    }
    times
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn rows_of_metrics_taken_in_a_second() {
    let stage = Stage::open().await;
    let generation = stage.live().await;
    topics(&stage).await;
    for rows in [5_000, 500, 50] {
        let began = Instant::now();
        let caller = stage.server.worker(stage.worker, generation);
        let times = report(caller, stage.worker, generation, rows, began + SPELL).await;
        let taken = times.len() * rows;
        println!(
            "batches of {rows} by one worker: {} rows a second",
            taken * 1_000 / usize::try_from(began.elapsed().as_millis()).expect("a number")
        );
        tell(&format!("a batch of {rows}"), times);
    }
    assert!(
        sqlx::query_scalar::<_, i64>("select count(*) from production_metric").fetch_one(&stage.world.pool).await.expect("a number") > 0
    );
}

/// A month of sums for each topic, and so many raw rows of today.
async fn month(stage: &Stage, raw: i64) {
    let sums = "insert into production_metric_daily (id, topic, day, creates, updates, deletes, reads, total_events, bytes, span_ms, min_from, max_to, row_count)
        select gen_random_uuid(), 'topic.' || n, (now() at time zone 'UTC')::date - d, 5, 3, 2, 0, 10, 0, 86400000, 0, 86400000, 8640 from generate_series(1, 1000) n, generate_series(1, 30) d";
    let today = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
        select gen_random_uuid(), 0, 10000, 'topic.' || n, '{\"total\":6,\"r\":0,\"c\":3,\"u\":2,\"d\":1}', greatest(now() - interval '10 seconds' * d, date_trunc('day', now(), 'UTC'))
        from generate_series(1, 1000) n, generate_series(1, $1::int) d";
    let mark = "insert into pumphouse.job_watermark (job, day) values ('rollup', (now() at time zone 'UTC')::date - 1) on conflict (job) do update set day = excluded.day";
    let pool = &stage.world.pool;
    sqlx::query(AssertSqlSafe(sums)).execute(pool).await.expect("a month");
    sqlx::query(AssertSqlSafe(today)).bind(i32::try_from(raw).expect("a number")).execute(pool).await.expect("today");
    sqlx::query(mark).execute(pool).await.expect("a mark");
    sqlx::query("vacuum analyze").execute(pool).await.expect("statistics");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn dashboards_over_30_days_of_1000_topics() {
    for raw in [0, 10, 100] {
        let stage = Arc::new(Stage::open().await);
        topics(&stage).await;
        month(&stage, raw).await;
        let member = stage.server.user("member@example.com", false).await;
        stage.world.join_team(member.id, stage.team, false).await;
        let now = chrono::Utc::now();
        let range = format!(
            "from: \"{}\", to: \"{}\"",
            (now.date_naive() - chrono::Days::new(30)).and_time(chrono::NaiveTime::MIN).and_utc().to_rfc3339(),
            now.to_rfc3339()
        );
        let env = format!(
            "{{ env(id: \"{}\") {{ throughput({range}) {{ points {{ start creates updates deletes reads total consumed delivered errors }} summary {{ total messagesPerSecond }} }} }} }}",
            stage.env
        );
        let page = format!(
            "{{ datamodels(first: 50) {{ nodes {{ name production({range}) {{ points {{ start total }} summary {{ total messagesPerSecond }} }} }} }} }}"
        );
        for (what, query) in [("the env", env), ("a page of 50 datamodels", page)] {
            let mut times = Vec::new();
            for round in 0..60 {
                let started = Instant::now();
                let told = member.ask(&query).await.data();
                if round >= 10 {
                    times.push(started.elapsed());
                }
                if what == "the env" {
                    assert_eq!(told["env"]["throughput"]["summary"]["total"], TOPICS * (30 * 10 + raw * 6));
                }
            }
            tell(&format!("{what}, {raw} raw rows of today for each of {TOPICS} topics"), times);
        }
    }
}

/// What a filter box offers comes from the datamodels, whose number is bounded, not from the metrics.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn q04_topics_and_pages_of_5_million_rows() {
    let stage = Stage::open().await;
    topics(&stage).await;
    month(&stage, 5_000).await;
    let range = format!(
        "from: \"{}\", to: \"{}\"",
        (chrono::Utc::now() - chrono::Duration::hours(1)).to_rfc3339(),
        chrono::Utc::now().to_rfc3339()
    );
    for (what, query) in [
        ("every topic", "{ datamodels(first: 200) { nodes { sourceTopic } totalCount } }".to_owned()),
        (
            "a page of raw rows of each of 20 topics",
            "{ datamodels(first: 20) { nodes { productionMetrics(first: 20) { nodes { createdAt events } } } } }".to_owned(),
        ),
        ("counts of raw rows of 5 topics", "{ datamodels(first: 5) { nodes { productionMetrics(first: 1) { totalCount } } } }".to_owned()),
        (
            "an hour of 50 topics",
            format!("{{ datamodels(first: 50) {{ nodes {{ production({range}, bucket: HOUR) {{ summary {{ total }} }} }} }} }}"),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..10 {
            let started = Instant::now();
            stage.root.ask(&query).await.data();
            times.push(started.elapsed());
        }
        tell(what, times);
    }
}
