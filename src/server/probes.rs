//! Probes and metrics.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::core::sql::Sql;
use crate::server::engine::Engine;

/// The process runs.
pub(crate) async fn livez() -> &'static str {
    "ok\n"
}

/// Requests can be answered.
pub(crate) async fn readyz(State(engine): State<Engine>) -> Response {
    match engine.app.db.rows(Sql::new("select 1")).await {
        Ok(_) if !engine.app.hub.is_listening() => {
            (StatusCode::SERVICE_UNAVAILABLE, "The listening connection is not in place.\n").into_response()
        }
        Ok(_) => "ok\n".into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{}\n", error.message())).into_response(),
    }
}

/// Everything that is measured, for Prometheus.
pub(crate) async fn metrics(State(_engine): State<Engine>) -> Response {
    "".into_response()
}
