//! A directory of YAML files as one document, and back.
//!
//! Always holds: every file is a document by itself and the directory is all of them together, so neither their names nor their
//! order matter to a reader; a writer gives each thing a file of its own, whose name follows from the thing's. Not here: what
//! the documents mean (`pipelines/configuration`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::output::Failure;
use super::yaml_fault;
use crate::core::canonical::hex;
use crate::pipelines::configuration::{ConnectorItem, DatamodelItem, Document, FORMAT, PipelineItem};

/// The lists of a document.
const KINDS: [&str; 3] = ["connectors", "datamodels", "pipelines"];
/// How much of a name goes into the name of its file.
const LONGEST_STEM: usize = 60;

/// A document that was put together, and where each thing stood.
pub(super) struct Gathered {
    pub(super) document: Value,
    places: BTreeMap<(&'static str, usize), (PathBuf, usize)>,
}

impl Gathered {
    /// A place of the document, such as `document/connectors/3/name`, as one of a file.
    pub(super) fn place(&self, path: &str) -> String {
        let inner = path.strip_prefix("document/").unwrap_or(path);
        let mut parts = inner.splitn(3, '/');
        let kind = parts.next().and_then(|name| KINDS.into_iter().find(|kind| *kind == name));
        let index = parts.next().and_then(|index| index.parse().ok());
        let rest = parts.next().map_or_else(String::new, |rest| format!("/{rest}"));
        let found = kind.zip(index).and_then(|key| self.places.get(&key).map(|place| (key.0, place)));
        match found {
            Some((kind, (file, at))) => format!("{}: {kind}/{at}{rest}", file.display()),
            None => inner.to_owned(),
        }
    }
}

/// Reads every YAML file below a directory.
///
/// # Errors
/// When there is none, one cannot be read, or one is no document.
pub(super) fn gather(directory: &Path) -> Result<Gathered, Failure> {
    let files = yaml_files(directory)?;
    if files.is_empty() {
        return Err(Failure::Usage(format!("{} holds no .yaml file; `pumphouse export` writes them", directory.display())));
    }
    let mut lists: BTreeMap<&'static str, Vec<Value>> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for file in files {
        let wrong = |why: String| Failure::Usage(format!("{}: {why}", file.display()));
        let text = fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
        let document = read(&text).map_err(|fault| wrong(yaml_fault::told(&fault)))?;
        let Value::Object(mut map) = document else { return Err(wrong(format!("it is no mapping with `format: {FORMAT}`"))) };
        if map.remove("format").as_ref().and_then(Value::as_str) != Some(FORMAT) {
            return Err(wrong(format!("it does not begin with `format: {FORMAT}`, which is what this program reads")));
        }
        for kind in KINDS {
            let Some(found) = map.remove(kind) else { continue };
            let Value::Array(items) = found else { return Err(wrong(format!("`{kind}` is no list"))) };
            let list = lists.entry(kind).or_default();
            for (at, item) in items.into_iter().enumerate() {
                places.insert((kind, list.len()), (file.clone(), at));
                list.push(item);
            }
        }
        if let Some(name) = map.keys().next() {
            return Err(wrong(format!("there is no `{name}`; a file has {}", KINDS.join(", "))));
        }
    }
    let mut document: Map<String, Value> = lists.into_iter().map(|(kind, items)| (kind.to_owned(), Value::Array(items))).collect();
    document.insert("format".to_owned(), json!(FORMAT));
    Ok(Gathered { document: Value::Object(document), places })
}

/// Reads a text as YAML 1.2, where `no` and `on` are words. A tag such as `!secret name` means something to another program alone;
/// ignored, its argument would become the value.
fn read(text: &str) -> Result<Value, serde_saphyr::Error> {
    serde_saphyr::from_str_with_options(text, serde_saphyr::options! { strict_booleans: true, reject_unsupported_tags: true })
}

/// Writes a document as one file for each thing; answers the files that were there and hold nothing of it, which stay.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn scatter(document: &Document, directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::failed(format!("{} cannot be made: {error}", directory.display()));
    fs::create_dir_all(directory).map_err(failed)?;
    let empty = Document { format: document.format.clone(), connectors: Vec::new(), datamodels: Vec::new(), pipelines: Vec::new() };
    let connectors = document.connectors.iter().map(|item| {
        let one = Document { connectors: vec![item.clone()], ..empty.clone() };
        ("connectors", vec![item.name.as_str()], one)
    });
    let datamodels = document.datamodels.iter().map(|item| {
        let one = Document { datamodels: vec![item.clone()], ..empty.clone() };
        ("datamodels", item.source_connector.as_deref().into_iter().chain([item.name.as_str()]).collect(), one)
    });
    let pipelines = document.pipelines.iter().map(|item| {
        let one = Document { pipelines: vec![item.clone()], ..empty.clone() };
        ("pipelines", vec![item.name.as_str()], one)
    });
    let things: Vec<(&str, Vec<&str>, Document)> = connectors.chain(datamodels).chain(pipelines).collect();
    let stems: Vec<String> = things.iter().map(|(_, name, _)| stem(name)).collect();
    // Some file systems take two names that differ in case for one.
    let place = |kind: &str, stem: &str| format!("{kind}/{stem}").to_lowercase();
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    for ((kind, ..), stem) in things.iter().zip(&stems) {
        *alike.entry(place(kind, stem)).or_default() += 1;
    }
    let mut written = BTreeSet::new();
    for ((kind, name, one), stem) in things.iter().zip(stems) {
        let apart = alike.get(&place(kind, &stem)).is_some_and(|things| *things > 1);
        let stem = if apart { marked(&stem, name) } else { stem };
        let file = directory.join(kind).join(format!("{stem}.yaml"));
        let failed = |error: std::io::Error| Failure::Failed(format!("{} cannot be written: {error}", file.display()).into());
        fs::create_dir_all(directory.join(kind)).map_err(failed)?;
        fs::write(&file, yaml(&One::of(one))?).map_err(failed)?;
        written.insert(file);
    }
    Ok(yaml_files(directory)?.into_iter().filter(|file| !written.contains(file)).collect())
}

