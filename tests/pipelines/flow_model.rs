//! Random changes of pipelines and of all they refer to: `isCompleted` and the state are what a model says after each.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use uuid::Uuid;

use crate::support::Flow;

const PIPELINES: usize = 2;
const SUBSCRIPTIONS: usize = 3;

/// What may happen; numbers say which pipeline, subscription, datamodel or end.
#[derive(Clone, Debug)]
enum Step {
    /// A pipeline gets or loses an end.
    End {
        pipeline: usize,
        source: bool,
        set: bool,
    },
    /// A subscription is made complete or incomplete, enabled or not, moved to a pipeline or out of all.
    Deliver {
        subscription: usize,
        pipeline: Option<usize>,
        datamodel: bool,
        target: bool,
        table: bool,
        enabled: bool,
    },
    /// A subscription is deleted, by the API or by another writer.
    DeleteSubscription {
        subscription: usize,
        by_hand: bool,
    },
    DeleteDatamodel {
        subscription: usize,
    },
    /// The connectors of all subscriptions' targets go, and with them the references.
    DeleteTarget,
    DeletePipeline {
        pipeline: usize,
        with_subscriptions: bool,
    },
    Worker {
        source: bool,
        state: &'static str,
    },
    Run {
        pipeline: usize,
        start: bool,
    },
    /// Another writer says what is not so.
    Lie {
        pipeline: usize,
    },
}

#[derive(Clone, Debug, Default)]
struct Delivery {
    pipeline: Option<usize>,
    datamodel: bool,
    target: bool,
    table: bool,
    enabled: bool,
}

#[derive(Clone, Debug)]
struct Model {
    /// Of each pipeline that is there: whether it has a source and a target.
    pipelines: Vec<Option<(bool, bool)>>,
    deliveries: Vec<Option<Delivery>>,
    workers: [&'static str; 2],
}

impl Model {
    fn completed(&self, pipeline: usize) -> bool {
        self.pipelines[pipeline] == Some((true, true))
            && self.of(pipeline).any(|delivery| delivery.datamodel && delivery.target && delivery.table)
    }

    fn of(&self, pipeline: usize) -> impl Iterator<Item = &Delivery> {
        self.deliveries.iter().flatten().filter(move |delivery| delivery.pipeline == Some(pipeline))
    }

