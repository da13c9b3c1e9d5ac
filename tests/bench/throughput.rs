//! Metrics: rows taken in a second, and dashboards over a month of a thousand topics, of which each has a subscription.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pumphouse::core::leader::Job as _;
use pumphouse::throughput::Today;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::client::{Client, request};
use super::processes::Watched;
use super::tell;
use crate::program::{serve, token_key};
use crate::support::{Caller, Spy, Stage, TestSettings, database};

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

/// Sources that report at once, each of a tenth of the topics.
const SOURCES: &str = "
create temp table source as select n, gen_random_uuid() as id from generate_series(1, 4) n;
insert into env (id, name, retention_configuration, config_hash) values ('$env', 'bench', '{}', repeat('0', 64));
insert into team (id, name, env_id) values ('$team', 'bench', '$env');
insert into connector (id, name, connector_type, json_configuration, way, team_id) select id, 'source ' || n, 'POSTGRES_SOURCE', '{}'::json, 'SOURCE', '$team'::uuid from source;
insert into datamodel (id, name, config, source_connector_id, source_topic, enabled)
  select gen_random_uuid(), 'model ' || m, '{}', s.id, 'topic.' || s.n || '.' || m, true from source s, generate_series(0, 249) m;
insert into worker (id, state, connector_id, launch_generation) select gen_random_uuid(), 'PAUSED', id, gen_random_uuid() from source;
update worker set state = 'LIVE', last_heartbeat_at = now();
update pumphouse.worker_launch set launched_at = now(), first_report_at = now(), announced_health = 'HEALTHY'";

/// Reports full batches one after the other; answers how many.
async fn flood(address: String, token: String, (worker, generation): (Uuid, Uuid), source: i32, until: Instant) -> usize {
    let now = chrono::Utc::now().timestamp_millis();
    let row = |number: usize| {
        json!({"topic": format!("topic.{source}.{}", number % 250), "fromTs": now - 10_000, "toTs": now,
            "events": {"total": 6, "r": 0, "c": 3, "u": 2, "d": 1}})
    };
    let batch = "00000000-0000-4000-8000-000000000000";
    let variables = json!({"w": worker, "g": generation, "b": batch, "r": (0..5_000).map(row).collect::<Vec<_>>()});
    let request = String::from_utf8(request(&token, &json!({"query": REPORT, "variables": variables}))).expect("text");
    let mut client = Client::connect(&address).await;
    let mut batches = 0;
    while Instant::now() < until {
        client.report(request.replace(batch, &Uuid::new_v4().to_string()).as_bytes()).await;
        batches += 1;
    }
    batches
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn rows_of_metrics_of_four_workers_for_a_minute() {
    let database = database().await;
    let mut program = serve::start(&database.url, &[]);
    let address = serve::started(&mut program).await.strip_prefix("http://").expect("an address").to_owned();
    let key = token_key();
    let sources = SOURCES.replace("$env", &Uuid::new_v4().to_string()).replace("$team", &Uuid::new_v4().to_string());
    sqlx::raw_sql(AssertSqlSafe(sources)).execute(&database.pool).await.expect("sources");
    let workers = "select w.id, w.launch_generation, right(c.name, 1)::int from worker w join connector c on c.id = w.connector_id";
    let workers: Vec<(Uuid, Uuid, i32)> = sqlx::query_as(workers).fetch_all(&database.pool).await.expect("workers");
    let watched = Watched::of(program.pid(), &database.pool).await;
    let (before, began) = (watched.spent(), Instant::now());
    let floods = workers.into_iter().map(|(worker, generation, source)| {
        let token = key.for_worker(worker, generation, chrono::Utc::now() + chrono::Duration::hours(1)).expect("a token").text;
        tokio::spawn(flood(address.clone(), token, (worker, generation), source, began + SPELL * 6))
    });
    let mut rows = 0;
    for flood in floods.collect::<Vec<_>>() {
        rows += flood.await.expect("a worker") * 5_000;
    }
    let seconds = began.elapsed().as_secs_f64();
    let (server, postgres) = watched.spent().cores(before, seconds);
    let stored: i64 = sqlx::query_scalar("select count(*) from production_metric").fetch_one(&database.pool).await.expect("a number");
    assert_eq!(usize::try_from(stored).expect("a number"), rows);
    #[expect(clippy::cast_precision_loss, reason = "rows of a measurement")]
    let rate = rows as f64 / seconds;
    println!("four workers for {seconds:.0} s: {rate:.0} rows a second; server {server:.2} cores, PostgreSQL {postgres:.2} cores");
    program.signal("TERM");
    program.end().await.done();
}

/// A pipeline and a subscription for each datamodel.
async fn subscriptions(stage: &Stage) {
    let (target, _) = stage.world.target(stage.team, "warehouse").await;
    let sql = "with p as (insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id, target_connector_id, datamodel_id)
          select gen_random_uuid(), 'flow of ' || name, '{}', 1, true, $1, source_connector_id, $2, id from datamodel returning id, datamodel_id)
        insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name, enabled)
          select gen_random_uuid(), 'delivery', '{}', '[]', id, datamodel_id, $2, false, 'table', true from p";
    sqlx::query(sql).bind(stage.team).bind(target).execute(&stage.world.pool).await.expect("subscriptions");
}

