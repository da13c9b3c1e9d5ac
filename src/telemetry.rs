//! Logs and metrics of the process.
//!
//! Always holds: log lines go to standard error, whole and at once, so that every way out has flushed them;
//! colours only on a terminal that wants them; no crate but ours logs below `debug`, where they print frames
//! and headers and so tokens; every metric is described from the list in `core/metric.rs`.
//! Not here: spans, which belong to what they measure, and the path `/metrics`.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{LogFormat, Telemetry};
use crate::core::metric::{ALL, MetricKind};
use crate::core::task;

/// Upper ends of the buckets of what is measured in seconds.
const SECONDS: &[f64] = &[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];
/// How often measured values are sorted into their buckets when nobody asks for them.
const UPKEEP: Duration = Duration::from_secs(5);

/// Why the process cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is none; the settings refuse such a filter already.
    #[error("log_level: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Something else took the log lines or the metrics of this process.
    #[error("the log is taken already: {0}")]
    Log(#[from] tracing_subscriber::util::TryInitError),
    /// The same for metrics.
    #[error("the metrics are taken already: {0}")]
    Metrics(#[from] BuildError),
}

/// Starts the log, once a process; panics are logged too, in the same form.
///
/// # Errors
/// When the filter is none, or the log was started before.
pub fn log(settings: &Telemetry) -> Result<(), TelemetryError> {
    let filter = filter(&settings.log_level)?.and(filter_fn(speaks));
    let layer = match settings.log_format {
        LogFormat::Json => {
            tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(io::stderr).boxed()
        }
        LogFormat::Text => tracing_subscriber::fmt::layer().with_ansi(colours()).with_target(false).with_writer(io::stderr).boxed(),
    };
    tracing_subscriber::registry().with(layer.with_filter(filter)).try_init()?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, message = panic.payload_as_str().unwrap_or("no message"), "panic");
    }));
    Ok(())
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

/// The metrics of this process.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// The metrics of this process; the first call starts counting, later ones give the same.
    ///
    /// # Errors
    /// When something else counts already.
    pub fn install() -> Result<Self, TelemetryError> {
        static INSTALLED: OnceLock<Metrics> = OnceLock::new();
        if let Some(metrics) = INSTALLED.get() {
            return Ok(metrics.clone());
        }
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?;
        let metrics = match builder.install_recorder() {
            Ok(handle) => INSTALLED.get_or_init(|| Self(handle)).clone(),
            // Another thread was faster.
            Err(error) => return INSTALLED.get().cloned().ok_or(TelemetryError::Metrics(error)),
        };
        for metric in ALL {
            match metric.kind {
                MetricKind::Counter => describe_counter!(metric.name, metric.help),
                MetricKind::Gauge => describe_gauge!(metric.name, metric.help),
                MetricKind::Histogram => describe_histogram!(metric.name, metric.help),
            }
        }
        Ok(metrics)
    }

    /// All of them in Prometheus' text format.
    #[must_use]
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Keeps the memory of the histograms bounded, also when nobody asks for them; ends with the runtime.
    pub fn keep(&self) {
        let handle = self.0.clone();
        task::spawn("metrics.upkeep", async move {
            loop {
                tokio::time::sleep(UPKEEP).await;
                handle.run_upkeep();
            }
        });
    }
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

    #[test]
    fn every_metric_is_described_and_every_one_that_is_counted_is_listed() {
        let metrics = Metrics::install().unwrap();
        let again = Metrics::install().unwrap();
        for metric in ALL {
            match metric.kind {
                MetricKind::Counter => metrics::counter!(metric.name).increment(1),
                MetricKind::Gauge => metrics::gauge!(metric.name).set(1.0),
                MetricKind::Histogram => metrics::histogram!(metric.name).record(0.003),
            }
        }
        let text = metrics.render();
        assert_eq!(text.lines().filter(|line| line.starts_with("# TYPE")).count(), again.render().matches("# TYPE").count());
        for metric in ALL {
            assert!(text.contains(&format!("# HELP {} {}", metric.name, metric.help)), "{} in\n{text}", metric.name);
        }
        assert!(text.contains("pumphouse_request_seconds_bucket{le=\"0.005\"}"), "{text}");
    }
}
