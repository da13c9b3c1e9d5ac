//! Documents: measured, parsed, counted, validated and carried out for somebody without a token.

use async_graphql::Request;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, Selection, SelectionSet};
use pumphouse::server::{Limits, fuzz};
use serde_json::Value;

use crate::server::ask;

/// Brackets inside each other that a document may have.
const NESTING: u64 = 200;
/// How many selections are written out to count them.
const PATIENCE: u64 = 20_000;

thread_local! {
    static SCHEMA: fuzz::Schema = fuzz::Schema::new();
}

/// Whatever the document: measures are bounded by its length; white space, commas and comments change neither what it means nor
/// what is said to it; what is counted is what writing its fragments out counts; what is let through keeps the limits.
pub fn hold(data: &[u8]) {
    let Ok(document) = std::str::from_utf8(data) else { return };
    let (tokens, nesting) = fuzz::measure(document);
    assert!(tokens <= document.len() as u64 && nesting <= tokens);
    let discloses = document.len().is_multiple_of(2);
    let answered = ask(document, &Value::Null, discloses);
    let limits = Limits::default();
    if tokens > limits.tokens || nesting > NESTING {
        assert_eq!(answered.codes()[0].0, "TOO_COMPLEX", "{}", answered.body);
        return;
    }
    let codes = answered.codes();
    let parsed = parse_query(document).ok();
    let unread = |error: &Value| error["extensions"]["code"] == "GRAPHQL_PARSE_FAILED";
    assert_eq!(parsed.is_none(), answered.errors().iter().any(unread), "{}", answered.body);
    let Some(parsed) = parsed else { return };
    let other = respaced(document);
    assert_eq!(
        meaning(&parsed),
        parse_query(&other).as_ref().ok().map_or_else(Vec::new, meaning),
        "other white space means something else: {other:?}"
    );
    let again = ask(&other, &Value::Null, discloses);
    assert_eq!((codes.as_slice(), answered.status), (again.codes().as_slice(), again.status), "{} and {}", answered.body, again.body);
    assert_eq!(fuzz::measure(&other), (tokens, nesting));
    same_request(document, &other, &parsed);
    if answered.is_executed() {
        counts(document, &parsed, &limits);
    }
}

/// The same tokens with other white space, by this program's own reading of them. The library takes none inside a type, such as
/// `[ID!]`, and no comment between `on` and a name.
fn respaced(document: &str) -> String {
    let tokens = tokens(document);
    let mut other = String::with_capacity(document.len() * 2);
    for (at, token) in tokens.iter().enumerate() {
        other.push_str(token);
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        if *token != "[" && !matches!(next, "]" | "!") {
            other.push_str(if *token != "on" && other.len().is_multiple_of(3) { "\t,\n#}\"\n" } else { " " });
        }
    }
    other
}

/// The tokens of a document that parses.
fn tokens(document: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = document;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '\t' | '\r' | '\n' | ',' | '\u{feff}' => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '#' => {
                rest = rest.find(['\n', '\r']).map_or("", |end| &rest[end..]);
                continue;
            }
            '"' => string(rest),
            '.' => 3,
            '-' | '0'..='9' => after(rest, |letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '.')),
            first if first.is_ascii_alphabetic() || first == '_' => after(rest, |letter| letter.is_ascii_alphanumeric() || letter == '_'),
            first => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// Where the letters of this kind end that the text begins with.
fn after(text: &str, is: fn(char) -> bool) -> usize {
    text.find(|letter| !is(letter)).unwrap_or(text.len())
}

/// How long the string is that the text begins with.
fn string(text: &str) -> usize {
    let (mark, escapes): (&str, &[&str]) = if text.starts_with("\"\"\"") { ("\"\"\"", &["\\\"\"\""]) } else { ("\"", &["\\\\", "\\\""]) };
    let mut at = mark.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(mark) {
            return at + mark.len();
        }
        let escape = escapes.iter().find(|escape| rest.starts_with(**escape));
        at += escape.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |escape| escape.len());
    }
    text.len()
}

