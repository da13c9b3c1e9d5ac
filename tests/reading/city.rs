//! A city with rows of every entity: two envs, three teams, users of every role, and what has lost its owner.
//! Every row has a name by which a person recognises it in `tests/house/permissions.txt`.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::support::{Caller, Server};

/// What no answer may hold.
pub const CANARY: &str = "canary-7f3a";

/// One row.
pub struct Row {
    /// Its type in the graph.
    pub entity: &'static str,
    pub id: Uuid,
    pub name: String,
}

/// A server, the rows in its database and those who ask.
pub struct City {
    pub server: Server,
    pub rows: Vec<Row>,
    pub callers: Vec<(&'static str, Caller)>,
}

impl City {
    /// Builds it.
    pub async fn build() -> Self {
        let mut city = Self { server: Server::start().await, rows: Vec::new(), callers: Vec::new() };
        city.people().await;
        city.memberships().await;
        city.requests().await;
        city.service_accounts().await;
        city.connectors().await;
        city.flows().await;
        city.registry().await;
        city.metrics().await;
        city.operations().await;
        city.audit().await;
        city.transitions().await;
        city.ends().await;
        city
    }

    /// The id of a row.
    #[track_caller]
    pub fn id(&self, entity: &str, name: &str) -> Uuid {
        let row = self.rows.iter().find(|row| row.entity == entity && row.name == name);
        row.unwrap_or_else(|| panic!("the city has no {entity} {name}")).id
    }

    /// Who asks.
    #[track_caller]
    pub fn caller(&self, name: &str) -> &Caller {
        self.callers.iter().find(|(caller, _)| *caller == name).map(|(_, caller)| caller).expect("somebody")
    }

    /// The ids of an entity's rows.
    pub fn ids(&self, entity: &str) -> Vec<Uuid> {
        self.rows.iter().filter(|row| row.entity == entity).map(|row| row.id).collect()
    }

    /// Writes a row as another writer would.
    pub async fn put(&mut self, entity: &'static str, table: &str, name: &str, mut columns: Value) -> Uuid {
        let id = columns.get("id").and_then(Value::as_str).map_or_else(Uuid::new_v4, |id| id.parse().expect("an id"));
        columns["id"] = json!(id);
        let names = columns.as_object().expect("columns").keys().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let sql = format!("insert into {table} ({names}) select {names} from jsonb_populate_record(null::{table}, $1)");
        sqlx::query(AssertSqlSafe(sql)).bind(&columns).execute(&self.server.database.pool).await.unwrap_or_else(|error| {
            panic!("{entity} {name}: {error}");
        });
        self.rows.push(Row { entity, id, name: name.to_owned() });
        id
    }

    async fn people(&mut self) {
        for env in ["north", "south"] {
            let id = Uuid::new_v4();
            let sealed = self.seal(id, &json!({"brokers": format!("{env}:9092"), "sasl": {"password": format!("{CANARY}-{env}")}}));
            let columns = json!({"id": id, "name": env, "retention_configuration": sealed, "config_hash": "0".repeat(64)});
            self.put("Env", "env", env, columns).await;
        }
        for (team, env) in [("core", "north"), ("data", "north"), ("far", "south")] {
            let columns = json!({"name": team, "description": format!("The team {team}"), "env_id": self.id("Env", env)});
            self.put("Team", "team", team, columns).await;
        }
        let users = ["root", "north-admin", "north-member", "north-reader", "core-admin", "core-member", "data-member", "south-admin"];
        for name in users.into_iter().chain(["stranger", "gone", "robot", "fleet"]) {
            let caller = self.server.user(&format!("{name}@example.com"), name == "root").await;
            self.rows.push(Row { entity: "User", id: caller.id, name: name.to_owned() });
            if name != "fleet" {
                self.callers.push((name, caller));
            }
        }
        sqlx::query("update \"user\" set active_env_id = $1 where email like 'north-%' or email like 'core-%'")
            .bind(self.id("Env", "north"))
            .execute(&self.server.database.pool)
            .await
            .expect("a preference");
    }

