//! Reading what was counted over a stretch of time.
//!
//! Always holds: one statement takes watermarks, sums and raw rows as of one instant and splits at the watermarks, so nothing
//! is missed or counted twice while a day is being summed up or added to; all objects of one field are answered by one
//! statement, however many (domain.md section 4). Not here: whose topics and subscriptions those are (`wanted.rs`).

use std::collections::HashMap;
use std::ops::RangeInclusive;

use async_graphql::Context;
use chrono::{DateTime, Datelike as _, TimeDelta, Utc};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::throughput::counted::{Counted, saturating};
use crate::throughput::window::{Bucket, Window, midnight_after, midnight_before};

/// How much at the end of a range is usually not summed up yet: today, and yesterday until the rollup has passed.
const USUALLY_OPEN: TimeDelta = TimeDelta::days(2);
/// The years that are written in a statement as they are.
const WRITTEN: RangeInclusive<i32> = 1..=9999;

/// Writes the statement that answers for whom what is to be read: rows of an object's id and a topic or subscription.
pub(crate) type Wanted = fn(&mut Sql, &Viewer, &[Uuid]);

/// The kind of object that is read for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    Datamodel,
    Subscription,
    Pipeline,
    Team,
    Env,
}

/// What was counted for one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    /// Where there was anything: the start of the point, and the how many-th of `counts` it is.
    points: HashMap<DateTime<Utc>, usize>,
    /// The counts of all points one after the other, of each in the order of [`Counted::counts`].
    counts: Vec<i64>,
    /// How many counts a point has.
    width: usize,
    /// Of the total a second: the sum of the rates of all topics or subscriptions; 0 unless it was asked for.
    pub(crate) rate: f64,
}

impl Series {
    /// Every point of the window with its counts, none where there was nothing.
    pub(crate) fn points(&self, window: Window) -> impl Iterator<Item = (Time, &[i64])> {
        window.starts().into_iter().map(|start| (Time(start), self.points.get(&start).map(|place| self.at(*place)).unwrap_or_default()))
    }

    fn at(&self, place: usize) -> &[i64] {
        self.counts.get(place * self.width..(place + 1) * self.width).unwrap_or_default()
    }

    /// The counts of the whole window.
    pub(crate) fn sums<const N: usize>(&self) -> [i64; N] {
        let mut sums = [0_i64; N];
        for place in self.points.values() {
            for (sum, count) in sums.iter_mut().zip(self.at(*place)) {
                *sum = sum.saturating_add(*count);
            }
        }
        sums
    }
}

/// What is read of a window: its points, and its rate if that is shown.
#[derive(Clone, Copy)]
struct Reading {
    counted: &'static Counted,
    window: Window,
    rated: bool,
}

/// What was counted for the object with this id, in a batch with its siblings; `rated` when its rate is shown.
pub(crate) async fn load(
    ctx: &Context<'_>,
    counted: &'static Counted,
    wanted: (Whose, Wanted),
    of: Uuid,
    window: Window,
    rated: bool,
) -> Result<Series> {
    let read = Read::of(ctx)?;
    let (whose, wanted) = wanted;
    let slot = format!("{} of {whose:?} {window:?} {rated}", counted.raw);
    let reading = Reading { counted, window, rated };
    let fetch = move |read: Read, ids: Vec<Uuid>| async move { reading.fetch(&read, wanted, &ids).await };
    Ok(read.batch(&slot, of, fetch).await?.unwrap_or_default())
}

/// Rows are put together by number, which is quicker than by name.
fn series(rows: &[PgRow], counted: &Counted) -> Result<HashMap<Uuid, Series>> {
    let mut found: HashMap<Uuid, Series> = HashMap::with_capacity(rows.len());
    for row in rows {
        if row.try_get(0)? {
            return Err(too_early(row.try_get::<Time, _>(1)?));
        }
        let Some(of) = row.try_get::<Option<Uuid>, _>(3)? else { continue };
        let starts = row.try_get::<Option<Vec<Time>>, _>(5)?.unwrap_or_default();
        let width = counted.counts.len();
        let mut counts = vec![0; starts.len() * width];
        for column in 0..width {
            let values = row.try_get::<Option<Vec<i64>>, _>(6 + column)?.unwrap_or_default();
            for (count, value) in counts.iter_mut().skip(column).step_by(width).zip(values) {
                *count = value;
            }
        }
        let points = starts.into_iter().enumerate().map(|(place, Time(start))| (start, place)).collect();
        let rate = row.try_get::<Option<f64>, _>(4)?.unwrap_or_default();
        found.insert(of, Series { points, counts, width, rate });
    }
    Ok(found)
}

