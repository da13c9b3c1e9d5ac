//! Filters and orders: each of them runs, and narrows to what it says.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::types::{BaseType, InputValueDefinition, Type, TypeDefinition, TypeKind};
use serde_json::{Value, json};

use super::City;
use super::walks::connections;
use crate::house::types;
use crate::support::{Caller, Server, World};

/// A value of this input type, as a document writes it.
fn sample(types: &BTreeMap<String, TypeDefinition>, ty: &Type) -> String {
    match &ty.base {
        BaseType::List(inner) => format!("[{}]", sample(types, inner)),
        BaseType::Named(name) => match (name.as_str(), types.get(name.as_str()).map(|ty| &ty.kind)) {
            (_, Some(TypeKind::Enum(values))) => values.values[0].node.value.node.to_string(),
            ("ID", _) => "\"6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11\"".to_owned(),
            ("DateTime", _) => "\"2026-01-01T00:00:00+02:00\"".to_owned(),
            ("Date", _) => "\"2026-01-01\"".to_owned(),
            ("Int" | "BigInt", _) => "1".to_owned(),
            ("Boolean", _) => "true".to_owned(),
            ("String", _) => "\"a\"".to_owned(),
            (other, _) => panic!("no sample of {other}"),
        },
    }
}

fn inputs<'t>(types: &'t BTreeMap<String, TypeDefinition>, name: &str) -> Vec<&'t InputValueDefinition> {
    match types.get(name).map(|ty| &ty.kind) {
        Some(TypeKind::InputObject(input)) => input.fields.iter().map(|field| &field.node).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_filter_and_every_order_of_every_list_runs() {
    let (types, city) = (types(), City::build().await);
    let mut done = BTreeSet::new();
    let mut asked = 0;
    for (owner, field, connection) in connections() {
        let entity = connection.trim_end_matches("Connection").to_owned();
        if entity == "SchemaSubject" || owner == "SchemaSubject" || !done.insert(entity.clone()) {
            continue;
        }
        let mut arguments = Vec::new();
        for input in inputs(&types, &format!("{entity}Filter")) {
            arguments.push(format!("filter: {{{}: {}}}", input.name.node, sample(&types, &input.ty.node)));
            arguments.push(format!("filter: {{{}: null}}", input.name.node));
        }
        let Some(TypeKind::Enum(orders)) = types.get(&format!("{entity}OrderField")).map(|ty| &ty.kind) else {
            panic!("{entity} has no order")
        };
        for value in &orders.values {
            for direction in ["ASC", "DESC"] {
                arguments.push(format!("orderBy: [{{field: {}, direction: {direction}}}]", value.node.value.node));
            }
        }
        assert!(!arguments.is_empty());
        asked += arguments.len();
        let fields: String = arguments
            .iter()
            .enumerate()
            .map(|(place, arguments)| format!("f{place}: {field}(first: 5, {arguments}) {{ totalCount nodes {{ id }} }} "))
            .collect();
        let query = match owner.as_str() {
            "Query" => format!("{{ {fields} }}"),
            parent => format!("{{ node(id: \"{}\") {{ ... on {parent} {{ {fields} }} }} }}", city.ids(parent)[0]),
        };
        for caller in ["root", "core-member"] {
            let reply = city.caller(caller).ask(&query).await;
            let hidden = caller != "root" && reply.0["data"]["node"].is_null();
            assert!(hidden || reply.0.get("errors").is_none(), "{entity} for {caller}: {:#}", reply.0["errors"]);
        }
    }
    assert!(done.len() >= 20, "{done:?}");
    assert!(asked > 200, "{asked}");
}

async fn names(caller: &Caller, filter: &Value) -> Vec<String> {
    let query = "query($filter: ConnectorFilter) { connectors(filter: $filter, orderBy: [{field: NAME}]) { totalCount nodes { name } } }";
    let data = caller.ask_with(query, json!({"filter": filter})).await.data();
    let nodes = data["connectors"]["nodes"].as_array().expect("rows");
    assert_eq!(data["connectors"]["totalCount"], nodes.len(), "{filter}");
    nodes.iter().map(|node| node["name"].as_str().unwrap_or("(none)").to_owned()).collect()
}

#[tokio::test]
async fn a_search_takes_every_character_for_what_it_is_whatever_the_case() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    for name in ["100% Off", "100 off", "snake_case", "snakeXcase", "back\\slash", "q'uote \"d\"", "\u{c4}rger"] {
        world.source(team, name).await;
    }
    sqlx::query(
        "insert into connector (id, connector_type, json_configuration, way, team_id) values (gen_random_uuid(), 'X', '{}', 'SOURCE', $1)",
    )
    .bind(team)
    .execute(&server.database.pool)
    .await
    .expect("a connector without a name");
    let cases: &[(&str, &[&str])] = &[
        ("%", &["100% Off"]),
        ("0% o", &["100% Off"]),
        ("_", &["snake_case"]),
        ("E_C", &["snake_case"]),
        ("\\", &["back\\slash"]),
        ("\\\\", &[]),
        ("\\%", &[]),
        ("OFF", &["100 off", "100% Off"]),
        ("  off ", &["100 off", "100% Off"]),
        ("q'uote \"D\"", &["q'uote \"d\""]),
        ("\u{c4}rg", &["\u{c4}rger"]),
        ("\u{e4}RG", &["\u{c4}rger"]),
        ("nothing like it", &[]),
    ];
    for (search, expected) in cases {
        assert_eq!(names(&root, &json!({"search": search})).await, *expected, "{search}");
    }
    assert_eq!(names(&root, &json!({"search": "  "})).await.len(), 8, "the empty text is part of every name, and of none");
    let long = root.ask_with("query($s: String) { connectors(filter: {search: $s}) { totalCount } }", json!({"s": "a".repeat(201)})).await;
    assert_eq!((long.code(), long.field()), ("VALIDATION", Some("filter.search")));
}

