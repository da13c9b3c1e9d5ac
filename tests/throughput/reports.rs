//! What workers report: once, whole or not at all, by who may, for topics and subscriptions of their own.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::postgres::PgListener;
use uuid::Uuid;

use super::{CONSUMPTION, Flow, PRODUCTION};
use crate::support::Reply;

const PRODUCED: &str = "select coalesce(sum((events->>'total')::bigint), 0)::bigint from production_metric";
const CONSUMED: &str = "select coalesce(sum(consumed_count), 0)::bigint from consumption_metric";

/// Each fault that was told: the field and nothing else.
fn faults(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.code(), "VALIDATION");
    let all = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations");
    all.iter().map(|fault| fault["field"].as_str().expect("a field").to_owned()).collect()
}

fn outcome(reply: Reply, root: &str) -> (bool, bool, String) {
    let answer = reply.data()[root].clone();
    let truth = |name: &str| answer[name].as_bool().expect("a truth");
    (truth("accepted"), truth("repeated"), answer["directive"].as_str().expect("a word").to_owned())
}

#[tokio::test]
async fn a_batch_is_added_once_however_often_it_is_sent() {
    let flow = Flow::open().await;
    let taken = |repeated| (true, repeated, "RUN".to_owned());
    for (batch, repeated, sum) in [("a", false, 7), ("a", true, 7), ("b", false, 14), ("a", true, 14)] {
        assert_eq!(outcome(flow.produce(batch, json!([flow.created(3), flow.created(4)])).await, "reportProduction"), taken(repeated));
        assert_eq!(outcome(flow.consume(batch, json!([flow.delivered(7)])).await, "reportConsumption"), taken(repeated));
        assert_eq!((flow.number(PRODUCED).await, flow.number(CONSUMED).await), (sum, sum), "{batch}");
    }
    // At once, as who repeats in haste would.
    let hasty = futures_util::future::join_all((0..8).map(|_| flow.produce("c", json!([flow.created(1)])))).await;
    let repeated = hasty.into_iter().filter(|reply| reply.0["data"]["reportProduction"]["repeated"] == true).count();
    assert_eq!((repeated, flow.number(PRODUCED).await), (7, 15));
}

#[tokio::test]
async fn a_superseded_generation_adds_nothing_and_is_told_to_exit() {
    let flow = Flow::open().await;
    flow.stage.command(&flow.stage.root, "restartWorker", flow.stage.worker).await.data();
    flow.stage.report(flow.generation, "PAUSED", None).await;
    let refused = (false, false, "EXIT".to_owned());
    assert_eq!(outcome(flow.produce("a", json!([flow.created(1)])).await, "reportProduction"), refused);
    flow.write("update pipeline set target_connector_id = null").await;
    sqlx::query("delete from connector where id = $1").bind(flow.target).execute(&flow.stage.world.pool).await.expect("gone");
    assert_eq!(outcome(flow.consume("a", json!([flow.delivered(1)])).await, "reportConsumption"), refused);
    assert_eq!((flow.number(PRODUCED).await, flow.number(CONSUMED).await), (0, 0));
    assert_eq!(flow.number("select count(*) from pumphouse.metric_batch").await, 0);
}

#[tokio::test]
async fn the_last_counts_of_a_worker_that_has_just_stopped_are_taken_and_are_no_sign_of_life() {
    let flow = Flow::open().await;
    flow.stage.stop().await;
    assert_eq!(outcome(flow.produce("a", json!([flow.created(1)])).await, "reportProduction"), (true, false, "STOP".to_owned()));
    flow.stage.report(flow.generation, "PAUSED", None).await;
    let before = flow.stage.worker_now().await;
    assert_eq!(outcome(flow.produce("b", json!([flow.created(1)])).await, "reportProduction"), (true, false, "EXIT".to_owned()));
    assert_eq!(flow.stage.worker_now().await, before);
    assert_eq!(flow.number(PRODUCED).await, 2);
}