fn too_early(kept: Time) -> Error {
    Error::validation(format!("Minutes, hours, and parts of days, are known from {kept} on; before it ask for whole days of UTC."))
        .field("from")
        .details(serde_json::json!({"earliest": kept.to_string()}))
}

/// From when to when whole days are asked for; from the start to the start when none are.
fn whole_days(window: Window) -> (DateTime<Utc>, DateTime<Utc>) {
    match window.bucket {
        Bucket::Day => (window.first_midnight(), window.last_midnight()),
        Bucket::Minute | Bucket::Hour => (window.from, window.from),
    }
}

impl Reading {
    /// Reads raw rows only where they are needed when all is summed up in good time, and once more when it was not.
    async fn fetch(self, read: &Read, wanted: Wanted, ids: &[Uuid]) -> Result<HashMap<Uuid, Series>> {
        let (first, last) = whole_days(self.window);
        let mut since = first.max(last.min(midnight_after(self.window.to) - USUALLY_OPEN));
        loop {
            // A rate is one of a topic or subscription; those have numbers, which are compared faster than names.
            let numbered = if self.rated { "row_number() over () as n, " } else { "" };
            let mut sql = Sql::new(&format!("with want as materialized (select {numbered}w.* from ("));
            wanted(&mut sql, read.viewer(), ids);
            sql.push(") w), ");
            self.push_edge(&mut sql);
            self.push_parts(&mut sql, since);
            self.push_answer(&mut sql);
            let rows = read.rows(sql).await?;
            let needed = rows.first().map_or(Ok(since), |row| row.try_get::<Time, _>(2).map(|Time(needed)| needed))?;
            if needed >= since {
                return series(&rows, self.counted);
            }
            since = needed;
        }
    }

    /// Appends `edge`: the instants at which the range is cut into parts that are read from different places. Raw rows before the
    /// first midnight; sums of closed days up to `cut`; sums of open days up to `added`, if the range reaches that far; raw rows
    /// after that. And whether raw rows are needed that are gone.
    fn push_edge(self, sql: &mut Sql) {
        let Window { from, to, bucket, .. } = self.window;
        let (first, last) = whole_days(self.window);
        // What was added up is of days.
        let added = match bucket {
            Bucket::Day => "max(at) filter (where job = 'today')",
            Bucket::Minute | Bucket::Hour => "null::timestamptz",
        };
        // Materialised, as else each mention of a mark would read them all again.
        sql.push(&format!(
            "mark as materialized (select {} as closed, {} as kept, {added} as added from pumphouse.job_watermark), ",
            after("rollup"),
            after("retention")
        ));
        sql.push("edge as materialized (select e.kept, e.cut, case when e.added >= e.closed and e.added > e.cut and e.added <= ");
        sql.bind(to);
        sql.push("::timestamptz then e.added end as added, (");
        sql.bind(from);
        sql.push("::timestamptz < ");
        sql.bind(first);
        sql.push("::timestamptz and ");
        sql.bind(from);
        sql.push("::timestamptz < e.kept) or (e.cut < ");
        sql.bind(to);
        sql.push("::timestamptz and e.cut < e.kept) as early from (select mark.*, greatest(");
        sql.bind(first);
        sql.push("::timestamptz, least(");
        sql.bind(last);
        sql.push("::timestamptz, closed)) as cut from mark) e), ");
    }

