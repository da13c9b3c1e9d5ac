//! The tokens of a document: how many there are, how deep brackets stand inside each other, told before it is parsed; the
//! document without what stands between them, and with the letters in its strings that the parser does not know by their escapes.
//!
//! Always holds: measuring takes one pass and no memory; brackets in strings and comments count for nothing, and what is no whole
//! string is none; a document that does not parse is measured too. Not here: what tokens mean, which is the parser's.

use std::borrow::Cow;
use std::fmt::Write as _;

/// How much there is of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measure {
    /// Its tokens, as the specification counts them: names, numbers, strings and punctuation.
    pub(crate) tokens: u64,
    /// The most brackets of all kinds, `{`, `[` and `(`, that are open at once.
    pub(crate) nesting: u64,
}

/// Measures a document.
pub(crate) fn measure(document: &str) -> Measure {
    let (mut measure, mut depth) = (Measure::default(), 0_u64);
    for token in Tokens::of(document) {
        measure.tokens += 1;
        match token {
            "{" | "[" | "(" => {
                depth += 1;
                measure.nesting = measure.nesting.max(depth);
            }
            "}" | "]" | ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    measure
}

/// The document without what carries no meaning: white space, commas and comments. Documents of which the same is left mean the same.
pub(crate) fn minified(document: &str) -> String {
    let mut short = String::with_capacity(document.len());
    let mut before_is_word = false;
    for token in Tokens::of(document) {
        let is_word = token.starts_with(|first| is_word(first) || matches!(first, '-' | '"'));
        if is_word && before_is_word {
            short.push(' ');
        }
        short.push_str(token);
        before_is_word = is_word;
    }
    short
}

/// The document with every letter as itself that is escaped in a way that the parser does not know: `\u{1F600}`, and a pair of
/// surrogates as JSON has them, `\ud83d\ude00` (section 2.9.4 of the specification).
pub(crate) fn unescaped(document: &str) -> Cow<'_, str> {
    if !document.contains("\\u") {
        return Cow::Borrowed(document);
    }
    Cow::Owned(rewritten(document, |plain, before, token| {
        plain.push_str(before);
        if token.starts_with('"') && !token.starts_with("\"\"\"") && token.contains("\\u") {
            unescape(token, plain);
        } else {
            plain.push_str(token);
        }
    }))
}

/// The document with a space in the place of each comma between its tokens, which apollo-compiler does not pass over everywhere.
pub(crate) fn without_commas(document: &str) -> Cow<'_, str> {
    if !document.contains(',') {
        return Cow::Borrowed(document);
    }
    Cow::Owned(rewritten(document, |plain, before, token| {
        plain.extend(before.chars().map(|letter| if letter == ',' { ' ' } else { letter }));
        plain.push_str(token);
    }))
}

/// A document in other words: `write` is given each token, and what stands before it; at the end what stands behind the last.
fn rewritten(document: &str, write: impl Fn(&mut String, &str, &str)) -> String {
    let (mut written, mut rest) = (String::with_capacity(document.len()), document);
    let mut tokens = Tokens::of(document);
    while let Some(token) = tokens.next() {
        let (before, _) = rest.split_at(rest.len() - tokens.rest.len() - token.len());
        write(&mut written, before, token);
        rest = tokens.rest;
    }
    write(&mut written, rest, "");
    written
}

fn unescape(string: &str, plain: &mut String) {
    let mut rest = string;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        rest = if let Some((letter, after)) = long_escape(escape) {
            if matches!(letter, '"' | '\\') || letter.is_control() {
                let _written = write!(plain, "\\u{:04x}", u32::from(letter));
            } else {
                plain.push(letter);
            }
            after
        } else {
            let mut letters = escape.chars();
            plain.push('\\');
            plain.extend(letters.next());
            letters.as_str()
        };
    }
    plain.push_str(rest);
}

