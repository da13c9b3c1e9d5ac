//! The boot: what this worker is, and the opened configuration of its connector.
//!
//! Always holds: the configuration has no `Debug` and reaches no log. A superseded worker gets
//! `None`, which is an order obeyed and no failure; a token that is not taken is one. Not here: what the configuration means (`postgres.rs`).

use std::time::Duration;

use reqwest::{RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::api::{Api, ApiError, Identity, refusal, unreachable};
use super::backoff::Backoff;
use super::error::WorkerError;

/// How long an API that does not answer is waited for.
const PATIENCE: Duration = Duration::from_mins(5);

/// The code of a boot whose token is not taken.
const NO_TOKEN: &str = "UNAUTHENTICATED";

/// The answer of `POST /worker/bootstrap`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Bootstrap {
    worker_id: String,
    launch_generation: String,
    pub(super) connector_name: String,
    pub(super) connector_type: String,
    pub(super) configuration: Value,
    #[serde(default)]
    pub(super) datamodels: Vec<Datamodel>,
}

/// A table of the source that pipelines read, and the topic it is written to.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Datamodel {
    pub(super) source_topic: Option<String>,
    pub(super) config: Option<Value>,
}

#[derive(Deserialize)]
struct Errors {
    #[serde(default)]
    errors: Vec<graphql_client::Error>,
}

impl Bootstrap {
    pub(super) fn identity(&self) -> Identity {
        Identity { worker_id: self.worker_id.clone(), launch_generation: self.launch_generation.clone() }
    }
}

/// Asks until there is an answer; `None` when this worker is not the one that should run.
pub(super) async fn bootstrap(api: &Api) -> Result<Option<Bootstrap>, WorkerError> {
    let deadline = Instant::now() + PATIENCE;
    let mut backoff = Backoff::new();
    loop {
        let reason = match ask(api).await {
            Ok(boot) => return Ok(Some(boot)),
            Err(ApiError::Superseded(reason)) => {
                tracing::info!(%reason, "this worker is superseded; nothing to do");
                return Ok(None);
            }
            Err(ApiError::Refused { code, message }) if code == NO_TOKEN => return Err(WorkerError::NoToken(message)),
            Err(ApiError::Refused { code, message }) => {
                return Err(WorkerError::Refused { what: "the boot", code, message });
            }
            Err(ApiError::Transient(reason)) => reason,
        };
        let wait = backoff.next();
        if Instant::now() + wait > deadline {
            return Err(WorkerError::Unreachable { url: api.url().to_string(), seconds: PATIENCE.as_secs(), reason });
        }
        tracing::warn!(%reason, wait = ?wait, "the API does not answer yet");
        sleep(wait).await;
    }
}

/// The datamodels as they are now.
pub(super) async fn datamodels(api: &Api) -> Result<Vec<Datamodel>, ApiError> {
    #[derive(Deserialize)]
    struct Told {
        datamodels: Vec<Datamodel>,
    }
    let told: Told = read(api.post("worker/deliveries")?).await?;
    Ok(told.datamodels)
}

async fn ask(api: &Api) -> Result<Bootstrap, ApiError> {
    // Superseded is who has a good token of an older generation. Whoever has none may never have had one: that is no order.
    let no_token = |message| ApiError::Refused { code: NO_TOKEN.to_owned(), message };
    read_or(api.post("worker/bootstrap")?, no_token).await
}

/// Sends a request of those that workers alone may make, and reads the answer.
pub(super) async fn read<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ApiError> {
    read_or(request, ApiError::Superseded).await
}

/// The same, with what it means that the token is not taken.
async fn read_or<T: DeserializeOwned>(request: RequestBuilder, no_token: impl FnOnce(String) -> ApiError) -> Result<T, ApiError> {
    let answer = request.send().await.map_err(|error| unreachable(&error))?;
    let status = answer.status();
    let bytes = answer.bytes().await.map_err(|error| unreachable(&error))?;
    if status.is_success() {
        // The text of the parser's error could hold a value of the configuration: only its place is told.
        return serde_json::from_slice(&bytes).map_err(|error| ApiError::Refused {
            code: "UNREADABLE".to_owned(),
            message: format!("the answer is not what was asked for (line {}, column {})", error.line(), error.column()),
        });
    }
    let errors = serde_json::from_slice::<Errors>(&bytes).map(|body| body.errors).unwrap_or_default();
    let message = errors.first().map_or_else(|| format!("the API answered {status}"), |error| error.message.clone());
    Err(match status {
        StatusCode::UNAUTHORIZED => no_token(message),
        StatusCode::CONFLICT => ApiError::Superseded(message),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => ApiError::Transient(message),
        status if status.is_server_error() => ApiError::Transient(message),
        status => match refusal(status, &errors) {
            ApiError::Refused { code, message } => ApiError::Refused { code, message },
            _ => ApiError::Refused { code: status.as_u16().to_string(), message },
        },
    })
}