#[tokio::test]
async fn every_fault_of_every_row_is_told_at_once_and_nothing_is_added() {
    let flow = Flow::open().await;
    let now = chrono::Utc::now().timestamp_millis();
    let other = flow.stage.world.source(flow.stage.team, "other").await.0;
    flow.stage.world.datamodel(other, "foreign").await;
    let row = |topic: &str, from: i64, to: i64, events: Value| json!({"topic": topic, "fromTs": from, "toTs": to, "events": events});
    let rows = json!([
        flow.created(1),
        row("topic.foreign", now, now - 1, json!({"c": -1})),
        row("topic.orders", now - 86_400_001, now, json!({"total": 3, "c": 1, "r": 1})),
        row("topic.orders\u{0}", now, now + 3_700_000, json!({"c": i64::MAX, "u": 1})),
        row("topic.orders", -1, now, json!({})),
    ]);
    let expected = [
        "rows.1.topic",
        "rows.1.toTs",
        "rows.1.events.c",
        "rows.2.toTs",
        "rows.2.events.total",
        "rows.3.topic",
        "rows.3.toTs",
        "rows.3.events",
        "rows.4.fromTs",
    ];
    assert_eq!(faults(&flow.produce("a", rows).await), expected);

    let foreign = flow.subscribe(None, Some(flow.datamodel), None).await;
    let bare = flow.subscribe(None, None, Some(flow.target)).await;
    let row = |id: Uuid, consumed: i64, lag: i64| json!({"subscriptionId": id, "fromTs": now - 1, "toTs": now, "consumedCount": consumed, "deliveredCount": -1, "errorCount": -1, "consumerLag": lag});
    let rows = json!([flow.delivered(1), row(foreign, -1, -1), row(bare, 0, 0), row(Uuid::new_v4(), 0, 0)]);
    let expected = [
        "rows.1.subscriptionId",
        "rows.1.consumedCount",
        "rows.1.deliveredCount",
        "rows.1.errorCount",
        "rows.1.consumerLag",
        "rows.2.topic",
        "rows.2.deliveredCount",
        "rows.2.errorCount",
        "rows.3.subscriptionId",
        "rows.3.deliveredCount",
        "rows.3.errorCount",
    ];
    assert_eq!(faults(&flow.consume("a", rows).await), expected);
    assert_eq!((flow.number(PRODUCED).await, flow.number(CONSUMED).await), (0, 0));
    // The refused batch's name was not used up.
    assert!(!outcome(flow.produce("a", json!([flow.created(1)])).await, "reportProduction").1);
}

#[tokio::test]
async fn a_report_has_a_name_and_1_to_5000_rows() {
    let flow = Flow::open().await;
    let rows = |count: usize| Value::Array(vec![flow.created(1); count]);
    for (batch, count, expected) in
        [("", 1, vec!["batchId"]), ("a\nb", 0, vec!["batchId", "rows"]), (&"x".repeat(201), 1, vec!["batchId"]), ("a", 5_001, vec!["rows"])]
    {
        assert_eq!(faults(&flow.produce(batch, rows(count)).await), expected);
    }
    assert!(outcome(flow.produce(&"x".repeat(200), rows(5_000)).await, "reportProduction").0);
    assert_eq!(flow.number(PRODUCED).await, 5_000);
    let deliveries = Value::Array(vec![flow.delivered(1); 5_000]);
    assert!(outcome(flow.consume("a", deliveries).await, "reportConsumption").0);
    assert_eq!(flow.number(CONSUMED).await, 5_000);
}

