//! The days that are not summed up yet, in sums: what came in since the last time is added to them.
//!
//! Always holds: a raw row is added once. First the days are sealed: whoever adds rows holds the lock of their day until they
//! are committed, so once the leader had it alone, all that came in before is there, and what comes later has a later time.
//! Then what lies between the last seal and this one is added and the mark set, in one transaction, or in one for each
//! hour. These sums are only quicker to read than raw rows: the rollup takes no notice of them, and removes them. Not
//! here: closed days (`rollup.rs`).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, Row as _};

use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::leader::{Job, LeaderContext};
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::throughput::counted::{CONSUMPTION, Counted, PRODUCTION};
use crate::throughput::rollup::PATIENCE;
use crate::throughput::upkeep::IMPATIENCE;

/// What reading takes from raw rows is what came in for little longer than this.
const PACE: Duration = Duration::from_secs(5);
/// A transaction adds no more than what came in within this time: after a pause there is much to add.
const STEP: TimeDelta = TimeDelta::hours(1);

/// Whether anything came in since the last time, once there is a rollup to go on from.
const NEWS: &str = "select exists (select from production_metric m where m.created_at >= mark.at)
  or exists (select from consumption_metric m where m.created_at >= mark.at)
from pumphouse.job_watermark r cross join lateral (select coalesce(max(w.at), '-infinity') as at from pumphouse.job_watermark w where w.job = 'today') mark
where r.job = 'rollup'";

/// Waits until nobody adds rows any more to the days since the last time, and holds newcomers off; tomorrow's, too, as the
/// day may end meanwhile.
const ALONE: &str = "select pg_advisory_xact_lock(pumphouse.metric_day_key(d::date)) from pumphouse.job_watermark r
  left join pumphouse.job_watermark w on w.job = 'today',
  generate_series(greatest(r.day + 1, (w.at at time zone 'UTC')::date)::timestamp,
    (greatest(r.day + 1, (clock_timestamp() at time zone 'UTC')::date) + 1)::timestamp, '1 day') d
where r.job = 'rollup'";

const SEAL: &str = "insert into pumphouse.job_watermark (job, at) values ('sealed', clock_timestamp()), ('today', null)
on conflict (job) do update set at = greatest(job_watermark.at, excluded.at)";

/// From when to when is to be added, and whether from nothing; nobody else adds or sums up meanwhile.
const NEXT: &str = "select greatest(t.at, (r.day + 1)::timestamp at time zone 'UTC'), s.at, t.at is null
from pumphouse.job_watermark t, pumphouse.job_watermark r, pumphouse.job_watermark s
where t.job = 'today' and r.job = 'rollup' and s.job = 'sealed' for update of t for share of r";

/// The job that keeps the sums of the open day.
#[derive(Clone, Copy, Debug)]
pub struct Today;

impl Job for Today {
    fn name(&self) -> &'static str {
        "throughput_today"
    }

    fn every(&self) -> Duration {
        PACE
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let news = system.db().rows(Sql::new(NEWS)).await?;
            if news.first().map_or(Ok(false), |row| row.try_get(0))? {
                seal(system).await?;
                while add_next(system).await? {}
            }
            Ok(())
        })
    }
}

/// Who reports meanwhile waits; so when somebody does not end it is given up, and tried again the next time.
async fn seal(system: &LeaderContext) -> Result<()> {
    let mut transaction = system.begin().await?;
    for statement in [IMPATIENCE, ALONE, SEAL] {
        rows_on(&mut transaction, Sql::new(statement)).await?;
    }
    Ok(transaction.commit().await?)
}

/// Adds an hour at most; answers whether there is more.
async fn add_next(system: &LeaderContext) -> Result<bool> {
    let mut transaction = system.begin().await?;
    rows_on(&mut transaction, Sql::new(PATIENCE)).await?;
    let Some(row) = rows_on(&mut transaction, Sql::new(NEXT)).await?.into_iter().next() else { return Ok(false) };
    let (Time(from), Time(sealed), anew): (Time, Time, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let to = sealed.min(from + STEP);
    for counted in [&PRODUCTION, &CONSUMPTION] {
        if anew {
            rows_on(&mut transaction, Sql::new("delete from ").text(counted.today)).await?;
        }
        if from < to {
            add(&mut transaction, counted, from, to).await?;
        }
    }
    let mark = Sql::new("update pumphouse.job_watermark set at = ").value(from.max(to)).text(" where job = 'today'");
    rows_on(&mut transaction, mark).await?;
    transaction.commit().await?;
    Ok(to < sealed)
}

async fn add(connection: &mut PgConnection, counted: &Counted, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<()> {
    let Counted { rows, today, of, .. } = counted;
    let (columns, sums, added) = (counted.columns(), counted.sums(), counted.added());
    let sql = Sql::new(&format!(
        "insert into {today} as p ({of}, day, {columns}) select m.{of}, (m.created_at at time zone 'UTC')::date, {sums} from {rows}"
    ))
    .with(" where m.created_at >= ", from)
    .with(" and m.created_at < ", to)
    .text(&format!(" group by 1, 2 on conflict ({of}, day) do update set {added}"));
    rows_on(connection, sql).await?;
    Ok(())
}
