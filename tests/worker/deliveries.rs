//! What is delivered when: as the API wants it, and as soon as the database lets it.

use serde_json::json;

use super::api::{Api, until};
use super::line::{ID, Line, subscription};
use super::process::{Directory, Worker};

const ORDERS: &str =
    "create table public.orders (id int primary key, note text); insert into public.orders select g, 'note' from generate_series(1, 100) g";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_paused_is_not_delivered_and_what_is_wanted_again_goes_on() {
    let mut line = Line::new("paused", ORDERS).await;
    line.snapshot().await;
    line.delivered().await;
    line.target_api.deliver(&json!([]));
    line.source.run("delete from orders where id > 50").await;
    line.snapshot().await;
    // The next subscription is delivered meanwhile, so the first one had its time.
    let second = json!({"id": "7a0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e12", "targetTable": "others"});
    line.target_api.deliver(&json!([subscription(&second)]));
    until("the other table", || line.target_worker.log().contains("consumed=50").then_some(())).await;
    assert_eq!(line.target.number("select count(*) from delivered").await, 100);
    assert_eq!(line.target.number("select count(*) from others").await, 50);
    line.target_api.deliver(&json!([subscription(&json!({})), subscription(&second)]));
    line.delivered().await;
    line.assert_same().await;
    // Into another table everything is delivered from the start.
    line.target_api.deliver(&json!([subscription(&json!({"targetTable": "elsewhere"}))]));
    until("the third table", || (line.target_api.consumption()[1] == 250).then_some(())).await;
    assert_eq!(line.target.number("select count(*) from elsewhere").await, 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_delivers_everything_again_and_is_confirmed_once() {
    let mut line = Line::new("backfill", ORDERS).await;
    line.target_api.backfill(Some(("1b0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e11", ID)));
    line.snapshot().await;
    line.target_api.backfill(Some(("1b0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e11", ID)));
    until("the confirmation", || (line.target_api.confirmed().len() == 1).then_some(())).await;
    line.assert_same().await;
    line.target.run("delete from delivered where id > 3; update delivered set note = 'spoilt'").await;
    line.target_api.backfill(Some(("2b0f6a0e-4b2c-4d55-9d3b-0c8b6f3a1e11", ID)));
    until("the second confirmation", || (line.target_api.confirmed().len() == 2).then_some(())).await;
    line.assert_same().await;
    // Asked again by a worker that does not remember, it is only confirmed again.
    line.target_worker.signal("KILL");
    line.target_worker.end().await;
    line.relaunch();
    until("the third confirmation", || (line.target_api.confirmed().len() == 3).then_some(())).await;
    line.target_api.backfill(None);
    line.delivered().await;
    assert_eq!(line.target_api.consumption(), [200, 200, 0]);
    line.assert_same().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_or_an_api_that_is_away_for_a_while_is_waited_for() {
    let mut line = Line::new("away", ORDERS).await;
    line.snapshot().await;
    line.delivered().await;
    let name = line.target.configuration()["database"].as_str().unwrap().to_owned();
    let terminate = format!("select pg_terminate_backend(pid) from pg_stat_activity where usename = '{}'", line.target.role);
    line.source.run(&format!("alter role {} nologin", line.target.role)).await;
    line.source.run(&terminate).await;
    line.source.run("insert into orders values (1000, 'late')").await;
    line.snapshot().await;
    until("an attempt", || line.target_worker.log().contains("is not permitted to log in").then_some(())).await;
    line.source.run(&format!("alter role {} login", line.target.role)).await;
    line.delivered().await;
    line.assert_same().await;
    assert!(!name.is_empty());

    line.target_api.set_down(true);
    line.source.run("delete from orders where id = 1000").await;
    line.snapshot().await;
    until("the rows", || line.target_worker.log().contains("told later").then_some(())).await;
    line.assert_same().await;
    line.target_api.set_down(false);
    line.delivered().await;
    assert_eq!(line.target_api.consumption(), [100 + 101 + 100, 100 + 101 + 100, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_while_it_delivers_is_obeyed_at_once() {
    let mut line = Line::new("stopped", ORDERS).await;
    line.snapshot().await;
    line.delivered().await;
    let mut lock = line.target.database.pool.begin().await.unwrap();
    sqlx::query("lock table delivered in access exclusive mode").execute(&mut *lock).await.unwrap();
    line.snapshot().await;
    line.target.readers_are_busy(true).await;
    line.target_api.instruct("STOP");
    assert!(line.target_worker.end().await.success());
    assert_eq!(line.target_api.states().last().unwrap().0, "PAUSED");
    lock.rollback().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_directory_a_target_says_that_nothing_can_arrive() {
    let line = Line::idle("directory", "select 1", "select 1").await;
    let api = Api::start("POSTGRES_TARGET", line.target.configuration()).await;
    let _worker = Worker::launch(&api, &Directory::new("nowhere"), &[("PUMPHOUSE_SEGMENTS_DIR", "")]);
    assert!(api.reported("ERROR").await.unwrap().contains("PUMPHOUSE_SEGMENTS_DIR"));
}
