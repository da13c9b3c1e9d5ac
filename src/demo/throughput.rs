//! A month of throughput by day: what was written to each topic and what each delivery took from it.
//!
//! Always holds: only days that are over, one row each; the numbers follow from the topic and the day, with
//! the rhythm of a week; a delivery takes what its topic got. Not here: raw rows, which workers push.

use chrono::{Datelike as _, Duration, NaiveDate, NaiveTime};
use serde_json::{Value, json};

use super::flows::Delivered;
use super::history::FINISHED_DAYS_AGO;
use super::layout::{Layout, fresh};
use super::tables::table;
use crate::core::error::Result;
use crate::throughput::{ConsumptionMetricDaily, ProductionMetricDaily, note_summed};

const DAYS: i64 = 30;
const DAY_MS: i64 = 86_400_000;
/// One row a minute.
const ROWS_A_DAY: i64 = 1440;

/// Changes on an average day, and bytes of each.
const TOPICS: &[(&str, i64, i64)] = &[
    ("shop.public.orders", 4_200, 212),
    ("shop.public.order_items", 21_000, 118),
    ("shop.public.payments", 4_100, 164),
    ("shop.public.customers", 350, 296),
    ("shop.public.products", 40, 342),
    ("shop.public.stores", 1, 187),
    ("billing.public.payments", 4_100, 164),
];

/// Percent of the average on each day of the week, from Monday.
const WEEK: [i64; 7] = [96, 91, 97, 104, 118, 127, 67];

/// A closed day of one topic.
struct Day {
    date: NaiveDate,
    creates: i64,
    updates: i64,
    deletes: i64,
    reads: i64,
}

impl Day {
    fn total(&self) -> i64 {
        self.creates + self.updates + self.deletes + self.reads
    }

    /// The columns that say which span of time was summed.
    fn span(&self) -> (i64, i64) {
        let from = self.date.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
        (from, from + DAY_MS)
    }
}

/// Writes the month of every topic and every delivery.
pub(super) async fn write(layout: &mut Layout<'_>, deliveries: &[Delivered]) -> Result<()> {
    let today = layout.now().date_naive();
    let mut production = Vec::new();
    let mut consumption = Vec::new();
    for (topic, base, bytes) in TOPICS {
        for ago in 1..=DAYS {
            let day = day(today, ago, topic, *base);
            production.push(produced(topic, &day, *bytes));
            let taken = deliveries.iter().filter(|delivery| delivery.enabled && delivery.topic == *topic);
            consumption.extend(taken.map(|delivery| consumed(delivery, &day)));
        }
    }
    layout.write("production_metric_daily", production).await?;
    layout.write("consumption_metric_daily", consumption).await?;
    layout.run(note_summed(today - Duration::days(1))).await?;
    Ok(())
}

/// What happened on the day that is so many days ago.
fn day(today: NaiveDate, ago: i64, topic: &str, base: i64) -> Day {
    let date = today - Duration::days(ago);
    let weekday = usize::try_from(date.weekday().num_days_from_monday()).unwrap_or_default();
    let rhythm = WEEK.get(weekday).copied().unwrap_or(100);
    let letters: i64 = topic.bytes().map(i64::from).sum();
    let noise = 92 + (i64::from(date.num_days_from_ce()) * 37 + letters) % 17;
    let changes = base * rhythm * noise / 10_000;
    let (updates, deletes) = (changes * 29 / 100, changes / 97);
    let snapshot = ago == FINISHED_DAYS_AGO && topic.starts_with("shop.");
    let reads = topic.rsplit('.').next().and_then(table).filter(|_| snapshot).map_or(0, |table| table.rows);
    Day { date, creates: changes - updates - deletes, updates, deletes, reads }
}

fn produced(topic: &str, day: &Day, bytes: i64) -> Value {
    let (min_from, max_to) = day.span();
    json!({
        "id": fresh::<ProductionMetricDaily>(), "topic": topic, "day": day.date, "creates": day.creates, "updates": day.updates,
        "deletes": day.deletes, "reads": day.reads, "total_events": day.total(), "bytes": day.total() * bytes, "span_ms": DAY_MS,
        "min_from": min_from, "max_to": max_to, "row_count": ROWS_A_DAY,
        "created_at": closed(day), "updated_at": closed(day),
    })
}

fn consumed(delivery: &Delivered, day: &Day) -> Value {
    let (min_from, max_to) = day.span();
    // On some days a few rows are rejected.
    let errors = if day.date.day().is_multiple_of(6) { day.total() / 900 } else { 0 };
    json!({
        "id": fresh::<ConsumptionMetricDaily>(), "subscription_id": delivery.subscription, "topic": delivery.topic, "day": day.date,
        "consumed_count": day.total(), "delivered_count": day.total() - errors, "error_count": errors, "span_ms": DAY_MS,
        "min_from": min_from, "max_to": max_to, "row_count": ROWS_A_DAY, "created_at": closed(day), "updated_at": closed(day),
    })
}

/// A day is summed once it is over.
fn closed(day: &Day) -> String {
    (day.date + Duration::days(1)).and_time(NaiveTime::MIN).and_utc().to_rfc3339()
}
