//! A source and a target with a worker each, and the directory between them.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnectOptions;
use std::str::FromStr as _;
use tokio::time::sleep;

use super::Source;
use super::api::{Api, until};
use super::process::{Directory, Worker};

/// The subscription that most tests deliver.
pub const ID: &str = "7a0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e11";

/// A source and its worker, a target and its worker.
pub struct Line {
    pub source: Source,
    pub target: Source,
    pub directory: Directory,
    pub source_api: Api,
    pub target_api: Api,
    source_worker: Option<Worker>,
    pub target_worker: Worker,
    runs: u32,
}

/// `public.orders` into `delivered`, with these changes.
pub fn subscription(changes: &Value) -> Value {
    let mut subscription = json!({
        "id": ID, "name": "orders", "targetTable": "delivered", "transforms": [], "errorTable": null, "sourceTopic": "shop/orders",
        "sourceConnector": "shop", "sourceTable": "public.orders",
    });
    for (key, value) in changes.as_object().unwrap() {
        subscription[key] = value.clone();
    }
    subscription
}

impl Line {
    /// A line whose source is made by these statements, and whose target has nothing; the subscription is delivered.
    pub async fn new(name: &str, statements: &str) -> Self {
        let line = Self::idle(name, statements, "select 1").await;
        line.target_api.deliver(&json!([subscription(&json!({}))]));
        line
    }

    /// A line that delivers nothing yet, whose target is made by the other statements.
    pub async fn idle(name: &str, statements: &str, of_target: &str) -> Self {
        let (source, target) = (Source::new(statements).await, Source::new("select 1").await);
        let options = PgConnectOptions::from_str(&target.database.url).unwrap();
        let (database, role) = (options.get_database().unwrap(), &target.role);
        target.run(&format!("grant create on database {database} to {role}; grant create on schema public to {role}")).await;
        target.run(&format!("set role {role}; {of_target}; reset role")).await;
        let directory = Directory::new(name);
        let source_api = Api::start("POSTGRES_SOURCE", source.configuration()).await;
        let target_api = Api::start("POSTGRES_TARGET", target.configuration()).await;
        let target_worker = Worker::launch(&target_api, &directory, &[]);
        Self { source, target, directory, source_api, target_api, source_worker: None, target_worker, runs: 0 }
    }

    /// Reads the table into the directory.
    pub async fn snapshot(&mut self) {
        self.runs += 1;
        if self.source_worker.is_none() {
            self.source_worker = Some(Worker::launch(&self.source_api, &self.directory, &[]));
            self.source_api.reported("LIVE").await;
        }
        let id = format!("table-{}", self.runs);
        self.source_api.snapshot_as(&id, "public.orders");
        assert_eq!(self.source_api.ended(&id).await.0, "COMPLETED");
    }

    /// Launches the target's worker again.
    pub fn relaunch(&mut self) {
        self.target_worker = Worker::launch(&self.target_api, &self.directory, &[]);
    }

    /// Waits until everything that was handed over has been taken and told.
    pub async fn delivered(&self) {
        let wanted = self.newest();
        for _ in 0..1500 {
            if self.position().await == wanted && self.untold().await == 0 {
                return;
            }
            sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("not delivered: at {} of {wanted}; the log:\n{}", self.position().await, self.target_worker.log());
    }

    fn newest(&self) -> i64 {
        let files = self.directory.files();
        let positions = files.iter().filter_map(|file| file.strip_suffix(".json")?.rsplit('/').next()?.parse().ok());
        positions.max().unwrap_or(0)
    }

    async fn position(&self) -> i64 {
        self.number_or_nothing(&format!("select position from pumphouse_delivery.progress where subscription_id = '{ID}'")).await
    }

    async fn untold(&self) -> i64 {
        self.number_or_nothing("select count(*) from pumphouse_delivery.report").await
    }

    /// A number of the target's; 0 while there is nothing to ask.
    async fn number_or_nothing(&self, query: &str) -> i64 {
        let pool = &self.target.database.pool;
        sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_optional(pool).await.ok().flatten().unwrap_or(0)
    }

    /// The rows of a query, as PostgreSQL writes whole rows, in their order.
    pub async fn rows(of: &Source, from: &str) -> Vec<String> {
        let sql = format!("select t::text from ({from}) t order by 1");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&of.database.pool).await.unwrap()
    }

    /// Asserts that the target's table is the source's, row for row.
    pub async fn assert_same(&self) {
        let [source, target] = [Self::rows(&self.source, "table public.orders").await, Self::rows(&self.target, "table delivered").await];
        assert_eq!(source.len(), target.len(), "{}", self.target_worker.log());
        if let Some((expected, found)) = source.iter().zip(&target).find(|(expected, found)| expected != found) {
            panic!("{expected}\nis\n{found}");
        }
    }

    /// Waits for the reason of an error.
    pub async fn fault(&self, part: &str) -> String {
        let newest = || self.target_api.states().last().and_then(|(_, reason)| reason.clone()).filter(|reason| reason.contains(part));
        until(part, newest).await
    }

    /// Hands a segment of `public.orders(id, note)` over by hand.
    pub fn hand_over(&self, position: i64, (snapshot, number, last): (&str, u32, bool), rows: &str) {
        let folder = self.directory.0.join("shop%2Forders");
        std::fs::create_dir_all(&folder).unwrap();
        let columns = json!([
            {"name": "id", "type": "integer", "base": "integer", "nullable": false, "key": 0},
            {"name": "note", "type": "text", "base": "text", "nullable": true, "key": null},
        ]);
        let about = json!({
            "run": "run", "snapshot": snapshot, "table": "public.orders", "number": number, "last": last, "rows": rows.lines().count(),
            "columns": columns,
        });
        std::fs::write(folder.join(format!("{position:020}.csv")), rows).unwrap();
        let part = folder.join("about.part");
        std::fs::write(&part, about.to_string()).unwrap();
        std::fs::rename(part, folder.join(format!("{position:020}.json"))).unwrap();
    }
}
