//! Messages on a socket, against what `graphql-transport-ws` says of them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::sockets::{Heard, Sent, converse};

/// The most messages of one conversation.
const MOST: usize = 40;
/// The most bytes of one message: longer ones are no other to the protocol.
const LONGEST: usize = 4_000;

/// Each line is a message: text as it stands, or behind a first byte of 1 binary, of 2 a ping of WebSocket, and of 3 raw bytes
/// where a frame should be. Whatever they are, the socket closes when and as the protocol says, or answers to the end; nothing
/// is said of an operation that was not asked for or has ended.
pub fn hold(data: &[u8]) {
    let sent: Vec<Sent<'_>> = data.split(|byte| *byte == b'\n').take(MOST).map(|line| &line[..line.len().min(LONGEST)]).map(read).collect();
    let heard = converse(&sent);
    let expected = expect(&sent);
    match heard.close {
        Some(code) => assert!(expected.codes.contains(&code), "closed with {code} ({:?}), where {:?} may be", heard.reason, expected.codes),
        None => assert!(expected.lasts, "open, where {:?} was to be: {:?}", expected.codes, heard.texts),
    }
    check(&sent, &heard);
}

fn read(line: &[u8]) -> Sent<'_> {
    match line.split_first() {
        Some((1, rest)) => Sent::Binary(rest),
        Some((2, rest)) => Sent::Ping(&rest[..rest.len().min(125)]),
        Some((3, rest)) => Sent::Raw(rest),
        _ => Sent::Text(line),
    }
}

/// What may become of a socket.
#[derive(Default)]
struct Expected {
    /// The codes with which it may be closed.
    codes: HashSet<u16>,
    /// Whether it may stay open.
    lasts: bool,
}

impl Expected {
    fn anything() -> Self {
        Self { codes: HashSet::from([1000, 1002, 1007, 1009, 4400, 4401, 4403, 4409, 4429]), lasts: true }
    }
}

/// The protocol, written down once more.
#[derive(Default)]
struct Protocol {
    acknowledged: bool,
    ids: HashSet<String>,
}

fn expect(sent: &[Sent<'_>]) -> Expected {
    let mut protocol = Protocol::default();
    let mut expected = Expected::default();
    for message in sent {
        match message {
            Sent::Ping(_) => {}
            Sent::Binary(_) => {
                expected.codes.insert(4400);
                return expected;
            }
            // What it is is up to whoever reads frames.
            Sent::Raw(_) => return Expected::anything(),
            Sent::Text(bytes) => {
                let Ok(text) = std::str::from_utf8(bytes) else {
                    expected.codes.insert(1007);
                    return expected;
                };
                let Some(fate) = protocol.take(text) else { return Expected::anything() };
                expected.codes.extend(fate.close);
                if !fate.goes_on {
                    return expected;
                }
            }
        }
    }
    expected.lasts = true;
    expected
}

/// What one message does.
struct Fate {
    close: Vec<u16>,
    goes_on: bool,
}

const GOES_ON: Fate = Fate { close: Vec::new(), goes_on: true };

fn closes(code: u16) -> Fate {
    Fate { close: vec![code], goes_on: false }
}

impl Protocol {
    /// What becomes of the socket; none when nobody says.
    fn take(&mut self, text: &str) -> Option<Fate> {
        let Ok(Value::Object(message)) = serde_json::from_str(text) else { return Some(closes(4400)) };
        // A key that is there twice is refused, or is the last one; nobody says which.
        if message.keys().any(|key| text.matches(&format!("\"{key}\"")).count() > 1) || text.contains("\\u") {
            return None;
        }
        let payload = message.get("payload");
        let optional = matches!(payload, None | Some(Value::Null | Value::Object(_)));
        Some(match (message.get("type").and_then(Value::as_str), message.get("id")) {
            (Some("connection_init"), _) if optional => self.init(payload),
            (Some("ping" | "pong"), _) if optional => GOES_ON,
            (Some("complete"), Some(Value::String(id))) => {
                self.ids.remove(id);
                GOES_ON
            }
            (Some("subscribe"), Some(Value::String(id))) => match payload {
                Some(Value::Object(_)) if !self.acknowledged => closes(4401),
                Some(Value::Object(_)) if id.is_empty() => closes(4400),
                Some(request @ Value::Object(_)) => self.subscribe(id, request),
                _ => closes(4400),
            },
            _ => closes(4400),
        })
    }

    fn init(&mut self, payload: Option<&Value>) -> Fate {
        if self.acknowledged {
            return closes(4429);
        }
        let given = |key| payload.and_then(|payload| payload.get(key));
        if given("authorization").or_else(|| given("Authorization")).is_some_and(|token| !token.is_null()) {
            return closes(4403);
        }
        self.acknowledged = true;
        GOES_ON
    }

    fn subscribe(&mut self, id: &str, request: &Value) -> Fate {
        let named = !request["documentId"].is_null() || request["extensions"].get("persistedQuery").is_some();
        let missing = request["query"].is_null() && named;
        let is = |key: &str, fits: fn(&Value) -> bool| request[key].is_null() || fits(&request[key]);
        let sound = is("operationName", Value::is_string) && is("variables", Value::is_object) && is("extensions", Value::is_object);
        // Whether an operation of this id has ended meanwhile is a matter of time.
        let mut close = if self.ids.insert(id.to_owned()) { Vec::new() } else { vec![4409] };
        let goes_on = sound && (request["query"].is_string() || missing);
        if !goes_on {
            close.push(4400);
        }
        Fate { close, goes_on }
    }
}

/// Whatever was said is a message of the protocol, in an order that it knows.
fn check(sent: &[Sent<'_>], heard: &Heard) {
    let mut asked: HashMap<String, usize> = HashMap::new();
    let mut pings = 0;
    for message in sent {
        match message {
            Sent::Text(text) => {
                let message: Value = serde_json::from_slice(text).unwrap_or_default();
                if let Some(id) = message["id"].as_str() {
                    *asked.entry(id.to_owned()).or_default() += 1;
                }
                pings += 1;
            }
            Sent::Raw(_) => return,
            Sent::Binary(_) | Sent::Ping(_) => {}
        }
    }
    let (mut acks, mut pongs) = (0, 0);
    for text in &heard.texts {
        let message: Value = serde_json::from_str(text).unwrap();
        match message["type"].as_str().unwrap() {
            "connection_ack" => acks += 1,
            "pong" => pongs += 1,
            "next" => assert!(message["payload"].is_object() && asked.contains_key(message["id"].as_str().unwrap()), "{text}"),
            end @ ("error" | "complete") => {
                assert!(end == "complete" || message["payload"].as_array().is_some_and(|errors| !errors.is_empty()), "{text}");
                let id = message["id"].as_str().unwrap();
                let left = asked.get_mut(id).unwrap_or_else(|| panic!("nobody asked for {text}"));
                assert!(*left > 0, "ended once too often: {text}");
                *left -= 1;
            }
            _ => panic!("no message of a server: {text}"),
        }
    }
    // The last one is ours.
    assert!(acks <= 1 && pongs <= pings + 1);
}
