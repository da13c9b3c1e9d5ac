//! The words of `graphql-transport-ws`: messages and close codes.
//!
//! Always holds: a reason fits into a close frame. Not here: when they are said.

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::core::refusals::CROWDED;

/// The name of the protocol in the upgrade.
pub(crate) const NAME: &str = "graphql-transport-ws";
/// The longest reason of a close frame, in bytes (RFC 6455).
const REASON: usize = 123;

/// What a client says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Incoming {
    ConnectionInit {
        payload: Option<Map<String, Value>>,
    },
    Subscribe {
        id: String,
        payload: Map<String, Value>,
    },
    Complete {
        id: String,
    },
    Ping {
        payload: Option<Map<String, Value>>,
    },
    Pong {
        #[serde(rename = "payload")]
        _payload: Option<Map<String, Value>>,
    },
    /// A `subscribe` whose payload is an object of JSON that is not read here, such as one with half a letter (`"\ud83d"`).
    #[serde(skip)]
    Unreadable {
        id: String,
        why: serde_json::Error,
    },
}

/// A message with its payload as it came.
#[derive(Deserialize)]
struct Enclosed<'t> {
    #[serde(rename = "type")]
    kind: &'t str,
    id: String,
    #[serde(borrow)]
    payload: &'t RawValue,
}

impl Incoming {
    /// Reads a message; a list of its parts, which serde would take for one as well, is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok().or_else(|| Self::unreadable(text)))?
    }

    fn unreadable(text: &str) -> Option<Self> {
        let Enclosed { kind: "subscribe", id, payload } = serde_json::from_str(text).ok()? else { return None };
        let why = serde_json::from_str::<Map<String, Value>>(payload.get()).err()?;
        payload.get().starts_with('{').then_some(Self::Unreadable { id, why })
    }
}

/// What the server says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Outgoing<'a, T: Serialize> {
    ConnectionAck,
    Ping {
        payload: Notice,
    },
    Pong {
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<Map<String, Value>>,
    },
    Next {
        id: &'a str,
        payload: T,
    },
    Error {
        id: &'a str,
        payload: T,
    },
    Complete {
        id: &'a str,
    },
}

/// What a ping tells besides.
#[derive(Serialize)]
pub(crate) struct Notice {
    pub(crate) notice: &'static str,
}

/// Messages that carry no payload of their own.
pub(crate) type ControlMessage<'a> = Outgoing<'a, ()>;

impl ControlMessage<'_> {
    /// The message `next` up to an answer that is text already; [`TAIL`] comes after it.
    pub(crate) fn next_head(id: &str) -> Arc<str> {
        format!("{{\"type\":\"next\",\"id\":{},\"payload\":", quoted(id)).into()
    }

    /// The message `error` with errors that are text already.
    pub(crate) fn error(id: &str, errors: &str) -> String {
        format!("{{\"type\":\"error\",\"id\":{},\"payload\":{errors}{TAIL}", quoted(id))
    }
}

/// What ends a message.
pub(crate) const TAIL: &str = "}";

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

impl<T: Serialize> Outgoing<'_, T> {
    /// The message as text.
    pub(crate) fn text(&self) -> String {
        // Only a map with keys that are no text could fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Why a socket closes, with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Close {
    /// The client has gone or closes.
    Gone,
    /// The server stops; clients come back on their own.
    Stopping,
    /// It is no message of the protocol.
    Malformed(&'static str),
    /// An operation before the acknowledgement.
    NotInitialised,
    /// The token is not, or no longer, valid.
    Forbidden(&'static str),
    /// The subprotocol is another.
    Subprotocol,
    /// No `connection_init` in time.
    InitTimeout,
    /// The id is in use.
    Duplicate,
    /// A second `connection_init`.
    InitAgain,
    /// Neither pings nor anything else is answered.
    Silent,
    /// The client does not read.
    SlowReader,
    /// A message is longer than the server reads.
    TooLarge,
    /// Text that is not UTF-8.
    NotUtf8,
    /// A frame that breaks the WebSocket protocol.
    Broken,
    /// The database cannot be asked who this is.
    Unavailable,
    /// The token has as many sockets and streams as it may.
    Crowded,
}

impl Close {
    /// The code and reason; none when there is nobody to tell.
    fn say(self) -> Option<(u16, &'static str)> {
        Some(match self {
            Self::Gone => return None,
            Self::Stopping => (1001, "The server stops; connect again."),
            Self::Broken => (1002, "A frame breaks the WebSocket protocol."),
            Self::NotUtf8 => (1007, "Text must be UTF-8."),
            Self::TooLarge => (1009, "The message is longer than this server reads."),
            // 1013 tells clients to come back, and what they subscribe to begins with the present state.
            Self::SlowReader => (1013, "The client does not read fast enough; connect again for the present state."),
            Self::Unavailable => (1013, "The database cannot be reached at the moment; connect again."),
            Self::Crowded => (1013, CROWDED),
            Self::Silent => (3008, "Pings are not answered."),
            Self::Malformed(reason) => (4400, reason),
            Self::NotInitialised => (4401, "Unauthorized: send connection_init first and wait for connection_ack."),
            Self::Forbidden(reason) => (4403, reason),
            Self::Subprotocol => (4406, "Subprotocol not acceptable: use graphql-transport-ws."),
            Self::InitTimeout => (4408, "Connection initialisation timeout."),
            Self::Duplicate => (4409, "Subscriber for this id already exists."),
            Self::InitAgain => (4429, "Too many initialisation requests."),
        })
    }

    /// The code, for the metrics.
    pub(crate) fn code(self) -> Option<u16> {
        self.say().map(|(code, _)| code)
    }

    /// What went wrong in reading.
    pub(crate) fn of_error(error: &axum::Error) -> Self {
        // axum's own version of tungstenite cannot be named here, so its words have to do; tests hold them.
        let text = error.to_string();
        match text.split_once(':').map_or(text.as_str(), |(kind, _)| kind) {
            "Space limit exceeded" => Self::TooLarge,
            "UTF-8 encoding error" => Self::NotUtf8,
            "WebSocket protocol error" if !text.contains("without closing handshake") => Self::Broken,
            _ => Self::Gone,
        }
    }

    /// The close frame; none when there is nobody to tell.
    pub(crate) fn frame(self) -> Option<Message> {
        let (code, reason) = self.say()?;
        let end = reason.floor_char_boundary(REASON);
        Some(Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from(reason.get(..end).unwrap_or_default()) })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_is_a_message() {
        for text in [r#" {"type": "connection_init"}"#, r#"{"payload":{},"type":"ping"}"#, r#"{"type":"complete","id":"1","more":1}"#] {
            assert!(Incoming::read(text).is_some(), "{text}");
        }
        for text in
            ["", "null", r#"["connection_init", null]"#, r#"["ping"]"#, r#"["subscribe","1",{"query":"{a}"}]"#, r#"{"type":"next"}"#]
        {
            assert!(Incoming::read(text).is_none(), "{text}");
        }
    }
}