    fn seal(&self, id: Uuid, configuration: &Value) -> Value {
        serde_json::from_str(&self.server.keys.seal(id, &configuration.to_string()).expect("sealed")).expect("JSON")
    }

    async fn memberships(&mut self) {
        let of_envs = [
            ("north-admin", "north", "admin"),
            ("north-member", "north", "member"),
            ("north-reader", "north", "reader"),
            ("south-admin", "south", "admin"),
        ];
        let others = [("root", "north", "reader"), ("root", "south", "reader"), ("gone", "north", "admin")];
        for (user, env, role) in of_envs.into_iter().chain(others) {
            let columns =
                json!({"timestamp": "2026-01-01T00:00:00Z", "role": role, "user_id": self.id("User", user), "env_id": self.id("Env", env)});
            self.put("EnvMember", "env_member", &format!("{user}@{env}"), columns).await;
        }
        let of_teams =
            [("core-admin", "core", true), ("core-member", "core", false), ("data-member", "data", false), ("gone", "core", true)];
        let of_machines = [("robot", "core", false), ("fleet", "core", false), ("fleet", "data", false)];
        for (user, team, admin) in of_teams.into_iter().chain(of_machines) {
            let columns = json!({"timestamp": "2026-01-01T00:00:00Z", "admin": admin, "user_id": self.id("User", user), "team_id": self.id("Team", team)});
            self.put("TeamMember", "team_member", &format!("{user}@{team}"), columns).await;
        }
    }

    async fn requests(&mut self) {
        let user = |city: &Self, name: &str| city.id("User", name);
        let of_north = [
            ("stranger-asked-north", "stranger", "stranger", "DECLINED"),
            ("stranger-asks-north", "stranger", "stranger", "PENDING"),
            ("north-invites-south-admin", "north-admin", "south-admin", "PENDING"),
        ];
        for (name, from, to, status) in of_north {
            let columns = json!({"role": "member", "env_id": self.id("Env", "north"), "from_user_id": user(self, from),
                "to_user_id": user(self, to), "status": status});
            self.put("EnvRequest", "env_request", name, columns).await;
        }
        let of_core = [
            ("stranger-asked-core", "stranger", "stranger", "CANCELLED"),
            ("stranger-asks-core", "stranger", "stranger", "PENDING"),
            ("core-invites-data-member", "core-admin", "data-member", "PENDING"),
        ];
        for (name, from, to, status) in of_core {
            let columns = json!({"admin": false, "team_id": self.id("Team", "core"), "from_user_id": user(self, from),
                "to_user_id": user(self, to), "status": status});
            self.put("TeamRequest", "team_request", name, columns).await;
        }
    }

    async fn service_accounts(&mut self) {
        for (name, teams) in [("robot", vec!["core"]), ("fleet", vec!["core", "data"])] {
            let columns = json!({"name": name, "user_id": self.id("User", name)});
            let account = self.put("ServiceAccount", "service_account_user", name, columns).await;
            for team in teams {
                sqlx::query("insert into pumphouse.service_account_grant (id, service_account_id, team_id) values ($1, $2, $3)")
                    .bind(Uuid::new_v4())
                    .bind(account)
                    .bind(self.id("Team", team))
                    .execute(&self.server.database.pool)
                    .await
                    .expect("a grant");
            }
        }
    }