/// A document without its empty lists, in the order in which a person reads it.
#[derive(Serialize)]
struct One<'d> {
    format: &'d str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    connectors: &'d [ConnectorItem],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    datamodels: &'d [DatamodelItem],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pipelines: &'d [PipelineItem],
}

impl<'d> One<'d> {
    fn of(Document { format, connectors, datamodels, pipelines }: &'d Document) -> Self {
        Self { format, connectors, datamodels, pipelines }
    }
}

/// As YAML.
///
/// # Errors
/// When something in it has no form in YAML.
pub(super) fn yaml(value: &impl Serialize) -> Result<String, Failure> {
    serde_saphyr::to_string(value).map_err(Failure::failed)
}

/// All YAML files below a directory, in order; what begins with a dot is left alone.
fn yaml_files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unread = |error: std::io::Error| Failure::Usage(format!("{} cannot be read: {error}", directory.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let hidden = path.file_name().and_then(|name| name.to_str()).is_none_or(|name| name.starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            files.extend(yaml_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The name of a file: that of the thing as far as every file system takes it, and a part of its hash when that is not all of it.
fn stem(name: &[&str]) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let whole = name.join(".");
    let stem: String = whole.chars().map(plain).take(LONGEST_STEM).collect::<String>().trim_start_matches('.').to_owned();
    if stem == whole { stem } else { marked(&stem, name) }
}

/// A name of a file with a part of the hash of all that the thing is called.
fn marked(stem: &str, name: &[&str]) -> String {
    let mut hash = hex(&Sha256::digest(name.join("\0").as_bytes()));
    hash.truncate(8);
    format!("{stem}-{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_keep_names_apart() {
        assert_eq!(stem(&["orders_2.raw-x"]), "orders_2.raw-x");
        assert!(stem(&["../etc/passwd"]).starts_with("-etc-passwd-"));
        assert_ne!(stem(&["a b"]), stem(&["a/b"]));
        assert!(stem(&["\u{fc}".repeat(255).as_str()]).len() < 100);
        assert_ne!(marked("shop.public.orders", &["shop", "public.orders"]), marked("shop.public.orders", &["shop.public", "orders"]));
    }

    #[test]
    fn whatever_a_document_holds_is_the_same_after_yaml() {
        let texts = [
            "no",
            "yes",
            "~",
            "null",
            "1e3",
            "0x1F",
            "2024-01-01",
            " a ",
            "a: b",
            "#x",
            "a\nb\n",
            "\ttab",
            "",
            "'",
            "\"",
            "- x",
            "*a",
            "&a",
            "!t",
            "%",
            "@",
            "\u{1F600}",
            "1_000",
            ".5",
            "=",
            "<<",
        ];
        let document = json!({"texts": texts, "numbers": [1, -1, 1.5, 9_007_199_254_740_993_i64], "flags": [true, null], "empty": [{}, []],
            "keyed": {"no": 1, "a b": {"$secret": "stored"}, "": 2}});
        let text = yaml(&document).unwrap();
        let read = read(&text).unwrap();
        assert_eq!(read, document, "{text}");
    }

    #[test]
    fn words_of_other_versions_of_yaml_are_words() {
        assert_eq!(read("country: no\nswitch: on\nflag: true").unwrap(), json!({"country": "no", "switch": "on", "flag": true}));
    }

    #[test]
    fn tags_of_other_programs_are_refused() {
        for text in ["password: !secret db_password", "password: !vault |\n  abc", "host: !env [HOST, x]", "name: !foo bar"] {
            let fault = read(text).unwrap_err();
            assert!(yaml_fault::told(&fault).contains("a tag (`!name`)"), "{text}: {fault}");
        }
        assert_eq!(read("port: !!str 5432").unwrap(), json!({"port": "5432"}));
    }

    /// Also on a file system that takes `Orders` and `orders` for one name.
    #[test]
    fn no_two_things_go_into_one_file() {
        let named = |source: &str, name: &str| json!({"sourceConnector": source, "name": name, "config": {}, "enabled": true});
        let document = json!({"format": FORMAT, "connectors": [], "pipelines": [], "datamodels": [
            named("shop", "public.orders"), named("shop.public", "orders"), named("shop", "Items"), named("shop", "items"), named("shop", "a")]});
        let document: Document = serde_json::from_value(document).unwrap();
        let directory = std::env::temp_dir().join(format!("pumphouse-files-{}", std::process::id()));
        assert!(scatter(&document, &directory).unwrap().is_empty());
        let names: BTreeSet<String> = yaml_files(&directory).unwrap().iter().map(|file| file.to_string_lossy().to_lowercase()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert!(names.iter().any(|name| name.ends_with("shop.a.yaml")));
        fs::remove_dir_all(directory).unwrap();
    }
}
