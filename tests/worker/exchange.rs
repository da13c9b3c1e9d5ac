//! One snapshot in place of another: repeated, broken off, killed, rejected in part, refused as a whole.

use serde_json::json;
use tokio::time::sleep;

use super::api::until;
use super::line::{ID, Line, subscription};

const KEYED: &str = "create table public.orders (id int primary key, note text);
    insert into public.orders select g, 'note ' || g from generate_series(1, 2000) g";

#[tokio::test(flavor = "multi_thread")]
async fn the_next_snapshot_takes_the_place_of_the_last_with_keys_and_without() {
    let without =
        "create table public.orders (id int, note text); insert into public.orders select g % 50, 'note' from generate_series(1, 2000) g";
    for (name, orders) in [("keyed", KEYED), ("keyless", without)] {
        let mut line = Line::new(name, orders).await;
        line.snapshot().await;
        line.delivered().await;
        line.assert_same().await;
        line.source.run("delete from orders where id % 7 = 0; update orders set note = 'new' where id % 7 = 1; insert into orders values (9999, '')").await;
        line.snapshot().await;
        line.delivered().await;
        line.assert_same().await;
        let left = line.source.number("select count(*) from orders").await;
        assert_eq!(line.target_api.consumption(), [2000 + left, 2000 + left, 0], "{name}");
        line.source.run("truncate orders").await;
        line.snapshot().await;
        line.delivered().await;
        line.assert_same().await;
        assert_eq!(line.target.number("select count(*) from pg_class where relname like 'stage%'").await, 0, "nothing stays staged");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_it_loses_and_doubles_nothing() {
    let line = &mut Line::new("killed", "create table public.orders (id int, note text)").await;
    let rows = |part: i32| (1..=400).fold(String::new(), |rows, row| rows + &format!("{},\"note {part}\"\n", part * 1000 + row));
    line.hand_over(1, ("a", 1, false), &rows(1));
    line.delivered().await;
    // A snapshot that broke off, then a whole one of which the worker takes each part up to a kill.
    for (position, number) in [(2, 1), (3, 2), (4, 3)] {
        let mut lock = line.target.database.pool.begin().await.unwrap();
        sqlx::query("lock table pumphouse_delivery.report in access exclusive mode").execute(&mut *lock).await.unwrap();
        line.hand_over(position, ("b", number, number == 3), &rows(i32::try_from(number).unwrap()));
        // All but the last step of its transaction is done.
        let waits = format!(
            "select count(*) from pg_locks l join pg_stat_activity a using (pid) where not granted and usename = '{}'",
            line.target.role
        );
        for _ in 0..1500 {
            if line.target.number(&waits).await > 0 {
                break;
            }
            sleep(std::time::Duration::from_millis(20)).await;
        }
        assert!(line.target.number(&waits).await > 0, "{}", line.target_worker.log());
        line.target_worker.signal("KILL");
        line.target_worker.end().await;
        lock.rollback().await.unwrap();
        line.relaunch();
        line.delivered().await;
    }
    assert_eq!(line.target.number("select count(*) from delivered").await, 1200);
    assert_eq!(line.target.number("select count(distinct (id, note)) from delivered").await, 1200);
    assert_eq!(line.target_api.consumption(), [1600, 1200, 0]);
    // What has lost its beginning is passed over.
    line.hand_over(5, ("c", 2, true), "1,lost\n");
    line.delivered().await;
    assert_eq!(line.target.number("select count(*) from delivered").await, 1200);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_rows_go_to_the_error_table_and_the_others_arrive() {
    let checked = "create table delivered (id smallint primary key, note varchar(8) check (note <> 'note 7'))";
    let mut line = Line::idle("rejected", KEYED, checked).await;
    line.source.run("alter table orders alter id type smallint").await;
    let errors = json!({"errorTable": {"name": "rejected", "own": true}});
    line.target_api.deliver(&json!([subscription(&errors)]));
    for _ in 0..2 {
        line.snapshot().await;
        line.delivered().await;
        // `note 1000` is nine characters long.
        let bad = "select id, note from orders where id >= 1000 or id = 7";
        let arrived = Line::rows(&line.target, "table delivered").await;
        assert_eq!(arrived, Line::rows(&line.source, &format!("table orders except ({bad})")).await);
        let rejected = "select (record ->> 'id')::int, record ->> 'note' from rejected";
        assert_eq!(Line::rows(&line.target, rejected).await, Line::rows(&line.source, bad).await);
    }
    assert_eq!(line.target_api.consumption(), [4000, 1996, 2004]);
    let reasons = "select distinct reason from rejected where topic = 'shop/orders'";
    let reasons = Line::rows(&line.target, reasons).await;
    assert!(
        reasons.iter().any(|reason| reason.contains("value too long")) && reasons.iter().any(|reason| reason.contains("23514")),
        "{reasons:?}"
    );

    // A transform that refuses does the same, and its row is the source's.
    let more = json!({"errorTable": {"name": "rejected", "own": true}, "transforms": [
        {"type": "filter", "where": {"field": "id", "op": "le", "value": 5}}, {"type": "hash", "fields": ["missing"], "required": true}]});
    line.target_api.deliver(&json!([subscription(&more)]));
    line.snapshot().await;
    line.delivered().await;
    let rejected = Line::rows(&line.target, "select reason, record ->> 'note' from rejected").await;
    assert_eq!(rejected.len(), 5, "{rejected:?}");
    assert!(rejected.iter().all(|row| row.contains("transform 2 (hash)") && row.contains("note ")), "{rejected:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_does_not_fit_is_an_error_with_the_reason_and_stays_as_it_is() {
    let mut line = Line::idle("unfit", KEYED, "create table delivered (id int primary key); insert into delivered values (42)").await;
    line.target_api.deliver(&json!([subscription(&json!({}))]));
    line.snapshot().await;
    let reason = line.fault("does not fit").await;
    assert!(reason.contains("\"orders\"") && reason.contains("no column \"note\" of type text"), "{reason}");
    line.target.run("alter table delivered add note text").await;
    line.fault("rows that this subscription did not deliver").await;
    assert_eq!(Line::rows(&line.target, "table delivered").await, ["(42,)"]);
    line.target.run("delete from delivered").await;
    line.delivered().await;
    line.assert_same().await;
    until("LIVE again", || line.target_api.states().last().filter(|(state, _)| state == "LIVE").map(|_| ())).await;
    // Another subscription does not get the same table.
    let second = json!({"id": "7a0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e12", "name": "second"});
    line.target_api.deliver(&json!([subscription(&json!({})), subscription(&second)]));
    line.fault("\"second\" cannot be delivered").await;
    line.assert_same().await;
    assert_eq!(
        line.target
            .number(&format!(
                "select count(*) from pumphouse_delivery.progress where table_id = 'delivered'::regclass and subscription_id = '{ID}'"
            ))
            .await,
        1
    );
}
