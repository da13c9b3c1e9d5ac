//! Random rows, orders and pages: paging through gives what sorting in memory gives.

use std::cmp::Ordering;

use proptest::collection::vec;
use proptest::option;
use proptest::sample::select;
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use uuid::Uuid;

use super::walks::{List, PAGE};
use crate::support::{Caller, Server};

const CASES: usize = 24;

#[derive(Clone, Debug)]
struct Model {
    id: Uuid,
    name: &'static str,
    source: Option<&'static str>,
    target: Option<&'static str>,
    created: Option<i64>,
}

fn model() -> impl Strategy<Value = Model> {
    let words = || select(vec!["", "a", "B", "b", "Ä", "ä", "a%", "a_", "zz", "\u{1f600}"]);
    let times = option::weighted(0.8, 0_i64..4);
    (proptest::array::uniform16(0_u8..), words(), option::weighted(0.6, words()), option::weighted(0.6, words()), times)
        .prop_map(|(id, name, source, target, created)| Model { id: Uuid::from_bytes(id), name, source, target, created })
}

fn compare(order: &[(&str, bool)], one: &Model, other: &Model) -> Ordering {
    /// Upwards what is missing comes last.
    fn nullable<T: Ord>(one: Option<T>, other: Option<T>) -> Ordering {
        (one.is_none(), one).cmp(&(other.is_none(), other))
    }
    let mut down = false;
    for (field, descending) in order {
        down = *descending;
        let upwards = match *field {
            "NAME" => one.name.cmp(other.name),
            "SOURCE_TOPIC" => nullable(one.source, other.source),
            "TARGET_TOPIC" => nullable(one.target, other.target),
            _ => nullable(one.created, other.created),
        };
        let step = if down { upwards.reverse() } else { upwards };
        if step != Ordering::Equal {
            return step;
        }
    }
    if down { other.id.cmp(&one.id) } else { one.id.cmp(&other.id) }
}

/// Pages through what is searched for, until a page is empty; every page says how many rows there are.
async fn found(root: &Caller, search: &str, steps: &str, size: usize, backward: bool) -> (Vec<String>, Vec<i64>) {
    let (count, from, end) = if backward { ("last", "before", "startCursor") } else { ("first", "after", "endCursor") };
    let (mut pages, mut totals, mut cursor): (Vec<Vec<String>>, _, _) = (Vec::new(), Vec::new(), Value::Null);
    loop {
        let list = format!("datamodels({count}: {size}, {from}: {cursor}, filter: {{search: \"{search}\"}}, orderBy: [{steps}])");
        let page =
            root.ask(&format!("{{ {list} {{ totalCount nodes {{ id }} pageInfo {{ {end} }} }} }}")).await.data()["datamodels"].take();
        let nodes = page["nodes"].as_array().expect("nodes");
        pages.push(nodes.iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect());
        totals.push(page["totalCount"].as_i64().expect("a number"));
        cursor = page["pageInfo"][end].clone();
        if nodes.is_empty() {
            break;
        }
    }
    if backward {
        pages.reverse();
    }
    (pages.concat(), totals)
}

#[tokio::test]
async fn paging_through_is_sorting() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let mut runner = TestRunner::deterministic();
    let fields = || select(vec!["NAME", "SOURCE_TOPIC", "TARGET_TOPIC", "CREATED_AT"]);
    let order = vec((fields(), proptest::bool::ANY), 1..=4);
    let case = (vec(model(), 0..40), order, 1_usize..9, select(vec!["a", "B", "z", "%", "_", "\u{1f600}"]));
    for _ in 0..CASES {
        let (mut models, order, size, search) = case.new_tree(&mut runner).expect("a case").current();
        sqlx::query("delete from datamodel").execute(&server.database.pool).await.expect("a clean table");
        for model in &models {
            sqlx::query(
                "insert into datamodel (id, name, config, source_topic, target_topic, created_at) \
                 values ($1, $2, '{}', $3, $4, timestamptz '2026-01-01Z' + $5 * interval '1 microsecond')",
            )
            .bind(model.id)
            .bind(model.name)
            .bind(model.source)
            .bind(model.target)
            .bind(model.created)
            .execute(&server.database.pool)
            .await
            .expect("a datamodel");
        }
        models.sort_by(|one, other| compare(&order, one, other));
        let expected: Vec<String> = models.iter().map(|model| model.id.to_string()).collect();
        let steps: Vec<String> =
            order.iter().map(|(field, down)| format!("{{field: {field}, direction: {}}}", if *down { "DESC" } else { "ASC" })).collect();
        let (steps, body) = (steps.join(" "), PAGE.replace("KEY", "id"));
        let contains = |model: &&Model| model.name.to_lowercase().contains(&search.to_lowercase());
        let searched: Vec<String> = models.iter().filter(contains).map(|model| model.id.to_string()).collect();
        for backward in [false, true] {
            let (ids, totals) = found(&root, search, &steps, size, backward).await;
            assert_eq!(ids, searched, "{search} {order:?} by {size}, backward: {backward}");
            assert!(totals.iter().all(|total| usize::try_from(*total) == Ok(searched.len())), "{totals:?} of {}", searched.len());
        }
        let page = move |arguments: &str| format!("{{ datamodels({arguments}, orderBy: [{steps}]) {{ {body} }} }}");
        let list = List { caller: &root, page: &page, pointer: "/datamodels", key: "id" };
        for backward in [false, true] {
            assert_eq!(list.walk(size, backward).await, expected, "{order:?} by {size}, backward: {backward}");
        }
    }
}
