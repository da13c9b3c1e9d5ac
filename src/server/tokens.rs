//! How many tokens a document has, before it is parsed.
//!
//! Always holds: it takes one pass and no memory; a document that does not parse has some number of tokens too. Not here:
//! what they mean, which is the parser's.

/// The tokens of a document, as the specification counts them: names, numbers, strings and punctuation.
pub(crate) fn count(document: &str) -> u64 {
    let mut rest = document.as_bytes();
    let mut tokens = 0;
    while let Some((&first, after)) = rest.split_first() {
        rest = match first {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => {
                rest = after;
                continue;
            }
            b'#' => {
                rest = skip(after, |byte| byte != b'\n' && byte != b'\r');
                continue;
            }
            b'"' => string(rest),
            b'.' => skip(after, |byte| byte == b'.'),
            first if is_word(first) => skip(after, |byte| is_word(byte) || matches!(byte, b'.' | b'+' | b'-')),
            _ => after,
        };
        tokens += 1;
    }
    tokens
}

/// What stands in names and numbers; what is no ASCII stands in strings and comments alone.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn skip(text: &[u8], while_it_is: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !while_it_is(*byte)).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// What follows the string, or block string, that the text begins with.
fn string(text: &[u8]) -> &[u8] {
    const BLOCK: &[u8] = b"\"\"\"";
    let (end, escaped) = if text.starts_with(BLOCK) { (BLOCK, b"\\\"\"\"".as_slice()) } else { (b"\"".as_slice(), b"\\\"".as_slice()) };
    let mut rest = text.get(end.len()..).unwrap_or_default();
    while let Some(after) = rest.get(1..) {
        if let Some(after) = rest.strip_prefix(end) {
            return after;
        }
        // A line ends a string that was not ended before.
        if end != BLOCK && rest.starts_with(b"\n") {
            return after;
        }
        rest = match rest.strip_prefix(escaped) {
            Some(after) => after,
            None if end != BLOCK && rest.starts_with(b"\\\\") => rest.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tokens_are_counted_as_the_specification_has_them() {
        for (document, tokens) in [
            ("", 0),
            ("  ,,# only { a comment }\n", 0),
            ("{ a }", 3),
            ("{a(b:1.5e-3,c:\"x y # } z\")...F@include(if:$v)}", 20),
            (r#"{ a(b: "a \" b \\") }"#, 8),
            ("{ a(b: \"\"\"block \" with \\\"\"\" quotes\nand lines\"\"\") }", 8),
            ("\"never ended", 1),
            ("\"ended by the line\n{ a }", 4),
            ("é { a }", 4),
            (&"{".repeat(5_000), 5_000),
        ] {
            assert_eq!(count(document), tokens, "{document}");
        }
    }
}
