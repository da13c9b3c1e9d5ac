//! Reading what was counted over a stretch of time.
//!
//! Always holds: one statement takes watermarks, sums and raw rows as of one instant and splits at the watermarks, so nothing
//! is missed or counted twice while a day is being summed up or added to; all objects of one field are answered by one
//! statement, however many (domain.md section 4). Not here: whose topics and subscriptions those are (`wanted.rs`).

use std::collections::HashMap;

use async_graphql::Context;
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::throughput::counted::{Counted, saturating};
use crate::throughput::window::{Bucket, Window};

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

impl Whose {
    /// Whether one of these has few topics and subscriptions. Reading them takes less time than planning to, over all
    /// partitions; with many it is worth a plan that knows how many.
    const fn has_few(self) -> bool {
        matches!(self, Self::Datamodel | Self::Subscription | Self::Pipeline)
    }
}

/// What was counted for one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    /// Where there was anything: the start of the point and its counts, in the order of [`Counted::counts`].
    points: HashMap<DateTime<Utc>, Vec<i64>>,
    /// Of the total a second: the sum of the rates of all topics or subscriptions.
    pub(crate) rate: f64,
}

impl Series {
    /// Every point of the window with its counts, none where there was nothing.
    pub(crate) fn points(&self, window: Window) -> impl Iterator<Item = (Time, &[i64])> {
        window.starts().into_iter().map(|start| (Time(start), self.points.get(&start).map(Vec::as_slice).unwrap_or_default()))
    }

    /// The counts of the whole window.
    pub(crate) fn sums<const N: usize>(&self) -> [i64; N] {
        let mut sums = [0_i64; N];
        for counts in self.points.values() {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum = sum.saturating_add(*count);
            }
        }
        sums
    }
}

/// What was counted for the object with this id, in a batch with its siblings.
pub(crate) async fn load(
    ctx: &Context<'_>,
    counted: &'static Counted,
    wanted: (Whose, Wanted),
    of: Uuid,
    window: Window,
) -> Result<Series> {
    let read = Read::of(ctx)?;
    let (whose, wanted) = wanted;
    let slot = format!("{} of {whose:?} {window:?}", counted.raw);
    let found = read
        .batch(&slot, of, move |read, ids: Vec<Uuid>| async move {
            let mut sql = Sql::new("with want as materialized (select row_number() over () as n, w.* from (");
            wanted(&mut sql, read.viewer(), &ids);
            fetch(read.db(), sql, counted, window, whose.has_few() && ids.len() == 1).await
        })
        .await?;
    Ok(found.unwrap_or_default())
}

/// Goes on with a statement that begins with whose it is. Rows are put together by number, which is quicker than by name.
async fn fetch(db: &Db, mut sql: Sql, counted: &Counted, window: Window, few: bool) -> Result<HashMap<Uuid, Series>> {
    sql.push(") w), ");
    push_edge(&mut sql, window);
    push_parts(&mut sql, counted, window);
    let sql = push_answer(sql, counted);
    let rows = if few { db.rows_by_kept_plan(sql).await? } else { db.rows(sql).await? };
    let mut found: HashMap<Uuid, Series> = HashMap::new();
    for row in &rows {
        if row.try_get(0)? {
            return Err(too_early(row.try_get::<Time, _>(1)?));
        }
        let Some(of) = row.try_get::<Option<Uuid>, _>(2)? else { continue };
        let series = found.entry(of).or_default();
        if let Some(Time(start)) = row.try_get(3)? {
            let counts = (5..5 + counted.counts.len()).map(|column| row.try_get(column)).collect::<sqlx::Result<_>>()?;
            series.points.insert(start, counts);
        } else {
            series.rate = row.try_get(4)?;
        }
    }
    Ok(found)
}

fn too_early(kept: Time) -> Error {
    Error::validation(format!("Minutes, hours, and parts of days, are known from {kept} on; before it ask for whole days of UTC."))
        .field("from")
        .details(serde_json::json!({"earliest": kept.to_string()}))
}

