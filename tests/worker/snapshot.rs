//! What a snapshot reads, tells and writes, and what becomes of it when something breaks.

use std::time::Duration;

use sqlx::AssertSqlSafe;
use tokio::time::sleep;

use super::Source;
use super::api::Api;
use super::process::{Directory, Worker};

/// Every character that CSV must quote, and rows that are longer than a line.
const ORDERS: &str = "create table public.orders (id int primary key, note text);
    insert into public.orders select g, case g % 6 when 0 then E'two\\nlines' when 1 then 'say \"hi\"' when 2 then null
        when 3 then '' when 4 then E'\"\\n\"\"\\r\\n,' else repeat('x', 3000) end from generate_series(1, 5000) g;
    create table public.empty (id int);
    create table public.none ();
    create table public.parted (id int) partition by range (id);
    create table public.part_a partition of public.parted for values from (0) to (50);
    create table public.part_b partition of public.parted for values from (50) to (100);
    insert into public.parted select generate_series(0, 99);
    create view public.seen as select id from public.orders where id <= 10;
    create materialized view public.kept as select id from public.orders where id <= 20;
    create schema \"a.b\"; create table \"a.b\".\"C \"\"d\" (id int); insert into \"a.b\".\"C \"\"d\" values (1), (2)";

/// A table that takes a while under the brake.
const LONG: &str = "create table public.orders as select g as id, repeat('y', 20) as note from generate_series(1, 4000) g";
const BRAKE: (&str, &str) = ("PUMPHOUSE_ROWS_PER_SECOND", "1500");

