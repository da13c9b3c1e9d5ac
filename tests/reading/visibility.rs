//! Who sees what: the read half of domain.md section 1, as a table that a person can read.
//!
//! `tests/house/permissions.txt` says for each entity and caller which rows of the city are seen; `UPDATE=1` rewrites
//! it. What it says is then checked on every way to a row: node, nodes, singular roots, lists, counts, edges to one
//! and the lists that lead back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::City;
use crate::house::references::{EDGES, type_of};
use crate::house::{catalogue, path};
use crate::support::Caller;

/// The rows that a caller sees.
type Seen = BTreeSet<Uuid>;

async fn seen(city: &City, caller: &Caller) -> Seen {
    let ids: Vec<Uuid> = city.rows.iter().map(|row| row.id).collect();
    let mut seen = Seen::new();
    for some in ids.chunks(200) {
        let reply = caller.ask_with("query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", json!({"ids": some})).await;
        if reply.0.get("errors").is_some() {
            assert_eq!(reply.code(), "UNAUTHENTICATED");
            return Seen::new();
        }
        for (id, node) in some.iter().zip(reply.data()["nodes"].as_array().expect("nodes")) {
            let row = city.rows.iter().find(|row| row.id == *id).expect("a row");
            if !node.is_null() {
                assert_eq!(*node, json!({"__typename": row.entity, "id": id}));
                seen.insert(*id);
            }
        }
    }
    seen
}

fn entities(city: &City) -> Vec<&'static str> {
    let mut entities: Vec<&'static str> = Vec::new();
    for row in &city.rows {
        if !entities.contains(&row.entity) {
            entities.push(row.entity);
        }
    }
    entities
}

fn line(city: &City, entity: &str, seen: &Seen) -> String {
    let rows: Vec<_> = city.rows.iter().filter(|row| row.entity == entity).collect();
    let names: Vec<&str> = rows.iter().filter(|row| seen.contains(&row.id)).map(|row| row.name.as_str()).collect();
    match names.len() {
        0 => "-".to_owned(),
        some if some == rows.len() && some > 1 => "all".to_owned(),
        _ => names.join(", "),
    }
}

