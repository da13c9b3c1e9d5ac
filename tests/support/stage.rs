//! A server with one team and one source, and short ways to say what people and workers do.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Caller, Reply, Server, TestSettings, World};

/// How a report of a worker is sent.
const REPORT: &str = "mutation($w: ID!, $g: ID!, $s: WorkerState!, $r: String) {
    reportWorker(input: {workerId: $w, launchGeneration: $g, state: $s, reason: $r}) { accepted directive worker { state reason } } }";
/// How progress is reported.
const PROGRESS: &str = "mutation($w: ID!, $g: ID!, $t: [SyncTableProgressInput!]!) {
    reportSyncProgress(input: {workerId: $w, launchGeneration: $g, tables: $t}) { accepted directive syncTables { id status rowsIngested } } }";
const START_SYNC: &str =
    "mutation($c: ID!, $t: [SyncTableInput!]!) { startSync(input: {connectorId: $c, tables: $t}) { syncRun { id status } } }";
const RUN: &str = "query($id: ID!) { syncRun(id: $id) { id status outcome stalledSince stalledReason
    progress { rows approximateRows remainingRows percent tablesDone tablesFailed tablesTotal }
    syncTables(first: 200) { nodes { id tableName position status approximateRowCount groupId rowsIngested errorReason startedAt finishedAt
        progress { percent remainingRows reported restarts } } } } }";
const WORKER: &str = "query($id: ID!) { worker(id: $id) { id state reason health lastHeartbeatAt stopRequestedAt restartNeeded
    savedRevision runningRevision launchGeneration } }";

/// How often a test looks for what must become true.
const LOOK: Duration = Duration::from_millis(20);

/// The stage of most tests of workers and syncs.
pub struct Stage {
    pub server: Server,
    pub world: World,
    pub root: Caller,
    pub env: Uuid,
    pub team: Uuid,
    pub connector: Uuid,
    pub worker: Uuid,
}

impl Stage {
    /// A server on a fresh database, with a source whose worker is PAUSED.
    pub async fn open() -> Self {
        Self::open_with(TestSettings::default()).await
    }

    /// The same with other settings.
    pub async fn open_with(settings: TestSettings) -> Self {
        Self::on(Server::start_with(settings).await).await
    }

    /// The same on this server.
    pub async fn on(server: Server) -> Self {
        let root = server.superuser().await;
        let world = World::of(&server);
        let env = world.env("prod").await;
        let team = world.team(env, "core").await;
        let (connector, worker) = world.source(team, "shop").await;
        Self { server, world, root, env, team, connector, worker }
    }

    /// Asks for `startWorker`, `stopWorker` or `restartWorker`.
    pub async fn command(&self, caller: &Caller, verb: &str, worker: Uuid) -> Reply {
        caller.ask(&format!("mutation {{ {verb}(input: {{workerId: \"{worker}\"}}) {{ worker {{ state reason }} }} }}")).await
    }

    /// Starts the worker; answers its generation.
    pub async fn start(&self) -> Uuid {
        self.command(&self.root, "startWorker", self.worker).await.data();
        self.generation().await
    }

    /// Starts the worker and has it report LIVE; answers its generation.
    pub async fn live(&self) -> Uuid {
        let generation = self.start().await;
        assert_eq!(self.report(generation, "LIVE", None).await["directive"], "RUN");
        generation
    }

    /// Asks the worker to stop.
    pub async fn stop(&self) {
        self.command(&self.root, "stopWorker", self.worker).await.data();
    }

    /// The present generation.
    pub async fn generation(&self) -> Uuid {
        self.world.generation(self.worker).await
    }

    /// A report of the worker, as this generation.
    pub async fn report(&self, generation: Uuid, state: &str, reason: Option<&str>) -> Value {
        self.report_of(self.worker, generation, state, reason).await
    }

    /// A report of any worker.
    pub async fn report_of(&self, worker: Uuid, generation: Uuid, state: &str, reason: Option<&str>) -> Value {
        let variables = json!({"w": worker, "g": generation, "s": state, "r": reason});
        self.server.worker(worker, generation).ask_with(REPORT, variables).await.data()["reportWorker"].clone()
    }

    /// A report of progress, as this generation: pairs of a table's id and rows, or whole inputs.
    pub async fn progress(&self, generation: Uuid, tables: Value) -> Reply {
        let variables = json!({"w": self.worker, "g": generation, "t": tables});
        self.server.worker(self.worker, generation).ask_with(PROGRESS, variables).await
    }

    /// Asks for a sync as this caller.
    pub async fn try_sync(&self, caller: &Caller, tables: &[(&str, Option<i64>)]) -> Reply {
        let tables: Vec<Value> = tables.iter().map(|(name, rows)| json!({"name": name, "approximateRowCount": rows})).collect();
        caller.ask_with(START_SYNC, json!({"c": self.connector, "t": tables})).await
    }

    /// Starts a sync; answers the run.
    pub async fn sync(&self, tables: &[(&str, Option<i64>)]) -> Uuid {
        id(&self.try_sync(&self.root, tables).await.data()["startSync"]["syncRun"]["id"])
    }

    /// Asks to end a sync.
    pub async fn cancel(&self, caller: &Caller, run: Uuid) -> Reply {
        caller.ask(&format!("mutation {{ cancelSync(input: {{syncRunId: \"{run}\"}}) {{ syncRun {{ status }} }} }}")).await
    }

    /// The run as a query shows it.
    pub async fn run(&self, run: Uuid) -> Value {
        self.root.ask_with(RUN, json!({"id": run})).await.data()["syncRun"].clone()
    }

