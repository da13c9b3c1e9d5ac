//! The rollup: sums of closed days, in UTC.
//!
//! Always holds: a day is summed by delete, insert and the step of the watermark in one transaction, alone on the day:
//! whoever adds rows to a day holds its lock until they are committed, so every row of it is seen. Run twice,
//! in two replicas or ended half way, nothing changes (domain.md section 4).

use chrono::NaiveDate;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::LeaderContext;
use crate::core::scalars::Date;
use crate::core::sql::Sql;
use crate::throughput::counted::{CONSUMPTION, Counted, PRODUCTION};

/// Without a watermark, all that came before the first raw row counts as summed.
const BEGIN: &str = "insert into pumphouse.job_watermark (job, day, at)
select 'rollup', least((created_at at time zone 'UTC')::date, (clock_timestamp() at time zone 'UTC')::date) - 1, clock_timestamp()
from (select least((select min(created_at) from production_metric), (select min(created_at) from consumption_metric), clock_timestamp()) as created_at) first
where not exists (select from pumphouse.job_watermark where job = 'rollup')
on conflict (job) do nothing";

/// The first closed day that is not summed; nobody else sums it meanwhile.
const NEXT: &str = "select day + 1 from pumphouse.job_watermark
where job = 'rollup' and day + 1 < (clock_timestamp() at time zone 'UTC')::date for update";

/// A busy day takes longer to sum than a statement of a request may. A leader that is cut off meanwhile must not go on:
/// its successor waits for its transaction.
pub(crate) const PATIENCE: &str =
    "select set_config('statement_timeout', '600s', true), set_config('client_connection_check_interval', '2s', true)";

/// Sums every closed day that is not summed yet.
pub(crate) async fn roll_up(system: &LeaderContext) -> Result<()> {
    let mut transaction = system.begin().await?;
    rows_on(&mut transaction, Sql::new(PATIENCE)).await?;
    rows_on(&mut transaction, Sql::new(BEGIN)).await?;
    transaction.commit().await?;
    while roll_up_next(system).await? {}
    Ok(())
}

/// Sums one day; answers whether there was one.
async fn roll_up_next(system: &LeaderContext) -> Result<bool> {
    let mut transaction = system.begin().await?;
    let Some(row) = rows_on(&mut transaction, Sql::new(NEXT)).await?.into_iter().next() else { return Ok(false) };
    let Date(day) = row.try_get(0)?;
    rows_on(&mut transaction, Sql::new("select pg_advisory_xact_lock(pumphouse.metric_day_key(").value(day).text("))")).await?;
    rows_on(&mut transaction, Sql::new(PATIENCE)).await?;
    for counted in [&PRODUCTION, &CONSUMPTION] {
        sum(&mut transaction, counted, day).await?;
        // What was added up of the day while it was open has served.
        rows_on(&mut transaction, Sql::new("delete from ").text(counted.today).with(" where day <= ", day)).await?;
    }
    let step = Sql::new("update pumphouse.job_watermark set at = clock_timestamp(), day = ").value(day).text(" where job = 'rollup'");
    rows_on(&mut transaction, step).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Writes the sums of a day anew.
async fn sum(connection: &mut PgConnection, counted: &Counted, day: NaiveDate) -> Result<()> {
    let Counted { raw, rows, daily, of, told, .. } = counted;
    rows_on(connection, Sql::new("delete from ").text(daily).with(" where day = ", day)).await?;
    let many = Sql::new(&format!("select count(distinct m.{of}) from {raw} m"));
    let many: i64 = rows_on(connection, of_day(many, day)).await?.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
    let ids: Vec<Uuid> = (0..many).map(|_| Id::<Counted>::random().uuid()).collect();
    let names: String = told.iter().map(|(name, _)| format!(", {name}")).collect();
    let values: String = told.iter().map(|(name, value)| format!(", {value} as {name}")).collect();
    let columns = counted.columns();
    let into = format!("insert into {daily} (id, day, created_at, updated_at, {of}, {columns}{names}) select (");
    let sql = Sql::new(&into)
        .value(ids)
        .with("::uuid[])[s.place], ", day)
        .text(&format!(
            ", clock_timestamp(), clock_timestamp(), s.item, {columns}{names} from (select m.{of} as item, row_number() over () as place, "
        ))
        .text(&counted.sums())
        .text(&format!("{values} from {rows}"));
    rows_on(connection, of_day(sql, day).text(&format!(" group by m.{of}) s"))).await?;
    Ok(())
}

/// Narrows a statement to the raw rows `m` of a day, in UTC whatever the session's time zone.
fn of_day(sql: Sql, day: NaiveDate) -> Sql {
    sql.with(" where m.created_at >= (", day)
        .with("::date)::timestamp at time zone 'UTC' and m.created_at < (", day)
        .text("::date + 1)::timestamp at time zone 'UTC'")
}

/// Notes that the sums up to this day are in place and have no raw rows: for whoever writes history.
pub(crate) fn note_summed(day: NaiveDate) -> Sql {
    Sql::new("insert into pumphouse.job_watermark (job, day, at) select job, ")
        .value(day)
        .text(", clock_timestamp() from unnest(array['rollup', 'retention']) job")
        .text(" on conflict (job) do update set day = greatest(job_watermark.day, excluded.day), at = excluded.at")
}
