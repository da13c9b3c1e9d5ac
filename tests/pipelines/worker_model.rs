//! Random lives of a worker against the table of domain.md section 2, written down once more.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use pumphouse::core::leader::Job as _;
use pumphouse::pipelines::{Watchdog, WorkerTimings};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Spy, Stage, TestSettings};

/// What may happen to a worker.
#[derive(Clone, Copy, Debug)]
enum Step {
    Start,
    Stop,
    Restart,
    /// A report of the present generation, or of one before it, with a clock that is off by so many hours.
    Report(&'static str, bool, i64),
    /// More time passes than anybody is waited for, and the watchdog looks.
    TimePasses,
    /// The leader's session ends; another one leads.
    NewLeader,
}

/// What is to be true of it.
#[derive(Debug)]
struct Model {
    state: &'static str,
    restart: bool,
    /// Whether the present generation has reported since it was launched.
    heard: bool,
    /// How many generations were put in place.
    launches: usize,
}

impl Model {
    fn launch(&mut self) {
        *self = Self { state: "BUILDING", restart: false, heard: false, launches: self.launches + 1 };
    }

    /// What becomes of a worker of which nothing is heard for longer than anything may take.
    fn time_passes(&mut self) {
        match self.state {
            "STOPPING" => {
                self.launches += usize::from(!self.restart);
                self.pause();
            }
            "BUILDING" if !self.heard => {
                self.launches += 1;
                self.state = "ERROR";
            }
            _ => {}
        }
    }

    fn pause(&mut self) {
        self.state = "PAUSED";
        if self.restart {
            self.launch();
        }
    }

    fn stop(&mut self) {
        self.restart = false;
        if matches!(self.state, "BUILDING" | "LIVE" | "ERROR") {
            self.state = "STOPPING";
        }
    }

