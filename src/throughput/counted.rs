//! The two things that are counted, as data: production of topics and consumption of subscriptions.
//!
//! Always holds: what the rollup sums and what reading takes from raw rows is written here once, so a day reads the same
//! before and after it is summed up. Not here: when days are summed (`rollup.rs`), and who asks (`series.rs`).

/// What is counted of something.
pub(crate) struct Counted {
    /// The table of raw rows.
    pub(crate) raw: &'static str,
    /// Raw rows `m` with what they count, as SQL.
    pub(crate) rows: &'static str,
    /// The table of sums by day.
    pub(crate) daily: &'static str,
    /// The table of sums of days that are not closed.
    pub(crate) today: &'static str,
    /// The column of all that says of what.
    pub(crate) of: &'static str,
    /// Further columns of the daily table, each with what it is of raw rows.
    pub(crate) told: &'static [(&'static str, &'static str)],
    /// The counts: columns of the daily table, each with what it sums of raw rows.
    pub(crate) counts: &'static [(&'static str, &'static str)],
    /// The count whose rate is told.
    pub(crate) total: &'static str,
}

/// Change events of topics.
pub(crate) const PRODUCTION: Counted = Counted {
    raw: "production_metric",
    // Each document is read once, not once a count.
    rows: "production_metric m cross join lateral json_to_record(m.events) e(total bigint, r bigint, c bigint, u bigint, d bigint, bytes bigint)",
    daily: "production_metric_daily",
    today: "pumphouse.production_metric_today",
    of: "topic",
    told: &[],
    counts: &[
        ("creates", "e.c"),
        ("updates", "e.u"),
        ("deletes", "e.d"),
        ("reads", "e.r"),
        ("total_events", "e.total"),
        ("bytes", "e.bytes"),
    ],
    total: "total_events",
};

/// Records of subscriptions.
pub(crate) const CONSUMPTION: Counted = Counted {
    raw: "consumption_metric",
    rows: "consumption_metric m",
    daily: "consumption_metric_daily",
    today: "pumphouse.consumption_metric_today",
    of: "subscription_id",
    told: &[("topic", "(array_agg(m.topic order by m.created_at desc, m.to_ts desc))[1]")],
    counts: &[("consumed_count", "m.consumed_count"), ("delivered_count", "m.delivered_count"), ("error_count", "m.error_count")],
    total: "consumed_count",
};

/// The span of time that was summed: columns of the daily tables, each with what it is of raw rows.
pub(crate) const SPAN: [(&str, &str); 4] = [
    ("span_ms", "least(coalesce(sum(greatest(m.to_ts - m.from_ts, 0)), 0), 9223372036854775807)::bigint"),
    ("min_from", "min(m.from_ts)"),
    ("max_to", "max(m.to_ts)"),
    ("row_count", "count(*)"),
];

impl Counted {
    /// Columns of the daily table with counts and span, in order.
    pub(crate) fn columns(&self) -> String {
        let names = self.counts.iter().chain(&SPAN).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Its columns with counts alone.
    pub(crate) fn count_columns(&self) -> String {
        self.counts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The same columns of raw rows `m`, under the same names.
    pub(crate) fn sums(&self) -> String {
        let span: String = SPAN.iter().map(|(name, sum)| format!(", {sum} as {name}")).collect();
        self.count_sums() + &span
    }

    /// How a row `p` of sums takes up another, `excluded`.
    pub(crate) fn added(&self) -> String {
        let sum = |name: &str| format!("{name} = least(p.{name}::numeric + excluded.{name}, {})::bigint", i64::MAX);
        let added = self.counts.iter().map(|(name, _)| sum(name));
        added
            .chain(SPAN.iter().map(|(name, _)| match *name {
                "min_from" => format!("{name} = least(p.{name}, excluded.{name})"),
                "max_to" => format!("{name} = greatest(p.{name}, excluded.{name})"),
                _ => sum(name),
            }))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The counts of raw rows `m` alone.
    pub(crate) fn count_sums(&self) -> String {
        self.counts.iter().map(|(name, of_row)| format!("{} as {name}", saturating(of_row))).collect::<Vec<_>>().join(", ")
    }
}

/// A sum that cannot leave its type: numbers come from outside.
pub(crate) fn saturating(of: &str) -> String {
    format!("least(coalesce(sum({of}), 0), 9223372036854775807)::bigint")
}
