//! `POST /worker/bootstrap`: a worker's configuration, in plain JSON rather than GraphQL, so that no
//! query of anybody's can ever select it.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::core::error::{Code, Error, Result};
use crate::core::read::Caller;
use crate::pipelines::{Bootstrap, BootstrapRequest, bootstrap};
use crate::server::auth::Presented;
use crate::server::engine::{Engine, new_request_id};

/// Answers a worker.
pub(crate) async fn post(State(engine): State<Engine>, headers: HeaderMap, body: Bytes) -> Response {
    let id = new_request_id();
    match answer(&engine, &headers, &body, &id.0).await {
        Ok(bootstrap) => ([(CACHE_CONTROL, "no-store")], axum::Json(bootstrap)).into_response(),
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
            let mut extensions = json!({"code": error.code().as_str(), "requestId": id.0});
            if let (Some(extensions), Some(facts)) = (extensions.as_object_mut(), error.facts()) {
                extensions.insert("details".to_owned(), facts.clone());
            }
            let body = json!({"errors": [{"message": error.message(), "extensions": extensions}]});
            (status, axum::Json(body)).into_response()
        }
    }
}

async fn answer(engine: &Engine, headers: &HeaderMap, body: &[u8], request: &str) -> Result<Bootstrap> {
    let app = &engine.app;
    let asked = || match body {
        [] => Ok(None),
        body => serde_json::from_slice::<BootstrapRequest>(body)
            .map(Some)
            .map_err(|_| Error::validation("The body is empty, or `{\"workerId\": ..., \"launchGeneration\": ...}` with two ids.")),
    };
    match Presented::of_headers(&app.token_key, headers).caller(&app.db, app.hub.viewers()).await? {
        Caller::Known(viewer) => bootstrap(&app.db, &app.keys, &viewer, asked()?, Some(request)).await,
        Caller::Nobody => Err(Error::unauthenticated("A worker's token is needed.")),
    }
}
