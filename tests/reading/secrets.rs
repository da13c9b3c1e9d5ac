//! Secrets: no answer holds one, whoever asks and whatever they select; without the key one field fails, clearly.

use std::collections::BTreeMap;

use async_graphql::parser::types::{BaseType, Type, TypeDefinition, TypeKind};
use base64::Engine as _;
use pumphouse::core::secret::KeyRing;
use serde_json::{Value, json};

use super::City;
use super::city::CANARY;
use crate::house::types;
use crate::support::{Database, Server, TestSettings, settings};

fn name_of(ty: &Type) -> String {
    match &ty.base {
        BaseType::Named(name) => name.to_string(),
        BaseType::List(inner) => name_of(inner),
    }
}

/// Everything of a type that needs no argument, as deep as this.
fn everything(types: &BTreeMap<String, TypeDefinition>, name: &str, depth: usize) -> String {
    let Some(TypeKind::Object(object)) = types.get(name).map(|ty| &ty.kind) else { return String::new() };
    let mut selection = String::from("__typename ");
    for field in &object.fields {
        let field = &field.node;
        if field.arguments.iter().any(|argument| !argument.node.ty.node.nullable && argument.node.default_value.is_none()) {
            continue;
        }
        let target = name_of(&field.ty.node);
        let leaf = !matches!(types.get(&target).map(|ty| &ty.kind), Some(TypeKind::Object(_) | TypeKind::Interface(_)));
        if leaf {
            selection.push_str(&format!("{}_{name}: {} ", field.name.node, field.name.node));
        } else if depth > 0 {
            let inner = everything(types, &target, depth - 1);
            if !inner.is_empty() {
                selection.push_str(&format!("{}_{name}: {} {{ {inner} }} ", field.name.node, field.name.node));
            }
        }
    }
    selection
}

#[tokio::test]
async fn no_answer_holds_a_secret() {
    let (types, city) = (types(), City::build().await);
    for caller in ["root", "north-admin", "core-member", "robot"] {
        let caller = city.caller(caller);
        let mut configurations = 0;
        for (entity, _) in types.iter().filter(|(name, _)| !city.ids(name).is_empty()) {
            let query = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ ... on {entity} {{ {} }} }} }}", everything(&types, entity, 1));
            let reply = caller.ask_with(&query, json!({"ids": city.ids(entity)})).await;
            let text = reply.0.to_string();
            assert!(!text.contains(CANARY), "{entity} shows a secret: {text}");
            assert_eq!(reply.0.get("errors"), None, "{entity}: {:#}", reply.0["errors"]);
            configurations +=
                text.matches("jsonConfiguration_Connector\":{").count() + text.matches("retentionConfiguration_Env\":{").count();
        }
        assert!(configurations > 3, "configurations were read");
    }
    let roots = city.caller("root").ask(&format!("{{ {} }}", everything(&types, "Query", 3))).await;
    assert_eq!(roots.0.get("errors"), None, "{:#}", roots.0["errors"]);
    assert!(!roots.0.to_string().contains(CANARY));
    let id = city.id("Connector", "shop");
    let shown = city.caller("core-member").ask(&format!("{{ connector(id: \"{id}\") {{ jsonConfiguration }} }}")).await.data();
    let stored = json!({"$secret": "stored"});
    let expected = json!({"host": "shop.example.org", "password": stored, "uri": "postgres://reader:***@shop.example.org/shop?apikey=***", "nested": [{"apiKey": stored}]});
    assert_eq!(shown["connector"]["jsonConfiguration"], expected);
}

#[tokio::test]
async fn the_database_holds_no_plain_text_of_a_configuration() {
    let city = City::build().await;
    let sql = "select json_configuration::text from connector union all select retention_configuration::text from env";
    let stored: Vec<String> = sqlx::query_scalar(sql).fetch_all(&city.server.database.pool).await.expect("rows");
    assert_eq!(stored.len(), 8);
    for text in stored {
        assert!(text.contains("$sealed") && !text.contains(CANARY) && !text.contains("example.org"), "{text}");
    }
}

const CONFIGURATIONS: &str = "{ connectors(first: 1) { nodes { name jsonConfiguration } } env: envs(first: 1) { nodes { name retentionConfiguration } } teams { totalCount } }";

/// The rest of the answer, and the errors as (path, code, message).
fn parts(reply: &Value) -> Vec<(String, String, String)> {
    let errors = reply["errors"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut parts: Vec<_> =
        errors.iter().map(|error| (error["path"].to_string(), text(&error["extensions"]["code"]), text(&error["message"]))).collect();
    parts.sort();
    parts
}

#[tokio::test]
async fn with_a_wrong_key_one_field_fails_clearly_and_the_rest_stands() {
    let city = City::build().await;
    let root = city.caller("root");
    assert!(root.ask(CONFIGURATIONS).await.data()["connectors"]["nodes"][0]["jsonConfiguration"]["host"].is_string());

    for ring in ["test", "other"] {
        let database = Database { url: city.server.database.url.clone(), pool: city.server.database.pool.clone() };
        let mut others = settings(&database.url, &TestSettings::default());
        let key = base64::engine::general_purpose::STANDARD.encode([8_u8; 32]);
        others.keys = KeyRing::parse(&format!("{ring}:{key}")).expect("a key ring");
        let server = Server::with(database, others).await;
        let caller = server.with_token(root.token.as_deref().expect("a token"));
        let reply = caller.ask(CONFIGURATIONS).await;
        assert_only_the_configuration_failed(&reply.0);
        server.service.stop().await;
    }

    // What was sealed for another row does not open either.
    let sql = "update connector c set json_configuration = (select json_configuration from connector o where o.name = 'lake') where c.name = 'shop'";
    sqlx::query(sql).execute(&city.server.database.pool).await.expect("an update");
    let reply = root.ask("{ connectors { nodes { name jsonConfiguration } } }").await;
    assert_eq!(
        parts(&reply.0).iter().map(|(path, ..)| path.as_str()).collect::<Vec<_>>(),
        ["[\"connectors\",\"nodes\",0,\"jsonConfiguration\"]"]
    );
}

fn assert_only_the_configuration_failed(reply: &Value) {
    let message = "The stored configuration cannot be read with the encryption keys of this server; its operator must add the key it was sealed with.";
    let expected: Vec<_> = ["[\"connectors\",\"nodes\",0,\"jsonConfiguration\"]", "[\"env\",\"nodes\",0,\"retentionConfiguration\"]"]
        .map(|path| (path.to_owned(), "INTERNAL".to_owned(), message.to_owned()))
        .into();
    assert_eq!(parts(reply), expected, "{reply:#}");
    let data = &reply["data"];
    assert_eq!(data["connectors"]["nodes"][0], json!({"name": "shop", "jsonConfiguration": null}));
    assert_eq!(data["env"]["nodes"][0], json!({"name": "north", "retentionConfiguration": null}));
    assert_eq!(data["teams"]["totalCount"], 3);
    assert!(!reply.to_string().contains(CANARY));
}
