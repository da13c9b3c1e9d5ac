//! Throughput as people read it: for whom, of what, at which cost.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Flow, hours_from_today};
use crate::support::Caller;

/// The totals of env, team, pipeline, datamodel and subscription over a range; null where something is not seen.
async fn totals(flow: &Flow, caller: &Caller, from: &str, to: &str) -> Vec<Value> {
    let range = format!("from: \"{from}\", to: \"{to}\", bucket: DAY");
    let mut totals = Vec::new();
    for (root, id, field, sums) in [
        ("env", flow.stage.env, "throughput", "total consumed"),
        ("team", flow.stage.team, "throughput", "total consumed"),
        ("pipeline", flow.pipeline, "throughput", "total consumed"),
        ("datamodel", flow.datamodel, "production", "total"),
        ("pipelineSubscription", flow.subscription, "consumption", "total"),
    ] {
        let reply = caller.ask(&format!("{{ {root}(id: \"{id}\") {{ {field}({range}) {{ summary {{ {sums} }} }} }} }}")).await;
        totals.push(reply.0["data"][root][field]["summary"].clone());
    }
    totals
}

#[tokio::test]
async fn t04_days_of_23_and_25_hours_are_summed_whole() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    // A row at each half hour around both changes of the clock in New York.
    let rows = "insert into production_metric (id, from_ts, to_ts, topic, events, created_at)
        select gen_random_uuid(), 0, 1, 'topic.orders', '{\"c\":1,\"total\":1}', at from (values ('2026-03-07T00:00Z'::timestamptz), ('2026-10-31T00:00Z')) d(day),
        generate_series(day, day + interval '3 days', interval '30 minutes') at where at < day + interval '3 days'";
    flow.write(rows).await;
    for (from, to, hours) in [
        ("2026-03-08T00:00:00-05:00", "2026-03-09T00:00:00-04:00", 23),
        ("2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00", 25),
        ("2026-03-08T00:00:00-05:00", "2026-11-02T00:00:00-05:00", 43 + 44 + 5),
    ] {
        for summed in [false, true] {
            if summed {
                flow.upkeep(&system).await;
            }
            let told = flow.production(&flow.stage.root, from, to, "DAY").await.data()["datamodel"]["production"].clone();
            let raw = format!("select count(*) from production_metric where created_at >= '{from}' and created_at < '{to}'");
            assert_eq!(told["summary"]["total"], flow.number(&raw).await, "{from} {to}");
            if hours < 26 {
                assert_eq!(told["summary"]["total"], hours * 2);
                let by_hour = flow.production(&flow.stage.root, from, to, "HOUR").await.data()["datamodel"]["production"].clone();
                assert_eq!(by_hour["points"].as_array().map(Vec::len), Some(hours));
                assert_eq!(by_hour["summary"]["total"], told["summary"]["total"]);
            }
        }
    }
}

#[tokio::test]
async fn minutes_of_an_hour_are_told_one_by_one() {
    let flow = Flow::open().await;
    let day = hours_from_today(-24)[..10].to_owned();
    for (at, count) in [("10:00:00", 1), ("10:00:59.999999", 10), ("10:01:00", 100), ("11:00:00", 1_000)] {
        flow.produced_at(&flow.topic, &format!("{day}T{at}Z"), count).await;
    }
    let told = flow.production(&flow.stage.root, &format!("{day}T10:00:00Z"), &format!("{day}T11:00:00Z"), "MINUTE").await.data();
    let production = &told["datamodel"]["production"];
    let points = production["points"].as_array().expect("points");
    assert_eq!((points.len(), &points[0]["total"], &points[1]["total"], &points[2]["total"]), (60, &11.into(), &100.into(), &0.into()));
    assert_eq!((&points[1]["start"], &production["summary"]["total"]), (&format!("{day}T10:01:00.000000Z").into(), &111.into()));
}