    /// What a report of the present generation is answered: accepted, directive.
    fn report(&mut self, reported: &'static str) -> (bool, &'static str) {
        self.heard |= self.state != "PAUSED";
        match (self.state, reported) {
            ("PAUSED", reported) => (reported == "PAUSED", "EXIT"),
            ("STOPPING", "BUILDING" | "LIVE") => (false, "STOP"),
            (_, "PAUSED") | ("STOPPING", _) => {
                self.pause();
                (true, "EXIT")
            }
            (_, reported) => {
                self.state = reported;
                (true, "RUN")
            }
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let state = prop::sample::select(vec!["BUILDING", "LIVE", "PAUSED", "ERROR"]);
    prop_oneof![
        8 => Just(Step::Start),
        8 => Just(Step::Stop),
        5 => Just(Step::Restart),
        24 => (state, prop::bool::weighted(0.2), -30_i64..30).prop_map(|(state, old, off)| Step::Report(state, old, off)),
        6 => Just(Step::TimePasses),
        1 => Just(Step::NewLeader),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_in_whatever_order_the_state_table_holds() {
    let spy = Arc::new(Spy::default());
    let stage = Stage::open_with(TestSettings { jobs: vec![spy.clone()], ..TestSettings::default() }).await;
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 30, max_shrink_iters: 40, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 1..40), |steps| {
            runtime.block_on(live(&stage, &spy, &steps));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

/// One life: after every step the row says what the model says.
async fn live(stage: &Stage, spy: &Spy, steps: &[Step]) {
    let (_, worker) = stage.world.source(stage.team, &Uuid::new_v4().to_string()).await;
    let mut model = Model { state: "PAUSED", restart: false, heard: false, launches: 0 };
    let mut generations = vec![stage.world.generation(worker).await];
    for step in steps {
        take(stage, spy, worker, &mut model, &generations, *step).await;
        let now = stage.world.generation(worker).await;
        if generations.last() != Some(&now) {
            assert!(!generations.contains(&now));
            generations.push(now);
        }
        assert_eq!(generations.len(), model.launches + 1, "after {step:?}: {model:?}");
        let state: String =
            sqlx::query_scalar("select state from worker where id = $1").bind(worker).fetch_one(&stage.world.pool).await.expect("a state");
        assert_eq!(state, model.state, "after {step:?}: {model:?}");
        consistent(stage, worker).await;
    }
}

/// What holds of every worker at every instant: its launch is its generation's, its list of transitions ends with its state, and
/// no health is announced of one that does not run.
async fn consistent(stage: &Stage, worker: Uuid) {
    let sound = "select w.launch_generation = l.generation and (w.state = 'STOPPING') = (w.stop_requested_at is not null)
            and (w.state not in ('PAUSED', 'ERROR') or l.announced_health = 'INACTIVE')
            and w.state = (select x.to_state from pumphouse.worker_transition x where x.worker_id = w.id order by x.seq desc limit 1)
        from worker w join pumphouse.worker_launch l on l.worker_id = w.id where w.id = $1";
    assert!(sqlx::query_scalar::<_, bool>(sound).bind(worker).fetch_one(&stage.world.pool).await.expect("a worker"));
}

async fn take(stage: &Stage, spy: &Spy, worker: Uuid, model: &mut Model, generations: &[Uuid], step: Step) {
    match step {
        Step::Start => {
            let reply = stage.command(&stage.root, "startWorker", worker).await;
            match model.state {
                "STOPPING" => assert_eq!(reply.code(), "CONFLICT"),
                "PAUSED" | "ERROR" => {
                    reply.data();
                    model.launch();
                }
                _ => assert_eq!(reply.data()["startWorker"]["worker"]["state"], model.state),
            }
        }
        Step::Stop => {
            stage.command(&stage.root, "stopWorker", worker).await.data();
            model.stop();
        }
        Step::Restart => {
            stage.command(&stage.root, "restartWorker", worker).await.data();
            if model.state == "PAUSED" {
                model.launch();
            } else {
                model.stop();
                model.restart = true;
            }
        }
        Step::Report(reported, old, off) => {
            let superseded = old && generations.len() > 1;
            let generation = generations[generations.len() - 1 - usize::from(superseded)];
            let sent = (chrono::Utc::now() + chrono::Duration::hours(off)).to_rfc3339();
            let input =
                json!({"workerId": worker, "launchGeneration": generation, "state": reported, "reason": "a reason", "sentAt": sent});
            let report = "mutation($i: ReportWorkerInput!) { reportWorker(input: $i) { accepted refusal directive } }";
            let report = stage.server.worker(worker, generation).ask_with(report, json!({"i": input})).await.data()["reportWorker"].clone();
            let expected = if superseded { (false, "EXIT") } else { model.report(reported) };
            assert_eq!(json!([report["accepted"], report["directive"]]), json!([expected.0, expected.1]), "{reported} in {model:?}");
            let refusal = match expected {
                (true, _) => Value::Null,
                _ if superseded => json!("SUPERSEDED"),
                (false, "STOP") => json!("STOPPING"),
                (false, _) => json!("PAUSED"),
            };
            assert_eq!(report["refusal"], refusal);
        }
        Step::TimePasses => {
            time_passes(stage, spy, worker).await;
            model.time_passes();
        }
        Step::NewLeader => {
            spy.forget();
            stage.new_leader().await;
            spy.forget();
        }
    }
}

/// Moves whatever the watchdog waits for into the past, and has it look.
async fn time_passes(stage: &Stage, spy: &Spy, worker: Uuid) {
    // At once: the leader's own watchdog could launch the worker in between, and the new launch would be moved too.
    let mut past = stage.world.pool.begin().await.expect("a transaction");
    for sql in [
        "update worker set stop_requested_at = now() - interval '1 day' where id = $1 and state = 'STOPPING'",
        "update worker set last_heartbeat_at = now() - interval '1 day' where id = $1 and last_heartbeat_at is not null",
        "update pumphouse.worker_launch set asked_at = now() - interval '1 day' where worker_id = $1 and asked_at is not null",
        "update pumphouse.leader set hearing_since = now() - interval '2 days' where $1::uuid is not null",
    ] {
        sqlx::query(sql).bind(worker).execute(&mut *past).await.expect("a past");
    }
    past.commit().await.expect("a past");
    let watchdog = Watchdog { timings: WorkerTimings::default() };
    watchdog.run(&spy.system().await).await.expect("a sweep");
}
