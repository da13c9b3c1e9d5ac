//! The public API as the worker uses it: one HTTP client, and the documents, which are files checked
//! against `schema.graphql` when this is compiled. `fleet` sends documents of its own through it; what was moved is told in `counts.rs`.
//!
//! Always holds: the token goes to the configured address only (no redirect is followed) and is in no
//! error; every failure says whether trying again can help. Not here: when to try again (the callers),
//! the boot (`bootstrap.rs`), the socket (`directives.rs`).

use std::error::Error as _;
use std::time::Duration;

use graphql_client::{GraphQLQuery, QueryBody, Response};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::core::secret::Secret;

use super::error::WorkerError;
use super::settings::Settings;

pub(super) use report_sync_progress::SyncTableProgressInput;
pub(crate) use report_sync_progress::SyncTableStatus;
pub(crate) use report_worker::{WorkerDirective, WorkerState};

const USER_AGENT: &str = concat!("pumphouse-worker/", env!("CARGO_PKG_VERSION"));
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A 64-bit number, as the schema's scalar of this name.
type BigInt = i64;
/// A point in time, as the schema's scalar of this name.
type DateTime = String;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/report_worker.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq"
)]
pub(super) struct ReportWorker;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/report_sync_progress.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq",
    extern_enums("WorkerDirective")
)]
pub(super) struct ReportSyncProgress;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "src/worker/documents/worker_directives.graphql",
    variables_derives = "Debug, Clone, PartialEq",
    response_derives = "Debug, Clone, PartialEq",
    extern_enums("WorkerDirective")
)]
pub(super) struct WorkerDirectives;

/// How a call can fail.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// Trying again may help.
    #[error("{0}")]
    Transient(String),
    /// The token is no longer worth anything: another generation runs, or it was revoked.
    #[error("{0}")]
    Superseded(String),
    /// The same call would be refused again.
    #[error("{message} ({code})")]
    Refused { code: String, message: String },
}

/// The client, and who it speaks for.
pub(crate) struct Api {
    client: Client,
    url: Url,
    /// Without a token for a sign-in only.
    authorization: Option<HeaderValue>,
}

/// Who a report is about.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) worker_id: String,
    pub(super) launch_generation: String,
}

impl Api {
    pub(super) fn new(settings: &Settings) -> Result<Self, WorkerError> {
        Self::with(client(USER_AGENT)?, settings.url.clone(), Some(&settings.token))
    }

    /// The API at this address for whoever holds this token, over the connections of this client.
    pub(crate) fn with(client: Client, url: Url, token: Option<&Secret<String>>) -> Result<Self, WorkerError> {
        Ok(Self { client, url, authorization: token.map(bearer).transpose()? })
    }

    /// The address that all paths are joined to.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The value of the `Authorization` header, for the socket's first message.
    pub(super) fn authorization(&self) -> &str {
        self.authorization.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// A `GET` with the token.
    pub(super) fn get(&self, path: &str) -> Result<RequestBuilder, ApiError> {
        Ok(self.authorized(self.client.get(self.address(path)?)))
    }

    /// A `POST` with the token.
    pub(super) fn post(&self, path: &str) -> Result<RequestBuilder, ApiError> {
        Ok(self.authorized(self.client.post(self.address(path)?)).timeout(ANSWER_TIMEOUT))
    }

    fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.authorization {
            Some(authorization) => request.header(AUTHORIZATION, authorization.clone()),
            None => request,
        }
    }

    fn address(&self, path: &str) -> Result<Url, ApiError> {
        self.url.join(path).map_err(|error| ApiError::Transient(error.to_string()))
    }

    /// Reports the worker's state.
    pub(super) async fn report_worker(
        &self,
        who: &Identity,
        state: WorkerState,
        reason: Option<String>,
    ) -> Result<report_worker::ReportWorkerReportWorker, ApiError> {
        let Identity { worker_id, launch_generation } = who.clone();
        let input = report_worker::ReportWorkerInput { worker_id, launch_generation, state, reason, sent_at: Some(own_clock()) };
        let data: report_worker::ResponseData = self.execute(&ReportWorker::build_query(report_worker::Variables { input })).await?;
        Ok(data.report_worker)
    }

