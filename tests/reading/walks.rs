//! Walking lists by their own cursors: every connection of the schema, forwards and backwards.

use std::collections::BTreeMap;

use async_graphql::parser::types::{BaseType, FieldDefinition, TypeDefinition, TypeKind};
use serde_json::Value;

use super::City;
use crate::house::{none, types};
use crate::support::Caller;

/// A list: how to ask for a page of it, and where the page stands in the answer.
pub struct List<'a> {
    pub caller: &'a Caller,
    /// Makes the query of a page from `first: 3, after: "..."`.
    pub page: &'a (dyn Fn(&str) -> String + Sync),
    pub pointer: &'a str,
    /// The field that tells rows apart.
    pub key: &'static str,
}

impl List<'_> {
    pub async fn ask(&self, arguments: &str) -> Value {
        let data = self.caller.ask(&(self.page)(arguments)).await.data();
        data.pointer(self.pointer).cloned().unwrap_or_else(|| panic!("no {} in {data:#}", self.pointer))
    }

    fn keys(&self, page: &Value) -> Vec<String> {
        let nodes = page["nodes"].as_array().expect("nodes");
        let keys: Vec<String> = nodes.iter().map(|node| node[self.key].as_str().expect("a key").to_owned()).collect();
        let edges: Vec<&str> =
            page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"][self.key].as_str().expect("a key")).collect();
        assert_eq!(edges, keys, "edges and nodes are the same rows");
        keys
    }

    /// All rows in the list's order, page by page; on the way every page says rightly whether there is more.
    pub async fn walk(&self, size: usize, backward: bool) -> Vec<String> {
        let (count, from, onward, behind, end) = if backward {
            ("last", "before", "hasPreviousPage", "hasNextPage", "startCursor")
        } else {
            ("first", "after", "hasNextPage", "hasPreviousPage", "endCursor")
        };
        let mut seen: Vec<Vec<String>> = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = self.ask(&format!("{count}: {size}, {from}: {cursor}")).await;
            let keys = self.keys(&page);
            assert_eq!(page["pageInfo"][behind], !seen.is_empty(), "{behind} of page {} of {size}", seen.len());
            let edges = page["edges"].as_array().expect("edges");
            let outermost = if backward { edges.first() } else { edges.last() };
            assert_eq!(outermost.map_or(&Value::Null, |edge| &edge["cursor"]), &page["pageInfo"][end]);
            cursor = page["pageInfo"][end].clone();
            seen.push(keys);
            if page["pageInfo"][onward] == false {
                break;
            }
            assert_eq!(seen.last().map(Vec::len), Some(size), "a page before the end is full");
        }
        if backward {
            seen.reverse();
        }
        seen.concat()
    }
}

/// What a walk needs of a page.
pub const PAGE: &str =
    "nodes { KEY } edges { cursor node { KEY } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } totalCount";

fn fields(ty: &TypeDefinition) -> impl Iterator<Item = &FieldDefinition> {
    let fields = if let TypeKind::Object(object) = &ty.kind { object.fields.as_slice() } else { &[] };
    fields.iter().map(|field| &field.node)
}

fn base(field: &FieldDefinition) -> String {
    let mut base = &field.ty.node.base;
    while let BaseType::List(inner) = base {
        base = &inner.base;
    }
    if let BaseType::Named(name) = base { name.to_string() } else { String::new() }
}

/// Every connection field of the schema, by the type that has it.
pub fn connections() -> Vec<(String, String, String)> {
    let types: BTreeMap<String, TypeDefinition> = types();
    let of = |(name, ty): (&String, &TypeDefinition)| {
        let owner = name.clone();
        fields(ty)
            .filter(|field| base(field).ends_with("Connection"))
            .map(move |field| (owner.clone(), field.name.node.to_string(), base(field)))
            .collect::<Vec<_>>()
    };
    types.iter().flat_map(of).collect()
}

#[tokio::test]
async fn q06_every_connection_of_the_schema_is_walked_by_its_own_cursors_both_ways() {
    let city = City::build().await;
    let root = city.caller("root");
    let (mut walked, mut poor) = (0, Vec::new());
    for (owner, field, connection) in connections() {
        let key = if connection == "SchemaSubjectConnection" { "name" } else { "id" };
        let body = PAGE.replace("KEY", key);
        let mut most = 0;
        let parents: Vec<String> = match owner.as_str() {
            "Query" => vec![String::new()],
            "SchemaSubject" => vec!["topic.orders-value".to_owned()],
            entity => city.ids(entity).iter().map(ToString::to_string).collect(),
        };
        for parent in parents {
            let (open, close, pointer) = match owner.as_str() {
                "Query" => (String::new(), "", format!("/{field}")),
                "SchemaSubject" => (format!("schemaSubject(name: \"{parent}\") {{ "), "}", format!("/schemaSubject/{field}")),
                entity => (format!("node(id: \"{parent}\") {{ ... on {entity} {{ "), "} }", format!("/node/{field}")),
            };
            let (name, body) = (field.clone(), body.clone());
            let page = move |arguments: &str| format!("{{ {open}{name}({arguments}) {{ {body} }} {close} }}");
            let list = List { caller: root, page: &page, pointer: &pointer, key };
            let whole = list.ask("first: 200").await;
            let keys = list.keys(&whole);
            assert_eq!(whole["totalCount"], keys.len(), "{owner}.{pointer}");
            for size in [1, 2] {
                assert_eq!(list.walk(size, false).await, keys, "{owner} {pointer} forwards by {size}");
                assert_eq!(list.walk(size, true).await, keys, "{owner} {pointer} backwards by {size}");
            }
            most = most.max(keys.len());
            walked += 1;
        }
        if most < 2 {
            poor.push(format!("{owner}.{field}: {connection} has {most} rows"));
        }
    }
    none(&poor);
    assert!(walked > 100);
}
