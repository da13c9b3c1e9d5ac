//! Imports between the folders of `src` only go down: this is the picture at the top of ARCHITECTURE.md.

use std::collections::BTreeMap;

use super::{none, rust_files};

const AREAS: &[&str] = &["core", "access", "registry", "pipelines", "throughput", "operations"];

/// Crowned by the command line: these may import anything below `cli`.
const ABOVE: &[&str] = &["cli", "main", "lib", "service", "demo"];

/// What a folder may import beside itself; none when it stands above all these. A folder that is not named here fails.
fn below(folder: &str) -> Option<Vec<&'static str>> {
    Some(match folder {
        "core" => vec![],
        "access" | "registry" => vec!["core"],
        "pipelines" => vec!["core", "access", "transform"],
        "throughput" | "operations" => vec!["core", "access", "pipelines"],
        "graph" => AREAS.to_vec(),
        "server" => [AREAS, &["graph"]].concat(),
        "launcher" => vec!["core", "access", "pipelines"],
        "config" => vec!["core"],
        "telemetry" => vec!["core", "config"],
        "embedded" => vec![],
        // A client of the API like any other.
        "worker" => vec!["core", "transform"],
        "fleet" => vec!["core", "worker"],
        "transform" => vec!["core"],
        folder if ABOVE.contains(&folder) => return None,
        folder => panic!("src/{folder} has no place in the order of tests/house/imports.rs: say what it may import"),
    })
}

/// `access/team.rs` lies in `access`, `service.rs` in `service`.
fn folder(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or_default()
}

/// The folder of every exported macro, as those are named from the crate's root.
fn macros(files: &BTreeMap<String, String>) -> BTreeMap<&str, &str> {
    let mut homes = BTreeMap::new();
    for (file, text) in files {
        for (_, after) in split_at_each(text, "macro_rules! ") {
            homes.insert(word(after), folder(file));
        }
    }
    homes
}

/// The name that the text begins with.
fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// What stands before and after every occurrence.
fn split_at_each<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.match_indices(mark).map(move |(at, _)| (&text[..at], &text[at + mark.len()..]))
}

#[test]
fn imports_only_go_down() {
    let files = rust_files("src");
    let macros = macros(&files);
    let mut wrong = Vec::new();
    for (file, text) in &files {
        let Some(allowed) = below(folder(file)) else { continue };
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            if line.contains("crate::{") {
                wrong.push(format!("src/{file}: one `use` per folder, not `crate::{{...}}`"));
            }
            if line.contains("super::super::") {
                wrong.push(format!("src/{file}: name the folder from the root, not by `super::super`"));
            }
            for (_, after) in split_at_each(line, "crate::") {
                let name = word(after);
                let target = macros.get(name).copied().unwrap_or(name);
                if !target.is_empty() && target != folder(file) && !allowed.contains(&target) {
                    wrong.push(format!("src/{file}: `{}` may not import from `{target}`: {}", folder(file), line.trim()));
                }
            }
        }
    }
    none(&wrong);
}
