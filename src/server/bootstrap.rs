//! What workers alone are handed, in plain JSON rather than GraphQL, so that no query of anybody's can ever select it:
//! `POST /worker/bootstrap`, a worker's configuration, and `POST /worker/deliveries`, what a target's worker delivers.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use crate::core::error::{Code, Error, Result};
use crate::core::read::Caller;
use crate::core::viewer::Viewer;
use crate::pipelines::{BootstrapRequest, bootstrap, deliveries};
use crate::server::auth::Presented;
use crate::server::engine::{Engine, new_request_id};

/// Hands a worker its configuration.
pub(crate) async fn post(State(engine): State<Engine>, headers: HeaderMap, body: Bytes) -> Response {
    let id = new_request_id();
    let handed = async {
        let (viewer, asked) = asking(&engine, &headers, &body).await?;
        bootstrap(&engine.app.db, &engine.app.keys, &viewer, asked, Some(&id.0)).await
    };
    answer(handed.await, &id.0)
}

/// Tells a worker what it delivers.
pub(crate) async fn post_deliveries(State(engine): State<Engine>, headers: HeaderMap, body: Bytes) -> Response {
    let told = async {
        let (viewer, asked) = asking(&engine, &headers, &body).await?;
        deliveries(&engine.app.db, &viewer, asked).await
    };
    answer(told.await, &new_request_id().0)
}

/// Who asks, and for which worker if that is said.
async fn asking(engine: &Engine, headers: &HeaderMap, body: &[u8]) -> Result<(Viewer, Option<BootstrapRequest>)> {
    let app = &engine.app;
    let asked = || match body {
        [] => Ok(None),
        body => serde_json::from_slice::<BootstrapRequest>(body)
            .map(Some)
            .map_err(|_| Error::validation("The body is empty, or `{\"workerId\": ..., \"launchGeneration\": ...}` with two ids.")),
    };
    match Presented::of_headers(&app.token_key, headers).caller(&app.db, app.hub.viewers()).await? {
        Caller::Known(viewer) => Ok((viewer, asked()?)),
        Caller::Nobody => Err(Error::unauthenticated("A worker's token is needed.")),
    }
}

fn answer<T: Serialize>(answer: Result<T>, request: &str) -> Response {
    match answer {
        Ok(handed) => ([(CACHE_CONTROL, "no-store")], axum::Json(handed)).into_response(),
        Err(error) => {
            let status = match error.code() {
                Code::Unauthenticated => StatusCode::UNAUTHORIZED,
                Code::Forbidden => StatusCode::FORBIDDEN,
                Code::NotFound => StatusCode::NOT_FOUND,
                Code::Validation => StatusCode::BAD_REQUEST,
                Code::Conflict => StatusCode::CONFLICT,
                Code::Unavailable | Code::Timeout => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            error.log();
            let mut extensions = json!({"code": error.code().as_str(), "requestId": request});
            if let (Some(extensions), Some(facts)) = (extensions.as_object_mut(), error.facts()) {
                extensions.insert("details".to_owned(), facts.clone());
            }
            let body = json!({"errors": [{"message": error.message(), "extensions": extensions}]});
            (status, axum::Json(body)).into_response()
        }
    }
}
