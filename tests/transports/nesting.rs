//! Documents whose brackets nest: the parser follows them to the end of its stack, so that they are refused before.

use serde_json::json;

use crate::support::Server;

#[tokio::test]
async fn a_document_of_any_depth_is_refused_and_ends_nothing() {
    let server = Server::start().await;
    let user = server.user("ada@example.com", false).await;
    for depth in [201, 3_000, 15_000, 45_000] {
        let (list, object) =
            (format!("{}{}", "[".repeat(depth), "]".repeat(depth)), format!("{}1{}", "{a:".repeat(depth), "}".repeat(depth)));
        let mut documents = vec![
            format!("{{ nodes(ids: {list}) {{ id }} }}"),
            format!("query($a: [ID!] = {list}) {{ nodes(ids: $a) {{ id }} }}"),
            format!("{{ viewer @include(if: {list}) {{ id }} }}"),
            format!("{{ a(b: \"\"\"x\" {list}) }}"),
            format!("query($a: {list}) {{ nodes(ids: $a) {{ id }} }}"),
            format!("{}{}", "{a".repeat(depth), "}".repeat(depth)),
        ];
        documents.extend((depth < 20_000).then(|| format!("{{ nodes(ids: {object}) {{ id }} }}")));
        for document in documents {
            for caller in [&server.nobody(), &user] {
                let reply = caller.ask(&document).await;
                assert_eq!(reply.code(), "TOO_COMPLEX", "{depth}: {}", document.get(..30).unwrap_or_default());
                let guard = &reply.0["errors"][0]["extensions"]["details"]["guard"];
                assert!(depth > 201 || guard == "DOCUMENT_BRACKETS", "which is fixed, and no setting: {guard}");
            }
        }
    }
    // As deep as people go, and brackets that are none.
    let brackets = "[".repeat(1_000);
    let answer = user.ask_with("query($ids: [ID!]!) { nodes(ids: $ids) { id } } # [[[", json!({"ids": []})).await.data();
    assert_eq!(answer["nodes"], json!([]));
    let searched = user.ask(&format!("{{ teams(search: \"{brackets}\") {{ totalCount }} }}")).await;
    assert_ne!(searched.0["errors"][0]["extensions"]["code"], "TOO_COMPLEX", "{searched:?}");
}
