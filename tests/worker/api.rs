//! A small stand-in for the API: just what a worker sees of it, with every report kept.
//!
//! The server's side of these calls has tests of its own; here the worker's side is on trial, also with
//! an API that is down, that supersedes it, and that changes its mind.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Json, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

pub const TOKEN: &str = "the-workers-token";
/// How long what must come is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the API holds.
struct Held {
    boot: Result<Value, u16>,
    generation: String,
    /// What every report is answered.
    directive: &'static str,
    down: bool,
    /// State and reason of every report.
    states: Vec<(String, Option<String>)>,
    /// Every report of a table.
    tables: Vec<Value>,
    /// What a target's worker has to deliver.
    deliveries: Value,
    /// The rows of every report of production and consumption, by the id of its batch.
    counted: Vec<(String, Value)>,
    /// The backfills that were confirmed.
    confirmed: Vec<String>,
    sockets: usize,
}

/// The stand-in.
#[derive(Clone)]
pub struct Api {
    pub url: String,
    held: Arc<Mutex<Held>>,
    instruction: watch::Sender<Value>,
    /// A new number closes all sockets.
    cut: watch::Sender<u32>,
}

impl Api {
    /// An API whose worker has a connector of this type and configuration.
    pub async fn start(connector_type: &str, configuration: Value) -> Self {
        let boot = json!({
            "workerId": "worker-1", "launchGeneration": "gen-1", "connectorId": "connector-1", "connectorName": "shop",
            "connectorType": connector_type, "way": "SOURCE", "revision": 1, "configuration": configuration,
            "datamodels": [{"id": "d", "name": "orders", "sourceTopic": "shop/orders", "config": {"table": "public.orders"}}],
        });
        let held = Held {
            boot: Ok(boot),
            generation: "gen-1".to_owned(),
            directive: "RUN",
            down: false,
            states: Vec::new(),
            tables: Vec::new(),
            deliveries: json!([]),
            counted: Vec::new(),
            confirmed: Vec::new(),
            sockets: 0,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (instruction, cut) = (watch::Sender::new(json!({"directive": "RUN", "tables": []})), watch::Sender::new(0));
        let api = Self { url, held: Arc::new(Mutex::new(held)), instruction, cut };
        let router = axum::Router::new()
            .route("/worker/bootstrap", post(bootstrap))
            .route("/worker/deliveries", post(deliveries))
            .route("/graphql", post(graphql).get(socket))
            .with_state(api.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        api
    }

    fn change<T>(&self, change: impl FnOnce(&mut Held) -> T) -> T {
        change(&mut self.held.lock().unwrap())
    }

    /// The boot is refused with this status.
    pub fn refuse_boot(&self, status: u16) {
        self.change(|held| held.boot = Err(status));
    }

    /// A new generation is the current one.
    pub fn supersede(&self, generation: &str) {
        self.change(|held| {
            held.generation = generation.to_owned();
            if let Ok(boot) = &mut held.boot {
                boot["launchGeneration"] = json!(generation);
            }
        });
    }

    /// Nothing is answered any more, and all sockets are closed; or all is well again.
    pub fn set_down(&self, down: bool) {
        self.change(|held| held.down = down);
        self.cut.send_modify(|cut| *cut += 1);
    }

    /// What every report is answered from now on.
    pub fn answer(&self, directive: &'static str) {
        self.change(|held| held.directive = directive);
    }

    /// Instructs without tables.
    pub fn instruct(&self, directive: &str) {
        self.instruction.send_replace(json!({"directive": directive, "tables": []}));
    }

    /// Asks for exactly these tables; the id of each is its name.
    pub fn snapshot(&self, names: &[&str]) {
        let tables: Vec<Value> = names.iter().map(|name| json!({"id": name, "syncRunId": "run-1", "tableName": name})).collect();
        self.instruction.send_replace(json!({"directive": "SNAPSHOT", "syncRunId": "run-1", "tables": tables}));
    }

    /// Asks for one table under another id than its name.
    pub fn snapshot_as(&self, id: &str, name: &str) {
        let tables = json!([{"id": id, "syncRunId": "run-1", "tableName": name}]);
        self.instruction.send_replace(json!({"directive": "SNAPSHOT", "tables": tables}));
    }

    /// What is to be delivered from now on.
    pub fn deliver(&self, subscriptions: &Value) {
        self.change(|held| held.deliveries = subscriptions.clone());
        self.instruction.send_modify(|instruction| instruction["deliveries"] = json!(subscriptions.to_string()));
    }

    /// Asks for a backfill of a subscription, or no longer.
    pub fn backfill(&self, asked: Option<(&str, &str)>) {
        self.instruction.send_modify(|instruction| {
            instruction["directive"] = json!(if asked.is_some() { "BACKFILL" } else { "RUN" });
            instruction["backfillId"] = json!(asked.map(|(id, _)| id));
            instruction["subscription"] = asked.map_or(Value::Null, |(_, subscription)| json!({"id": subscription}));
        });
    }

    /// The backfills that were confirmed so far.
    pub fn confirmed(&self) -> Vec<String> {
        self.change(|held| held.confirmed.clone())
    }

    /// The sum of a count over all reports, each batch counted once.
    pub fn counted(&self, count: impl Fn(&Value) -> i64) -> i64 {
        self.change(|held| held.counted.iter().map(|(_, row)| count(row)).sum())
    }

    /// What was consumed, delivered and rejected.
    pub fn consumption(&self) -> [i64; 3] {
        ["consumedCount", "deliveredCount", "errorCount"].map(|count| self.counted(|row| row[count].as_i64().unwrap()))
    }

    /// The lag that was reported last.
    pub fn lag(&self) -> Option<i64> {
        self.change(|held| held.counted.last().and_then(|(_, row)| row["consumerLag"].as_i64()))
    }

    /// The states reported so far.
    pub fn states(&self) -> Vec<(String, Option<String>)> {
        self.change(|held| held.states.clone())
    }

    /// How often a socket was opened.
    pub fn sockets(&self) -> usize {
        self.change(|held| held.sockets)
    }

    /// Every report of a table, as (status, rows, reason).
    pub fn reports(&self, table: &str) -> Vec<(String, i64, Option<String>)> {
        let of = |report: &&Value| report["syncTableId"] == table;
        let read = |report: &Value| {
            let reason = report["errorReason"].as_str().map(str::to_owned);
            (report["status"].as_str().unwrap().to_owned(), report["rowsIngested"].as_i64().unwrap(), reason)
        };
        self.change(|held| held.tables.iter().filter(of).map(read).collect())
    }

    /// Waits for a worker's state.
    pub async fn reported(&self, state: &str) -> Option<String> {
        let all = || self.states();
        until(state, || all().into_iter().rev().find(|(reported, _)| reported == state).map(|(_, reason)| reason)).await
    }

    /// Waits until so many rows of a table were reported.
    pub async fn rows(&self, table: &str, least: i64) {
        until(table, || self.reports(table).last().filter(|(_, rows, _)| *rows >= least).map(|_| ())).await;
    }

    /// Waits for a table's end.
    pub async fn ended(&self, table: &str) -> (String, i64, Option<String>) {
        until(table, || self.reports(table).last().filter(|(status, ..)| status == "COMPLETED" || status == "FAILED").cloned()).await
    }
}

/// Waits for what must come.
pub async fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

fn refused(status: u16, code: &str) -> Response {
    let body = json!({"errors": [{"message": "refused", "extensions": {"code": code}}]});
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}

async fn bootstrap(State(api): State<Api>, headers: HeaderMap) -> Response {
    assert_eq!(headers["authorization"], format!("Bearer {TOKEN}"));
    match api.change(|held| held.boot.clone()) {
        Ok(boot) => Json(boot).into_response(),
        Err(status) => refused(status, "UNAUTHENTICATED"),
    }
}

async fn deliveries(State(api): State<Api>, headers: HeaderMap) -> Response {
    assert_eq!(headers["authorization"], format!("Bearer {TOKEN}"));
    api.change(|held| {
        if held.down {
            return refused(503, "UNAVAILABLE");
        }
        let datamodels = held.boot.as_ref().map(|boot| boot["datamodels"].clone()).unwrap_or_default();
        Json(json!({"datamodels": datamodels, "subscriptions": held.deliveries})).into_response()
    })
}

async fn graphql(State(api): State<Api>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    assert_eq!(headers["authorization"], format!("Bearer {TOKEN}"));
    let input = &body["variables"]["input"];
    api.change(|held| {
        if held.down {
            return refused(503, "UNAVAILABLE");
        }
        let accepted = input["launchGeneration"] == held.generation.as_str();
        let directive = if accepted { held.directive } else { "EXIT" };
        let answer = json!({"accepted": accepted, "directive": directive});
        let field = match body["operationName"].as_str() {
            Some("ReportWorker") => {
                held.states.push((input["state"].as_str().unwrap().to_owned(), input["reason"].as_str().map(str::to_owned)));
                "reportWorker"
            }
            Some("ReportSyncProgress") => {
                if accepted {
                    held.tables.extend(input["tables"].as_array().unwrap().iter().cloned());
                }
                "reportSyncProgress"
            }
            Some(report @ ("ReportProduction" | "ReportConsumption")) => {
                let batch = input["batchId"].as_str().unwrap();
                if accepted && !held.counted.iter().any(|(known, _)| known == batch) {
                    held.counted.extend(input["rows"].as_array().unwrap().iter().map(|row| (batch.to_owned(), row.clone())));
                }
                if report == "ReportProduction" { "reportProduction" } else { "reportConsumption" }
            }
            Some("ConfirmBackfill") => {
                held.confirmed.push(input["backfillId"].as_str().unwrap().to_owned());
                "confirmBackfill"
            }
            other => panic!("the worker sent {other:?}"),
        };
        Json(json!({"data": {field: answer}})).into_response()
    })
}

async fn socket(State(api): State<Api>, upgrade: WebSocketUpgrade) -> Response {
    if api.change(|held| held.down) {
        return refused(503, "UNAVAILABLE");
    }
    upgrade.protocols(["graphql-transport-ws"]).on_upgrade(move |socket| async move {
        let mut cut = api.cut.subscribe();
        tokio::select! {
            _ = cut.changed() => {}
            _ = instruct(&api, socket) => {}
        }
    })
}

/// Speaks `graphql-transport-ws` until the other side is gone.
async fn instruct(api: &Api, mut socket: WebSocket) -> Option<()> {
    let init = receive(&mut socket).await?;
    assert_eq!(init["payload"]["authorization"], format!("Bearer {TOKEN}"));
    send(&mut socket, json!({"type": "ping"})).await?;
    assert_eq!(receive(&mut socket).await?["type"], "pong");
    send(&mut socket, json!({"type": "connection_ack"})).await?;
    let subscribe = receive(&mut socket).await?;
    assert_eq!((&subscribe["type"], &subscribe["payload"]["operationName"]), (&json!("subscribe"), &json!("WorkerDirectives")));
    api.change(|held| held.sockets += 1);
    let mut instruction = api.instruction.subscribe();
    loop {
        let mut present = instruction.borrow_and_update().clone();
        present["syncRunId"] = present.get("syncRunId").cloned().unwrap_or(Value::Null);
        let next = json!({"data": {"workerDirectives": present}});
        send(&mut socket, json!({"type": "next", "id": subscribe["id"], "payload": next})).await?;
        loop {
            tokio::select! {
                changed = instruction.changed() => break changed.ok()?,
                message = receive(&mut socket) => if message?["type"] == "ping" {
                    send(&mut socket, json!({"type": "pong"})).await?;
                },
            }
        }
    }
}

async fn send(socket: &mut WebSocket, message: Value) -> Option<()> {
    socket.send(Message::text(message.to_string())).await.ok()
}

async fn receive(socket: &mut WebSocket) -> Option<Value> {
    loop {
        if let Message::Text(text) = socket.recv().await?.ok()? {
            return serde_json::from_str(&text).ok();
        }
    }
}