/// The letter that begins here behind a backslash, as `u{...}` or as a pair of surrogates, and what follows it.
fn long_escape(text: &str) -> Option<(char, &str)> {
    let number = |digits: &str| u32::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let half = |text: &'_ str| u16::try_from(number(text.get(..4)?)?).ok();
    let text = text.strip_prefix('u')?;
    if let Some(braced) = text.strip_prefix('{') {
        let (digits, after) = braced.split_once('}')?;
        return Some((char::from_u32(number(digits)?)?, after));
    }
    let second = text.get(4..)?.strip_prefix("\\u")?;
    let (high, low) = (half(text)?, half(second)?);
    // Two letters that are one each are the parser's.
    let mut letters = char::decode_utf16([high, low]);
    let letter = letters.next()?.ok().filter(|letter| letter.len_utf16() == 2)?;
    Some((letter, second.get(4..)?))
}

/// The tokens of a document, one after the other.
struct Tokens<'t> {
    rest: &'t str,
    /// Where one block is never closed, no later one is: it is looked for once.
    blocks_end: bool,
}

impl<'t> Tokens<'t> {
    fn of(document: &'t str) -> Self {
        Self { rest: document, blocks_end: true }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let mut rest = self.rest.trim_start_matches(is_ignored);
        while let Some(comment) = rest.strip_prefix('#') {
            rest = comment.trim_start_matches(|letter| letter != '\n' && letter != '\r').trim_start_matches(is_ignored);
        }
        let mut letters = rest.chars();
        let first = letters.next()?;
        let after = letters.as_str();
        let after = match first {
            '"' => after_string(after, &mut self.blocks_end),
            '.' => after.strip_prefix("..").unwrap_or(after),
            '-' | '0'..='9' => after_number(after),
            first if is_word(first) => after.trim_start_matches(is_word),
            _ => after,
        };
        self.rest = after;
        Some(rest.split_at(rest.len() - after.len()).0)
    }
}

/// What stands between tokens.
fn is_ignored(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n' | ',' | '\u{feff}')
}

/// What stands in names; what is no ASCII stands in strings and comments alone.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii() && !is_ignored(letter)
}

/// What follows the number whose first letter was passed.
fn after_number(text: &str) -> &str {
    let whole = after_digits(text);
    let fraction = whole.strip_prefix('.').map_or(whole, |digits| after_some_digits(digits, whole));
    let exponent = fraction.strip_prefix(['e', 'E']);
    exponent.map_or(fraction, |exponent| after_some_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent), fraction))
}

fn after_digits(text: &str) -> &str {
    text.trim_start_matches(|letter: char| letter.is_ascii_digit())
}

/// What follows digits; where there are none, the number is over before.
fn after_some_digits<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    let after = after_digits(text);
    if after.len() < text.len() { after } else { otherwise }
}

/// What follows the string whose opening quote was passed.
fn after_string<'t>(text: &'t str, blocks_end: &mut bool) -> &'t str {
    if *blocks_end && let Some(block) = text.strip_prefix("\"\"") {
        match end_of_block(block) {
            Some(end) => return block.split_at(end).1,
            None => *blocks_end = false,
        }
    }
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, letter)| {
        let ends = !escaped && matches!(letter, '"' | '\n' | '\r');
        escaped = !escaped && letter == '\\';
        ends
    });
    end.map_or("", |(at, _)| text.split_at(at + 1).1)
}

