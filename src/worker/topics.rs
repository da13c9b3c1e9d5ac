//! Which topic a table's rows go to, and the name of a topic that is safe as a file's.
//!
//! Always holds: source and target name the same topic for the same datamodel; a safe name (letters, digits, `.`, `_`, `-`,
//! everything else as `%XX`) is at most 150 bytes, and no two topics share one. Not here: what is handed over (`handover.rs`).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::bootstrap::Datamodel;
use crate::core::canonical::hex;
use crate::core::lock::lock;

const LONGEST: usize = 150;

/// The topics of a connector's tables.
pub(super) struct Topics {
    connector: String,
    /// Table and topic of each datamodel that names both.
    named: Mutex<HashMap<String, String>>,
}

impl Topics {
    pub(super) fn new(connector: &str, datamodels: &[Datamodel]) -> Self {
        Self { connector: connector.to_owned(), named: Mutex::new(named(datamodels)) }
    }

    /// Takes the datamodels as they are now, which may be others than when the worker booted.
    pub(super) fn renew(&self, datamodels: &[Datamodel]) {
        *lock(&self.named) = named(datamodels);
    }

    /// The topic of a table.
    pub(super) fn of(&self, table: &str) -> String {
        topic(self.named(table).as_deref(), &self.connector, table)
    }

    /// The topic that a datamodel gives to a table.
    pub(super) fn named(&self, table: &str) -> Option<String> {
        lock(&self.named).get(table).cloned()
    }
}

fn named(datamodels: &[Datamodel]) -> HashMap<String, String> {
    let named = datamodels.iter().rev().filter_map(|datamodel| {
        let table = datamodel.config.as_ref()?.get("table").and_then(Value::as_str)?;
        let topic = datamodel.source_topic.as_ref().filter(|topic| !topic.is_empty())?;
        Some((table.to_owned(), topic.clone()))
    });
    named.collect()
}

/// The topic of a table: as its datamodel names it, or after its connector and itself.
pub(super) fn topic(named: Option<&str>, connector: &str, table: &str) -> String {
    named.filter(|topic| !topic.is_empty()).map_or_else(|| format!("{connector}.{table}"), str::to_owned)
}

/// A name for a file: the same for the same text, another for another, and never a path.
pub(super) fn safe(text: &str) -> String {
    short(escaped(text))
}

fn escaped(topic: &str) -> String {
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
    let mut mark = hex(&Sha256::digest(name.as_bytes()));
    mark.truncate(32);
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
        assert_eq!(topics.of("public.orders"), "shop/orders");
        assert_eq!((topics.of("public.items"), topics.named("public.items")), ("shop.public.items".to_owned(), None));
        topics.renew(&[]);
        assert_eq!(topics.of("public.orders"), "shop.public.orders");
        assert_eq!(safe("shop/orders"), "shop%2Forders");
        assert_eq!(safe("../../etc"), "%2E.%2F..%2Fetc");
    }

    proptest! {
        #[test]
        fn a_safe_name_is_safe_and_its_own(one in ".{0,90}", other in ".{0,90}") {
            let (a, b) = (safe(&one), safe(&other));
            prop_assert!(a.len() <= LONGEST && !a.starts_with('.'));
            prop_assert!(a.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-%".contains(letter)));
            prop_assert_eq!(a == b, one == other);
        }
    }
}
