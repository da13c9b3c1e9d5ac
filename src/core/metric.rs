//! Every metric of the server: its name and its help text, in one list.
//!
//! Always holds: nothing is counted under a name that is not here.

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
    Counter SQL_STATEMENTS = "pumphouse_sql_statements_total": "SQL statements sent by the graph.";
    Gauge POOL_CONNECTIONS = "pumphouse_pool_connections": "Open connections of the pool, by state (idle or used).";
    Counter REQUESTS = "pumphouse_requests_total": "GraphQL requests answered, by operation type and outcome (ok or the first error's code).";
    Histogram REQUEST_SECONDS = "pumphouse_request_seconds": "Time from reading a GraphQL request to its answer.";
    Gauge SOCKETS = "pumphouse_sockets": "Open WebSockets.";
    Gauge SUBSCRIPTIONS = "pumphouse_subscriptions": "Live subscriptions.";
    Counter EVENTS = "pumphouse_events_total": "Changes taken from the database, by table.";
    Counter RESYNCS = "pumphouse_resyncs_total": "Times the present state was read again because notices may have been lost.";
    Gauge NOTIFY_QUEUE = "pumphouse_notify_queue_usage": "Used share of PostgreSQL's notification queue, 0 to 1.";
    Gauge LISTENING = "pumphouse_listening": "1 while the listening connection is in place.";
    Gauge LEADER = "pumphouse_leader": "1 on the replica that leads.";
    Counter JOB_RUNS = "pumphouse_job_runs_total": "Runs of the leader's jobs, by job and outcome.";
    Gauge WORKERS = "pumphouse_workers": "Workers by state and health, as the database has them.";
    Counter SLOW_READERS = "pumphouse_slow_readers_total": "Subscribers cut off because they did not read.";
}
