//! The open day in sums: read instead of its raw rows, and never other than they are, whoever reports meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use pumphouse::core::leader::Job as _;
use pumphouse::throughput::Today;
use serde_json::json;

use super::{Flow, UPKEEP, hours_from_today};

/// What the last days come to, for the datamodel and for the subscription.
async fn told(flow: &Flow) -> (i64, i64) {
    let query = "query($d: ID!, $s: ID!, $from: DateTime!, $to: DateTime!) {
        datamodel(id: $d) { production(from: $from, to: $to) { points { total } summary { total } } }
        pipelineSubscription(id: $s) { consumption(from: $from, to: $to) { summary { consumed } } } }";
    let variables = json!({"d": flow.datamodel, "s": flow.subscription, "from": hours_from_today(-72), "to": hours_from_today(48)});
    let told = flow.stage.root.ask_with(query, variables).await.data();
    let production = &told["datamodel"]["production"];
    let points: i64 = production["points"].as_array().expect("points").iter().filter_map(|point| point["total"].as_i64()).sum();
    assert_eq!(production["summary"]["total"], points);
    (points, told["pipelineSubscription"]["consumption"]["summary"]["consumed"].as_i64().expect("a count"))
}

#[tokio::test]
async fn the_open_day_is_read_from_its_sums_until_the_rollup_takes_it_over() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    UPKEEP.run(&system).await.expect("the upkeep goes well");
    // Yesterday is over and not summed up yet.
    flow.write("update pumphouse.job_watermark set day = day - 1 where job = 'rollup'").await;
    flow.produced_at("topic.orders", &hours_from_today(-5), 1_000).await;
    for count in [1, 20, 300] {
        flow.produce(&count.to_string(), json!([flow.created(count)])).await.data();
        flow.consume(&count.to_string(), json!([flow.delivered(count)])).await.data();
        Today.run(&system).await.expect("it is added");
    }
    assert_eq!(told(&flow).await, (1_321, 321));
    assert_eq!(flow.number("select sum(total_events)::bigint from pumphouse.production_metric_today").await, 1_321);
    // What is in the sums is not looked for among the raw rows.
    flow.write("create table kept as select * from production_metric; truncate production_metric").await;
    assert_eq!(told(&flow).await, (1_321, 321));
    flow.write("insert into production_metric select * from kept").await;
    UPKEEP.run(&system).await.expect("the upkeep goes well");
    assert_eq!(flow.number("select sum(total_events)::bigint from pumphouse.production_metric_today").await, 321);
    assert_eq!(told(&flow).await, (1_321, 321));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_in_while_the_open_day_is_added_up_is_neither_missed_nor_added_twice() {
    let flow = Arc::new(Flow::open().await);
    let system = flow.leader().await;
    UPKEEP.run(&system).await.expect("the upkeep goes well");
    let (over, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
    let adding: Vec<_> = (0..2)
        .map(|_| {
            let (system, over) = (system.clone(), Arc::clone(&over));
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    Today.run(&system).await.expect("it is added");
                }
            })
        })
        .collect();
    let reporting: Vec<_> = (0..4)
        .map(|reporter| {
            let (flow, acknowledged) = (Arc::clone(&flow), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                for number in 0..25 {
                    flow.produce(&format!("{reporter} {number}"), json!([flow.created(7)])).await.data();
                    acknowledged.fetch_add(7, Ordering::Relaxed);
                }
            })
        })
        .collect();
    while !reporting.iter().all(tokio::task::JoinHandle::is_finished) {
        let before = acknowledged.load(Ordering::Relaxed);
        let (total, _) = told(&flow).await;
        assert!(total >= before && total <= 700, "{total} was told, {before} were acknowledged");
    }
    over.store(true, Ordering::Relaxed);
    for task in adding.into_iter().chain(reporting) {
        task.await.expect("it goes well");
    }
    assert_eq!(told(&flow).await.0, 700);
    Today.run(&system).await.expect("it is added");
    assert_eq!(told(&flow).await.0, 700);
    assert_eq!(flow.number("select sum(total_events)::bigint from pumphouse.production_metric_today").await, 700);
}

#[tokio::test]
async fn nothing_is_sealed_while_somebody_still_adds() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    UPKEEP.run(&system).await.expect("the upkeep goes well");
    flow.produce("a", json!([flow.created(1)])).await.data();
    let mut late = flow.stage.world.pool.begin().await.expect("a transaction");
    let add = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
        select gen_random_uuid(), 0, 1, 'topic.orders', '{\"c\":5,\"total\":5}', pumphouse.ingestion_time()";
    sqlx::query(add).execute(&mut *late).await.expect("a late row");
    Today.run(&system).await.expect_err("it is given up");
    assert_eq!(flow.number("select count(*) from pumphouse.job_watermark where job = 'sealed'").await, 0);
    assert_eq!(told(&flow).await.0, 1);
    late.commit().await.expect("committed");
    Today.run(&system).await.expect("it is added");
    assert_eq!(flow.number("select sum(total_events)::bigint from pumphouse.production_metric_today").await, 6);
    assert_eq!(told(&flow).await.0, 6);
}