#[tokio::test]
async fn points_are_the_same_however_they_are_asked_for() {
    let flow = Flow::open().await;
    let day = hours_from_today(-24)[..10].to_owned();
    flow.produced_at(&flow.topic, &format!("{day}T10:01:00Z"), 7).await;
    let ask = async |points: &str| {
        let range = format!("from: \"{day}T10:00:00Z\", to: \"{day}T10:03:00Z\", bucket: MINUTE");
        let document = format!(
            "{{ pipeline(id: \"{}\") {{ throughput({range}) {{ {points} }} }} }} fragment All on ThroughputPoint {{
                kind: __typename start creates updates deletes reads total consumed delivered errors }}",
            flow.pipeline
        );
        flow.stage.root.ask(&document).await.data()["pipeline"]["throughput"]["points"].clone()
    };
    let plainly = ask("points { ...All }").await;
    assert_eq!(plainly.as_array().map(Vec::len), Some(3));
    let second = json!({"kind": "ThroughputPoint", "start": format!("{day}T10:01:00.000000Z"), "creates": 7, "updates": 0, "deletes": 0,
        "reads": 0, "total": 7, "consumed": 0, "delivered": 0, "errors": 0});
    assert_eq!(plainly[1], second);
    for otherwise in
        ["points { ...All @include(if: true) }", "points { start @include(if: true) ...All }", "points { start } points { ...All }"]
    {
        assert_eq!(ask(otherwise).await, plainly, "{otherwise}");
    }
}

#[tokio::test]
async fn t03_a_day_of_another_zone_is_read_to_the_minute() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    // A day of India begins at 18:30 of UTC's day before.
    for (at, count) in [("18:29:59.999999", 1), ("18:30:00", 10), ("23:59:59.999999", 100)] {
        let day = &hours_from_today(-72)[..10];
        flow.produced_at(&flow.topic, &format!("{day}T{at}Z"), count).await;
    }
    for (at, count) in [("00:00:00", 1_000), ("18:29:59.999999", 10_000), ("18:30:00", 100_000)] {
        let day = &hours_from_today(-48)[..10];
        flow.produced_at(&flow.topic, &format!("{day}T{at}Z"), count).await;
    }
    let day = &hours_from_today(-48)[..10];
    let next = &hours_from_today(-24)[..10];
    for summed in [false, true] {
        if summed {
            flow.upkeep(&system).await;
        }
        let told =
            flow.production(&flow.stage.root, &format!("{day}T00:00:00+05:30"), &format!("{next}T00:00:00+05:30"), "DAY").await.data();
        let told = &told["datamodel"]["production"];
        assert_eq!(told["summary"]["total"], 11_110);
        let before = &hours_from_today(-72)[..10];
        let expected = json!([
            {"start": format!("{before}T18:30:00.000000Z"), "creates": 110, "updates": 0, "deletes": 0, "reads": 0, "total": 110},
            {"start": format!("{day}T00:00:00.000000Z"), "creates": 11_000, "updates": 0, "deletes": 0, "reads": 0, "total": 11_000},
        ]);
        assert_eq!(told["points"], expected);
    }
}

