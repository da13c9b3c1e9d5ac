//! The span of an operation, for traces.
//!
//! Always holds: it costs nothing where nobody traces; it belongs to the client's own trace when the request brings one
//! (W3C `traceparent`); it tells names and ids, never a value. Not here: where traces go (`telemetry.rs`).

use axum::http::{HeaderMap, HeaderName};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::core::metric::TRACE;
use crate::server::account::Told;
use crate::server::answer::Answer;

/// The header by which a request is part of a trace.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The client's own span, when the headers of a request name one.
pub(crate) fn parent(headers: &HeaderMap) -> Option<SpanContext> {
    let mut parts = headers.get(TRACEPARENT)?.to_str().ok()?.split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex(version, 2) || version == "ff" || !is_hex(trace, 32) || !is_hex(span, 16) || !is_hex(flags, 2) {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let context = SpanContext::new(TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?, flags, true, TraceState::default());
    context.is_valid().then_some(context)
}

/// The span of an operation.
pub(crate) fn operation(told: &Told, parent: Option<&SpanContext>) -> Span {
    let span = tracing::debug_span!(
        target: TRACE,
        "graphql",
        otel.name = match &told.name {
            Some(name) => format!("{} {name}", told.kind),
            None => told.kind.to_owned(),
        },
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        graphql.operation.r#type = told.kind,
        graphql.operation.name = told.name,
        graphql.outcome = tracing::field::Empty,
        request.id = told.id.0,
        viewer.id = told.viewer.map(tracing::field::display),
    );
    if let Some(parent) = parent.filter(|_| !span.is_disabled()) {
        // The only failure is that nobody traces.
        let _untraced = span.set_parent(Context::new().with_remote_span_context(parent.clone()));
    }
    span
}

/// Says how it ended.
pub(crate) fn close(span: &Span, answer: &Answer) {
    if span.is_disabled() {
        return;
    }
    span.record("graphql.outcome", answer.code().map_or("ok", crate::core::error::Code::as_str));
    if answer.code().is_some() {
        span.record("otel.status_code", "ERROR");
    }
}
