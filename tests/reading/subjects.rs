//! Subjects of the schema registry, which are no rows: their list is walked like any other.

use serde_json::json;

use super::City;
use super::walks::{List, PAGE};

#[tokio::test]
async fn subjects_are_walked_by_name_both_ways() {
    let city = City::build().await;
    let reader = city.caller("north-reader");
    let body = PAGE.replace("KEY", "name");
    let page = move |arguments: &str| format!("{{ schemaSubjects({arguments}) {{ {body} }} }}");
    let list = List { caller: reader, page: &page, pointer: "/schemaSubjects", key: "name" };
    let names = ["Topic_Waves-value", "topic.orders-key", "topic.orders-value"];
    for size in 1..=4 {
        for backward in [false, true] {
            assert_eq!(list.walk(size, backward).await, names);
        }
    }
    let found =
        reader.ask("{ schemaSubjects(search: \"c_w\") { totalCount nodes { name versionCount latestVersion { version } } } }").await.data();
    let waves = json!({"name": "Topic_Waves-value", "versionCount": 1, "latestVersion": {"version": 1}});
    assert_eq!(found["schemaSubjects"], json!({"totalCount": 1, "nodes": [waves]}));
    for (arguments, field) in [
        ("first: 0", "first"),
        ("last: 201", "last"),
        ("first: 1, last: 1", "last"),
        ("after: \"x\"", "after"),
        ("before: \"x\"", "before"),
    ] {
        let reply = reader.ask(&page(arguments)).await;
        assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some(field)), "{arguments}");
    }
    let searched = list.ask("first: 1, search: \"orders\"").await["pageInfo"]["endCursor"].clone();
    let reply = reader.ask(&page(&format!("first: 1, after: {searched}"))).await;
    assert_eq!((reply.code(), reply.field()), ("VALIDATION", Some("after")), "a cursor of another search");
    let unknown = [reader, city.caller("stranger")].map(|caller| caller.ask("{ schemaSubject(name: \"nothing\") { name } }"));
    for reply in futures_util::future::join_all(unknown).await {
        assert_eq!((reply.code(), reply.field()), ("NOT_FOUND", Some("name")));
    }
}