#[tokio::test]
async fn ids_and_ranges_narrow_to_what_they_say() {
    let city = City::build().await;
    let (root, member) = (city.caller("root"), city.caller("core-member"));
    let ids = [city.id("Connector", "shop"), city.id("Connector", "sea"), uuid::Uuid::new_v4()];
    assert_eq!(names(root, &json!({"ids": ids})).await, ["sea", "shop"]);
    assert_eq!(names(member, &json!({"ids": ids})).await, ["shop"], "what is invisible is not there");
    assert_eq!(names(root, &json!({"ids": []})).await, [""; 0]);
    assert_eq!(names(root, &json!({"nameIn": ["shop", "dwh", "x"]})).await, ["dwh", "shop"]);
    assert_eq!(names(root, &json!({"way": "TARGET"})).await, ["dwh"]);
    assert_eq!(names(root, &json!({"wayIn": ["TARGET", "SOURCE"], "teamId": city.id("Team", "data")})).await, ["lake"]);
    for (name, time) in [("shop", "2020-01-01T00:00:00Z"), ("crm", "2020-01-02T00:00:00Z"), ("lake", "2020-01-03T00:00:00Z")] {
        let sql = "update connector set name = name, created_at = $2::timestamptz where name = $1";
        sqlx::query("alter table connector disable trigger touch").execute(&city.server.database.pool).await.expect("no clock");
        sqlx::query(sql).bind(name).bind(time).execute(&city.server.database.pool).await.expect("an update");
    }
    let range = |from: &str, before: &str| json!({"createdAtFrom": from, "createdAtBefore": before});
    assert_eq!(names(root, &range("2020-01-01T00:00:00Z", "2020-01-03T00:00:00Z")).await, ["crm", "shop"], "from is in, before is out");
    assert_eq!(
        names(root, &range("2020-01-02T01:00:00+01:00", "2020-01-02T00:00:00.000001Z")).await,
        ["crm"],
        "offsets and microseconds count"
    );
    assert_eq!(names(root, &range("2020-01-03T00:00:00Z", "2020-01-03T00:00:00Z")).await, [""; 0]);
    let too_many: Vec<_> = (0..501).map(|_| uuid::Uuid::new_v4()).collect();
    let reply = root.ask_with("query($ids: [ID!]) { connectors(filter: {ids: $ids}) { totalCount } }", json!({"ids": too_many})).await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("filter.ids")));
}

#[tokio::test]
async fn the_character_nul_is_refused_wherever_text_goes() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let text = json!({"text": "a\u{0}b"});
    let named = [
        ("query($text: String) { connectors(filter: {name: $text}) { totalCount } }", Some("filter.name")),
        ("query($text: String!) { connectors(filter: {nameIn: [\"a\", $text]}) { totalCount } }", Some("filter.nameIn")),
        ("query($text: String) { connectors(filter: {search: $text}) { totalCount } }", Some("filter.search")),
        ("query($text: String) { schemaSubjects(search: $text) { totalCount } }", Some("search")),
        ("query($text: String!) { schemaSubject(name: $text) { name } }", None),
        ("query($text: String!) { schemaVersion(subject: $text, version: 1) { id } }", None),
        ("query($text: String) { connectors(after: $text) { totalCount } }", Some("after")),
    ];
    for (query, field) in named {
        let reply = root.ask_with(query, text.clone()).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", field), "{query}: {}", reply.0);
    }
}

#[tokio::test]
async fn addresses_are_found_whatever_the_case_they_are_asked_for_in() {
    let stage = crate::support::Stage::open().await;
    stage.live().await;
    let run = stage.sync(&[("a", None)]).await;
    stage.cancel(&stage.root, run).await.data();
    let queries = [
        ("users", "email"),
        ("userLogs", "userEmail"),
        ("syncRuns", "triggeredByEmail"),
        ("syncRunEnds", "byEmail"),
        ("syncRunEnds", "triggeredByEmail"),
    ];
    for (list, field) in queries {
        let count = async |filter: String| {
            let reply = stage.root.ask(&format!("{{ {list}(filter: {{{filter}}}) {{ totalCount }} }}")).await;
            reply.data()[list]["totalCount"].as_i64().expect("a count")
        };
        let found = count(format!("{field}: \"root@example.com\"")).await;
        assert!(found > 0, "{list} {field}");
        assert_eq!(count(format!("{field}: \" Root@Example.COM \"")).await, found, "{list} {field}");
        assert_eq!(count(format!("{field}In: [\"nobody@example.com\", \"ROOT@example.com\"]")).await, found, "{list} {field}In");
        assert_eq!(count(format!("{field}: \"root@example.org\"")).await, 0, "{list} {field}");
    }
}

#[tokio::test]
async fn a_day_is_written_in_one_way() {
    let stage = crate::support::Stage::open().await;
    let query = "query($id: ID!, $day: Date) { connector(id: $id) { datamodels { nodes { productionMetricsDaily(filter: {day: $day}) { totalCount } } } } }";
    let ask = async |day: &str| stage.root.ask_with(query, json!({"id": stage.connector, "day": day})).await;
    ask("2026-11-29").await.data();
    for day in ["26-11-29", "2026-1-5", "+2026-11-29", "2026-11-29 ", " 2026-11-29", "0-1-1", "2026-11-31", "20261129"] {
        assert_eq!(ask(day).await.code(), "GRAPHQL_VALIDATION_FAILED", "{day:?}");
    }
}
