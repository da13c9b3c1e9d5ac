//! Days of metrics: summed up once they are over, alone and completely, their raw rows dropped when they are old.

use std::time::Duration;

use pumphouse::core::leader::Job as _;
use pumphouse::throughput::Upkeep;
use serde_json::json;

use super::{Flow, UPKEEP, hours_from_today};

/// Both daily tables, but for what is new whenever a day is summed.
const SUMS: &str = "select md5(string_agg(line, ';' order by line)) from (
    select to_jsonb(p) - 'id' - 'created_at' - 'updated_at' || '{}' as line from production_metric_daily p
    union all select to_jsonb(c) - 'id' - 'created_at' - 'updated_at' from consumption_metric_daily c) l";

/// What the sums of the closed days must be, straight from the raw rows.
const EXPECTED: &str = "select md5(string_agg(line::text, ';' order by line::text)) from (
    select jsonb_build_object('topic', topic, 'day', (created_at at time zone 'UTC')::date, 'creates', sum((events->>'c')::bigint), 'updates', 0,
      'deletes', 0, 'reads', 0, 'bytes', 0, 'total_events', sum((events->>'total')::bigint), 'span_ms', sum(to_ts - from_ts), 'min_from', min(from_ts),
      'max_to', max(to_ts), 'row_count', count(*)) as line
    from production_metric where created_at < $1::text::timestamptz group by topic, (created_at at time zone 'UTC')::date) l";

async fn print(flow: &Flow, sql: &'static str) -> Option<String> {
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(
        sql.replace("string_agg(line, ';' order by line)", "string_agg(line::text, ';' order by line::text)"),
    ));
    let query = if sql.contains("$1") { query.bind(hours_from_today(0)) } else { query };
    query.fetch_one(&flow.stage.world.pool).await.expect("a fingerprint")
}

/// Rows of some days, among them the first and the last instant of each.
async fn days(flow: &Flow, days: i64) {
    for day in 1..=days {
        for (number, shift) in [0, 3_600_000, 86_399_999].into_iter().enumerate() {
            let at =
                chrono::DateTime::parse_from_rfc3339(&hours_from_today(-24 * day)).expect("a time") + chrono::Duration::milliseconds(shift);
            flow.produced_at(&format!("topic.{number}"), &at.to_rfc3339(), day * 10 + i64::try_from(number).expect("a number")).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t05_however_often_a_day_is_summed_and_wherever_that_ends_the_sums_are_the_same() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    days(&flow, 4).await;
    flow.produced_at("topic.0", &hours_from_today(0), 1_000).await;
    // Ended at any instruction, and begun again, by two at once.
    let mut ended = 0;
    for micros in (500..30_000).step_by(1_500) {
        let patience = Duration::from_micros(micros);
        let (one, other) =
            tokio::join!(tokio::time::timeout(patience, UPKEEP.run(&system)), tokio::time::timeout(patience / 2, UPKEEP.run(&system)));
        ended += usize::from(one.is_err()) + usize::from(other.is_err());
    }
    assert!(ended > 2, "only {ended} were ended half way");
    let expected = print(&flow, EXPECTED).await;
    for _ in 0..2 {
        let (one, other) = tokio::join!(UPKEEP.run(&system), UPKEEP.run(&system));
        one.and(other).expect("both go well");
        assert!(expected.is_some());
        assert_eq!(print(&flow, SUMS).await, expected);
    }
    let yesterday =
        "select (day = (clock_timestamp() at time zone 'UTC')::date - 1)::int::bigint from pumphouse.job_watermark where job = 'rollup'";
    assert_eq!(flow.number(yesterday).await, 1);
}

#[tokio::test]
async fn a_day_is_summed_only_once_nobody_adds_to_it_any_more() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    days(&flow, 1).await;
    // A report that came in before midnight and is not committed yet.
    let mut late = flow.stage.world.pool.begin().await.expect("a transaction");
    let hold = "select pg_advisory_xact_lock_shared(pumphouse.metric_day_key((clock_timestamp() at time zone 'UTC')::date - 1))";
    sqlx::query(hold).execute(&mut *late).await.expect("the day's lock");
    let add = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at) values (gen_random_uuid(), 0, 1, 'topic.late', '{\"c\":5,\"total\":5}', $1::text::timestamptz)";
    sqlx::query(add).bind(hours_from_today(-1)).execute(&mut *late).await.expect("a late row");
    let summing = tokio::spawn(async move { UPKEEP.run(&system).await });
    let waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted";
    while flow.number(waits).await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(flow.number("select count(*) from production_metric_daily").await, 0);
    late.commit().await.expect("committed");
    summing.await.expect("it ends").expect("it goes well");
    assert_eq!(flow.number("select total_events from production_metric_daily where topic = 'topic.late'").await, 5);
}

#[tokio::test]
async fn nothing_is_added_to_a_day_that_was_summed_also_when_the_clock_was_set_back() {
    let flow = Flow::open().await;
    flow.leader().await;
    // As if the clock had been a day ahead when the day was summed.
    flow.write("insert into pumphouse.job_watermark (job, day) values ('rollup', (clock_timestamp() at time zone 'UTC')::date)").await;
    flow.produce("a", json!([flow.created(1)])).await.data();
    let sql = "select count(*) from production_metric where created_at = ((clock_timestamp() at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC'";
    assert_eq!(flow.number(sql).await, 1);
}

