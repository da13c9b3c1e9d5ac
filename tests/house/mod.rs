//! The rules of the house as tests; only those of the live catalogue and of `schema.sql` need a database.

mod broken;
pub mod catalogue;
mod database;
mod descriptions;
mod imports;
mod live_catalogue;
mod migrate;
mod named;
mod playground;
pub mod references;
mod sdl;
mod size;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use async_graphql::parser::types::{ServiceDocument, TypeDefinition, TypeSystemDefinition};

/// A path in the repository.
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// Every Rust file below a folder of the repository, by its path from there, with its text.
fn rust_files(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![path(folder)];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let found = entry.unwrap().path();
            if found.is_dir() {
                folders.push(found);
            } else if found.extension().is_some_and(|extension| extension == "rs") {
                let name = found.strip_prefix(path(folder)).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, std::fs::read_to_string(&found).unwrap());
            }
        }
    }
    files
}

/// The schema as the API serves it.
fn sdl() -> String {
    pumphouse::graph::sdl(&pumphouse::graph::schema())
}

fn parsed() -> ServiceDocument {
    async_graphql::parser::parse_schema(sdl()).unwrap()
}

/// The types of the schema by name.
pub fn types() -> BTreeMap<String, TypeDefinition> {
    parsed()
        .definitions
        .into_iter()
        .filter_map(|definition| match definition {
            TypeSystemDefinition::Type(ty) => Some((ty.node.name.node.to_string(), ty.node)),
            TypeSystemDefinition::Schema(_) | TypeSystemDefinition::Directive(_) => None,
        })
        .collect()
}

/// Fails with every line of `wrong` when there is one.
pub fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