/// The instants that the range is cut at: raw rows before the first midnight, sums of closed days up to `cut`, sums of the
/// days after it up to `added` if the range reaches that far, raw rows after it. And whether raw rows are needed that are gone.
fn push_edge(sql: &mut Sql, window: Window) {
    let (from, to, (first, last)) = (window.from, window.to, whole_days(window));
    sql.push("edge as materialized (select e.kept, e.cut, case when e.added >= e.mark and e.added > e.cut and e.added <= ");
    sql.bind(to);
    sql.push("::timestamptz then e.added end as added, (");
    sql.bind(from);
    sql.push("::timestamptz < ");
    sql.bind(first);
    sql.push("::timestamptz and ");
    sql.bind(from);
    sql.push("::timestamptz < e.kept) or (e.cut < ");
    sql.bind(to);
    sql.push("::timestamptz and e.cut < e.kept) as early from (select b.*, greatest(");
    sql.bind(first);
    sql.push("::timestamptz, least(");
    sql.bind(last);
    // What was added up is of days.
    let added = match window.bucket {
        Bucket::Day => "(select at from pumphouse.job_watermark where job = 'today')",
        Bucket::Minute | Bucket::Hour => "null::timestamptz",
    };
    sql.push("::timestamptz, b.mark)) as cut from (select ");
    sql.push(&format!("{} as mark, {} as kept, {added} as added) b) e), ", after("rollup"), after("retention")));
}

/// From when to when whole days are asked for; from the start to the start when none are.
fn whole_days(window: Window) -> (DateTime<Utc>, DateTime<Utc>) {
    match window.bucket {
        Bucket::Day => (window.first_midnight(), window.last_midnight()),
        Bucket::Minute | Bucket::Hour => (window.from, window.from),
    }
}

/// The first instant after the day that a job has come to.
fn after(job: &str) -> String {
    format!("coalesce((select (day + 1)::timestamp at time zone 'UTC' from pumphouse.job_watermark where job = '{job}'), '-infinity')")
}

/// Sums of each topic or subscription of each object by point, each from one side of the watermarks. The day that the range
/// ends in may be there in part: as far as it was added up, which is then within the range. The bounds beside `cut` change
/// nothing but what PostgreSQL knows beforehand.
fn push_parts(sql: &mut Sql, counted: &Counted, window: Window) {
    let Counted { rows, daily, today, of, .. } = counted;
    let (first, last) = whole_days(window);
    for before in [true, false] {
        sql.push(if before { "part as (" } else { " union all " });
        sql.push(&format!("select w.n, w.id, greatest(date_trunc('{}', m.created_at, 'UTC'), ", window.bucket.unit()));
        sql.bind(window.from);
        sql.push(&format!("::timestamptz) as start, {} from {rows}", counted.sums()));
        sql.push(&format!(" join want w on w.item = m.{of} where not (select early from edge) and m.created_at >= "));
        if before {
            sql.bind(window.from);
            sql.push("::timestamptz and m.created_at < ");
            sql.bind(first);
        } else {
            sql.push("(select coalesce(added, cut) from edge) and m.created_at >= ");
            sql.bind(first);
            sql.push("::timestamptz and m.created_at < ");
            sql.bind(window.to);
        }
        sql.push("::timestamptz group by 1, 2, 3");
    }
    for (table, there) in [(daily, "not early"), (today, "added is not null and not early")] {
        sql.push(" union all select w.n, w.id, p.day::timestamp at time zone 'UTC', ");
        sql.push(&format!("{} from want w join {table} p on p.{of} = w.item where (select {there} from edge)", counted.columns()));
        if table == daily {
            sql.push(" and p.day >= (");
            sql.bind(first);
            sql.push("::timestamptz at time zone 'UTC')::date and p.day < (");
            sql.bind(last);
            sql.push("::timestamptz at time zone 'UTC')::date and p.day < ((select cut from edge) at time zone 'UTC')::date");
        } else {
            sql.push(" and p.day >= ((select cut from edge) at time zone 'UTC')::date");
        }
    }
    sql.push(")");
}

/// For each object its points, and its rate: of one topic the total by the effective duration, of several their sum. Both
/// are made in one pass.
fn push_answer(sql: Sql, counted: &Counted) -> Sql {
    let names: String = counted.counts.iter().map(|(name, _)| format!(", {name}")).collect();
    let nothing = ", null::bigint".repeat(counted.counts.len());
    let counts: String = counted.counts.iter().map(|(name, _)| format!(", {} as {name}", saturating(&format!("p.{name}")))).collect();
    sql.text(&format!(
        ", sums as (select p.id, p.start, grouping(p.n) = 1 as of_point{counts}, sum(p.{total}) as total, sum(p.span_ms) as span_ms,
    max(p.max_to)::numeric - min(p.min_from) as reach, sum(p.row_count) as row_count
  from part p group by grouping sets ((p.id, p.start), (p.id, p.n))),
rate as (select id, null::timestamptz, coalesce(sum(total * 1000 / nullif(case when span_ms > 0 then span_ms when reach > 0 then reach else row_count * 1000 end, 0)), 0)::float8{nothing}
  from sums where not of_point group by id)
select e.early, e.kept, r.* from edge e
  left join (select id, start, null::float8{names} from sums where of_point union all select * from rate) r on not e.early",
        total = counted.total,
    ))
}