/// A month of sums for each topic and subscription, and so many raw rows of today.
async fn month(stage: &Stage, raw: i64) {
    let sums = "insert into production_metric_daily (id, topic, day, creates, updates, deletes, reads, total_events, bytes, span_ms, min_from, max_to, row_count)
        select gen_random_uuid(), 'topic.' || n, (now() at time zone 'UTC')::date - d, 5, 3, 2, 0, 10, 0, 86400000, 0, 86400000, 8640 from generate_series(1, 1000) n, generate_series(1, 30) d";
    let today = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
        select gen_random_uuid(), 0, 10000, 'topic.' || n, '{\"total\":6,\"r\":0,\"c\":3,\"u\":2,\"d\":1}', greatest(now() - interval '10 seconds' * d, date_trunc('day', now(), 'UTC'))
        from generate_series(1, 1000) n, generate_series(1, $1::int) d";
    let consumed = [
        "insert into consumption_metric_daily (id, subscription_id, topic, day, consumed_count, delivered_count, error_count, span_ms, min_from, max_to, row_count)
        select gen_random_uuid(), s.id, 'topic', (now() at time zone 'UTC')::date - d, 10, 10, 0, 86400000, 0, 86400000, 8640 from subscription s, generate_series(1, 30) d",
        "insert into consumption_metric (id, from_ts, to_ts, topic, subscription_id, consumed_count, delivered_count, error_count, created_at)
        select gen_random_uuid(), m.from_ts, m.to_ts, m.topic, s.id, 6, 6, 0, m.created_at
        from production_metric m join datamodel d on d.source_topic = m.topic join subscription s on s.datamodel_id = d.id",
    ];
    let mark = "insert into pumphouse.job_watermark (job, day) values ('rollup', (now() at time zone 'UTC')::date - 1) on conflict (job) do update set day = excluded.day";
    let pool = &stage.world.pool;
    sqlx::query(AssertSqlSafe(sums)).execute(pool).await.expect("a month");
    sqlx::query(AssertSqlSafe(today)).bind(i32::try_from(raw).expect("a number")).execute(pool).await.expect("today");
    for sql in consumed {
        sqlx::query(sql).execute(pool).await.expect("consumption");
    }
    sqlx::query(mark).execute(pool).await.expect("a mark");
    sqlx::query("vacuum analyze").execute(pool).await.expect("statistics");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn dashboards_over_30_days_of_1000_topics() {
    for raw in [0, 100, 1_000] {
        let spy = Arc::<Spy>::default();
        let stage = Stage::open_with(TestSettings { jobs: vec![Arc::clone(&spy) as _], ..TestSettings::default() }).await;
        topics(&stage).await;
        subscriptions(&stage).await;
        month(&stage, raw).await;
        Today.run(&spy.system().await).await.expect("today is added up");
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
        let flows = format!(
            "{{ pipelines(first: 200) {{ nodes {{ name throughput({range}) {{ summary {{ total consumed messagesPerSecond }} }} }} }} }}"
        );
        let deliveries = format!(
            "{{ pipelineSubscriptions(first: 200) {{ nodes {{ name consumption({range}) {{ summary {{ total messagesPerSecond }} }} }} }} }}"
        );
        for (what, query) in [
            ("the env", env),
            ("a page of 50 datamodels", page),
            ("a page of 200 pipelines", flows),
            ("a page of 200 subscriptions", deliveries),
        ] {
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