#[tokio::test]
async fn t06_a_worker_whose_clock_is_wrong_by_ten_minutes_is_taken_at_the_time_of_the_database() {
    let flow = Flow::open().await;
    for (batch, skew) in [("slow", -600_000), ("fast", 600_000)] {
        let now = chrono::Utc::now().timestamp_millis() + skew;
        let row = json!({"topic": flow.topic, "fromTs": now - 60_000, "toTs": now, "events": {"u": 2, "total": 2}});
        assert!(outcome(flow.produce(batch, json!([row])).await, "reportProduction").0);
    }
    let counted = "select count(*) from production_metric where created_at between now() - interval '1 minute' and now()
        and events::text = '{\"total\":2,\"r\":0,\"c\":0,\"u\":2,\"d\":0}'";
    assert_eq!(flow.number(counted).await, 2);
    let now = chrono::Utc::now().timestamp_millis();
    let backwards = json!({"topic": flow.topic, "fromTs": now, "toTs": now - 1, "events": {}});
    assert_eq!(faults(&flow.produce("backwards", json!([backwards])).await), ["rows.0.toTs"]);
}

#[tokio::test]
async fn only_the_worker_or_a_service_account_with_the_grant_may_report() {
    let flow = Flow::open().await;
    let stranger = flow.stage.server.user("stranger@example.com", false).await;
    let granted = flow.stage.service_account(flow.stage.team, true).await;
    let ungranted = flow.stage.service_account(flow.stage.team, false).await;
    let callers = [
        (flow.stage.root.clone(), Some("FORBIDDEN")),
        (stranger, Some("NOT_FOUND")),
        (flow.stage.server.worker(flow.target_worker, flow.target_generation), Some("NOT_FOUND")),
        (flow.stage.server.nobody(), Some("UNAUTHENTICATED")),
        (ungranted, Some("FORBIDDEN")),
        (granted, None),
    ];
    for (caller, code) in callers {
        let variables = json!({"w": flow.stage.worker, "g": flow.generation, "b": "a", "r": [flow.created(1)]});
        let reply = caller.ask_with(PRODUCTION, variables).await;
        match code {
            Some(code) => assert_eq!(reply.code(), code),
            None => assert!(outcome(reply, "reportProduction").0),
        }
    }
    assert_eq!(flow.number(PRODUCED).await, 1);
    let variables = json!({"w": flow.target_worker, "g": flow.target_generation, "b": "a", "r": [flow.delivered(1)]});
    assert_eq!(flow.source().ask_with(CONSUMPTION, variables).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn n03_reports_send_no_notice() {
    let flow = Flow::open().await;
    let mut listener = PgListener::connect_with(&flow.stage.world.pool).await.expect("a listener");
    listener.listen("pumphouse").await.expect("LISTEN");
    for number in 0..5 {
        flow.produce(&format!("{number}"), json!([flow.created(1)])).await.data();
        flow.consume(&format!("{number}"), json!([flow.delivered(1)])).await.data();
    }
    flow.write("notify pumphouse, 'end'").await;
    let heard = tokio::time::timeout(Duration::from_secs(5), listener.recv()).await.expect("a notice").expect("a listener");
    assert_eq!(heard.payload(), "end");
}

#[tokio::test]
async fn rows_find_a_place_also_when_their_day_has_no_partition() {
    let flow = Flow::open().await;
    flow.leader().await;
    let days = "do $$ declare c regclass; begin for c in select inhrelid::regclass from pg_inherits where inhparent = 'production_metric'::regclass and inhrelid::regclass::text like '%\\_p2%'
        loop execute format('drop table %s', c); end loop; end $$";
    flow.write(days).await;
    assert!(outcome(flow.produce("a", json!([flow.created(2)])).await, "reportProduction").0);
    assert_eq!(flow.number("select count(*) from production_metric_default").await, 1);
    // The day that has rows already stays there; the others get theirs.
    assert_eq!(flow.number("select pumphouse.ensure_metric_partitions(1, 7)::bigint").await, 8);
    assert!(outcome(flow.produce("b", json!([flow.created(2)])).await, "reportProduction").0);
    assert_eq!(flow.number("select count(*) from production_metric_default").await, 2);
}
