//! Files that comments and documents name exist: a reader who follows one finds it.

use std::collections::BTreeSet;

use super::{none, path, rust_files};

/// Where Rust files are, and so what comments may name.
const ROOTS: [&str; 4] = ["src", "tests", "fuzz/src", "fuzz/fuzz_targets"];
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];

/// Names of Rust files in a line, as they are written: `core/db.rs`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let plain = |name: &&str| name.ends_with(".rs") && name.chars().all(|c| c.is_ascii_alphanumeric() || "_/.".contains(c));
    line.split('`').skip(1).step_by(2).filter(plain)
}

#[test]
fn every_rust_file_that_a_comment_or_document_names_exists() {
    let files: Vec<(&str, String, String)> =
        ROOTS.into_iter().flat_map(|root| rust_files(root).into_iter().map(move |(file, text)| (root, file, text))).collect();
    let known: BTreeSet<String> = files.iter().map(|(root, file, _)| format!("/{root}/{file}")).chain(["/build.rs".to_owned()]).collect();
    let exists = |name: &str| known.iter().any(|file| file.ends_with(&format!("/{name}")));
    let mut wrong = Vec::new();
    for (root, file, text) in &files {
        let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        wrong.extend(comments.flat_map(named).filter(|name| !exists(name)).map(|name| format!("{root}/{file} names {name}")));
    }
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(path(document)).unwrap();
        wrong.extend(text.lines().flat_map(named).filter(|name| !exists(name)).map(|name| format!("{document} names {name}")));
    }
    none(&wrong);
}