    /// The run once it is as wanted.
    #[track_caller]
    pub fn run_when(&self, run: Uuid, wanted: impl Fn(&Value) -> bool) -> impl Future<Output = Value> {
        let caller = std::panic::Location::caller();
        async move {
            for _ in 0..1_000 {
                let now = self.run(run).await;
                if wanted(&now) {
                    return now;
                }
                tokio::time::sleep(LOOK).await;
            }
            panic!("waited at {caller} for what did not come: {:#}", self.run(run).await);
        }
    }

    /// The tables of a run, in the order of the queue.
    pub async fn tables(&self, run: Uuid) -> Vec<Uuid> {
        let now = self.run(run).await;
        now["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| id(&table["id"])).collect()
    }

    /// Waits until this table of the run is being read.
    pub async fn begun(&self, run: Uuid, table: usize) {
        self.run_when(run, |run| run["syncTables"]["nodes"][table]["status"] == "IN_PROGRESS").await;
    }

    /// The worker as a query shows it.
    pub async fn worker_now(&self) -> Value {
        self.root.ask_with(WORKER, json!({"id": self.worker})).await.data()["worker"].clone()
    }

    /// The worker once it is as wanted.
    #[track_caller]
    pub fn worker_when(&self, wanted: impl Fn(&Value) -> bool) -> impl Future<Output = Value> {
        let caller = std::panic::Location::caller();
        async move {
            for _ in 0..1_000 {
                let now = self.worker_now().await;
                if wanted(&now) {
                    return now;
                }
                tokio::time::sleep(LOOK).await;
            }
            panic!("waited at {caller} for what did not come: {:#}", self.worker_now().await);
        }
    }

    /// The states that the worker went to, in order.
    pub async fn transitions(&self) -> Vec<String> {
        sqlx::query_scalar("select to_state from pumphouse.worker_transition where worker_id = $1 order by seq")
            .bind(self.worker)
            .fetch_all(&self.world.pool)
            .await
            .expect("transitions")
    }

    /// The verbs of the audit log, in order.
    pub async fn audited(&self) -> Vec<String> {
        sqlx::query_scalar("select action from user_log order by timestamp, id").fetch_all(&self.world.pool).await.expect("the log")
    }

    /// A service account with a grant on this team, which may say `worker: true`.
    pub async fn service_account(&self, team: Uuid, worker: bool) -> Caller {
        let user = self.server.user(&format!("robot-{}@example.com", Uuid::new_v4()), false).await;
        self.world.join_team(user.id, team, false).await;
        let account = Uuid::new_v4();
        sqlx::query("insert into service_account_user (id, name, user_id) values ($1, 'robot', $2)")
            .bind(account)
            .bind(user.id)
            .execute(&self.world.pool)
            .await
            .expect("an account");
        sqlx::query("insert into pumphouse.service_account_grant (id, service_account_id, team_id, worker) values ($1, $2, $3, $4)")
            .bind(Uuid::new_v4())
            .bind(account)
            .bind(team)
            .bind(worker)
            .execute(&self.world.pool)
            .await
            .expect("a grant");
        let expiry = chrono::Utc::now() + std::time::Duration::from_hours(1);
        let token = self.server.token_key.for_user(user.id, 0, Some(account), expiry).expect("a token");
        self.server.with_token(&token.text)
    }

    /// Moves the stage's team into another env, as a superuser does.
    pub async fn move_team_away(&self) {
        let env = self.world.env("elsewhere").await;
        let input = format!("input: {{teamId: \"{}\", envId: \"{env}\"}}", self.team);
        self.root.ask(&format!("mutation {{ moveTeam({input}) {{ team {{ id }} }} }}")).await.data();
    }

    /// Ends the leader's session, and waits until somebody leads again.
    pub async fn new_leader(&self) {
        let epoch = "select epoch from pumphouse.leader";
        let read = async || sqlx::query_scalar::<_, i64>(epoch).fetch_one(&self.world.pool).await.expect("an epoch");
        let before = read().await;
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
                and database = (select oid from pg_database where datname = current_database())",
        )
        .execute(&self.world.pool)
        .await
        .expect("the end of a session");
        let end = tokio::time::Instant::now() + super::PATIENCE;
        while read().await == before {
            assert!(tokio::time::Instant::now() < end, "nobody leads");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Runs a statement as another writer of the database would, with the connector's id as `$1`.
    pub async fn write_of_connector(&self, sql: &'static str) {
        sqlx::query(sql).bind(self.connector).execute(&self.world.pool).await.expect("a statement");
    }

    /// Changes the worker's reason, as another writer of the database would.
    pub async fn give_reason(&self, reason: &str) {
        let sql = "update worker set reason = $2 where id = $1";
        sqlx::query(sql).bind(self.worker).bind(reason).execute(&self.world.pool).await.expect("a change");
    }

    /// Runs a statement as another writer of the database would, with the worker's id as `$1`.
    pub async fn write(&self, sql: &'static str) {
        sqlx::query(sql).bind(self.worker).execute(&self.world.pool).await.expect("a statement");
    }
}

/// The id in an answer.
#[track_caller]
pub fn id(value: &Value) -> Uuid {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no id: {value}"))
}

/// The statuses of a run's tables, in the order of the queue.
pub fn statuses(run: &Value) -> Vec<&str> {
    run["syncTables"]["nodes"].as_array().expect("tables").iter().map(|table| table["status"].as_str().expect("a status")).collect()
}
