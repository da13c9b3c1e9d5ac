//! Probes: whether the process runs, whether it can answer, what it measures.
//!
//! Always holds: a probe answers within two seconds, also while the database does not.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::core::sql::Sql;
use crate::server::engine::Engine;
use crate::server::measure;

/// How long the database may take to answer.
const DATABASE: Duration = Duration::from_secs(2);

/// The process runs.
pub(crate) async fn livez() -> &'static str {
    "ok\n"
}

/// Requests can be answered; else why not.
pub(crate) async fn readyz(State(engine): State<Engine>) -> Response {
    if engine.stop.is_cancelled() {
        return unready("The server stops.");
    }
    match tokio::time::timeout(DATABASE, engine.app.db.rows(Sql::new("select 1"))).await {
        Ok(Ok(_)) if engine.app.hub.polls() && engine.app.hub.is_listening() => "ok, live changes are polled\n".into_response(),
        Ok(Ok(_)) if engine.app.hub.is_listening() => "ok\n".into_response(),
        Ok(Ok(_)) => unready("The listening connection is not in place."),
        Ok(Err(error)) => unready(error.message()),
        Err(_elapsed) => unready("The database does not answer in time."),
    }
}

/// Everything that is measured, for Prometheus.
pub(crate) async fn metrics(State(engine): State<Engine>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], measure::render(&engine).await).into_response()
}

fn unready(reason: &str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response()
}
