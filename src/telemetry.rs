//! The log of the process, and where its traces go.
//!
//! Always holds: log lines go to standard error, whole and at once, so that every way out has flushed them;
//! colours only on a terminal that wants them; no crate but ours logs below `debug`, where they print frames
//! and headers and so tokens; a collector that is away costs traces and nothing else, and is told of. Not here: spans, which belong to what they measure, and metrics (`core/metric.rs`).

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use metrics::counter;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData, SpanExporter};
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{EnvFilter, LevelFilter, dynamic_filter_fn, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use url::Url;

use crate::config::{LogFormat, Telemetry};
use crate::core::metric::{SPANS_LOST, TRACE};

/// How long the traces that wait may take to be sent at the end.
const LAST_TRACES: Duration = Duration::from_secs(1);

/// Why the process cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is none; the settings refuse such a filter already.
    #[error("log_level: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// The collector cannot be talked to in that way.
    #[error("otlp_endpoint: {0}")]
    Collector(#[from] opentelemetry_otlp::ExporterBuildError),
    /// The headers are none. They may be secret, so they are not told.
    #[error("otlp_headers: it takes pairs such as `authorization=Bearer x,tenant=y`")]
    Headers,
    /// Something else took the log lines of this process.
    #[error("the log is taken already: {0}")]
    Log(#[from] tracing_subscriber::util::TryInitError),
}

/// What is watched; what waits to be sent is sent when this is dropped, outside of any runtime.
pub struct Watched(Option<SdkTracerProvider>);

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(traces) = &self.0
            && let Err(error) = traces.shutdown_with_timeout(LAST_TRACES)
        {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Starts the log, once a process; panics are logged too, in the same form.
///
/// # Errors
/// When the filter is none, or the log was started before.
pub fn log(settings: &Telemetry) -> Result<(), TelemetryError> {
    start(&settings.log_level, settings.log_format, None)
}

/// Starts the log of a program that has none of these settings.
///
/// # Errors
/// As [`log`].
pub fn log_plainly() -> Result<(), TelemetryError> {
    start("info", LogFormat::Text, None)
}

/// Starts the log, and sends traces to a collector when there is one. To be called outside of any runtime.
///
/// # Errors
/// As [`log`], and when the collector's address or headers are none.
pub fn watch(settings: &Telemetry) -> Result<Watched, TelemetryError> {
    let traces = settings.otlp_endpoint.as_ref().map(|endpoint| exporter(endpoint, settings)).transpose()?;
    start(&settings.log_level, settings.log_format, traces.as_ref())?;
    Ok(Watched(traces))
}

fn start(level: &str, format: LogFormat, traces: Option<&SdkTracerProvider>) -> Result<(), TelemetryError> {
    let mut filter = filter(level)?;
    if traces.is_some() {
        filter = filter.add_directive(format!("{TRACE}=debug").parse()?);
    }
    let layer = match format {
        LogFormat::Json => {
            tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(io::stderr).boxed()
        }
        LogFormat::Text => tracing_subscriber::fmt::layer().with_ansi(colours()).with_target(false).with_writer(io::stderr).boxed(),
    };
    let traced = traces.map(|traces| {
        let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("pumphouse"));
        // Where in our sources a span begins, and on which thread, tells an operator nothing.
        // Asked anew for every span, or the fault named below would swallow some.
        let filter = dynamic_filter_fn(|metadata, _| metadata.target() == TRACE);
        layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_filter(filter)
    });
    // For all of the log, not `layer.with_filter`: that one takes a question about a line (sqlx asks one after every
    // statement) for the line itself, and then swallows the next (tokio-rs/tracing, issue 2519).
    tracing_subscriber::registry().with(filter).with(filter_fn(speaks)).with(traced).with(layer).try_init()?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, message = panic.payload_as_str().unwrap_or("no message"), "panic");
    }));
    Ok(())
}

/// Where traces are sent. The library says nothing when they do not arrive, and an operator with a wrong header would never know.
#[derive(Debug)]
struct Collector {
    exporter: opentelemetry_otlp::SpanExporter,
    /// Whether the last batch did not arrive.
    failing: AtomicBool,
}

impl SpanExporter for Collector {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let sent = self.exporter.export(batch).await;
        let failed_before = self.failing.swap(sent.is_err(), Ordering::Relaxed);
        match &sent {
            Err(error) => {
                counter!(SPANS_LOST).increment(spans as u64);
                if !failed_before {
                    tracing::warn!(%error, "the collector takes no traces; they are lost until it does");
                }
            }
            Ok(()) if failed_before => tracing::info!("the collector takes traces again"),
            Ok(()) => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Sends spans in batches, from a thread of its own.
fn exporter(endpoint: &Url, settings: &Telemetry) -> Result<SdkTracerProvider, TelemetryError> {
    let mut endpoint = endpoint.clone();
    if endpoint.path() == "/" {
        endpoint.set_path("/v1/traces");
    }
    let headers = settings.otlp_headers.as_ref().map(|text| headers(text.reveal())).transpose()?.unwrap_or_default();
    let exporter =
        opentelemetry_otlp::SpanExporter::builder().with_http().with_endpoint(endpoint.as_str()).with_headers(headers).build()?;
    let share = f64::from(settings.otlp_percent) / 100.0;
    let resource = Resource::builder_empty()
        .with_attribute(KeyValue::new("service.name", "pumphouse"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(Collector { exporter, failing: AtomicBool::new(false) })
        .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(share))))
        .with_resource(resource)
        .build())
}

/// Reads `name=value,name=value`.
fn headers(text: &str) -> Result<HashMap<String, String>, TelemetryError> {
    let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    text.split(',').map(|text| pair(text).ok_or(TelemetryError::Headers)).collect()
}

/// Whether standard error wants colours: a terminal, and <https://no-color.org> not asked for.
#[must_use]
pub fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A level is ours alone, others then speak from `warn` on; anything else is taken as it is written.
fn filter(text: &str) -> Result<EnvFilter, tracing_subscriber::filter::ParseError> {
    match text.parse::<LevelFilter>() {
        Ok(LevelFilter::OFF) => EnvFilter::builder().parse("off"),
        Ok(level) => {
            let others = level.min(LevelFilter::WARN);
            EnvFilter::builder().parse(format!("{others},pumphouse={level}"))
        }
        Err(_) => EnvFilter::builder().parse(text),
    }
}

/// Whether this may be logged at all.
fn speaks(metadata: &Metadata<'_>) -> bool {
    let ours = metadata.target() == "pumphouse" || metadata.target().starts_with("pumphouse::");
    ours || *metadata.level() <= Level::DEBUG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_ours_alone() {
        assert_eq!(filter("debug").unwrap().to_string(), "pumphouse=debug,warn");
        assert_eq!(filter("error").unwrap().to_string(), "pumphouse=error,error");
        assert_eq!(filter("off").unwrap().to_string(), "off");
        assert_eq!(filter("info,pumphouse::server=debug").unwrap().to_string(), "pumphouse::server=debug,info");
    }
}
