//! Pages: ties, missing values, rows that come and go, the ends of a list, and arguments that make no sense.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use uuid::Uuid;

use super::walks::{List, PAGE};
use crate::support::{Caller, Server, World};

const ROWS: &str = "
insert into connector (id, name, connector_type, json_configuration, way, team_id, created_at, updated_at)
  select gen_random_uuid(), case when g % 3 > 0 then 'connector ' || lpad(g::text, 3, '0') end, (array['A', 'B', 'C'])[1 + g % 3], '{}', 'SOURCE', $1,
    case when g % 50 > 0 or $3 then timestamptz '2026-01-01 12:00:00.000001Z' end, timestamptz '2026-01-01Z' + (g / 10) * interval '1 microsecond'
    from generate_series(1, $2) g";

struct Lists {
    server: Server,
    root: Caller,
    team: Uuid,
}

/// A team with so many connectors, nearly all made in the same microsecond.
async fn connectors(count: i32, all_alike: bool) -> Lists {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    sqlx::query(ROWS).bind(team).bind(count).bind(all_alike).execute(&server.database.pool).await.expect("connectors");
    Lists { server, root, team }
}

impl Lists {
    /// The query of a page, at the root or inside the team, with further arguments.
    fn query(&self, nested: bool, further: &str) -> (Box<dyn Fn(&str) -> String + Sync>, &'static str) {
        let (team, further, body) = (self.team, further.to_owned(), PAGE.replace("KEY", "id"));
        if nested {
            (
                Box::new(move |page| {
                    format!("{{ teams {{ nodes {{ connectors({page} {further}) {{ {body} }} }} }} team(id: \"{team}\") {{ id }} }}")
                }),
                "/teams/nodes/0/connectors",
            )
        } else {
            (Box::new(move |page| format!("{{ connectors({page} {further}) {{ {body} }} }}")), "/connectors")
        }
    }
}