/// Where a block string is over: behind the first three quotes that are not escaped.
fn end_of_block(block: &str) -> Option<usize> {
    block.match_indices("\"\"\"").map(|(at, _)| at).find(|&at| !block.split_at(at).0.ends_with('\\')).map(|at| at + 3)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{measure, minified, unescaped};

    const TOKENS: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        "$",
        "@",
        "!",
        "a",
        "_B9",
        "...",
        "-1",
        "2",
        "1.5e-3",
        "\"\"",
        "\"a \\\" # {\"",
        "\"\"\" , { \\\"\"\" \"\"\"",
    ];
    const BETWEEN: &[&str] = &[" ", ",", "\n", "\r\n", "\t", "\u{feff}", "# [ \" comment\n", "#\r"];

    proptest! {
        #[test]
        fn what_stands_between_tokens_changes_nothing(
            tokens in prop::collection::vec((prop::sample::select(TOKENS), prop::collection::vec(prop::sample::select(BETWEEN), 1..3)), 0..40),
        ) {
            let spaced: String = tokens.iter().map(|(token, between)| token.to_string() + &between.concat()).collect();
            let plain = tokens.iter().map(|(token, _)| *token).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(measure(&spaced), measure(&plain));
            prop_assert_eq!(measure(&plain).tokens, tokens.len() as u64);
            prop_assert_eq!(minified(&spaced), minified(&plain));
            prop_assert_eq!(measure(&minified(&spaced)), measure(&plain));
        }

        #[test]
        fn any_text_is_measured_within_its_length(text in any::<String>()) {
            let measure = measure(&text);
            prop_assert!(measure.nesting <= measure.tokens && measure.tokens <= text.len() as u64);
        }
    }

    #[test]
    fn tokens_are_counted_as_the_specification_has_them() {
        for (document, tokens) in [
            ("", 0),
            ("  ,,# only { a comment }\n", 0),
            ("{ a }", 3),
            ("{a(b:1.5e-3,c:\"x y # } z\")...F@include(if:$v)}", 21),
            (r#"{ a(b: "a \" b \\") }"#, 8),
            ("{ a(b: \"\"\"block \" with \\\"\"\" quotes\nand lines\"\"\") }", 8),
            ("\"never ended", 1),
            ("\"ended by the line\n{ a }", 4),
            ("é { a }", 4),
            // What needs no white space between is not one token.
            ("{a...F b}", 6),
            ("{a(b:[1-2-3])}", 12),
            ("{a\u{feff}b}", 4),
            (&"{".repeat(5_000), 5_000),
        ] {
            assert_eq!(measure(document).tokens, tokens, "{document}");
        }
    }

    #[test]
    fn only_brackets_that_the_parser_sees_count() {
        for (document, depth) in [
            ("{ a(b: [{c: 1}]) { d } }", 4),
            ("{ a } { b }", 1),
            ("{ a(b: \"[[[\\\"[[[\") }", 2),
            ("{ a # [[[[\n { b } }", 2),
            ("{ a(b: \"\"\"[[\\\"\"\"[[\"\"\", c: [1]) }", 3),
            ("]]]] { a", 1),
            // What ends a string for the parser ends it here: a line's end, and the second of three quotes that are never closed.
            ("{ a(b: \"x\n[[[", 5),
            ("[\"\"\"x\"[[[", 4),
            ("\"", 0),
            ("\"\"\"", 0),
        ] {
            assert_eq!(measure(document).nesting, depth, "{document}");
        }
    }
    #[test]
    fn letters_are_written_out_where_the_parser_does_not_know_their_escape() {
        for (document, plain) in [
            (r#"{ a(b: "\u{1F600}") }"#, r#"{ a(b: "😀") }"#),
            (r#"{ a(b: "x\ud83d\uDE00y", c: "\u{41}") }"#, r#"{ a(b: "x😀y", c: "A") }"#),
            (r#"{ a(b: "\u{22}\u{5c}\u{a}") }"#, r#"{ a(b: "\u0022\u005c\u000a") }"#),
            (r#"{ a(b: "\\u{41}\u0041\u00e9\u0301") }"#, r#"{ a(b: "\\u{41}\u0041\u00e9\u0301") }"#),
            (r#"{ a(b: "\ud83d", c: "\ud83d\u0041", d: "\u{110000}", e: "\u{}", f: "\u{+41}") }"#, ""),
            (
                r#"{ a(b: """\u{41}""") # "\u{41}"
            }"#,
                "",
            ),
        ] {
            assert_eq!(unescaped(document), if plain.is_empty() { document } else { plain }, "{document}");
        }
    }

    #[test]
    fn what_is_left_without_white_space_commas_and_comments_means_the_same() {
        for (document, short) in [
            (
                "query Q ( $a : Int = -1 ) {\n a ( b : $a, c : [ 1, -2 \"x # y\" ] ) ... F # {\r b }",
                "query Q($a:Int=-1){a(b:$a c:[1 -2 \"x # y\"])...F b}",
            ),
            ("{ a(b: \"\"\" c , d \"\"\") }", "{a(b:\"\"\" c , d \"\"\")}"),
            ("\u{feff}{ a\u{feff}b }", "{a b}"),
        ] {
            assert_eq!(minified(document), short);
            assert_eq!(minified(short), short);
        }
    }
}