#[tokio::test]
async fn the_rate_is_the_total_by_what_the_intervals_cover_and_topics_add_up() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    flow.stage.world.datamodel(flow.stage.connector, "b").await;
    flow.stage.world.datamodel(flow.stage.connector, "c").await;
    let at = hours_from_today(-30);
    for (topic, from, to, total) in [
        // Two intervals of 10 s that overlap: 20 s are covered.
        ("topic.orders", 0_i64, 10_000_i64, 30_i64),
        ("topic.orders", 5_000, 15_000, 50),
        // Instants: the time between the first and the last.
        ("topic.b", 1_000, 1_000, 3),
        ("topic.b", 5_000, 5_000, 5),
        // One instant: a second each.
        ("topic.c", 0, 0, 7),
        ("topic.c", 0, 0, 9),
    ] {
        let sql = format!(
            "insert into production_metric (id, from_ts, to_ts, topic, events, created_at) values (gen_random_uuid(), {from}, {to}, '{topic}', '{{\"r\":{total},\"total\":{total}}}', '{at}')"
        );
        flow.write(&sql).await;
    }
    for summed in [false, true] {
        if summed {
            flow.upkeep(&system).await;
        }
        let query = format!(
            "{{ datamodels(orderBy: [{{field: CREATED_AT}}]) {{ nodes {{ production(from: \"{0}\", to: \"{1}\") {{ summary {{ messagesPerSecond reads }} }} }} }}
            team(id: \"{2}\") {{ throughput(from: \"{0}\", to: \"{1}\") {{ summary {{ messagesPerSecond total }} }} }} }}",
            hours_from_today(-48),
            hours_from_today(0),
            flow.stage.team
        );
        let told = flow.stage.root.ask(&query).await.data();
        let rates: Vec<&Value> = told["datamodels"]["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|node| &node["production"]["summary"]["messagesPerSecond"])
            .collect();
        assert_eq!(rates, [4.0, 2.0, 8.0], "{told:#}");
        assert_eq!(told["team"]["throughput"]["summary"], json!({"messagesPerSecond": 14.0, "total": 104}));
    }
}

#[tokio::test]
async fn everybody_sees_the_throughput_of_what_they_see() {
    let flow = Flow::open().await;
    let (server, world) = (&flow.stage.server, &flow.stage.world);
    // Another team of the env reads the same topic and one of its own.
    let other = world.team(flow.stage.env, "other").await;
    let (their_source, _) = world.source(other, "theirs").await;
    let same = world.datamodel(their_source, "orders").await;
    world.datamodel(their_source, "secret").await;
    flow.produced_at("topic.secret", &hours_from_today(1), 500).await;
    flow.produced_at("topic.orders", &hours_from_today(1), 20).await;
    flow.write(&format!("insert into consumption_metric (id, subscription_id, topic, from_ts, to_ts, consumed_count, delivered_count, error_count, created_at)
        values (gen_random_uuid(), '{}', 'topic.orders', 0, 1, 3, 2, 1, '{}')", flow.subscription, hours_from_today(1))).await;
    let member = server.user("member@example.com", false).await;
    let outsider = server.user("outsider@example.com", false).await;
    let env_member = server.user("env-member@example.com", false).await;
    let reader = server.user("reader@example.com", false).await;
    let stranger = server.user("stranger@example.com", false).await;
    world.join_team(member.id, flow.stage.team, false).await;
    world.join_team(outsider.id, other, false).await;
    world.join_env(env_member.id, flow.stage.env, "member").await;
    world.join_env(reader.id, flow.stage.env, "reader").await;
    let both = |total: i64, consumed: i64| json!({"total": total, "consumed": consumed});
    let (from, to) = (hours_from_today(0), hours_from_today(24));
    let all = [both(520, 3), both(20, 3), both(20, 3), json!({"total": 20}), json!({"total": 3})];
    assert_eq!(totals(&flow, &flow.stage.root, &from, &to).await, all);
    assert_eq!(totals(&flow, &reader, &from, &to).await, all);
    assert_eq!(
        totals(&flow, &member, &from, &to).await,
        [both(20, 3), both(20, 3), both(20, 3), json!({"total": 20}), json!({"total": 3})]
    );
    let hidden = Value::Null;
    assert_eq!(
        totals(&flow, &outsider, &from, &to).await[..],
        [both(520, 0), hidden.clone(), hidden.clone(), hidden.clone(), hidden.clone()]
    );
    assert_eq!(
        totals(&flow, &env_member, &from, &to).await[..],
        [both(0, 0), hidden.clone(), hidden.clone(), hidden.clone(), hidden.clone()]
    );
    assert_eq!(totals(&flow, &stranger, &from, &to).await, vec![hidden; 5]);
    // A pipeline that carries what its viewer does not see shows nothing of it.
    flow.write(&format!("update pipeline set datamodel_id = '{same}'; update subscription set datamodel_id = '{same}'")).await;
    assert_eq!(totals(&flow, &member, &from, &to).await[2], both(0, 3));
    assert_eq!(totals(&flow, &flow.stage.root, &from, &to).await[2], both(20, 3));
}

#[tokio::test]
async fn owners_are_found_also_where_references_are_gone() {
    let flow = Flow::open().await;
    let range = (hours_from_today(0), hours_from_today(24));
    let by_target = flow.subscribe(None, None, Some(flow.target)).await;
    let by_datamodel = flow.subscribe(None, Some(flow.datamodel), None).await;
    for (number, subscription) in [flow.subscription, by_target, by_datamodel, Uuid::new_v4()].into_iter().enumerate() {
        flow.write(&format!("insert into consumption_metric (id, subscription_id, topic, from_ts, to_ts, consumed_count, delivered_count, error_count, created_at)
            values (gen_random_uuid(), '{subscription}', 't', 0, 1, {}, 0, 0, '{}')", 10_i64.pow(u32::try_from(number).expect("a number")), hours_from_today(1))).await;
    }
    flow.produced_at(&flow.topic, &hours_from_today(1), 7).await;
    let expected = json!({"total": 7, "consumed": 111});
    assert_eq!(totals(&flow, &flow.stage.root, &range.0, &range.1).await[..2], [expected.clone(), expected.clone()]);
    // Without its source a datamodel is its pipeline's.
    flow.write(&format!("update datamodel set source_connector_id = null where id = '{}'", flow.datamodel)).await;
    assert_eq!(totals(&flow, &flow.stage.root, &range.0, &range.1).await[..2], [expected.clone(), expected]);
}

#[tokio::test]
async fn history_of_a_subscription_that_is_gone_is_there_for_superusers() {
    let flow = Flow::open().await;
    let system = flow.leader().await;
    let metric = Uuid::new_v4();
    flow.write(&format!("insert into consumption_metric (id, subscription_id, topic, from_ts, to_ts, consumed_count, delivered_count, error_count, created_at)
        values ('{metric}', '{}', 'topic.orders', 0, 1, 5, 5, 0, '{}')", flow.subscription, hours_from_today(-30))).await;
    flow.write(&format!("delete from subscription where id = '{}'", flow.subscription)).await;
    flow.upkeep(&system).await;
    assert_eq!(flow.number("select consumed_count from consumption_metric_daily").await, 5);
    let member = flow.stage.server.user("member@example.com", false).await;
    flow.stage.world.join_team(member.id, flow.stage.team, true).await;
    let daily: Uuid = sqlx::query_scalar("select id from consumption_metric_daily").fetch_one(&flow.stage.world.pool).await.expect("a day");
    for id in [metric, daily] {
        let query = format!(
            "{{ node(id: \"{id}\") {{ id ... on ConsumptionMetric {{ subscriptionId consumedCount }} ... on ConsumptionMetricDaily {{ subscriptionId consumedCount topic }} }} }}"
        );
        let node = flow.stage.root.ask(&query).await.data()["node"].clone();
        assert_eq!((&node["subscriptionId"], &node["consumedCount"]), (&json!(flow.subscription), &json!(5)));
        assert_eq!(member.ask(&query).await.code(), "NOT_FOUND");
    }
    let history = async |caller: &Caller, id: Uuid| {
        let query = "query($id: ID!, $from: DateTime!, $to: DateTime!) { consumption(subscriptionId: $id, from: $from, to: $to) { points { consumed } summary { delivered } } }";
        caller.ask_with(query, json!({"id": id, "from": hours_from_today(-48), "to": hours_from_today(0)})).await
    };
    let told = history(&flow.stage.root, flow.subscription).await.data();
    assert_eq!(told["consumption"], json!({"points": [{"consumed": 5}, {"consumed": 0}], "summary": {"delivered": 5}}));
    for (caller, id) in [(&member, flow.subscription), (&flow.stage.root, Uuid::new_v4())] {
        let reply = history(caller, id).await;
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("subscriptionId")));
    }
}

#[tokio::test]
async fn lag_is_the_latest_that_was_measured_within_five_minutes() {
    let flow = Flow::open().await;
    let query = format!("{{ pipelineSubscription(id: \"{}\") {{ consumerLag }} }}", flow.subscription);
    let lag = async || flow.stage.root.ask(&query).await.data()["pipelineSubscription"]["consumerLag"].clone();
    assert_eq!(lag().await, Value::Null);
    for (ago, measured, expected) in
        [(600, "99", Value::Null), (240, "5", json!(5)), (120, "0", json!(0)), (60, "null", json!(0)), (200, "8", json!(0))]
    {
        flow.write(&format!("insert into consumption_metric (id, subscription_id, topic, from_ts, to_ts, consumed_count, delivered_count, error_count, consumer_lag, created_at)
            values (gen_random_uuid(), '{}', 't', 0, 1, 0, 0, 0, {measured}, now() - interval '{ago} seconds')", flow.subscription)).await;
        assert_eq!(lag().await, expected, "after {measured}");
    }
    flow.write("delete from consumption_metric where created_at > now() - interval '8 minutes'").await;
    assert_eq!(lag().await, Value::Null);
}

#[tokio::test]
async fn a_page_of_datamodels_costs_one_statement_more() {
    let flow = Flow::open().await;
    for number in 0..50 {
        let name = format!("model-{number}");
        flow.stage.world.datamodel(flow.stage.connector, &name).await;
        flow.produced_at(&format!("topic.{name}"), &hours_from_today(1), number).await;
    }
    let range = format!("from: \"{}\", to: \"{}\"", hours_from_today(-24 * 30), hours_from_today(24));
    let cost = async |query: String| {
        let before = flow.stage.server.statements();
        let told = flow.stage.root.ask(&query).await.data();
        (flow.stage.server.statements() - before, told)
    };
    let (plain, _) = cost("{ datamodels(first: 51) { nodes { id } } }".to_owned()).await;
    let (with, told) = cost(format!(
        "{{ datamodels(first: 51) {{ nodes {{ production({range}) {{ points {{ start total }} summary {{ total }} }} }} }} }}"
    ))
    .await;
    assert_eq!(with, plain + 1);
    let nodes = told["datamodels"]["nodes"].as_array().expect("nodes");
    let total: i64 = nodes.iter().map(|node| node["production"]["summary"]["total"].as_i64().expect("a total")).sum();
    assert_eq!((nodes.len(), total), (51, (0..50).sum()));
    assert!(nodes.iter().all(|node| node["production"]["points"].as_array().map(Vec::len) == Some(31)));
    // One for production and one for consumption, however many rows.
    let (with, _) = cost(format!("{{ pipelines {{ nodes {{ throughput({range}) {{ summary {{ total }} }} pipelineSubscriptions {{ nodes {{ consumerLag consumption({range}) {{ summary {{ total }} }} }} }} }} }} }}")).await;
    assert_eq!(with, 1 + 2 + 1 + 2);
}

#[tokio::test]
async fn a_range_that_makes_no_sense_is_refused() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    for (from, to, bucket, field) in [
        ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", "DAY", "to"),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "HOUR", "to"),
        ("2026-01-01T00:00:00Z", "2026-02-12T00:00:00Z", "HOUR", "to"),
        ("0000-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "DAY", "to"),
    ] {
        let reply = flow.production(root, from, to, bucket).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)), "{from} {to} {bucket}");
    }
    for (from, to) in [
        ("0000-01-01T00:00:00Z", "0000-01-03T00:00:00Z"),
        ("9999-12-29T00:00:00Z", "9999-12-31T23:59:59.999999Z"),
        ("1969-12-31T23:00:00Z", "1970-01-01T00:00:00.0000019Z"),
    ] {
        let reply = flow.production(root, from, to, "DAY").await;
        if reply.0.get("errors").is_some() {
            assert_eq!(reply.code(), "VALIDATION");
        }
    }
}

#[tokio::test]
async fn points_are_counted_before_they_are_read() {
    let flow = Flow::open().await;
    let query = |days: i64, bucket: &str| {
        let range = format!("from: \"{}\", to: \"{}\", bucket: {bucket}", hours_from_today(-24 * days), hours_from_today(0));
        format!(
            "{{ datamodels(first: 200) {{ nodes {{ production({range}) {{ points {{ start creates updates deletes reads total }} }} }} }} }}"
        )
    };
    flow.stage.root.ask(&query(30, "DAY")).await.data();
    flow.stage.root.ask(&query(10, "HOUR")).await.data();
    assert_eq!(flow.stage.root.ask(&query(29, "HOUR")).await.code(), "TOO_COMPLEX");
}

/// One such row would stop the rollup of every topic.
#[tokio::test]
async fn the_database_takes_no_events_that_are_no_counts() {
    let flow = Flow::open().await;
    let insert =
        "insert into production_metric (id, from_ts, to_ts, topic, events) values (gen_random_uuid(), 1, 2, 'topic', $1::text::json)";
    for (events, taken) in [
        ("{}", true),
        (r#"{"c": 5, "other": "x"}"#, true),
        (r#"{"c": 9223372036854775807, "total": null}"#, true),
        ("null", false),
        ("[]", false),
        (r#"{"total": 1.5}"#, false),
        (r#"{"total": "abc"}"#, false),
        (r#"{"total": -5}"#, false),
        (r#"{"total": 9223372036854775808}"#, false),
    ] {
        let inserted = sqlx::query(insert).bind(events).execute(&flow.stage.world.pool).await;
        assert_eq!(inserted.is_ok(), taken, "{events}");
    }
}