/// What a document says, without the places where it says it.
fn meaning(document: &ExecutableDocument) -> Vec<String> {
    let operations = document.operations.iter().map(|(name, operation)| format!("{name:?} {:?}", operation.node));
    let fragments = document.fragments.iter().map(|(name, fragment)| format!("{name} {:?}", fragment.node));
    let mut said: Vec<String> = operations.chain(fragments).map(|text| without_places(&text)).collect();
    said.sort();
    said
}

fn without_places(text: &str) -> String {
    let mut parts = text.split("pos: Pos(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| said + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// White space makes no other request of an idempotency key; what is left of a document without it means the same.
fn same_request(document: &str, other: &str, parsed: &ExecutableDocument) {
    let hash = |text: &str| fuzz::request_hash(&Request::new(text)).unwrap();
    assert_eq!(hash(document), hash(other), "{other:?} is another request");
    let short = fuzz::minified(document);
    assert_eq!(meaning(parsed), parse_query(&short).as_ref().ok().map_or_else(Vec::new, meaning), "{short:?} means something else");
}

/// What was let through, counted by writing every fragment out.
#[derive(Default)]
struct WrittenOut {
    fields: u64,
    aliases: u64,
    spreads: u64,
    roots: u64,
}

fn counts(text: &str, document: &ExecutableDocument, limits: &Limits) {
    let mut operations = document.operations.iter();
    let (Some((_, operation)), None) = (operations.next(), operations.next()) else { return };
    let Some(counted) = SCHEMA.with(|schema| schema.count(text)) else { panic!("let through and not to be counted") };
    let mut all = WrittenOut::default();
    let Some(depth) = all.walk(document, &operation.node.selection_set.node, 0) else { return };
    all.roots = root_fields(document, &operation.node);
    assert_eq!((counted.aliases, counted.spreads, counted.roots, counted.depth), (all.aliases, all.spreads, all.roots, depth));
    assert!(counted.fields >= all.fields && all.fields <= limits.fields, "{} of {}", counted.fields, all.fields);
    assert!(all.aliases <= limits.aliases && all.spreads <= limits.fragments && all.roots <= limits.root_fields);
    assert!(depth <= limits.depth && counted.values <= limits.cost);
}

impl WrittenOut {
    /// How deep the fields stand inside each other; none when it takes too long.
    fn walk(&mut self, document: &ExecutableDocument, set: &SelectionSet, level: u64) -> Option<u64> {
        let mut deepest = 0;
        for selection in &set.items {
            self.fields += 1 + selection.node.directives().len() as u64;
            if self.fields > PATIENCE || level > 64 {
                return None;
            }
            let depth = match &selection.node {
                Selection::Field(field) => {
                    self.fields += field.node.arguments.len() as u64;
                    self.aliases += u64::from(field.node.alias.is_some());
                    1 + self.walk(document, &field.node.selection_set.node, level + 1)?
                }
                Selection::InlineFragment(inline) => self.walk(document, &inline.node.selection_set.node, level + 1)?,
                Selection::FragmentSpread(spread) => {
                    self.spreads += 1;
                    let name = spread.node.fragment_name.node.as_str();
                    match document.fragments.get(name) {
                        Some(fragment) => self.walk(document, &fragment.node.selection_set.node, level + 1)?,
                        None => 0,
                    }
                }
            };
            deepest = deepest.max(depth);
        }
        Some(deepest)
    }
}

/// Fields of the operation itself, through fragments.
fn root_fields(document: &ExecutableDocument, operation: &OperationDefinition) -> u64 {
    let mut roots = 0;
    let mut waiting = vec![&operation.selection_set.node];
    while let Some(set) = waiting.pop() {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(_) => roots += 1,
                Selection::InlineFragment(inline) => waiting.push(&inline.node.selection_set.node),
                Selection::FragmentSpread(spread) => {
                    waiting
                        .extend(document.fragments.get(&spread.node.fragment_name.node).map(|fragment| &fragment.node.selection_set.node));
                }
            }
        }
    }
    roots
}
