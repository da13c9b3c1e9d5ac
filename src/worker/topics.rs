//! Which folder a table's rows go to: one folder a topic.
//!
//! Always holds: a folder's name is safe (letters, digits, `.`, `_`, `-`, everything else as `%XX`), is at
//! most 200 bytes, and no two tables share one. Not here: what is written into it (`segments.rs`).

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::bootstrap::Datamodel;

const LONGEST: usize = 200;

/// The topics of a connector's tables.
pub(super) struct Topics {
    connector: String,
    /// Table and topic of each datamodel that names both.
    named: Vec<(String, String)>,
}

impl Topics {
    pub(super) fn new(connector: &str, datamodels: &[Datamodel]) -> Self {
        let named = datamodels.iter().filter_map(|datamodel| {
            let table = datamodel.config.as_ref()?.get("table").and_then(Value::as_str)?;
            let topic = datamodel.source_topic.as_ref().filter(|topic| !topic.is_empty())?;
            Some((table.to_owned(), topic.clone()))
        });
        Self { connector: connector.to_owned(), named: named.collect() }
    }

    /// The folder of a table.
    pub(super) fn folder(&self, table: &str) -> String {
        let own = self.named.iter().find(|(named, _)| named == table).map(|(_, topic)| topic.clone());
        let topic = own.unwrap_or_else(|| format!("{}.{table}", self.connector));
        // A topic of several tables: a folder each, or one would sweep up after the other.
        let shared = self.named.iter().any(|(other, taken)| *taken == topic && other != table);
        if shared { short(format!("{}~{}", safe(&topic), safe(table))) } else { short(safe(&topic)) }
    }
}

/// The same text for the same topic, another for another, and never a path.
fn safe(topic: &str) -> String {
    let mut name = String::with_capacity(topic.len());
    for (at, byte) in topic.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => name.push(char::from(byte)),
            b'.' if at > 0 => name.push('.'),
            // Writing to a string cannot fail.
            _ => _ = write!(name, "%{byte:02X}"),
        }
    }
    name
}

fn short(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let mut mark = String::new();
    for byte in Sha256::digest(name.as_bytes()).iter().take(16) {
        _ = write!(mark, "{byte:02x}");
    }
    // All of it is ASCII, so every byte is a character.
    let kept: String = name.chars().take(LONGEST - mark.len() - 1).collect();
    format!("{kept}-{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn topics(pairs: &[(&str, &str)]) -> Topics {
        let datamodels: Vec<Datamodel> = pairs
            .iter()
            .map(|(table, topic)| serde_json::from_value(json!({"sourceTopic": topic, "config": {"table": table}})).unwrap())
            .collect();
        Topics::new("shop", &datamodels)
    }

    #[test]
    fn a_datamodel_names_the_topic_or_else_the_connector_does() {
        let topics = topics(&[("public.orders", "shop/orders")]);
        assert_eq!(topics.folder("public.orders"), "shop%2Forders");
        assert_eq!(topics.folder("public.items"), "shop.public.items");
        assert_eq!(topics.folder("../../etc"), "shop...%2F..%2Fetc");
    }

    #[test]
    fn tables_of_one_topic_have_a_folder_each() {
        let topics = topics(&[("a", "t"), ("b", "t"), ("c", "shop.d")]);
        assert_eq!([topics.folder("a"), topics.folder("b")], ["t~a", "t~b"]);
        assert_eq!([topics.folder("c"), topics.folder("d")], ["shop.d", "shop.d~d"]);
    }

    proptest! {
        #[test]
        fn a_folder_is_safe_and_its_own(one in ".{0,90}", other in ".{0,90}") {
            let (a, b) = (short(safe(&one)), short(safe(&other)));
            prop_assert!(a.len() <= LONGEST && !a.starts_with('.'));
            prop_assert!(a.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-%".contains(letter)));
            prop_assert_eq!(a == b, one == other);
        }
    }
}
