//! The playground's ready-made documents ask for what the schema has.

use async_graphql::Request;
use futures_util::StreamExt as _;
use pumphouse::graph;

use super::path;

#[tokio::test]
async fn every_ready_made_document_of_the_playground_fits_the_schema() {
    let schema = graph::schema();
    let mut operations = 0;
    for entry in std::fs::read_dir(path("playground/src/operations")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "graphql") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let document = async_graphql::parser::parse_query(&text).unwrap();
        for (name, _) in document.operations.iter() {
            operations += 1;
            let mut request = Request::new(&text);
            request.operation_name = name.map(ToString::to_string);
            // Nobody is signed in: what fits the schema is refused for that, what does not is refused before.
            let answer = schema.execute_stream(request).next().await.unwrap();
            for error in answer.errors {
                assert!(!error.message.starts_with("Unknown"), "{}: {error}", file.display());
            }
        }
    }
    assert!(operations >= 7, "{operations} operations were found");
}
