//! The connector types as a client reads them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::Server;

const TYPES: &str = "query($way: Way) { connectorTypes(way: $way) { id title description way configurationSchema uiHints } }";

#[tokio::test]
async fn every_type_comes_with_what_a_form_needs() {
    let server = Server::start().await;
    let nobodys = server.user("new@example.com", false).await;
    let all = nobodys.ask_with(TYPES, json!({})).await.data()["connectorTypes"].as_array().expect("types").clone();
    assert_eq!(all.len(), 31);
    for ty in &all {
        let properties = ty["configurationSchema"]["properties"].as_object().expect("properties");
        let names: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        let hints = &ty["uiHints"];
        let list = |value: &serde_json::Value| {
            value.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name").to_owned()).collect::<Vec<_>>()
        };
        let grouped: Vec<String> = hints["groups"].as_array().expect("groups").iter().flat_map(|group| list(&group["fields"])).collect();
        for of_hints in [list(&hints["order"]), grouped, hints["fields"].as_object().expect("fields").keys().cloned().collect()] {
            assert_eq!(of_hints.len(), names.len(), "{}", ty["id"]);
            assert_eq!(of_hints.iter().map(String::as_str).collect::<BTreeSet<_>>(), names, "{}", ty["id"]);
        }
        assert!(ty["title"].is_string() && ty["description"].as_str().is_some_and(|text| text.ends_with('.')), "{}", ty["id"]);
        assert_eq!(ty["configurationSchema"]["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    let targets = nobodys.ask_with(TYPES, json!({"way": "TARGET"})).await.data()["connectorTypes"].as_array().expect("types").clone();
    assert!(targets.len() == 15 && targets.iter().all(|ty| ty["way"] == "TARGET"));
}

#[tokio::test]
async fn one_type_is_found_by_its_id() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let found = root.ask("{ connectorType(id: \"POSTGRES_SOURCE\") { title way configurationSchema } }").await.data();
    let schema = &found["connectorType"]["configurationSchema"];
    assert_eq!(
        (&schema["properties"]["password"]["writeOnly"], &schema["properties"]["host"]["x-destination"]),
        (&json!(true), &json!(true))
    );
    let missing = root.ask("{ connectorType(id: \"POSTGRES\") { title } }").await;
    assert_eq!((missing.code(), missing.field()), ("NOT_FOUND", Some("id")));
    assert_eq!(server.nobody().ask("{ connectorTypes { id } }").await.code(), "UNAUTHENTICATED");
}
