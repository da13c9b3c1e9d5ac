//! GraphQL over HTTP: one JSON request in, one JSON answer out.
//!
//! Always holds: only `application/json` is read, up to the limit; what is not a GraphQL request is
//! answered with an error in GraphQL's own form.

use async_graphql::Request;
use async_graphql_axum::GraphQLResponse;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::core::write::RequestId;
use crate::server::auth::Presented;
use crate::server::engine::{Engine, new_request_id};

/// The header by which a request is found again in logs and audit.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers a request.
pub(crate) async fn post(State(engine): State<Engine>, headers: HeaderMap, body: Body) -> Response {
    let id = request_id(&headers);
    let mut response = match read(&engine, &headers, body).await {
        Ok(request) => {
            let presented = Presented::of_headers(&engine.app.token_key, &headers);
            GraphQLResponse::from(engine.run(request, &presented, id.clone()).await).into_response()
        }
        Err((status, message)) => {
            let body = json!({"errors": [{"message": message, "extensions": {"code": "GRAPHQL_PARSE_FAILED", "requestId": id.0}}]});
            (status, axum::Json(body)).into_response()
        }
    };
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

async fn read(engine: &Engine, headers: &HeaderMap, body: Body) -> Result<Request, (StatusCode, &'static str)> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the request as application/json."));
    }
    let bytes = axum::body::to_bytes(body, engine.app.settings.body_limit)
        .await
        .map_err(|_| (StatusCode::PAYLOAD_TOO_LARGE, "The request is larger than this server reads."))?;
    serde_json::from_slice(&bytes).map_err(|_| {
        (StatusCode::BAD_REQUEST, "The body is not a GraphQL request: send a JSON object with `query`, and `variables` if there are any.")
    })
}

/// The client's own id when it is short and plain, else a fresh one.
fn request_id(headers: &HeaderMap) -> RequestId {
    let given = headers.get(&REQUEST_ID).and_then(|value| value.to_str().ok());
    let plain = |id: &&str| !id.is_empty() && id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c));
    given.filter(plain).map_or_else(new_request_id, |id| RequestId(id.to_owned()))
}

/// The schema in GraphQL's own language.
pub(crate) async fn sdl(State(engine): State<Engine>) -> Response {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], crate::graph::sdl(&engine.app.graph)).into_response()
}
