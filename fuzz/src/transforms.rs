//! Transform configurations, the messages that go through them, and the YAML that configurations are exported to.

use std::time::{Duration, Instant};

use pumphouse::pipelines::configuration::{Document, FORMAT};
use pumphouse::transform::{Chain, Message, RunError};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::{CANARY, renamed, split};

/// What a preview may make out of one message, with what it had: in bytes of JSON, which are fewer than those of memory that count.
const MOST: usize = 4 * 1024 * 1024;
/// How long one message may take.
const LONGEST: Duration = Duration::from_secs(5);
/// A secret that fits every transform: 32 bytes in base64.
const SECRET: &str = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IDEyMzQ=";

/// The first line is a configuration, the second a message. Any configuration is refused with pointers into it and without what was
/// written there, or runs: within its bounds, the same each time, and without telling values or secrets. As a part of an exported
/// pipeline it comes back from YAML as it was.
pub fn hold(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (config, message) = split(text);
    let Ok(config) = serde_json::from_str::<Value>(config).map(renamed) else { return };
    comes_back_from_yaml(&config);
    let subscription = json!({"name": "s", "transformConfig": config});
    let document = json!({"format": FORMAT, "pipelines": [{"name": "p", "subscriptions": [subscription]}]});
    for document in [&document, &config] {
        if let Err(error) = Document::read(document) {
            let told = format!("{error:?}");
            assert!(!told.contains(CANARY), "{told}");
        }
    }
    let chain = match Chain::parse(&config) {
        Ok(chain) => chain,
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(fault.pointer.is_empty() || points_into(&config, &fault.pointer), "{} is nowhere", fault.pointer);
                assert!(!fault.message.is_empty() && !fault.message.contains(CANARY), "{}", fault.message);
            }
            return;
        }
    };
    assert!(chain.secrets().all(|(pointer, reference)| config.pointer(pointer) == Some(&reference.to_value())));
    let Ok(Value::Object(message)) = serde_json::from_str::<Value>(message) else { return };
    run(chain, &config, &message);
}

fn run(chain: Chain, config: &Value, message: &Message) {
    let begun = Instant::now();
    let made = chain.preview(message.clone());
    assert_eq!(made, chain.preview(message.clone()), "not the same twice");
    assert!(begun.elapsed() < LONGEST, "it took {:?}", begun.elapsed());
    let written = config.to_string();
    let is_sound = |made: &Result<Vec<Message>, RunError>| match made {
        Ok(made) => {
            let bytes: usize = made.iter().map(|message| serde_json::to_string(message).unwrap().len()).sum();
            // Every byte that JSON escapes is six at most.
            assert!(bytes <= 6 * (MOST + serde_json::to_string(message).unwrap().len()), "{bytes} bytes");
        }
        Err(error) => assert!(written.contains(CANARY) || !error.to_string().contains(CANARY), "{error}"),
    };
    is_sound(&made);
    let has_secrets = chain.secrets().next().is_some();
    let Ok(runner) = chain.unlock(|_| Ok(Zeroizing::new(SECRET.to_owned()))) else { panic!("a sound secret is refused") };
    let delivered = runner.run(message.clone());
    let told = format!("{delivered:?}");
    assert!(written.contains(SECRET) || format!("{message:?}").contains(SECRET) || !told.contains(SECRET), "{told}");
    if !has_secrets && made.is_ok() {
        assert_eq!(made, delivered, "a preview shows something else than what is delivered");
    }
}

/// Whether a pointer names a part of the document, or one that is missing in such a part.
fn points_into(config: &Value, pointer: &str) -> bool {
    config.pointer(pointer).is_some() || pointer.rsplit_once('/').is_some_and(|(before, _)| config.pointer(before).is_some())
}

fn comes_back_from_yaml(value: &Value) {
    let Ok(yaml) = serde_saphyr::to_string(value) else { return };
    match serde_saphyr::from_str::<Value>(&yaml) {
        Ok(read) => assert_eq!(*value, read, "{yaml}"),
        Err(error) => panic!("{yaml} is not read: {error}"),
    }
}
