//! `throughputReported`: the newest points, without gap, for those who may see them.

use std::time::Duration;

use serde_json::{Value, json};

use super::Flow;
use crate::support::{Caller, Socket};

const FOLLOW: &str =
    "subscription($f: ThroughputReportedFilter) { throughputReported(filter: $f) { initial datamodel { id } pipelineSubscription { id }
    production { start creates total } consumption { start consumed delivered } } }";

async fn follow(caller: &Caller, filter: Value) -> Socket {
    caller.subscribe(FOLLOW, json!({"f": filter})).await
}

/// What the points of an event say together.
fn sum(event: &Value, series: &str, count: &str) -> i64 {
    event["throughputReported"][series].as_array().expect("points").iter().map(|point| point[count].as_i64().expect("a count")).sum()
}

#[tokio::test]
async fn reports_arrive_as_the_points_of_their_minute() {
    let flow = Flow::open().await;
    flow.produce("before", json!([flow.created(5)])).await.data();
    let mut socket = follow(&flow.stage.root, json!({"datamodelIds": [flow.datamodel]})).await;
    let first = socket.event().await;
    assert_eq!((&first["throughputReported"]["initial"], sum(&first, "production", "total")), (&json!(true), 5));
    assert_eq!(first["throughputReported"]["datamodel"]["id"], json!(flow.datamodel));
    let mut deliveries =
        follow(&flow.stage.root, json!({"pipelineSubscriptionIds": [flow.subscription], "pipelineIds": [flow.pipeline]})).await;
    // Whatever is merged, in the end all is told; a point may have begun in the minute before.
    for number in 0..10 {
        flow.produce(&format!("{number}"), json!([flow.created(1)])).await.data();
    }
    let mut latest = std::collections::BTreeMap::new();
    for point in first["throughputReported"]["production"].as_array().expect("points") {
        latest.insert(point["start"].to_string(), point["total"].as_i64());
    }
    while latest.values().flatten().sum::<i64>() < 15 {
        let event = socket.event().await;
        assert_eq!(event["throughputReported"]["initial"], false);
        for point in event["throughputReported"]["production"].as_array().expect("points") {
            latest.insert(point["start"].to_string(), point["total"].as_i64());
        }
    }
    assert_eq!(latest.values().flatten().sum::<i64>(), 15);
    flow.consume("a", json!([flow.delivered(4)])).await.data();
    let event = deliveries.event().await;
    assert_eq!((sum(&event, "consumption", "consumed"), sum(&event, "production", "total")), (4, 0));
    assert_eq!(event["throughputReported"]["pipelineSubscription"]["id"], json!(flow.subscription));
    assert!(socket.is_quiet_for(Duration::from_millis(600)).await);
}

/// Rows that no report brought are no event by themselves, as that would cost every report something.
#[tokio::test]
async fn rows_of_other_writers_are_told_with_the_next_report_and_to_whoever_comes() {
    let flow = Flow::open().await;
    flow.produce("one", json!([flow.created(1)])).await.data();
    let mut socket = follow(&flow.stage.root, json!({"datamodelIds": [flow.datamodel]})).await;
    socket.event().await;
    flow.produced_at(&flow.topic, &chrono::Utc::now().to_rfc3339(), 5).await;
    let mut later = follow(&flow.stage.root, json!({"datamodelIds": [flow.datamodel]})).await;
    assert_eq!(sum(&later.event().await, "production", "total"), 6);
    flow.produce("two", json!([flow.created(1)])).await.data();
    // The minute may have turned between them.
    let wanted: &[i64] = &[7, 6, 1];
    assert!(wanted.contains(&sum(&socket.event().await, "production", "total")));
}

#[tokio::test]
async fn events_are_merged_to_four_a_second() {
    let flow = Flow::open().await;
    let mut socket = follow(&flow.stage.root, json!({})).await;
    let began = std::time::Instant::now();
    let mut sent = 0;
    while began.elapsed() < Duration::from_secs(2) {
        flow.produce(&format!("{sent}"), json!([flow.created(1)])).await.data();
        sent += 1;
    }
    let mut events = 0;
    while !socket.is_quiet_for(Duration::from_millis(700)).await {
        events += 1;
    }
    let most = began.elapsed().as_millis() / 250 + 2;
    assert!(events > 0 && events <= most && sent > events, "{events} events of {sent} reports");
}

#[tokio::test]
async fn nobody_is_told_of_what_they_do_not_see() {
    let flow = Flow::open().await;
    let member = flow.stage.server.user("member@example.com", false).await;
    flow.stage.world.join_team(member.id, flow.stage.team, false).await;
    let stranger = flow.stage.server.user("stranger@example.com", false).await;
    let other = flow.stage.world.team(flow.stage.env, "other").await;
    let mut seen = follow(&member, json!({"teamId": flow.stage.team, "envId": flow.stage.env})).await;
    let mut hidden = follow(&stranger, json!({})).await;
    let mut narrowed = follow(&flow.stage.root, json!({"teamId": other})).await;
    let mut unnamed = follow(&flow.stage.root, json!({"datamodelIds": []})).await;
    // The streams have begun once one that began last has been told something.
    let mut last = follow(&flow.stage.root, json!({})).await;
    flow.produce("a", json!([flow.created(1)])).await.data();
    flow.consume("a", json!([flow.delivered(1)])).await.data();
    last.event().await;
    seen.event().await;
    for socket in [&mut hidden, &mut narrowed, &mut unnamed] {
        assert!(socket.is_quiet_for(Duration::from_millis(600)).await);
    }
    let too_many: Vec<_> = (0..501).map(|_| uuid::Uuid::new_v4()).collect();
    let mut refused = follow(&flow.stage.root, json!({"pipelineIds": too_many})).await;
    let message = refused.message().await.expect("an answer");
    assert!(message.to_string().contains("VALIDATION"), "{message}");
}