    async fn connectors(&mut self) {
        let connectors = [
            ("shop", "POSTGRES_SOURCE", "SOURCE", Some("core")),
            ("crm", "MYSQL_SOURCE", "SOURCE", Some("core")),
            ("dwh", "POSTGRES_TARGET", "TARGET", Some("core")),
            ("lake", "POSTGRES_SOURCE", "SOURCE", Some("data")),
            ("sea", "POSTGRES_SOURCE", "SOURCE", Some("far")),
            ("orphan", "POSTGRES_SOURCE", "SOURCE", None),
        ];
        for (name, kind, way, team) in connectors {
            let id = Uuid::new_v4();
            let secret = format!("{CANARY}-{name}");
            let uri = format!("postgres://reader:{secret}@{name}.example.org/shop?apikey={secret}");
            let sealed = self
                .seal(id, &json!({"host": format!("{name}.example.org"), "password": secret, "uri": uri, "nested": [{"apiKey": secret}]}));
            let columns = json!({"id": id, "name": name, "connector_type": kind, "json_configuration": sealed, "way": way,
                "team_id": team.map(|team| self.id("Team", team))});
            self.put("Connector", "connector", name, columns).await;
            let columns = json!({"state": "PAUSED", "connector_id": id, "launch_generation": Uuid::new_v4()});
            self.put("Worker", "worker", name, columns).await;
        }
    }

    async fn flows(&mut self) {
        let at = |city: &Self, entity: &str, name: Option<&str>| name.map(|name| city.id(entity, name));
        let models = [
            ("orders", Some("shop")),
            ("customers", Some("shop")),
            ("rows", Some("lake")),
            ("waves", Some("sea")),
            ("loose", None),
            ("forlorn", None),
        ];
        for (name, source) in models {
            let columns = json!({"name": name, "config": {"fields": []}, "source_connector_id": at(self, "Connector", source),
                "source_topic": format!("topic.{name}"), "error_table_target_id": self.id("Connector", "dwh"), "enabled": true});
            self.put("Datamodel", "datamodel", name, columns).await;
        }
        let pipelines = [
            ("core-flow", "core", Some("shop"), Some("dwh"), Some("orders")),
            ("core-draft", "core", Some("shop"), Some("dwh"), Some("orders")),
            ("data-flow", "data", Some("lake"), Some("dwh"), Some("loose")),
            ("far-flow", "far", Some("sea"), None, Some("waves")),
        ];
        for (name, team, source, target, model) in pipelines {
            let columns = json!({"name": name, "json_configuration": {}, "version": 1, "is_completed": true, "team_id": self.id("Team", team),
                "source_connector_id": at(self, "Connector", source), "target_connector_id": at(self, "Connector", target),
                "datamodel_id": at(self, "Datamodel", model)});
            self.put("Pipeline", "pipeline", name, columns).await;
        }
        let deliveries = [
            ("of-core-flow", Some("core-flow"), Some("orders"), Some("dwh")),
            ("of-core-flow-too", Some("core-flow"), Some("customers"), Some("dwh")),
            ("of-core-draft", Some("core-draft"), Some("orders"), Some("dwh")),
            ("of-data-flow", Some("data-flow"), Some("loose"), Some("dwh")),
            ("of-target", None, None, Some("dwh")),
            ("of-model", None, Some("rows"), None),
            ("of-nobody", None, None, None),
        ];
        for (name, pipeline, model, target) in deliveries {
            let columns = json!({"name": name, "config": {}, "transform_config": [], "pipeline_id": at(self, "Pipeline", pipeline),
                "datamodel_id": at(self, "Datamodel", model), "target_connector_id": at(self, "Connector", target), "error_table_enabled": false,
                "error_table_target_id": self.id("Connector", "dwh"), "target_table_name": name, "enabled": true});
            self.put("PipelineSubscription", "subscription", name, columns).await;
        }
    }

    async fn registry(&mut self) {
        let columns = json!({"type": "json", "hash": "a1", "schema": "{\"type\": \"object\"}"});
        let document = self.put("SchemaDocument", "schema", "object", columns).await;
        for (subject, version) in [("topic.orders-value", 1), ("topic.orders-value", 2), ("topic.orders-key", 1), ("Topic_Waves-value", 1)]
        {
            let columns = json!({"timestamp": "2026-01-01T00:00:00Z", "version": version, "subject": subject, "schema_id": document});
            self.put("SchemaVersion", "schema_version", &format!("{subject}/{version}"), columns).await;
        }
    }