async fn start(name: &str, source: &Source, more: &[(&str, &str)]) -> (Api, Directory, Worker) {
    let (api, directory) = (Api::start("POSTGRES_SOURCE", source.configuration()).await, Directory::new(name));
    let worker = Worker::launch(&api, &directory, more);
    api.reported("LIVE").await;
    (api, directory, worker)
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_every_kind_are_read_and_refusals_have_their_true_reason() {
    let source = Source::new(ORDERS).await;
    source.run("create table public.payroll (id int)").await;
    let ruled = "create table public.ruled (id int); insert into public.ruled select generate_series(1, 9);
        alter table public.ruled enable row level security; create policy few on public.ruled using (id < 3);
        create table public.heir () inherits (public.orders)";
    source.run(&format!("{ruled}; grant select on public.ruled to {}", source.role)).await;
    source
        .run(&format!("grant usage on schema \"a.b\" to {role}; grant select on \"a.b\".\"C \"\"d\" to {role}", role = source.role))
        .await;
    let (api, directory, _worker) = start("kinds", &source, &[]).await;
    let quoted = "\"a.b\".\"C \"\"d\"";
    let good = [
        ("public.orders", 5000),
        ("empty", 0),
        ("public.none", 0),
        ("public.parted", 100),
        ("public.seen", 10),
        ("public.kept", 20),
        (quoted, 2),
    ];
    let bad = [
        ("public.payroll", "permission denied for table payroll (42501)"),
        ("public.ruled", "query would be affected by row-level security policy for table \"ruled\" (42501)"),
        ("public.missing", "relation \"public.missing\" does not exist (42P01)"),
        ("a.b.c", "\"a.b.c\" is not a table name: write table, schema.table or \"schema\".\"table\""),
        ("public.orders to program 'id'", "relation \"public.orders to program 'id'\" does not exist (42P01)"),
    ];
    let names: Vec<&str> = bad.iter().map(|(name, _)| *name).chain(good.iter().map(|(name, _)| *name)).collect();
    api.snapshot(&names);
    for (name, rows) in good {
        assert_eq!(api.ended(name).await, ("COMPLETED".to_owned(), rows, None), "{name}");
        let reports = api.reports(name);
        assert_eq!(reports.first().map(|(status, ..)| status.as_str()), Some("IN_PROGRESS"), "{name}");
        assert!(reports.is_sorted_by_key(|(_, rows, _)| *rows), "{name}");
    }
    for (name, reason) in bad {
        assert_eq!(api.ended(name).await, ("FAILED".to_owned(), 0, Some(reason.to_owned())), "{name}");
    }
    sleep(Duration::from_millis(300)).await;
    assert_eq!(api.reports("public.orders").iter().filter(|(status, ..)| status == "COMPLETED").count(), 1);

    // The segments, read back by PostgreSQL itself, are the table.
    assert_eq!(directory.files().iter().filter(|file| file.starts_with("shop%2Forders/")).count(), 2, "{:?}", directory.files());
    assert!(directory.files().iter().all(|file| file.ends_with("00000000000000000001.csv") || file.ends_with("00000000000000000001.json")));
    assert_eq!(api.counted(|row| row["events"]["r"].as_i64().unwrap()), 5000, "what a datamodel names is told as produced");
    source.run("create table public.back (like public.orders)").await;
    let mut connection = source.database.pool.acquire().await.unwrap();
    let mut copy = connection.copy_in_raw("copy public.back from stdin (format csv)").await.unwrap();
    copy.send(directory.topic("shop%2Forders")).await.unwrap();
    assert_eq!(copy.finish().await.unwrap(), 5000);
    drop(connection);
    let differing =
        "select count(*) from ((table public.orders except table public.back) union all (table public.back except table public.orders)) d";
    assert_eq!(source.number(differing).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_tables_are_of_the_same_instant() {
    let tables: Vec<String> = (0..7).map(|n| format!("public.t{n}")).collect();
    let create: Vec<String> = tables.iter().map(|table| format!("create table {table} as select generate_series(1, 1000) as id")).collect();
    let source = Source::new(&create.join(";")).await;
    let (api, _directory, _worker) = start("instant", &source, &[("PUMPHOUSE_ROWS_PER_SECOND", "1000")]).await;
    let insert: Vec<String> = tables.iter().map(|table| format!("insert into {table} values (0)")).collect();
    let insert = format!("begin; {}; commit", insert.join(";"));
    let pool = source.database.pool.clone();
    let writer = tokio::spawn(async move {
        loop {
            sqlx::raw_sql(AssertSqlSafe(insert.clone())).execute(&pool).await.unwrap();
        }
    });
    sleep(Duration::from_millis(200)).await;
    let names: Vec<&str> = tables.iter().map(String::as_str).collect();
    api.snapshot(&names);
    let mut rows = Vec::new();
    for name in names {
        rows.push(api.ended(name).await);
    }
    writer.abort();
    assert!(rows.iter().all(|ended| ended == &rows[0] && ended.0 == "COMPLETED" && ended.1 > 1000), "{rows:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_the_middle_and_launched_again_it_ends_with_the_right_numbers() {
    let source = Source::new(LONG).await;
    for generation in ["gen-1", "gen-2"] {
        // Launched again as the same generation, or as the next one.
        let (api, directory, mut worker) = start(generation, &source, &[BRAKE]).await;
        api.snapshot(&["public.orders"]);
        api.rows("public.orders", 1000).await;
        worker.signal("KILL");
        worker.end().await;
        assert!(directory.files().iter().any(|file| file.ends_with(".part")));
        api.supersede(generation);
        let _again = Worker::launch(&api, &directory, &[]);
        assert_eq!(api.ended("public.orders").await, ("COMPLETED".to_owned(), 4000, None));
        assert_eq!(directory.files(), ["csv", "json"].map(|kind| format!("shop%2Forders/00000000000000000001.{kind}")));
        assert_eq!(directory.topic("shop%2Forders").iter().filter(|byte| **byte == b'\n').count(), 4000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_the_middle_is_obeyed_at_once() {
    let source = Source::new(LONG).await;
    let (api, directory, mut worker) = start("stop", &source, &[BRAKE]).await;
    api.snapshot(&["public.orders"]);
    api.rows("public.orders", 1000).await;
    api.instruct("STOP");
    assert!(worker.end().await.success());
    assert_eq!(api.states().last().unwrap().0, "PAUSED");
    assert_eq!(api.reports("public.orders").last().unwrap().0, "IN_PROGRESS");
    assert!(directory.files().is_empty(), "{:?}", directory.files());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_longer_wanted_is_stopped_even_while_it_waits_for_a_lock() {
    let source = Source::new(&format!("{LONG}; create table public.small as select 1 as id")).await;
    let (api, _directory, mut worker) = start("lock", &source, &[]).await;
    let mut lock = source.database.pool.begin().await.unwrap();
    sqlx::query("lock table public.orders").execute(&mut *lock).await.unwrap();
    api.snapshot(&["public.orders", "public.small"]);
    assert_eq!(api.ended("public.small").await.0, "COMPLETED");
    source.readers_are_busy(true).await;
    api.instruct("RUN");
    source.readers_are_busy(false).await;
    drop(lock);
    api.snapshot(&["public.orders", "public.small"]);
    assert_eq!(api.ended("public.orders").await, ("COMPLETED".to_owned(), 4000, None));
    assert!(worker.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_is_away_for_a_while_disturbs_no_snapshot() {
    let source = Source::new(LONG).await;
    let (api, _directory, mut worker) = start("away", &source, &[BRAKE]).await;
    api.snapshot(&["public.orders"]);
    api.rows("public.orders", 1000).await;
    api.set_down(true);
    sleep(Duration::from_secs(3)).await;
    api.set_down(false);
    assert_eq!(api.ended("public.orders").await, ("COMPLETED".to_owned(), 4000, None));
    assert!(api.reports("public.orders").is_sorted_by_key(|(_, rows, _)| *rows), "the table was not begun again");
    assert!(worker.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_fails_the_table_with_the_reason_and_no_other() {
    let source = Source::new(&format!("{LONG}; create table public.small as select 1 as id")).await;
    source.run("insert into public.orders select g, repeat('z', 2000) from generate_series(1, 20000) g").await;
    let (api, directory, _worker) = start("lost", &source, &[BRAKE]).await;
    api.snapshot(&["public.orders"]);
    api.rows("public.orders", 100).await;
    let reader = format!("select pg_terminate_backend(pid) from pg_stat_activity where usename = '{}' and query ~ '^copy'", source.role);
    source.run(&reader).await;
    let (status, _, reason) = api.ended("public.orders").await;
    assert_eq!(status, "FAILED");
    assert!(
        reason.as_deref().is_some_and(|reason| reason.contains("while the table was read") && reason.ends_with("sync it again")),
        "{reason:?}"
    );
    assert!(directory.files().is_empty(), "{:?}", directory.files());
    api.snapshot(&["public.small"]);
    assert_eq!(api.ended("public.small").await.1, 1);
}

/// `cargo test --release -- --ignored --nocapture memory_stays_flat` prints rows a second and memory.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes three million rows"]
async fn memory_stays_flat_whatever_the_size() {
    let source = Source::new(
        "create unlogged table public.orders as select g as id, md5(g::text) as a, md5(g::text) as b, now() as at from generate_series(1, 3000000) g;
         create table public.small as select generate_series(1, 1000) as id",
    )
    .await;
    let (api, directory, worker) = start("flat", &source, &[]).await;
    api.snapshot(&["public.small"]);
    api.ended("public.small").await;
    let before = worker.peak_mib();
    let began = std::time::Instant::now();
    api.snapshot(&["public.orders"]);
    assert_eq!(api.ended("public.orders").await, ("COMPLETED".to_owned(), 3_000_000, None));
    let took = began.elapsed();
    let (after, bytes) = (worker.peak_mib(), directory.topic("shop%2Forders").len());
    println!("{bytes} bytes in {took:?}; peak {before} MiB before, {after} MiB after; {:?}", directory.files());
    assert!(after < before + 16, "from {before} to {after} MiB");
}