#[tokio::test]
async fn raw_rows_go_after_the_retention_once_they_are_summed() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    days(&flow, 5).await;
    let short = Upkeep { retention: Duration::from_hours(48) };
    flow.write("select pumphouse.ensure_metric_partitions(5, 0)").await;
    let total = flow.number("select sum((events->>'total')::bigint)::bigint from production_metric").await;
    short.run(&system).await.expect("the upkeep goes well");
    // Today's, yesterday's and what is two days old stays: whole days.
    let kept = "select count(distinct (created_at at time zone 'UTC')::date) from production_metric";
    assert_eq!(flow.number(kept).await, 2);
    assert_eq!(flow.number("select count(*) from pg_class where relname ~ '^production_metric_p\\d+$' and right(relname, 8) < to_char((clock_timestamp() at time zone 'UTC') - interval '2 days', 'YYYYMMDD')").await, 0);
    assert_eq!(flow.number("select sum(total_events)::bigint from production_metric_daily").await, total);
    short.run(&system).await.expect("the upkeep goes well");
    assert_eq!(flow.number("select sum(total_events)::bigint from production_metric_daily").await, total);

    // Whole days are known for good, parts of days and hours from the first kept instant on.
    let earliest = hours_from_today(-48);
    let whole = flow.production(&flow.stage.root, &hours_from_today(-120), &hours_from_today(24), "DAY").await.data();
    assert_eq!(whole["datamodel"]["production"]["points"].as_array().map(Vec::len), Some(6));
    for (from, to, bucket) in [(-119, 24, "DAY"), (-120, -50, "DAY"), (-72, 0, "HOUR")] {
        let refused = flow.production(&flow.stage.root, &hours_from_today(from), &hours_from_today(to), bucket).await;
        assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("from")), "{from} {to} {bucket}");
        let named = refused.0["errors"][0]["extensions"]["details"]["earliest"].as_str().expect("an instant").to_owned();
        assert_eq!(named.parse::<chrono::DateTime<chrono::Utc>>().ok(), earliest.parse().ok());
        assert!(refused.message().contains(&named));
    }
    for (from, to, bucket) in [(-48, 0, "HOUR"), (-47, 1, "DAY"), (-120, -48, "DAY")] {
        flow.production(&flow.stage.root, &hours_from_today(from), &hours_from_today(to), bucket).await.data();
    }
}

#[tokio::test]
async fn raw_rows_stay_while_their_day_is_not_summed() {
    let flow = Flow::open().await;
    flow.leader().await;
    days(&flow, 3).await;
    flow.write("insert into pumphouse.job_watermark (job, day) values ('rollup', (clock_timestamp() at time zone 'UTC')::date - 3)").await;
    let dropped = "select count(*) from (select pumphouse.drop_metric_days(d.last) from (select least(w.day, (clock_timestamp() at time zone 'UTC')::date - 1) as last
        from pumphouse.job_watermark w where w.job = 'rollup') d) x";
    flow.number(dropped).await;
    assert_eq!(flow.number("select count(*) from production_metric").await, 6);
}

#[tokio::test]
async fn a_batch_is_remembered_for_a_day() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    for batch in ["old", "young"] {
        flow.produce(batch, json!([flow.created(1)])).await.data();
    }
    flow.write("update pumphouse.metric_batch set at = at - interval '24 hours' where batch_id = 'old'").await;
    flow.write("update pumphouse.metric_batch set at = at - interval '23 hours 50 minutes' where batch_id = 'young'").await;
    flow.upkeep(&system).await;
    for (batch, repeated) in [("old", false), ("young", true)] {
        assert_eq!(flow.produce(batch, json!([flow.created(1)])).await.data()["reportProduction"]["repeated"], repeated, "{batch}");
    }
}

#[tokio::test]
async fn t02_partitions_and_times_of_arrival_are_of_utc_in_any_session_zone() {
    let flow = Flow::open().await;
    let names = "select string_agg(c.relname || pg_get_expr(c.relpartbound, c.oid), ',' order by c.relname) from pg_class c where c.relname ~ '^production_metric_p\\d+$'";
    let mut connection = flow.stage.world.pool.acquire().await.expect("a connection");
    let mut seen = Vec::new();
    for zone in ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("set timezone = '{zone}'; select pumphouse.ensure_metric_partitions(3, 7)")))
            .execute(&mut *connection)
            .await
            .expect("partitions");
        let at: bool =
            sqlx::query_scalar("select pumphouse.ingestion_time() between clock_timestamp() - interval '1 second' and clock_timestamp()")
                .fetch_one(&mut *connection)
                .await
                .expect("a time");
        assert!(at, "{zone}");
        sqlx::raw_sql("set timezone = 'UTC'").execute(&mut *connection).await.expect("back");
        let all: String = sqlx::query_scalar(names).fetch_one(&mut *connection).await.expect("names");
        seen.push(all);
    }
    assert!(seen.iter().all(|all| *all == seen[0]), "{seen:#?}");
}