    async fn metrics(&mut self) {
        for (name, topic) in
            [("orders", "topic.orders"), ("orders-later", "topic.orders"), ("waves", "topic.waves"), ("nowhere", "topic.nowhere")]
        {
            let columns =
                json!({"from_ts": 0, "to_ts": 60_000, "topic": topic, "events": {"c": 1, "total": 1}, "created_at": chrono::Utc::now()});
            self.put("ProductionMetric", "production_metric", name, columns).await;
            let day = if name == "orders-later" { "2026-01-02" } else { "2026-01-01" };
            let columns = json!({"topic": topic, "day": day, "creates": 1, "updates": 0, "deletes": 0, "reads": 0, "total_events": 1, "bytes": 0,
                "span_ms": 60_000, "min_from": 0, "max_to": 60_000, "row_count": 1});
            self.put("ProductionMetricDaily", "production_metric_daily", name, columns).await;
        }
        for (name, delivery) in
            [("of-core-flow", Some("of-core-flow")), ("of-core-flow-later", Some("of-core-flow")), ("of-the-past", None)]
        {
            let delivery = delivery.map_or_else(Uuid::new_v4, |name| self.id("PipelineSubscription", name));
            let columns = json!({"subscription_id": delivery, "topic": "topic.orders", "from_ts": 0, "to_ts": 60_000, "consumed_count": 2,
                "delivered_count": 1, "error_count": 1, "consumer_lag": 3, "created_at": chrono::Utc::now()});
            self.put("ConsumptionMetric", "consumption_metric", name, columns).await;
            let day = if name == "of-core-flow-later" { "2026-01-02" } else { "2026-01-01" };
            let columns = json!({"subscription_id": delivery, "topic": "topic.orders", "day": day, "consumed_count": 2, "delivered_count": 1,
                "error_count": 1, "span_ms": 60_000, "min_from": 0, "max_to": 60_000, "row_count": 1});
            self.put("ConsumptionMetricDaily", "consumption_metric_daily", name, columns).await;
        }
    }

    async fn operations(&mut self) {
        for (name, connector, by) in
            [("shop-run", "shop", "core-member"), ("shop-again", "shop", "core-member"), ("sea-run", "sea", "south-admin")]
        {
            let columns = json!({"connector_id": self.id("Connector", connector), "status": "DONE", "triggered_by_user_id": self.id("User", by),
                "triggered_by_email": format!("{by}@example.com")});
            let run = self.put("SyncRun", "sync_run", name, columns).await;
            for (position, table) in ["a", "b"].into_iter().enumerate() {
                let columns = json!({"sync_run_id": run, "table_name": format!("public.{table}"), "position": position, "status": "COMPLETED", "rows_ingested": 7});
                self.put("SyncTable", "sync_table", &format!("{name}/{table}"), columns).await;
            }
        }
        for (name, run, connector, (team, env)) in [
            ("shop-run-end", Some("shop-run"), Some("shop"), ("core", "north")),
            ("shop-again-end", Some("shop-again"), Some("shop"), ("core", "north")),
            ("sea-run-end", Some("sea-run"), Some("sea"), ("far", "south")),
            ("end-of-the-past", None, None, ("core", "north")),
        ] {
            let run = run.map_or_else(Uuid::new_v4, |name| self.id("SyncRun", name));
            let connector = connector.map_or_else(Uuid::new_v4, |name| self.id("Connector", name));
            let columns = json!({"sync_run_id": run, "connector_id": connector, "connector_name": name, "team_id": self.id("Team", team),
                "env_id": self.id("Env", env), "cause": "FINISHED", "tables_total": 2, "tables_completed": 2, "rows_ingested": 14,
                "ended_at": "2026-01-01T00:00:00Z"});
            self.put("SyncRunEnd", "pumphouse.sync_run_end", name, columns).await;
        }
        let columns = json!({"license_active": true, "last_seen_at": "2026-01-01T00:00:00Z"});
        self.put("LicenseState", "license_state", "licence", columns).await;
        let columns = json!({"endpoint": "root createTeam", "key": "k1", "request_hash": format!("{CANARY}-hash"), "response_status": 200,
            "response_body": {"data": format!("{CANARY}-body")}, "expires_at": "2036-01-01T00:00:00Z"});
        self.put("IdempotencyRecord", "idempotency_record", "k1", columns).await;
    }