    fn state(&self, pipeline: usize) -> &'static str {
        if !self.completed(pipeline) {
            return "DRAFT";
        }
        let first = ["ERROR", "STOPPING", "BUILDING", "PAUSED"].into_iter().find(|state| self.workers.contains(state));
        if self.of(pipeline).any(|delivery| delivery.enabled) { first.unwrap_or("LIVE") } else { "PAUSED" }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let (pipeline, subscription) = (0..PIPELINES, 0..SUBSCRIPTIONS);
    let into = prop::option::weighted(0.9, 0..PIPELINES);
    let likely = || prop::bool::weighted(0.8);
    let states = prop::sample::select(vec!["BUILDING", "LIVE", "PAUSED", "ERROR", "STOPPING"]);
    prop_oneof![
        3 => (pipeline.clone(), any::<bool>(), likely()).prop_map(|(pipeline, source, set)| Step::End { pipeline, source, set }),
        8 => (subscription.clone(), into, likely(), likely(), likely(), any::<bool>()).prop_map(
            |(subscription, pipeline, datamodel, target, table, enabled)| Step::Deliver { subscription, pipeline, datamodel, target, table, enabled }),
        2 => (subscription.clone(), any::<bool>()).prop_map(|(subscription, by_hand)| Step::DeleteSubscription { subscription, by_hand }),
        2 => subscription.prop_map(|subscription| Step::DeleteDatamodel { subscription }),
        1 => Just(Step::DeleteTarget),
        1 => (pipeline.clone(), any::<bool>()).prop_map(|(pipeline, with_subscriptions)| Step::DeletePipeline { pipeline, with_subscriptions }),
        4 => (any::<bool>(), states).prop_map(|(source, state)| Step::Worker { source, state }),
        3 => (pipeline.clone(), any::<bool>()).prop_map(|(pipeline, start)| Step::Run { pipeline, start }),
        1 => pipeline.prop_map(|pipeline| Step::Lie { pipeline }),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_changed_in_whatever_order_completion_and_state_are_what_the_model_says() {
    let flow = Flow::open().await;
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 12, max_shrink_iters: 30, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 1..30), |steps| {
            runtime.block_on(Life::run(&flow, &steps));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

/// One life of two pipelines and three subscriptions.
struct Life<'f> {
    flow: &'f Flow,
    model: Model,
    pipelines: Vec<Uuid>,
    deliveries: Vec<Uuid>,
    datamodels: Vec<Uuid>,
    /// The target of the subscriptions, which is another than that of the pipelines and can go.
    target: Uuid,
}

impl<'f> Life<'f> {
    async fn run(flow: &'f Flow, steps: &[Step]) {
        // What another life has left would need the workers still.
        sqlx::raw_sql("delete from subscription; delete from pipeline; delete from datamodel")
            .execute(&flow.stage.world.pool)
            .await
            .expect("an empty stage");
        let workers = [(flow.stage.worker, "PAUSED"), (flow.target_worker, "PAUSED")];
        for (worker, state) in workers {
            Self::put(flow, worker, state).await;
        }
        let model = Model { pipelines: vec![Some((true, true)); PIPELINES], deliveries: vec![None; SUBSCRIPTIONS], workers: ["PAUSED"; 2] };
        let mut life = Self {
            flow,
            model,
            pipelines: Vec::new(),
            deliveries: vec![Uuid::nil(); SUBSCRIPTIONS],
            datamodels: Vec::new(),
            target: flow.stage.world.target(flow.stage.team, &Uuid::new_v4().to_string()).await.0,
        };
        for _ in 0..PIPELINES {
            life.pipelines.push(flow.new_pipeline(&Uuid::new_v4().to_string()).await);
        }
        for _ in 0..SUBSCRIPTIONS {
            life.datamodels.push(flow.new_datamodel(&Uuid::new_v4().to_string()).await);
        }
        for step in steps {
            life.take(step).await;
            life.compare(step).await;
        }
    }

    async fn put(flow: &Flow, worker: Uuid, state: &str) {
        let sql = "update worker set state = $2, stop_requested_at = case when $2 = 'STOPPING' then now() end where id = $1";
        sqlx::query(sql).bind(worker).bind(state).execute(&flow.stage.world.pool).await.expect("a state");
    }

    async fn by_hand(&self, sql: &'static str, id: Uuid) {
        sqlx::query(sql).bind(id).execute(&self.flow.stage.world.pool).await.expect("a statement");
    }

    async fn take(&mut self, step: &Step) {
        let root = self.flow.stage.root.clone();
        match *step {
            Step::End { pipeline, source, set } => {
                let Some(ends) = &mut self.model.pipelines[pipeline] else { return };
                *(if source { &mut ends.0 } else { &mut ends.1 }) = set;
                let (field, id) =
                    if source { ("sourceConnectorId", self.flow.stage.connector) } else { ("targetConnectorId", self.flow.target) };
                let input = json!({"pipelineId": self.pipelines[pipeline], field: set.then_some(id)});
                root.change("updatePipeline", input, "__typename").await.data();
            }
            Step::Deliver { .. } => self.deliver(step).await,
            Step::DeleteSubscription { subscription, by_hand } => {
                if self.model.deliveries[subscription].take().is_none() {
                    return;
                }
                let id = self.deliveries[subscription];
                if by_hand {
                    self.by_hand("delete from subscription where id = $1", id).await;
                } else {
                    root.change("deletePipelineSubscription", json!({"pipelineSubscriptionId": id}), "__typename").await.data();
                }
            }
            Step::DeleteDatamodel { subscription } => {
                root.change("deleteDatamodel", json!({"datamodelId": self.datamodels[subscription]}), "__typename").await.data();
                self.datamodels[subscription] = self.flow.new_datamodel(&Uuid::new_v4().to_string()).await;
                self.model.deliveries[subscription].iter_mut().for_each(|delivery| delivery.datamodel = false);
            }
            Step::DeleteTarget => {
                self.by_hand("delete from connector where id = $1", self.target).await;
                self.target = self.flow.stage.world.target(self.flow.stage.team, &Uuid::new_v4().to_string()).await.0;
                self.model.deliveries.iter_mut().flatten().for_each(|delivery| delivery.target = false);
            }
            Step::DeletePipeline { pipeline, with_subscriptions } => {
                if self.model.pipelines[pipeline].take().is_none() {
                    return;
                }
                let input = json!({"pipelineId": self.pipelines[pipeline], "withSubscriptions": with_subscriptions});
                root.change("deletePipeline", input, "__typename").await.data();
                for delivery in &mut self.model.deliveries {
                    if let Some(now) = delivery.as_mut().filter(|delivery| delivery.pipeline == Some(pipeline)) {
                        (now.pipeline, now.enabled) = (None, false);
                        if with_subscriptions {
                            *delivery = None;
                        }
                    }
                }
            }
            Step::Worker { source, state } => {
                let (place, worker) = if source { (0, self.flow.stage.worker) } else { (1, self.flow.target_worker) };
                Self::put(self.flow, worker, state).await;
                self.model.workers[place] = state;
            }
            Step::Run { pipeline, start } => self.start_or_pause(pipeline, start).await,
            Step::Lie { pipeline } => {
                self.by_hand("update pipeline set is_completed = not is_completed where id = $1", self.pipelines[pipeline]).await;
            }
        }
    }

    async fn deliver(&mut self, step: &Step) {
        let Step::Deliver { subscription, pipeline, datamodel, target, table, enabled } = *step else { return };
        let pipeline = pipeline.filter(|pipeline| self.model.pipelines[*pipeline].is_some());
        let mut input = json!({
            "pipelineId": pipeline.map(|pipeline| self.pipelines[pipeline]), "datamodelId": datamodel.then_some(self.datamodels[subscription]),
            "targetConnectorId": target.then_some(self.target), "targetTableName": table.then(|| format!("t{subscription}")), "enabled": enabled});
        let present = self.model.deliveries[subscription].is_some();
        let mutation = if present {
            input["pipelineSubscriptionId"] = json!(self.deliveries[subscription]);
            "updatePipelineSubscription"
        } else {
            input["name"] = json!("s");
            "createPipelineSubscription"
        };
        let reply = self.flow.stage.root.change(mutation, input, "pipelineSubscription { id }").await;
        if pipeline.is_none() && !datamodel && !target && reply.0.get("errors").is_some() {
            // It would belong to nobody; one that did already may stay so.
            assert_eq!(reply.field(), Some("pipelineId"), "{reply:?}");
            return;
        }
        self.deliveries[subscription] = crate::support::id(&reply.data()[mutation]["pipelineSubscription"]["id"]);
        self.model.deliveries[subscription] = Some(Delivery { pipeline, datamodel, target, table, enabled });
    }

    async fn start_or_pause(&mut self, pipeline: usize, start: bool) {
        if self.model.pipelines[pipeline].is_none() {
            return;
        }
        let verb = if start { "startPipeline" } else { "pausePipeline" };
        let reply = self.flow.run(&self.flow.stage.root, verb, self.pipelines[pipeline]).await;
        let refusal = match () {
            () if !start => None,
            () if !self.model.completed(pipeline) => Some("VALIDATION"),
            () if self.model.workers.contains(&"STOPPING") => Some("CONFLICT"),
            () => None,
        };
        if let Some(code) = refusal {
            assert_eq!(reply.code(), code);
            return;
        }
        reply.data();
        self.model
            .deliveries
            .iter_mut()
            .flatten()
            .filter(|delivery| delivery.pipeline == Some(pipeline))
            .for_each(|delivery| delivery.enabled = start);
        if start {
            self.model.workers = self.model.workers.map(|state| if matches!(state, "PAUSED" | "ERROR") { "BUILDING" } else { state });
        } else {
            self.pause(pipeline);
        }
    }

    /// What pausing does to the workers: those of its ends that no enabled subscription needs.
    fn pause(&mut self, pipeline: usize) {
        let ends = self.model.pipelines[pipeline].unwrap_or_default();
        // The source is read by datamodels, the target written by the other pipeline alone.
        let needed = |place: usize| {
            self.model.deliveries.iter().flatten().any(|delivery| {
                let end = |pipeline: usize| {
                    self.model.pipelines[pipeline].is_some_and(|(source, target)| if place == 0 { source } else { target })
                };
                delivery.enabled && (delivery.pipeline.is_some_and(end) || (place == 0 && delivery.datamodel))
            })
        };
        let stops = [ends.0 && !needed(0), ends.1 && !needed(1)];
        for (state, stop) in self.model.workers.iter_mut().zip(stops) {
            if stop && matches!(*state, "BUILDING" | "LIVE" | "ERROR") {
                *state = "STOPPING";
            }
        }
    }

    async fn compare(&self, step: &Step) {
        for (place, id) in self.pipelines.iter().enumerate().filter(|(place, _)| self.model.pipelines[*place].is_some()) {
            let now = self.flow.now(*id).await;
            let expected = (self.model.completed(place), self.model.state(place));
            assert_eq!(
                (now["isCompleted"].as_bool(), now["state"].as_str()),
                (Some(expected.0), Some(expected.1)),
                "after {step:?}: {:#?}",
                self.model
            );
        }
    }
}
