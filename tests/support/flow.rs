//! A pipeline with its two connectors, made and changed as clients do it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Caller, Reply, Stage, id};

impl Caller {
    /// Asks for a mutation with this input, and for these fields of its payload.
    pub async fn change(&self, mutation: &str, input: Value, selection: &str) -> Reply {
        let (first, rest) = mutation.split_at(1);
        let document = format!("mutation($input: {}{rest}Input!) {{ {mutation}(input: $input) {{ {selection} }} }}", first.to_uppercase());
        self.ask_with(&document, json!({"input": input})).await
    }
}

/// The stage with a target beside the source, and a pipeline between them that is complete and not enabled.
pub struct Flow {
    pub stage: Stage,
    pub target: Uuid,
    pub target_worker: Uuid,
    pub datamodel: Uuid,
    pub pipeline: Uuid,
    pub subscription: Uuid,
}

impl Flow {
    /// Opens the stage and makes the pipeline through the API.
    pub async fn open() -> Self {
        Self::on(Stage::open().await).await
    }

    /// The same on a stage.
    pub async fn on(stage: Stage) -> Self {
        let (target, target_worker) = stage.world.target(stage.team, "warehouse").await;
        let nowhere = Uuid::nil();
        let mut flow = Self { stage, target, target_worker, datamodel: nowhere, pipeline: nowhere, subscription: nowhere };
        flow.datamodel = flow.new_datamodel("orders").await;
        flow.pipeline = flow.new_pipeline("shop to warehouse").await;
        flow.subscription = flow.new_subscription(flow.pipeline, flow.datamodel, "orders").await;
        flow
    }

    /// A datamodel of the source.
    pub async fn new_datamodel(&self, name: &str) -> Uuid {
        let input = json!({"sourceConnectorId": self.stage.connector, "name": name, "sourceTopic": format!("shop.{name}")});
        id(&self.stage.root.change("createDatamodel", input, "datamodel { id }").await.data()["createDatamodel"]["datamodel"]["id"])
    }

    /// A pipeline from the source to the target, without subscriptions.
    pub async fn new_pipeline(&self, name: &str) -> Uuid {
        let input = json!({"teamId": self.stage.team, "name": name, "sourceConnectorId": self.stage.connector,
            "targetConnectorId": self.target, "datamodelId": null});
        id(&self.stage.root.change("createPipeline", input, "pipeline { id }").await.data()["createPipeline"]["pipeline"]["id"])
    }

    /// A subscription that is complete and not enabled.
    pub async fn new_subscription(&self, pipeline: Uuid, datamodel: Uuid, table: &str) -> Uuid {
        let input = json!({"pipelineId": pipeline, "datamodelId": datamodel, "targetConnectorId": self.target, "targetTableName": table,
            "name": table});
        let reply = self.stage.root.change("createPipelineSubscription", input, "pipelineSubscription { id }").await;
        id(&reply.data()["createPipelineSubscription"]["pipelineSubscription"]["id"])
    }

    /// Starts or pauses a pipeline.
    pub async fn run(&self, caller: &Caller, verb: &str, pipeline: Uuid) -> Reply {
        let selection = match verb {
            "pausePipeline" => "pipeline { state version } workersLeftRunning { id } syncRunsLeftRunning { id }",
            _ => "pipeline { state version }",
        };
        caller.change(verb, json!({"pipelineId": pipeline}), selection).await
    }

    /// Starts the pipeline and has both workers report LIVE; answers their generations.
    pub async fn live(&self) -> (Uuid, Uuid) {
        self.run(&self.stage.root, "startPipeline", self.pipeline).await.data();
        let ends = (self.stage.generation().await, self.stage.world.generation(self.target_worker).await);
        self.stage.report(ends.0, "LIVE", None).await;
        self.stage.report_of(self.target_worker, ends.1, "LIVE", None).await;
        ends
    }

    /// The pipeline as a query shows it.
    pub async fn now(&self, pipeline: Uuid) -> Value {
        let query = "query($id: ID!) { pipeline(id: $id) { name version isCompleted state health degradedParts { part fault worker { id } }
            pipelineSubscriptions { nodes { id enabled backfill } } } }";
        self.stage.root.ask_with(query, json!({"id": pipeline})).await.data()["pipeline"].clone()
    }

    /// The version of the pipeline.
    pub async fn version(&self) -> i64 {
        self.now(self.pipeline).await["version"].as_i64().expect("a version")
    }

    /// Everything that mutations of flows write, for comparing before and after a refusal.
    pub async fn written(&self) -> String {
        let tables = ["datamodel", "pipeline", "subscription", "worker", "pumphouse.backfill_request", "user_log"];
        let all = tables.map(|table| format!("(select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]') from {table} t)"));
        let sql = sqlx::AssertSqlSafe(format!("select jsonb_build_array({})::text", all.join(", ")));
        sqlx::query_scalar(sql).fetch_one(&self.stage.world.pool).await.expect("the tables")
    }
}