#[tokio::test]
async fn the_table_says_who_sees_what() {
    let city = City::build().await;
    let mut table = String::from(
        "# Who sees which rows of the city in tests/reading/city.rs (domain.md section 1), by entity and caller.\n\
         # `all` are the rows named after the entity, `-` is none. Callers: `north-...` and `south-admin` have that role in\n\
         # that env; `core-...` and `data-member` are in that team (of north; far is the team of south); robot and fleet are\n\
         # service accounts with grants on core, and on core and data; stranger belongs nowhere; gone was an admin and is\n\
         # deactivated. Written by the tests with UPDATE=1; read every changed line.\n",
    );
    let mut all = Vec::new();
    for (name, caller) in &city.callers {
        all.push((name, seen(&city, caller).await));
    }
    for entity in entities(&city) {
        let rows: Vec<&str> = city.rows.iter().filter(|row| row.entity == entity).map(|row| row.name.as_str()).collect();
        table.push_str(&format!("\n{entity}: {}\n", rows.join(", ")));
        for (name, seen) in &all {
            table.push_str(&format!("  {name:16}{}\n", line(&city, entity, seen)));
        }
    }
    let file = path("tests/house/permissions.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &table).expect("written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    let changed: Vec<String> =
        table.lines().zip(expected.lines()).filter(|(is, was)| is != was).map(|(is, was)| format!("- {was}\n+ {is}")).collect();
    assert!(table == expected, "rights have changed (UPDATE=1 rewrites the table):\n{}", changed.join("\n"));
}

/// The lists and lookups of `Query`, by entity.
const ROOTS: &[(&str, &str, &str)] = &[
    ("Env", "env", "envs"),
    ("Team", "team", "teams"),
    ("User", "user", "users"),
    ("ServiceAccount", "serviceAccount", "serviceAccounts"),
    ("Connector", "connector", "connectors"),
    ("Datamodel", "datamodel", "datamodels"),
    ("Pipeline", "pipeline", "pipelines"),
    ("PipelineSubscription", "pipelineSubscription", "pipelineSubscriptions"),
    ("Worker", "worker", "workers"),
    ("SchemaDocument", "schemaDocument", ""),
    ("SyncRun", "syncRun", "syncRuns"),
    ("SyncRunEnd", "", "syncRunEnds"),
    ("UserLog", "", "userLogs"),
];

fn ids(list: &Value) -> Seen {
    list["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].as_str().expect("an id").parse().expect("a UUID")).collect()
}

#[tokio::test]
async fn lists_counts_and_lookups_agree_with_the_table() {
    let city = City::build().await;
    for (name, caller) in city.callers.iter().filter(|(name, _)| !["gone", "without a token"].contains(name)) {
        let seen = seen(&city, caller).await;
        for (entity, one, list) in ROOTS {
            let rows: Seen = city.ids(entity).into_iter().collect();
            if !list.is_empty() {
                let data = caller.ask(&format!("{{ {list}(first: 200) {{ totalCount nodes {{ id }} }} }}")).await.data();
                let expected: Seen = rows.intersection(&seen).copied().collect();
                assert_eq!(ids(&data[list]), expected, "{list} of {name}");
                assert_eq!(data[list]["totalCount"], expected.len(), "the count of {list} of {name}");
            }
            if one.is_empty() {
                continue;
            }
            let nowhere = Uuid::new_v4();
            let asked: Vec<Uuid> = rows.into_iter().chain([nowhere]).collect();
            for root in [one, &"node"] {
                let fields: String =
                    asked.iter().enumerate().map(|(place, id)| format!("a{place}: {root}(id: \"{id}\") {{ id }} ")).collect();
                let reply = caller.ask(&format!("{{ {fields} }}")).await;
                let mut refusals = BTreeSet::new();
                for (place, id) in asked.iter().enumerate() {
                    let alias = format!("a{place}");
                    let error = reply.0["errors"].as_array().into_iter().flatten().find(|error| error["path"] == json!([alias]));
                    assert_eq!(error.is_none(), seen.contains(id), "{root} {id} of {name}");
                    assert_eq!(reply.0["data"][&alias].is_null(), error.is_some());
                    if let Some(error) = error {
                        let (code, field) = (&error["extensions"]["code"], &error["extensions"]["field"]);
                        assert_eq!((code, field), (&json!("NOT_FOUND"), &json!("id")));
                        refusals.insert(error["message"].to_string());
                    }
                }
                assert_eq!(refusals.len(), 1, "what is invisible and what is not there read alike: {refusals:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_invisible_costs_what_does_not_exist() {
    let city = City::build().await;
    let stranger = city.caller("stranger");
    let mut costs = BTreeSet::new();
    for id in city.ids("Connector").into_iter().chain(city.ids("UserLog")).chain([Uuid::new_v4()]) {
        for query in [format!("{{ node(id: \"{id}\") {{ id }} }}"), format!("{{ connector(id: \"{id}\") {{ id }} }}")] {
            let before = city.server.statements();
            assert_eq!(stranger.ask(&query).await.code(), "NOT_FOUND");
            costs.insert(city.server.statements() - before);
        }
    }
    assert_eq!(costs, BTreeSet::from([1]), "one look");
}

/// Child and parent of every reference, as the database has them.
async fn pairs(city: &City, reference: &str, target: &str) -> Vec<(Uuid, Uuid)> {
    let ((child, column), (parent, key)) = (reference.split_once('.').expect("a column"), target.split_once('.').expect("a column"));
    let sql = format!("select c.id, p.id from \"{child}\" c join \"{parent}\" p on c.\"{column}\" = p.\"{key}\"");
    sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&city.server.database.pool).await.expect("pairs")
}

#[tokio::test]
async fn edges_agree_with_the_table_both_ways() {
    let city = City::build().await;
    let targets: BTreeMap<String, String> = catalogue::references().collect();
    for (name, caller) in city.callers.iter().filter(|(name, _)| !["gone", "without a token"].contains(name)) {
        let seen = seen(&city, caller).await;
        for (reference, edge, reverse) in EDGES {
            let target = &targets[*reference];
            let pairs = pairs(&city, reference, target).await;
            assert!(!pairs.is_empty(), "the city has no row with {reference}");
            let (child, parent) =
                (type_of(reference.split_once('.').expect("a column").0), type_of(target.split_once('.').expect("a column").0));
            let there = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ id ... on {child} {{ edge: {edge} {{ id }} }} }} }}");
            // Which env somebody last looked at is shown to themselves, from either end.
            let outlined = *reference == "user.active_env_id" && *name != "root";
            let children: Vec<Uuid> = city.ids(&child).into_iter().filter(|id| seen.contains(id)).collect();
            let data = caller.ask_with(&there, json!({"ids": children})).await.data();
            for node in data["nodes"].as_array().expect("nodes") {
                let visible =
                    |(one, other): &&(Uuid, Uuid)| node["id"] == json!(one) && seen.contains(other) && (!outlined || *one == caller.id);
                let expected = pairs.iter().find(visible).map_or(Value::Null, |(_, parent)| json!({"id": parent}));
                assert_eq!(node["edge"], expected, "{child}.{edge} of {node} for {name}");
            }
            let selection = if reverse.ends_with('!') { "{ id }" } else { "(first: 200) { totalCount nodes { id } }" };
            let reverse = reverse.trim_end_matches('!');
            let back = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ id ... on {parent} {{ back: {reverse} {selection} }} }} }}");
            let parents: Vec<Uuid> = city.ids(&parent).into_iter().filter(|id| seen.contains(id)).collect();
            let data = caller.ask_with(&back, json!({"ids": parents})).await.data();
            for node in data["nodes"].as_array().expect("nodes") {
                let visible =
                    |(one, other): &&(Uuid, Uuid)| node["id"] == json!(other) && seen.contains(one) && (!outlined || *one == caller.id);
                let expected: Seen = pairs.iter().filter(visible).map(|(child, _)| *child).collect();
                if node["back"].get("nodes").is_some() {
                    assert_eq!(ids(&node["back"]), expected, "{parent}.{reverse} of {node} for {name}");
                    assert_eq!(node["back"]["totalCount"], expected.len(), "{parent}.{reverse} for {name}");
                } else {
                    assert_eq!(
                        node["back"]["id"].as_str(),
                        expected.first().map(ToString::to_string).as_deref(),
                        "{parent}.{reverse} for {name}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn whoever_is_in_a_team_alone_sees_of_its_env_the_id_and_the_name() {
    let mut city = City::build().await;
    let query = "{ envs { totalCount nodes { id name configHash createdAt updatedAt retentionConfiguration members { totalCount } requests { totalCount } } } }";
    let outline = city.caller("core-member").ask(query).await.data();
    let north = json!({"id": city.id("Env", "north"), "name": "north", "configHash": null, "createdAt": null, "updatedAt": null,
        "retentionConfiguration": null, "members": {"totalCount": 0}, "requests": {"totalCount": 0}});
    assert_eq!(outline["envs"], json!({"totalCount": 1, "nodes": [north]}));
    let whole = city.caller("north-member").ask(query).await.data();
    assert!(whole["envs"]["nodes"][0]["createdAt"].is_string());
    assert_eq!(whole["envs"]["nodes"][0]["retentionConfiguration"]["brokers"], "north:9092");

    // What is left out is not found out by filters and orders either, and pages of outlines go on.
    let member = city.caller("core-member").clone();
    let guess = |bound: &str| format!("{{ envs(filter: {{createdAt{bound}: \"2026-01-01T00:00:00Z\"}}) {{ totalCount }} }}");
    for bound in ["From", "Before"] {
        assert_eq!(member.ask(&guess(bound)).await.data()["envs"]["totalCount"], 0);
    }
    let pool = city.server.database.pool.clone();
    for name in ["third", "second", "first"] {
        let env =
            city.put("Env", "env", name, json!({"name": name, "retention_configuration": {}, "created_at": "2020-01-01T00:00:00Z"})).await;
        let team = city.put("Team", "team", name, json!({"name": name, "env_id": env})).await;
        sqlx::query("insert into team_member (id, timestamp, user_id, team_id) values (gen_random_uuid(), now(), $1, $2)")
            .bind(member.id)
            .bind(team)
            .execute(&pool)
            .await
            .expect("a member");
    }
    for order in ["", "orderBy: [{field: CREATED_AT, direction: DESC}]", "orderBy: [{field: UPDATED_AT}]"] {
        let body = super::walks::PAGE.replace("KEY", "id");
        let page = move |arguments: &str| format!("{{ envs({arguments} {order}) {{ {body} }} }}");
        let list = super::walks::List { caller: &member, page: &page, pointer: "/envs", key: "id" };
        for backward in [false, true] {
            let mut walked = list.walk(1, backward).await;
            assert_eq!(walked.len(), 4, "{order}");
            if order.contains("DESC") {
                walked.reverse();
            }
            assert!(walked.is_sorted(), "only the id orders what is hidden: {order}");
        }
    }
}
