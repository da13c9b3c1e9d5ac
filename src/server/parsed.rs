//! Documents that were parsed a moment ago: clients ask the same few over and over, and reading and validating one costs more than
//! copying it.
//!
//! Always holds: what is kept is valid, and is what its text parses to and nothing that hangs on who asks or with which variables;
//! it holds no text of a client's, which could be a secret; it is bounded in number and in bytes. What was not asked for since the last
//! change of generations goes first. Not here: documents that are known by their hash (`documents.rs`), what a document may
//! ask for (`limits.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_graphql::parser::types::ExecutableDocument;

use crate::core::lock::lock;

/// The longest text that is kept; what is longer is rarely asked twice.
const LONGEST: usize = 8 << 10;
/// The most text of a generation; parsed it takes up to some fifty times as much.
const MOST_BYTES: usize = 64 << 10;
/// The most documents of a generation.
const MOST: usize = 64;

/// The documents of one server.
#[derive(Clone, Default)]
pub(crate) struct Parsed(Arc<Mutex<Generations>>);

#[derive(Default)]
struct Generations {
    young: HashMap<String, Arc<ExecutableDocument>>,
    bytes: usize,
    old: HashMap<String, Arc<ExecutableDocument>>,
}

impl Parsed {
    /// The document with this text, if it is there.
    pub(crate) fn get(&self, text: &str) -> Option<Arc<ExecutableDocument>> {
        let mut kept = lock(&self.0);
        if let Some(found) = kept.young.get(text) {
            return Some(found.clone());
        }
        let found = kept.old.remove(text)?;
        kept.put(text, found.clone());
        Some(found)
    }

    /// Keeps a valid document, unless there are texts in it: those will be others the next time.
    pub(crate) fn keep(&self, text: &str, document: &ExecutableDocument) {
        if text.len() <= LONGEST && !text.contains('"') {
            lock(&self.0).put(text, Arc::new(document.clone()));
        }
    }
}

impl Generations {
    fn put(&mut self, text: &str, document: Arc<ExecutableDocument>) {
        if self.bytes + text.len() > MOST_BYTES || self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(text.to_owned(), document).is_none() {
            self.bytes += text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    #[test]
    fn what_is_asked_for_again_and_again_stays_and_all_else_goes() {
        let parsed = Parsed::default();
        let keep = |text: &str| parsed.keep(text, &parse_query(text).unwrap());
        keep("{ always }");
        keep("{ once }");
        for number in 0..MOST * 3 {
            keep(&format!("{{ field{number} }}"));
            assert!(parsed.get("{ always }").is_some(), "{number}");
        }
        assert!(parsed.get("{ once }").is_none());
        let kept = parsed.0.lock().unwrap();
        assert!(kept.young.len() + kept.old.len() <= MOST * 2 && kept.bytes <= MOST_BYTES);
    }

    #[test]
    fn what_is_long_or_may_hold_a_secret_is_not_kept() {
        let parsed = Parsed::default();
        let texts = [format!("{{ a{} }}", " ".repeat(LONGEST)), "{ a(b: \"hunter2\") }".to_owned()];
        for text in texts {
            parsed.keep(&text, &parse_query(&text).unwrap());
            assert!(parsed.get(&text).is_none());
        }
    }
}
