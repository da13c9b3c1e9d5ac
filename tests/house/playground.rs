//! The documents of the playground, its own and its ready-made ones, ask for what the schema has.

use std::path::PathBuf;

use async_graphql::Request;
use futures_util::StreamExt as _;
use pumphouse::graph;

use super::path;

/// All files below a folder whose names end like this.
fn files(folder: PathBuf, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(path, ending) } else { vec![path] })
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect()
}

#[tokio::test]
async fn every_ready_made_document_of_the_playground_fits_the_schema() {
    let schema = graph::schema();
    let mut operations = 0;
    for file in files(path("playground/src/explorer/examples"), ".graphql") {
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
