//! The demo begins to work: as a client of the public API it starts workers and the snapshot of the shop.
//!
//! Always holds: the snapshot comes last and tells that all of it was done, so a start that died half way is
//! made up for by the next, and what users stopped since stays stopped. The documents are checked against
//! `schema.graphql` when this is compiled. Not here: the processes, which the launcher starts.

use std::net::SocketAddr;
use std::time::Duration;

use graphql_client::{GraphQLQuery, QueryBody, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::connectors::{BILLING, LEGACY, SHOP, WAREHOUSE};
use super::error::DemoError;
use super::history::SYNCS;
use super::tables::TABLES;

/// The connectors whose workers run; the shop's comes first.
const RUNNING: [&str; 4] = [SHOP, WAREHOUSE, BILLING, LEGACY];
const PATIENCE: Duration = Duration::from_secs(20);

/// A 64-bit number, as the schema's scalar of this name.
type BigInt = i64;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "src/demo/start.graphql")]
struct DemoConnectors;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "src/demo/start.graphql")]
struct StartWorker;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "src/demo/start.graphql")]
struct StartSync;

/// Starts the workers of the demo's connectors and the snapshot of the shop, as the user of this token; it must
/// see all of the organisation. Where the snapshot was started before, or there is no shop, it does nothing.
///
/// # Errors
/// When the API cannot be reached or refuses.
pub async fn begin(address: SocketAddr, token: &str) -> Result<(), DemoError> {
    let api = Api { client: reqwest::Client::builder().timeout(PATIENCE).build()?, url: format!("http://{address}/graphql"), token };
    let names = RUNNING.map(str::to_owned).to_vec();
    let found: demo_connectors::ResponseData =
        api.ask(&DemoConnectors::build_query(demo_connectors::Variables { names: Some(names) })).await?;
    let found = found.connectors.nodes;
    let Some(shop) = found.iter().find(|connector| connector.name.as_deref() == Some(SHOP)) else { return Ok(()) };
    if shop.sync_runs.total_count > SYNCS {
        return Ok(());
    }
    for worker in RUNNING.iter().filter_map(|name| found.iter().find(|connector| connector.name.as_deref() == Some(name))?.worker.as_ref())
    {
        let input = start_worker::StartWorkerInput { worker_id: worker.id.clone() };
        let _: start_worker::ResponseData = api.ask(&StartWorker::build_query(start_worker::Variables { input })).await?;
    }
    let tables = TABLES.iter().map(|table| start_sync::SyncTableInput { name: table.full_name(), approximate_row_count: Some(table.rows) });
    let input = start_sync::StartSyncInput { connector_id: shop.id.clone(), tables: tables.collect() };
    let started: start_sync::ResponseData = api.ask(&StartSync::build_query(start_sync::Variables { input })).await?;
    tracing::debug!(sync_run.id = %started.start_sync.sync_run.id, "the snapshot of the demo begins");
    Ok(())
}

/// The public API, as somebody.
struct Api<'a> {
    client: reqwest::Client,
    url: String,
    token: &'a str,
}

impl Api<'_> {
    async fn ask<V: Serialize, D: DeserializeOwned>(&self, body: &QueryBody<V>) -> Result<D, DemoError> {
        let answer = self.client.post(&self.url).bearer_auth(self.token).json(body).send().await?;
        let answer: Response<D> = answer.json().await?;
        match (answer.data, answer.errors.unwrap_or_default().first()) {
            (Some(data), None) => Ok(data),
            (_, Some(error)) => Err(DemoError::Refused(error.message.clone())),
            (None, None) => Err(DemoError::Refused("an answer without data".to_owned())),
        }
    }
}
