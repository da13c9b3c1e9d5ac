//! What 5,000 workers cost the server and its database: each says every ten seconds that it lives, and what it counted.
//!
//! The server is a process of its own, and so is what drives it: this one. Each worker has a connection of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pumphouse::access::token::TokenKey;
use serde_json::{Value, json};
use sqlx::postgres::PgListener;
use sqlx::{AssertSqlSafe, PgPool};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use uuid::Uuid;

use super::client::{Client, request};
use super::processes::Watched;
use crate::program::{serve, token_key};
use crate::support::database;

/// Half of them sources, half targets.
const WORKERS: i32 = 5_000;
const PACE: Duration = Duration::from_secs(10);
/// Rows of each worker's batch: together 1,000 of either kind a second.
const ROWS: usize = 4;
const SPELL: Duration = Duration::from_mins(1);

const HEARTBEAT: &str = "mutation($input: ReportWorkerInput!) { reportWorker(input: $input) { accepted directive } }";
const PRODUCTION: &str = "mutation($input: ReportProductionInput!) { reportProduction(input: $input) { accepted directive } }";
const CONSUMPTION: &str = "mutation($input: ReportConsumptionInput!) { reportConsumption(input: $input) { accepted directive } }";

/// The workers, live, with what they report of.
const FLEET: &str = "
create temp table pair as select n, gen_random_uuid() as source, gen_random_uuid() as target, gen_random_uuid() as model, gen_random_uuid() as pipeline
  from generate_series(1, $1 / 2) n;
insert into connector (id, name, connector_type, json_configuration, way, team_id)
  select source, 'source ' || n, 'POSTGRES_SOURCE', '{}'::json, 'SOURCE', $2 from pair union all select target, 'target ' || n, 'POSTGRES_TARGET', '{}'::json, 'TARGET', $2 from pair;
insert into datamodel (id, name, config, source_connector_id, source_topic, enabled) select model, 'model ' || n, '{}', source, 'topic.' || n, true from pair;
insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id, target_connector_id, datamodel_id)
  select pipeline, 'pipeline ' || n, '{}', 1, true, $2, source, target, model from pair;
insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name, enabled)
  select gen_random_uuid(), 'delivery', '{}', '[]', pipeline, model, target, false, 'table_' || n, true from pair;
insert into worker (id, state, connector_id, launch_generation)
  select gen_random_uuid(), 'PAUSED', c, gen_random_uuid() from (select source from pair union all select target from pair) w(c);
update worker set state = 'LIVE', last_heartbeat_at = now();
update pumphouse.worker_launch set launched_at = now(), first_report_at = now(), announced_health = 'HEALTHY';
analyze;";

/// A worker, and the bytes that it sends but for the id of its batch.
struct Posted {
    heartbeat: Vec<u8>,
    token: String,
    batch: Value,
}

async fn fleet(pool: &PgPool, key: &TokenKey) -> Vec<Posted> {
    let (env, team) = (Uuid::new_v4(), Uuid::new_v4());
    let make = format!(
        "insert into env (id, name, retention_configuration, config_hash) values ('{env}', 'bench', '{{}}', repeat('0', 64));
         insert into team (id, name, env_id) values ('{team}', 'bench', '{env}'); {}",
        FLEET.replace("$1", &WORKERS.to_string()).replace("$2", &format!("'{team}'::uuid"))
    );
    sqlx::raw_sql(AssertSqlSafe(make)).execute(pool).await.expect("a fleet");
    let of_whom = "select w.id, w.launch_generation, d.source_topic, s.id from worker w left join datamodel d on d.source_connector_id = w.connector_id
        left join subscription s on s.target_connector_id = w.connector_id";
    let workers: Vec<(Uuid, Uuid, Option<String>, Option<Uuid>)> = sqlx::query_as(of_whom).fetch_all(pool).await.expect("workers");
    workers.into_iter().map(|(id, generation, topic, subscription)| post(key, (id, generation), topic.as_deref(), subscription)).collect()
}

