//! Throughput: what workers report of it, how days are summed up, how both are read as one.

mod days;
mod live;
mod model;
mod reading;
mod reports;
mod today;

use std::sync::Arc;
use std::time::Duration;

use pumphouse::core::leader::{Job as _, LeaderContext};
use pumphouse::throughput::Upkeep;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::support::{Caller, Reply, Spy, Stage, TestSettings};

const PRODUCTION: &str = "mutation($w: ID!, $g: ID!, $b: String!, $r: [ProductionRowInput!]!) {
    reportProduction(input: {workerId: $w, launchGeneration: $g, batchId: $b, rows: $r}) { accepted repeated directive } }";
const CONSUMPTION: &str = "mutation($w: ID!, $g: ID!, $b: String!, $r: [ConsumptionRowInput!]!) {
    reportConsumption(input: {workerId: $w, launchGeneration: $g, batchId: $b, rows: $r}) { accepted repeated directive } }";

/// Raw rows are kept longer than any test looks back.
const UPKEEP: Upkeep = Upkeep { retention: Duration::from_hours(24 * 3_000) };

/// A pipeline from a source to a target, both workers live.
struct Flow {
    stage: Stage,
    spy: Arc<Spy>,
    /// Of the source's worker.
    generation: Uuid,
    datamodel: Uuid,
    topic: String,
    pipeline: Uuid,
    subscription: Uuid,
    target: Uuid,
    target_worker: Uuid,
    target_generation: Uuid,
}

impl Flow {
    async fn open() -> Self {
        let spy = Arc::<Spy>::default();
        let stage = Stage::open_with(TestSettings { jobs: vec![Arc::clone(&spy) as _], ..TestSettings::default() }).await;
        let generation = stage.live().await;
        let datamodel = stage.world.datamodel(stage.connector, "orders").await;
        let (target, target_worker) = stage.world.target(stage.team, "warehouse").await;
        let pipeline = stage.world.pipeline(stage.team, "flow", stage.connector, target, datamodel).await;
        stage.command(&stage.root, "startWorker", target_worker).await.data();
        let target_generation = stage.world.generation(target_worker).await;
        stage.report_of(target_worker, target_generation, "LIVE", None).await;
        let topic = "topic.orders".to_owned();
        let mut flow = Self {
            stage,
            spy,
            generation,
            datamodel,
            topic,
            pipeline,
            subscription: Uuid::nil(),
            target,
            target_worker,
            target_generation,
        };
        flow.subscription = flow.subscribe(Some(pipeline), Some(datamodel), Some(target)).await;
        flow
    }

    /// One more subscription.
    async fn subscribe(&self, pipeline: Option<Uuid>, datamodel: Option<Uuid>, target: Option<Uuid>) -> Uuid {
        let id = Uuid::new_v4();
        let sql = "insert into subscription (id, name, config, transform_config, pipeline_id, datamodel_id, target_connector_id, error_table_enabled, target_table_name, enabled)
            values ($1, 'delivery', '{}', '[]', $2, $3, $4, false, $5, true)";
        sqlx::query(sql)
            .bind(id)
            .bind(pipeline)
            .bind(datamodel)
            .bind(target)
            .bind(id.to_string())
            .execute(&self.stage.world.pool)
            .await
            .expect("a subscription");
        id
    }

    /// The source's worker.
    fn source(&self) -> Caller {
        self.stage.server.worker(self.stage.worker, self.generation)
    }

    /// A report of the source's worker.
    async fn produce(&self, batch: &str, rows: Value) -> Reply {
        let variables = json!({"w": self.stage.worker, "g": self.generation, "b": batch, "r": rows});
        self.source().ask_with(PRODUCTION, variables).await
    }

    /// A report of the target's worker.
    async fn consume(&self, batch: &str, rows: Value) -> Reply {
        let variables = json!({"w": self.target_worker, "g": self.target_generation, "b": batch, "r": rows});
        self.stage.server.worker(self.target_worker, self.target_generation).ask_with(CONSUMPTION, variables).await
    }

    /// A row of production: a minute in which this much was created.
    fn created(&self, count: i64) -> Value {
        let now = chrono::Utc::now().timestamp_millis();
        json!({"topic": self.topic, "fromTs": now - 60_000, "toTs": now, "events": {"c": count}})
    }

    /// A row of consumption: a minute in which this much was consumed and delivered.
    fn delivered(&self, count: i64) -> Value {
        let now = chrono::Utc::now().timestamp_millis();
        json!({"subscriptionId": self.subscription, "fromTs": now - 60_000, "toTs": now, "consumedCount": count, "deliveredCount": count})
    }

    /// Runs a statement as another writer would.
    async fn write(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&self.stage.world.pool).await.expect("a statement");
    }

    /// A number out of the database.
    async fn number(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&self.stage.world.pool).await.expect("a number")
    }

    /// The handle of the leader's jobs, once what the leader does first is done; no day counts as summed then.
    async fn leader(&self) -> LeaderContext {
        let system = self.spy.system().await;
        while self.number("select count(*) from pumphouse.job_watermark where job = 'retention'").await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.write("delete from pumphouse.job_watermark").await;
        system
    }

    /// Does what the leader does every hour.
    async fn upkeep(&self, system: &LeaderContext) {
        UPKEEP.run(system).await.expect("the upkeep goes well");
    }

    /// A raw row of production that came in then.
    async fn produced_at(&self, topic: &str, at: &str, count: i64) {
        let sql = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
            values ($1, 0, 60000, $2, json_build_object('c', $4::bigint, 'total', $4::bigint), $3::text::timestamptz)";
        sqlx::query(sql).bind(Uuid::new_v4()).bind(topic).bind(at).bind(count).execute(&self.stage.world.pool).await.expect("a raw row");
    }

    /// What `production` of the datamodel says.
    async fn production(&self, caller: &Caller, from: &str, to: &str, bucket: &str) -> Reply {
        let query = "query($id: ID!, $from: DateTime!, $to: DateTime!, $b: ThroughputBucket!) { datamodel(id: $id) { production(from: $from, to: $to, bucket: $b) {
            points { start creates updates deletes reads total } summary { creates updates deletes reads total bytes messagesPerSecond } } } }";
        caller.ask_with(query, json!({"id": self.datamodel, "from": from, "to": to, "b": bucket})).await
    }
}

/// A time some hours from the start of today in UTC.
fn hours_from_today(hours: i64) -> String {
    let midnight = chrono::Utc::now().date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
    (midnight + chrono::Duration::hours(hours)).to_rfc3339()
}