    /// Reports how far tables are.
    pub(super) async fn report_sync_progress(
        &self,
        who: &Identity,
        tables: Vec<SyncTableProgressInput>,
    ) -> Result<report_sync_progress::ReportSyncProgressReportSyncProgress, ApiError> {
        let Identity { worker_id, launch_generation } = who.clone();
        let input = report_sync_progress::ReportSyncProgressInput { worker_id, launch_generation, tables };
        let body = ReportSyncProgress::build_query(report_sync_progress::Variables { input });
        let data: report_sync_progress::ResponseData = self.execute(&body).await?;
        Ok(data.report_sync_progress)
    }

    pub(super) async fn execute<V: Serialize, D: DeserializeOwned>(&self, body: &QueryBody<V>) -> Result<D, ApiError> {
        self.execute_once(body, None).await
    }

    /// Executes a document; with a key, however often it is sent under it.
    pub(crate) async fn execute_once<V: Serialize, D: DeserializeOwned>(
        &self,
        body: &QueryBody<V>,
        key: Option<&str>,
    ) -> Result<D, ApiError> {
        let mut request = self.post("graphql")?.json(body);
        if let Some(key) = key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        let status = answer.status();
        let bytes = answer.bytes().await.map_err(|error| unreachable(&error))?;
        match serde_json::from_slice::<Response<D>>(&bytes) {
            Ok(Response { data: Some(data), errors: None, .. }) => Ok(data),
            Ok(Response { errors: Some(errors), .. }) => Err(refusal(status, &errors)),
            _ => Err(refusal(status, &[])),
        }
    }
}

/// The header that carries a token; it is kept out of what is printed.
fn bearer(token: &Secret<String>) -> Result<HeaderValue, WorkerError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.reveal()))
        .map_err(|_| WorkerError::Client("the token does not fit into a header".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// An HTTP client that follows nobody elsewhere.
pub(crate) fn client(user_agent: &str) -> Result<Client, WorkerError> {
    Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(Policy::none())
        .user_agent(user_agent)
        .build()
        .map_err(|error| WorkerError::Client(error.to_string()))
}

/// What this machine takes the time to be, which the server shows where it is off and never goes by.
fn own_time() -> chrono::DateTime<chrono::Utc> {
    #[expect(clippy::disallowed_methods, reason = "it is told, not used")]
    chrono::Utc::now()
}

fn own_clock() -> DateTime {
    own_time().to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}

/// The same in milliseconds since 1970.
pub(super) fn own_clock_millis() -> i64 {
    own_time().timestamp_millis()
}

/// What a failed answer means, from its codes or else from its status.
pub(super) fn refusal(status: StatusCode, errors: &[graphql_client::Error]) -> ApiError {
    let message = errors.first().map_or_else(|| format!("the API answered {status}"), |error| error.message.clone());
    let extensions = errors.first().and_then(|error| error.extensions.as_ref());
    match extensions.and_then(|extensions| extensions.get("code")).and_then(serde_json::Value::as_str) {
        Some("UNAUTHENTICATED") => ApiError::Superseded(message),
        Some("INTERNAL" | "UNAVAILABLE" | "TIMEOUT" | "RATE_LIMITED") => ApiError::Transient(message),
        Some(code) => ApiError::Refused { code: code.to_owned(), message },
        None if status == StatusCode::UNAUTHORIZED => ApiError::Superseded(message),
        None => ApiError::Transient(message),
    }
}

/// A failure on the way.
pub(super) fn unreachable(error: &reqwest::Error) -> ApiError {
    ApiError::Transient(with_causes(error))
}

/// A failure on the way with its causes, which reqwest keeps out of its own text.
pub(crate) fn with_causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(status: u16, code: &str) -> ApiError {
        let errors: Vec<graphql_client::Error> = serde_json::from_value(json!([{"message": "no", "extensions": {"code": code}}])).unwrap();
        refusal(StatusCode::from_u16(status).unwrap(), &errors)
    }

    #[test]
    fn an_error_says_whether_trying_again_helps() {
        assert!(matches!(refused(200, "UNAUTHENTICATED"), ApiError::Superseded(_)));
        assert!(matches!(refused(200, "UNAVAILABLE"), ApiError::Transient(_)));
        assert!(matches!(refused(200, "VALIDATION"), ApiError::Refused { .. }));
        assert!(matches!(refusal(StatusCode::BAD_GATEWAY, &[]), ApiError::Transient(_)));
        assert!(matches!(refusal(StatusCode::UNAUTHORIZED, &[]), ApiError::Superseded(_)));
    }
}
