//! Writers that go on through every fault: each asks for one thing until it is answered, then for the next.
//!
//! Always holds: they stop only after an answer, so what the database holds in the end is what was answered, neither more
//! nor less: envs made under idempotency keys, which may have equal names, and their audit rows; batches of counts.
//! Reports, which are repeated until they are answered, do not wait for the disk: where PostgreSQL itself crashes, a batch of
//! the last moment may be gone, as a whole.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::scene::{Scene, TOPIC};
use crate::support::PATIENCE;

pub const CREATE: &str = "mutation($name: String!) { createEnv(input: {name: $name}) { env { id name } } }";
const PRODUCTION: &str = "mutation($input: ReportProductionInput!) { reportProduction(input: $input) { accepted } }";
const REPORT: &str = "mutation($input: ReportWorkerInput!) { reportWorker(input: $input) { accepted } }";
/// Rows of a batch.
const ROWS: i64 = 3;
/// Each writer leaves the processors to the others for so long.
const PACE: Duration = Duration::from_millis(5);
/// PostgreSQL writes what was committed without waiting within 0.6 s; more on a busy machine.
const IN_FLIGHT: Duration = Duration::from_secs(2);

/// What was answered, and when.
#[derive(Default)]
pub struct Written {
    envs: Vec<(String, Instant)>,
    batches: Vec<(i64, Instant)>,
    /// The last state that was reported, by its reason, a number that rises.
    states: Vec<(i64, Instant)>,
}

impl Written {
    /// How often the kind was answered that was answered least since then.
    fn least_since(&self, since: Instant) -> usize {
        let envs = self.envs.iter().filter(|(_, at)| *at > since).count();
        let batches = self.batches.iter().filter(|(_, at)| *at > since).count();
        envs.min(batches).min(self.states.iter().filter(|(_, at)| *at > since).count())
    }
}

/// Writers at work.
pub struct Writing {
    written: watch::Sender<Written>,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Writing {
    pub fn begin(scene: &Scene) -> Self {
        let (written, stop) = (watch::Sender::<Written>::default(), CancellationToken::new());
        let mut tasks = Vec::new();
        for writer in ["a", "b"] {
            let client = (scene.root.clone(), written.clone());
            tasks.push(repeat(stop.clone(), move |number| {
                let (root, told) = client.clone();
                async move {
                    let name = format!("written {writer} {number:04}");
                    let made = root.insist(Some(&name), CREATE, json!({"name": name})).await;
                    assert_eq!(made["createEnv"]["env"]["name"], name);
                    told.send_modify(|written| written.envs.push((name, Instant::now())));
                }
            }));
        }
        let (client, who) =
            ((scene.reporter.clone(), written.clone()), json!({"workerId": scene.worker, "launchGeneration": scene.generation}));
        for kind in [PRODUCTION, REPORT] {
            let (client, who) = (client.clone(), who.clone());
            tasks.push(repeat(stop.clone(), move |number| {
                let ((reporter, told), mut input) = (client.clone(), who.clone());
                async move {
                    if kind == PRODUCTION {
                        input["batchId"] = number.to_string().into();
                        input["rows"] = (0..ROWS).map(|row| counted(number * ROWS + row)).collect();
                    } else {
                        (input["state"], input["reason"]) = ("ERROR".into(), number.to_string().into());
                    }
                    let taken = reporter.insist(None, kind, json!({"input": input})).await;
                    assert!(taken["reportProduction"]["accepted"] == true || taken["reportWorker"]["accepted"] == true, "{taken}");
                    let answered = (number, Instant::now());
                    told.send_modify(
                        |written| if kind == PRODUCTION { written.batches.push(answered) } else { written.states.push(answered) },
                    );
                }
            }));
        }
        Self { written, stop, tasks }
    }

    /// Waits until every kind was answered so often since then; answers the last state.
    pub async fn goes_on(&self, since: Instant, often: usize) -> i64 {
        let mut told = self.written.subscribe();
        let written = timeout(PATIENCE, told.wait_for(|written| written.least_since(since) >= often)).await;
        let written = written.expect("what is written is answered in time").expect("writers");
        written.states.last().expect("a state").0
    }

    /// Stops them; answers what was answered.
    pub async fn end(self) -> Written {
        self.stop.cancel();
        for task in self.tasks {
            task.await.expect("a writer ends well");
        }
        self.written.send_replace(Written::default())
    }
}

/// Does something again and again until it is to stop.
fn repeat<F: Future<Output = ()> + Send>(stop: CancellationToken, act: impl Fn(i64) -> F + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(async move {
        for number in 0.. {
            act(number).await;
            if stop.run_until_cancelled(sleep(PACE)).await.is_none() {
                return;
            }
        }
    })
}

/// A row that counts one more than this number.
fn counted(number: i64) -> Value {
    let now = chrono::Utc::now().timestamp_millis();
    json!({"topic": TOPIC, "fromTs": now - 60_000, "toTs": now, "events": {"c": number + 1}})
}

impl Written {
    /// Compares what was answered with what the database holds; PostgreSQL itself crashed within these times.
    pub async fn check(self, pool: &PgPool, crashes: &[(Instant, Instant)]) {
        let mut answered: Vec<String> = self.envs.into_iter().map(|(name, _)| name).collect();
        answered.sort();
        let made = "select name from env where name like 'written%' order by name collate \"C\"";
        let audited = "select entity_name from pumphouse.audit_detail where entity_name like 'written%' and action = 'create' order by entity_name collate \"C\"";
        for sql in [made, audited] {
            let held: Vec<String> = sqlx::query_scalar(sql).fetch_all(pool).await.expect("names");
            assert!(
                held == answered,
                "{sql}: {} are held, {} were answered: {}",
                held.len(),
                answered.len(),
                differences(&held, &answered)
            );
        }
        let counts: Vec<i64> =
            sqlx::query_scalar("select (events->>'c')::bigint from production_metric order by 1").fetch_all(pool).await.expect("counts");
        let mut held: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for count in counts {
            held.entry((count - 1) / ROWS).or_default().push((count - 1) % ROWS);
        }
        assert!(held.values().all(|rows| *rows == [0, 1, 2]), "a batch is there twice or in part: {held:?}");
        let mut lost = 0;
        for (batch, at) in &self.batches {
            let crashed = crashes.iter().any(|(from, to)| *at < *to && *at + IN_FLIGHT > *from);
            assert!(held.contains_key(batch) || crashed, "batch {batch} was answered and is lost");
            lost += usize::from(!held.contains_key(batch));
        }
        assert_eq!(held.len() + lost, self.batches.len(), "there are batches that were never answered");
        let claims: i64 = sqlx::query_scalar("select count(*) from pumphouse.metric_batch").fetch_one(pool).await.expect("a count");
        assert_eq!(usize::try_from(claims).expect("few"), held.len());
        println!("  {} mutations and {} batches answered, {lost} batches gone with a crash", answered.len(), self.batches.len());
    }
}

fn differences(held: &[String], answered: &[String]) -> String {
    let only = |one: &[String], other: &[String]| one.iter().filter(|name| !other.contains(name)).cloned().collect::<Vec<_>>().join(", ");
    format!("held alone: {}; answered alone: {}", only(held, answered), only(answered, held))
}
