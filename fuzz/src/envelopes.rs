//! Encrypted envelopes: what was sealed opens for its row alone, and nothing else ever opens.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pumphouse::core::secret::{KeyRing, KeyRingError};
use serde_json::Value;
use uuid::Uuid;

use crate::CANARY;
use crate::server::KEYS;

const ROW: Uuid = Uuid::from_u128(0x1111_2222_3333_4444_5555_6666_7777_8888);
const OTHER: Uuid = Uuid::from_u128(0x1111_2222_3333_4444_5555_6666_7777_8889);

/// Any text is refused as an envelope, or opens to what its own seal holds; any text is sealed and opened as it was, and does not open
/// once a bit of it is another; any text is a key ring with known ids or refused, without a word of the keys.
pub fn hold(data: &[u8]) {
    let ring = KeyRing::parse(KEYS).unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8_lossy(data);
    open(&ring, &text);
    seal(&ring, &text, data);
    keys(&text);
}

fn open(ring: &KeyRing, text: &str) {
    match ring.open(ROW, text) {
        Err(error) => assert!(!format!("{error:?}").contains(CANARY)),
        Ok(plain) => {
            assert!(ring.open(OTHER, text).is_err(), "opens for another row");
            let again = ring.reseal(ROW, text).unwrap_or_else(|error| panic!("{error:?}"));
            assert!(ring.open(ROW, &again).is_ok_and(|again| again.reveal() == plain.reveal()));
        }
    }
}

fn seal(ring: &KeyRing, plain: &str, data: &[u8]) {
    let sealed = ring.seal(ROW, plain).unwrap_or_else(|error| panic!("{error:?}"));
    assert!(ring.open(ROW, &sealed).is_ok_and(|opened| opened.reveal() == plain));
    assert!(ring.open(OTHER, &sealed).is_err(), "opens for another row");
    let at = usize::from(data.first().copied().unwrap_or_default()) * 7 + usize::from(data.get(1).copied().unwrap_or_default());
    for part in ["nonce", "data"] {
        let mut envelope: Value = serde_json::from_str(&sealed).unwrap();
        let mut bytes = STANDARD.decode(envelope[part].as_str().unwrap()).unwrap();
        assert!(plain.len() < 8 || !bytes.windows(plain.len()).any(|part| part == plain.as_bytes()), "is not sealed");
        let length = bytes.len();
        bytes[at % length] ^= 1_u8 << (at % 8);
        envelope[part] = STANDARD.encode(bytes).into();
        assert!(ring.open(ROW, &envelope.to_string()).is_err(), "opens with another {part}");
    }
    let other = sealed.replace("\"new\"", "\"old\"");
    assert!(ring.open(ROW, &other).is_err(), "opens with another key");
}

fn keys(text: &str) {
    match KeyRing::parse(text) {
        Ok(ring) => {
            let ids: Vec<&str> = ring.ids().collect();
            assert!(!ids.is_empty() && ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)));
            assert!(ring.seal(ROW, CANARY).is_ok());
        }
        Err(KeyRingError::Empty | KeyRingError::NoId(_)) => {}
        // The id may be told, the key behind it never.
        Err(KeyRingError::NotAKey(id) | KeyRingError::Twice(id)) => {
            assert!(text.split(',').any(|entry| entry.trim().split_once(':').is_some_and(|(known, _)| known == id)), "{id:?} is no id");
        }
    }
}