    /// Sums by point of each object, and of each topic or subscription where it is numbered; each from one side of the watermarks.
    /// The day that the range ends in may be there in part: as far as it was added up, which is then within the range. Raw rows are
    /// those `since` then, which is right when the answer needs none before.
    fn push_parts(self, sql: &mut Sql, since: DateTime<Utc>) {
        let Counted { daily, today, of, .. } = self.counted;
        let window = self.window;
        let (first, last) = whole_days(window);
        sql.push("part as (");
        if window.from < first {
            self.push_raw(sql, (midnight_before(window.from), midnight_after(first)));
            sql.push(" and m.created_at >= ");
            sql.bind(window.from);
            sql.push("::timestamptz and m.created_at < ");
            sql.bind(first);
            sql.push(&format!("::timestamptz group by {}, start union all ", self.key()));
        }
        self.push_raw(sql, (midnight_before(since), midnight_after(window.to)));
        sql.push(" and m.created_at >= (select coalesce(added, cut) from edge) and m.created_at < ");
        sql.bind(window.to);
        sql.push(&format!("::timestamptz group by {}, start", self.key()));
        let columns = if self.rated { self.counted.columns() } else { self.counted.count_columns() };
        let sums = format!(" union all select {}, p.day::timestamp at time zone 'UTC', {columns} from want w", self.key());
        if first < last {
            sql.push(&format!("{sums} join {daily} p on p.{of} = w.item where (select not early from edge) and p.day >= ("));
            sql.bind(first);
            sql.push("::timestamptz at time zone 'UTC')::date and p.day < (");
            sql.bind(last);
            sql.push("::timestamptz at time zone 'UTC')::date and p.day < ((select cut from edge) at time zone 'UTC')::date");
        }
        if window.bucket == Bucket::Day {
            sql.push(&format!("{sums} join {today} p on p.{of} = w.item where (select added is not null and not early from edge)"));
            sql.push(" and p.day >= ((select cut from edge) at time zone 'UTC')::date");
        }
        sql.push(")");
    }

    /// Raw rows between two midnights. Those stand in the text: PostgreSQL then knows which days' partitions it needs when it
    /// plans, and plans once a day.
    fn push_raw(self, sql: &mut Sql, (from, to): (DateTime<Utc>, DateTime<Utc>)) {
        let Counted { rows, of, .. } = self.counted;
        sql.push(&format!("select {}, greatest(date_trunc('{}', m.created_at, 'UTC'), ", self.key(), self.window.bucket.unit()));
        sql.bind(self.window.from);
        let sums = if self.rated { self.counted.sums() } else { self.counted.count_sums() };
        sql.push(&format!("::timestamptz) as start, {sums} from {rows} join want w on w.item = m.{of} where not (select early from edge)"));
        for (sign, midnight) in [(">=", from), ("<", to)] {
            if WRITTEN.contains(&midnight.year()) {
                sql.push(&format!(" and m.created_at {sign} timestamptz '{}'", midnight.format("%Y-%m-%d %H:%M:%SZ")));
            }
        }
    }

    /// What a point is of.
    const fn key(self) -> &'static str {
        if self.rated { "w.id, w.n" } else { "w.id" }
    }

    /// For each object one row with its points as lists, which are read faster than a row for each, and its rate if it is shown: of
    /// one topic the total by the effective duration, of several their sum. Both are made in one pass.
    fn push_answer(self, sql: &mut Sql) {
        let Counted { counts, total, .. } = self.counted;
        let counts: Vec<&str> = counts.iter().map(|(name, _)| *name).collect();
        let sums: String = counts.iter().map(|name| format!(", {} as {name}", saturating(name))).collect();
        let (rate, of_points) = if self.rated {
            sql.push(&format!(
                ", sums as (select id, start, grouping(n) = 1 as of_point{sums}, sum({total}) as total, sum(span_ms) as span_ms,
    max(max_to)::numeric - min(min_from) as reach, sum(row_count) as row_count
  from part group by grouping sets ((id, start), (id, n)))"
            ));
            let duration = "case when span_ms > 0 then span_ms when reach > 0 then reach else row_count * 1000 end";
            let rate = format!("(sum(total * 1000 / nullif({duration}, 0)) filter (where not of_point))::float8");
            (rate, " filter (where of_point)")
        } else {
            sql.push(&format!(", sums as (select id, start{sums} from part group by id, start)"));
            ("null::float8".to_owned(), "")
        };
        sql.push(&format!("\nselect e.early, e.kept, coalesce(e.added, e.cut), s.* from edge e left join (select id, {rate}"));
        for name in ["start"].iter().chain(&counts) {
            sql.push(&format!(", array_agg({name}){of_points}"));
        }
        sql.push(" from sums group by id) s on true");
    }
}

/// The first instant after the day that a job has come to, of all watermarks.
fn after(job: &str) -> String {
    format!("coalesce(max((day + 1)::timestamp at time zone 'UTC') filter (where job = '{job}'), '-infinity')")
}
