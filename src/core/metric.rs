//! Every metric of the server: its name and its help text, in one list.
//!
//! Always holds: nothing is counted under a name that is not here; one recorder for the process, whose
//! memory stays bounded. Not here: what is read when somebody looks (`server/measure.rs`).

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Seconds: from what an index answers to what a deadline cuts.
const BUCKETS: [f64; 14] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];
/// Keys of a batch.
const SIZES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 10_000.0];
/// The target of spans that are there for traces alone; they are enabled only where traces go somewhere.
pub const TRACE: &str = "pumphouse::trace";
/// How often measured values are sorted into their buckets when nobody looks.
const UPKEEP: Duration = Duration::from_secs(5);

/// A metric's name and what it says.
pub struct Metric {
    /// The name that Prometheus sees.
    pub name: &'static str,
    /// What it counts, in which unit.
    pub help: &'static str,
    /// How it behaves.
    pub kind: MetricKind,
}

/// How a metric behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// Only rises.
    Counter,
    /// Rises and falls.
    Gauge,
    /// A distribution.
    Histogram,
}

macro_rules! metrics {
    ($($kind:ident $constant:ident = $name:literal: $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $constant: &str = $name;
        )*
        /// All of them.
        pub const ALL: &[Metric] = &[$(Metric { name: $name, help: $help, kind: MetricKind::$kind }),*];
    };
}

metrics! {
    Counter SQL_STATEMENTS = "pumphouse_sql_statements_total": "SQL statements sent by this process.";
    Histogram POOL_WAIT_SECONDS = "pumphouse_pool_wait_seconds": "Time that statements and transactions waited for a connection of the pool.";
    Histogram LOADER_BATCH = "pumphouse_loader_batch_keys": "Keys of each batch that a dataloader sent as one statement.";
    Gauge POOL_CONNECTIONS = "pumphouse_pool_connections": "Open connections of the pool, by state (idle or used).";
    Counter REQUESTS = "pumphouse_requests_total": "GraphQL operations answered, by type, name (of the first hundred; then other) and outcome (ok or the first error's code); subscriptions with their first answer.";
    Histogram REQUEST_SECONDS = "pumphouse_request_seconds": "Time from reading a GraphQL query or mutation to its answer, by type and name.";
    Counter RATE_LIMITED = "pumphouse_rate_limited_total": "GraphQL operations refused because too many came, by what was counted (address or viewer).";
    Gauge SOCKETS = "pumphouse_sockets": "Open WebSockets.";
    Counter SOCKET_CLOSES = "pumphouse_socket_closes_total": "Closed WebSockets, by the server's close code (none: the client went).";
    Gauge SUBSCRIPTIONS = "pumphouse_subscriptions": "Live subscriptions.";
    Counter EVENTS = "pumphouse_events_total": "Changes taken from the database, by table.";
    Histogram EVENT_LAG_SECONDS = "pumphouse_event_lag_seconds": "Time from a change, by the database's clock, to its event being left for subscribers, by this machine's.";
    Counter RESYNCS = "pumphouse_resyncs_total": "Times the present state was read again because notices may have been lost.";
    Gauge NOTIFY_QUEUE = "pumphouse_notify_queue_usage": "Used share of PostgreSQL's notification queue, 0 to 1.";
    Gauge LISTENING = "pumphouse_listening": "1 while the listening connection is in place; 0 also while changes are polled instead.";
    Gauge POLLING = "pumphouse_polling": "1 while changes are looked for four times a second, as LISTEN does not work through this connection.";
    Gauge EXECUTIONS = "pumphouse_subscription_executions": "Executions under way for live subscriptions; those that are alike share one.";
    Gauge LEADER = "pumphouse_leader": "1 on the replica that leads.";
    Counter JOB_RUNS = "pumphouse_job_runs_total": "Runs of the leader's jobs, by job and outcome.";
    Histogram JOB_SECONDS = "pumphouse_job_seconds": "Time that a run of a leader's job took, by job.";
    Gauge WORKERS = "pumphouse_workers": "Workers by state and health, as the database has them.";
    Counter PANICS = "pumphouse_panics_total": "Panics of the server's tasks, by task.";
    Counter SPANS_LOST = "pumphouse_spans_lost_total": "Spans of traces that the collector did not take.";
    Counter SLOW_READERS = "pumphouse_slow_readers_total": "Subscribers cut off because they did not read.";
}

/// A gauge in the text form, for what is read anew at every look: each pair of labels with what it counts. What counts
/// nothing has no line, so nothing is told of a state that has passed.
#[must_use]
pub fn lines(name: &str, labels: [&str; 2], counts: &[([String; 2], i64)]) -> String {
    let help = ALL.iter().find(|metric| metric.name == name).map_or("", |metric| metric.help);
    let [one, other] = labels;
    let mut text = format!("# HELP {name} {help}\n# TYPE {name} gauge\n");
    for ([first, second], count) in counts {
        text.push_str(&format!("{name}{{{one}=\"{first}\",{other}=\"{second}\"}} {count}\n"));
    }
    text
}

/// A count, as metrics take it.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
pub fn real(count: usize) -> f64 {
    count as f64
}

/// The recorder of the process, which the first call puts in place; none when somebody else has set another.
pub fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let handle = RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS).ok()?;
        let builder = builder.set_buckets_for_metric(Matcher::Suffix("_keys".to_owned()), &SIZES).ok()?;
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        for metric in ALL {
            match metric.kind {
                MetricKind::Counter => describe_counter!(metric.name, metric.help),
                MetricKind::Gauge => describe_gauge!(metric.name, metric.help),
                MetricKind::Histogram => describe_histogram!(metric.name, metric.help),
            }
        }
        Some(handle)
    });
    handle.as_ref()
}

/// Records, and keeps the memory of the recorder bounded, for as long as it is polled.
pub async fn keep() {
    let Some(recorder) = recorder() else {
        tracing::warn!("another recorder of metrics is in place; /metrics stays empty");
        return;
    };
    loop {
        tokio::time::sleep(UPKEEP).await;
        recorder.run_upkeep();
    }
}