fn post(key: &TokenKey, (id, generation): (Uuid, Uuid), topic: Option<&str>, subscription: Option<Uuid>) -> Posted {
    let token = key.for_worker(id, generation, chrono::Utc::now() + chrono::Duration::hours(1)).expect("a token").text;
    let who = |more: Value| {
        let mut input = json!({"workerId": id, "launchGeneration": generation});
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        input
    };
    let now = chrono::Utc::now().timestamp_millis();
    let row = |_| match topic {
        Some(topic) => json!({"topic": topic, "fromTs": now - 10_000, "toTs": now, "events": {"r": 0, "c": 3, "u": 2, "d": 1}}),
        None => {
            json!({"subscriptionId": subscription, "fromTs": now - 10_000, "toTs": now, "consumedCount": 6, "deliveredCount": 6, "consumerLag": 0})
        }
    };
    let rows: Vec<Value> = (0..ROWS).map(row).collect();
    let document = if topic.is_some() { PRODUCTION } else { CONSUMPTION };
    let batch = json!({"query": document, "variables": {"input": who(json!({"batchId": "", "rows": rows}))}});
    // As the real worker does: with its own clock.
    let beat = who(json!({"state": "LIVE", "sentAt": chrono::Utc::now()}));
    let heartbeat = request(&token, &json!({"query": HEARTBEAT, "variables": {"input": beat}}));
    Posted { heartbeat, token, batch }
}

/// One worker's life: at its own instant of every ten seconds it says that it lives, and what it counted.
async fn work(address: String, mut posted: Posted, first: Instant, requests: Arc<AtomicU64>) {
    sleep_until(first).await;
    let mut client = Client::connect(&address).await;
    let mut clock = interval_at(first, PACE);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        clock.tick().await;
        client.report(&posted.heartbeat).await;
        posted.batch["variables"]["input"]["batchId"] = Uuid::new_v4().to_string().into();
        client.report(&request(&posted.token, &posted.batch)).await;
        requests.fetch_add(2, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn n04_5000_workers_with_1000_rows_of_either_kind_a_second() {
    let database = database().await;
    let mut program = serve::start(&database.url, &[]);
    let base = serve::started(&mut program).await;
    let address = base.strip_prefix("http://").expect("an address").to_owned();
    let key = token_key();
    let posted = fleet(&database.pool, &key).await;
    let watched = Watched::of(program.pid(), &database.pool).await;
    let requests = Arc::new(AtomicU64::new(0));
    let began = Instant::now() + Duration::from_secs(5);
    let mut workers = JoinSet::new();
    for (number, posted) in (0_u32..).zip(posted) {
        let first = began + PACE * number / WORKERS.unsigned_abs();
        workers.spawn(work(address.clone(), posted, first, Arc::clone(&requests)));
    }
    // Everybody has reported twice: connections and plans are warm.
    sleep_until(began + PACE * 2).await;
    let mut notices = PgListener::connect(&database.url).await.expect("a listener");
    notices.listen("pumphouse").await.expect("it listens");
    let rows = "select (select count(*) from production_metric), (select count(*) from consumption_metric)";
    let rows_before: (i64, i64) = sqlx::query_as(rows).fetch_one(&database.pool).await.expect("rows");
    let (before, asked, started) = (watched.spent(), requests.load(Ordering::Relaxed), Instant::now());
    sleep_until(started + SPELL).await;
    let (after, asked) = (watched.spent(), requests.load(Ordering::Relaxed) - asked);
    let seconds = started.elapsed().as_secs_f64();
    let rows: (i64, i64) = sqlx::query_as(rows).fetch_one(&database.pool).await.expect("rows");
    let mut heard = 0;
    while tokio::time::timeout(Duration::from_millis(100), notices.recv()).await.is_ok_and(|notice| notice.is_ok()) {
        heard += 1;
    }
    let (server, postgres) = after.cores(before, seconds);
    println!(
        "{WORKERS} workers for {seconds:.0} s, {asked} requests, {} rows of production, {} of consumption, {heard} notices: \
        server {server:.2} cores, PostgreSQL {postgres:.2} cores",
        rows.0 - rows_before.0,
        rows.1 - rows_before.1
    );
    workers.shutdown().await;
    program.signal("TERM");
    program.end().await.done();
}