#[tokio::test]
async fn q08_rows_made_in_one_microsecond_each_come_once_whatever_the_order_and_the_page() {
    let lists = connectors(151, false).await;
    let orders = [
        "",
        "orderBy: [{field: CREATED_AT}]",
        "orderBy: [{field: CREATED_AT, direction: DESC}]",
        "orderBy: [{field: NAME}]",
        "orderBy: [{field: NAME, direction: DESC}]",
        "orderBy: [{field: CONNECTOR_TYPE}, {field: NAME, direction: DESC}]",
        "orderBy: [{field: CONNECTOR_TYPE, direction: DESC}, {field: CREATED_AT, direction: DESC}, {field: UPDATED_AT}]",
    ];
    for order in orders {
        for nested in [false, true] {
            let (page, pointer) = lists.query(nested, order);
            let list = List { caller: &lists.root, page: &page, pointer, key: "id" };
            let expected = list.walk(151, false).await;
            assert_eq!(expected.iter().collect::<BTreeSet<_>>().len(), 151, "{order}");
            for size in [7, 23] {
                assert_eq!(list.walk(size, false).await, expected, "{order} forwards by {size}");
                assert_eq!(list.walk(size, true).await, expected, "{order} backwards by {size}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_missing_comes_last_upwards_and_first_downwards() {
    let lists = connectors(9, true).await;
    for (direction, last) in [("ASC", true), ("DESC", false)] {
        let query = format!("{{ connectors(orderBy: [{{field: NAME, direction: {direction}}}]) {{ nodes {{ name }} }} }}");
        let data = lists.root.ask(&query).await.data();
        let names: Vec<&Value> = data["connectors"]["nodes"].as_array().expect("rows").iter().map(|row| &row["name"]).collect();
        let missing: Vec<bool> = names.iter().map(|name| name.is_null()).collect();
        assert_eq!(missing, (0..9).map(|place| if last { place >= 6 } else { place < 3 }).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn q11_the_ends_of_a_list_are_told_rightly_at_exact_multiples_of_the_page() {
    // `walk` asserts on every page that hasNextPage and hasPreviousPage are right.
    let lists = connectors(28, true).await;
    for nested in [false, true] {
        let (page, pointer) = lists.query(nested, "");
        let list = List { caller: &lists.root, page: &page, pointer, key: "id" };
        for size in [1, 7, 14, 28, 29] {
            for backward in [false, true] {
                assert_eq!(list.walk(size, backward).await.len(), 28);
            }
        }
        // Beyond the ends, and on a list without rows.
        let ends = list.ask("first: 28").await["pageInfo"].clone();
        let beyond = list.ask(&format!("first: 5, after: {}", ends["endCursor"])).await["pageInfo"].clone();
        assert_eq!(beyond, json!({"startCursor": null, "endCursor": null, "hasNextPage": false, "hasPreviousPage": true}));
        let beyond = list.ask(&format!("last: 5, before: {}", ends["startCursor"])).await["pageInfo"].clone();
        assert_eq!(beyond, json!({"startCursor": null, "endCursor": null, "hasNextPage": true, "hasPreviousPage": false}));
        let nothing = list.ask("first: 5, filter: {name: \"nobody\"}").await["pageInfo"].clone();
        assert_eq!(nothing, json!({"startCursor": null, "endCursor": null, "hasNextPage": false, "hasPreviousPage": false}));
    }
}

#[tokio::test]
async fn q09_rows_that_come_and_go_during_a_walk_move_no_other_row() {
    let lists = connectors(60, false).await;
    for order in ["", "orderBy: [{field: NAME, direction: DESC}]"] {
        for backward in [false, true] {
            let (page, pointer) = lists.query(false, order);
            let list = List { caller: &lists.root, page: &page, pointer, key: "id" };
            let mut alive: BTreeSet<String> = list.walk(60, false).await.into_iter().collect();
            let mut seen: Vec<String> = Vec::new();
            let mut cursor = Value::Null;
            for round in 0.. {
                let (count, from, onward, end) = if backward {
                    ("last", "before", "hasPreviousPage", "startCursor")
                } else {
                    ("first", "after", "hasNextPage", "endCursor")
                };
                let page = list.ask(&format!("{count}: 7, {from}: {cursor}")).await;
                let rows: Vec<String> =
                    page["nodes"].as_array().expect("rows").iter().map(|row| row["id"].as_str().expect("id").to_owned()).collect();
                seen.extend(rows.iter().cloned());
                if page["pageInfo"][onward] == false {
                    break;
                }
                cursor = page["pageInfo"][end].clone();
                // The row under the cursor goes, another somewhere goes, and new ones come at both ends and between.
                let edge = if backward { rows.first() } else { rows.last() }.expect("a row").clone();
                let other = alive.iter().nth(round * 3 % alive.len()).expect("a row").clone();
                for gone in [edge, other] {
                    alive.remove(&gone);
                    sqlx::query("delete from connector where id = $1::uuid")
                        .bind(gone)
                        .execute(&lists.server.database.pool)
                        .await
                        .expect("a deletion");
                }
                sqlx::query(ROWS.replace("'connector '", &format!("'{order} {backward} {round} '")).leak() as &str)
                    .bind(lists.team)
                    .bind(3)
                    .bind(round % 2 == 0)
                    .execute(&lists.server.database.pool)
                    .await
                    .expect("new ones");
            }
            let once: BTreeSet<String> = seen.iter().cloned().collect();
            assert_eq!(once.len(), seen.len(), "{order} {backward}: no row twice");
            assert!(alive.is_subset(&once), "{order} {backward}: every row that lived throughout was seen");
        }
    }
}

#[tokio::test]
async fn q05_arguments_that_make_no_sense_are_refused_and_named() {
    let lists = connectors(60, true).await;
    for nested in [false, true] {
        let (page, pointer) = lists.query(nested, "");
        let refused = [
            ("first: 0", "first"),
            ("first: -1", "first"),
            ("first: 1000000", "first"),
            ("first: 201", "first"),
            ("last: 0", "last"),
            ("last: -1", "last"),
            ("last: 1000000", "last"),
            ("first: 5, last: 5", "last"),
            ("first: 5, before: \"x\"", "last"),
            ("last: 5, after: \"x\"", "last"),
            ("orderBy: [{field: NAME}, {field: NAME}, {field: NAME}, {field: NAME}, {field: NAME}]", "orderBy"),
        ];
        for (arguments, field) in refused {
            let reply = lists.root.ask(&page(arguments)).await;
            assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)), "{arguments}: {}", reply.0);
        }
        let list = List { caller: &lists.root, page: &page, pointer, key: "id" };
        for arguments in ["first: null", "first: null, last: null, after: null, before: null, filter: null, orderBy: null"] {
            assert_eq!(list.ask(arguments).await["nodes"].as_array().map(Vec::len), Some(50), "50 when nothing is asked for");
        }
        assert_eq!(list.ask("first: 200").await["nodes"].as_array().map(Vec::len), Some(60));
    }
}

#[tokio::test]
async fn q10_a_cursor_of_another_list_is_refused_by_name() {
    let lists = connectors(9, true).await;
    let root = &lists.root;
    let (page, pointer) = lists.query(false, "");
    let list = List { caller: root, page: &page, pointer, key: "id" };
    let own = list.ask("first: 1").await["pageInfo"]["endCursor"].clone();
    let ordered = list.ask("first: 1, orderBy: [{field: NAME}]").await["pageInfo"]["endCursor"].clone();
    let downwards = list.ask("first: 1, orderBy: [{field: CREATED_AT, direction: DESC}]").await["pageInfo"]["endCursor"].clone();
    let filtered = list.ask("first: 1, filter: {search: \"connector\"}").await["pageInfo"]["endCursor"].clone();
    let (nested, nested_pointer) = lists.query(true, "");
    let inside =
        List { caller: root, page: &nested, pointer: nested_pointer, key: "id" }.ask("first: 1").await["pageInfo"]["endCursor"].clone();
    let other = root.ask("{ teams(first: 1) { pageInfo { endCursor } } }").await.data()["teams"]["pageInfo"]["endCursor"].clone();
    // The right mark with values of another kind.
    let forged = forge(own.as_str().expect("a cursor"));
    let foreign = [
        json!(""),
        json!("garbage"),
        json!("bnVsbA"),
        json!("\u{1f600}"),
        json!("A".repeat(70_000)),
        ordered,
        downwards,
        filtered,
        inside,
        other,
        forged,
    ];
    for cursor in foreign {
        for (arguments, field) in [(format!("first: 2, after: {cursor}"), "after"), (format!("last: 2, before: {cursor}"), "before")] {
            let reply = root.ask(&page(&arguments)).await;
            assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)), "{arguments}");
            assert!(reply.message().starts_with("Invalid cursor for this list"), "{}", reply.message());
        }
    }
    // The same filter, written in another order, is the same list.
    let one = list.ask("first: 1, filter: {search: \"connector\", connectorType: \"B\"}").await["pageInfo"]["endCursor"].clone();
    list.ask(&format!("first: 1, after: {one}, filter: {{connectorType: \"B\", search: \"connector\"}}")).await;
    list.ask(&format!("first: 1, after: {own}")).await;
}

fn forge(cursor: &str) -> Value {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let mut parts: Vec<Value> = serde_json::from_slice(&engine.decode(cursor).expect("base64")).expect("JSON");
    parts[2] = Value::Null;
    json!(engine.encode(json!(parts).to_string()))
}
