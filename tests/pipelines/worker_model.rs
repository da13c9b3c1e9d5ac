//! Random lives of a worker against the table of domain.md section 2, written down once more.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use uuid::Uuid;

use crate::support::Stage;

/// What may happen to a worker.
#[derive(Clone, Copy, Debug)]
enum Step {
    Start,
    Stop,
    Restart,
    /// A report of the present generation, or of one before it.
    Report(&'static str, bool),
}

/// What is to be true of it.
#[derive(Debug)]
struct Model {
    state: &'static str,
    restart: bool,
    /// How many generations were put in place.
    launches: usize,
}

impl Model {
    fn launch(&mut self) {
        *self = Self { state: "BUILDING", restart: false, launches: self.launches + 1 };
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
        2 => Just(Step::Start),
        2 => Just(Step::Stop),
        1 => Just(Step::Restart),
        6 => (state, prop::bool::weighted(0.2)).prop_map(|(state, old)| Step::Report(state, old)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_in_whatever_order_the_state_table_holds() {
    let stage = Stage::open().await;
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 20, max_shrink_iters: 40, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 1..25), |steps| {
            runtime.block_on(live(&stage, &steps));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

/// One life: after every step the row says what the model says.
async fn live(stage: &Stage, steps: &[Step]) {
    let (_, worker) = stage.world.source(stage.team, &Uuid::new_v4().to_string()).await;
    let mut model = Model { state: "PAUSED", restart: false, launches: 0 };
    let mut generations = vec![stage.world.generation(worker).await];
    for step in steps {
        take(stage, worker, &mut model, &generations, *step).await;
        let now = stage.world.generation(worker).await;
        if generations.last() != Some(&now) {
            assert!(!generations.contains(&now));
            generations.push(now);
        }
        assert_eq!(generations.len(), model.launches + 1, "after {step:?}: {model:?}");
        let state: String =
            sqlx::query_scalar("select state from worker where id = $1").bind(worker).fetch_one(&stage.world.pool).await.expect("a state");
        assert_eq!(state, model.state, "after {step:?}: {model:?}");
    }
}

async fn take(stage: &Stage, worker: Uuid, model: &mut Model, generations: &[Uuid], step: Step) {
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
        Step::Report(reported, old) => {
            let superseded = old && generations.len() > 1;
            let generation = generations[generations.len() - 1 - usize::from(superseded)];
            let report = stage.report_of(worker, generation, reported, Some("a reason")).await;
            let expected = if superseded { (false, "EXIT") } else { model.report(reported) };
            assert_eq!(json!([report["accepted"], report["directive"]]), json!([expected.0, expected.1]), "{reported} in {model:?}");
        }
    }
}
