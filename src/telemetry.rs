//! The log of the process.
//!
//! Always holds: log lines go to standard error, whole and at once, so that every way out has flushed them;
//! colours only on a terminal that wants them; no crate but ours logs below `debug`, where they print frames
//! and headers and so tokens. Not here: spans, which belong to what they measure, and metrics (`core/metric.rs`).

use std::io::{self, IsTerminal as _};

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{EnvFilter, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{LogFormat, Telemetry};

/// Why the process cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is none; the settings refuse such a filter already.
    #[error("log_level: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Something else took the log lines of this process.
    #[error("the log is taken already: {0}")]
    Log(#[from] tracing_subscriber::util::TryInitError),
}

/// Starts the log, once a process; panics are logged too, in the same form.
///
/// # Errors
/// When the filter is none, or the log was started before.
pub fn log(settings: &Telemetry) -> Result<(), TelemetryError> {
    let filter = filter(&settings.log_level)?;
    let layer = match settings.log_format {
        LogFormat::Json => {
            tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(io::stderr).boxed()
        }
        LogFormat::Text => tracing_subscriber::fmt::layer().with_ansi(colours()).with_target(false).with_writer(io::stderr).boxed(),
    };
    // For all of the log, not `layer.with_filter`: that one takes a question about a line (sqlx asks one after every
    // statement) for the line itself, and then swallows the next (tokio-rs/tracing, issue 2519).
    tracing_subscriber::registry().with(filter).with(filter_fn(speaks)).with(layer).try_init()?;
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
