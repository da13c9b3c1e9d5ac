//! Values at and beyond every bound, in every filter and in forged cursors of every list: what a client sends is
//! answered or refused, and never a fault of ours.

use std::collections::BTreeSet;

use async_graphql::parser::types::{BaseType, Type, TypeKind};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::City;
use super::walks::connections;
use crate::house::types;
use crate::support::Reply;

/// Extreme values of an input type, as a document writes them.
fn extremes(ty: &Type) -> Vec<String> {
    match &ty.base {
        BaseType::List(inner) => {
            let mut lists = vec!["[]".to_owned(), format!("[{}]", vec!["null"; 600].join(", "))];
            lists.extend(extremes(inner).into_iter().map(|value| format!("[{value}]")));
            lists
        }
        BaseType::Named(name) => match name.as_str() {
            "DateTime" => [
                "0000-01-01T00:00:00+23:59",
                "9999-12-31T23:59:59.999999999-23:59",
                "-262143-01-01T00:00:00Z",
                "+262142-12-31T23:59:59Z",
                "infinity",
            ]
            .map(quoted)
            .to_vec(),
            "Date" => {
                ["0000-01-01", "9999-12-31", "-262143-01-01", "+262142-12-31", "-4713-11-24", "infinity", "2026-02-30"].map(quoted).to_vec()
            }
            "Int" => ["2147483647", "-2147483648", "2147483648", "1e400", "1.5"].map(str::to_owned).to_vec(),
            "BigInt" => ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e30"].map(str::to_owned).to_vec(),
            "String" => {
                vec![quoted(""), quoted("\\u0000"), quoted("\\uFFFF%_\\\\"), quoted(&"x".repeat(10_000)), quoted(&"\u{2a6d6}".repeat(200))]
            }
            "ID" => ["", "x", "00000000-0000-0000-0000-000000000000", "{6f1c1c0e-2c52-4f0e-9a37-3a1f8f0f2b11}"].map(quoted).to_vec(),
            _ => Vec::new(),
        },
    }
}

/// What forged cursors hold: before and after PostgreSQL's times and days, other kinds of values, what text cannot be.
const EXTREMES: [&str; 8] = [
    "9223372036854775807",
    "-9223372036854775808",
    "-211000000000000000",
    "1e300",
    "\"-262143-01-01\"",
    "\"+262142-12-31\"",
    "\"a\\u0000\"",
    "null",
];

/// Which kind of column a cursor's value is of.
fn kind_of(value: &Value) -> String {
    value.as_str().map_or_else(
        || value.is_number().to_string(),
        |text| format!("{} {}", text.parse::<uuid::Uuid>().is_ok(), text.parse::<chrono::NaiveDate>().is_ok()),
    )
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[track_caller]
fn no_fault_of_ours(what: &str, reply: &Reply) {
    for error in reply.0["errors"].as_array().into_iter().flatten() {
        assert_ne!(error["extensions"]["code"], "INTERNAL", "{what}: {error}");
    }
}

#[tokio::test]
async fn extreme_values_in_filters_and_cursors_are_answered_or_refused() {
    let (types, city) = (types(), City::build().await);
    let root = city.caller("root");
    let (mut done, mut forged) = (BTreeSet::new(), 0);
    for (owner, field, connection) in connections() {
        let entity = connection.trim_end_matches("Connection").to_owned();
        if entity == "SchemaSubject" || owner == "SchemaSubject" || !done.insert(entity.clone()) {
            continue;
        }
        let page = |arguments: &str| {
            let list = format!("{field}(first: 1, {arguments}) {{ edges {{ cursor }} }}");
            match owner.as_str() {
                "Query" => format!("{{ {list} }}"),
                parent => format!("{{ node(id: \"{}\") {{ ... on {parent} {{ {list} }} }} }}", city.ids(parent)[0]),
            }
        };
        if let Some(TypeKind::InputObject(input)) = types.get(&format!("{entity}Filter")).map(|ty| &ty.kind) {
            let mut kinds = BTreeSet::new();
            // Fields of one type are read by the same code: one of each stands for the others.
            for input in input.fields.iter().filter(|input| kinds.insert(input.node.ty.node.to_string())) {
                for value in extremes(&input.node.ty.node) {
                    let arguments = format!("filter: {{{}: {value}}}", input.node.name.node);
                    no_fault_of_ours(
                        &format!("{entity} {}", arguments.chars().take(80).collect::<String>()),
                        &root.ask(&page(&arguments)).await,
                    );
                }
            }
        }
        let Some(TypeKind::Enum(orders)) = types.get(&format!("{entity}OrderField")).map(|ty| &ty.kind) else { continue };
        let mut kinds = BTreeSet::new();
        for order in &orders.values {
            let order = format!("orderBy: [{{field: {}}}]", order.node.value.node);
            let answer = root.ask(&page(&order)).await.0.to_string();
            let Some((_, cursor)) = answer.split_once("\"cursor\":\"") else { continue };
            let cursor = cursor.split('"').next().expect("a cursor");
            let parts: Vec<Value> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(cursor).expect("base64")).expect("JSON");
            if !kinds.insert(kind_of(&parts[1])) {
                continue;
            }
            for extreme in EXTREMES.map(|extreme| serde_json::from_str::<Value>(extreme).expect("JSON")) {
                let mut parts = parts.clone();
                parts[1] = extreme;
                let cursor = URL_SAFE_NO_PAD.encode(Value::Array(parts).to_string());
                let what = format!(
                    "{entity} {order} after {}",
                    URL_SAFE_NO_PAD
                        .decode(&cursor)
                        .map(|text| String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned())
                        .expect("text")
                );
                no_fault_of_ours(&what, &root.ask(&page(&format!("{order}, after: \"{cursor}\""))).await);
                forged += 1;
            }
        }
    }
    assert!(done.len() >= 20 && forged > 150, "{done:?} {forged}");
}
