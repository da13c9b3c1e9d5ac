//! Media types of GraphQL over HTTP: what a client takes and what it sent.
//!
//! Always holds: types are compared without regard to case; `application/json` stands for a client
//! that does not say, since that is what such clients understand.

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};

const GRAPHQL: &str = "application/graphql-response+json";
const JSON: &str = "application/json";
/// Server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    /// `application/graphql-response+json`: the status code tells request errors apart.
    Graphql,
    /// `application/json`: the older form, where a readable request is always a 200.
    Json,
}

impl Media {
    /// The header's value.
    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Graphql => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        })
    }
}

/// What a client takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Accepted {
    graphql: f32,
    json: f32,
    events: f32,
}

impl Accepted {
    /// Reads `Accept`.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let given: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
        let ranges: Vec<(String, f32)> = given.iter().flat_map(|value| value.split(',')).filter_map(range).collect();
        if ranges.is_empty() {
            return Self { graphql: 0.0, json: 1.0, events: 0.0 };
        }
        let quality = |ranks: &[&str]| {
            ranks.iter().find_map(|rank| ranges.iter().find(|(name, _)| name == rank).map(|(_, quality)| *quality)).unwrap_or(0.0)
        };
        let json = quality(&[JSON, "application/*", "*/*"]);
        // A wildcard means the older form, unless that is excluded by name.
        let graphql = if json > 0.0 { quality(&[GRAPHQL]) } else { quality(&[GRAPHQL, "application/*", "*/*"]) };
        Self { graphql, json, events: quality(&[EVENTS]) }
    }

    /// The form of a single answer; none when the client takes none that we write.
    pub(crate) fn single(self) -> Option<Media> {
        match self.graphql.max(self.json) {
            best if best <= 0.0 => None,
            best if self.graphql >= best => Some(Media::Graphql),
            _ => Some(Media::Json),
        }
    }

    /// Whether a stream of events is wanted: always when nothing else is, and for what only a stream can
    /// answer when it is taken at all.
    pub(crate) fn wants_events(self, only_a_stream_will_do: bool) -> bool {
        self.events > self.graphql.max(self.json) || (only_a_stream_will_do && self.events > 0.0)
    }
}

/// A media range and its quality.
fn range(text: &str) -> Option<(String, f32)> {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
    let quality = parts.filter_map(|part| part.split_once('=')).find(|(key, _)| key.trim().eq_ignore_ascii_case("q"));
    let quality = quality.map_or(1.0, |(_, value)| value.trim().parse().unwrap_or(0.0));
    Some((name, quality))
}

/// Whether the body is JSON in UTF-8 by its own account; without that it could come from any web page's form.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let mut parts = kind.split(';').map(str::trim);
    let charset = |part: &str| {
        part.split_once('=')
            .filter(|(key, _)| key.trim().eq_ignore_ascii_case("charset"))
            .map(|(_, value)| value.trim().trim_matches('"').to_owned())
    };
    parts.next().is_some_and(|name| name.eq_ignore_ascii_case(JSON))
        && parts.filter_map(charset).all(|charset| charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8"))
}
