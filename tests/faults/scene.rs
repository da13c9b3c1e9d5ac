//! Replicas on a database, a superuser, and the worker of a source with a topic, live.

use futures_util::future::join_all;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use uuid::Uuid;

use super::client::Client;
use super::following::Follower;
use crate::program::replica::Replica;
use crate::program::token_key;
use crate::support::until;

/// What the worker counted, as the API sums it up.
const TOTAL: &str = "query($id: ID!, $from: DateTime!, $to: DateTime!) {
    datamodel(id: $id) { production(from: $from, to: $to, bucket: DAY) { summary { total } } } }";
/// The topic that the worker counts.
pub const TOPIC: &str = "shop.orders";

/// Who serves, and who asks.
pub struct Scene {
    pub url: String,
    pub pool: PgPool,
    pub replicas: Vec<Replica>,
    pub root: Client,
    /// The worker as a client.
    pub reporter: Client,
    pub connector: Uuid,
    pub worker: Uuid,
    pub generation: Uuid,
}

impl Scene {
    /// So many replicas on this database.
    pub async fn open(url: &str, pool: &PgPool, replicas: usize) -> Self {
        let mut started = Vec::new();
        for _ in 0..replicas {
            started.push(Replica::start(url, "127.0.0.1:0", &[]).await);
        }
        Self::with(url, pool, started).await
    }

    /// With these replicas on this database.
    pub async fn with(url: &str, pool: &PgPool, replicas: Vec<Replica>) -> Self {
        let [env, team, connector, worker, generation] = std::array::from_fn(|_| Uuid::new_v4());
        let rows = format!(
            "insert into env (id, name, retention_configuration, config_hash) values ('{env}', 'prod', '{{}}', repeat('0', 64));
             insert into team (id, name, env_id) values ('{team}', 'core', '{env}');
             insert into connector (id, name, connector_type, json_configuration, way, team_id)
               values ('{connector}', 'shop', 'POSTGRES_SOURCE', '{{}}', 'SOURCE', '{team}');
             insert into datamodel (id, name, config, source_connector_id, source_topic, enabled)
               values (gen_random_uuid(), 'orders', '{{}}', '{connector}', '{TOPIC}', true);
             insert into worker (id, state, connector_id, launch_generation) values ('{worker}', 'PAUSED', '{connector}', '{generation}');
             update worker set state = 'LIVE', last_heartbeat_at = now();
             update pumphouse.worker_launch set launched_at = now(), first_report_at = now(), announced_health = 'HEALTHY'"
        );
        sqlx::raw_sql(AssertSqlSafe(rows)).execute(pool).await.expect("a scene");
        let admin = sqlx::query_scalar("select id from \"user\"").fetch_one(pool).await.expect("the first superuser");
        let key = token_key();
        let end = chrono::Utc::now() + chrono::Duration::hours(1);
        let (root, reporter) =
            (key.for_user(admin, 0, None, end).expect("a token"), key.for_worker(worker, generation, end).expect("a token"));
        let bases: Vec<String> = replicas.iter().map(|replica| replica.base.clone()).collect();
        Self {
            url: url.to_owned(),
            pool: pool.clone(),
            root: Client::new(bases.clone(), root.text),
            reporter: Client::new(bases, reporter.text),
            replicas,
            connector,
            worker,
            generation,
        }
    }

    /// The superuser as a subscriber at each replica.
    pub async fn followers(&self) -> Vec<Follower> {
        join_all(self.replicas.iter().map(|replica| Follower::begin(&replica.base, &self.root.token))).await
    }

    /// Kills a replica and starts another in its place.
    pub async fn perish(&mut self, place: usize) {
        let replica = self.replicas.remove(place).perish(&self.url).await;
        self.replicas.insert(place, replica);
    }

    /// The place of the replica that leads.
    pub async fn leader(&self) -> usize {
        let mut leader = None;
        until("a replica leads", async || {
            for (place, replica) in self.replicas.iter().enumerate() {
                leader = replica.leads().await.then_some(place).or(leader);
            }
            leader.is_some()
        })
        .await;
        leader.expect("a leader")
    }

    /// A number out of the database.
    pub async fn number(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&self.pool).await.expect("a number")
    }

    /// Runs statements as another writer of the database would.
    pub async fn write(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&self.pool).await.expect("a statement");
    }

    /// Compares what the API says was counted with the raw rows, then ends every replica in order.
    pub async fn end(self) {
        let datamodel: Uuid = sqlx::query_scalar("select id from datamodel").fetch_one(&self.pool).await.expect("a datamodel");
        let day = |shift| (chrono::Utc::now().date_naive() + chrono::Duration::days(shift)).and_time(chrono::NaiveTime::MIN).and_utc();
        let counted =
            self.root.at(&self.replicas[0].base).insist(None, TOTAL, json!({"id": datamodel, "from": day(-3), "to": day(1)})).await;
        let raw = format!("select coalesce(sum((events->>'total')::bigint), 0)::bigint from production_metric where topic = '{TOPIC}'");
        assert_eq!(counted["datamodel"]["production"]["summary"]["total"], self.number(&raw).await);
        join_all(self.replicas.into_iter().map(Replica::stop)).await;
    }
}
