//! What a worker tells the API of the rows that it has moved.
//!
//! Always holds: a report has a name under which it counts once, however often it is sent. Not here: when to try again
//! (`production.rs`, `target/consumption.rs`).

use graphql_client::GraphQLQuery;

use super::api::{Api, ApiError, Identity, WorkerDirective};

/// A 64-bit number, as the schema's scalar of this name.
type BigInt = i64;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/report_production.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq",
    extern_enums("WorkerDirective")
)]
pub(super) struct ReportProduction;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/report_consumption.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq",
    extern_enums("WorkerDirective")
)]
pub(super) struct ReportConsumption;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/confirm_backfill.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq",
    extern_enums("WorkerDirective")
)]
pub(super) struct ConfirmBackfill;

impl Api {
    /// Reports what was handed over, under a name that makes it count once.
    pub(super) async fn report_production(
        &self,
        who: &Identity,
        batch_id: String,
        rows: Vec<report_production::ProductionRowInput>,
    ) -> Result<report_production::ReportProductionReportProduction, ApiError> {
        let Identity { worker_id, launch_generation } = who.clone();
        let input = report_production::ReportProductionInput { worker_id, launch_generation, batch_id, rows };
        let body = ReportProduction::build_query(report_production::Variables { input });
        let data: report_production::ResponseData = self.execute(&body).await?;
        Ok(data.report_production)
    }

    /// Reports what was read and delivered, under a name that makes it count once.
    pub(super) async fn report_consumption(
        &self,
        who: &Identity,
        batch_id: String,
        rows: Vec<report_consumption::ConsumptionRowInput>,
    ) -> Result<report_consumption::ReportConsumptionReportConsumption, ApiError> {
        let Identity { worker_id, launch_generation } = who.clone();
        let input = report_consumption::ReportConsumptionInput { worker_id, launch_generation, batch_id, rows };
        let body = ReportConsumption::build_query(report_consumption::Variables { input });
        let data: report_consumption::ResponseData = self.execute(&body).await?;
        Ok(data.report_consumption)
    }

    /// Confirms that a backfill is done.
    pub(super) async fn confirm_backfill(
        &self,
        who: &Identity,
        backfill_id: String,
    ) -> Result<confirm_backfill::ConfirmBackfillConfirmBackfill, ApiError> {
        let Identity { worker_id, launch_generation } = who.clone();
        let input = confirm_backfill::ConfirmBackfillInput { worker_id, launch_generation, backfill_id };
        let data: confirm_backfill::ResponseData =
            self.execute(&ConfirmBackfill::build_query(confirm_backfill::Variables { input })).await?;
        Ok(data.confirm_backfill)
    }
}
