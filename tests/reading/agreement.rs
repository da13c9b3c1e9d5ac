//! Rows are answered by the level where the selection allows it, and by the library one by one where it does not: the answers agree.

use serde_json::json;

use crate::support::Flow;

/// What is asked for once, each edge in one piece.
const WHOLE: &str = "{ pipelines(first: 5, orderBy: [{field: NAME}]) {
    totalCount
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    edges { cursor node { __typename id name state health
        sourceConnector { id name worker { state connector { name } } }
        targetConnector { id name connectorType }
        datamodel { id }
        env { id name }
        pipelineSubscriptions(first: 3) { totalCount nodes { id name enabled datamodel { name sourceConnector { name } } } }
    } }
    nodes { id name }
} }";

/// The same in parts, which have to be put together.
const PARTS: &str = "query { pipelines(first: 5, orderBy: [{field: NAME}]) {
    totalCount
    pageInfo { startCursor } pageInfo { endCursor hasNextPage hasPreviousPage }
    edges { cursor }
    edges { node { __typename id name state health
        sourceConnector { id name } sourceConnector { worker { state } } sourceConnector { worker { connector { name } } }
        targetConnector { id } ... on Node { ... on Pipeline { targetConnector { name connectorType } } }
        datamodel { id }
        ...Rest
    } }
    nodes { id name }
} }
fragment Rest on Pipeline {
    env { id } env { name }
    pipelineSubscriptions(first: 3) { totalCount nodes { id name enabled } }
    pipelineSubscriptions(first: 3) { nodes { datamodel { name } datamodel { sourceConnector { name } } } }
}";

#[tokio::test]
async fn what_is_asked_for_in_parts_is_answered_as_if_it_were_in_one() {
    let flow = Flow::open().await;
    for name in ["a", "b"] {
        let pipeline = flow.new_pipeline(name).await;
        let datamodel = flow.new_datamodel(name).await;
        flow.new_subscription(pipeline, datamodel, name).await;
    }
    let whole = flow.stage.root.ask(WHOLE).await.data();
    assert_eq!(whole["pipelines"]["totalCount"], 3);
    assert_eq!(whole["pipelines"]["edges"][0]["node"]["sourceConnector"]["worker"]["connector"]["name"], "shop");
    assert_eq!(flow.stage.root.ask(PARTS).await.data(), whole);
    let backwards = |text: &str| text.replace("first: 5", "last: 2").replace("first: 3", "last: 3");
    let [whole, parts] = [WHOLE, PARTS].map(backwards);
    let last = flow.stage.root.ask(&whole).await.data();
    assert_eq!(json!(last["pipelines"]["nodes"].as_array().map(Vec::len)), 2);
    assert_eq!(flow.stage.root.ask(&parts).await.data(), last);
}