    async fn audit(&mut self) {
        let entries = [
            ("core-member-in-core", "core-member", None, Some("core"), Some("north")),
            ("core-member-again", "core-member", None, Some("core"), Some("north")),
            ("north-admin-in-north", "north-admin", Some("north-member"), None, Some("north")),
            ("south-admin-in-far", "south-admin", None, Some("far"), Some("south")),
            ("root-about-stranger", "root", Some("stranger"), None, None),
            ("root-about-stranger-again", "root", Some("stranger"), None, None),
        ];
        for (name, by, about, team, env) in entries {
            let columns = json!({"timestamp": chrono::Utc::now(), "user_type": "real_user", "action": "update", "user_id": self.id("User", by),
                "user_email": format!("{by}@example.com"), "target_user_id": about.map(|name| self.id("User", name))});
            let entry = self.put("UserLog", "user_log", name, columns).await;
            let copied = "timestamp, user_type, action, user_id, user_email, target_user_id";
            let detail = format!(
                "insert into pumphouse.audit_detail (user_log_id, {copied}, entity_type, team_id, env_id)
                 select id, {copied}, 'Connector', $2, $3 from user_log where id = $1"
            );
            sqlx::query(AssertSqlSafe(detail))
                .bind(entry)
                .bind(team.map(|name| self.id("Team", name)))
                .bind(env.map(|name| self.id("Env", name)))
                .execute(&self.server.database.pool)
                .await
                .expect("a detail");
        }
    }

    /// What became of each worker so far.
    async fn transitions(&mut self) {
        let pool = &self.server.database.pool;
        sqlx::query("update worker set reason = 'late' where id = $1")
            .bind(self.id("Worker", "shop"))
            .execute(pool)
            .await
            .expect("a change");
        let sql = "select x.id, concat_ws('-', c.name, x.reason) from pumphouse.worker_transition x join connector c on c.id = x.connector_id order by x.seq";
        for (id, name) in sqlx::query_as(sql).fetch_all(pool).await.expect("transitions") {
            self.rows.push(Row { entity: "WorkerTransition", id, name });
        }
    }

    /// The callers who are no plain user.
    async fn ends(&mut self) {
        sqlx::query("update \"user\" set is_active = false where email = 'gone@example.com'")
            .execute(&self.server.database.pool)
            .await
            .expect("an update");
        let account = self.id("ServiceAccount", "robot");
        let robot = self.id("User", "robot");
        let token = self
            .server
            .token_key
            .for_user(robot, 0, Some(account), chrono::Utc::now() + std::time::Duration::from_hours(1))
            .expect("a token");
        let mut machine = self.server.with_token(&token.text);
        machine.id = robot;
        self.callers.iter_mut().filter(|(name, _)| *name == "robot").for_each(|(_, caller)| *caller = machine.clone());
        let worker = self.id("Worker", "shop");
        let generation = sqlx::query_scalar("select launch_generation from worker where id = $1").bind(worker);
        let generation = generation.fetch_one(&self.server.database.pool).await.expect("a generation");
        self.callers.push(("worker of shop", self.server.worker(worker, generation)));
        self.callers.push(("without a token", self.server.nobody()));
    }
}
